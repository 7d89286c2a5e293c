// SPDX-License-Identifier: BSD-3-Clause
#include "eval_derivatives.hpp"

#include "json_numbers.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/friction.hpp"

namespace limber::app {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd inverse_dynamics_of(Formulation& formulation, const Model& model, const State& state,
                             const std::vector<Load>& loads) {
  const VectorXd nothing = VectorXd::Zero(model.nv());
  VectorXd missing(model.nv());
  if (formulation.missing_forces({state.q, state.v, nothing, loads}, *state.acceleration, missing))
    return friction_forces(model, state.v) - missing;
  return required_forces(model, state.q, state.v, *state.acceleration, loads);
}

namespace {

// Joints that stick do not answer: what holds them changes instead. With W = da/dtau, of them W_ss, every derivative of accelerations becomes
// (1 - W_s W_ss^-1 E_s^T) times itself.
void hold(const std::vector<int>& stuck, DynamicsDerivatives& result) {
  if (stuck.empty()) return;
  const MatrixXd W_s = result.dacceleration_dtau(Eigen::all, stuck);
  const MatrixXd W_ss = W_s(stuck, Eigen::all);
  const Eigen::LLT<MatrixXd> factor(W_ss);
  for (MatrixXd* matrix : {&result.dacceleration_dq, &result.dacceleration_dv, &result.dacceleration_dtau}) {
    const MatrixXd rows = (*matrix)(stuck, Eigen::all);
    *matrix -= W_s * factor.solve(rows);
    for (const int c : stuck) matrix->row(c).setZero();
  }
}

}  // namespace

DynamicsDerivatives derivatives_of(Formulation& formulation, const Model& model, const State& state,
                                   const std::vector<Load>& loads, const VectorXd& own,
                                   const StateFriction& friction) {
  const int nv = model.nv();
  const DynamicsInput input{state.q, state.v, state.tau, loads};
  Tangent tangent{MatrixXd(nv, nv), MatrixXd(nv, nv), MatrixXd(nv, nv)};
  DynamicsDerivatives result;
  if (!formulation.tangent(input, own, tangent)) {  // the nonlinear model's
    // at the acceleration that friction of joints at rest leaves
    VectorXd tau = state.tau - friction.forces;
    add_friction_forces(model, state.v, 1.0, tau);
    result = dynamics_derivatives(model, state.q, state.v, tau, loads, state.acceleration);
  } else {
    const MatrixXd stiffness = elastic_stiffness(model);
    MatrixXd damping = damping_matrix(model);
    damping.diagonal() += friction_slopes(model, state.v);
    result = derivatives_from(tangent.M, stiffness + tangent.K, damping + tangent.C);
    if (state.acceleration) {
      formulation.tangent(input, *state.acceleration, tangent);
      result.dforce_dq = stiffness + tangent.K;
    }
  }
  hold(friction.stuck, result);
  return result;
}

EndEffectorDerivatives end_effector_derivatives(const Model& model, const State& state,
                                                const VectorXd& acceleration) {
  constexpr MotionAxes axes = MotionAxes::local_world_aligned;
  const Frame& frame = end_effector_frame(model);
  Workspace<double> work(model);
  EndEffectorDerivatives result;
  frame_derivatives(model, work, frame, axes, state.q, state.v, acceleration, result.motion);
  frame_jacobian_derivatives(model, work, frame, axes, state.q, result.jacobian);
  return result;
}

nlohmann::ordered_json end_effector_json(const EndEffectorDerivatives& of) {
  nlohmann::ordered_json jacobian = nlohmann::ordered_json::array();
  for (const Matrix6X<double>& one : of.jacobian.dq) jacobian.push_back(matrix_json(one));
  return {{"twist_dq", matrix_json(of.motion.twist_dq)},
          {"acceleration_dq", matrix_json(of.motion.acceleration_dq)},
          {"acceleration_dv", matrix_json(of.motion.acceleration_dv)},
          {"jacobian_dq", jacobian}};
}

}  // namespace limber::app
