# SPDX-License-Identifier: BSD-3-Clause
# The target `reference`: the API reference as HTML in reference/ of the build tree, made by Doxygen from the comments of the public headers.
# What is not documented, or names what is not there, is an error.
find_package(Doxygen 1.9 QUIET)
find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT DOXYGEN_FOUND OR NOT Python3_FOUND)
  return()
endif()
# The interpreter itself: wrappers around it take longer to start than docs/reference_filter.py takes, once for every header.
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sys; print(sys.executable, end='')" OUTPUT_VARIABLE LIMBER_PYTHON)
set(LIMBER_REFERENCE_DIR ${PROJECT_BINARY_DIR}/reference)
set(LIMBER_DOXYFILE ${PROJECT_BINARY_DIR}/Doxyfile)
configure_file(${PROJECT_SOURCE_DIR}/docs/Doxyfile.in ${LIMBER_DOXYFILE} @ONLY)
add_custom_target(
  reference
  COMMAND ${DOXYGEN_EXECUTABLE} ${LIMBER_DOXYFILE}
  COMMENT "API reference: ${LIMBER_REFERENCE_DIR}/index.html"
  VERBATIM)
