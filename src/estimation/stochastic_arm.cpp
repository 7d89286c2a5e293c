// SPDX-License-Identifier: BSD-3-Clause
#include "limber/estimation/stochastic_arm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "arm_step.hpp"
#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/core/input_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double reading_deviation(const SensorDescription& sensor) {
  return std::sqrt(sensor.noise * sensor.noise + sensor.quantum * sensor.quantum / 12.0);
}

std::vector<Problem> check_followed(const Scenario& scenario) {
  std::vector<Problem> problems;
  if (!scenario.model.loops().empty())
    problems.push_back({"model.loops[0]", "an arm without closed loops",
                        "`" + scenario.model.loops().front().name + "`",
                        "filters take all coordinates as free: estimate the open arm"});
  for (const auto& controller : scenario.controllers) {
    if (controller->rate() > 0.0) continue;
    for (const int i : controller->sensors())
      if (const SensorDescription& sensor = scenario.sensors[static_cast<std::size_t>(i)]; sensor.rate)
        problems.push_back({fmt::format("sensors[{}].rate", i),
                            "controllers with a `rate` of their own, where they look at sensors with samples",
                            "a continuous one that looks at `" + sensor.name + "`",
                            "give the controller a `rate`"});
  }
  return problems;
}

std::vector<Problem> check_observed(const Scenario& scenario, const std::vector<int>& sensors) {
  std::vector<Problem> problems = check_followed(scenario);
  if (sensors.empty())
    problems.push_back({"sensors", "at least one sensor", "none", "docs/sensors.md says what there is"});
  for (const int i : sensors)
    if (const SensorDescription& sensor = scenario.sensors.at(static_cast<std::size_t>(i));
        !(reading_deviation(sensor) > 0.0))
      problems.push_back({fmt::format("sensors[{}].noise", i),
                          "a standard deviation > 0: a filter weighs readings by it",
                          "none of `" + sensor.name + "`", "such as noise: 1e-3"});
  return problems;
}

namespace {

/// As the options are asked for: > 0, or at least 0, and all of them far from where variances overflow.
const StochasticArmOptions& sound_options(const StochasticArmOptions& how) {
  const auto require = [](const char* name, double value, bool may_be_zero) {
    constexpr double most = 1e30;
    if (value <= most && (value > 0.0 || (may_be_zero && value == 0.0))) return;
    throw InputError(Problem{std::string("StochasticArm: options.") + name,
                             fmt::format("a number {} 0, at most {:g}", may_be_zero ? ">=" : ">", most),
                             fmt::format("{}", value), ""});
  };
  require("position_deviation", how.position_deviation, true);
  require("velocity_deviation", how.velocity_deviation, true);
  require("elastic_deviation", how.elastic_deviation, true);
  require("process_noise", how.process_noise, true);
  require("longest_step", how.longest_step, false);
  return how;
}

/// Into how many steps a time is cut. Throws where nobody would wait for them.
long step_count(double length, double longest) {
  constexpr double rounding = 1e-9, most = 1e9;
  const double count = std::ceil(length / longest - rounding);
  if (!(count <= most))
    throw InputError(Problem{
        "step", fmt::format("one that fits into {:g} s, between two times, at most {:g} times", length, most),
        fmt::format("{:g} s, {:.3g} times", longest, count),
        "are times in seconds? Else take longer steps: --step, or `step` of the observer"});
  return std::max(1L, static_cast<long>(count));
}

}  // namespace

struct StochasticArm::Inside {
  Inside(ArmNodes all, std::vector<UnknownParameter> unknown, const StochasticArmOptions& how)
      : nodes(sound(std::move(all))),
        layout(nodes),
        parameters(std::move(unknown)),
        options(sound_options(how)),
        step(nodes, layout, densities()) {
    noted.resize(nodes.centre().scenario.sensors.size());
    const Measurement& measurement = nodes.centre().measurement;
    for (int i = 0; i < measurement.size(); ++i) {
      const Dependence on = measurement.dependence(i);
      needs_forces = needs_forces || on == Dependence::accelerations || on == Dependence::efforts;
    }
    nothing.setZero(layout.nv);
    integrals.setZero(ledger_size + layout.m);
    y.setZero(layout.nq + layout.nv + integrals.size());
  }

  static ArmNodes sound(ArmNodes all) {
    if (auto problems = check_followed(all.centre().scenario); !problems.empty())
      throw InputError(std::move(problems));
    return all;
  }

  const Model& model() const { return nodes.centre().scenario.model; }

