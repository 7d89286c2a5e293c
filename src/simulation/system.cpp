// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/formulations/prescribed_rows.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/inner_loads.hpp"
#include "valid_scenario.hpp"

namespace limber {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

std::vector<int> links_of(const Model& model, const std::vector<JointTarget>& prescribed) {
  std::vector<int> links;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Joint& joint = model.links()[i].joint;
    for (const JointTarget& target : prescribed)
      if (joint.nv > 0 && target.coordinate == joint.driven_index()) links.push_back(static_cast<int>(i));
  }
  return links;
}

detail::Tolerances tolerances_of(const Scenario& scenario, Workspace<double>& work,
                                 const MatrixXd& stiffness) {
  const Model& model = scenario.model;
  MatrixXd M(model.nv(), model.nv());
  mass_matrix(model, work, scenario.q, M);
  std::vector<char> is_prescribed(static_cast<std::size_t>(model.nv()), 0);
  for (const JointTarget& target : scenario.prescribed)
    is_prescribed[static_cast<std::size_t>(target.coordinate)] = 1;
  detail::Tolerances tolerances(model, M.diagonal(), stiffness.diagonal(), std::move(is_prescribed),
                                scenario.integrator.rtol, scenario.integrator.atol);
  tolerances.note_sizes(scenario.q, scenario.v);
  return tolerances;
}

void require_closed(bool is_closed, const Model& model, const Input<double>& q, double t) {
  if (is_closed) return;
  const std::vector<LoopGap> gaps = loop_gaps(model, q);
  const auto worst = std::max_element(gaps.begin(), gaps.end(), [](const LoopGap& one, const LoopGap& other) {
    return one.distance + one.angle < other.distance + other.angle;
  });
  throw ComputationError(
      fmt::format("at t = {:.6g} s loop `{}` cannot be closed: its places are {:.3g} m and {:.3g} rad apart, "
                  "and no motion of the "
                  "joints that are free brings them together. The mechanism has come to a position in which "
                  "it locks, or joints "
                  "are prescribed where it cannot follow",
                  t, worst->name, worst->distance, worst->angle));
}

}  // namespace

System::System(Scenario& scenario)
    : scenario_(valid("System", scenario)),
      model_(scenario.model),
      has_quaternions_(scenario.model.has_quaternions()),
      formulation_(make_formulation(scenario.formulation, scenario.model, scenario.formulation_options)),
      loops_(model_.loops().empty() ? nullptr : std::make_unique<LoopSolver>(model_)),
      struts_(model_.cylinders().empty() ? nullptr : std::make_unique<Struts>(model_)),
      inputs_(scenario),
      friction_(model_, scenario.prescribed),
      stops_(model_),
      timetable_(scenario, inputs_.arrivals()),
      prescribed_links_(links_of(model_, scenario.prescribed)),
      held_links_(prescribed_links_),
      within_(0.5 * timetable_.first_corner()),
      tau_(model_.nv()),
      q_(model_.nq()),
      v_(model_.nv()),
      integrals_(integral_count()),
      rates_(integral_count()),
      a_(model_.nv()),
      q_rate_(model_.nq()),
      resisted_(VectorXd::Zero(model_.nv())),
      applied_(model_.nv()),
      held_(VectorXd::Zero(model_.nv())),
      work_(model_),
      damping_(damping_matrix(model_)),
      stiffness_(elastic_stiffness(model_)),
      tolerances_(tolerances_of(scenario, work_, stiffness_)) {
  hold_stuck_joints();
  output_.acceleration = VectorXd::Zero(model_.nv());
  active_loads_.reserve(scenario_.loads.size());
  set_input_matrix();
}

