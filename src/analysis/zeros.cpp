// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/zeros.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/algorithms/constraints.hpp"
#include "limber/analysis/balanced.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/resolved_eigenvalues.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/field_rule.hpp"
#include "point_output.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Numbers below this, in parts of the largest in a matrix, are rounding.
constexpr double rounding = 1e-11;

struct System {
  MatrixXd A, B, C, D;
  MatrixXd basis;  // x = basis z

  System transposed() const { return {A.transpose(), C.transpose(), B.transpose(), D.transpose(), basis}; }
};

// Q R with independent columns first: the rank, and the orthogonal Q.
struct Compressed {
  Index rank;
  MatrixXd Q;
};

// `size` is what the numbers are compared with: they come out of products with a matrix of that size.
Compressed compress_rows(const MatrixXd& X, double size) {
  if (X.size() == 0) return {0, MatrixXd::Identity(X.rows(), X.rows())};
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(X);
  const VectorXd diagonal = qr.matrixQR().diagonal().cwiseAbs();
  Index rank = 0;
  while (rank < diagonal.size() && diagonal[rank] > rounding * size) ++rank;
  return {rank, qr.householderQ()};
}

// (2) and (3) until D's rows are independent; outputs that stay zero by themselves are dropped.
System with_independent_rows(System s) {
  const double B_size = s.B.size() > 0 ? std::max(s.B.cwiseAbs().maxCoeff(), s.D.cwiseAbs().maxCoeff()) : 0.0;
  while (true) {
    const Compressed rows = compress_rows(s.D, B_size);
    const MatrixXd C = rows.Q.transpose() * s.C, D = rows.Q.transpose() * s.D;
    const MatrixXd C1 = C.topRows(rows.rank), D1 = D.topRows(rows.rank);
    const MatrixXd C2 = C.bottomRows(C.rows() - rows.rank);
    // Each row by itself: an output's unit, and how often it was differentiated, decide its size.
    MatrixXd scaled = C2;
    for (Index i = 0; i < scaled.rows(); ++i) {
      const double norm = scaled.row(i).norm();
      if (norm > rounding * std::max(1.0, s.A.size() > 0 ? s.A.cwiseAbs().maxCoeff() : 0.0))
        scaled.row(i) /= norm;
      else
        scaled.row(i).setZero();
    }
    const Compressed columns = compress_rows(scaled.transpose(), 1.0);
    if (columns.rank == 0) {
      s.C = C1;
      s.D = D1;
      return s;
    }
    const MatrixXd V2 = columns.Q.leftCols(columns.rank), V1 = columns.Q.rightCols(s.A.rows() - columns.rank);
    System next;
    next.A = V1.transpose() * s.A * V1;
    next.B = V1.transpose() * s.B;
    next.C.resize(rows.rank + columns.rank, V1.cols());
    next.D.resize(rows.rank + columns.rank, s.B.cols());
    next.C << C1 * V1, V2.transpose() * s.A * V1;
    next.D << D1, V2.transpose() * s.B;
    next.basis = s.basis * V1;
    s = std::move(next);
  }
}

// Units of states, inputs and outputs change nothing about zeros, but everything about rounding.
System scaled(const LinearModel& model) {
  const VectorXd d = balancing_scale(model.A);
  System s{d.cwiseInverse().asDiagonal() * model.A * d.asDiagonal(), d.cwiseInverse().asDiagonal() * model.B,
           model.C * d.asDiagonal(), model.D, d.asDiagonal().toDenseMatrix()};
  for (Index j = 0; j < s.B.cols(); ++j) {
    const double size = std::hypot(s.B.col(j).norm(), s.D.col(j).norm());
    if (size == 0.0) continue;
    s.B.col(j) /= size;
    s.D.col(j) /= size;
  }
  for (Index i = 0; i < s.C.rows(); ++i) {
    const double size = s.C.row(i).norm() > 0.0 ? s.C.row(i).norm() : 1.0;
    s.C.row(i) /= size;
    s.D.row(i) /= size;
  }
  return s;
}

[[noreturn]] void throw_degenerate(const LinearModel& model) {
  std::string outputs, inputs;
  for (const std::string& name : model.outputs) outputs += " " + name;
  for (const std::string& name : model.inputs) inputs += " " + name;
  throw ComputationError(
      "no zero dynamics: the outputs" + outputs + " cannot be moved one by one by the inputs" + inputs +
      ". An output that no input reaches, or two that always move together, must be left out");
}