  // A number for joints, another for elastic coordinates, none for what moves as it is told.
  VectorXd by_coordinate(double joints, double elastic) const {
    VectorXd all = VectorXd::Constant(model().nv(), joints);
    for (const Link& link : model().links())
      all.segment(link.elastic_v_index, link.elastic_count).setConstant(elastic);
    for (const JointTarget& target : nodes.centre().scenario.prescribed) all[target.coordinate] = 0.0;
    return all;
  }
  VectorXd densities() const { return by_coordinate(options.process_noise, 0.0); }

  // ---- start ----

  VectorXd start_of(const System& system, const VectorXd& p) const {
    const VectorXd initial = system.initial_state();
    VectorXd x(layout.point());
    x << initial.head(layout.nq + layout.nv), initial.tail(layout.m), system.samples(), p;
    return x;
  }

  // Where the start follows from parameters (a payload's sag), it is as uncertain as they make it, too.
  MatrixXd start_covariance() {
    constexpr double of_rates = 10.0;
    MatrixXd P = MatrixXd::Zero(layout.error(), layout.error());
    P.diagonal().head(layout.nv) =
        by_coordinate(options.position_deviation, options.elastic_deviation).cwiseAbs2();
    P.diagonal().segment(layout.nv, layout.nv) =
        by_coordinate(options.velocity_deviation, of_rates * options.elastic_deviation).cwiseAbs2();
    if (layout.p == 0) return P;
    VectorXd p(layout.p);
    for (Index j = 0; j < layout.p; ++j) p[j] = parameters[static_cast<std::size_t>(j)].value;
    nodes.go_near(p);
    nodes.weigh(p);
    const VectorXd here = start_of(nodes.centre().system, p);
    MatrixXd slopes = MatrixXd::Zero(layout.error(), layout.p);
    VectorXd error(layout.error());
    for (const auto& node : nodes.all()) {
      difference(here, start_of(node->system, p), error);
      for (Index j = 0; j < layout.p; ++j) slopes.col(j) += node->slopes[j] * error;
    }
    slopes.bottomRows(layout.p).setIdentity();
    VectorXd variances(layout.p);
    for (Index j = 0; j < layout.p; ++j)
      variances[j] = std::pow(parameters[static_cast<std::size_t>(j)].deviation, 2);
    return P + slopes * variances.asDiagonal() * slopes.transpose();
  }

  // ---- points ----

  void displace(const VectorXd& x, const VectorXd& error, VectorXd& result) {
    result.resize(layout.point());
    way = error.head(layout.nv);
    limber::displace(model(), x.head(layout.nq), way, result.head(layout.nq));
    const Index rest = layout.point() - layout.nq;
    result.tail(rest) = x.tail(rest) + error.tail(rest);
  }

  void difference(const VectorXd& from, const VectorXd& to, VectorXd& error) {
    error.resize(layout.error());
    way.resize(layout.nv);
    limber::difference(model(), from.head(layout.nq), to.head(layout.nq), way);
    error.head(layout.nv) = way;
    const Index rest = layout.point() - layout.nq;
    error.tail(rest) = to.tail(rest) - from.tail(rest);
  }

  void expect(const VectorXd& x) {
    if (layout.p == 0) return;
    const ArmNode* const before = &nodes.centre();
    nodes.go_near(x.tail(layout.p));
    if (&nodes.centre() != before) step.forget();
  }

  // ---- time ----

  void enter_interval(double within) {
    for (const auto& node : nodes.all()) node->system.enter_interval(within);
  }
  void show_samples() {
    if (layout.s > 0)
      for (const auto& node : nodes.all()) node->system.set_samples(point.s);
  }

  void predict(double from, double to, VectorXd& x, Carried carried) {
    const System& system = nodes.centre().system;
    const double resolution = system.time_resolution();
    point.set(layout, x);
    if (layout.p > 0) nodes.weigh(point.p);
    show_samples();
    double t = from;
    while (to - t > resolution) {
      const double corner = system.next_corner(t);
      enter_interval(std::isfinite(corner) ? 0.5 * (t + corner) : t + 1.0);
      if (system.is_sample(t)) sample(t, carried);
      const double end = std::min(to, corner), length = end - t;
      const long steps = step_count(length, options.longest_step);
      const auto count = static_cast<double>(steps);
      for (long i = 0; i < steps; ++i) {
        stop_if_asked();
        step.take(t + length * static_cast<double>(i) / count, length / count, point, carried);
      }
      t = end;
    }
    point.write(layout, x);
  }

