# Installs the build into a prefix of its own and builds tests/package/consumer against it.
#   cmake -DBUILD_DIR= -DSOURCE_DIR= -DWITH_VIEWER= -P install_and_use.cmake
set(work ${BUILD_DIR}/package-test)
file(REMOVE_RECURSE ${work})

function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

step(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${work}/prefix)
step(${CMAKE_COMMAND} -S ${SOURCE_DIR}/tests/package/consumer -B ${work}/consumer -G Ninja
     -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_BUILD_TYPE=Debug)
step(${CMAKE_COMMAND} --build ${work}/consumer)
step(${work}/consumer/consumer ${work}/prefix/share/limber/models/canadarm/canadarm.yaml)
file(STRINGS ${work}/prefix/share/man/man1/limber.1 manual REGEX "^\\.SS simulate")
if(NOT manual)
  message(FATAL_ERROR "the installed manual page does not know `simulate`")
endif()
if(WITH_VIEWER)
  step(${work}/prefix/bin/limber simulate ${work}/prefix/share/limber/models/canadarm/manoeuvre.yaml -o
       ${work}/canadarm.h5 --quiet)
  step(${work}/prefix/bin/limber report ${work}/canadarm.h5 -o ${work}/canadarm.html)
endif()
step(${work}/prefix/bin/limber check ${work}/prefix/share/limber/models/canadarm/canadarm.yaml)