void System::require_state(const char* function, const Input<double>& q, const Input<double>& v,
                           const Input<double>& integrals) const {
  const detail::Call call{function, model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  detail::require_extent(function, "integrals", integrals, integral_count(), 1);
}

// What efforts do to elastic coordinates besides: nothing, but for shapes with a slope at their root.
void System::set_input_matrix() {
  const MatrixXd all = input_matrix(model_);
  MatrixXd elastic = MatrixXd::Zero(nv(), nv());
  const std::vector<int> joints = joint_coordinates(model_);
  for (std::size_t i = 0; i < joints.size(); ++i)
    elastic.col(joints[i]) = all.col(static_cast<Eigen::Index>(i));
  for (const int joint : joints) elastic.row(joint).setZero();
  if (!elastic.isZero(0.0)) input_ = elastic;
}

VectorXd System::initial_state() const {
  VectorXd y = VectorXd::Zero(size());
  VectorXd q = scenario_.q, v = scenario_.v;
  apply_prescribed(0.0, q, v);
  if (has_loops()) {
    LoopSolver loops(model_);
    loops.prescribe(prescribed_links_);
    require_closed(loops.close(q, v), model_, q, 0.0);
  }
  y.head(nq()) = q;
  y.segment(nq(), nv()) = v;
  const int pressures = memory_size() - inputs_.pressures_at();
  if (pressures > 0)
    y.tail(pressures) =
        scenario_.pressures.size() == pressures ? scenario_.pressures : start_pressures(model_, q);
  return y;
}

void System::apply_prescribed(double t, Output<double> q, Output<double> v) const {
  const detail::Call call{"System::apply_prescribed", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  for (const JointTarget& target : scenario_.prescribed) {
    const TrajectoryPoint motion = target.trajectory->at(t, within_);
    q[target.position] = motion.position;
    v[target.coordinate] = motion.velocity;
  }
  for (const StickSlip& joint : friction_.sticking()) {
    if (!joint.is_stuck()) continue;
    q[joint.position()] = joint.stuck_at();
    v[joint.coordinate()] = 0.0;
  }
}

void System::close_loops(double t, Output<double> q, Output<double> v) {
  apply_prescribed(t, q, v);
  if (has_loops()) require_closed(loops_->close(q, v), model_, q, t);
}

bool System::sample(double t, const Input<double>& y) {
  if (!is_sample(t)) return false;
  inputs_.sample(instant_at(t, y), time_resolution());
  return true;
}

Instant System::instant(double t, const Input<double>& q, const Input<double>& v,
                        const Input<double>& integrals) const {
  return {t, within_, q, v, {integrals.data() + ledger_size, memory_size()}};
}

void System::find_actuator_forces() {
  tau_ = inputs_.efforts().head(nv());
  if (input_.size() > 0) tau_.noalias() += input_ * inputs_.efforts().head(nv());
  find_strut_forces();
}

Instant System::instant_at(double t, const Input<double>& y) {
  q_ = y.head(nq());
  v_ = y.segment(nq(), nv());
  integrals_ = y.tail(integral_count());
  apply_prescribed(t, q_, v_);
  return instant(t, q_, v_, integrals_);
}

void System::find_loads(double t) {
  active_loads_.clear();
  for (const TimedLoad& load : scenario_.loads) {
    if (!load.is_active(within_)) continue;
    active_loads_.push_back(load.wrench);
    if (!load.factor) continue;
    const double factor = load.factor->at(t, within_).position;
    active_loads_.back().force *= factor;
    active_loads_.back().moment *= factor;
  }
}

// Forces times the velocities of the points at which they act.
double System::load_power(const Input<double>& q, const Input<double>& v) {
  if (active_loads_.empty()) return 0.0;
  update_velocities(model_, work_, q, v);
  update_world_poses(work_);
  double power = 0.0;
  for (const Load& load : active_loads_) {
    if (load.is_inner()) {
      const Link& link = model_.links()[static_cast<std::size_t>(load.link)];
      for (int j = 0; j < link.elastic_count; ++j) {
        double force = inner_force(link, load, j);
        for (int k = 0; k < link.elastic_count; ++k)
          force -= inner_stiffness(link, load, j, k) * q[link.elastic_q_index + k];
        power += force * v[link.elastic_v_index + j];
      }
      continue;
    }
    const Frame point{load.link, load.node, {Eigen::Matrix3d::Identity(), load.offset}};
    const Twist V_W = frame_twist(model_, work_, point, MotionAxes::local_world_aligned);
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  // from the load's axes to the world's
    if (load.axes == Axes::section) R = frame_pose(model_, work_, point).R;
    if (load.axes == Axes::body) {
      const Pose& X_BR = model_.links()[static_cast<std::size_t>(load.link)].X_BR;
      R = root_pose(model_, work_, load.link).R * X_BR.R.transpose();
    }
    power += dot(Wrench{R * load.force, R * load.moment}, V_W);
  }
  return power;
}

// Of drives and stops; stops_ has the state.
void System::find_strut_forces() {
  if (!struts_) return;
  drives_ = inputs_.efforts().tail(struts_->count());
  pushed_ = drives_;
  if (!stops_.empty()) pushed_ += stops_.forces().tail(struts_->count());
}

// Friction at these rates, and what is left of tau_ with stops. Rows whose accelerations are known have no forces: what acts there is found.
void System::find_friction(const Input<double>& v) {
  friction_.find_forces(v, resisted_);
  applied_ = tau_ - resisted_;
  if (!stops_.empty()) applied_ += stops_.forces().head(nv());
  for (const JointTarget& target : scenario_.prescribed) applied_[target.coordinate] = 0.0;
  for (const StickSlip& joint : friction_.sticking())
    if (joint.is_stuck()) applied_[joint.coordinate()] = 0.0;
}

// What is found there: the motor of a prescribed joint works against its friction and its stops, too; and what motor and stops of a joint that sticks do beyond what
// the joint needs, friction takes.
void System::note_held_efforts() {
  for (const JointTarget& target : scenario_.prescribed) {
    const int c = target.coordinate;
    tau_[c] = inputs_.efforts()[c] = held_[c] + resisted_[c] - stops_.forces()[c];
  }
  for (const StickSlip& joint : friction_.sticking()) {
    const int c = joint.coordinate();
    if (joint.is_stuck()) resisted_[c] = tau_[c] + stops_.forces()[c] - held_[c];
  }
}

// Everything that acts at t: efforts, loads, and what prescribed joints do, their accelerations into a.
void System::find_applied_forces(double t, Output<double> q, Output<double> v, const Input<double>& integrals,
                                 Output<double> a) {
  apply_prescribed(t, q, v);
  inputs_.find_efforts(instant(t, q, v, integrals));
  stops_.update(q, v, struts_.get());
  find_actuator_forces();
  find_friction(v);
  find_loads(t);
  for (const JointTarget& target : scenario_.prescribed)
    a[target.coordinate] = target.trajectory->at(t, within_).acceleration;
  for (const StickSlip& joint : friction_.sticking())
    if (joint.is_stuck()) a[joint.coordinate()] = 0.0;
}

void System::accelerate(double t, Output<double> q, Output<double> v, const Input<double>& integrals,
                        VectorXd& a, VectorXd& rates) {
  require_state("System::accelerate", q, v, integrals);
  ++evaluations_;
  find_applied_forces(t, q, v, integrals, output_.acceleration);
  const DynamicsInput input{q, v, applied_, active_loads_, pushed()};
  formulation_->accelerate(input, output_);
  a = output_.acceleration;
  if (!held_links_.empty()) {
    formulation_->prescribed_efforts(input, output_, held_);
    note_held_efforts();
  }
  find_rates(q, v, rates);
}

bool System::missing_forces(double t, Output<double> q, Output<double> v, const Input<double>& integrals,
                            Output<double> a, VectorXd& forces, VectorXd& rates) {
  require_state("System::missing_forces", q, v, integrals);
  detail::Call{"System::missing_forces", model_}.require_velocity("a", a);
  find_applied_forces(t, q, v, integrals, a);
  if (!formulation_->missing_forces({q, v, applied_, active_loads_, pushed()}, a, forces)) return false;
  ++evaluations_;
  if (!held_links_.empty()) {
    held_ = -forces;
    note_held_efforts();
    for (const int c : held_coordinates_) forces[c] = 0.0;
  }
  find_rates(q, v, rates);
  return true;
}

void System::memory_rates(double t, Output<double> q, Output<double> v, const Input<double>& integrals,
                          Output<double> rates) {
  require_state("System::memory_rates", q, v, integrals);
  detail::require_extent("System::memory_rates", "rates", rates, memory_size(), 1);
  apply_prescribed(t, q, v);
  inputs_.find_memory_rate(instant(t, q, v, integrals));
  rates = inputs_.memory_rate();
}

System::AppliedForces System::applied_forces(double t, Output<double> q, Output<double> v,
                                             const Input<double>& integrals, Output<double> a) {
  require_state("System::applied_forces", q, v, integrals);
  detail::Call{"System::applied_forces", model_}.require_velocity("a", a);
  ++evaluations_;
  find_applied_forces(t, q, v, integrals, a);
  return {applied_, active_loads_};
}

bool System::is_plain_tree() const {
  return scenario_.formulation == FormulationKind::recursive && !has_loops() && !struts_ &&
         !model_.has_telescopes() && scenario_.loads.empty() && scenario_.prescribed.empty();
}

void System::integral_rates(const Input<double>& q, const Input<double>& v, const Input<double>& efforts,
                            VectorXd& rates) {
  const detail::Call call{"System::integral_rates", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("efforts", efforts);
  held_ = efforts;
  note_held_efforts();
  find_rates(q, v, rates);
}

void System::find_rates(const Input<double>& q, const Input<double>& v, VectorXd& rates) {
  double dissipated = 0.0;
  for (const Link& link : model_.links()) {
    const int e = link.elastic_v_index, m = link.elastic_count;
    const Joint& joint = link.joint;
    if (joint.damping != 0.0)
      dissipated += joint.damping * v.segment(joint.v_index, joint.facts().moving()).squaredNorm();
    if (joint.has_motor()) {
      const double slip = v[joint.v_index] - v[joint.driven_index()];
      dissipated += joint.gear.damping * slip * slip;
    }
    if (m == 0) continue;
    if (link.telescopes())
      dissipated +=
          v.segment(e, m).dot(link.beam->telescope->damping_at(link.free_length(q)) * v.segment(e, m));
    else
      dissipated += v.segment(e, m).dot(link.elastic->damping.lazyProduct(v.segment(e, m)));
  }
  double by_actuators = tau_.dot(v);
  if (struts_) {
    struts_->update(q, v);
    dissipated += struts_->dissipation();
    by_actuators += drives_.dot(struts_->rates());
  }
  if (!stops_.empty()) {
    stops_.update(q, v, struts_.get());
    dissipated += stops_.dissipation();
  }
  const double by_friction = resisted_.dot(v);
  rates.resize(integral_count());
  rates.head<ledger_size>() << by_actuators, load_power(q, v), dissipated + by_friction, by_friction;
  rates.tail(memory_size()) = inputs_.memory_rate();
}

// A quaternion's length is no degree of freedom: the equations see its direction, and its rate brings it back to one.
void System::position_rate(const Input<double>& y) {
  configuration_rate(model_, q_, v_, q_rate_);
  if (has_quaternions())
    for (const Link& link : model_.links()) {
      if (!link.joint.has_quaternion()) continue;
      const int u = link.joint.quaternion_index();
      q_rate_.segment<4>(u) += (1.0 - y.segment<4>(u).squaredNorm()) * q_.segment<4>(u);
    }
}

void System::derivative(double t, const Input<double>& y, Output<double> rate) {
  detail::require_extent("System::derivative", "y", y, size(), 1);
  detail::require_extent("System::derivative", "rate", rate, size(), 1);
  q_ = y.head(nq());
  v_ = y.segment(nq(), nv());
  integrals_ = y.tail(integral_count());
  if (has_quaternions()) normalize_quaternions(model_, q_);
  accelerate(t, q_, v_, integrals_, a_, rates_);
  position_rate(y);
  rate.head(nq()) = q_rate_;
  rate.segment(nq(), nv()) = a_;
  rate.tail(integral_count()) = rates_;
}

bool System::residual(double t, const Input<double>& y, const Input<double>& rate, Output<double> residual) {
  detail::require_extent("System::residual", "y", y, size(), 1);
  detail::require_extent("System::residual", "rate", rate, size(), 1);
  detail::require_extent("System::residual", "residual", residual, size(), 1);
  q_ = y.head(nq());
  v_ = y.segment(nq(), nv());
  a_ = rate.segment(nq(), nv());
  integrals_ = y.tail(integral_count());
  if (has_quaternions()) normalize_quaternions(model_, q_);
  if (!missing_forces(t, q_, v_, integrals_, a_, missing_, rates_)) return false;
  position_rate(y);
  residual.head(nq()) = rate.head(nq()) - q_rate_;
  residual.segment(nq(), nv()) = -missing_;
  for (const int c : held_coordinates_) residual[nq() + c] = rate[nq() + c] - a_[c];
  residual.tail(integral_count()) = rate.tail(integral_count()) - rates_;
  return true;
}

void System::tangent(double t, const Input<double>& q, const Input<double>& v, const Input<double>& integrals,
                     const Input<double>& a, Tangent& tangent, Motors motors) {
  require_state("System::tangent", q, v, integrals);
  detail::Call{"System::tangent", model_}.require_velocity("a", a);
  ++tangents_;
  find_loads(t);
  tangent.M.resize(nv(), nv());
  tangent.K.resize(nv(), nv());
  tangent.C.resize(nv(), nv());
  if (!formulation_->tangent({q, v, applied_, active_loads_}, a, tangent)) {
    if (!derivative_work_) derivative_work_ = std::make_unique<DerivativeWorkspace>(model_);
    force_derivatives(model_, *derivative_work_, q, v, a, tangent.K, tangent.C, tangent.M, active_loads_);
  }
  tangent.K += stiffness_;
  tangent.C += damping_;
  inputs_.find_gains(instant(t, q, v, integrals), motors == Motors::limited);
  const MatrixXd &gains_q = inputs_.gains_q(), &gains_v = inputs_.gains_v();
  tangent.K += gains_q;
  tangent.C += gains_v;
  friction_.add_slopes(v, tangent.C);
  stops_.update(q, v, struts_.get());
  stops_.add_tangent(q, v, struts_.get(), tangent.K, tangent.C);
  if (struts_) {
    inputs_.find_efforts(instant(t, q, v, integrals));
    find_strut_forces();
    struts_->add_tangent(q, v, pushed_, tangent.K, tangent.C);
    tangent.K += inputs_.drive_gains_q();
    tangent.C += inputs_.drive_gains_v();
  }
  if (input_.size() > 0) {
    tangent.K += input_ * gains_q;
    tangent.C += input_ * gains_v;
  }
  for (const int c : held_coordinates_) {
    make_row_identity(tangent.M, c);
    for (MatrixXd* matrix : {&tangent.C, &tangent.K}) clear_row_and_column(*matrix, c);
  }
  if (has_loops()) loops_->constrain_tangent(q, v, a, formulation_->loop_multipliers(), tangent.C, tangent.K);
}

void System::memory_slopes(double t, const Input<double>& q, const Input<double>& v,
                           const Input<double>& integrals, MemorySlopes& slopes) {
  require_state("System::memory_slopes", q, v, integrals);
  inputs_.find_memory_slopes(instant(t, q, v, integrals), slopes);
  if (memory_size() == 0) return;
  if (input_.size() > 0) slopes.force += input_ * slopes.force;
  for (const int c : held_coordinates_) {
    slopes.force.row(c).setZero();
    slopes.dq.col(c).setZero();
    slopes.dv.col(c).setZero();
  }
}

MotionOperators System::motion_operators(double t, const Input<double>& q, const Input<double>& v,
                                         const Input<double>& integrals, const Input<double>& a) {
  require_state("System::motion_operators", q, v, integrals);
  detail::Call{"System::motion_operators", model_}.require_velocity("a", a);
  find_loads(t);
  MotionOperators motions(model_, q, v, a, active_loads_, prescribed_links_);
  inputs_.find_gains(instant(t, q, v, integrals), false);
  MatrixXd gains_v = inputs_.gains_v();
  friction_.add_slopes(v, gains_v);
  motions.add_gains(inputs_.gains_q(), gains_v);
  if (input_.size() > 0) motions.add_gains(input_ * inputs_.gains_q(), input_ * inputs_.gains_v());
  if (struts_) {
    MatrixXd K = inputs_.drive_gains_q(), C = inputs_.drive_gains_v();
    struts_->add_tangent(q, v, {}, K, C);
    motions.add_gains(K, C);
  }
  if (!stops_.empty()) {
    MatrixXd K = MatrixXd::Zero(nv(), nv()), C = K;
    stops_.update(q, v, struts_.get());
    stops_.add_tangent(q, v, struts_.get(), K, C);
    motions.add_gains(K, C);
  }
  return motions;
}

void System::forces(double t, Output<double> q, Output<double> v, const Input<double>& integrals,
                    Forces& forces) {
  require_state("System::forces", q, v, integrals);
  find_applied_forces(t, q, v, integrals, output_.acceleration);
  inputs_.show_efforts();
  find_actuator_forces();
  find_friction(v);
  const DynamicsInput input{q, v, applied_, active_loads_, pushed()};
  formulation_->evaluate(input, output_);
  if (!held_links_.empty()) {
    formulation_->prescribed_efforts(input, output_, held_);
    note_held_efforts();
  }
  forces.efforts = inputs_.efforts().head(nv());
  forces.friction = resisted_;
  forces.asked = inputs_.asked().head(nv());
  if (struts_) {
    struts_->update(q, v);
    forces.cylinders = struts_->states(pushed_);
    for (int i = 0; i < struts_->count(); ++i)
      forces.cylinders[static_cast<std::size_t>(i)].asked = inputs_.asked()[nv() + i];
    inputs_.show_pressures(instant(t, q, v, integrals), forces.cylinders);
  }
  forces.wrenches = output_.wrenches;
  forces.acceleration = output_.acceleration;
  if (has_loops()) {
    loops_->update(q, v);
    forces.loops = loops_->forces_of(formulation_->loop_multipliers());
    forces.loop_loads = loops_->loads_of(formulation_->loop_multipliers());
  }
  // A motor turns the root section of its link, which moves against B where shapes have a slope there (input_matrix.hpp).
  forces.power = v;
  if (input_.size() > 0) forces.power.noalias() += input_.transpose() * v;
  forces.power.array() *= forces.efforts.array();
}

Energy<double> System::energy(const Input<double>& q, const Input<double>& v) {
  Energy<double> energy = limber::energy(model_, work_, q, v);
  if (struts_) {
    struts_->update(q, v);
    energy.strain += struts_->energy();
  }
  if (!stops_.empty()) {
    stops_.update(q, v, struts_.get());
    energy.strain += stops_.energy();
  }
  return energy;
}

void System::note_sizes(const Input<double>& q, const Input<double>& v) {
  const detail::Call call{"System::note_sizes", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  tolerances_.note_sizes(q, v);
}

}  // namespace limber