  // What sampled controllers make of a state. They are asked in all prepared arms.
  void ask(double t, const ArmPoint& at, VectorXd& s) {
    s.setZero(layout.s);
    y << at.q, at.v, VectorXd::Zero(ledger_size), at.m;
    for (const auto& node : nodes.all()) {
      if (node->weight == 0.0) continue;
      node->system.set_samples(at.s);
      if (node->system.looks_at_sensors()) {
        seen = node->instruments.ideal(node->system, t, y);
        for (std::size_t i = 0; i < noted.size(); ++i)
          if (std::abs(noted[i].t - sampled_at(node->scenario.sensors[i], t)) <= 1e-9 * std::max(1.0, t))
            seen[static_cast<Index>(i)] = noted[i].value;
        node->system.show(seen);
      }
      node->system.sample(t, y);
      s += node->weight * node->system.samples();
    }
  }

  void sample(double t, Carried carried) {
    if (layout.s == 0) return;
    VectorXd next;
    ask(t, point, next);
    if (carried.covariance || carried.transition) {
      const MatrixXd slopes = sample_slopes(t);
      const auto rows = [&](MatrixXd& of) {
        const MatrixXd changed = slopes * of;
        of.middleRows(layout.samples_at(), layout.s) = changed;
      };
      if (carried.transition) rows(*carried.transition);
      if (carried.covariance) {
        rows(*carried.covariance);
        const MatrixXd columns = *carried.covariance * slopes.transpose();
        // Rows of samples are changed already: their columns are those of the product.
        carried.covariance->middleCols(layout.samples_at(), layout.s) = columns;
      }
    }
    point.s = next;
    show_samples();
  }

  // By central differences.
  MatrixXd sample_slopes(double t) {
    const Index n = layout.error();
    constexpr double half_digits = 1e-6;
    MatrixXd slopes(layout.s, n);
    VectorXd here, there, error = VectorXd::Zero(n), above, below;
    point.write(layout, here);
    ArmPoint near;
    for (Index c = 0; c < n; ++c) {
      const Index of_x = c + layout.point() - n;
      const double size = c < layout.nv ? 1.0 : std::max(1.0, std::abs(here[of_x]));
      const double by = half_digits * size;
      for (const double way_of : {by, -by}) {
        error[c] = way_of;
        displace(here, error, there);
        near.set(layout, there);
        if (c >= layout.parameters_at()) nodes.weigh(near.p);
        ask(t, near, way_of > 0.0 ? above : below);
      }
      error[c] = 0.0;
      slopes.col(c) = (above - below) / (2.0 * by);
    }
    if (layout.p > 0) nodes.weigh(point.p);
    show_samples();
    return slopes;
  }

  // ---- readings ----

  // Samples show what was before a corner, and whoever looks himself what is behind it.
  static double before(const System& system, double t) {
    const double little = 100.0 * system.time_resolution();
    return t > little ? t - little : 0.5 * system.next_corner(0.0);
  }

  // Of all sensors, at `point`; of each prepared arm into its `shown`.
  void look(double t, VectorXd& all) {
    all.setZero(static_cast<Index>(noted.size()));
    for (const auto& node : nodes.all()) {
      node->shown.resize(all.size());
      q = point.q;
      v = point.v;
      if (needs_forces) {
        integrals.tail(layout.m) = point.m;
        node->system.forces(t, q, v, integrals, node->forces);
        node->measurement.evaluate(q, v, node->forces.acceleration, node->forces.efforts,
                                   node->system.active_loads(), node->shown);
      } else {
        node->measurement.evaluate(q, v, nothing, nothing, {}, node->shown);
      }
      all += node->weight * node->shown;
    }
  }

  void read(double t, const VectorXd& x, const std::vector<int>& sensors, VectorXd& readings,
            MatrixXd* slopes) {
    const System& system = nodes.centre().system;
    point.set(layout, x);
    if (layout.p > 0) nodes.weigh(point.p);
    show_samples();
    enter_interval(before(system, t));
    look(t, shown);
    readings.resize(static_cast<Index>(sensors.size()));
    for (std::size_t i = 0; i < sensors.size(); ++i) readings[static_cast<Index>(i)] = shown[sensors[i]];
    if (slopes) find_slopes(t, sensors, *slopes);
    const double corner = system.next_corner(std::max(0.0, before(system, t)));
    if (!needs_forces || std::abs(corner - t) > system.time_resolution() || !(t > 0.0)) return;
    const double next = system.next_corner(t);
    enter_interval(std::isfinite(next) ? 0.5 * (t + next) : t + 1.0);
    look(t, shown);
    for (std::size_t i = 0; i < sensors.size(); ++i) {
      const SensorDescription& about = nodes.centre().scenario.sensors[static_cast<std::size_t>(sensors[i])];
      if (!about.rate && about.delay == 0.0) readings[static_cast<Index>(i)] = shown[sensors[i]];
    }
  }

