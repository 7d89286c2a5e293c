// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the instruments of a run show: what a Measurement finds, sampled, delayed, noisy and rounded as their descriptions say. Rows of results
// hold it, and controllers see it.
//
// A sensor with a `rate` r takes sample k at t = k/r, k = 0, 1, ...; what it shows at t is the newest sample that has arrived,
//
//   y(k/r) + noise,   k = floor((t - delay) r)                                                             (1)
//
// and before any has arrived, the first. One without a rate shows y(t - delay) + noise to whoever looks at t. Then the nearest whole multiple of
// `quantum` is taken. A sample is taken before anything else happens at that time: at a jump of an input, or at a sample of a controller, it
// shows what was before. Noise belongs to a sample (its k, or its time where there is no rate), not to the order of asking (noise.hpp): two
// who look at the same time see the same.
//
// Whoever runs the arm calls take() at t = 0 and at every next_sample(), in the order of time, read() whenever somebody looks, and forget() when nobody
// will look at an earlier time again.

#include <vector>

#include "limber/algorithms/measurement.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/sensors.hpp"
#include "limber/simulation/noise.hpp"
#include "limber/simulation/system.hpp"

namespace limber LIMBER_EXPORT {

/// Samples of sensors, and what is seen of them.
class Readings {
 public:
  /// Of these sensors, in their order.
  explicit Readings(std::vector<SensorDescription> sensors);

  /// Somebody will look at the times k/rate: sensors that have a delay and no rate are sampled for that.
  void expect_looks(double rate);
  /// ... and at this time.
  void expect_look(double t);
  /// ... and at times that nobody knows yet: what has a rate is sampled.
  void expect_looks() { is_open_ = true; }
  /// Whether somebody has said so.
  bool is_looked_at() const { return is_open_ || !look_rates_.empty() || !look_times_.empty(); }
  /// Whether take() is needed at all.
  bool samples() const;
  /// Whether there are any by now.
  bool has_samples() const;
  /// Nobody looks at times before t from now on.
  void forget(double t);
  /// The first time after t at which something must be taken; infinite where nothing must.
  double next_sample(double t) const;
  /// What is there at t, of all sensors: kept by those that take a sample then.
  void take(double t, const Eigen::VectorXd& ideal);
  /// What all sensors show at t; `ideal`: what is there.
  void read(double t, const Eigen::VectorXd& ideal, Eigen::VectorXd& shown) const;

  ///@{
  /// All samples that can still be seen, as numbers: for checkpoints.
  void write_state(std::vector<double>& state) const;
  void restore(const std::vector<double>& state);
  ///@}

 private:
  struct Sample {
    double t, value;
  };
  struct Instrument {
    SensorDescription about;
    NormalNoise noise;
    std::vector<Sample> samples =
        {};  ///< in the order of time; all but the first may still be new to somebody
    double shown(const Sample& sample) const;
    const Sample& seen_at(double t) const;
  };
  bool takes_at(const Instrument& instrument, double t) const;
  double next_sample(const Instrument& instrument, double t) const;

  std::vector<Instrument> instruments_;
  std::vector<double> look_rates_, look_times_;
  bool is_open_ = false;
};

/// The sensors of a scenario while it runs.
class Instruments {
 public:
  /// Of the scenario's sensors on its arm.
  explicit Instruments(const Scenario& scenario);

  /// What is there.
  const Measurement& measurement() const { return measurement_; }
  /// What is seen of it.
  Readings& readings() { return readings_; }
  /// Whether there are any.
  bool empty() const { return measurement_.size() == 0; }

  /// What is there at a state y = [q; v; integrals] of the system. The reference holds until the next call.
  const Eigen::VectorXd& ideal(System& system, double t, const Eigen::VectorXd& y);
  /// The same where forces are known: those that System::forces() found last.
  const Eigen::VectorXd& ideal(const System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                               const System::Forces& forces);
  /// Readings::take() of what is there.
  void take(System& system, double t, const Eigen::VectorXd& y) { readings_.take(t, ideal(system, t, y)); }
  /// Takes all samples since the last call up to t. `state_at(time, y)` gives the states in between. The first call takes those of its time.
  template <typename StateAt>
  void take_until(System& system, double t, StateAt&& state_at) {
    if (!readings_.samples()) return;
    while (next_sample_ <= t + system.time_resolution()) {
      const double at = next_sample_ < 0.0 ? t : next_sample_;
      state_at(at < t ? at : t, y_);
      take(system, at, y_);
      next_sample_ = readings_.next_sample(at);
    }
  }
  /// Samples as numbers, for those who go on from there at t.
  void restore(const std::vector<double>& samples, double t) {
    readings_.restore(samples);
    next_sample_ = readings_.has_samples() ? readings_.next_sample(t) : -1.0;
  }
  /// Readings::read(): what is seen at a state. The reference holds until the next call.
  const Eigen::VectorXd& read(System& system, double t, const Eigen::VectorXd& y);

 private:
  Measurement measurement_;
  Readings readings_;
  System::Forces forces_;
  double next_sample_ = -1.0;  ///< before the first
  Eigen::VectorXd q_, v_, integrals_, ideal_, shown_, y_;
};

}  // namespace limber
