# SPDX-License-Identifier: BSD-3-Clause
# Kernels: sources that are compiled once for each scalar and, where speed matters, once for each level of processors
# (include/limber/core/processor_level.hpp).
#
# What is compiled for a higher level must never run on a lower one. But an object file also holds copies of inline functions of Eigen and
# of the standard library, and of all copies in a program the linker keeps any one. So the objects of a level are joined into one (ld -r),
# in which every symbol but that of their table is made local (objcopy): nothing else can come to use them.

set(can_have_levels OFF)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND CMAKE_LINKER AND CMAKE_OBJCOPY)
  set(can_have_levels ON)
endif()
option(LIMBER_PROCESSOR_LEVELS "Compile kernels for x86-64-v3 and x86-64-v4 too, and choose at run time" ${can_have_levels})

# Not to be optimised across files: what is joined must be machine code.
set(limber_options_of_x86_64_v3 -march=x86-64-v3 -fno-lto)
set(limber_options_of_x86_64_v4 -march=x86-64-v4 -mprefer-vector-width=256 -fno-lto)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Its unique symbols cannot be made local; as ordinary weak ones they can.
  list(APPEND limber_options_of_x86_64_v3 -fno-gnu-unique)
  list(APPEND limber_options_of_x86_64_v4 -fno-gnu-unique)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
  # g++ 12 moves structs by 64 bytes where the processor can. A load that spans two stores of 32 bytes must wait until both have left the
  # store buffer: with such moves (and with vectors of that width) forward dynamics takes half as long again.
  list(APPEND limber_options_of_x86_64_v4 -mmove-max=256 -mstore-max=256)
endif()

set(limber_options_of_whole_registers_x86_64_v4 -mprefer-vector-width=512)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
  list(APPEND limber_options_of_whole_registers_x86_64_v4 -mmove-max=512 -mstore-max=512)
endif()

# limber_add_kernels(<layer> SCALAR <name> [TYPE <type>] [HEADER <header>] SOURCES <file>... [FROM <layer>] [OPTIONS <option>...]
#                    [TABLE <name> [LEVELS <level>...] [WITHOUT_PLAIN] [WHOLE_REGISTERS]])
# Adds sources of src/<layer>/kernels/ (or of the lower layer FROM), compiled with LIMBER_SCALAR and OPTIONS, to a layer. With TABLE they are compiled
# for every level (plain and those named in LEVELS), and LIMBER_TABLE is <name>_<level>. WITHOUT_PLAIN: for those in LEVELS only. WHOLE_REGISTERS: with all 64 bytes of v4's
# registers, for sources in which everything is as wide.
function(limber_add_kernels layer)
  cmake_parse_arguments(K "WITHOUT_PLAIN;WHOLE_REGISTERS" "SCALAR;TYPE;HEADER;FROM;TABLE" "SOURCES;OPTIONS;LEVELS" ${ARGN})
  if(NOT K_LEVELS)
    set(K_LEVELS x86_64_v3 x86_64_v4)
  endif()
  if(NOT K_FROM)
    set(K_FROM ${layer})
  endif()
  list(TRANSFORM K_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/src/${K_FROM}/kernels/)
  set(levels plain)
  if(K_WITHOUT_PLAIN)
    set(levels)
  endif()
  if(K_TABLE AND LIMBER_PROCESSOR_LEVELS)
    list(APPEND levels ${K_LEVELS})
  endif()
  foreach(level IN LISTS levels)
    set(target limber_${layer}_${K_SCALAR}_${level})
    if(K_TABLE)
      set(target ${target}_levels)
    endif()
    add_library(${target} OBJECT ${K_SOURCES})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
    target_compile_definitions(${target} PRIVATE LIMBER_SCALAR=${K_TYPE} LIMBER_SCALAR_HEADER=<${K_HEADER}>)
    if(K_TABLE AND LIMBER_PROCESSOR_LEVELS AND level STREQUAL "plain") # for processors of before 2013
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
    endif()
    target_compile_options(${target} PRIVATE ${K_OPTIONS} ${limber_options_of_${level}})
    if(K_WHOLE_REGISTERS)
      target_compile_options(${target} PRIVATE ${limber_options_of_whole_registers_${level}})
    endif()
    if(K_TYPE STREQUAL "double") # what sanitizers find with other scalars, they find with this one
      target_compile_options(${target} PRIVATE ${LIMBER_LAYER_OPTIONS})
    endif()
    target_include_directories(${target} PRIVATE $<TARGET_PROPERTY:limber_${layer},INCLUDE_DIRECTORIES>)
    target_link_libraries(${target} PRIVATE $<TARGET_PROPERTY:limber_${layer},LINK_LIBRARIES>)
    if(K_TABLE)
      target_compile_definitions(${target} PRIVATE LIMBER_TABLE=${K_TABLE}_${level})
    endif()
    if(level STREQUAL "plain")
      target_sources(limber_${layer} PRIVATE $<TARGET_OBJECTS:${target}>)
      continue()
    endif()
    set(joined ${CMAKE_CURRENT_BINARY_DIR}/${K_TABLE}_${level}.o)
    add_custom_command(
      OUTPUT ${joined}
      COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${joined} $<TARGET_OBJECTS:${target}>
      COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=${K_TABLE}_${level} ${joined}
      DEPENDS ${target} $<TARGET_OBJECTS:${target}>
      COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties(${joined} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(limber_${layer} PRIVATE ${joined})
  endforeach()
endfunction()