  // Of what depends on positions and velocities the exact derivatives; what follows efforts and accelerations, whatever acts, is differenced. Parameters by interpolation.
  void find_slopes(double t, const std::vector<int>& sensors, MatrixXd& H) {
    const Index n = layout.nv;
    H.setZero(static_cast<Index>(sensors.size()), layout.error());
    const bool turns = std::any_of(sensors.begin(), sensors.end(), [&](int i) { return !is_constant(i); });
    for (const auto& node : nodes.all()) {
      if (node->weight != 0.0) {
        // Rows of positions, rates and strains never change.
        if (turns || node->slopes_known == false)
          node->measurement.jacobian(point.q, point.v, nothing, {}, node->jacobian);
        node->slopes_known = true;
        for (std::size_t i = 0; i < sensors.size(); ++i) {
          if (follows_forces(sensors[i])) continue;
          auto row = H.row(static_cast<Index>(i));
          row.head(n) += node->weight * node->jacobian.dq.row(sensors[i]);
          row.segment(n, n) += node->weight * node->jacobian.dv.row(sensors[i]);
        }
      }
      for (std::size_t i = 0; i < sensors.size(); ++i)
        for (Index j = 0; j < layout.p; ++j)
          H(static_cast<Index>(i), layout.parameters_at() + j) += node->slopes[j] * node->shown[sensors[i]];
    }
    if (needs_forces) difference_slopes(t, sensors, H);
  }

  bool follows_forces(int sensor) const {
    const Dependence on = nodes.centre().measurement.dependence(sensor);
    return on == Dependence::accelerations || on == Dependence::efforts;
  }
  // Whether its derivatives are the same everywhere.
  bool is_constant(int sensor) const {
    const SensorKind& kind = nodes.centre().scenario.sensors[static_cast<std::size_t>(sensor)].kind;
    return !model().has_quaternions() && (std::holds_alternative<sensors::Position>(kind) ||
                                          std::holds_alternative<sensors::Velocity>(kind) ||
                                          std::holds_alternative<sensors::Strain>(kind) ||
                                          std::holds_alternative<sensors::Curvature>(kind));
  }

  void difference_slopes(double t, const std::vector<int>& sensors, MatrixXd& H) {
    if (std::none_of(sensors.begin(), sensors.end(), [&](int i) { return follows_forces(i); })) return;
    constexpr double half_digits = 1e-6;
    VectorXd here, there, error = VectorXd::Zero(layout.error()), above, below;
    const ArmPoint kept = point;
    point.write(layout, here);
    for (Index c = 0; c < layout.parameters_at(); ++c) {
      const double size = c < layout.nv ? 1.0 : std::max(1.0, std::abs(here[c + here.size() - error.size()]));
      const double step_of = half_digits * size;
      for (const double by : {step_of, -step_of}) {
        error[c] = by;
        displace(here, error, there);
        point.set(layout, there);
        show_samples();
        look(t, by > 0.0 ? above : below);
      }
      error[c] = 0.0;
      for (std::size_t i = 0; i < sensors.size(); ++i)
        if (follows_forces(sensors[i]))
          H(static_cast<Index>(i), c) = (above[sensors[i]] - below[sensors[i]]) / (2.0 * step_of);
    }
    point = kept;
    show_samples();
    look(t, above);
  }

