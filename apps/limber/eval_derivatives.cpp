// SPDX-License-Identifier: BSD-3-Clause
#include "eval_derivatives.hpp"

namespace limber::app {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd inverse_dynamics_of(Formulation& formulation, const Model& model, const State& state,
                             const std::vector<Load>& loads) {
  const VectorXd nothing = VectorXd::Zero(model.nv());
  VectorXd missing(model.nv());
  if (formulation.missing_forces({state.q, state.v, nothing, loads}, *state.acceleration, missing))
    return -missing;
  return required_forces(model, state.q, state.v, *state.acceleration, loads);
}

DynamicsDerivatives derivatives_of(Formulation& formulation, const Model& model, const State& state,
                                   const std::vector<Load>& loads, const VectorXd& own) {
  const int nv = model.nv();
  const DynamicsInput input{state.q, state.v, state.tau, loads};
  Tangent tangent{MatrixXd(nv, nv), MatrixXd(nv, nv), MatrixXd(nv, nv)};
  if (!formulation.tangent(input, own, tangent))  // the nonlinear model's
    return dynamics_derivatives(model, state.q, state.v, state.tau, loads, state.acceleration);
  const MatrixXd stiffness = elastic_stiffness(model), damping = damping_matrix(model);
  DynamicsDerivatives result = derivatives_from(tangent.M, stiffness + tangent.K, damping + tangent.C);
  if (!state.acceleration) return result;
  formulation.tangent(input, *state.acceleration, tangent);
  result.dforce_dq = stiffness + tangent.K;
  return result;
}

}  // namespace limber::app
