// SPDX-License-Identifier: BSD-3-Clause
#include "limber/symbolic/derive.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "exact_numbers.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/input_error.hpp"

namespace limber {

using namespace detail;

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding = 1e-9;  // in which two ways to the same number may differ

// A random bent state, the same for all quantities.
struct TestState {
  VectorXd q, v, a, tau;
};

TestState random_state(const Model& model) {
  constexpr unsigned seed = 20;                       // any
  constexpr double angles = 0.8, deflections = 0.05;  // far from zero; beams bend little
  std::mt19937 dice(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto random = [&](int n, double size) {
    return VectorXd(VectorXd::NullaryExpr(n, [&] { return size * number(dice); }));
  };
  TestState state{neutral_configuration(model) + random(model.nq(), angles), random(model.nv(), 1.0),
                  random(model.nv(), 1.0), random(model.nv(), 1.0)};
  for (const Link& link : model.links()) {
    state.q.segment(link.elastic_q_index, link.elastic_count) *= deflections;
    if (link.joint.has_quaternion()) state.q.segment(link.joint.quaternion_index(), 4).normalize();
  }
  return state;
}

// Our own mistake if it throws: a parameter that does not have the value of what it stands for.
void compare(const SymbolicArm& arm, const char* what, const MatrixX<Expression>& derived,
             const MatrixXd& expected, const TestState& state) {
  const std::vector<double> nodes = arm.graph->evaluate(arm.values(state.q, state.v, state.a, state.tau));
  const double size = expected.size() > 0 ? expected.cwiseAbs().maxCoeff() : 0.0;
  for (Eigen::Index i = 0; i < derived.rows(); ++i)
    for (Eigen::Index j = 0; j < derived.cols(); ++j) {
      const double found = nodes[static_cast<std::size_t>(derived(i, j).node())];
      if (!(std::abs(found - expected(i, j)) <= rounding * size))
        throw std::logic_error(
            fmt::format("the formula of {}[{},{}] gives {} where the numeric core gives {}", what, i + 1,
                        j + 1, found, expected(i, j)));
    }
}

// By the forces that they leave over: where the mass matrix is near singular, accelerations themselves have few digits.
void check_accelerations(const SymbolicArm& arm, const VectorX<Expression>& derived) {
  const Model& model = arm.model;
  if (model.nv() == 0) return;
  const TestState state = random_state(model);
  const std::vector<double> nodes = arm.graph->evaluate(arm.values(state.q, state.v, state.a, state.tau));
  VectorXd a(model.nv()), forces(model.nv()), passive(model.nv());
  for (int i = 0; i < model.nv(); ++i) a[i] = nodes[static_cast<std::size_t>(derived[i].node())];
  Workspace<double> work(model);
  MatrixXd M(model.nv(), model.nv());
  mass_matrix(model, work, state.q, M);
  inverse_dynamics(model, work, state.q, state.v, a, forces);
  elastic_and_damping_forces(model, work, state.q, state.v, passive);
  const VectorXd size = M.cwiseAbs() * a.cwiseAbs() + state.tau.cwiseAbs() + passive.cwiseAbs();
  const double missing = (state.tau - forces - passive).cwiseAbs().maxCoeff();
  if (!(missing <= rounding * size.maxCoeff()))
    throw std::logic_error(fmt::format("the formulas of the accelerations leave forces of {} over", missing));
}

VectorX<Expression> zeros(int n) { return VectorX<Expression>::Constant(n, Expression()); }
MatrixX<Expression> zeros(int rows, int cols) {
  return MatrixX<Expression>::Constant(rows, cols, Expression());
}

std::vector<Expression> entries(const MatrixX<Expression>& A) { return {A.data(), A.data() + A.size()}; }

}  // namespace

MatrixX<Expression> derive_mass_matrix(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  const Model& model = arm.model;
  MatrixX<Expression> M(model.nv(), model.nv());
  mass_matrix(model, *arm.work, arm.q, M);
  const TestState state = random_state(model);
  Workspace<double> work(model);
  MatrixXd expected(model.nv(), model.nv());
  mass_matrix(model, work, state.q, expected);
  compare(arm, "M", M, expected, state);
  return M;
}

MatrixX<Expression> derive_coriolis_matrix(SymbolicArm& arm, const MatrixX<Expression>& M) {
  for (const Link& link : arm.model.links())
    if (link.joint.has_quaternion())
      throw InputError(Problem{"C", "joints whose velocities are rates of their coordinates",
                               fmt::format("`{}`, which carries a quaternion", link.joint.name),
                               "the vector C v + G is there: --only h"});
  const UseGraph use(*arm.graph);
  const int n = arm.model.nv();
  std::vector<MatrixX<Expression>> dM;
  for (int k = 0; k < n; ++k) {
    const std::vector<Expression> slopes = arm.graph->derivatives(entries(M), arm.q[k]);
    dM.push_back(Eigen::Map<const MatrixX<Expression>>(slopes.data(), n, n));
  }
  MatrixX<Expression> C = zeros(n, n);
  const Expression half(0.5);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) C(i, j) += half * (dM[k](i, j) + dM[j](i, k) - dM[i](j, k)) * arm.v[k];
  return C;
}

VectorX<Expression> derive_bias(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  const Model& model = arm.model;
  VectorX<Expression> bias(model.nv());
  bias_forces(model, *arm.work, arm.q, arm.v, bias);
  const TestState state = random_state(model);
  Workspace<double> work(model);
  VectorXd expected(model.nv());
  bias_forces(model, work, state.q, state.v, expected);
  compare(arm, "h", bias, expected, state);
  return bias;
}

