// SPDX-License-Identifier: BSD-3-Clause
#include "limber/estimation/kalman_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/simulation/instruments.hpp"
#include "limber/simulation/system.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// What a filter can be told about the arm, or what is wrong.
Scenario& sound(Scenario& scenario) {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < scenario.sensors.size(); ++i) {
    const SensorDescription& sensor = scenario.sensors[i];
    const std::string path = fmt::format("sensors[{}]", i);
    if (!(reading_deviation(sensor) > 0.0))
      problems.push_back({path + ".noise", "a standard deviation > 0: a filter weighs readings by it",
                          "none of `" + sensor.name + "`", "such as noise: 1e-3"});
    if (sensor.delay > 0.0)
      problems.push_back({path + ".delay", "0: a filter takes readings as they are now",
                          fmt::format("{} s of `{}`", sensor.delay, sensor.name), ""});
  }
  if (scenario.sensors.empty()) problems.push_back({"sensors", "at least one sensor", "none", ""});
  if (sample_count(scenario) > 0)
    problems.push_back({"actuation", "continuous controllers", "one that takes samples",
                        "give its efforts as trajectories of type table"});
  if (!problems.empty()) throw InputError(std::move(problems));
  return scenario;
}

}  // namespace

double reading_deviation(const SensorDescription& sensor) {
  return std::sqrt(sensor.noise * sensor.noise + sensor.quantum * sensor.quantum / 12.0);
}

struct KalmanFilter::Inside {
  Inside(Scenario from, const KalmanOptions& how)
      : scenario(std::move(sound(from))),
        system(scenario),
        instruments(scenario),
        measurement(scenario.model, scenario.sensors),
        options(how),
        work(scenario.model) {
    const VectorXd start = system.initial_state();
    q = start.head(system.nq());
    v = start.segment(system.nq(), system.nv());
    integrals = start.tail(system.integral_count());
    const Index n = system.nv();
    P = MatrixXd::Zero(2 * n, 2 * n);
    W = VectorXd::Zero(n);
    VectorXd deviations(2 * n);
    deviations.head(n).setConstant(options.position_deviation);
    deviations.tail(n).setConstant(options.velocity_deviation);
    W.setConstant(options.process_noise);
    for (const Link& link : scenario.model.links()) {
      constexpr double of_rates = 10.0;
      deviations.segment(link.elastic_v_index, link.elastic_count).setConstant(options.elastic_deviation);
      deviations.segment(n + link.elastic_v_index, link.elastic_count)
          .setConstant(of_rates * options.elastic_deviation);
      W.segment(link.elastic_v_index, link.elastic_count).setZero();
    }
    // What moves as it is told is known.
    for (const JointTarget& target : scenario.prescribed)
      deviations[target.coordinate] = deviations[n + target.coordinate] = W[target.coordinate] = 0.0;
    P.diagonal() = deviations.cwiseAbs2();
    Phi.setIdentity(2 * n, 2 * n);
    acceleration.setZero(n);
    enter();
  }

  void enter() {
    end = system.next_corner(t);
    system.enter_interval(std::isfinite(end) ? 0.5 * (t + end) : t + 1.0);
  }

