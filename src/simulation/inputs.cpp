// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/detail/inputs.hpp"

#include <algorithm>
#include <limits>

#include "limber/algorithms/configuration.hpp"
#include "limber/model/hydraulics.hpp"
#include "limber/simulation/valve_side.hpp"

namespace limber::detail {
namespace {

ChamberPressures pressures_in(const Eigen::Map<const Eigen::VectorXd>& x, int at) {
  return {x[at], x[at + 1]};
}

}  // namespace

using Eigen::Index;
using Eigen::VectorXd;

Inputs::Inputs(const Scenario& scenario)
    : scenario_(scenario),
      from_outside_(VectorXd::Zero(scenario.model.nv())),
      asked_(scenario.model.nv() + static_cast<Index>(scenario.model.cylinders().size())),
      efforts_(asked_.size()),
      held_(asked_.size()),
      at_limit_(Eigen::VectorXi::Zero(asked_.size())),
      struts_(scenario.model.cylinders().empty() ? nullptr : std::make_unique<Struts>(scenario.model)),
      nothing_(VectorXd::Zero(scenario.model.nv())) {
  if (struts_) {
    seen_q_.resize(scenario.model.nq() + struts_->count());
    seen_v_.resize(asked_.size());
  }
  add_controllers();
  add_sensors();
  const auto is_prescribed = [&](int coordinate) {
    return std::any_of(scenario.prescribed.begin(), scenario.prescribed.end(),
                       [&](const JointTarget& target) { return target.coordinate == coordinate; });
  };
  for (const Link& link : scenario.model.links())
    for (int c = link.joint.driven_index();
         link.joint.limits.effort && c < link.joint.driven_index() + link.joint.driven_count(); ++c)
      if (!is_prescribed(c)) switches_.push_back(std::make_unique<EffortLimit>(c, *link.joint.limits.effort));
  int c = scenario.model.nv();
  for (const Cylinder& cylinder : scenario.model.cylinders()) {
    if (cylinder.limits.effort)
      switches_.push_back(std::make_unique<EffortLimit>(c, *cylinder.limits.effort));
    ++c;
  }
  add_oil();
}

// A valve is open by 1 at most.
void Inputs::add_oil() {
  const Model& model = scenario_.model;
  for (int i = 0; i < static_cast<int>(model.cylinders().size()); ++i) {
    if (!model.cylinders()[static_cast<std::size_t>(i)].hydraulics) continue;
    const int c = model.nv() + i;
    oil_.push_back({i, memory_at_.back(), c, switches_.size(), switches_.size() + 1});
    switches_.push_back(std::make_unique<EffortLimit>(c, 1.0));
    switches_.push_back(std::make_unique<ValveSide>(c));
    memory_at_.back() += 2;
  }
  memory_rate_ = VectorXd::Zero(memory_size());
}

// After asked_ is known, and struts_ is there.
void Inputs::find_pressure_rates(const Situation& situation) {
  for (const Oil& oil : oil_) {
    const double asked = asked_[oil.coordinate];
    const double opening = static_cast<const EffortLimit&>(*switches_[oil.limit]).effort(asked);
    const int side = static_cast<const ValveSide&>(*switches_[oil.side]).side(asked);
    const ChamberPressures rates =
        pressure_rates(scenario_.model.cylinders()[static_cast<std::size_t>(oil.cylinder)],
                       pressures_in(situation.now.x, oil.at), struts_->lengths()[oil.cylinder],
                       struts_->rates()[oil.cylinder], opening, side);
    memory_rate_[oil.at] = rates.a;
    memory_rate_[oil.at + 1] = rates.b;
  }
}

void Inputs::show_efforts() {
  held_ = efforts_;
  for (const auto& one : switches_) one->show_efforts(efforts_);
  for (const Oil& oil : oil_) efforts_[oil.coordinate] = held_[oil.coordinate];
}

void Inputs::show_pressures(const Instant& now, std::vector<CylinderState>& cylinders) const {
  for (const Oil& oil : oil_) {
    const ChamberPressures p = pressures_in(now.x, oil.at);
    CylinderState& state = cylinders[static_cast<std::size_t>(oil.cylinder)];
    state.pressure_a = p.a;
    state.pressure_b = p.b;
    state.has_chambers = true;
  }
}

void Inputs::add_controllers() {
  int samples = 0;
  memory_at_ = {0};
  for (const auto& controller : scenario_.controllers) {
    const int size = controller->memory_size(), at = memory_at_.back();
    memory_at_.push_back(at + (is_sampled(*controller) ? 0 : size));
    if (!is_sampled(*controller)) {
      continuous_.push_back({controller.get(), at, size, false});
      continue;
    }
    sampled_.push_back({controller.get(), {controller->rate()}, samples, size, false});
    samples = sampled_.back().efforts() + static_cast<int>(asked_.size());
  }
  samples_ = VectorXd::Zero(samples);
  memory_rate_ = VectorXd::Zero(memory_size());
}

void Inputs::add_sensors() {
  const auto add = [](std::vector<int>& list, int sensor) {
    if (std::find(list.begin(), list.end(), sensor) == list.end()) list.push_back(sensor);
  };
  for (const Sampled& sampled : sampled_)
    for (const int sensor : sampled.controller->sensors()) add(looked_at_, sensor);
  for (Continuous& continuous : continuous_)
    for (const int sensor : continuous.controller->sensors()) {
      const SensorDescription& about = scenario_.sensors[static_cast<std::size_t>(sensor)];
      add(looked_at_, sensor);
      if (!about.rate) {
        add(seen_at_once_, sensor);
        continue;
      }
      continuous.awaits_reading = true;
      arrivals_.push_back({*about.rate, about.delay});
    }
  measured_.setConstant(static_cast<Index>(scenario_.sensors.size()),
                        std::numeric_limits<double>::quiet_NaN());
  if (seen_at_once_.empty()) return;
  std::vector<SensorDescription> seen;
  for (const int sensor : seen_at_once_) seen.push_back(scenario_.sensors[static_cast<std::size_t>(sensor)]);
  measurement_.emplace(scenario_.model, std::move(seen));
  values_ = VectorXd::Zero(measurement_->size());
}

void Inputs::show(const Input<double>& readings) {
  for (const int sensor : looked_at_) measured_[sensor] = readings[sensor];
  has_shown_ = true;
}

void Inputs::set_shown(const VectorXd& shown) {
  measured_ = shown;
  has_shown_ = true;
}

// What is seen at once is a function of positions and velocities: accelerations and efforts are not asked for.
void Inputs::look(const Instant& now) {
  if (!measurement_) return;
  measurement_->evaluate(now.q, now.v, nothing_, nothing_, {}, values_);
  for (std::size_t i = 0; i < seen_at_once_.size(); ++i)
    measured_[seen_at_once_[i]] = values_[static_cast<Index>(i)];
}

// Lengths behind q, rates behind v.
void Inputs::see_cylinders(const Instant& now) {
  if (!struts_) return;
  struts_->update(now.q, now.v);
  seen_q_ << now.q, struts_->lengths();
  seen_v_ << now.v, struts_->rates();
}

// What a controller sees, after see_cylinders.
Instant Inputs::seen(const Instant& now, Eigen::Map<const VectorXd> x) {
  const Eigen::Map<const VectorXd> measured{measured_.data(), measured_.size()};
  if (!struts_) return {now.t, now.within, now.q, now.v, x, measured};
  return {now.t, now.within, seen_q_, seen_v_, x, measured};
}

// Those that are asked all the time. Each sees what it remembers itself.
template <typename Visitor>
void Inputs::each_controller(const Instant& now, Visitor&& visitor) {
  see_cylinders(now);
  for (const Continuous& continuous : continuous_) {
    if (continuous.awaits_reading && !has_shown_) continue;
    visitor(continuous, seen(now, {now.x.data() + continuous.at, continuous.memory_size}));
  }
}

Situation Inputs::ask(const Instant& now) {
  look(now);
  asked_.head(from_outside_.size()) = from_outside_;
  asked_.tail(asked_.size() - from_outside_.size()).setZero();
  for (const Sampled& sampled : sampled_) asked_ += samples_.segment(sampled.efforts(), asked_.size());
  each_controller(now, [&](const Continuous& continuous, const Instant& own) {
    continuous.controller->add_efforts(own, asked_);
  });
  for (const JointTarget& target : scenario_.prescribed) asked_[target.coordinate] = 0.0;
  return {now, asked_, nothing_};
}

void Inputs::note_limits(const Situation& situation) {
  for (const auto& one : switches_) one->note_limit(situation, at_limit_);
}

// After asked_ is known.
void Inputs::find_memory_rate(const Situation& situation) {
  if (memory_size() == 0) return;
  note_limits(situation);
  each_controller(situation.now, [&](const Continuous& continuous, const Instant& own) {
    if (continuous.memory_size > 0)
      continuous.controller->memory_rate(own, at_limit_,
                                         memory_rate_.segment(continuous.at, continuous.memory_size));
  });
  find_pressure_rates(situation);
}

void Inputs::find_memory_rate(const Instant& now) { find_memory_rate(ask(now)); }

void Inputs::find_efforts(const Instant& now) {
  const Situation situation = ask(now);
  find_memory_rate(situation);
  efforts_ = asked_;
  for (const auto& one : switches_) one->change_efforts(situation, efforts_);
  for (const Oil& oil : oil_)
    efforts_[oil.coordinate] =
        hydraulic_force(*scenario_.model.cylinders()[static_cast<std::size_t>(oil.cylinder)].hydraulics,
                        pressures_in(now.x, oil.at));
}

// All see the arm as it is, and what they remembered before. What they ask for together decides whether a motor is at its limit.
void Inputs::sample(const Instant& now, double resolution) {
  for (Sampled& sampled : sampled_) sampled.is_due = sampled.when.has(now.t, resolution);
  see_cylinders(now);
  const auto own = [&](const Sampled& sampled) {
    return seen(now, {samples_.data() + sampled.at, sampled.memory_size});
  };
  for (const Sampled& sampled : sampled_) {
    if (!sampled.is_due) continue;
    held_.setZero();
    sampled.controller->add_efforts(own(sampled), held_);
    samples_.segment(sampled.efforts(), held_.size()) = held_;
  }
  const Situation situation = ask(now);
  for (const auto& one : switches_) one->enter(situation);
  note_limits(situation);
  for (const Sampled& sampled : sampled_) {
    if (!sampled.is_due || sampled.memory_size == 0) continue;
    next_ = samples_.segment(sampled.at, sampled.memory_size);
    sampled.controller->remember(own(sampled), at_limit_, next_);
    samples_.segment(sampled.at, sampled.memory_size) = next_;
  }
}

// Without what they remember, which has slopes of its own.
void Inputs::find_gains(const Instant& now, bool limited) {
  const Index n = asked_.size();
  gains_q_.setZero(n, n);
  gains_v_.setZero(n, n);
  look(now);
  each_controller(now, [&](const Continuous& continuous, const Instant& own) {
    continuous.controller->add_gains(own, gains_q_, gains_v_);
  });
  if (measurement_) add_sensor_gains(now);
  if (limited && !switches_.empty()) {
    const Situation situation = ask(now);
    for (const auto& one : switches_) {
      one->change_gains(situation, gains_q_);
      one->change_gains(situation, gains_v_);
    }
  }
  // Oil presses as it is: what a valve does to it takes time.
  for (const Oil& oil : oil_) {
    gains_q_.row(oil.coordinate).setZero();
    gains_v_.row(oil.coordinate).setZero();
  }
  if (struts_) map_gains(now);
}

// Lengths and rates are functions of q and v: l = l(q), l' = J v. With E = [1; J] and R = d(J v)/dq behind zeros, gains are G_q E + G_v R and G_v E; those of forces act by J^T.
void Inputs::map_gains(const Instant& now) {
  const Index n = now.v.size(), m = struts_->count();
  struts_->update(now.q, now.v);
  const Eigen::MatrixXd& J = struts_->jacobian();
  const Eigen::MatrixXd by_q = gains_q_.leftCols(n) + gains_q_.rightCols(m) * J +
                               gains_v_.rightCols(m) * struts_->rate_derivative(now.q, now.v);
  const Eigen::MatrixXd by_v = gains_v_.leftCols(n) + gains_v_.rightCols(m) * J;
  drive_gains_q_ = J.transpose() * by_q.bottomRows(m);
  drive_gains_v_ = J.transpose() * by_v.bottomRows(m);
  gains_q_ = by_q.topRows(n);
  gains_v_ = by_v.topRows(n);
}

// By the chain rule; sensors that hold their samples do not follow the motion.
void Inputs::add_sensor_gains(const Instant& now) {
  sensor_gains_.setZero(asked_.size(), measured_.size());
  each_controller(now, [&](const Continuous& continuous, const Instant& own) {
    continuous.controller->add_sensor_gains(own, sensor_gains_);
  });
  if (sensor_gains_.isZero(0.0)) return;
  measurement_->jacobian(now.q, now.v, nothing_, {}, slopes_);
  for (std::size_t i = 0; i < seen_at_once_.size(); ++i) {
    const auto row = static_cast<Index>(i);
    gains_q_.leftCols(nothing_.size()).noalias() += sensor_gains_.col(seen_at_once_[i]) * slopes_.dq.row(row);
    gains_v_.leftCols(nothing_.size()).noalias() += sensor_gains_.col(seen_at_once_[i]) * slopes_.dv.row(row);
  }
}

void Inputs::find_memory_slopes(const Instant& now, MemorySlopes& slopes) {
  const Index n = nothing_.size(), m = memory_size();
  slopes.force.setZero(asked_.size(), m);
  slopes.dq.setZero(m, n);
  slopes.dv.setZero(m, n);
  slopes.dx.setZero(m, m);
  if (m == 0) {
    slopes.force.resize(n, m);
    return;
  }
  near_q_ = now.q;
  near_v_ = now.v;
  near_x_ = now.x;
  way_.setZero(n);
  const Instant near{now.t, now.within, near_q_, near_v_, {near_x_.data(), m}};
  find_memory_rate(near);
  rate_here_ = memory_rate_;
  asked_here_ = asked_;
  constexpr double half_digits = 1e-7;
  for (Index k = 0; k < m; ++k) {
    const double before = near_x_[k];
    near_x_[k] += half_digits * std::max(std::abs(before), 1.0);
    find_memory_rate(near);
    const double step = near_x_[k] - before;
    slopes.force.col(k) = (asked_ - asked_here_) / step;
    slopes.dx.col(k) = (memory_rate_ - rate_here_) / step;
    near_x_[k] = before;
  }
  for (Index k = 0; k < n; ++k) {
    way_[k] = half_digits;
    displace(scenario_.model, now.q, way_, near_q_);
    way_[k] = 0.0;
    find_memory_rate(near);
    slopes.dq.col(k) = (memory_rate_ - rate_here_) / half_digits;
    near_q_ = now.q;
    const double before = near_v_[k];
    near_v_[k] += half_digits * std::max(std::abs(before), 1.0);
    find_memory_rate(near);
    slopes.dv.col(k) = (memory_rate_ - rate_here_) / (near_v_[k] - before);
    near_v_[k] = before;
  }
  const Situation situation = ask(now);
  for (const auto& one : switches_) one->change_gains(situation, slopes.force);
  for (const Oil& oil : oil_) {
    const auto [A_a, A_b] =
        piston_areas(*scenario_.model.cylinders()[static_cast<std::size_t>(oil.cylinder)].hydraulics);
    slopes.force.row(oil.coordinate).setZero();
    slopes.force(oil.coordinate, oil.at) = A_a;
    slopes.force(oil.coordinate, oil.at + 1) = -A_b;
  }
  if (!struts_) return;
  struts_->update(now.q, now.v);
  const Eigen::MatrixXd of_drives =
      struts_->jacobian().transpose() * slopes.force.bottomRows(struts_->count());
  slopes.force = Eigen::MatrixXd(slopes.force.topRows(n)) + of_drives;
}

}  // namespace limber::detail
