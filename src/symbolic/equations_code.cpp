// SPDX-License-Identifier: BSD-3-Clause
// Equations as a C++ header, and the program that tests it.

#include <fmt/format.h>

#include <random>

#include "equation_words.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/detail/strut_rows.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/model/loops.hpp"
#include "limber/symbolic/code_writer.hpp"
#include "limber/symbolic/equations.hpp"
#include "model_names.hpp"
#include "numeric_check.hpp"
#include "point_loops.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct CodeResult {
  std::string name;  // of the array
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

// Of a column of values.
detail::FoldedSums folded(Graph& graph, const MatrixX<Expression>& values) {
  const std::vector<Expression> all(values.data(), values.data() + values.size());
  return detail::fold_point_sums(graph, all, true);
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
    return function(comment, name, inputs, results, outputs_of(results));
  }

  // The same with loops over the points of beams.
  std::string function_with_loops(const std::string& comment, const std::string& name,
                                  const std::string& inputs, const CodeResult& result,
                                  const detail::FoldedSums& folded) const {
    std::vector<CodeOutput> outputs = outputs_of({result});
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].value = folded.expressions[i];
    return function(comment, name, inputs, {result}, outputs,
                    detail::write_with_loops(*arm_.graph, symbols_, outputs, folded));
  }

  // Of a symmetric matrix what stands on and below its diagonal, columns following one another.
  std::string lower_triangle_and_vector(const std::string& comment, const std::string& name,
                                        const std::string& inputs, const CodeResult& matrix,
                                        const CodeResult& vector) const {
    std::vector<CodeOutput> outputs = outputs_of({vector});
    const Eigen::Index n = matrix.values.rows();
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = j; i < n; ++i)
        outputs.push_back({fmt::format("{}[{}]", matrix.name, j * n + i), matrix.values(i, j)});
    return function(comment, name, inputs, {matrix, vector}, outputs);
  }

 private:
  std::string function(const std::string& comment, const std::string& name, const std::string& inputs,
                       const std::vector<CodeResult>& results, const std::vector<CodeOutput>& outputs) const {
    return function(comment, name, inputs, results, outputs,
                    write_statements(*arm_.graph, symbols_, outputs));
  }
  std::string function(const std::string& comment, const std::string& name, const std::string& inputs,
                       const std::vector<CodeResult>& results, const std::vector<CodeOutput>& outputs,
                       std::string body) const {
    std::vector<Expression> values;
    for (const CodeOutput& output : outputs) values.push_back(output.value);
    const OperationCount count = arm_.graph->count(values);
    std::string arguments;
    for (const char input : inputs) arguments += fmt::format("const double* {}, ", input);
    for (const CodeResult& result : results) arguments += fmt::format("double* {}, ", result.name);
    arguments.resize(arguments.size() - 2);
    if (has_parameters_) arguments += ", const Parameters& p = Parameters()";
    for (const char input : inputs) body = fmt::format("  (void){};\n", input) + body;
    if (outputs.empty())  // an arm that cannot move
      for (const CodeResult& result : results) body += fmt::format("  (void){};\n", result.name);
    if (has_parameters_) body = "  (void)p;\n" + body;
    return fmt::format(
        "/// {}\n/// {} multiplications, {} additions, {} functions.\ninline void {}({}) {{\n{}}}\n\n",
        comment, count.multiplications, count.additions, count.functions, name, arguments, body);
  }

  const SymbolicArm& arm_;
  bool has_parameters_;
  std::vector<CodeSymbol> symbols_;
};

// What an arm has besides its tree.
std::vector<CodeFunction> closing_functions(const Model& model) {
  std::vector<CodeFunction> functions;
  if (!model.loops().empty())
    functions = {
        {"loop_gaps", "c(q) of closed loops, zero where they are closed: a row for each of theirs.", "q",
         "c"},
        {"loop_jacobian", "A, rows x nv: A v are the rates of c, and loops act by A^T lambda.", "q", "A"},
        {"loop_bias", "gamma: A a + gamma are the second rates of c.", "qv", "g"}};
  if (!model.cylinders().empty())
    functions.insert(
        functions.end(),
        {{"cylinder_lengths", "Lengths l of cylinders.", "q", "l"},
         {"cylinder_jacobian",
          "S, cylinders x nv: S v are the rates of l, and forces f of cylinders act by S^T f.", "q", "S"}});
  return functions;
}

