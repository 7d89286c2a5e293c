// SPDX-License-Identifier: BSD-3-Clause
// Equations as Python: with NumPy for numbers, one state or many at a time, with SymPy for expressions.

#include <fmt/format.h>

#include "../model_names.hpp"
#include "languages.hpp"

namespace limber {
namespace {

// Inside a text of three quotation marks.
std::string quoted(std::string line) {
  std::string text;
  for (const char c : line) {
    if (c == '\\' || c == '"') text += '\\';
    text += c;
  }
  return text;
}

std::string opening(Equations& equations, const std::string& needs, const std::string& matrices) {
  std::string text;
  for (const std::string& line : opening_comment(equations, needs, matrices)) text += quoted(line) + '\n';
  return "\"\"\"" + text + "\"\"\"\n\n";
}

std::string sizes(Equations& equations) {
  const Model& model = equations.arm().model;
  return fmt::format("nq, nv, inputs = {}, {}, {}\n", model.nq(), model.nv(), equations.quantity('B').cols());
}

std::string numpy_small_angles() {
  return fmt::format(
      R"code(class _SmallAngle:
    """Functions of a squared angle s = x^2: c1 = sin(x)/x, c2 = (1 - cos x)/x^2, c3 = (x - sin x)/x^3, derivatives by s."""

    def __init__(self, s):
        s = np.asarray(s)
        far = np.where(s < 4.0, 4.0, s)
        x = np.sqrt(far)
        half_sine = np.sin(0.5 * x)
        c4 = np.where(s < 0.25, {0},
                      np.where(s < 4.0, {1},
                               (0.5 - 2.0 * half_sine * half_sine / far) / far))
        c5 = np.where(s < 0.25, {2},
                      np.where(s < 4.0, {3},
                               (1.0 / 6.0 - (1.0 - np.sin(x) / x) / far) / far))
        self.c3 = 1.0 / 6.0 - s * c5
        self.c2 = 0.5 - s * c4
        self.c1 = 1.0 - s * self.c3
        self.dc2 = c4 - 0.5 * self.c3
        self.dc3 = 0.5 * (3.0 * c5 - c4)


)code",
      small_angle_series(4, 7), small_angle_series(4, 14), small_angle_series(5, 7),
      small_angle_series(5, 14));
}

// Of SymPy they know their derivatives, their values at zero, and how lambdify computes them.
std::string sympy_small_angles() {
  std::string text;
  const auto add = [&](const char* name, const char* at_zero, const char* near, const char* far,
                       const char* derivative) {
    text += fmt::format(
        R"code(class {0}(sp.Function):
    """{3}, x^2 the argument."""
    nargs = 1
    _imp_ = staticmethod(lambda s: {2} if abs(s) < 0.04 else (lambda x: {3})(abs(s) ** 0.5))

    @classmethod
    def eval(cls, s):
        if s == 0:
            return {1}
        return sp.Float(cls._imp_(float(s)), 17) if s.is_Float else None

    def fdiff(self, argindex=1):
        s, = self.args
        return {4}


)code",
        name, at_zero, near, far, derivative);
  };
  const std::string c1 = small_angle_series(1, 8), c2 = small_angle_series(2, 8),
                    c3 = small_angle_series(3, 8);
  add("c1", "sp.Integer(1)", c1.c_str(), "math.sin(x)/x", "(c3(s) - c2(s))/2");
  add("c2", "sp.Rational(1, 2)", c2.c_str(), "2*math.sin(x/2)**2/x**2", "dc2(s)");
  add("c3", "sp.Rational(1, 6)", c3.c_str(), "(x - math.sin(x))/x**3", "dc3(s)");
  const std::string dc2 = fmt::format("({}) - 0.5*({})", small_angle_series(4, 8), c3),
                    dc3 = fmt::format("1.5*({}) - 0.5*({})", small_angle_series(5, 8),
                                      small_angle_series(4, 8));
  add("dc2", "sp.Rational(-1, 24)", dc2.c_str(), "(x*math.sin(x) - 2*(1 - math.cos(x)))/(2*x**4)",
      "sp.diff((sp.sqrt(s)*sp.sin(sp.sqrt(s)) - 2*(1 - sp.cos(sp.sqrt(s))))/(2*s**2), s)");
  add("dc3", "sp.Rational(-1, 120)", dc3.c_str(), "(3*math.sin(x) - 2*x - x*math.cos(x))/(2*x**5)",
      "sp.diff((3*sp.sin(sp.sqrt(s)) - 2*sp.sqrt(s) - sp.sqrt(s)*sp.cos(sp.sqrt(s)))/(2*s**sp.Rational(5, "
      "2)), "
      "s)");
  return text +
         "class _SmallAngle:\n    def __init__(self, s):\n"
         "        self.c1, self.c2, self.c3, self.dc2, self.dc3 = c1(s), c2(s), c3(s), dc2(s), dc3(s)\n\n\n";
}

