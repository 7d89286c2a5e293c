// SPDX-License-Identifier: BSD-3-Clause
// Equations as a C++ header, and the program that tests it.

#include <fmt/format.h>

#include <random>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/symbolic/code_writer.hpp"
#include "limber/symbolic/equations.hpp"
#include "model_names.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct CodeResult {
  const char* name;  // of the array
  const MatrixX<Expression>& values;
};

std::vector<CodeOutput> outputs_of(const std::vector<CodeResult>& results) {
  std::vector<CodeOutput> outputs;
  for (const auto& [name, values] : results)
    for (Eigen::Index i = 0; i < values.rows(); ++i)
      for (Eigen::Index j = 0; j < values.cols(); ++j)
        outputs.push_back({fmt::format("{}[{}]", name, i * values.cols() + j), values(i, j)});
  return outputs;
}

class HeaderWriter {
 public:
  HeaderWriter(const SymbolicArm& arm, const std::vector<Parameter>& parameters)
      : arm_(arm), has_parameters_(!parameters.empty()) {
    const auto add = [&](const char* array, const VectorX<Expression>& names) {
      for (Eigen::Index i = 0; i < names.size(); ++i)
        symbols_.push_back({names[i], fmt::format("{}[{}]", array, i)});
    };
    add("q", arm.q);
    add("v", arm.v);
    add("a", arm.a);
    add("u", arm.tau);
    for (const Parameter& p : parameters) symbols_.push_back({p.symbol, "p." + p.name});
  }

  // `inputs` such as "qv". Rows follow one another.
  std::string function(const std::string& comment, const std::string& name, const std::string& inputs,
                       const std::vector<CodeResult>& results) const {
    const std::vector<CodeOutput> outputs = outputs_of(results);
    std::vector<Expression> values;
    for (const CodeOutput& output : outputs) values.push_back(output.value);
    const OperationCount count = arm_.graph->count(values);
    std::string arguments;
    for (const char input : inputs) arguments += fmt::format("const double* {}, ", input);
    for (const CodeResult& result : results) arguments += fmt::format("double* {}, ", result.name);
    arguments.resize(arguments.size() - 2);
    if (has_parameters_) arguments += ", const Parameters& p = Parameters()";
    std::string body = write_statements(*arm_.graph, symbols_, outputs);
    for (const char input : inputs) body = fmt::format("  (void){};\n", input) + body;
    if (outputs.empty())  // an arm that cannot move
      for (const CodeResult& result : results) body += fmt::format("  (void){};\n", result.name);
    if (has_parameters_) body = "  (void)p;\n" + body;
    return fmt::format(
        "/// {}\n/// {} multiplications, {} additions, {} functions.\ninline void {}({}) {{\n{}}}\n\n",
        comment, count.multiplications, count.additions, count.functions, name, arguments, body);
  }

 private:
  const SymbolicArm& arm_;
  bool has_parameters_;
  std::vector<CodeSymbol> symbols_;
};

// A list of numbers in braces.
std::string braces(const MatrixXd& values) {
  std::string text = "{";
  for (Eigen::Index i = 0; i < values.rows(); ++i)
    for (Eigen::Index j = 0; j < values.cols(); ++j)
      text += (text.size() > 1 ? ", " : "") + code_number(values(i, j));
  return text + "}";
}

}  // namespace