// The same by the numeric core.
std::vector<NumericResult> closing_results(const Model& model, Workspace<double>& work, const VectorXd& q,
                                           const VectorXd& v) {
  std::vector<NumericResult> results;
  LoopEquations<double> loops;
  if (!model.loops().empty()) loop_equations<double>(model, work, q, v, loops);
  VectorX<double> lengths;
  MatrixX<double> S;
  update_positions(model, work, q);
  update_world_poses(work);
  detail::strut_rows(model, work, lengths, S);
  for (const CodeFunction& function : closing_functions(model)) {
    const char letter = function.results.front();
    results.push_back({function, letter == 'c'   ? MatrixXd(loops.gaps)
                                 : letter == 'A' ? MatrixXd(loops.A)
                                 : letter == 'g' ? MatrixXd(loops.bias)
                                 : letter == 'l' ? MatrixXd(lengths)
                                                 : MatrixXd(S)});
  }
  return results;
}

// A list of numbers in braces.
std::string braces(const MatrixXd& values) {
  std::string text = "{";
  for (Eigen::Index i = 0; i < values.rows(); ++i)
    for (Eigen::Index j = 0; j < values.cols(); ++j)
      text += (text.size() > 1 ? ", " : "") + code_number(values(i, j));
  return text + "}";
}

}  // namespace

std::vector<CodeFunction> Equations::code_functions() {
  if (options_.linear) require_plain_tree(arm_.model, "code of the linear model");
  constexpr int most_for_coriolis = 10;  // beyond, the Christoffel symbols outgrow everything else
  const bool with_C =
      !options_.linear && !arm_.model.has_quaternions() && arm_.model.nv() <= most_for_coriolis;
  // a truncated M is no sum of squares, which could be eliminated link by link
  for (const char name : std::string(options_.linear ? "MhGJKDBr" : "MhGJKDBra")) quantity(name);
  if (with_C) quantity('C');
  const std::vector<CodeFunction> closing = closing_functions(arm_.model);
  for (const CodeFunction& function : closing) quantity(function.results.front());
  const std::vector<Expression> everything = everything_derived();
  report_.written_out = arm_.graph->written_out(everything);
  report_.shared = report_.simplified = arm_.graph->count(everything).total();
  report_.entries = everything.size();
  std::vector<CodeFunction> functions = {
      {"mass_matrix", "The mass matrix, nv x nv.", "q", "M"},
      {"bias", "h = C v + G: Coriolis, centrifugal and gravity forces.", "qv", "h"},
      {"gravity", "Gravity forces.", "q", "G"}};
  if (with_C)
    functions.push_back(
        {"coriolis_matrix", "C with C v + G = h and dM/dt - 2 C skew-symmetric, nv x nv.", "qv", "C"});
  // Of telescoping beams they change with the length that is out.
  const char* const of_lengths = arm_.free_lengths.empty() ? "" : "q";
  const std::vector<CodeFunction> others = {
      {"jacobian", "The Jacobian of the end effector in world axes, 6 x nv, linear rows first.", "q", "J"},
      {"equations", "M, h and J together: what they share is computed once.", "qv", "MhJ"},
      {"stiffness", "Stiffness, nv x nv.", of_lengths, "K"},
      {"rest", "Where springs are relaxed, nv.", "", "r"},
      {"damping", "Damping, nv x nv.", of_lengths, "D"},
      {"input_matrix", "Input matrix, nv x inputs.", "", "B"},
      {"accelerations",
       closing.empty()
           ? "Accelerations from generalized forces u (nv): block elimination, no matrix is solved."
           : "Accelerations of the open tree from generalized forces u (nv), those of loops and cylinders "
             "among them: block elimination, no matrix is solved.",
       "qvu", "a"}};
  functions.insert(functions.end(), others.begin(), others.end());
  if (options_.linear) functions.pop_back();
  functions.insert(functions.end(), closing.begin(), closing.end());
  return functions;
}

