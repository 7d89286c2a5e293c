# SPDX-License-Identifier: BSD-3-Clause
# `cmake --install`, find_package(limber COMPONENTS ...) and pkg-config: the layers as static libraries, or all of them as one shared library
# (BUILD_SHARED_LIBS); headers, program, models, licence.
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY LIMBER_LAYERS)
list(TRANSFORM layers PREPEND limber_ OUTPUT_VARIABLE layer_targets)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/limber)

# All layers in one shared library. What is not public is hidden in it, other libraries' symbols too.
list(JOIN layer_targets "," joined_targets)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/empty.cpp CONTENT "")
add_library(limber_shared SHARED ${PROJECT_BINARY_DIR}/empty.cpp)
if(NOT BUILD_SHARED_LIBS AND (NOT LIMBER_BUILD_TESTS OR CMAKE_BUILD_TYPE STREQUAL "Sanitize")) # a test links with it
  set_target_properties(limber_shared PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
set_target_properties(
  limber_shared PROPERTIES OUTPUT_NAME limber EXPORT_NAME limber VERSION ${PROJECT_VERSION}
                           SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
# By the layers on top alone: what they rest on follows, each once.
target_link_libraries(limber_shared PRIVATE limber_report limber_planning limber_literature PUBLIC Eigen3::Eigen)
set_property(TARGET limber_shared PROPERTY LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,${joined_targets}")
target_link_options(limber_shared PRIVATE LINKER:--no-undefined)
target_compile_features(limber_shared PUBLIC cxx_std_17)
target_include_directories(limber_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                   $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/layers/core> $<INSTALL_INTERFACE:include>)
target_compile_definitions(limber_shared INTERFACE ${LIMBER_LAYOUT})

if(BUILD_SHARED_LIBS)
  add_library(limber::limber ALIAS limber_shared)
  install(TARGETS limber_shared EXPORT limber-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
else()
  add_library(limber INTERFACE)
  add_library(limber::limber ALIAS limber)
  # Who takes all of it may include limber/limber.hpp, which is no layer's.
  target_include_directories(limber INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  foreach(layer IN LISTS layers)
    target_link_libraries(limber INTERFACE limber::${layer})
  endforeach()
  install(TARGETS limber ${layer_targets} EXPORT limber-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

install(TARGETS limber_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} PATTERN *.in EXCLUDE)
install(FILES ${LIMBER_VERSION_HEADER} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/limber)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models ${PROJECT_SOURCE_DIR}/studies ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/limber)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT limber-targets NAMESPACE limber:: DESTINATION ${config_dir})
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/limber-config.cmake.in ${PROJECT_BINARY_DIR}/limber-config.cmake
  INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/limber-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/limber-config.cmake ${PROJECT_BINARY_DIR}/limber-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindCeresSolver.cmake ${PROJECT_SOURCE_DIR}/cmake/FindCholmod.cmake ${PROJECT_SOURCE_DIR}/cmake/FindIpopt.cmake ${PROJECT_SOURCE_DIR}/cmake/FindNlopt.cmake ${PROJECT_SOURCE_DIR}/cmake/FindSundialsSolvers.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindUrdfdom.cmake
        DESTINATION ${config_dir})

# pkg-config. Static layers stand before those that they rest on, then the libraries of others.
if(BUILD_SHARED_LIBS)
  set(pc_libraries "-llimber")
else()
  set(reversed ${layer_targets})
  list(REVERSE reversed)
  list(TRANSFORM reversed PREPEND -l)
  list(JOIN reversed " " pc_libraries)
  list(JOIN HDF5_C_LIBRARIES " " pc_hdf5)
  list(JOIN sundials_libraries " " pc_sundials)
  string(APPEND pc_libraries " ${pc_hdf5} ${pc_sundials} -lyaml-cpp -lurdfdom_model -lconsole_bridge -ltinyxml -lfmt -ldl")
  if(LIMBER_WITH_NLOPT)
    string(APPEND pc_libraries " -lnlopt")
  endif()
  if(LIMBER_WITH_IPOPT)
    string(APPEND pc_libraries " -lipopt")
  endif()
  if(LIMBER_WITH_CERES)
    string(APPEND pc_libraries " -lceres -lglog")
  endif()
  if(LIMBER_WITH_FE)
    string(APPEND pc_libraries " -lcholmod")
  endif()
endif()
list(TRANSFORM LIMBER_LAYOUT PREPEND -D OUTPUT_VARIABLE pc_layout)
list(JOIN pc_layout " " pc_layout)
# By where the file itself lies: `cmake --install --prefix` may put all of it anywhere.
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/limber.pc.in ${PROJECT_BINARY_DIR}/limber.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/limber.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