VectorX<Expression> derive_gravity(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  const Model& model = arm.model;
  VectorX<Expression> gravity(model.nv());
  gravity_forces(model, *arm.work, arm.q, gravity);
  const TestState state = random_state(model);
  Workspace<double> work(model);
  VectorXd expected(model.nv());
  gravity_forces(model, work, state.q, expected);
  compare(arm, "G", gravity, expected, state);
  return gravity;
}

MatrixX<Expression> derive_stiffness(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  MatrixX<Expression> K = zeros(arm.model.nv(), arm.model.nv());
  for (const LinkWork<Expression>& link : arm.work->arm().links) {
    if (!link.has_quaternion)
      for (int j = 0; j < link.joint_nv; ++j) K(link.v_index + j, link.v_index + j) = link.stiffness;
    for (int i = 0; i < link.m; ++i)
      for (int j = 0; j < link.m; ++j) K(link.elastic_v() + i, link.elastic_v() + j) = link.K[i * link.m + j];
  }
  compare(arm, "K", K, elastic_stiffness(arm.model), random_state(arm.model));
  return K;
}

VectorX<Expression> derive_rest(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  VectorX<Expression> rest = zeros(arm.model.nv());
  VectorXd expected = VectorXd::Zero(arm.model.nv());
  for (std::size_t i = 0; i < arm.work->arm().links.size(); ++i) {
    const LinkWork<Expression>& link = arm.work->arm().links[i];
    if (link.has_quaternion || link.stiffness.is_zero()) continue;
    for (int j = 0; j < link.joint_nv; ++j) {
      rest[link.v_index + j] = link.rest;
      expected[link.v_index + j] = arm.model.links()[i].joint.rest;
    }
  }
  compare(arm, "rest", rest, expected, random_state(arm.model));
  return rest;
}

MatrixX<Expression> derive_damping(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  MatrixX<Expression> D = zeros(arm.model.nv(), arm.model.nv());
  for (const LinkWork<Expression>& link : arm.work->arm().links) {
    for (int j = 0; j < link.joint_nv; ++j) D(link.v_index + j, link.v_index + j) = link.damping;
    for (int i = 0; i < link.m; ++i)
      for (int j = 0; j < link.m; ++j) D(link.elastic_v() + i, link.elastic_v() + j) = link.D[i * link.m + j];
  }
  compare(arm, "D", D, damping_matrix(arm.model), random_state(arm.model));
  return D;
}

MatrixX<Expression> derive_input_matrix(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  const MatrixXd numbers = input_matrix(arm.model);
  MatrixX<Expression> B = numbers.cast<Expression>();
  // phi'(0) is a number of the shape times what its slopes are in
  for (std::size_t i = 0; i < arm.slope_scales.size(); ++i)
    for (std::size_t j = 0; j < arm.slope_scales[i].size(); ++j) {
      const auto row = arm.model.links()[i].elastic_v_index + static_cast<Eigen::Index>(j);
      const ScaleOfShape& scale = arm.slope_scales[i][j];
      for (Eigen::Index column = 0; column < B.cols(); ++column)
        B(row, column) = Expression(without_rounding(numbers(row, column) / scale.value)) * scale.symbol;
    }
  compare(arm, "B", B, numbers, random_state(arm.model));
  return B;
}

MatrixX<Expression> derive_jacobian(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  const Model& model = arm.model;
  const Frame frame = end_effector_frame(model);
  Matrix6X<Expression> J(6, model.nv());
  update_positions(model, *arm.work, arm.q);
  update_world_poses(*arm.work);
  frame_jacobian(model, *arm.work, frame, MotionAxes::local_world_aligned, J);
  const TestState state = random_state(model);
  Workspace<double> work(model);
  Matrix6X<double> expected(6, model.nv());
  update_positions(model, work, state.q);
  update_world_poses(work);
  frame_jacobian(model, work, frame, MotionAxes::local_world_aligned, expected);
  compare(arm, "J", J, expected, state);
  return J;
}

VectorX<Expression> derive_accelerations(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  const Model& model = arm.model;
  VectorX<Expression> acceleration(model.nv());
  forward_dynamics(model, *arm.work, arm.q, arm.v, arm.tau, acceleration);
  check_accelerations(arm, acceleration);
  return acceleration;
}

VectorX<Expression> derive_missing_forces(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  const int n = arm.model.nv();
  VectorX<Expression> inertial(n), passive(n), missing(n);
  inverse_dynamics(arm.model, *arm.work, arm.q, arm.v, arm.a, inertial);
  elastic_and_damping_forces(arm.model, *arm.work, arm.q, arm.v, passive);
  for (int i = 0; i < n; ++i) missing[i] = arm.tau[i] - inertial[i] - passive[i];
  return missing;
}

MatrixX<Expression> rate_of(SymbolicArm& arm, const MatrixX<Expression>& M) {
  const UseGraph use(*arm.graph);
  VectorX<Expression> sums = zeros(static_cast<int>(M.size()));
  for (int k = 0; k < arm.model.nv(); ++k) {
    const std::vector<Expression> slopes = arm.graph->derivatives(entries(M), arm.q[k]);
    for (Eigen::Index i = 0; i < sums.size(); ++i) sums[i] += slopes[static_cast<std::size_t>(i)] * arm.v[k];
  }
  return Eigen::Map<const MatrixX<Expression>>(sums.data(), M.rows(), M.cols());
}

}  // namespace limber
