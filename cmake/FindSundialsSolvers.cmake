# SPDX-License-Identifier: BSD-3-Clause
# The parts of SUNDIALS that Limber uses, as the target Sundials::solvers. (SUNDIALS' own configuration file asks for
# every optional package that Debian built it with.)
find_path(SUNDIALS_INCLUDE_DIR cvode/cvode.h)
set(sundials_parts sundials_cvode sundials_arkode sundials_ida sundials_nvecserial sundials_sunnonlinsolfixedpoint)
set(sundials_libraries)
foreach(part IN LISTS sundials_parts)
  find_library(${part}_LIBRARY ${part})
  list(APPEND sundials_libraries ${${part}_LIBRARY})
endforeach()
if(SUNDIALS_INCLUDE_DIR)
  file(STRINGS ${SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h version_line REGEX "define SUNDIALS_VERSION ")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" SundialsSolvers_VERSION "${version_line}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  SundialsSolvers
  REQUIRED_VARS SUNDIALS_INCLUDE_DIR sundials_cvode_LIBRARY sundials_arkode_LIBRARY sundials_ida_LIBRARY
                sundials_nvecserial_LIBRARY
                sundials_sunnonlinsolfixedpoint_LIBRARY
  VERSION_VAR SundialsSolvers_VERSION)
if(SundialsSolvers_FOUND AND NOT TARGET Sundials::solvers)
  add_library(Sundials::solvers INTERFACE IMPORTED)
  target_include_directories(Sundials::solvers SYSTEM INTERFACE ${SUNDIALS_INCLUDE_DIR})
  target_link_libraries(Sundials::solvers INTERFACE ${sundials_libraries})
endif()
