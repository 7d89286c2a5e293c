# SPDX-License-Identifier: BSD-3-Clause
# Installs the build into a prefix of its own, and builds tests/package/consumer against it: with CMake, and with other compilers, standards and
# flags than the library's, all linked to the same installed copy.
#   cmake -DBUILD_DIR= -DSOURCE_DIR= -DWITH_VIEWER= -DLIBDIR= -P install_and_use.cmake
set(work ${BUILD_DIR}/package-test)
file(REMOVE_RECURSE ${work})

function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

step(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${work}/prefix)
set(canadarm ${work}/prefix/share/limber/models/canadarm/canadarm.yaml)
step(${CMAKE_COMMAND} -S ${SOURCE_DIR}/tests/package/consumer -B ${work}/consumer -G Ninja
     -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_BUILD_TYPE=Debug)
step(${CMAKE_COMMAND} --build ${work}/consumer)
step(${work}/consumer/consumer ${canadarm})
step(${work}/consumer/part)
# Two of the examples as they are installed: one with the library alone, one with code that the program writes.
step(${CMAKE_COMMAND} -S ${work}/prefix/share/limber/examples -B ${work}/examples -G Ninja -DCMAKE_PREFIX_PATH=${work}/prefix)
step(${CMAKE_COMMAND} --build ${work}/examples --target example_statics_and_modes example_generated_code)
step(${CMAKE_CTEST_COMMAND} --test-dir ${work}/examples -R "statics_and_modes|generated_code" --output-on-failure)

# By pkg-config.
find_program(PKG_CONFIG NAMES pkg-config pkgconf REQUIRED)
set(ENV{PKG_CONFIG_PATH} ${work}/prefix/${LIBDIR}/pkgconfig)
foreach(what IN ITEMS cflags libs)
  execute_process(COMMAND ${PKG_CONFIG} --${what} limber
                  OUTPUT_VARIABLE ${what} OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(${what} UNIX_COMMAND "${${what}}")
endforeach()
set(consumer ${SOURCE_DIR}/tests/package/consumer/main.cpp)
step(g++ -std=c++17 -O1 ${consumer} -o ${work}/with_17 ${cflags} ${libs})
step(${work}/with_17 ${canadarm})
step(g++ -std=c++20 -O0 -march=native -D_GLIBCXX_ASSERTIONS ${consumer} -o ${work}/with_native ${cflags} ${libs})
step(${work}/with_native ${canadarm})
find_program(CLANG clang++)
if(CLANG)
  step(${CLANG} -std=c++17 -O1 -march=native ${consumer} -o ${work}/with_clang ${cflags} ${libs})
  step(${work}/with_clang ${canadarm})
endif()
# Who includes Eigen first, in another layout, is told what to do.
file(WRITE ${work}/eigen_first.cpp "#include <Eigen/Core>\n#include <limber/math/eigen.hpp>\n")
execute_process(COMMAND g++ -std=c++17 -fsyntax-only -isystem /usr/include/eigen3 -I${work}/prefix/include ${work}/eigen_first.cpp
                RESULT_VARIABLE code ERROR_VARIABLE errors)
if(code EQUAL 0 OR NOT errors MATCHES "EIGEN_MALLOC_ALREADY_ALIGNED=0")
  message(FATAL_ERROR "Eigen in another layout was not noticed: ${errors}")
endif()

# The shared library: the same program, and nothing visible but what is public.
set(shared ${BUILD_DIR}/liblimber.so)
step(g++ -std=c++17 -O1 ${consumer} -o ${work}/with_shared ${cflags} -L${BUILD_DIR} -llimber -Wl,-rpath,${BUILD_DIR})
step(${work}/with_shared ${canadarm})
execute_process(COMMAND nm -DC --defined-only ${shared} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
foreach(hidden IN ITEMS "limber_sweeps" "T YAML::" "T fmt::" "limber::detail::update_" "T H5")
  if(symbols MATCHES "${hidden}")
    message(FATAL_ERROR "the shared library shows `${hidden}`")
  endif()
endforeach()
file(SIZE ${shared} size)
math(EXPR size "${size} / 1024")
message(STATUS "shared library: ${size} KiB")

foreach(file IN ITEMS include/limber/version.hpp include/limber/limber.hpp share/doc/limber/LICENSE)
  if(NOT EXISTS ${work}/prefix/${file})
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()
file(STRINGS ${work}/prefix/share/man/man1/limber.1 manual REGEX "^\\.SS simulate")
if(NOT manual)
  message(FATAL_ERROR "the installed manual page does not know `simulate`")
endif()
if(WITH_VIEWER)
  step(${work}/prefix/bin/limber simulate ${work}/prefix/share/limber/models/canadarm/manoeuvre.yaml -o
       ${work}/canadarm.h5 --quiet)
  step(${work}/prefix/bin/limber report ${work}/canadarm.h5 -o ${work}/canadarm.html)
endif()
step(${work}/prefix/bin/limber check ${canadarm})
