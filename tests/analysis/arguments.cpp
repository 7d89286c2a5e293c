// SPDX-License-Identifier: BSD-3-Clause
// Every public function of the analyses, called with each of its arguments wrong: an error that says which, never a crash.

#include <gtest/gtest.h>

#include <cmath>

#include "limber/algorithms/beam_state.hpp"
#include "limber/analysis/balanced.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/limits.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/analysis/modal_damping.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/analysis/motion_bounds.hpp"
#include "limber/analysis/resolved_eigenvalues.hpp"
#include "limber/analysis/riccati.hpp"
#include "limber/analysis/rigid_arm.hpp"
#include "limber/analysis/well_posedness.hpp"
#include "limber/analysis/zeros.hpp"
#include "limber/core/computation_error.hpp"
#include "wrong_calls.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct WrongCallsOfAnalyses : testing::Test {
  Model m = one_boom("boom");
  VectorXd q = VectorXd::Zero(3), v = q, a = q, tau = q, out = q, wrong = VectorXd::Zero(2), none;
  MatrixXd square = MatrixXd::Identity(3, 3), wide = MatrixXd::Zero(3, 4), small = MatrixXd::Identity(2, 2);
  std::vector<Load> far{Load{5}}, nowhere{Load{0, -1}};
  OperatingPoint about{q, v, tau, {}};
};

TEST_F(WrongCallsOfAnalyses, DifferentiatingForcesSayWhich) {
  ForceDifferentiator d(m);
  MatrixXd result;
  ForceDifferentiator moved_to = std::move(d);
  ForceDifferentiator& gone = d;
  ForceDifferentiator& f = moved_to;
  expect_said({
      {"ForceDifferentiator::by_position: q", [&] { f.by_position(wrong, v, a, {}, {0}); }},
      {"ForceDifferentiator::by_position: v", [&] { f.by_position(q, wrong, a, {}, {0}); }},
      {"ForceDifferentiator::by_position: qdd", [&] { f.by_position(q, v, wrong, {}, {0}); }},
      {"ForceDifferentiator::by_position: columns", [&] { f.by_position(q, v, a, {}, {3}); }},
      {"ForceDifferentiator::by_position: columns", [&] { f.by_position(q, v, a, {}, {-1}, result); }},
      {"inverse_dynamics: loads", [&] { f.by_position(q, v, a, far, {0}); }},
      {"ForceDifferentiator::by_velocity: q", [&] { f.by_velocity(wrong, v, {0}); }},
      {"ForceDifferentiator::by_velocity: v", [&] { f.by_velocity(q, wrong, {0}); }},
      {"ForceDifferentiator::by_velocity: columns",
       [&] {
         f.by_velocity(q, v, {0, 9}, result);
       }},
      {"ForceDifferentiator::along: q", [&] { f.along(wrong, v, a, {}, q, v, out); }},
      {"ForceDifferentiator::along: v", [&] { f.along(q, wrong, a, {}, q, v, out); }},
      {"ForceDifferentiator::along: qdd", [&] { f.along(q, v, wrong, {}, q, v, out); }},
      {"ForceDifferentiator::along: dq", [&] { f.along(q, v, a, {}, wrong, v, out); }},
      {"ForceDifferentiator::along: dv", [&] { f.along(q, v, a, {}, q, wrong, out); }},
      {"ForceDifferentiator::by_position: this", [&] { gone.by_position(q, v, a, {}, {0}); }},
      {"ForceDifferentiator::by_velocity: this", [&] { gone.by_velocity(q, v, {0}); }},
      {"ForceDifferentiator::along: this", [&] { gone.along(q, v, a, {}, q, v, out); }},
      {"ForceDifferentiator::set_gravity_factor: this", [&] { gone.set_gravity_factor(1.0); }},
      {"force_derivatives: q", [&] { force_derivatives(m, wrong, v, a); }},
      {"force_derivatives: v", [&] { force_derivatives(m, q, wrong, a); }},
      {"force_derivatives: qdd", [&] { force_derivatives(m, q, v, wrong); }},
      {"force_derivatives: loads", [&] { force_derivatives(m, q, v, a, far); }},
      {"required_forces: q", [&] { required_forces(m, wrong, v, a); }},
      {"required_forces: v", [&] { required_forces(m, q, wrong, a); }},
      {"required_forces: v", [&] { required_forces(m, q, none, a); }},
      {"required_forces: acceleration", [&] { required_forces(m, q, v, wrong); }},
      {"required_forces: loads", [&] { required_forces(m, q, v, a, nowhere); }},
      {"derivatives_from: M", [&] { derivatives_from(wide, square, square); }},
      {"derivatives_from: dforce_dq", [&] { derivatives_from(square, small, square); }},
      {"derivatives_from: dforce_dv", [&] { derivatives_from(square, square, small); }},
      {"dynamics_derivatives: q", [&] { dynamics_derivatives(m, wrong, v, tau); }},
      {"dynamics_derivatives: v", [&] { dynamics_derivatives(m, q, wrong, tau); }},
      {"dynamics_derivatives: tau", [&] { dynamics_derivatives(m, q, v, wrong); }},
      {"dynamics_derivatives: loads", [&] { dynamics_derivatives(m, q, v, tau, far); }},
      {"dynamics_derivatives: acceleration", [&] { dynamics_derivatives(m, q, v, tau, {}, wrong); }},
  });
}