std::string results_line(const CodeFunction& function) {
  return fmt::format("    return {}\n\n\n", fmt::join(result_names(function), ", "));
}

// The cases and the comparison, for any module that has the functions: Limber's tests use it for other languages, too.
std::string test(Equations& equations) {
  const std::string name = equations.identifier();
  std::string cases;
  for (const NumericCase& c : equations.numeric_cases()) {
    std::string closing;
    for (const auto& [function, values] : c.closing)
      closing += fmt::format("\n                  {}=(\"{}\", {}),", function.name, function.inputs,
                             is_vector_quantity(function.results.front()) ? "[" + number_list(values) + "]"
                                                                          : nested_list(values));
    cases += fmt::format(
        "    dict(q=[{}],\n         v=[{}],\n         u=[{}],\n         M={},\n         h=[{}],\n         "
        "J={},\n         a=[{}],\n         closing=dict({})),\n",
        number_list(c.q), number_list(c.v), number_list(c.u), nested_list(c.M), number_list(c.h),
        nested_list(c.J), number_list(c.a), closing);
  }
  return fmt::format(
      R"code("""Compares {0} with numbers that Limber computed. Prints the largest differences; exits with 1 if one is too large."""

import sys

import numpy as np

cases = [
{1}]


def difference(found, expected):
    """Relative to the largest number."""
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    return np.abs(found - expected).max(initial=0.0) / np.abs(expected).max(initial=1e-300)


def force_difference(found, case):
    """Accelerations by the forces that they differ by, relative to the largest that M makes of them."""
    M, a = np.asarray(case["M"]), np.asarray(case["a"])
    if a.size == 0:
        return 0.0
    return np.abs(M @ (np.asarray(found, float) - a)).max() / (np.abs(M) @ np.abs(a)).max(initial=1e-300)


def differences(arm):
    """The largest in M, h, J, accelerations, and what there is of loops and cylinders, of a module that has the functions."""
    worst = np.zeros(5)
    for case in cases:
        q, v, u = case["q"], case["v"], case["u"]
        M, h, J = arm.equations(q, v)
        worst = np.maximum(worst, [max(difference(M, case["M"]), difference(arm.mass_matrix(q), case["M"])),
                                   max(difference(h, case["h"]), difference(arm.bias(q, v), case["h"])),
                                   max(difference(J, case["J"]), difference(arm.jacobian(q), case["J"])),
                                   force_difference(arm.accelerations(q, v, u), case),
                                   max((difference(getattr(arm, name)(*(case[x] for x in inputs)), expected)
                                        for name, (inputs, expected) in case["closing"].items()), default=0.0)])
    return worst


if __name__ == "__main__":
    import {0} as arm
    worst = differences(arm)
    # all states at once
    together = {{key: np.array([case[key] for case in cases]) for key in cases[0] if key != "closing"}}
    M, h, J = arm.equations(together["q"], together["v"])
    worst[:3] = np.maximum(worst[:3], [difference(M, together["M"]), difference(h, together["h"]), difference(J, together["J"])])
    for name, (inputs, _) in cases[0]["closing"].items():
        found = getattr(arm, name)(*(together[x] for x in inputs))
        worst[4] = max(worst[4], *(difference(x, case["closing"][name][1]) for x, case in zip(found, cases)))
    print("largest relative differences: M %.1e, h %.1e, J %.1e, accelerations %.1e, loops and cylinders %.1e" % tuple(worst))
    sys.exit(0 if (worst < 1e-12).all() else 1)
)code",
      name, cases);
}

// With numbers in the place of symbols; and M as an expression of which lambdify makes a function.
std::string sympy_test(Equations& equations) {
  const std::string name = equations.identifier();
  std::string text = test(equations);
  const std::string main = "if __name__ == \"__main__\":\n";
  text.erase(text.find(main));
  return text + fmt::format(R"code({1}    import sympy as sp

    import {0}_sympy as arm

    class Numbers:
        """The module's functions, with numbers."""

        def __getattr__(self, name):
            values = type("Values", (), {{symbol.name: value for symbol, value in arm.values.items()}})

            def call(*state):
                results = getattr(arm, name)(*[sp.Matrix(len(x), 1, x) for x in state], p=values)
                results = results if isinstance(results, tuple) else (results,)
                arrays = [np.array(x.tolist(), float).reshape(x.shape) for x in results]
                arrays = [x.ravel() if name in ("bias", "accelerations", "loop_gaps", "loop_bias", "cylinder_lengths") or (name == "equations" and i == 1) else x
                          for i, x in enumerate(arrays)]
                return arrays if len(arrays) > 1 else arrays[0]
            return call

    worst = differences(Numbers())
    M = sp.lambdify([list(arm.q), list(arm.values)], arm.mass_matrix(), cse=True)
    for case in cases:
        worst[0] = max(worst[0], difference(M(case["q"], list(arm.values.values())), case["M"]))
    print("largest relative differences: M %.1e, h %.1e, J %.1e, accelerations %.1e, loops and cylinders %.1e" % tuple(worst))
    sys.exit(0 if (worst < 1e-12).all() else 1)
)code",
                            name, main);
}

}  // namespace