std::string Equations::code() {
  const Model& model = arm_.model;
  const std::vector<CodeFunction> functions = code_functions();
  const std::vector<Parameter> parameters = used_parameters();

  std::string text = fmt::format(
      "#pragma once\n\n// The equations of motion of `{}`, written by limber derive. Needs nothing but "
      "<cmath>.\n//\n"
      "//   {}\n//\n",
      comment_text(model.name()), equation_of_motion(model));
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
  if (needs_small_angles(*arm_.graph, everything_derived())) text += small_angle_code();

  const HeaderWriter writer(arm_, parameters);
  for (const CodeFunction& function : functions) {
    options_.progress("writing " + function.name, 0.5);
    std::vector<CodeResult> results;
    for (const char letter : function.results)
      results.push_back({name_of_quantity(letter), quantity(letter)});
    text += writer.function(function.comment, function.name, function.inputs, results);
  }
  return text + fmt::format("}}  // namespace {}\n", identifier());
}

std::vector<Expression> Equations::module_expressions() {
  std::vector<Expression> all;
  for (const char name : std::string(options_.linear ? "Mhi" : "af"))
    for (Eigen::Index i = 0; i < quantity(name).size(); ++i) all.push_back(quantity(name).data()[i]);
  return all;
}

// Sums over points are written once.
long Equations::module_operations() {
  if (options_.linear) return arm_.graph->count(module_expressions()).total();
  std::vector<Expression> all;
  for (const char name : std::string("af")) {
    const detail::FoldedSums sums = folded(*arm_.graph, quantity(name));
    all.insert(all.end(), sums.expressions.begin(), sums.expressions.end());
    for (const detail::PointSum& sum : sums.sums) all.push_back(sum.term);
  }
  return arm_.graph->count(all).total();
}

std::string Equations::module_code() {
  const std::vector<Expression> everything = module_expressions();
  const HeaderWriter writer(arm_, used_parameters());
  std::string text = "#include <cmath>\n\nnamespace {\n\n";
  if (needs_small_angles(*arm_.graph, everything)) text += small_angle_code();
  if (options_.linear) {
    text += writer.lower_triangle_and_vector("The lower triangle of M by columns, and h.", "equations", "qv",
                                             {"M", quantity('M')}, {"h", quantity('h')});
    text += writer.function("M a + h.", "forces", "qva", {{"i", quantity('i')}});
    return text +
           "}  // namespace\n\n"
           "extern \"C\" void limber_equations(const double* q, const double* v, double* M, double* h) {\n"
           "  equations(q, v, M, h);\n}\n"
           "extern \"C\" void limber_forces(const double* q, const double* v, const double* a, double* i) {\n"
           "  forces(q, v, a, i);\n}\n";
  }
  const detail::FoldedSums accelerations = folded(*arm_.graph, quantity('a')),
                           missing = folded(*arm_.graph, quantity('f'));
  if (!accelerations.sums.empty() || !missing.sums.empty()) {
    if (!needs_small_angles(*arm_.graph, everything)) text += small_angle_code();
    text += detail::point_loop_code();
  }
  text += writer.function_with_loops("Accelerations.", "accelerations", "qvu", {"a", quantity('a')},
                                     accelerations);
  text += writer.function_with_loops("u - M a - h - K (q - rest) - D v.", "missing_forces", "qvau",
                                     {"f", quantity('f')}, missing);
  return text +
         "}  // namespace\n\n"
         "extern \"C\" void limber_accelerations(const double* q, const double* v, const double* u, double* "
         "a) {\n"
         "  accelerations(q, v, u, a);\n}\n"
         "extern \"C\" void limber_missing_forces(const double* q, const double* v, const double* a, const "
         "double* u, double* f) {\n"
         "  missing_forces(q, v, a, u, f);\n}\n";
}