TEST_F(WrongCallsOfAnalyses, OfStaticsAndLimitsSayWhich) {
  const Eigen::Vector3d there(1, 0, 0), nan(std::nan(""), 0, 0);
  expect_said({
      {"static_equilibrium: q", [&] { static_equilibrium(m, wrong); }},
      {"static_equilibrium: loads", [&] { static_equilibrium(m, q, far); }},
      {"static_equilibrium: rates", [&] { static_equilibrium(m, q, {}, StaticModel::exact, wrong); }},
      {"critical_load: q", [&] { critical_load(m, wrong, {}); }},
      {"critical_load: loads", [&] { critical_load(m, q, nowhere); }},
      {"reach: q", [&] { reach(m, wrong, there, {}); }},
      {"reach: position", [&] { reach(m, q, nan, {}); }},
      {"reach: rotation", [&] { reach(m, q, there, Eigen::Matrix3d::Constant(std::nan(""))); }},
      {"reach: loads", [&] { reach(m, q, there, {}, far); }},
      {"position_warning: coordinate", [&] { position_warning(m, 1, 0.0, Occasion::state); }},
      {"position_warning: coordinate", [&] { position_warning(m, -1, 0.0, Occasion::state); }},
      {"rate_warning: coordinate", [&] { rate_warning(m, 3, 0.0, Occasion::state); }},
      {"effort_warning: coordinate", [&] { effort_warning(m, 7, 0.0, Occasion::state); }},
      {"state_warnings: q", [&] { state_warnings(m, wrong); }},
      {"state_warnings: v", [&] { state_warnings(m, q, wrong); }},
      {"effort_warnings: efforts", [&] { effort_warnings(m, wrong); }},
      {"beam_strain: eta", [&] { beam_strain(m.links()[0], q, 0.0); }},
      {"beam_strain: x", [&] { beam_strain(m.links()[0], wrong, 6.1); }},
      {"beam_strain: x", [&] { beam_strain(m.links()[0], wrong, std::nan("")); }},
      {"RigidArm::end_effector: q", [&] { RigidArm(m).end_effector(wrong); }},
      {"sag: q", [&] { sag(m, wrong, q); }},
      {"sag: q_joints", [&] { sag(m, q, wrong); }},
  });
}