  // (1), (2)
  void step(double h) {
    const Index n = system.nv();
    const double middle = t + 0.5 * h;
    v_m = v + 0.5 * h * acceleration;
    const auto place = [&] {
      delta = 0.5 * h * v_m;
      displace(scenario.model, q, delta, q_m);
    };
    q_m.resize(q.size());
    place();
    a = acceleration;
    system.tangent(middle, q_m, v_m, integrals, a, tangent);
    S = tangent.M + 0.5 * h * tangent.C + 0.25 * h * h * tangent.K;
    factor.compute(S);
    constexpr int most = 20;
    constexpr double enough = 1e-10;
    for (int i = 0;; ++i) {
      if (!system.missing_forces(middle, q_m, v_m, integrals, a, missing, rates))
        throw InputError(Problem{"formulation", "one whose forces can be asked for at any acceleration",
                                 "another", "take formulation recursive"});
      change = factor.solve(missing);
      a += change;
      v_m += 0.5 * h * change;
      place();
      if (change.norm() <= enough * (1.0 + a.norm())) break;
      if (i == most || !a.allFinite())
        throw ComputationError(
            fmt::format("the estimate cannot go on at {:g} s: take shorter steps, or look at what "
                        "the sensors show",
                        t));
    }
    // The error goes along.
    slopes_q = -factor.solve(tangent.K);
    slopes_v = -factor.solve(tangent.C + 0.5 * h * tangent.K);
    Phi.topLeftCorner(n, n) = 0.5 * h * h * slopes_q;
    Phi.topRightCorner(n, n) = 0.5 * h * h * slopes_v;
    Phi.bottomLeftCorner(n, n) = h * slopes_q;
    Phi.bottomRightCorner(n, n) = h * slopes_v;
    Phi.diagonal().array() += 1.0;
    Phi.topRightCorner(n, n).diagonal().array() += h;
    if (system.has_quaternions()) Phi.topLeftCorner(n, n) -= h * displacement_coupling(scenario.model, v_m);
    product.noalias() = Phi * P;
    P.noalias() = product * Phi.transpose();
    if (options.process_noise > 0.0) add_process_noise(h);

    integrals += h * rates;
    delta = h * v_m;
    displace(scenario.model, q, delta, q_m);
    q = q_m;
    v += h * a;
    acceleration = a;
    t += h;
    system.apply_prescribed(t, q, v);
  }

  void add_process_noise(double h) {
    const Index n = system.nv();
    const MatrixXd inverse = factor.inverse();
    MatrixXd G(2 * n, n);
    G << 0.5 * h * inverse, inverse;
    P += h * (G * W.asDiagonal() * G.transpose());
  }

  void predict(double to) {
    while (to - t > system.time_resolution()) {
      if (end - t <= system.time_resolution()) enter();
      const double length = std::min(to, end) - t;
      const double count = std::ceil(length / options.longest_step - 1e-9);
      step(length / std::max(1.0, count));
    }
    if (end - t <= system.time_resolution()) enter();
  }

  const VectorXd& shown(const VectorXd& at_q, const VectorXd& at_v) {
    y.resize(system.size());
    y << at_q, at_v, integrals;
    return instruments.ideal(system, t, y);
  }

  // dy/dx of all sensors.
  void find_slopes(const std::vector<int>& sensors) {
    const Index n = system.nv();
    const bool is_kinematic = std::all_of(sensors.begin(), sensors.end(), [&](int i) {
      const Dependence on = measurement.dependence(i);
      return on == Dependence::positions || on == Dependence::velocities;
    });
    H.setZero(static_cast<Index>(scenario.sensors.size()), 2 * n);
    if (is_kinematic) {
      nothing.setZero(n);
      measurement.jacobian(q, v, nothing, {}, jacobian);
      H << jacobian.dq, jacobian.dv;
      return;
    }
    constexpr double h = 1e-6;
    for (Index c = 0; c < 2 * n; ++c) {
      VectorXd there_q = q, there_v = v, above;
      for (const double way : {h, -h}) {
        if (c < n) {
          delta = VectorXd::Unit(n, c) * way;
          displace(scenario.model, q, delta, there_q);
        } else {
          there_v = v;
          there_v[c - n] += way;
        }
        if (way > 0.0)
          above = shown(there_q, there_v);
        else
          H.col(c) = (above - shown(there_q, there_v)) / (2.0 * h);
      }
    }
  }

  VectorXd update(const std::vector<int>& sensors, const VectorXd& readings) {
    find_slopes(sensors);
    const MatrixXd rows = H(sensors, Eigen::all);
    const VectorXd left = readings - shown(q, v)(sensors);
    VectorXd R(left.size());
    for (Index i = 0; i < R.size(); ++i)
      R[i] = std::pow(
          reading_deviation(scenario.sensors[static_cast<std::size_t>(sensors[static_cast<std::size_t>(i)])]),
          2);
    const MatrixXd seen = rows * P;
    MatrixXd innovation = seen * rows.transpose();
    innovation.diagonal() += R;
    const Eigen::LLT<MatrixXd> square(innovation);
    const MatrixXd gain = square.solve(seen).transpose();
    const VectorXd x = gain * left;
    product.noalias() = gain * seen;
    P -= product + product.transpose();
    P.noalias() += gain * (innovation * gain.transpose());
    P = (0.5 * (P + P.transpose())).eval();
    const Index n = system.nv();
    delta = x.head(n);
    q_m.resize(q.size());
    displace(scenario.model, q, delta, q_m);
    q = q_m;
    v += x.tail(n);
    system.apply_prescribed(t, q, v);
    return left.cwiseQuotient(innovation.diagonal().cwiseSqrt());
  }