  TipEstimate tip(const VectorXd& x, const MatrixXd& P) {
    point.set(layout, x);
    if (layout.p > 0) nodes.weigh(point.p);
    const Index n = layout.nv;
    TipEstimate tip{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
    MatrixXd J = MatrixXd::Zero(3, layout.error()), jacobian(6, n);
    for (const auto& node : nodes.all()) {
      const Model& arm = node->scenario.model;
      update_velocities<double>(arm, node->work, point.q, point.v);
      update_world_poses(node->work);
      const Eigen::Vector3d position = frame_pose<double>(arm, node->work, arm.end_effector()).p;
      frame_jacobian<double>(arm, node->work, arm.end_effector(), MotionAxes::local_world_aligned, jacobian);
      tip.position += node->weight * position;
      J.leftCols(n) += node->weight * jacobian.topRows(3);
      for (Index j = 0; j < layout.p; ++j) J.col(layout.parameters_at() + j) += node->slopes[j] * position;
      VectorXd straight = point.q;
      for (const Link& link : arm.links())
        straight.segment(link.elastic_q_index, link.elastic_count).setZero();
      update_velocities<double>(arm, node->work, straight, point.v);
      update_world_poses(node->work);
      tip.unbent += node->weight * frame_pose<double>(arm, node->work, arm.end_effector()).p;
    }
    const Eigen::Matrix3d covariance = J * P * J.transpose();
    tip.standard_deviation = covariance.diagonal().cwiseMax(0.0).cwiseSqrt();
    return tip;
  }

  ArmNodes nodes;
  ArmLayout layout;
  std::vector<UnknownParameter> parameters;
  StochasticArmOptions options;
  ArmStep step;
  bool needs_forces = false;
  struct Noted {
    double t = -1.0, value = 0.0;
  };
  std::vector<Noted> noted;  ///< of each sensor

  // Scratch.
  ArmPoint point;
  VectorXd way, q, v, integrals, y, seen, shown, nothing;
};

StochasticArm::StochasticArm(Scenario scenario, const StochasticArmOptions& options)
    : inside_(std::make_unique<Inside>(ArmNodes(std::move(scenario)), std::vector<UnknownParameter>(),
                                       options)) {}

StochasticArm::StochasticArm(ScenarioAt scenario_at, std::vector<UnknownParameter> parameters,
                             const StochasticArmOptions& options) {
  ArmNodes nodes(std::move(scenario_at), parameters);
  inside_ = std::make_unique<Inside>(std::move(nodes), std::move(parameters), options);
}

StochasticArm::~StochasticArm() = default;

const Model& StochasticArm::model() const { return inside_->model(); }
const Scenario& StochasticArm::scenario() const { return inside_->nodes.centre().scenario; }
const std::vector<UnknownParameter>& StochasticArm::parameters() const { return inside_->parameters; }

VectorXd StochasticArm::start() const {
  VectorXd p(inside_->layout.p);
  for (Index j = 0; j < p.size(); ++j) p[j] = inside_->parameters[static_cast<std::size_t>(j)].value;
  return inside_->start_of(inside_->nodes.centre().system, p);
}

MatrixXd StochasticArm::start_covariance() const { return inside_->start_covariance(); }

VectorXd StochasticArm::with_state(const VectorXd& x, const VectorXd& q, const VectorXd& v) const {
  const detail::Call call{"StochasticArm::with_state", model()};
  call.require_position("q", q);
  call.require_velocity("v", v);
  detail::require_extent("StochasticArm::with_state", "x", x, point_size(), 1);
  VectorXd moved = x;
  moved.head(q.size()) = q;
  moved.segment(q.size(), v.size()) = v;
  return moved;
}

int StochasticArm::parameters_at() const { return point_size() - constant_count(); }
int StochasticArm::parameter_errors_at() const { return error_size() - constant_count(); }
double StochasticArm::time_resolution() const { return inside_->nodes.centre().system.time_resolution(); }

void StochasticArm::note_reading(int sensor, double t, double value) {
  detail::require_index("StochasticArm::note_reading", "sensor", reading_count(), sensor);
  inside_->noted[static_cast<std::size_t>(sensor)] = {t, value};
}

TipEstimate StochasticArm::tip(const VectorXd& x, const MatrixXd& covariance) {
  detail::require_extent("StochasticArm::tip", "x", x, point_size(), 1);
  detail::require_extent("StochasticArm::tip", "covariance", covariance, error_size(), error_size());
  return inside_->tip(x, covariance);
}

int StochasticArm::point_size() const { return static_cast<int>(inside_->layout.point()); }
int StochasticArm::error_size() const { return static_cast<int>(inside_->layout.error()); }
int StochasticArm::reading_count() const { return static_cast<int>(inside_->noted.size()); }
int StochasticArm::constant_count() const { return static_cast<int>(inside_->layout.p); }
double StochasticArm::variance(int sensor) const {
  const double deviation = reading_deviation(scenario().sensors.at(static_cast<std::size_t>(sensor)));
  return deviation * deviation;
}
bool StochasticArm::is_disturbed() const { return inside_->options.process_noise > 0.0; }

void StochasticArm::displace(const VectorXd& x, const VectorXd& error, VectorXd& result) {
  inside_->displace(x, error, result);
}
void StochasticArm::difference(const VectorXd& from, const VectorXd& to, VectorXd& error) {
  inside_->difference(from, to, error);
}
void StochasticArm::expect(const VectorXd& x) { inside_->expect(x); }
void StochasticArm::predict(double from, double to, VectorXd& x, Carried carried) {
  inside_->predict(from, to, x, carried);
}
void StochasticArm::read(double t, const VectorXd& x, const std::vector<int>& sensors, VectorXd& readings,
                         MatrixXd* slopes) {
  inside_->read(t, x, sensors, readings, slopes);
}

}  // namespace limber
