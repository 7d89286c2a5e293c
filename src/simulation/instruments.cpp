// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/instruments.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "limber/core/input_error.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

// Of the time between two samples: what differs by less is the same time, but for rounding.
constexpr double rounding = 1e-6;

double index_at(double t, double rate) { return std::floor(t * rate + rounding); }
bool is_on_grid(double t, double rate) { return std::abs(t * rate - std::round(t * rate)) < rounding; }

// The same where there is no rate.
bool is_same_time(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b)); }

std::uint64_t bits(double t) {
  std::uint64_t pattern = 0;
  std::memcpy(&pattern, &t, sizeof t);
  return pattern;
}

bool keeps_samples(const SensorDescription& sensor) { return sensor.rate || sensor.delay > 0.0; }

}  // namespace

Readings::Readings(std::vector<SensorDescription> sensors) {
  for (SensorDescription& sensor : sensors) {
    const NormalNoise noise(static_cast<std::uint32_t>(sensor.seed), sensor.name);
    instruments_.push_back({std::move(sensor), noise});
  }
}

void Readings::expect_looks(double rate) { look_rates_.push_back(rate); }
void Readings::expect_look(double t) { look_times_.push_back(t); }

bool Readings::samples() const {
  return std::any_of(instruments_.begin(), instruments_.end(),
                     [](const Instrument& instrument) { return keeps_samples(instrument.about); });
}

bool Readings::has_samples() const {
  return std::any_of(instruments_.begin(), instruments_.end(),
                     [](const Instrument& instrument) { return !instrument.samples.empty(); });
}

double Readings::next_sample(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const Instrument& instrument : instruments_) next = std::min(next, next_sample(instrument, t));
  return next;
}

double Readings::next_sample(const Instrument& instrument, double t) const {
  const SensorDescription& about = instrument.about;
  if (about.rate) return (index_at(t, *about.rate) + 1.0) / *about.rate;
  double next = std::numeric_limits<double>::infinity();
  if (about.delay == 0.0) return next;
  for (const double rate : look_rates_) {
    double k = index_at(t + about.delay, rate) + 1.0;
    while (k / rate - about.delay <= t) k += 1.0;
    next = std::min(next, k / rate - about.delay);
  }
  for (const double look : look_times_)
    if (look - about.delay > t) next = std::min(next, look - about.delay);
  return next;
}

bool Readings::takes_at(const Instrument& instrument, double t) const {
  const SensorDescription& about = instrument.about;
  if (!keeps_samples(about)) return false;
  if (t == 0.0) return true;
  if (about.rate) return is_on_grid(t, *about.rate);
  return std::any_of(look_rates_.begin(), look_rates_.end(),
                     [&](double rate) { return is_on_grid(t + about.delay, rate); }) ||
         std::any_of(look_times_.begin(), look_times_.end(),
                     [&](double look) { return is_same_time(t + about.delay, look); });
}

void Readings::take(double t, const VectorXd& ideal) {
  for (std::size_t i = 0; i < instruments_.size(); ++i) {
    Instrument& instrument = instruments_[i];
    std::vector<Sample>& samples = instrument.samples;
    if (!takes_at(instrument, t) || (!samples.empty() && samples.back().t >= t)) continue;
    samples.push_back({t, ideal[static_cast<Eigen::Index>(i)]});
  }
}

// What is older than the newest that can be seen at t.
void Readings::forget(double t) {
  for (Instrument& instrument : instruments_) {
    std::vector<Sample>& samples = instrument.samples;
    if (samples.empty()) continue;
    samples.erase(samples.begin(), samples.begin() + (&instrument.seen_at(t) - samples.data()));
  }
}

// (1)
const Readings::Sample& Readings::Instrument::seen_at(double t) const {
  const double arrived = t - about.delay + (about.rate ? rounding / *about.rate : 1e-12 * std::max(1.0, t));
  std::size_t newest = 0;
  while (newest + 1 < samples.size() && samples[newest + 1].t <= arrived) ++newest;
  return samples[newest];
}

double Readings::Instrument::shown(const Sample& sample) const {
  double value = sample.value;
  if (about.noise > 0.0)
    value +=
        about.noise * noise.at(about.rate ? static_cast<std::uint64_t>(std::llround(sample.t * *about.rate))
                                          : bits(sample.t));
  if (about.quantum > 0.0) value = about.quantum * std::round(value / about.quantum);
  return value;
}

void Readings::read(double t, const VectorXd& ideal, VectorXd& shown) const {
  shown.resize(static_cast<Eigen::Index>(instruments_.size()));
  for (std::size_t i = 0; i < instruments_.size(); ++i) {
    const Instrument& instrument = instruments_[i];
    const auto row = static_cast<Eigen::Index>(i);
    shown[row] = instrument.shown(instrument.samples.empty() ? Sample{t, ideal[row]} : instrument.seen_at(t));
  }
}

// Of each instrument: how many samples, then their times and values.
void Readings::write_state(std::vector<double>& numbers) const {
  numbers.clear();
  for (const Instrument& instrument : instruments_) {
    numbers.push_back(static_cast<double>(instrument.samples.size()));
    for (const Sample& sample : instrument.samples) {
      numbers.push_back(sample.t);
      numbers.push_back(sample.value);
    }
  }
}

void Readings::restore(const std::vector<double>& state) {
  const auto refuse = [&] {
    throw InputError(Problem{"sensors", "samples of the scenario's sensors, as its checkpoint has them",
                             std::to_string(state.size()) + " numbers that are none",
                             "was it made by another scenario?"});
  };
  std::size_t at = 0;
  for (Instrument& instrument : instruments_) {
    instrument.samples.clear();
    if (at >= state.size() || !(state[at] >= 0.0 && state[at] <= static_cast<double>(state.size()))) refuse();
    const auto count = static_cast<std::size_t>(state[at++]);
    if (at + 2 * count > state.size()) refuse();
    for (std::size_t i = 0; i < count; ++i, at += 2) instrument.samples.push_back({state[at], state[at + 1]});
  }
  if (at != state.size()) refuse();
}

Instruments::Instruments(const Scenario& scenario)
    : measurement_(scenario.model, scenario.sensors),
      readings_(scenario.sensors),
      ideal_(VectorXd::Zero(measurement_.size())),
      shown_(ideal_) {}

const VectorXd& Instruments::ideal(System& system, double t, const VectorXd& y) {
  if (empty()) return ideal_;
  q_ = y.head(system.nq());
  v_ = y.segment(system.nq(), system.nv());
  integrals_ = y.tail(system.integral_count());
  system.forces(t, q_, v_, integrals_, forces_);
  return ideal(system, q_, v_, forces_);
}

const VectorXd& Instruments::ideal(const System& system, const VectorXd& q, const VectorXd& v,
                                   const System::Forces& forces) {
  if (!empty())
    measurement_.evaluate(q, v, forces.acceleration, forces.efforts, system.active_loads(), ideal_);
  return ideal_;
}

const VectorXd& Instruments::read(System& system, double t, const VectorXd& y) {
  readings_.read(t, ideal(system, t, y), shown_);
  return shown_;
}

}  // namespace limber
