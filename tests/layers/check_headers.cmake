# SPDX-License-Identifier: BSD-3-Clause
# All public headers in one source: a name that two layers give to different things does not compile here. (In a program that links both, the linker would take one of
# them, and nobody would be told.)
#   cmake -DCXX= -DHEADERS= -DEIGEN= -DWORK= -P check_headers.cmake
file(GLOB headers RELATIVE ${HEADERS} ${HEADERS}/limber/*/*.hpp)
list(LENGTH headers count)
if(count LESS 100)
  message(FATAL_ERROR "only ${count} headers in ${HEADERS}")
endif()
set(source "")
foreach(header IN LISTS headers)
  string(APPEND source "#include \"${header}\"\n")
endforeach()
file(WRITE ${WORK}/all_headers.cpp "${source}")
execute_process(COMMAND ${CXX} -std=c++20 -fsyntax-only -I${HEADERS} -isystem ${EIGEN} ${WORK}/all_headers.cpp
                RESULT_VARIABLE code ERROR_VARIABLE errors)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "the public headers do not go together:\n${errors}")
endif()
