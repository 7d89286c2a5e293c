# `cmake --install` and find_package(limber): static layers, one umbrella target limber::limber, the program.
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY LIMBER_LAYERS)
add_library(limber INTERFACE)
add_library(limber::limber ALIAS limber)
list(TRANSFORM layers PREPEND limber_ OUTPUT_VARIABLE layer_targets)
foreach(layer IN LISTS layers)
  target_link_libraries(limber INTERFACE limber::${layer})
endforeach()

install(TARGETS limber ${layer_targets} EXPORT limber-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS limber_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DATADIR}/limber)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
install(EXPORT limber-targets NAMESPACE limber:: DESTINATION ${config_dir})
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/limber-config.cmake.in ${PROJECT_BINARY_DIR}/limber-config.cmake
  INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/limber-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/limber-config.cmake ${PROJECT_BINARY_DIR}/limber-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindSundialsSolvers.cmake
        DESTINATION ${config_dir})
