// SPDX-License-Identifier: BSD-3-Clause
#include "limber/symbolic/derive.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exact_numbers.hpp"
#include "limber/algorithms/detail/loop_equations.hpp"
#include "limber/algorithms/detail/strut_rows.hpp"
#include "limber/algorithms/detail/telescope.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/loops.hpp"
#include "limber/model/telescopes.hpp"
#include "numeric_check.hpp"

namespace limber {

using namespace detail;

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

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
  if (!(missing <= check_rounding * size.maxCoeff()))
    throw std::logic_error(fmt::format("the formulas of the accelerations leave forces of {} over", missing));
}

VectorX<Expression> zeros(int n) { return VectorX<Expression>::Constant(n, Expression()); }
MatrixX<Expression> zeros(int rows, int cols) {
  return MatrixX<Expression>::Constant(rows, cols, Expression());
}

std::vector<Expression> entries(const MatrixX<Expression>& A) { return {A.data(), A.data() + A.size()}; }

}  // namespace

MatrixX<Expression> derive_mass_matrix(SymbolicArm& arm) {
  return derive_and_compare(
      arm, "M", arm.model.nv(), arm.model.nv(),
      [&](auto& work, const auto& q, const auto&, auto& M) { mass_matrix(arm.model, work, q, M); });
}

namespace {

void refuse_quaternions(const Model& model, const char* quantity, const char* hint) {
  for (const Link& link : model.links())
    if (link.joint.has_quaternion())
      throw InputError(Problem{quantity, "joints whose velocities are rates of their coordinates",
                               fmt::format("`{}`, which carries a quaternion", link.joint.name), hint});
}

}  // namespace

MatrixX<Expression> derive_coriolis_matrix(SymbolicArm& arm, const MatrixX<Expression>& M) {
  refuse_quaternions(arm.model, "C", "the vector C v + G is there: --only h");
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
  return derive_and_compare(arm, "h", arm.model.nv(), 1,
                            [&](auto& work, const auto& q, const auto& v, auto& h) {
                              bias_forces(arm.model, work, q, v, h.col(0));
                            });
}

VectorX<Expression> derive_gravity(SymbolicArm& arm) {
  return derive_and_compare(
      arm, "G", arm.model.nv(), 1,
      [&](auto& work, const auto& q, const auto&, auto& G) { gravity_forces(arm.model, work, q, G.col(0)); });
}

namespace {

// Of a telescoping beam, whose matrices change with its free length l: element (i, j) of such a matrix in l^-power of its row.
Expression at_length(const Array<Expression>& at_one, const Array<int>& power, const Expression& l, int i,
                     int j) {
  const int n = static_cast<int>(power.size());
  Expression element = at_one[i * n + j];
  for (int p = 0; p < power[i]; ++p) element /= l;
  return power[i] < 0 ? Expression(element * l) : element;
}

// (4) of telescope.hpp: K(l), and in the joint's row 1/2 eta^T K'(l) = -power/(2 l) eta^T K(l).
void add_telescope_stiffness(const SymbolicArm& arm, const LinkWork<Expression>& link,
                             MatrixX<Expression>& K) {
  const TelescopeWork<Expression>& t = link.telescope;
  const int joint = link.elastic_v(), first = joint + 1, n = link.m - 1;
  const Expression l = t.free_length + arm.q[link.elastic_q()];
  K(joint, joint) = link.stiffness;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const Expression element = at_length(t.K, t.K_power, l, i, j);
      K(first + i, first + j) = element;
      K(joint, first + j) -= Expression(0.5 * t.K_power[i]) / l * arm.q[link.elastic_q() + 1 + i] * element;
    }
}

void add_telescope_damping(const SymbolicArm& arm, const LinkWork<Expression>& link, MatrixX<Expression>& D) {
  const TelescopeWork<Expression>& t = link.telescope;
  const int joint = link.elastic_v(), first = joint + 1, n = link.m - 1;
  const Expression l = t.free_length + arm.q[link.elastic_q()];
  D(joint, joint) = link.damping;
  for (std::size_t part = 0; part < t.D.size(); ++part)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) D(first + i, first + j) += at_length(t.D[part], t.D_power[part], l, i, j);
}

// What acts on a joint's own coordinates, and between it and its motor.
void add_joint(MatrixX<Expression>& A, const LinkWork<Expression>& link, const Expression& own,
               const Expression& gear) {
  for (int j = 0; j < link.moving(); ++j) A(link.v_index + j, link.v_index + j) = own;
  if (!link.has_motor) return;
  const int motor = link.v_index + link.moving(), moved = motor - 1;
  A(moved, moved) += gear;
  A(motor, motor) = gear;
  A(moved, motor) = A(motor, moved) = -gear;
}

}  // namespace

