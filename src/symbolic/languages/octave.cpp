// SPDX-License-Identifier: BSD-3-Clause
// Equations as one file of MATLAB and Octave, and the script that tests it. A file has one function that others can call: it takes the name of the one
// that is meant.

#include <fmt/format.h>

#include "languages.hpp"

namespace limber {
namespace {

std::string small_angles() {
  const auto series = [](const char* name, int n, int terms) {
    return fmt::format("    {} = {};\n", name, small_angle_series(n, terms));
  };
  return "% Functions of a squared angle s = x^2: c1 = sin(x)/x, c2 = (1 - cos x)/x^2, c3 = (x - sin x)/x^3, "
         "and "
         "derivatives by s.\n"
         "function r = small_angle(s)\n  if s < 0.25\n" +
         series("c4", 4, 7) + series("c5", 5, 7) + "  elseif s < 4.0\n" + series("c4", 4, 14) +
         series("c5", 5, 14) +
         "  else\n    x = sqrt(s);\n    half_sine = sin(0.5 * x);\n"
         "    c4 = (0.5 - 2.0 * half_sine * half_sine / s) / s;\n"
         "    c5 = (1.0 / 6.0 - (1.0 - sin(x) / x) / s) / s;\n  end\n"
         "  r.c3 = 1.0 / 6.0 - s * c5;\n  r.c2 = 0.5 - s * c4;\n  r.c1 = 1.0 - s * r.c3;\n"
         "  r.dc2 = c4 - 0.5 * r.c3;\n  r.dc3 = 0.5 * (3.0 * c5 - c4);\nend\n\n";
}

// Functions do not see variables of the file: sizes are numbers.
std::string zeros_of(char quantity, const MatrixX<Expression>& values) {
  return fmt::format("zeros({}, {})", values.rows(), is_vector_quantity(quantity) ? 1 : values.cols());
}

std::string rows_of(const Eigen::MatrixXd& values) {
  std::string text;
  for (Eigen::Index i = 0; i < values.rows(); ++i) text += (i == 0 ? "" : "; ") + number_list(values.row(i));
  return "[" + text + "]";
}

std::string test(Equations& equations) {
  const std::string name = equations.identifier();
  std::string cases, checks;
  const std::vector<NumericCase> all = equations.numeric_cases();
  for (const NumericCase& c : all) {
    std::string closing;
    for (const auto& [function, values] : c.closing)
      closing += fmt::format(", ...\n  '{}', {}", function.name, rows_of(values));
    cases += fmt::format(
        "cases{{end + 1}} = struct('q', {}, 'v', {}, 'u', {}, ...\n  'M', {}, ...\n  'h', {}, ...\n  'J', "
        "{}, "
        "...\n  'a', {}{});\n",
        rows_of(c.q), rows_of(c.v), rows_of(c.u), rows_of(c.M), rows_of(c.h), rows_of(c.J), rows_of(c.a),
        closing);
  }
  for (const auto& [function, values] : all.front().closing)
    checks += fmt::format(
        "  x = {0}('{1}', c.q{2});\n  worst(5) = max(worst(5), norm(x(:) - c.{1}(:), Inf) / "
        "max(norm(c.{1}(:), "
        "Inf), 1e-300));\n",
        name, function.name, function.inputs == "qv" ? ", c.v" : "");
  return fmt::format(
      R"code(% Compares {0}.m with numbers that Limber computed. Prints the largest differences; an error if one is too large.

cases = {{}};
{1}
worst = zeros(1, 5);
for i = 1:numel(cases)
  c = cases{{i}};
  [M, h, J] = {0}('equations', c.q, c.v);
  a = {0}('accelerations', c.q, c.v, c.u);
  M2 = {0}('mass_matrix', c.q);
  h2 = {0}('bias', c.q, c.v);
  sizes = [norm(c.M(:), Inf), norm(c.h, Inf), norm(c.J(:), Inf), norm(abs(c.M) * abs(c.a), Inf)];
  found = [max(norm(M(:) - c.M(:), Inf), norm(M2(:) - c.M(:), Inf)), max(norm(h - c.h, Inf), norm(h2 - c.h, Inf)), ...
           norm(J(:) - c.J(:), Inf), norm(c.M * (a - c.a), Inf)];
  worst(1:4) = max(worst(1:4), found ./ max(sizes, 1e-300));
{2}end
fprintf('largest relative differences: M %.1e, h %.1e, J %.1e, accelerations %.1e, loops and cylinders %.1e\n', worst);
assert(all(worst < 1e-12), '{0}.m differs');
)code",
      name, cases, checks);
}

}  // namespace