Phase phase_of(const ZeroDynamics& dynamics) {
  const auto any = [&](Side side) {
    return std::find(dynamics.sides.begin(), dynamics.sides.end(), side) != dynamics.sides.end();
  };
  if (any(Side::right)) return Phase::non_minimum;
  if (dynamics.surplus_inputs > 0) return Phase::undetermined;
  return any(Side::axis) ? Phase::marginal : Phase::minimum;
}

// (5), in parts of |Z|; |X| are Frobenius norms.
double relative_error(const System& s, const MatrixXd& Z) {
  double size = s.A.norm();
  if (s.D.rows() > 0) size += s.B.norm() * s.D.inverse().norm() * s.C.norm();
  return Z.norm() > 0.0 ? std::numeric_limits<double>::epsilon() * size / Z.norm() : 0.0;
}

// Zeros on the axis, and at 0, are put there.
void find_zeros(const System& s, ZeroDynamics& result) {
  const ResolvedEigenvalues spectrum(result.matrix, relative_error(s, result.matrix));
  result.zeros = spectrum.values();
  result.chain_at_zero = 0;
  for (std::complex<double>& zero : result.zeros) {
    const std::complex<double> upper(zero.real(), std::abs(zero.imag()));  // a pair is on one side
    if (!spectrum.is_apart(upper, 0.0)) {
      zero = 0.0;
      result.chain_at_zero = 1;
    } else if (!spectrum.is_apart(upper, {0.0, upper.imag()})) {
      zero.real(0.0);
    }
    result.sides.push_back(zero.real() > 0.0 ? Side::right : zero.real() < 0.0 ? Side::left : Side::axis);
  }
  if (result.chain_at_zero > 0) result.chain_at_zero = std::max(1, spectrum.longest_chain_at_zero());
}

LinearModel at_point(const Model& model, const OperatingPoint& about, const std::string& name) {
  const PointOutput output = point_output(model, name);
  const Model with_place = within_path("outputs", [&] { return with_node(model, output.place); });
  LinearModel linear = linearize(with_end_effector(with_place, frame(with_place, output.place)), about,
                                 {output.end_effector_name});
  linear.outputs = {name};
  return linear;
}

void keep_inputs(LinearModel& linear, const std::vector<std::string>& wanted) {
  std::vector<int> columns;
  for (const std::string& name : wanted) {
    const auto there = std::find(linear.inputs.begin(), linear.inputs.end(), name);
    if (there == linear.inputs.end())
      throw InputError(Problem{"inputs", "a joint coordinate or a cylinder", "`" + name + "`",
                               suggestion(name, linear.inputs, "joints")});
    columns.push_back(static_cast<int>(there - linear.inputs.begin()));
    if (std::count(columns.begin(), columns.end(), columns.back()) > 1)
      throw InputError(Problem{"inputs", "each joint once", "`" + name + "` again", ""});
  }
  linear.B = MatrixXd(linear.B(Eigen::all, columns));
  linear.D = MatrixXd(linear.D(Eigen::all, columns));
  linear.inputs = wanted;
}

}  // namespace

ZeroDynamics zero_dynamics(const LinearModel& model) {
  require_consistent("zero_dynamics", model);
  System s = with_independent_rows(scaled(model));
  const int surplus = static_cast<int>(s.D.cols() - s.D.rows());
  const bool wide = surplus > 0;
  if (wide) s = with_independent_rows(s.transposed()).transposed();
  const bool degenerate = s.D.rows() != s.D.cols() || (s.D.rows() < std::min(model.B.cols(), model.C.rows()));
  if (degenerate) throw_degenerate(model);

  ZeroDynamics result;
  result.matrix = s.A;
  if (s.D.rows() > 0) result.matrix -= s.B * s.D.partialPivLu().solve(s.C);
  if (!wide) result.basis = s.basis;
  result.inputs = model.inputs;
  result.surplus_inputs = surplus;
  find_zeros(s, result);
  result.phase = phase_of(result);
  return result;
}

