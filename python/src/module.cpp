// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.hpp"
#include "limber/version.hpp"

PYBIND11_MODULE(_limber, module) {
  using namespace limber::python;
  module.doc() = "Robot arms whose links bend: the compiled part of the package limber.";
  module.attr("__version__") = LIMBER_VERSION;
  bind_errors(module);
  bind_model(module);
  bind_algorithms(module);
  bind_kinematics(module);
  bind_evaluation(module);
  bind_analysis(module);
  bind_linear(module);
  bind_symbolic(module);
  bind_simulation(module);
  bind_results(module);
  bind_outline(module);
}
