# SPDX-License-Identifier: BSD-3-Clause
# Ipopt's C interface: the target Ipopt::Ipopt.
include(FindPackageHandleStandardArgs)
find_path(Ipopt_INCLUDE_DIR IpStdCInterface.h PATH_SUFFIXES coin coin-or)
find_library(Ipopt_LIBRARY ipopt)
find_package_handle_standard_args(Ipopt REQUIRED_VARS Ipopt_LIBRARY Ipopt_INCLUDE_DIR)
mark_as_advanced(Ipopt_INCLUDE_DIR Ipopt_LIBRARY)
if(Ipopt_FOUND AND NOT TARGET Ipopt::Ipopt)
  add_library(Ipopt::Ipopt UNKNOWN IMPORTED)
  set_target_properties(Ipopt::Ipopt PROPERTIES IMPORTED_LOCATION ${Ipopt_LIBRARY})
  target_include_directories(Ipopt::Ipopt SYSTEM INTERFACE ${Ipopt_INCLUDE_DIR})
endif()