MatrixX<Expression> derive_stiffness(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  MatrixX<Expression> K = zeros(arm.model.nv(), arm.model.nv());
  for (const LinkWork<Expression>& link : arm.work->arm().links) {
    if (link.telescopes) {
      add_telescope_stiffness(arm, link, K);
      continue;
    }
    if (!link.has_quaternion) add_joint(K, link, link.stiffness, link.gear_stiffness);
    for (int i = 0; i < link.m; ++i)
      for (int j = 0; j < link.m; ++j) K(link.elastic_v() + i, link.elastic_v() + j) = link.K[i * link.m + j];
  }
  const TestState state = random_state(arm.model);
  compare(arm, "K", K, elastic_stiffness_at(arm.model, state.q), state);
  return K;
}

VectorX<Expression> derive_rest(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  VectorX<Expression> rest = zeros(arm.model.nv());
  VectorXd expected = VectorXd::Zero(arm.model.nv());
  for (std::size_t i = 0; i < arm.work->arm().links.size(); ++i) {
    const LinkWork<Expression>& link = arm.work->arm().links[i];
    if (link.has_quaternion || link.stiffness.is_zero()) continue;
    for (int j = 0; j < std::max(link.joint_nv, link.telescopes ? 1 : 0); ++j) {
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
    if (link.telescopes) {
      add_telescope_damping(arm, link, D);
      continue;
    }
    add_joint(D, link, link.damping, link.gear_damping);
    for (int i = 0; i < link.m; ++i)
      for (int j = 0; j < link.m; ++j) D(link.elastic_v() + i, link.elastic_v() + j) = link.D[i * link.m + j];
  }
  const TestState state = random_state(arm.model);
  compare(arm, "D", D, damping_matrix_at(arm.model, state.q), state);
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
  const Model& model = arm.model;
  return derive_and_compare(arm, "J", 6, model.nv(),
                            [&]<typename Scalar>(Workspace<Scalar>& work, const VectorX<Scalar>& q,
                                                 const VectorX<Scalar>&, MatrixX<Scalar>& J) {
                              Matrix6X<Scalar> columns(6, model.nv());
                              update_positions(model, work, q);
                              update_world_poses(work);
                              frame_jacobian(model, work, end_effector_frame(model),
                                             MotionAxes::local_world_aligned, columns);
                              J = columns;
                            });
}

namespace {

bool has_springs(const std::vector<Cylinder>& cylinders) {
  return std::any_of(cylinders.begin(), cylinders.end(),
                     [](const Cylinder& cylinder) { return cylinder.stiffness != 0.0; });
}

// Of cylinders: 1/2 k (l - rest)^2.
template <typename Scalar>
Scalar energy_of_springs(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q) {
  VectorX<Scalar> lengths;
  MatrixX<Scalar> S;
  update_positions(model, work, q);
  update_world_poses(work);
  strut_rows(model, work, lengths, S);
  Scalar sum(0.0);
  for (std::size_t i = 0; i < model.cylinders().size(); ++i) {
    const Cylinder& cylinder = model.cylinders()[i];
    if (cylinder.stiffness == 0.0) continue;
    const Scalar stretch = lengths[static_cast<Eigen::Index>(i)] - Scalar(cylinder.rest);
    sum += Scalar(0.5 * cylinder.stiffness) * stretch * stretch;
  }
  return sum;
}

// kinetic, or gravity and strain together
MatrixX<Expression> derive_energy(SymbolicArm& arm, const char* name, bool kinetic) {
  return derive_and_compare(arm, name, 1, 1,
                            [&]<typename Scalar>(Workspace<Scalar>& work, const VectorX<Scalar>& q,
                                                 const VectorX<Scalar>& v, MatrixX<Scalar>& result) {
                              const Energy<Scalar> all = energy<Scalar>(arm.model, work, q, v);
                              result(0, 0) = kinetic ? all.kinetic : Scalar(all.gravity + all.strain);
                              if (!kinetic && has_springs(arm.model.cylinders()))
                                result(0, 0) += energy_of_springs(arm.model, work, q);
                            });
}

}  // namespace

MatrixX<Expression> derive_kinetic_energy(SymbolicArm& arm) { return derive_energy(arm, "T", true); }
MatrixX<Expression> derive_potential_energy(SymbolicArm& arm) { return derive_energy(arm, "V", false); }

MatrixX<Expression> derive_pose(SymbolicArm& arm) {
  const Model& model = arm.model;
  return derive_and_compare(arm, "pose", 3, 4, [&](auto& work, const auto& q, const auto&, auto& pose) {
    update_positions(model, work, q);
    update_world_poses(work);
    const auto X_WE = frame_pose(model, work, end_effector_frame(model));
    pose.leftCols(3) = X_WE.R;
    pose.col(3) = X_WE.p;
  });
}

VectorX<Expression> derive_loop_gaps(SymbolicArm& arm) {
  return derive_and_compare(arm, "c", loop_row_count(arm.model), 1,
                            [&]<typename Scalar>(Workspace<Scalar>& work, const VectorX<Scalar>& q,
                                                 const VectorX<Scalar>& v, MatrixX<Scalar>& c) {
                              LoopEquations<Scalar> equations;
                              loop_equations<Scalar>(arm.model, work, q, v, equations);
                              c.col(0) = equations.gaps;
                            });
}

MatrixX<Expression> derive_loop_jacobian(SymbolicArm& arm) {
  return derive_and_compare(arm, "A", loop_row_count(arm.model), arm.model.nv(),
                            [&]<typename Scalar>(Workspace<Scalar>& work, const VectorX<Scalar>& q,
                                                 const VectorX<Scalar>& v, MatrixX<Scalar>& A) {
                              LoopEquations<Scalar> equations;
                              loop_equations<Scalar>(arm.model, work, q, v, equations);
                              A = equations.A;
                            });
}

VectorX<Expression> derive_loop_bias(SymbolicArm& arm) {
  return derive_and_compare(arm, "gamma", loop_row_count(arm.model), 1,
                            [&]<typename Scalar>(Workspace<Scalar>& work, const VectorX<Scalar>& q,
                                                 const VectorX<Scalar>& v, MatrixX<Scalar>& gamma) {
                              LoopEquations<Scalar> equations;
                              loop_equations<Scalar>(arm.model, work, q, v, equations);
                              gamma.col(0) = equations.bias;
                            });
}

VectorX<Expression> derive_cylinder_lengths(SymbolicArm& arm) {
  return derive_and_compare(arm, "l", static_cast<int>(arm.model.cylinders().size()), 1,
                            [&]<typename Scalar>(Workspace<Scalar>& work, const VectorX<Scalar>& q,
                                                 const VectorX<Scalar>&, MatrixX<Scalar>& l) {
                              VectorX<Scalar> lengths;
                              MatrixX<Scalar> S;
                              update_positions(arm.model, work, q);
                              update_world_poses(work);
                              strut_rows(arm.model, work, lengths, S);
                              l.col(0) = lengths;
                            });
}

MatrixX<Expression> derive_cylinder_jacobian(SymbolicArm& arm) {
  return derive_and_compare(arm, "S", static_cast<int>(arm.model.cylinders().size()), arm.model.nv(),
                            [&]<typename Scalar>(Workspace<Scalar>& work, const VectorX<Scalar>& q,
                                                 const VectorX<Scalar>&, MatrixX<Scalar>& S) {
                              VectorX<Scalar> lengths;
                              update_positions(arm.model, work, q);
                              update_world_poses(work);
                              strut_rows(arm.model, work, lengths, S);
                            });
}

MatrixX<Expression> derive_tangent_stiffness(SymbolicArm& arm, const MatrixX<Expression>& K,
                                             const MatrixX<Expression>& G) {
  refuse_quaternions(arm.model, "Kt", "`limber linearize` has the numbers about a state");
  require_plain_tree(arm.model, "`derive --only Kt`");
  const UseGraph use(*arm.graph);
  const int n = arm.model.nv();
  const VectorX<Expression> rest = derive_rest(arm);
  // K is constant but for telescoping beams
  std::vector<Expression> forces = entries(G);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) forces[static_cast<std::size_t>(i)] += K(i, k) * (arm.q[k] - rest[k]);
  MatrixX<Expression> Kt = zeros(n, n);
  for (int j = 0; j < n; ++j) {
    const std::vector<Expression> slopes = arm.graph->derivatives(forces, arm.q[j]);
    for (int i = 0; i < n; ++i) Kt(i, j) = slopes[static_cast<std::size_t>(i)];
  }
  return Kt;
}

VectorX<Expression> derive_accelerations(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  const Model& model = arm.model;
  VectorX<Expression> acceleration(model.nv());
  forward_dynamics(model, *arm.work, arm.q, arm.v, arm.tau, acceleration);
  check_accelerations(arm, acceleration);
  return acceleration;
}

VectorX<Expression> derive_inertial_forces(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  VectorX<Expression> forces(arm.model.nv());
  inverse_dynamics(arm.model, *arm.work, arm.q, arm.v, arm.a, forces);
  return forces;
}

VectorX<Expression> derive_missing_forces(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  const int n = arm.model.nv();
  const VectorX<Expression> inertial = derive_inertial_forces(arm);
  VectorX<Expression> passive(n), missing(n);
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