std::string Equations::code() {
  const Model& model = arm_.model;
  const bool quaternions = model.has_quaternions();
  constexpr int most_for_coriolis = 10;  // beyond, the Christoffel symbols outgrow everything else
  const bool with_C = !quaternions && model.nv() <= most_for_coriolis;
  for (const char name : std::string("MhGJKDBra")) quantity(name);
  if (with_C) quantity('C');
  const std::vector<Parameter> parameters = used_parameters();
  std::vector<Expression> everything;
  for (const auto& entry : derived_)
    for (Eigen::Index i = 0; i < entry.second.size(); ++i) everything.push_back(entry.second.data()[i]);
  report_.written_out = arm_.graph->written_out(everything);
  report_.shared = report_.simplified = arm_.graph->count(everything).total();
  report_.entries = everything.size();

  std::string text = fmt::format(
      "#pragma once\n\n// The equations of motion of `{}`, written by limber derive. Needs nothing but "
      "<cmath>.\n//\n"
      "//   M(q) a + h(q, v) + D v + K (q - rest) = B u,    h = C(q, v) v + G(q)\n//\n",
      comment_text(model.name()));
  for (int i = 0; i < model.nv(); ++i)
    text += fmt::format("// v[{}]: {}\n", i, comment_text(model.coordinates()[static_cast<std::size_t>(i)]));
  text += fmt::format(
      "//\n// Matrices are stored by rows. SI units, radians.\n\n#include <cmath>\n\nnamespace {} {{\n\n",
      identifier());
  text += fmt::format("constexpr int nq = {}, nv = {}, inputs = {};\n\n", model.nq(), model.nv(),
                      quantity('B').cols());
  if (!parameters.empty()) {
    text += "/// The model's own values stand as defaults.\nstruct Parameters {\n";
    for (const Parameter& p : parameters)
      text += fmt::format("  double {} = {};  ///< {}{}{}\n", p.name, code_number(p.value),
                          comment_text(p.meaning), p.unit.empty() ? "" : ", ", p.unit);
    text += "};\n\n";
  }
  if (needs_small_angles(*arm_.graph, everything)) text += small_angle_code();

  const HeaderWriter writer(arm_, parameters);
  const auto write = [&](const std::string& comment, const std::string& name, const std::string& inputs,
                         const std::vector<CodeResult>& results) {
    options_.progress("writing " + name, 0.5);
    text += writer.function(comment, name, inputs, results);
  };
  write("The mass matrix, nv x nv.", "mass_matrix", "q", {{"M", quantity('M')}});
  write("h = C v + G: Coriolis, centrifugal and gravity forces.", "bias", "qv", {{"h", quantity('h')}});
  write("Gravity forces.", "gravity", "q", {{"G", quantity('G')}});
  if (with_C)
    write("C with C v + G = h and dM/dt - 2 C skew-symmetric, nv x nv.", "coriolis_matrix", "qv",
          {{"C", quantity('C')}});
  write("The Jacobian of the end effector in world axes, 6 x nv, linear rows first.", "jacobian", "q",
        {{"J", quantity('J')}});
  write("M, h and J together: what they share is computed once.", "equations", "qv",
        {{"M", quantity('M')}, {"h", quantity('h')}, {"J", quantity('J')}});
  write("Stiffness, nv x nv.", "stiffness", "", {{"K", quantity('K')}});
  write("Where springs are relaxed, nv.", "rest", "", {{"rest", quantity('r')}});
  write("Damping, nv x nv.", "damping", "", {{"D", quantity('D')}});
  write("Input matrix, nv x inputs.", "input_matrix", "", {{"B", quantity('B')}});
  write("Accelerations from generalized forces u (nv): block elimination, no matrix is solved.",
        "accelerations", "qvu", {{"a", quantity('a')}});
  return text + fmt::format("}}  // namespace {}\n", identifier());
}

std::vector<Expression> Equations::module_expressions() {
  std::vector<Expression> all;
  for (const char name : std::string("af"))
    for (Eigen::Index i = 0; i < quantity(name).size(); ++i) all.push_back(quantity(name).data()[i]);
  return all;
}

long Equations::module_operations() { return arm_.graph->count(module_expressions()).total(); }

std::string Equations::module_code() {
  const std::vector<Expression> everything = module_expressions();
  const HeaderWriter writer(arm_, used_parameters());
  std::string text = "#include <cmath>\n\nnamespace {\n\n";
  if (needs_small_angles(*arm_.graph, everything)) text += small_angle_code();
  text += writer.function("Accelerations.", "accelerations", "qvu", {{"a", quantity('a')}});
  text +=
      writer.function("u - M a - h - K (q - rest) - D v.", "missing_forces", "qvau", {{"f", quantity('f')}});
  return text +
         "}  // namespace\n\n"
         "extern \"C\" void limber_accelerations(const double* q, const double* v, const double* u, double* "
         "a) {\n"
         "  accelerations(q, v, u, a);\n}\n"
         "extern \"C\" void limber_missing_forces(const double* q, const double* v, const double* a, const "
         "double* u, double* f) {\n"
         "  missing_forces(q, v, a, u, f);\n}\n";
}

