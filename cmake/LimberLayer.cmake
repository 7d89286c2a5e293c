# Layers: one static library each, and the compiler itself enforces that data flows one way.
#
# Every layer gets an include root of its own inside the build tree that holds nothing but this layer's
# headers (build/.../layers/<layer>/limber/<layer> -> include/limber/<layer>). A layer sees the roots of the
# layers it names in DEPENDS, and of theirs; including a header of a higher layer is "no such file".
# Installed, all headers stand in one include folder.

# limber_add_layer(<name> SOURCES <cpp>... [DEPENDS <layer>...] [PUBLIC_LIBRARIES <target>...]
#                  [PRIVATE_LIBRARIES <target>...] [OPTIONS <compile option>...])
# PRIVATE_LIBRARIES are those whose headers stay inside one source file.
function(limber_add_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;DEPENDS;PUBLIC_LIBRARIES;PRIVATE_LIBRARIES;OPTIONS" ${ARGN})
  set(root ${PROJECT_BINARY_DIR}/layers/${name})
  file(MAKE_DIRECTORY ${root}/limber)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/limber/${name} ${root}/limber/${name} SYMBOLIC)

  list(TRANSFORM LAYER_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/src/${name}/)
  add_library(limber_${name} STATIC ${LAYER_SOURCES})
  add_library(limber::${name} ALIAS limber_${name})
  set_target_properties(limber_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(
    limber_${name} PUBLIC $<BUILD_INTERFACE:${root}> $<INSTALL_INTERFACE:include>)
  list(TRANSFORM LAYER_DEPENDS PREPEND limber::)
  target_link_libraries(
    limber_${name}
    PUBLIC ${LAYER_DEPENDS} ${LAYER_PUBLIC_LIBRARIES}
    PRIVATE ${LAYER_PRIVATE_LIBRARIES} $<BUILD_INTERFACE:limber_warnings>)
  target_compile_features(limber_${name} PUBLIC cxx_std_20)
  target_compile_options(limber_${name} PRIVATE ${LAYER_OPTIONS} ${LIMBER_LAYER_OPTIONS})
  # Eigen is read once, by all that are compiled with the same options.
  if(LIMBER_PRECOMPILE AND name STREQUAL "math")
    target_precompile_headers(limber_math PRIVATE <Eigen/Core> <Eigen/Geometry> <algorithm> <functional> <memory>
                              <optional> <string> <vector>)
  elseif(LIMBER_PRECOMPILE AND LAYER_DEPENDS AND NOT LAYER_OPTIONS)
    target_precompile_headers(limber_${name} REUSE_FROM limber_math)
  endif()
  set_property(GLOBAL APPEND PROPERTY LIMBER_LAYERS ${name})
endfunction()

# limber_add_scalar(<layer> SCALAR <type> HEADER <header> LAYER <lower> SOURCES <cpp>...): sources of a lower layer once more,
# for a scalar of this one.
function(limber_add_scalar name)
  cmake_parse_arguments(ADDED "" "SCALAR;HEADER;LAYER" "SOURCES" ${ARGN})
  list(TRANSFORM ADDED_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/src/${ADDED_LAYER}/)
  set(target limber_${name}_scalar)
  add_library(${target} OBJECT ${ADDED_SOURCES})
  target_compile_definitions(${target} PRIVATE LIMBER_OTHER_SCALARS LIMBER_SCALAR=${ADDED_SCALAR}
                                               LIMBER_SCALAR_HEADER=\"${ADDED_HEADER}\")
  # They run once for an arm. Sanitizers see the same sources with double.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release,Sanitize>:-O0> $<$<CONFIG:Sanitize>:-fno-sanitize=all>)
  target_include_directories(${target} PRIVATE $<TARGET_PROPERTY:limber_${name},INCLUDE_DIRECTORIES>)
  target_link_libraries(${target} PRIVATE $<TARGET_PROPERTY:limber_${name},LINK_LIBRARIES>)
  target_sources(limber_${name} PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

# limber_add_other_scalars(<layer> SOURCES <cpp>...): the same sources once more, for the scalars that are not double.
# Optimised for size: -O3 on number types of our own triples the time to compile and gains little.
function(limber_add_other_scalars name)
  cmake_parse_arguments(LAYER "" "" "SOURCES" ${ARGN})
  list(TRANSFORM LAYER_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/src/${name}/)
  add_library(limber_${name}_other_scalars OBJECT ${LAYER_SOURCES})
  target_compile_definitions(limber_${name}_other_scalars PRIVATE LIMBER_OTHER_SCALARS)
  target_compile_options(limber_${name}_other_scalars PRIVATE $<$<CONFIG:Release>:-O1>)
  target_include_directories(
    limber_${name}_other_scalars PRIVATE $<TARGET_PROPERTY:limber_${name},INCLUDE_DIRECTORIES>)
  target_link_libraries(limber_${name}_other_scalars
                        PRIVATE $<TARGET_PROPERTY:limber_${name},LINK_LIBRARIES>)
  target_sources(limber_${name} PRIVATE $<TARGET_OBJECTS:limber_${name}_other_scalars>)
endfunction()
