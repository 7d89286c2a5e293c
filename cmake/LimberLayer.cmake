# SPDX-License-Identifier: BSD-3-Clause
# Layers: one static library each, and the compiler itself enforces that data flows one way.
#
# Every layer gets an include root of its own inside the build tree that holds nothing but this layer's
# headers (build/.../layers/<layer>/limber/<layer> -> include/limber/<layer>). A layer sees the roots of the
# layers it names in DEPENDS, and of theirs; including a header of a higher layer is "no such file".
# Installed, all headers stand in one include folder.

# limber_add_layer(<name> SOURCES <cpp>... [DEPENDS <layer>...] [PUBLIC_LIBRARIES <target>...]
#                  [PRIVATE_LIBRARIES <target>...] [OPTIMIZE <level>])
# PRIVATE_LIBRARIES are those whose headers stay inside one source file. OPTIMIZE: of release builds, where what takes time is the compilation.
function(limber_add_layer name)
  cmake_parse_arguments(LAYER "" "OPTIMIZE" "SOURCES;DEPENDS;PUBLIC_LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  set(root ${PROJECT_BINARY_DIR}/layers/${name})
  file(MAKE_DIRECTORY ${root}/limber)
  if(EXISTS ${PROJECT_SOURCE_DIR}/include/limber/${name}) # some have nothing public
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/limber/${name} ${root}/limber/${name} SYMBOLIC)
  endif()

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
  limber_set_options(limber_${name} "${LAYER_OPTIMIZE}")
  if(LIMBER_PRECOMPILE AND LAYER_DEPENDS)
    if(name STREQUAL "math")
      target_precompile_headers(limber_math PRIVATE ${limber_precompiled_headers})
    elseif("${LAYER_OPTIMIZE}" STREQUAL "")
      target_precompile_headers(limber_${name} REUSE_FROM limber_math)
    else()
      limber_add_headers("${LAYER_OPTIMIZE}")
      target_precompile_headers(limber_${name} REUSE_FROM limber_headers_O${LAYER_OPTIMIZE})
    endif()
  endif()
  set_property(GLOBAL APPEND PROPERTY LIMBER_LAYERS ${name})
endfunction()

# How a target of the library is compiled.
function(limber_set_options target optimize)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # Programs that link with it need C++17 only.
  target_compile_features(${target} PRIVATE cxx_std_20 INTERFACE cxx_std_17)
  # What runs often is in kernels; elsewhere -O3 takes a fifth longer to compile than -O2, and gains nothing.
  if(optimize STREQUAL "")
    set(optimize 2)
  endif()
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O${optimize}>)
  target_compile_options(${target} PRIVATE ${LIMBER_LAYER_OPTIONS})
endfunction()

# Eigen is read once, by all layers that are optimised alike: those that say nothing of it share what math has read, the others limber_headers_O<level>.
set(limber_precompiled_headers <Eigen/Core> <Eigen/Geometry> <algorithm> <functional> <memory> <optional> <string> <vector>)
function(limber_add_headers optimize)
  set(target limber_headers_O${optimize})
  if(TARGET ${target})
    return()
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp CONTENT "")
  add_library(${target} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  target_link_libraries(${target} PRIVATE limber::math limber_warnings)
  limber_set_options(${target} ${optimize})
  target_precompile_headers(${target} PRIVATE ${limber_precompiled_headers})
endfunction()

# limber_compile_together(<layer> <file>...)
# Sources of a layer that read the same headers, as one compilation: small files take a third of the time. What stands in their anonymous namespaces must
# not clash; a new source is compiled by itself unless it is named. (clang-tidy wants all of them one by one.)
function(limber_compile_together layer first)
  if(CMAKE_CXX_CLANG_TIDY)
    return()
  endif()
  set_target_properties(limber_${layer} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_filename_component(group ${first} NAME_WE)
  set(sources ${first} ${ARGN})
  list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/src/${layer}/)
  set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${group})
endfunction()