std::vector<Document> write_python(Equations& equations) {
  const std::string arm = equations.identifier();
  const std::vector<CodeFunction> functions = equations.code_functions();
  const std::vector<Parameter> parameters = equations.used_parameters();
  std::string text =
      opening(equations, "numpy",
              "Of one state (q with nq numbers), or of many: q, v, u of any shape whose last axis is the "
              "coordinate. ") +
      (parameters.empty() ? "" : "import dataclasses\n\n") + "import numpy as np\n\n" + sizes(equations) +
      "\n\n";
  if (!parameters.empty()) {
    text +=
        "@dataclasses.dataclass\nclass Parameters:\n    \"\"\"The model's own values stand as "
        "defaults.\"\"\"\n";
    for (const Parameter& p : parameters)
      text += fmt::format("    {}: float = {}  # {}\n", p.name, code_number(p.value), parameter_comment(p));
    text += "\n\n";
  }
  if (needs_small_angles(*equations.arm().graph, equations.everything_derived()))
    text += numpy_small_angles();
  FunctionBodies body(equations,
                      {{"    {} = {}\n", "    {} = {}\n", "    {} = _SmallAngle({})\n", "np.{}", ""},
                       [](const std::string& array, int i) { return fmt::format("{}[..., {}]", array, i); },
                       [](const std::string& array, int i, int j, const MatrixX<Expression>&) {
                         const bool is_vector = array == "rest" || is_vector_quantity(array.front());
                         return is_vector ? fmt::format("{}[..., {}]", array, i)
                                          : fmt::format("{}[..., {}, {}]", array, i, j);
                       },
                       "p."});
  for (const CodeFunction& function : functions) {
    std::string arguments, states, shapes;
    for (const char input : function.inputs) {
      arguments += fmt::format("{}{}", arguments.empty() ? "" : ", ", input);
      states += fmt::format("    {0} = np.asarray({0}, dtype=float)\n", input);
      shapes += fmt::format("{}{}.shape[:-1]", shapes.empty() ? "" : ", ", input);
    }
    if (!parameters.empty()) arguments += (arguments.empty() ? "" : ", ") + std::string("p=Parameters()");
    text += fmt::format("def {}({}):\n    \"\"\"{} {}\"\"\"\n{}", function.name, arguments, function.comment,
                        body.count(function), states);
    const std::string many = shapes.empty() ? "()" : fmt::format("np.broadcast_shapes({})", shapes);
    const std::vector<std::string> names = result_names(function);
    for (std::size_t i = 0; i < names.size(); ++i)
      text += fmt::format("    {} = np.empty({} + ({},))\n", names[i], many,
                          size_text(function.results[i], equations.quantity(function.results[i])));
    text += body(function) + results_line(function);
  }
  text.pop_back();
  text.pop_back();
  return {{arm + ".py", text}, {arm + "_test.py", test(equations)}};
}

