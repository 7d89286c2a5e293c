// SPDX-License-Identifier: BSD-3-Clause
// Equations as a header of C99, in double or float, and the program that tests it. Names carry the arm's: C has no namespaces.

#include <fmt/format.h>

#include "../equation_words.hpp"
#include "languages.hpp"

namespace limber {
namespace {

// What differs between float and double.
struct Reals {
  const char *type, *suffix;
  double tolerance;  // of the test: as many units in the last place in both
};
Reals reals_of(CodeReal real) {
  if (real == CodeReal::double_precision) return {"double", "", 1e-12};
  return {"float", "f", 5e-4};  // 1e-12 2^29: 24 digits of two instead of 53
}

std::string small_angles(const std::string& arm, const Reals& real) {
  const std::string f = real.suffix;
  const auto series = [&](const char* name, int n, int terms) {
    return fmt::format("    {} = {};\n", name, small_angle_series(n, terms, f));
  };
  return fmt::format(
             "/* Functions of a squared angle s = x^2: c1 = sin(x)/x, c2 = (1 - cos x)/x^2, c3 = (x - sin "
             "x)/x^3, and derivatives by s. */\n"
             "typedef struct {{\n  {0} c1, c2, c3, dc2, dc3;\n}} {1}_small_angle;\n\n"
             "static inline {1}_small_angle {1}_small_angle_of({0} s) {{\n  {1}_small_angle r;\n  {0} c4, "
             "c5;\n  if (s < 0.25{2}) {{\n",
             real.type, arm, f) +
         series("c4", 4, 7) + series("c5", 5, 7) + fmt::format("  }} else if (s < 4.0{}) {{\n", f) +
         series("c4", 4, 14) + series("c5", 5, 14) +
         fmt::format(
             "  }} else {{\n    const {0} x = sqrt{1}(s), half_sine = sin{1}(0.5{1} * x);\n"
             "    c4 = (0.5{1} - 2.0{1} * half_sine * half_sine / s) / s;\n"
             "    c5 = (1.0{1} / 6.0{1} - (1.0{1} - sin{1}(x) / x) / s) / s;\n  }}\n"
             "  r.c3 = 1.0{1} / 6.0{1} - s * c5;\n  r.c2 = 0.5{1} - s * c4;\n  r.c1 = 1.0{1} - s * r.c3;\n"
             "  r.dc2 = c4 - 0.5{1} * r.c3;\n  r.dc3 = 0.5{1} * (3.0{1} * c5 - c4);\n  return r;\n}}\n\n",
             real.type, f);
}

std::string parameters_text(const std::string& arm, const Reals& real,
                            const std::vector<Parameter>& parameters) {
  if (parameters.empty()) return "";
  std::string text = "typedef struct {\n", values;
  for (const Parameter& p : parameters) {
    text += fmt::format("  {} {};  // {}\n", real.type, p.name, parameter_comment(p));
    values += fmt::format("  {}{},  // {}\n", code_number(p.value), real.suffix, p.name);
  }
  return text + fmt::format(
                    "}} {0}_parameters;\n\n/* The model's own. */\nstatic const {0}_parameters "
                    "{0}_model = {{\n{1}}};\n\n",
                    arm, values);
}

std::string header(Equations& equations, const Reals& real) {
  const std::string arm = equations.identifier();
  const std::vector<CodeFunction> functions = equations.code_functions();
  const std::vector<Parameter> parameters = equations.used_parameters();
  const Model& model = equations.arm().model;
  std::string text =
      fmt::format("#ifndef LIMBER_{0}_H\n#define LIMBER_{0}_H\n\n", arm) +
      commented(opening_comment(equations, "nothing but <math.h>, C99",
                                "Arrays count from 0: q1 is q[0]. Matrices are stored by rows. "),
                "/// ") +
      fmt::format("\n#include <math.h>\n\nenum {{ {0}_nq = {1}, {0}_nv = {2}, {0}_inputs = {3} }};\n\n", arm,
                  model.nq(), model.nv(), equations.quantity('B').cols()) +
      parameters_text(arm, real, parameters);
  if (needs_small_angles(*equations.arm().graph, equations.everything_derived()))
    text += small_angles(arm, real);
  FunctionBodies body(equations,
                      {{fmt::format("  const {} {{}} = {{}};\n", real.type), "  {} = {};\n",
                        fmt::format("  const {0}_small_angle {{}} = {0}_small_angle_of({{}});\n", arm),
                        std::string("{}") + real.suffix, real.suffix},
                       [](const std::string& array, int i) { return fmt::format("{}[{}]", array, i); },
                       [](const std::string& array, int i, int j, const MatrixX<Expression>& shape) {
                         return fmt::format("{}[{}]", array, i * shape.cols() + j);
                       },
                       "p->"});
  for (const CodeFunction& function : functions) {
    std::string arguments, unused;
    for (const char input : function.inputs) {
      arguments += fmt::format("const {} *{}, ", real.type, input);
      unused += fmt::format("  (void){};\n", input);
    }
    for (const std::string& name : result_names(function)) {
      arguments += fmt::format("{} *{}, ", real.type, name);
      if (model.nv() == 0) unused += fmt::format("  (void){};\n", name);
    }
    arguments.resize(arguments.size() - 2);
    if (!parameters.empty()) {
      arguments += fmt::format(", const {}_parameters *p", arm);
      unused += "  (void)p;\n";
    }
    text += fmt::format("/// {}\n/// {}\nstatic inline void {}_{}({}) {{\n{}{}}}\n\n", function.comment,
                        body.count(function), arm, function.name, arguments, unused, body(function));
  }
  return text + "#endif\n";
}

std::string test(Equations& equations, const Reals& real) {
  std::string cases, members, checks;
  const std::string arm = equations.identifier();
  const auto braces = [&](const Eigen::MatrixXd& values) {
    std::string text = "{";
    for (Eigen::Index i = 0; i < values.rows(); ++i)
      for (Eigen::Index j = 0; j < values.cols(); ++j)
        text += (text.size() > 1 ? ", " : "") + code_number(values(i, j)) + real.suffix;
    return values.size() == 0 ? "{0}" : text + "}";
  };
  const std::vector<NumericCase> all = equations.numeric_cases();
  for (const NumericCase& c : all) {
    std::string closing;
    for (const auto& [function, values] : c.closing) closing += ",\n   " + braces(values);
    cases +=
        fmt::format("  {{{},\n   {},\n   {},\n   {},\n   {},\n   {},\n   {}{}}},\n", braces(c.q), braces(c.v),
                    braces(c.u), braces(c.M), braces(c.h), braces(c.J), braces(c.a), closing);
  }
  const char* model = equations.used_parameters().empty() ? "" : ", &{0}_model";
  const std::string p = fmt::format(fmt::runtime(model), arm);
  for (const auto& [function, values] : all.front().closing) {
    const std::string name = name_of_quantity(function.results.front());
    members += fmt::format(", {}[{}]", name, values.size());
    checks += fmt::format(
        "    {0} found_{1}[{2}];\n    {3}_{4}(c->q, {5}found_{1}{6});\n    worst[4] = fmax(worst[4], "
        "difference(found_{1}, c->{1}, {2}));\n",
        real.type, name, values.size(), arm, function.name, function.inputs == "qv" ? "c->v, " : "", p);
  }
  return fmt::format(
      R"code(/* Compares {0}.h with numbers that Limber computed. Prints the largest differences; exits with 1 if one is too large. */

#include "{0}.h"

#include <stdio.h>

enum {{ nq = {0}_nq, nv = {0}_nv, none = {0}_nv == 0 }}; /* no array is empty, even where nothing moves */

typedef struct {{
  {1} q[nq + none], v[nv + none], u[nv + none], M[nv * nv + none], h[nv + none], J[6 * nv + none], a[nv + none]{5};
}} Case;

static const Case cases[] = {{
{2}}};

/* Relative to the largest number. */
static double difference(const {1} *found, const {1} *expected, int count) {{
  double largest = 0.0, size = 1e-300;
  for (int i = 0; i < count; ++i) {{
    largest = fmax(largest, fabs((double)found[i] - (double)expected[i]));
    size = fmax(size, fabs((double)expected[i]));
  }}
  return largest / size;
}}

/* Accelerations by the forces that they differ by: M (found - expected), relative to the largest that M makes of them. */
static double force_difference(const {1} *found, const Case *c) {{
  double largest = 0.0, size = 1e-300;
  for (int i = 0; i < nv; ++i) {{
    double force = 0.0, sum = 0.0;
    for (int j = 0; j < nv; ++j) {{
      force += (double)c->M[i * nv + j] * ((double)found[j] - (double)c->a[j]);
      sum += fabs((double)c->M[i * nv + j] * (double)c->a[j]);
    }}
    largest = fmax(largest, fabs(force));
    size = fmax(size, sum);
  }}
  return largest / size;
}}

int main(void) {{
  {1} M[nv * nv + none], h[nv + none], J[6 * nv + none], a[nv + none], M2[nv * nv + none], h2[nv + none];
  double worst[5] = {{0.0, 0.0, 0.0, 0.0, 0.0}};
  for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); ++i) {{
    const Case *c = &cases[i];
    {0}_equations(c->q, c->v, M, h, J{4});
    {0}_accelerations(c->q, c->v, c->u, a{4});
    {0}_mass_matrix(c->q, M2{4});
    {0}_bias(c->q, c->v, h2{4});
    worst[0] = fmax(worst[0], fmax(difference(M, c->M, nv * nv), difference(M2, c->M, nv * nv)));
    worst[1] = fmax(worst[1], fmax(difference(h, c->h, nv), difference(h2, c->h, nv)));
    worst[2] = fmax(worst[2], difference(J, c->J, 6 * nv));
    worst[3] = fmax(worst[3], force_difference(a, c));
{6}  }}
  printf("largest relative differences: M %.1e, h %.1e, J %.1e, accelerations %.1e, loops and cylinders %.1e\n", worst[0],
         worst[1], worst[2], worst[3], worst[4]);
  return worst[0] < {3} && worst[1] < {3} && worst[2] < {3} && worst[3] < {3} && worst[4] < {3} ? 0 : 1;
}}
)code",
      arm, real.type, cases, code_number(real.tolerance), p, members, checks);
}

}  // namespace

std::vector<Document> write_c(Equations& equations, CodeReal real) {
  const Reals reals = reals_of(real);
  const std::string name = equations.identifier(), text = header(equations, reals);
  return {{name + ".h", text}, {name + "_test.c", test(equations, reals)}};
}

}  // namespace limber