  TipEstimate tip() {
    update_velocities<double>(scenario.model, work, q, v);
    update_world_poses(work);
    const Frame& end_effector = scenario.model.end_effector();
    MatrixXd J(6, system.nv());
    frame_jacobian<double>(scenario.model, work, end_effector, MotionAxes::local_world_aligned, J);
    const Index n = system.nv();
    const MatrixXd linear = J.topRows(3);
    const Eigen::Matrix3d covariance = linear * P.topLeftCorner(n, n) * linear.transpose();
    return {frame_pose<double>(scenario.model, work, end_effector).p,
            covariance.diagonal().cwiseMax(0.0).cwiseSqrt()};
  }

  Scenario scenario;
  System system;
  Instruments instruments;
  Measurement measurement;
  KalmanOptions options;
  double t = 0.0, end = 0.0;
  VectorXd q, v, integrals, W;
  MatrixXd P;

  // Scratch.
  VectorXd q_m, v_m, a, acceleration, delta, missing, rates, change, y, nothing;
  MatrixXd S, slopes_q, slopes_v, Phi, product, H;
  Eigen::PartialPivLU<MatrixXd> factor;
  System::Tangent tangent;
  MeasurementJacobian jacobian;
  Workspace<double> work;
};

KalmanFilter::KalmanFilter(Scenario scenario, const KalmanOptions& options)
    : inside_(std::make_unique<Inside>(std::move(scenario), options)) {}
KalmanFilter::~KalmanFilter() = default;
KalmanFilter::KalmanFilter(KalmanFilter&&) noexcept = default;
KalmanFilter& KalmanFilter::operator=(KalmanFilter&&) noexcept = default;

const Model& KalmanFilter::model() const { return inside_->scenario.model; }
double KalmanFilter::time() const { return inside_->t; }
const VectorXd& KalmanFilter::q() const { return inside_->q; }
const VectorXd& KalmanFilter::v() const { return inside_->v; }
const MatrixXd& KalmanFilter::covariance() const { return inside_->P; }
TipEstimate KalmanFilter::tip() const { return inside_->tip(); }

void KalmanFilter::set_state(const VectorXd& q, const VectorXd& v, const MatrixXd& covariance) {
  const detail::Call call{"KalmanFilter::set_state", model()};
  call.require_position("q", q);
  call.require_velocity("v", v);
  detail::require_extent("KalmanFilter::set_state", "covariance", covariance, 2 * model().nv(),
                         2 * model().nv());
  inside_->q = q;
  inside_->v = v;
  inside_->P = covariance;
}

void KalmanFilter::predict(double to) {
  if (!(to >= inside_->t - inside_->system.time_resolution()) || !std::isfinite(to))
    throw InputError(Problem{"KalmanFilter::predict: to", fmt::format("a time from {} s on", inside_->t),
                             fmt::format("{}", to), ""});
  inside_->predict(to);
}

VectorXd KalmanFilter::update(const std::vector<int>& sensors, const VectorXd& readings) {
  detail::require_extent("KalmanFilter::update", "readings", readings, static_cast<Index>(sensors.size()), 1);
  for (const int sensor : sensors)
    detail::require_index("KalmanFilter::update", "sensors",
                          static_cast<int>(inside_->scenario.sensors.size()), sensor);
  if (!readings.allFinite())
    throw InputError(Problem{"KalmanFilter::update: readings", "finite numbers", "numbers that are not", ""});
  return sensors.empty() ? VectorXd() : inside_->update(sensors, readings);
}

double normalized_error_squared(const KalmanFilter& filter, const VectorXd& q, const VectorXd& v) {
  const Index n = filter.model().nv();
  VectorXd delta(n), error(2 * n);
  difference(filter.model(), filter.q(), q, delta);
  error << delta, v - filter.v();
  return error.dot(filter.covariance().ldlt().solve(error));
}

}  // namespace limber