TEST_F(WrongCallsOfAnalyses, OfModesAndMotionsSayWhich) {
  NaturalModes modes = natural_modes(m, q), cut = modes;
  cut.shapes.resize(2, cut.shapes.cols());
  MotionOperators motions(m, q, v, a);
  expect_said({
      {"tangent_stiffness: q", [&] { tangent_stiffness(m, wrong); }},
      {"tangent_stiffness: loads", [&] { tangent_stiffness(m, q, true, far); }},
      {"natural_modes: q", [&] { natural_modes(m, wrong); }},
      {"natural_modes: loads", [&] { natural_modes(m, q, JointTreatment::held, 0, nowhere); }},
      {"steady_rotation_modes: q",
       [&] {
         steady_rotation_modes(m, wrong, {{0, 1.0}});
       }},
      {"steady_rotation_modes: spin",
       [&] {
         steady_rotation_modes(m, q, {{1, 1.0}});
       }},
      {"steady_rotation_modes: spin",
       [&] {
         steady_rotation_modes(m, q, {{-1, 1.0}});
       }},
      {"steady_rotation_modes: loads",
       [&] {
         steady_rotation_modes(m, q, {{0, 1.0}}, JointTreatment::held, 0, far);
       }},
      {"damping_ratios: q", [&] { damping_ratios(m, wrong, modes); }},
      {"damping_ratios: modes.shapes", [&] { damping_ratios(m, q, cut); }},
      {"MotionOperators: q", [&] { MotionOperators(m, wrong, v, a); }},
      {"MotionOperators: v", [&] { MotionOperators(m, q, wrong, a); }},
      {"MotionOperators: a", [&] { MotionOperators(m, q, v, wrong); }},
      {"MotionOperators: loads", [&] { MotionOperators(m, q, v, a, far); }},
      {"MotionOperators: held", [&] { MotionOperators(m, q, v, a, {}, {1}); }},
      {"MotionOperators::add_gains: to_K", [&] { motions.add_gains(small, square); }},
      {"MotionOperators::add_gains: to_C", [&] { motions.add_gains(square, wide); }},
      {"MotionOperators::stiffness_forces: x", [&] { motions.stiffness_forces(wrong, out); }},
      {"MotionOperators::damping_forces: x", [&] { motions.damping_forces(wrong, out); }},
      {"MotionOperators::accelerate: forces", [&] { motions.accelerate(wrong, out); }},
      {"MotionOperators::hold: forces", [&] { motions.hold(wrong); }},
      {"fastest_motion: q", [&] { fastest_motion(m, wrong); }},
      {"locked_frequencies: q", [&] { locked_frequencies(m, wrong, 2); }},
      {"locked_frequencies: count", [&] { locked_frequencies(m, q, -2); }},
      {"well_posedness: q", [&] { well_posedness(m, wrong, v); }},
      {"well_posedness: v", [&] { well_posedness(m, q, wrong); }},
      {"motion_eigenvalues: q", [&] { motion_eigenvalues(m, wrong); }},
      {"motion_eigenvalues: M", [&] { motion_eigenvalues(wide, square, square); }},
      {"motion_eigenvalues: C", [&] { motion_eigenvalues(square, small, square); }},
      {"motion_eigenvalues: K", [&] { motion_eigenvalues(square, square, wide); }},
      {"small_motions: M", [&] { small_motions(wide, {}, square); }},
      {"small_motions: G", [&] { small_motions(square, small, square); }},
      {"small_motions: K", [&] { small_motions(square, {}, small); }},
  });
  EXPECT_FALSE(is_symmetric(wide));
  EXPECT_TRUE(small_motions({}, {}, {}).empty());
  EXPECT_TRUE(dependent_rows(MatrixXd(0, 3)).empty());
}

