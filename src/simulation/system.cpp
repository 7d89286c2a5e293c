// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/formulations/prescribed_rows.hpp"
#include "limber/model/detail/arguments.hpp"
#include "valid_scenario.hpp"

namespace limber {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Times that differ by less are one.
double time_resolution(const Scenario& scenario) { return 1e-12 * scenario.duration; }

bool is_sampled(const Controller& controller) { return controller.rate() > 0.0; }

std::vector<TrajectoryPointer> find_signals(const Scenario& scenario) {
  std::vector<TrajectoryPointer> all;
  for (const auto& controller : scenario.controllers)
    if (!is_sampled(*controller))
      for (const TrajectoryPointer& signal : controller->signals()) all.push_back(signal);
  for (const JointTarget& target : scenario.prescribed) all.push_back(target.trajectory);
  for (const TimedLoad& load : scenario.loads)
    if (load.factor) all.push_back(load.factor);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<double> find_corners(const Scenario& scenario, const std::vector<TrajectoryPointer>& signals) {
  std::vector<double> all = {scenario.duration};
  const auto add = [&](const std::vector<double>& times) {
    for (const double time : times)
      if (time > 0.0) all.push_back(time);
  };
  for (const auto& controller : scenario.controllers)
    if (!is_sampled(*controller)) add(controller->corners());
  for (const TrajectoryPointer& signal : signals) add(signal->corners());
  for (const TimedLoad& load : scenario.loads) {
    if (load.from) add({*load.from});
    if (load.to) add({*load.to});
  }
  std::sort(all.begin(), all.end());
  std::vector<double> corners;
  const double resolution = time_resolution(scenario);
  for (const double time : all)
    if (corners.empty() || time - corners.back() > resolution) corners.push_back(time);
  for (double& corner : corners)
    if (std::abs(corner - scenario.duration) <= resolution) corner = scenario.duration;
  return corners;
}

std::vector<int> places_of_memory(const Scenario& scenario) {
  std::vector<int> places = {0};
  for (const auto& controller : scenario.controllers)
    places.push_back(places.back() + (is_sampled(*controller) ? 0 : controller->memory_size()));
  return places;
}

bool falls_on_sample(double t, double rate, const Scenario& scenario) {
  return std::abs(t - std::round(t * rate) / rate) <= time_resolution(scenario);
}

// The first of k/rate, k = 1, 2, .., that lies beyond t.
double next_sample(double t, double rate) {
  double k = std::floor(t * rate);
  while (k / rate <= t) k += 1.0;
  return k / rate;
}

}  // namespace

System::System(Scenario& scenario)
    : scenario_(valid("System", scenario)),
      model_(scenario.model),
      has_quaternions_(scenario.model.has_quaternions()),
      formulation_(make_formulation(scenario.formulation, scenario.model, scenario.formulation_options)),
      signals_(find_signals(scenario)),
      corners_(find_corners(scenario, signals_)),
      memory_at_(places_of_memory(scenario)),
      from_outside_(VectorXd::Zero(model_.nv())),
      is_prescribed_(static_cast<std::size_t>(model_.nv()), 0),
      asked_(model_.nv()),
      held_(model_.nv()),
      efforts_(model_.nv()),
      tau_(model_.nv()),
      q_(model_.nq()),
      v_(model_.nv()),
      integrals_(integral_count()),
      rates_(integral_count()),
      a_(model_.nv()),
      q_rate_(model_.nq()),
      memory_rate_(VectorXd::Zero(memory_size())),
      at_limit_(Eigen::VectorXi::Zero(model_.nv())),
      work_(model_),
      damping_(damping_matrix(model_)),
      stiffness_(elastic_stiffness(model_)),
      all_(all_coordinates(model_)),
      rtol_(scenario.integrator.rtol),
      q_tolerance_(model_.nq()),
      v_tolerance_(model_.nv()),
      displacement_tolerance_(model_.nv()) {
  for (std::size_t i = 0; i < model_.links().size(); ++i) {
    const Joint& joint = model_.links()[i].joint;
    for (const JointTarget& target : scenario_.prescribed)
      if (joint.nv > 0 && target.coordinate == joint.v_index)
        prescribed_links_.push_back(static_cast<int>(i));
  }
  for (const JointTarget& target : scenario_.prescribed)
    is_prescribed_[static_cast<std::size_t>(target.coordinate)] = 1;
  for (const Link& link : model_.links())
    for (int c = link.joint.v_index; link.joint.limits.effort && c < link.joint.v_index + link.joint.nv; ++c)
      if (!is_prescribed_[static_cast<std::size_t>(c)])
        effort_limits_.emplace_back(c, *link.joint.limits.effort);
  formulation_->prescribe(prescribed_links_);
  output_.acceleration = VectorXd::Zero(model_.nv());
  active_loads_.reserve(scenario_.loads.size());
  within_ = 0.5 * corners_.front();

  find_sampled();
  set_input_matrix();
  MatrixXd M(model_.nv(), model_.nv());
  mass_matrix(model_, work_, scenario_.q, M);
  sqrt_M_ = M.diagonal().cwiseSqrt();
  sqrt_K_ = stiffness_.diagonal().cwiseSqrt();
  note_sizes(scenario_.q, scenario_.v);
}

void System::require_state(const char* function, const VectorXd& q, const VectorXd& v,
                           const VectorXd& integrals) const {
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
  y.head(nq()) = q;
  y.segment(nq(), nv()) = v;
  return y;
}

void System::apply_prescribed(double t, VectorXd& q, VectorXd& v) const {
  const detail::Call call{"System::apply_prescribed", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  for (const JointTarget& target : scenario_.prescribed) {
    const TrajectoryPoint motion = target.trajectory->at(t, within_);
    q[target.position] = motion.position;
    v[target.coordinate] = motion.velocity;
  }
}

void System::find_sampled() {
  int size = 0;
  for (std::size_t i = 0; i < scenario_.controllers.size(); ++i) {
    const auto& controller = scenario_.controllers[i];
    if (!is_sampled(*controller)) {
      continuous_.push_back(i);
      continue;
    }
    sampled_.push_back({controller.get(), controller->rate(), size, controller->memory_size(), false});
    size = sampled_.back().efforts() + nv();
  }
  samples_ = VectorXd::Zero(size);
}

// Samples that fall on a corner to rounding are taken there.
double System::next_corner(double t) const {
  const double resolution = limber::time_resolution(scenario_), after = t + resolution;
  const auto next = std::upper_bound(corners_.begin(), corners_.end(), after);
  const double corner = next == corners_.end() ? std::numeric_limits<double>::infinity() : *next;
  double first = corner;
  for (const Sampled& sampled : sampled_) first = std::min(first, next_sample(after, sampled.rate));
  return corner - first <= resolution ? corner : first;
}

bool System::is_sample(double t) const {
  return std::any_of(sampled_.begin(), sampled_.end(),
                     [&](const Sampled& sampled) { return falls_on_sample(t, sampled.rate, scenario_); });
}

// All see the arm as it is at t, and what they remembered before. What they ask for together decides whether a motor is at its limit.
bool System::sample(double t, const VectorXd& y) {
  if (!is_sample(t)) return false;
  for (Sampled& sampled : sampled_) sampled.is_due = falls_on_sample(t, sampled.rate, scenario_);
  const Instant now = instant_at(t, y);
  const auto own = [&](const Sampled& sampled) {
    return Instant{now.t, now.within, now.q, now.v, {samples_.data() + sampled.at, sampled.memory_size}};
  };
  for (const Sampled& sampled : sampled_) {
    if (!sampled.is_due) continue;
    held_.setZero();
    sampled.controller->add_efforts(own(sampled), held_);
    samples_.segment(sampled.efforts(), nv()) = held_;
  }
  const Situation situation = ask_controllers(now);
  for (EffortLimit& limit : effort_limits_) {
    limit.enter(situation);
    at_limit_[limit.coordinate()] = limit.side(asked_[limit.coordinate()]);
  }
  for (const Sampled& sampled : sampled_) {
    if (!sampled.is_due || sampled.memory_size == 0) continue;
    next_ = samples_.segment(sampled.at, sampled.memory_size);
    sampled.controller->remember(own(sampled), at_limit_, next_);
    samples_.segment(sampled.at, sampled.memory_size) = next_;
  }
  return true;
}

void System::set_past(const Past& past) {
  effort_limits_ = past.effort_limits;
  energy_size_ = past.energy_size;
  angle_size_ = past.angle_size;
  length_size_ = past.length_size;
  q_tolerance_ = past.q_tolerance;
  v_tolerance_ = past.v_tolerance;
  displacement_tolerance_ = past.displacement_tolerance;
}

double System::time_resolution() const { return limber::time_resolution(scenario_); }

// A step that ends at a change begins right after it.
Pace System::pace(double t) const {
  Pace all;
  for (const TrajectoryPointer& signal : signals_)
    all = all.together_with(signal->pace(t + time_resolution()));
  return all;
}

Instant System::instant(double t, const VectorXd& q, const VectorXd& v, const VectorXd& integrals) const {
  return {t, within_, q, v, {integrals.data() + ledger_size, memory_size()}};
}

// Those that are asked all the time. Each sees what it remembers itself.
template <typename Visitor>
void System::each_controller(const Instant& now, Visitor&& visitor) {
  for (const std::size_t i : continuous_) {
    const int from = memory_at_[i], count = memory_at_[i + 1] - from;
    visitor(*scenario_.controllers[i], Instant{now.t, now.within, now.q, now.v, {now.x.data() + from, count}},
            from, count);
  }
}

Situation System::ask_controllers(const Instant& now) {
  asked_ = from_outside_;
  for (const Sampled& sampled : sampled_) asked_ += samples_.segment(sampled.efforts(), nv());
  each_controller(now, [&](Controller& controller, const Instant& own, int, int) {
    controller.add_efforts(own, asked_);
  });
  for (const JointTarget& target : scenario_.prescribed) asked_[target.coordinate] = 0.0;
  return {now, asked_};
}

// After asked_ is known.
void System::find_memory_rate(const Instant& now) {
  if (memory_size() == 0) return;
  for (const EffortLimit& limit : effort_limits_)
    at_limit_[limit.coordinate()] = limit.side(asked_[limit.coordinate()]);
  each_controller(now, [&](Controller& controller, const Instant& own, int from, int count) {
    if (count > 0) controller.memory_rate(own, at_limit_, memory_rate_.segment(from, count));
  });
}

void System::find_efforts(const Instant& now) {
  ask_controllers(now);
  find_memory_rate(now);
  efforts_ = asked_;
  for (const EffortLimit& limit : effort_limits_)
    efforts_[limit.coordinate()] = limit.effort(asked_[limit.coordinate()]);
  find_actuator_forces();
}

void System::find_actuator_forces() {
  tau_ = efforts_;
  if (input_.size() > 0) tau_.noalias() += input_ * efforts_;
}

Instant System::instant_at(double t, const VectorXd& y) {
  q_ = y.head(nq());
  v_ = y.segment(nq(), nv());
  integrals_ = y.tail(integral_count());
  apply_prescribed(t, q_, v_);
  return instant(t, q_, v_, integrals_);
}

void System::enter_modes(double t, const VectorXd& y) {
  detail::require_extent("System::enter_modes", "y", y, size(), 1);
  const Instant now = instant_at(t, y);
  const Situation situation = ask_controllers(now);
  for (EffortLimit& limit : effort_limits_) limit.enter(situation);
}

void System::change_mode(int which, double t, const VectorXd& y) {
  detail::require_extent("System::change_mode", "y", y, size(), 1);
  detail::require_index("System::change_mode", "which", switch_count(), which);
  const Instant now = instant_at(t, y);
  effort_limits_[static_cast<std::size_t>(which)].change(ask_controllers(now));
}

void System::guards(double t, const VectorXd& y, VectorXd& values) {
  detail::require_extent("System::guards", "y", y, size(), 1);
  const Instant now = instant_at(t, y);
  const Situation situation = ask_controllers(now);
  values.resize(guard_count());
  for (int i = 0; i < switch_count(); ++i)
    values[i] = effort_limits_[static_cast<std::size_t>(i)].guard(situation);
  for (std::size_t i = 0; i < scenario_.watches.size(); ++i)
    values[switch_count() + static_cast<int>(i)] = scenario_.watches[i].value(now);
}

// What an error of the size of the tolerances does to the effort that is asked for must be a small part of the band.
void System::soften(int which, double t, const VectorXd& y) {
  detail::require_extent("System::soften", "y", y, size(), 1);
  detail::require_index("System::soften", "which", switch_count(), which);
  EffortLimit& limit = effort_limits_[static_cast<std::size_t>(which)];
  VectorXd q = y.head(nq()), v = y.segment(nq(), nv());
  const VectorXd integrals = y.tail(integral_count());
  apply_prescribed(t, q, v);
  const Instant now = instant(t, q, v, integrals);
  const auto asked = [&] { return ask_controllers(now).asked[limit.coordinate()]; };
  const double there = asked();
  double unresolved = 0.0;
  const auto shift = [&](double& number, double tolerance) {
    const double before = number;
    number += tolerance;
    unresolved += std::abs(asked() - there);
    number = before;
  };
  for (int i = 0; i < nq(); ++i) shift(q[i], q_tolerance_[i]);
  for (int i = 0; i < nv(); ++i) shift(v[i], v_tolerance_[i]);
  constexpr double resolved = 10.0;
  limit.soften(resolved * unresolved);
  limit.enter(ask_controllers(now));
}

std::vector<std::string> System::doubts() const {
  std::vector<std::string> doubts = formulation_->doubts();
  for (const EffortLimit& limit : effort_limits_)
    if (limit.is_softened())
      doubts.push_back(
          fmt::format("the effort of `{}` switches between its limits of {:g} faster than steps can follow: "
                      "it slides, and what is "
                      "shown is its mean. Lower its gains, or take a smaller rtol to see more of it",
                      model_.coordinates()[static_cast<std::size_t>(limit.coordinate())], limit.limit()));
  return doubts;
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
double System::load_power(const VectorXd& q, const VectorXd& v) {
  if (active_loads_.empty()) return 0.0;
  update_velocities(model_, work_, q, v);
  update_world_poses(work_);
  double power = 0.0;
  for (const Load& load : active_loads_) {
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

// Everything that acts at t: efforts, loads, and what prescribed joints do, their accelerations into a.
void System::find_applied_forces(double t, VectorXd& q, VectorXd& v, const VectorXd& integrals, VectorXd& a) {
  apply_prescribed(t, q, v);
  find_efforts(instant(t, q, v, integrals));
  find_loads(t);
  for (const JointTarget& target : scenario_.prescribed)
    a[target.coordinate] = target.trajectory->at(t, within_).acceleration;
}

void System::accelerate(double t, VectorXd& q, VectorXd& v, const VectorXd& integrals, VectorXd& a,
                        VectorXd& rates) {
  require_state("System::accelerate", q, v, integrals);
  ++evaluations_;
  find_applied_forces(t, q, v, integrals, output_.acceleration);
  const DynamicsInput input{q, v, tau_, active_loads_};
  formulation_->accelerate(input, output_);
  a = output_.acceleration;
  if (!scenario_.prescribed.empty()) {
    formulation_->prescribed_efforts(input, output_, efforts_);
    for (const JointTarget& target : scenario_.prescribed)
      tau_[target.coordinate] = efforts_[target.coordinate];
  }
  find_rates(q, v, rates);
}

bool System::missing_forces(double t, VectorXd& q, VectorXd& v, const VectorXd& integrals, VectorXd& a,
                            VectorXd& forces, VectorXd& rates) {
  require_state("System::missing_forces", q, v, integrals);
  detail::Call{"System::missing_forces", model_}.require_velocity("a", a);
  find_applied_forces(t, q, v, integrals, a);
  if (!formulation_->missing_forces({q, v, tau_, active_loads_}, a, forces)) return false;
  ++evaluations_;
  for (const JointTarget& target : scenario_.prescribed) {
    tau_[target.coordinate] = -forces[target.coordinate];
    forces[target.coordinate] = 0.0;
  }
  find_rates(q, v, rates);
  return true;
}

void System::memory_rates(double t, VectorXd& q, VectorXd& v, const VectorXd& integrals,
                          Eigen::Ref<VectorXd> rates) {
  require_state("System::memory_rates", q, v, integrals);
  detail::require_extent("System::memory_rates", "rates", rates, memory_size(), 1);
  apply_prescribed(t, q, v);
  const Instant now = instant(t, q, v, integrals);
  ask_controllers(now);
  find_memory_rate(now);
  rates = memory_rate_;
}

System::AppliedForces System::applied_forces(double t, VectorXd& q, VectorXd& v, const VectorXd& integrals,
                                             VectorXd& a) {
  require_state("System::applied_forces", q, v, integrals);
  detail::Call{"System::applied_forces", model_}.require_velocity("a", a);
  ++evaluations_;
  find_applied_forces(t, q, v, integrals, a);
  return {tau_, active_loads_};
}

void System::integral_rates(const VectorXd& q, const VectorXd& v, const VectorXd& efforts, VectorXd& rates) {
  const detail::Call call{"System::integral_rates", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("efforts", efforts);
  for (const JointTarget& target : scenario_.prescribed) tau_[target.coordinate] = efforts[target.coordinate];
  find_rates(q, v, rates);
}

void System::find_rates(const VectorXd& q, const VectorXd& v, VectorXd& rates) {
  double dissipated = 0.0;
  for (const Link& link : model_.links()) {
    const int e = link.elastic_v_index, m = link.elastic_count;
    if (link.joint.damping != 0.0)
      dissipated += link.joint.damping * v.segment(link.joint.v_index, link.joint.nv).squaredNorm();
    if (link.beam && m > 0)
      dissipated += v.segment(e, m).dot(link.beam->damping.lazyProduct(v.segment(e, m)));
  }
  rates.resize(integral_count());
  rates.head<ledger_size>() << tau_.dot(v), load_power(q, v), dissipated;
  rates.tail(memory_size()) = memory_rate_;
}

// A quaternion's length is no degree of freedom: the equations see its direction, and its rate brings it back to one.
void System::position_rate(const VectorXd& y) {
  configuration_rate(model_, q_, v_, q_rate_);
  if (has_quaternions())
    for (const Link& link : model_.links()) {
      if (!link.joint.has_quaternion()) continue;
      const int u = link.joint.quaternion_index();
      q_rate_.segment<4>(u) += (1.0 - y.segment<4>(u).squaredNorm()) * q_.segment<4>(u);
    }
}

void System::derivative(double t, const VectorXd& y, VectorXd& rate) {
  detail::require_extent("System::derivative", "y", y, size(), 1);
  rate.resize(size());
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

bool System::residual(double t, const VectorXd& y, const VectorXd& rate, VectorXd& residual) {
  detail::require_extent("System::residual", "y", y, size(), 1);
  detail::require_extent("System::residual", "rate", rate, size(), 1);
  residual.resize(size());
  q_ = y.head(nq());
  v_ = y.segment(nq(), nv());
  a_ = rate.segment(nq(), nv());
  integrals_ = y.tail(integral_count());
  if (has_quaternions()) normalize_quaternions(model_, q_);
  if (!missing_forces(t, q_, v_, integrals_, a_, missing_, rates_)) return false;
  position_rate(y);
  residual.head(nq()) = rate.head(nq()) - q_rate_;
  residual.segment(nq(), nv()) = -missing_;
  for (const JointTarget& target : scenario_.prescribed)
    residual[nq() + target.coordinate] = rate[nq() + target.coordinate] - a_[target.coordinate];
  residual.tail(integral_count()) = rate.tail(integral_count()) - rates_;
  return true;
}

// Gains on q and v of all controllers. What they remember follows q and v: within a step, by little.
void System::find_gains(const Instant& now) {
  gains_q_.setZero(nv(), nv());
  gains_v_.setZero(nv(), nv());
  each_controller(now, [&](Controller& controller, const Instant& own, int, int) {
    controller.add_gains(own, gains_q_, gains_v_);
  });
}

void System::tangent(double t, const VectorXd& q, const VectorXd& v, const VectorXd& integrals,
                     const VectorXd& a, Tangent& tangent, Motors motors) {
  require_state("System::tangent", q, v, integrals);
  detail::Call{"System::tangent", model_}.require_velocity("a", a);
  ++tangents_;
  find_loads(t);
  tangent.M.resize(nv(), nv());
  tangent.K.resize(nv(), nv());
  tangent.C.resize(nv(), nv());
  if (!formulation_->tangent({q, v, tau_, active_loads_}, a, tangent)) {
    if (!differentiator_) differentiator_ = std::make_unique<ForceDifferentiator>(model_);
    mass_matrix(model_, work_, q, tangent.M);
    differentiator_->by_position(q, v, a, active_loads_, all_, tangent.K);
    differentiator_->by_velocity(q, v, all_, tangent.C);
  }
  tangent.K += stiffness_;
  tangent.C += damping_;
  const Instant now = instant(t, q, v, integrals);
  find_gains(now);
  if (motors == Motors::limited && !effort_limits_.empty()) {
    ask_controllers(now);
    for (const EffortLimit& limit : effort_limits_) {
      const double slope = limit.slope(asked_[limit.coordinate()]);
      gains_q_.row(limit.coordinate()) *= slope;
      gains_v_.row(limit.coordinate()) *= slope;
    }
  }
  tangent.K += gains_q_;
  tangent.C += gains_v_;
  if (input_.size() > 0) {
    tangent.K += input_ * gains_q_;
    tangent.C += input_ * gains_v_;
  }
  for (const JointTarget& target : scenario_.prescribed) {
    const int i = target.coordinate;
    make_row_identity(tangent.M, i);
    for (MatrixXd* matrix : {&tangent.C, &tangent.K}) clear_row_and_column(*matrix, i);
  }
}

MotionOperators System::motion_operators(double t, const VectorXd& q, const VectorXd& v,
                                         const VectorXd& integrals, const VectorXd& a) {
  require_state("System::motion_operators", q, v, integrals);
  detail::Call{"System::motion_operators", model_}.require_velocity("a", a);
  find_loads(t);
  MotionOperators motions(model_, q, v, a, active_loads_, prescribed_links_);
  find_gains(instant(t, q, v, integrals));
  motions.add_gains(gains_q_, gains_v_);
  if (input_.size() > 0) motions.add_gains(input_ * gains_q_, input_ * gains_v_);
  return motions;
}

void System::forces(double t, VectorXd& q, VectorXd& v, const VectorXd& integrals, Forces& forces) {
  require_state("System::forces", q, v, integrals);
  find_applied_forces(t, q, v, integrals, output_.acceleration);
  // A mode is smooth a little beyond its end; what is shown is not.
  for (const EffortLimit& limit : effort_limits_) {
    double& effort = efforts_[limit.coordinate()];
    effort = std::clamp(effort, -limit.limit(), limit.limit());
  }
  find_actuator_forces();
  const DynamicsInput input{q, v, tau_, active_loads_};
  formulation_->evaluate(input, output_);
  if (!scenario_.prescribed.empty()) formulation_->prescribed_efforts(input, output_, efforts_);
  forces.efforts = efforts_;
  forces.asked = asked_;
  forces.wrenches = output_.wrenches;
  forces.acceleration = output_.acceleration;
  // A motor turns the root section of its link, which moves against B where shapes have a slope there (input_matrix.hpp).
  forces.power = v;
  if (input_.size() > 0) forces.power.noalias() += input_.transpose() * v;
  forces.power.array() *= forces.efforts.array();
}

Energy<double> System::energy(const VectorXd& q, const VectorXd& v) {
  return limber::energy(model_, work_, q, v);
}

// What an error is compared with. Component by component would mean to follow the least important mode to as many
// digits as the motion itself. So numbers are compared by what they mean for the energy: with S^2 the largest
// M_ii v_i^2 or K_ii q_i^2 that has occurred, v_i counts as being of the size S/sqrt(M_ii), and an elastic (or
// sprung) q_i of the size S/sqrt(K_ii); joints without springs as the largest angle, or length, that has occurred
// in any of them. Prescribed joints are not unknown, and do not count.
void System::note_sizes(const VectorXd& q, const VectorXd& v) {
  const detail::Call call{"System::note_sizes", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  double size = energy_size_;
  for (int i = 0; i < nv(); ++i)
    if (!is_prescribed_[static_cast<std::size_t>(i)]) size = std::max(size, sqrt_M_[i] * std::abs(v[i]));
  for (const Link& link : model_.links()) {
    for (int i = 0; i < link.elastic_count; ++i)
      size = std::max(size, sqrt_K_[link.elastic_v_index + i] * std::abs(q[link.elastic_q_index + i]));
    if (link.joint.has_quaternion()) continue;
    for (int i = 0; i < link.joint.nv; ++i) {
      const double position = std::abs(q[link.joint.q_index + i]);
      const double stretch = std::abs(q[link.joint.q_index + i] - link.joint.rest);
      size = std::max(size, sqrt_K_[link.joint.v_index + i] * stretch);
      double& largest = link.joint.turns(i) ? angle_size_ : length_size_;
      largest = std::max(largest, position);
    }
  }
  energy_size_ = size;
  set_tolerances();
}

void System::set_tolerances() {
  const double rtol = rtol_, atol = scenario_.integrator.atol;
  for (int i = 0; i < nv(); ++i) v_tolerance_[i] = atol + rtol * energy_size_ / sqrt_M_[i];
  for (const Link& link : model_.links()) {
    for (int i = 0; i < link.elastic_count; ++i) {
      const int c = link.elastic_v_index + i;
      displacement_tolerance_[c] = atol + rtol * energy_size_ / sqrt_K_[c];
      q_tolerance_[link.elastic_q_index + i] = displacement_tolerance_[c];
    }
    const Joint& joint = link.joint;
    const auto size = [&](int i) {
      return joint.has_quaternion() ? 1.0 : joint.turns(i) ? angle_size_ : length_size_;
    };
    for (int i = 0; i < joint.nv; ++i) displacement_tolerance_[joint.v_index + i] = atol + rtol * size(i);
    for (int i = 0; i < joint.nq; ++i) q_tolerance_[joint.q_index + i] = atol + rtol * size(i);
  }
}

}  // namespace limber
