// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.hpp"
#include "limber/version.hpp"

namespace limber::python {
namespace {

// Where __init__ was never called, as in Model.__new__(Model), there is nothing behind an object, and pybind11 would hand out memory that nobody has
// written to. It asks the class for that memory: it gets an error instead. (Objects that are made take another way.)
void* refuse_half_made(std::size_t) {
  throw py::type_error(
      "this object was never made: expected one that limber's functions or its class give, found one of "
      "__new__ alone");
}

void refuse_half_made(const py::module_& module) {
  for (const auto& [name, value] : module.attr("__dict__").cast<py::dict>()) {
    if (!PyType_Check(value.ptr())) continue;
    auto* info =
        py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(value.ptr()));  // NOLINT: Python's own way
    if (info != nullptr) info->operator_new = refuse_half_made;
  }
}

}  // namespace
}  // namespace limber::python

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
  bind_endpoint(module);
  bind_linear(module);
  bind_literature(module);
  bind_symbolic(module);
  bind_sensors(module);
  bind_scenario(module);
  bind_simulation(module);
  bind_simulator(module);
  bind_results(module);
  bind_study(module);
  bind_plan(module);
  bind_reduction(module);
  bind_identification(module);
  bind_estimation(module);
  bind_outline(module);
  refuse_half_made(module);
}