std::string verdict(const ZeroDynamics& dynamics) {
  if (dynamics.phase == Phase::undetermined) {
    std::string names;
    for (const std::string& name : dynamics.inputs) names += " " + name;
    return "no verdict: of the inputs" + names + " " + std::to_string(dynamics.surplus_inputs) +
           (dynamics.surplus_inputs > 1 ? " are" : " is") +
           " surplus; with the outputs held they can still move the rest, or keep it still. Name as many "
           "inputs as "
           "outputs (--inputs)";
  }
  if (dynamics.zeros.size() == 0) return "minimum phase: there are no zero dynamics";
  switch (dynamics.phase) {
    case Phase::minimum:
      return "minimum phase: with the outputs held, everything else dies away";
    case Phase::marginal:
      if (dynamics.chain_at_zero == 2)
        return "not stable: with the outputs held, the rest drifts away, and grows linearly in time (a "
               "double zero at 0)";
      if (dynamics.chain_at_zero > 2)
        return "not stable: with the outputs held, the rest drifts away, and grows like t^" +
               std::to_string(dynamics.chain_at_zero - 1) + " (a multiple zero at 0)";
      return "marginally stable: with the outputs held, the rest rings or stays where it is put, without "
             "growing";
    case Phase::non_minimum:
    case Phase::undetermined:
      break;
  }
  return "non-minimum phase: with the outputs held, the rest diverges; do not invert this plant";
}

const char* name_of(Phase phase) {
  switch (phase) {
    case Phase::minimum:
      return "minimum";
    case Phase::marginal:
      return "marginal";
    case Phase::non_minimum:
      return "non-minimum";
    case Phase::undetermined:
      break;
  }
  return "undetermined";
}

const char* name_of(Side side) { return side == Side::left ? "left" : side == Side::axis ? "axis" : "right"; }

HeldOutputs held_outputs(const Model& model, std::vector<std::string> outputs,
                         std::vector<std::string> inputs, const Eigen::VectorXd& q) {
  const auto names = [&](const std::vector<int>& coordinates) {
    std::vector<std::string> list;
    for (const int i : coordinates) list.push_back(model.coordinates()[static_cast<std::size_t>(i)]);
    return list;
  };
  const bool tells = !model.loops().empty() && q.size() == model.nq();
  const std::vector<std::string> joints = names(joint_coordinates(model)),
                                 telling = tells ? names(independent_joints(model, q)) : joints;
  if (outputs.empty()) outputs = telling;
  const auto has_drive = [&](const std::string& name) {
    return std::find(joints.begin(), joints.end(), name) != joints.end() ||
           std::any_of(model.cylinders().begin(), model.cylinders().end(),
                       [&](const Cylinder& cylinder) { return cylinder.name == name; });
  };
  if (inputs.empty()) inputs = std::all_of(outputs.begin(), outputs.end(), has_drive) ? outputs : telling;
  return {std::move(outputs), std::move(inputs)};
}

LinearModel linearize_at_points(Model model, const OperatingPoint& about,
                                const std::vector<std::string>& outputs,
                                const std::vector<std::string>& inputs,
                                const std::vector<SensorDescription>& sensors) {
  std::vector<std::string> named = outputs.empty() ? std::vector<std::string>{} : outputs;
  std::erase_if(named, [](const std::string& name) { return name.find('@') != std::string::npos; });
  LinearModel linear =
      linearize(model, about, named, sensors);  // with points only: default outputs, which are replaced
  if (!outputs.empty()) {
    const MatrixXd C = linear.C, D = linear.D;
    const auto rows = static_cast<Index>(outputs.size());
    linear.C.resize(rows, C.cols());
    linear.D.resize(rows, D.cols());
    linear.outputs = outputs;
    Index next_named = 0;
    for (Index i = 0; i < rows; ++i) {
      const std::string& name = outputs[static_cast<std::size_t>(i)];
      if (std::count(outputs.begin(), outputs.begin() + i, name) > 0)
        throw InputError(Problem{"outputs", "each output once", show_text(name) + " again", ""});
      if (name.find('@') == std::string::npos) {
        linear.C.row(i) = C.row(next_named);
        linear.D.row(i) = D.row(next_named++);
        continue;
      }
      const LinearModel point = at_point(model, about, name);
      linear.C.row(i) = point.C;
      linear.D.row(i) = point.D;
    }
  }
  if (!inputs.empty()) keep_inputs(linear, inputs);
  return linear;
}

}  // namespace limber
