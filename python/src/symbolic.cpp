// SPDX-License-Identifier: BSD-3-Clause
// The equations of motion as formulas and as code.

#include <pybind11/stl.h>

#include <chrono>
#include <optional>

#include "arm.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/lookup.hpp"
#include "limber/symbolic/documents.hpp"
#include "signals.hpp"

namespace limber::python {
namespace {

using Files = std::map<std::string, std::string>;

ParameterStyle style_named(const std::string& parameters, const std::string& format) {
  if (parameters.empty()) return default_style(format);
  if (parameters == "symbols") return ParameterStyle::symbols;
  if (parameters == "constants") return ParameterStyle::constants;
  if (parameters == "numbers") return ParameterStyle::numbers;
  throw InputError(Problem{"parameters", "symbols, constants or numbers", show_text(parameters), ""});
}

CodeReal real_named(const std::string& real) {
  if (real == "double") return CodeReal::double_precision;
  if (real == "float") return CodeReal::single_precision;
  throw InputError(Problem{"real", "double or float", show_text(real), ""});
}

// Of first order in elastic states, where that was asked for.
std::optional<LinearEquations> linear_of(const Model& model, const std::string& formulation, bool consistent,
                                         const std::vector<std::string>& nonlinear) {
  if (formulation != "recursive" && formulation != "dual-screw")
    throw InputError(Problem{"formulation", "recursive or dual-screw", show_text(formulation), ""});
  if (formulation == "recursive" && (consistent || !nonlinear.empty()))
    throw InputError(Problem{consistent ? "consistent" : "nonlinear", "formulation dual-screw", "recursive",
                             "it is an option of that formulation"});
  if (formulation == "recursive") return {};
  LinearEquations linear{consistent, {}, {}};
  for (const std::string& word : nonlinear) {
    const std::vector<int> named = elastic_coordinates_named(model, word);
    if (named.empty())
      throw InputError(Problem{"nonlinear", "a link that bends, or one of its states", show_text(word), ""});
    linear.nonlinear_coordinates.insert(linear.nonlinear_coordinates.end(), named.begin(), named.end());
  }
  return linear;
}

Files derived(const ArmPointer& arm, const std::string& format, const std::string& only,
              const std::string& parameters, int digits, const std::optional<std::string>& link, double at,
              const std::string& formulation, bool consistent, const std::vector<std::string>& nonlinear,
              bool expand, const std::string& real) {
  const PlacedFrame point = place_frame(arm, link, at);
  const Model model = link ? with_end_effector(point.arm->model(), point.frame) : point.arm->model();
  const CodeReal numbers = real_named(real);
  if (digits < 3 || digits > 17)
    throw InputError(Problem{"digits", "an integer from 3 to 17", std::to_string(digits), ""});
  EquationsOptions options;
  options.parameters = style_named(parameters, format);
  if (!only.empty()) options.only = parse_selection(only, model);
  options.digits = digits;
  options.form = expand ? FormulaForm::expanded : FormulaForm::shorter;
  options.linear = linear_of(model, formulation, consistent, nonlinear);
  SignalWatch signals;
  options.progress = [&](const std::string&, double) { signals.look(); };
  const py::gil_scoped_release unlocked;
  Equations equations(model, options);
  Files files;
  for (const Document& document : write_documents(equations, format, numbers))
    files[document.name] = document.text;
  return files;
}

}  // namespace

void bind_symbolic(py::module_& module) {
  using py::arg;
  module.def("equations", &derived, arg("arm").none(false), arg("format") = "text", arg("only") = "",
             arg("parameters") = "", arg("digits") = 10, arg("link") = py::none(), arg("at") = 1.0,
             arg("formulation") = "recursive", arg("consistent") = false,
             arg("nonlinear") = std::vector<std::string>{}, arg("expand") = false, arg("real") = "double",
             doc::Equations);
}

}  // namespace limber::python
