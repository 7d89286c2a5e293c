# SPDX-License-Identifier: BSD-3-Clause
# urdfdom, and what it reads XML with: the target Urdfdom::Urdfdom. Its own CMake package names targets that newer versions call otherwise.
include(FindPackageHandleStandardArgs)
find_path(Urdfdom_INCLUDE_DIR urdf_parser/urdf_parser.h PATH_SUFFIXES urdfdom)
find_path(Urdfdom_HEADERS_INCLUDE_DIR urdf_model/model.h PATH_SUFFIXES urdfdom_headers)
find_library(Urdfdom_LIBRARY urdfdom_model)
find_library(Urdfdom_CONSOLE_LIBRARY console_bridge)
find_library(Urdfdom_XML_LIBRARY tinyxml)
find_package_handle_standard_args(
  Urdfdom REQUIRED_VARS Urdfdom_LIBRARY Urdfdom_CONSOLE_LIBRARY Urdfdom_XML_LIBRARY Urdfdom_INCLUDE_DIR
                        Urdfdom_HEADERS_INCLUDE_DIR)
mark_as_advanced(Urdfdom_INCLUDE_DIR Urdfdom_HEADERS_INCLUDE_DIR Urdfdom_LIBRARY Urdfdom_CONSOLE_LIBRARY
                 Urdfdom_XML_LIBRARY)
if(Urdfdom_FOUND AND NOT TARGET Urdfdom::Urdfdom)
  add_library(Urdfdom::Urdfdom INTERFACE IMPORTED)
  target_link_libraries(Urdfdom::Urdfdom INTERFACE ${Urdfdom_LIBRARY} ${Urdfdom_CONSOLE_LIBRARY} ${Urdfdom_XML_LIBRARY})
  target_include_directories(Urdfdom::Urdfdom SYSTEM INTERFACE ${Urdfdom_INCLUDE_DIR} ${Urdfdom_HEADERS_INCLUDE_DIR})
endif()