std::vector<NumericCase> Equations::numeric_cases() const {
  const Model& model = arm_.model;
  const int nv = model.nv();
  constexpr unsigned seed = 7;                          // any
  constexpr double efforts = 10.0, deflections = 0.05;  // beams bend little
  std::mt19937 dice(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto random = [&](int n, double size) {
    return VectorXd(VectorXd::NullaryExpr(n, [&] { return size * number(dice); }));
  };
  constexpr int case_count = 10;
  std::vector<NumericCase> cases;
  Workspace<double> work(model);
  for (int i = 0; i < case_count; ++i) {
    NumericCase one{neutral_configuration(model) + random(model.nq(), i == 0 ? 0.0 : 1.0),
                    random(nv, 1.0),
                    random(nv, efforts),
                    MatrixXd(nv, nv),
                    VectorXd(nv),
                    {},
                    VectorXd(nv)};
    for (const Link& link : model.links()) {
      one.q.segment(link.elastic_q_index, link.elastic_count) *= deflections;
      if (link.joint.has_quaternion()) one.q.segment(link.joint.quaternion_index(), 4).normalize();
    }
    keep_in_guides(model, one.q);
    Matrix6X<double> J(6, nv);
    mass_matrix(model, work, one.q, one.M);
    bias_forces(model, work, one.q, one.v, one.h);
    update_positions(model, work, one.q);
    update_world_poses(work);
    frame_jacobian(model, work, end_effector_frame(model), MotionAxes::local_world_aligned, J);
    one.J = J;
    forward_dynamics(model, work, one.q, one.v, one.u, one.a);
    one.closing = closing_results(model, work, one.q, one.v);
    cases.push_back(std::move(one));
  }
  return cases;
}

// Numbers of the numeric core, and the comparison with them.
std::string Equations::code_test() {
  std::string cases, members, checks;
  const std::vector<NumericCase> all = numeric_cases();
  for (const NumericCase& c : all) {
    std::string closing;
    for (const NumericResult& result : c.closing) closing += ",\n     " + braces(result.values);
    cases += fmt::format("    {{{},\n     {},\n     {},\n     {},\n     {},\n     {},\n     {}{}}},\n",
                         braces(c.q), braces(c.v), braces(c.u), braces(c.M), braces(c.h), braces(c.J),
                         braces(c.a), closing);
  }
  for (const auto& [function, values] : all.front().closing) {
    const std::string name = name_of_quantity(function.results.front());
    members += fmt::format(", {}[{}]", name, values.size());
    checks += fmt::format(
        "    double found_{0}[{1}];\n    {2}::{3}(c.q, {4}found_{0});\n    worst[4] = std::max(worst[4], "
        "difference(found_{0}, c.{0}, {1}));\n",
        name, values.size(), identifier(), function.name, function.inputs == "qv" ? "c.v, " : "");
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
  double q[some(nq)], v[some(nv)], u[some(nv)], M[some(nv * nv)], h[some(nv)], J[some(6 * nv)], a[some(nv)]{2};
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
  double worst[5] = {{0.0, 0.0, 0.0, 0.0, 0.0}};
  for (const Case& c : cases) {{
    {0}::equations(c.q, c.v, M, h, J);
    {0}::accelerations(c.q, c.v, c.u, a);
    {0}::mass_matrix(c.q, M2);
    {0}::bias(c.q, c.v, h2);
    worst[0] = std::max({{worst[0], difference(M, c.M, nv * nv), difference(M2, c.M, nv * nv)}});
    worst[1] = std::max({{worst[1], difference(h, c.h, nv), difference(h2, c.h, nv)}});
    worst[2] = std::max(worst[2], difference(J, c.J, 6 * nv));
    worst[3] = std::max(worst[3], force_difference(a, c));
{3}  }}
  std::printf("largest relative differences: M %.1e, h %.1e, J %.1e, accelerations %.1e, loops and cylinders %.1e\n", worst[0],
              worst[1], worst[2], worst[3], worst[4]);
  return *std::max_element(worst, worst + 5) < 1e-12 ? 0 : 1;
}}
)code",
      identifier(), cases, members, checks);
}

}  // namespace limber