TEST_F(WrongCallsOfAnalyses, OfLinearModelsSayWhich) {
  const LinearModel linear = linearize(m, about);
  const auto with = [&](MatrixXd LinearModel::*part, const MatrixXd& matrix) {
    LinearModel changed = linear;
    changed.*part = matrix;
    return changed;
  };
  const auto point = [&](VectorXd OperatingPoint::*part) {
    OperatingPoint changed = about;
    changed.*part = wrong;
    return changed;
  };
  OperatingPoint loaded = about;
  loaded.loads = far;
  expect_said({
      {"settled_point: q", [&] { settled_point(m, wrong); }},
      {"settled_point: loads", [&] { settled_point(m, q, far); }},
      {"settled_point: joint_rates", [&] { settled_point(m, q, {}, wrong); }},
      {"linearize: about.q", [&] { linearize(m, point(&OperatingPoint::q)); }},
      {"linearize: about.v", [&] { linearize(m, point(&OperatingPoint::v)); }},
      {"linearize: about.tau", [&] { linearize(m, point(&OperatingPoint::tau)); }},
      {"linearize: loads", [&] { linearize(m, loaded); }},
      {"outputs", [&] { linearize(m, about, {"elbow"}); }},
      {"linearize: about.q", [&] { linearize_at_points(m, point(&OperatingPoint::q), {"boom@0.5.y"}); }},
      {"outputs", [&] { linearize_at_points(m, about, {"boom@1.5.y"}); }},
      {"balanced_eigenvalues: A", [&] { poles(with(&LinearModel::A, wide)); }},
      {"FrequencyResponse: model: A", [&] { FrequencyResponse(with(&LinearModel::A, wide)); }},
      {"FrequencyResponse: model: B", [&] { FrequencyResponse(with(&LinearModel::B, small)); }},
      {"FrequencyResponse: model: C", [&] { FrequencyResponse(with(&LinearModel::C, small)); }},
      {"FrequencyResponse: model: D", [&] { frequency_response(with(&LinearModel::D, wide), 1.0); }},
      {"zero_dynamics: model: A", [&] { zero_dynamics(with(&LinearModel::A, wide)); }},
      {"zero_dynamics: model: B", [&] { zero_dynamics(with(&LinearModel::B, small)); }},
      {"zero_dynamics: model: C", [&] { zero_dynamics(with(&LinearModel::C, small)); }},
      {"zero_dynamics: model: D", [&] { zero_dynamics(with(&LinearModel::D, wide)); }},
      {"balancing_scale: A", [&] { balancing_scale(wide); }},
      {"balanced_eigenvalues: A", [&] { balanced_eigenvalues(wide); }},
      {"balanced_eigenvalues: A", [&] { ResolvedEigenvalues{wide}; }},
      {"solve_lyapunov: A", [&] { solve_lyapunov(wide, square); }},
      {"solve_lyapunov: W", [&] { solve_lyapunov(square, small); }},
  });
  for (const auto& [A, B, Q, R] : std::vector<std::array<MatrixXd, 4>>{{wide, square, square, square},
                                                                       {square, small, square, small},
                                                                       {square, square, small, square},
                                                                       {square, square, square, small}}) {
    EXPECT_THROW(solve_riccati(A, B, Q, R), InputError);
    EXPECT_THROW(lqr_gain(A, B, Q, R), InputError);
  }
}

// Numbers that are none are told from singular matrices.
TEST_F(WrongCallsOfAnalyses, OfNumbersThatAreNoneNameTheCoordinate) {
  VectorXd bad = q;
  bad[1] = std::nan("");
  const auto said = [](const std::function<void()>& call) -> std::string {
    try {
      call();
    } catch (const ComputationError& error) {
      return error.what();
    }
    return "no error";
  };
  for (const auto& call : std::vector<std::function<void()>>{
           [&] { static_equilibrium(m, bad); }, [&] { critical_load(m, bad, {}); },
           [&] { natural_modes(m, bad); }, [&] { required_forces(m, bad, v, a); },
           [&] { dynamics_derivatives(m, bad, v, tau); },
           [&] {
             linearize(m, {bad, v, tau, {}});
           }})
    EXPECT_EQ(said(call), "q is not finite: `boom.y1` is nan");
}

// Parts of vectors, columns and Maps are taken as they are.
TEST_F(WrongCallsOfAnalyses, TakePartsOfVectors) {
  VectorXd state = VectorXd::LinSpaced(6, 0.0, 0.01);
  const VectorXd head = state.head(3), tail = state.tail(3);
  EXPECT_EQ(required_forces(m, state.head(3), state.tail(3), state.head(3)),
            required_forces(m, head, tail, head));
  EXPECT_EQ(natural_modes(m, Eigen::Map<const VectorXd>(state.data(), 3)).angular_frequencies,
            natural_modes(m, head).angular_frequencies);
  EXPECT_EQ(static_equilibrium(m, state.head(3)).q, static_equilibrium(m, head).q);
}

}  // namespace
}  // namespace limber