std::vector<Document> write_octave(Equations& equations) {
  const std::string arm = equations.identifier();
  const std::vector<CodeFunction> functions = equations.code_functions();
  const std::vector<Parameter> parameters = equations.used_parameters();
  std::string text = fmt::format("function varargout = {}(name, varargin)\n", arm);
  std::vector<std::string> lines = opening_comment(equations, "nothing", "");
  lines.emplace_back("");
  for (const CodeFunction& function : functions) {
    std::string arguments;
    for (const char input : function.inputs) arguments += fmt::format(", {}", input);
    lines.push_back(fmt::format("  [{}] = {}('{}'{}{})", fmt::join(result_names(function), ", "), arm,
                                function.name, arguments, parameters.empty() ? "" : ", p"));
    lines.push_back("      " + function.comment);
  }
  if (!parameters.empty())
    lines.push_back(fmt::format(
        "  p = {}('parameters'): a struct with the model's own, which hold where p is left out", arm));
  text += commented(lines, "% ") + "  switch name\n";
  for (const CodeFunction& function : functions)
    text += fmt::format("    case '{0}'\n      [varargout{{1:max(1, nargout)}}] = {0}(varargin{{:}});\n",
                        function.name);
  if (!parameters.empty()) text += "    case 'parameters'\n      varargout{1} = parameters();\n";
  text += fmt::format(
      "    otherwise\n      error('{0}: expected a name that `help {0}` lists, found %s', name);\n  "
      "end\nend\n\n",
      arm);
  if (!parameters.empty()) {
    text += "function p = parameters()\n";
    for (const Parameter& p : parameters)
      text += fmt::format("  p.{} = {};  % {}\n", p.name, code_number(p.value), parameter_comment(p));
    text += "end\n\n";
  }
  if (needs_small_angles(*equations.arm().graph, equations.everything_derived())) text += small_angles();
  FunctionBodies body(equations,
                      {{"  {} = {};\n", "  {} = {};\n", "  {} = small_angle({});\n", "{}", ""},
                       [](const std::string& array, int i) { return fmt::format("{}({})", array, i + 1); },
                       [](const std::string& array, int i, int j, const MatrixX<Expression>&) {
                         return fmt::format("{}({}, {})", array, i + 1, j + 1);
                       },
                       "p."});
  for (const CodeFunction& function : functions) {
    std::vector<std::string> arguments;
    for (const char input : function.inputs) arguments.emplace_back(1, input);
    std::string missing;
    if (!parameters.empty()) {
      arguments.emplace_back("p");
      missing = fmt::format("  if nargin < {}\n    p = parameters();\n  end\n", arguments.size());
    }
    const std::vector<std::string> names = result_names(function);
    text += fmt::format("% {} {}\nfunction [{}] = {}({})\n{}", function.comment, body.count(function),
                        fmt::join(names, ", "), function.name, fmt::join(arguments, ", "), missing);
    for (std::size_t i = 0; i < names.size(); ++i)
      text += fmt::format("  {} = {};\n", names[i],
                          zeros_of(function.results[i], equations.quantity(function.results[i])));
    text += body(function) + "end\n\n";
  }
  text.pop_back();
  return {{arm + ".m", text}, {arm + "_test.m", test(equations)}};
}

}  // namespace limber
