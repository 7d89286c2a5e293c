// SPDX-License-Identifier: BSD-3-Clause
// Arguments of formulations are looked at here, for all of them.

#include "limber/formulations/formulation.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {

using detail::Call;

void Formulation::require(const char* function, const DynamicsInput& input) const {
  const Call call{function, model()};
  call.require_position("input.q", input.q);
  call.require_velocity("input.v", input.v);
  call.require_velocity("input.tau", input.tau);
  call.require_loads(input.loads);
}

// Rows of prescribed joints are handed in.
void Formulation::require_known_accelerations(const char* function, const DynamicsOutput& output) const {
  if (has_prescribed_) Call{function, model()}.require_velocity("output.acceleration", output.acceleration);
}

void Formulation::prescribe(const std::vector<int>& links) {
  Call{"Formulation::prescribe", model()}.require_links("links", links);
  do_prescribe(links);
  has_prescribed_ = !links.empty();
}

void Formulation::prescribed_efforts(const DynamicsInput& input, const DynamicsOutput& output,
                                     Output<double> efforts) const {
  require("Formulation::prescribed_efforts", input);
  const Call call{"Formulation::prescribed_efforts", model()};
  call.require_velocity("output.acceleration", output.acceleration);
  call.require_velocity("efforts", efforts);
  do_prescribed_efforts(input, output, efforts);
}

void Formulation::accelerate(const DynamicsInput& input, DynamicsOutput& output) {
  require("Formulation::accelerate", input);
  require_known_accelerations("Formulation::accelerate", output);
  do_accelerate(input, output);
}

bool Formulation::missing_forces(const DynamicsInput& input, const Input<double>& a,
                                 Eigen::VectorXd& forces) {
  require("Formulation::missing_forces", input);
  Call{"Formulation::missing_forces", model()}.require_velocity("a", a);
  return do_missing_forces(input, a, forces);
}

void Formulation::evaluate(const DynamicsInput& input, DynamicsOutput& output) {
  require("Formulation::evaluate", input);
  require_known_accelerations("Formulation::evaluate", output);
  do_evaluate(input, output);
}

bool Formulation::equation_terms(const Input<double>& q, const Input<double>& v, EquationTerms& terms) {
  const Call call{"Formulation::equation_terms", model()};
  call.require_position("q", q);
  call.require_velocity("v", v);
  return do_equation_terms(q, v, terms);
}

bool Formulation::motion_terms(const Input<double>& q, const Input<double>& v, MotionTerms& terms) {
  const Call call{"Formulation::motion_terms", model()};
  call.require_position("q", q);
  call.require_velocity("v", v);
  return do_motion_terms(q, v, terms);
}

bool Formulation::tangent(const DynamicsInput& input, const Input<double>& a, Tangent& tangent) {
  require("Formulation::tangent", input);
  Call{"Formulation::tangent", model()}.require_velocity("a", a);
  for (Eigen::MatrixXd* matrix : {&tangent.M, &tangent.C, &tangent.K})
    matrix->resize(model().nv(), model().nv());
  return do_tangent(input, a, tangent);
}

}  // namespace limber