std::vector<Document> write_sympy(Equations& equations) {
  const std::string arm = equations.identifier();
  const std::vector<CodeFunction> functions = equations.code_functions();
  const std::vector<Parameter> parameters = equations.used_parameters();
  const bool small_angles = needs_small_angles(*equations.arm().graph, equations.everything_derived());
  std::string text = opening(equations, "sympy",
                             "Functions give matrices of expressions in q, v, u and the parameters; `values` "
                             "has the model's numbers of these. ") +
                     (small_angles ? "import math\n\n" : "") + "import sympy as sp\n\n" + sizes(equations);
  for (const auto& [letter, count] :
       {std::pair{'q', equations.arm().model.nq()}, std::pair{'v', equations.arm().model.nv()},
        std::pair{'u', equations.arm().model.nv()}})
    text += fmt::format("{0} = sp.Matrix({1}, 1, sp.symbols(\"{0}1:{2}\", real=True))\n", letter, count,
                        count + 1);
  text += "\n\nclass Parameters:\n    \"\"\"Their symbols.\"\"\"\n";
  for (const Parameter& p : parameters)
    text += fmt::format("    {0} = sp.Symbol(\"{0}\", real=True)  # {1}\n", p.name, parameter_comment(p));
  text += "\n\nvalues = {\n";
  for (const Parameter& p : parameters)
    text += fmt::format("    Parameters.{}: {},\n", p.name, code_number(p.value));
  text += "}\n\n\n";
  if (small_angles) text += sympy_small_angles();
  FunctionBodies body(equations,
                      {{"    {} = {}\n", "    {} = {}\n", "    {} = _SmallAngle({})\n", "sp.{}", ""},
                       [](const std::string& array, int i) { return fmt::format("{}[{}]", array, i); },
                       [](const std::string& array, int i, int j, const MatrixX<Expression>&) {
                         return fmt::format("{}[{}, {}]", array, i, j);
                       },
                       "p."});
  for (const CodeFunction& function : functions) {
    std::string arguments;
    for (const char input : function.inputs) arguments += fmt::format("{0}={0}, ", input);
    text += fmt::format("def {}({}p=Parameters):\n    \"\"\"{} {}\"\"\"\n", function.name, arguments,
                        function.comment, body.count(function));
    const std::vector<std::string> names = result_names(function);
    for (std::size_t i = 0; i < names.size(); ++i)
      text += fmt::format("    {} = sp.zeros({}{})\n", names[i],
                          size_text(function.results[i], equations.quantity(function.results[i])),
                          is_vector_quantity(function.results[i]) ? ", 1" : "");
    text += body(function) + results_line(function);
  }
  text.pop_back();
  text.pop_back();
  return {{arm + "_sympy.py", text}, {arm + "_sympy_test.py", sympy_test(equations)}};
}

}  // namespace limber
