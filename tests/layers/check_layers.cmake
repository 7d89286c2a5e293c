# SPDX-License-Identifier: BSD-3-Clause
# The compiler must refuse an include of a higher layer, and accept one of a lower layer.
#   cmake -DCXX= -DLAYERS_DIR= -DEIGEN= -P check_layers.cmake
function(compiles source layers result)
  set(flags -std=c++20 -fsyntax-only -x c++ -isystem ${EIGEN})
  foreach(layer IN LISTS layers)
    list(APPEND flags -I${LAYERS_DIR}/${layer})
  endforeach()
  file(WRITE ${LAYERS_DIR}/include_test.cpp "${source}\n")
  execute_process(COMMAND ${CXX} ${flags} ${LAYERS_DIR}/include_test.cpp RESULT_VARIABLE code
                  OUTPUT_QUIET ERROR_VARIABLE errors)
  set(${result} ${code} PARENT_SCOPE)
  set(errors "${errors}" PARENT_SCOPE)
endfunction()

compiles("#include \"limber/math/quadrature.hpp\"" "core;math;beam" accepted)
if(NOT accepted EQUAL 0)
  message(FATAL_ERROR "the beam layer cannot include the math layer: ${errors}")
endif()
compiles("#include \"limber/model/model.hpp\"" "core;math;beam" refused)
if(refused EQUAL 0 OR NOT errors MATCHES "limber/model/model.hpp: No such file")
  message(FATAL_ERROR "the beam layer could include the model layer")
endif()