// Numbers of the numeric core at a few states, and the comparison with them.
std::string Equations::code_test() {
  const Model& model = arm_.model;
  const int nv = model.nv();
  std::string cases;
  constexpr unsigned seed = 7;                          // any
  constexpr double efforts = 10.0, deflections = 0.05;  // beams bend little
  std::mt19937 dice(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto random = [&](int n, double size) {
    return VectorXd(VectorXd::NullaryExpr(n, [&] { return size * number(dice); }));
  };
  constexpr int case_count = 3;
  for (int i = 0; i < case_count; ++i) {
    VectorXd q = neutral_configuration(model) + random(model.nq(), i == 0 ? 0.0 : 1.0);
    const VectorXd v = random(nv, 1.0), u = random(nv, efforts);
    for (const Link& link : model.links()) {
      q.segment(link.elastic_q_index, link.elastic_count) *= deflections;
      if (link.joint.has_quaternion()) q.segment(link.joint.quaternion_index(), 4).normalize();
    }
    Workspace<double> work(model);
    MatrixXd M(nv, nv);
    VectorXd h(nv), a(nv);
    Matrix6X<double> J(6, nv);
    mass_matrix(model, work, q, M);
    bias_forces(model, work, q, v, h);
    update_positions(model, work, q);
    update_world_poses(work);
    frame_jacobian(model, work, end_effector_frame(model), MotionAxes::local_world_aligned, J);
    forward_dynamics(model, work, q, v, u, a);
    cases += fmt::format("    {{{},\n     {},\n     {},\n     {},\n     {},\n     {},\n     {}}},\n",
                         braces(q), braces(v), braces(u), braces(M), braces(h), braces(J), braces(a));
  }
  return fmt::format(
      R"code(// Compares {0}.hpp with numbers that Limber computed. Prints the largest differences; exits with 1 if one is too large.

#include "{0}.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {{

using {0}::nq;
using {0}::nv;

// No array is empty, even where nothing moves.
constexpr int some(int count) {{ return count > 0 ? count : 1; }}

struct Case {{
  double q[some(nq)], v[some(nv)], u[some(nv)], M[some(nv * nv)], h[some(nv)], J[some(6 * nv)], a[some(nv)];
}};

const Case cases[] = {{
{1}}};

// Relative to the largest number.
double difference(const double* found, const double* expected, int count) {{
  double largest = 0.0, size = 1e-300;
  for (int i = 0; i < count; ++i) {{
    largest = std::max(largest, std::abs(found[i] - expected[i]));
    size = std::max(size, std::abs(expected[i]));
  }}
  return largest / size;
}}

// Accelerations by the forces that they differ by: M (found - expected), relative to the largest that M makes of them.
double force_difference(const double* found, const Case& c) {{
  double largest = 0.0, size = 1e-300;
  for (int i = 0; i < nv; ++i) {{
    double force = 0.0, sum = 0.0;
    for (int j = 0; j < nv; ++j) {{
      force += c.M[i * nv + j] * (found[j] - c.a[j]);
      sum += std::abs(c.M[i * nv + j] * c.a[j]);
    }}
    largest = std::max(largest, std::abs(force));
    size = std::max(size, sum);
  }}
  return largest / size;
}}

}}  // namespace

int main() {{
  double M[some(nv * nv)], h[some(nv)], J[some(6 * nv)], a[some(nv)], M2[some(nv * nv)], h2[some(nv)];
  double worst[4] = {{0.0, 0.0, 0.0, 0.0}};
  for (const Case& c : cases) {{
    {0}::equations(c.q, c.v, M, h, J);
    {0}::accelerations(c.q, c.v, c.u, a);
    {0}::mass_matrix(c.q, M2);
    {0}::bias(c.q, c.v, h2);
    worst[0] = std::max({{worst[0], difference(M, c.M, nv * nv), difference(M2, c.M, nv * nv)}});
    worst[1] = std::max({{worst[1], difference(h, c.h, nv), difference(h2, c.h, nv)}});
    worst[2] = std::max(worst[2], difference(J, c.J, 6 * nv));
    worst[3] = std::max(worst[3], force_difference(a, c));
  }}
  std::printf("largest relative differences: M %.1e, h %.1e, J %.1e, accelerations %.1e\n", worst[0], worst[1], worst[2],
              worst[3]);
  return worst[0] < 1e-12 && worst[1] < 1e-12 && worst[2] < 1e-12 && worst[3] < 1e-12 ? 0 : 1;
}}
)code",
      identifier(), cases);
}

}  // namespace limber
