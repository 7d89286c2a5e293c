// SPDX-License-Identifier: BSD-3-Clause
// The equations of motion as formulas and as code.

#include <pybind11/stl.h>

#include <chrono>

#include "arm.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/symbolic/equations.hpp"
#include "signals.hpp"

namespace limber::python {
namespace {

using Files = std::map<std::string, std::string>;

ParameterStyle style_named(const std::string& parameters, const std::string& format) {
  if (parameters.empty()) return format == "cpp" ? ParameterStyle::numbers : ParameterStyle::symbols;
  if (parameters == "symbols") return ParameterStyle::symbols;
  if (parameters == "constants") return ParameterStyle::constants;
  if (parameters == "numbers") return ParameterStyle::numbers;
  throw InputError(Problem{"parameters", "symbols, constants or numbers", show_text(parameters), ""});
}

Files derived(const ArmPointer& arm, const std::string& format, const std::string& only,
              const std::string& parameters, int digits) {
  const Model& model = arm->model();
  if (format != "text" && format != "latex" && format != "cpp")
    throw InputError(Problem{"format", "text, latex or cpp", show_text(format), ""});
  if (digits < 3 || digits > 17)
    throw InputError(Problem{"digits", "an integer from 3 to 17", std::to_string(digits), ""});
  EquationsOptions options;
  options.parameters = style_named(parameters, format);
  if (!only.empty()) options.only = parse_selection(only, model);
  options.digits = digits;
  SignalWatch signals;
  options.progress = [&](const std::string&, double) { signals.look(); };
  const py::gil_scoped_release unlocked;
  Equations equations(model, options);
  const std::string name = equations.identifier();
  if (format == "latex") return {{name + ".tex", equations.latex()}};
  if (format == "cpp")
    return {{name + ".hpp", equations.code()}, {name + "_test.cpp", equations.code_test()}};
  return {{name + ".txt", equations.text()}};
}

}  // namespace

void bind_symbolic(py::module_& module) {
  using py::arg;
  module.def("equations", &derived, arg("arm").none(false), arg("format") = "text", arg("only") = "",
             arg("parameters") = "", arg("digits") = 10, doc::Equations);
}

}  // namespace limber::python
