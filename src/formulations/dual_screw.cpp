// SPDX-License-Identifier: BSD-3-Clause
#include "dual_screw.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "generated.hpp"
#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/finite.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/formulations/linear_arm.hpp"
#include "limber/formulations/prescribed_rows.hpp"
#include "limber/formulations/truncated_arm.hpp"
#include "limber/math/detail/small_cholesky.hpp"

namespace limber {

using namespace detail;

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string short_number(double x) {
  char text[32];  // NOLINT: for snprintf
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

class DualScrew : public Formulation {
 public:
  DualScrew(const Model& model, const FormulationOptions& options)
      : arm_(model, options),
        work_(arm_.model()),
        M_(model.nv(), model.nv()),
        forces_(model.nv()),
        passive_(model.nv()),
        undeflected_(model.nq()),
        prescribed_(model),
        definite_(options.definite),
        first_order_(model.nv(), model.nv()),
        M0_(model.nv(), model.nv()) {
    if (options.nonlinear_links.empty() && options.nonlinear_coordinates.empty())
      linear_.emplace(model, options.consistent);
    if (options.generated) code_.emplace(model, options);
  }
  const char* name() const override { return "dual-screw"; }
  const Model& model() const override { return arm_.model(); }

  void do_prescribe(const std::vector<int>& links) override { prescribed_.set(model(), links); }
  // `evaluate` and `accelerate` leave the forces at the accelerations that they found.
  void do_prescribed_efforts(const DynamicsInput&, const DynamicsOutput&,
                             Output<double> efforts) const override {
    for (int i = 0; i < model().nv(); ++i)
      if (prescribed_[i]) efforts[i] = forces_[i] + passive_[i];
  }
  void do_accelerate(const DynamicsInput& input, DynamicsOutput& output) override {
    solve(input, output.acceleration);
    if (prescribed_.any()) find_forces(input, output.acceleration, forces_);
  }
  bool do_missing_forces(const DynamicsInput& input, const Input<double>& a, VectorXd& forces) override {
    find_forces(input, a, forces);
    elastic_and_damping_forces(model(), work_, input.q, input.v, passive_);
    forces = input.tau - forces - passive_;
    return true;
  }
  void do_evaluate(const DynamicsInput& input, DynamicsOutput& output) override {
    require_finite(model(), input.q, input.v, input.tau, input.loads);
    solve(input, output.acceleration);
    if (!definite_) note_definiteness(input.q);
    find_forces(input, output.acceleration, forces_, true);
    if (definite_) note_lost_definiteness();
    if (linear_)
      linear_->wrenches(output.wrenches);
    else
      arm_.wrenches(output.wrenches);
  }
  bool do_equation_terms(const Input<double>& q, const Input<double>& v, EquationTerms& terms) override;
  bool do_motion_terms(const Input<double>& q, const Input<double>& v, MotionTerms& terms) override;
  std::string why_no_coriolis_matrix() const override {
    return "dual-screw: no matrix gives its Coriolis forces and makes dM/dt - 2 C skew-symmetric, because "
           "its "
           "truncated equations do not keep an energy (docs/dual-screw.md)";
  }
  bool do_tangent(const DynamicsInput& input, const Input<double>& a, Tangent& tangent) override;
  std::vector<std::string> doubts() const override;

 private:
  // `with_wrenches`: leaves them behind, which code does not.
  void find_forces(const DynamicsInput& input, const Input<double>& a, VectorXd& forces,
                   bool with_wrenches = false) {
    if (code_ && input.loads.empty() && !with_wrenches)
      code_->forces(input.q, input.v, a, forces);
    else if (linear_)
      linear_->forces(input.q, input.v, a, input.loads, forces);
    else
      arm_.forces(input.q, input.v, a, input.loads, forces);
    if (!definite_) return;
    find_first_order_mass(input.q, first_order_);
    find_square(input.q, first_order_);
    forces.noalias() += square_ * a;
  }
  void find_first_order_mass(const Input<double>& q, MatrixXd& M) {
    if (linear_)
      linear_->mass_matrix(q, M);
    else
      arm_.mass_matrix(q, M);
  }
  void find_mass_matrix(const Input<double>& q, MatrixXd& M) {
    find_first_order_mass(q, M);
    if (!definite_) return;
    find_square(q, M);
    M += square_;
  }
  void find_square(const Input<double>& q, const MatrixXd& M);
  void note_lost_definiteness();
  void solve(const DynamicsInput& input, VectorXd& a);
  void note_definiteness(const Input<double>& q);
  [[noreturn]] void throw_indefinite(const Input<double>& q, int coordinate) const;

  TruncatedArm arm_;
  std::optional<LinearArm> linear_;  ///< the same, fast, where no link is nonlinear
  std::optional<LinearCode> code_;   ///< the same for what no load acts on, where it is asked for
  Workspace<double> work_;           ///< for springs and dampers, which are linear
  MatrixXd M_;
  SmallCholesky factor_, undeflected_factor_;
  VectorXd forces_, passive_, undeflected_;
  PrescribedRows prescribed_;
  // Of `definite`: (4) of truncated_arm.hpp.
  bool definite_ = false;
  MatrixXd first_order_, M0_, M1_, solved_, square_;
  VectorXd column_;
  int lost_at_ = -1;  ///< the coordinate at which M without the square was not definite in `evaluate`
  // How near M came to losing its definiteness in `evaluate`.
  double smallest_share_ = 1.0;
  int smallest_at_ = 0;
};

void DualScrew::solve(const DynamicsInput& input, VectorXd& a) {
  a.resize(model().nv());
  for (int i = 0; i < model().nv(); ++i)
    if (!prescribed_[i]) a[i] = 0.0;
  if (code_ && input.loads.empty()) {
    code_->equations(input.q, input.v, a, M_, forces_);
  } else if (linear_) {
    linear_->equations(input.q, input.v, a, input.loads, M_, forces_);
  } else {
    arm_.mass_matrix(input.q, M_);
    arm_.forces(input.q, input.v, a, input.loads, forces_);
  }
  if (definite_) {
    M_.triangularView<Eigen::StrictlyUpper>() = M_.transpose();
    find_square(input.q, M_);
    M_ += square_;
    forces_.noalias() += square_ * a;
  }
  prescribed_.make_identity(M_);
  if (const int failed = factor_.compute(M_); failed >= 0) throw_indefinite(input.q, failed);
  elastic_and_damping_forces(model(), work_, input.q, input.v, passive_);
  forces_ = input.tau - forces_ - passive_;
  for (int i = 0; i < model().nv(); ++i)
    if (prescribed_[i]) forces_[i] = a[i];
  factor_.solve(forces_, a);
}

// 1/2 M1 M0^-1 M1 of (4), from M without it.
void DualScrew::find_square(const Input<double>& q, const MatrixXd& M) {
  const int nv = model().nv();
  arm_.undeflect(q, undeflected_);
  find_first_order_mass(undeflected_, M0_);
  undeflected_factor_.compute(M0_);
  M1_ = M - M0_;
  solved_.resize(nv, nv);
  for (int j = 0; j < nv; ++j) {
    column_ = M1_.col(j);
    undeflected_factor_.solve(column_, column_);
    solved_.col(j) = column_;
  }
  square_.noalias() = 0.5 * M1_ * solved_;
}

void DualScrew::note_lost_definiteness() {
  prescribed_.make_identity(first_order_);
  if (const int failed = factor_.compute(first_order_); failed >= 0) lost_at_ = failed;
}

// A pivot of M falls from what it is without deflection to zero where M becomes singular.
void DualScrew::note_definiteness(const Input<double>& q) {
  undeflected_ = q;
  for (const Link& link : model().links())
    undeflected_.segment(link.elastic_q_index, link.elastic_count).setZero();
  find_mass_matrix(undeflected_, M_);
  prescribed_.make_identity(M_);
  undeflected_factor_.compute(M_);
  for (int i = 0; i < model().nv(); ++i) {
    const double share = factor_.pivot(i) / undeflected_factor_.pivot(i);
    if (share >= smallest_share_) continue;
    smallest_share_ = share;
    smallest_at_ = i;
  }
}

std::vector<std::string> DualScrew::doubts() const {
  constexpr double near = 0.2;
  if (lost_at_ >= 0)
    return {
        "dual-screw: the mass matrix of first order in the elastic states was not positive definite at `" +
        model().coordinates()[static_cast<std::size_t>(lost_at_)] +
        "`; `definite` kept the run going, but first order is no longer enough there: compare with "
        "`recursive`"};
  if (smallest_share_ > near) return {};
  return {
      "dual-screw: the mass matrix came near to losing its positive definiteness: at `" +
      model().coordinates()[static_cast<std::size_t>(smallest_at_)] + "` only " +
      short_number(100.0 * smallest_share_) +
      " % of the undeflected arm's inertia was left. First order in the elastic states is no longer enough; "
      "compare with `recursive`"};
}

void DualScrew::throw_indefinite(const Input<double>& q, int coordinate) const {
  require_finite(model(), q);
  int worst = -1, worst_q = -1;
  double largest = 0.0;
  for (const Link& link : model().links())
    for (int j = 0; j < link.elastic_count; ++j) {
      const double deflection = std::abs(q[link.elastic_q_index + j]);
      if (deflection <= largest) continue;
      largest = deflection;
      worst = link.elastic_v_index + j;
      worst_q = link.elastic_q_index + j;
    }
  const std::string where = model().coordinates()[static_cast<std::size_t>(coordinate)];
  if (worst < 0)
    throw ComputationError("the mass matrix is singular at `" + where + "`; `recursive` says more");
  throw ComputationError(
      "dual-screw: the mass matrix, of first order in the elastic states, is no longer positive definite at "
      "`" +
      where + "`. The largest elastic state is `" + model().coordinates()[static_cast<std::size_t>(worst)] +
      "` = " + short_number(q[worst_q]) + "; take recursive, or make that link nonlinear");
}

bool DualScrew::do_equation_terms(const Input<double>& q, const Input<double>& v, EquationTerms& terms) {
  const int nv = model().nv();
  terms.mass_matrix.resize(nv, nv);
  arm_.mass_matrix(q, terms.mass_matrix);
  if (definite_) {
    find_square(q, terms.mass_matrix);
    terms.mass_matrix += square_;
  }
  const VectorXd zero = VectorXd::Zero(nv);
  arm_.forces(q, zero, zero, {}, terms.gravity);
  arm_.forces(q, v, zero, {}, terms.bias);
  return true;
}

bool DualScrew::do_motion_terms(const Input<double>& q, const Input<double>& v, MotionTerms& terms) {
  arm_.end_effector(q, terms.end_effector, terms.jacobian);
  find_mass_matrix(q, M_);
  terms.energy = energy(model(), work_, q, v);  // strain is quadratic in both models
  terms.energy.kinetic = 0.5 * v.dot(M_ * v);
  terms.energy.gravity = arm_.gravity_energy(q);
  return true;
}

// By central differences. Forces are linear in small elastic states and quadratic in velocities, for which they are exact;
// for joints they are off by h^2 / 6.
bool DualScrew::do_tangent(const DynamicsInput& input, const Input<double>& a, Tangent& tangent) {
  constexpr double h_position = 1e-5, h_velocity = 1e-2;
  const int nv = model().nv();
  find_mass_matrix(input.q, tangent.M);
  VectorXd delta = VectorXd::Zero(nv), moved(model().nq()), plus(nv), minus(nv);
  const auto forces_at = [&](const Input<double>& q, const Input<double>& v, VectorXd& forces) {
    find_forces({q, v, input.tau, input.loads}, a, forces);
  };
  for (int j = 0; j < nv; ++j) {
    delta[j] = h_position;
    displace(model(), input.q, delta, moved);
    forces_at(moved, input.v, plus);
    delta[j] = -h_position;
    displace(model(), input.q, delta, moved);
    forces_at(moved, input.v, minus);
    tangent.K.col(j) = (plus - minus) / (2.0 * h_position);
    delta[j] = h_velocity;
    forces_at(input.q, input.v + delta, plus);
    forces_at(input.q, input.v - delta, minus);
    tangent.C.col(j) = (plus - minus) / (2.0 * h_velocity);
    delta[j] = 0.0;
  }
  return true;
}

}  // namespace

std::unique_ptr<Formulation> make_dual_screw(const Model& model, const FormulationOptions& options) {
  return std::make_unique<DualScrew>(model, options);
}

}  // namespace limber
