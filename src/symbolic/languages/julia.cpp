// SPDX-License-Identifier: BSD-3-Clause
// Equations as a module of Julia. Numbers may be of any type: those of automatic differentiation, too.

#include <fmt/format.h>

#include "languages.hpp"

namespace limber {
namespace {

std::string small_angles() {
  const auto series = [](const char* name, int n, int terms) {
    return fmt::format("        {} = {}\n", name, small_angle_series(n, terms));
  };
  return "# Functions of a squared angle s = x^2: c1 = sin(x)/x, c2 = (1 - cos x)/x^2, c3 = (x - sin x)/x^3, "
         "and "
         "derivatives by s.\n"
         "function small_angle(s)\n    if s < 0.25\n" +
         series("c4", 4, 7) + series("c5", 5, 7) + "    elseif s < 4.0\n" + series("c4", 4, 14) +
         series("c5", 5, 14) +
         "    else\n        x = sqrt(s)\n        half_sine = sin(0.5 * x)\n"
         "        c4 = (0.5 - 2.0 * half_sine * half_sine / s) / s\n"
         "        c5 = (1.0 / 6.0 - (1.0 - sin(x) / x) / s) / s\n    end\n"
         "    c3 = 1.0 / 6.0 - s * c5\n    c2 = 0.5 - s * c4\n    c1 = 1.0 - s * c3\n"
         "    dc2 = c4 - 0.5 * c3\n    dc3 = 0.5 * (3.0 * c5 - c4)\n"
         "    return (c1 = c1, c2 = c2, c3 = c3, dc2 = dc2, dc3 = dc3)\nend\n\n";
}

}  // namespace

std::vector<Document> write_julia(Equations& equations) {
  const std::string arm = equations.identifier();
  const std::vector<CodeFunction> functions = equations.code_functions();
  const std::vector<Parameter> parameters = equations.used_parameters();
  const Model& model = equations.arm().model;
  std::string text =
      commented(opening_comment(equations, "nothing", "Any type of numbers will do, ForwardDiff's too. "),
                "# ") +
      fmt::format("\nmodule {}\n\nconst nq = {}\nconst nv = {}\nconst inputs = {}\n\n", arm, model.nq(),
                  model.nv(), equations.quantity('B').cols());
  if (!parameters.empty()) {
    text += "# The model's own values stand as defaults.\nBase.@kwdef struct Parameters\n";
    for (const Parameter& p : parameters)
      text += fmt::format("    {}::Float64 = {}  # {}\n", p.name, code_number(p.value), parameter_comment(p));
    text += "end\n\n";
  }
  if (needs_small_angles(*equations.arm().graph, equations.everything_derived())) text += small_angles();
  FunctionBodies body(equations,
                      {{"    {} = {}\n", "    {} = {}\n", "    {} = small_angle({})\n", "{}", ""},
                       [](const std::string& array, int i) { return fmt::format("{}[{}]", array, i + 1); },
                       [](const std::string& array, int i, int j, const MatrixX<Expression>&) {
                         const bool is_vector = array == "rest" || is_vector_quantity(array.front());
                         return is_vector ? fmt::format("{}[{}]", array, i + 1)
                                          : fmt::format("{}[{}, {}]", array, i + 1, j + 1);
                       },
                       "p."});
  for (const CodeFunction& function : functions) {
    std::vector<std::string> arguments, types{"Float64"};
    for (const char input : function.inputs) {
      arguments.emplace_back(1, input);
      types.push_back(fmt::format("eltype({})", input));
    }
    if (!parameters.empty()) arguments.emplace_back("p = Parameters()");
    text +=
        fmt::format("\"{} {}\"\nfunction {}({})\n    T = promote_type({})\n", function.comment,
                    body.count(function), function.name, fmt::join(arguments, ", "), fmt::join(types, ", "));
    const std::vector<std::string> names = result_names(function);
    for (std::size_t i = 0; i < names.size(); ++i)
      text += fmt::format("    {} = zeros(T, {})\n", names[i],
                          size_text(function.results[i], equations.quantity(function.results[i])));
    text += body(function) + fmt::format("    return {}\nend\n\n", fmt::join(names, ", "));
  }
  return {{arm + ".jl", text + "end\n"}};
}

}  // namespace limber
