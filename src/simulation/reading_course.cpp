// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/reading_course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "limber/algorithms/configuration.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/friction.hpp"
#include "stepper.hpp"
#include "valid_scenario.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double relative_step = 1e-3;  // h of (2)
constexpr int stages = 3;

// Gauss's collocation with three stages (Hairer, Noersett and Wanner, Solving Ordinary Differential Equations I, table II.7.4).
const double root = std::sqrt(15.0);
const std::array<double, stages> nodes = {0.5 - root / 10.0, 0.5, 0.5 + root / 10.0};
const std::array<double, stages> weights = {5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0};
const std::array<std::array<double, stages>, stages> coefficients = {
    {{5.0 / 36.0, 2.0 / 9.0 - root / 15.0, 5.0 / 36.0 - root / 30.0},
     {5.0 / 36.0 + root / 24.0, 2.0 / 9.0, 5.0 / 36.0 - root / 24.0},
     {5.0 / 36.0 + root / 30.0, 2.0 / 9.0 + root / 15.0, 5.0 / 36.0}}};

double step_of(double value, double scale) {
  const double size = value != 0.0 ? std::abs(value) : std::abs(scale);
  return relative_step * (size > 0.0 ? size : 1.0);
}

/// A scenario beside the one that runs, with one parameter moved.
struct Neighbour {
  Neighbour(Scenario from, double duration, double at, double by)
      : scenario(std::move(from)), offset(at), weight(by) {
    scenario.duration = duration;
    system.emplace(scenario);
    instruments.emplace(scenario);
  }
  Scenario scenario;
  std::optional<System> system = {};
  std::optional<Instruments> instruments = {};
  double offset, weight;  ///< of its parameter, and in (2)
};

/// What somebody wants to know of a sensor, and when it was there.
struct Look {
  double t;
  Index row, sensor;
};

void require_times(const std::vector<double>& times) {
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!(times[i] >= (i == 0 ? 0.0 : times[i - 1])) || !std::isfinite(times[i]))
      throw InputError(Problem{fmt::format("reading_course: times[{}]", i), "ascending times from 0 s on",
                               fmt::format("{}", times[i]), ""});
}

class Course {
 public:
  Course(const ScenarioAt& scenario_at, const VectorXd& parameters, const std::vector<double>& times)
      : scenario_(scenario_at(parameters)), times_(times) {
    valid("reading_course", scenario_);
    for (std::size_t i = 0; i < times.size(); ++i)
      for (std::size_t s = 0; s < scenario_.sensors.size(); ++s)
        looks_.push_back(
            {sampled_at(scenario_.sensors[s], times[i]), static_cast<Index>(i), static_cast<Index>(s)});
    std::stable_sort(looks_.begin(), looks_.end(), [](const Look& a, const Look& b) { return a.t < b.t; });
    // A little beyond the last look, so that nothing ends there; a run without looks has nothing to do.
    end_ = looks_.empty() ? 0.0 : looks_.back().t;
    scenario_.duration = duration();
    system_.emplace(scenario_);
    instruments_.emplace(scenario_);
  }

  const Scenario& scenario() const { return scenario_; }

  /// Scenarios around the one at `parameters`.
  void add_parameters(const ScenarioAt& scenario_at, const VectorXd& parameters, const VectorXd& scales) {
    for (Index j = 0; j < parameters.size(); ++j) {
      std::vector<std::pair<double, Scenario>> built;
      const auto at = [&](double offset) {
        VectorXd moved = parameters;
        moved[j] += offset;
        return scenario_at(moved);
      };
      const auto is_possible = [&](double offset) {
        try {
          built.emplace_back(offset, at(offset));
          return true;
        } catch (const InputError&) {
          return false;
        }
      };
      const DifferenceStencil stencil = difference_stencil(parameters[j], scales[j], is_possible);
      auto& around = neighbours_.emplace_back();
      for (std::size_t k = 0; k < stencil.offsets.size(); ++k) {
        const auto known = std::find_if(built.begin(), built.end(),
                                        [&](const auto& one) { return one.first == stencil.offsets[k]; });
        around.push_back(std::make_unique<Neighbour>(
            known != built.end() ? std::move(known->second) : at(stencil.offsets[k]), duration(),
            stencil.offsets[k], stencil.weights[k]));
      }
    }
  }

  ReadingCourse run() {
    ReadingCourse course;
    course.runs = 1;
    const auto rows = static_cast<Index>(times_.size()),
               sensors = static_cast<Index>(scenario_.sensors.size());
    course.readings.setZero(rows, sensors);
    course.slopes.assign(neighbours_.size(), MatrixXd::Zero(rows, sensors));
    const ChosenMethod chosen =
        choose_integrator(scenario_, *system_, std::numeric_limits<double>::infinity(), {});
    Stepper stepper(scenario_, *system_, *instruments_, chosen.description);
    IntegratorState start;
    start.y = system_->initial_state();
    stepper.begin(start);
    stepper.enter();
    within_ = 0.5 * std::min(system_->next_corner(0.0), duration());
    if (!neighbours_.empty()) fastest_ = fastest_motion(*system_).rate;
    start_slopes(start.y);
    for (std::size_t first = 0; first < looks_.size();) {
      const double t = looks_[first].t;
      advance(stepper, t);
      std::size_t last = first;
      while (last < looks_.size() && looks_[last].t <= t + system_->time_resolution()) ++last;
      // Samples show what was before a corner, and whoever looks himself what is behind it.
      const auto own = std::stable_partition(looks_.begin() + static_cast<std::ptrdiff_t>(first),
                                             looks_.begin() + static_cast<std::ptrdiff_t>(last),
                                             [&](const Look& one) { return is_sampled(one.sensor); });
      const auto middle = static_cast<std::size_t>(own - looks_.begin());
      if (middle > first) look(stepper.state(), first, middle, course);
      if (last > middle) {
        if (stepper.is_at_corner()) {
          stepper.enter();
          within_ = 0.5 * (t + std::min(system_->next_corner(t), duration()));
        }
        look(stepper.state(), middle, last, course);
      }
      first = last;
    }
    return course;
  }

 private:
  double duration() const { return end_ > 0.0 ? end_ * (1.0 + 1e-9) : 1.0; }
  Index nv() const { return system_->nv(); }
  bool is_sampled(Index sensor) const {
    const SensorDescription& about = scenario_.sensors[static_cast<std::size_t>(sensor)];
    return about.rate || about.delay > 0.0;
  }
  Index memory() const { return system_->memory_size(); }
  Index size() const { return 2 * nv() + memory(); }

  void advance(Stepper& stepper, double to) {
    while (to - stepper.state().t > system_->time_resolution()) {
      const double from = stepper.state().t;
      stepper.step(to);
      const double now = stepper.state().t;
      if (stepper.has_stopped())
        throw ComputationError(fmt::format(
            "the run is stopped at {:g} s by what the scenario watches, before the last data at {:g} s", now,
            end_));
      if (now > from) {
        within_ = 0.5 * (from + now);
        if (!neighbours_.empty()) advance_slopes(stepper, from, now);
      }
    }
  }

  // How the start changes.
  void start_slopes(const VectorXd& y) {
    slopes_.setZero(size(), static_cast<Index>(neighbours_.size()));
    VectorXd delta(nv());
    const Index nq = system_->nq();
    for (std::size_t j = 0; j < neighbours_.size(); ++j)
      for (const auto& one : neighbours_[j]) {
        const VectorXd other = one->system->initial_state();
        difference(scenario_.model, y.head(nq), other.head(nq), delta);
        auto slope = slopes_.col(static_cast<Index>(j));
        slope.head(nv()) += one->weight * delta;
        slope.segment(nv(), nv()) += one->weight * (other.segment(nq, nv()) - y.segment(nq, nv()));
        slope.tail(memory()) += one->weight * (other.tail(memory()) - y.tail(memory()));
      }
  }

  // A and b of (1) at a time within the last step.
  void find_rates(double t, const VectorXd& y, MatrixXd& A, MatrixXd& b) {
    const Index n = nv(), m = memory();
    VectorXd q = y.head(system_->nq()), v = y.segment(system_->nq(), n);
    const VectorXd integrals = y.tail(system_->integral_count());
    system_->accelerate(t, q, v, integrals, a_, rates_);
    system_->tangent(t, q, v, integrals, a_, tangent_);
    if (m > 0) system_->memory_slopes(t, q, v, integrals, memory_slopes_);
    A.setZero(size(), size());
    b.setZero(size(), static_cast<Index>(neighbours_.size()));
    const Eigen::PartialPivLU<MatrixXd> M(tangent_.M);
    A.topLeftCorner(n, n) = -displacement_coupling(scenario_.model, v);
    A.block(0, n, n, n).setIdentity();
    A.block(n, 0, n, n) = -M.solve(tangent_.K);
    A.block(n, n, n, n) = -M.solve(tangent_.C);
    if (m > 0) {
      A.block(n, 2 * n, n, m) = M.solve(memory_slopes_.force);
      A.bottomRows(m) << memory_slopes_.dq, memory_slopes_.dv, memory_slopes_.dx;
    }
    for (std::size_t j = 0; j < neighbours_.size(); ++j)
      for (const auto& one : neighbours_[j]) {
        one->system->enter_interval(within_);
        VectorXd at_q = q, at_v = v, at_a = a_;
        if (!one->system->missing_forces(t, at_q, at_v, integrals, at_a, forces_, rates_))
          throw InputError(Problem{"formulation", "one whose forces can be asked for at any acceleration",
                                   "another", "take formulation recursive"});
        auto column = b.col(static_cast<Index>(j));
        column.segment(n, n) += one->weight * forces_;
        column.tail(m) += one->weight * rates_.tail(m);
      }
    b.middleRows(n, n) = M.solve(b.middleRows(n, n)).eval();
  }

  // A method of high order takes steps of several radians of the fastest motion that it follows; collocation of order 6 does not. What it does not follow
  // is fast, small, and need not be followed here.
  void advance_slopes(Stepper& stepper, double from, double to) {
    constexpr double radians = 0.6, most = 12.0;
    const double count = std::clamp(std::ceil((to - from) * fastest_ / radians), 1.0, most);
    for (int i = 0; i < static_cast<int>(count); ++i)
      collocate(stepper, from + (to - from) * i / count, (to - from) / count);
  }

  // One step of collocation: k_i = A_i (s + h Sum a_ij k_j) + b_i for all stages at once.
  void collocate(Stepper& stepper, double from, double h) {
    const Index n = size(), count = slopes_.cols();
    MatrixXd all = MatrixXd::Identity(stages * n, stages * n), right(stages * n, count);
    for (int i = 0; i < stages; ++i) {
      const auto row = static_cast<std::size_t>(i);
      const double t = from + nodes[row] * h;
      stepper.interpolate(t, y_);
      find_rates(t, y_, A_, b_);
      right.middleRows(i * n, n) = A_ * slopes_ + b_;
      for (int j = 0; j < stages; ++j)
        all.block(i * n, j * n, n, n) -= h * coefficients[row][static_cast<std::size_t>(j)] * A_;
    }
    const MatrixXd k = all.partialPivLu().solve(right);
    for (int i = 0; i < stages; ++i)
      slopes_ += h * weights[static_cast<std::size_t>(i)] * k.middleRows(i * n, n);
  }

  void look(const IntegratorState& state, std::size_t first, std::size_t last, ReadingCourse& course) {
    const VectorXd ideal = instruments_->ideal(*system_, state.t, state.y);
    MatrixXd slopes(ideal.size(), slopes_.cols());
    for (std::size_t j = 0; j < neighbours_.size(); ++j)
      slopes.col(static_cast<Index>(j)) = slope_at(state, j);
    for (std::size_t i = first; i < last; ++i) {
      course.readings(looks_[i].row, looks_[i].sensor) = ideal[looks_[i].sensor];
      for (std::size_t j = 0; j < neighbours_.size(); ++j)
        course.slopes[j](looks_[i].row, looks_[i].sensor) = slopes(looks_[i].sensor, static_cast<Index>(j));
    }
  }

  // dy/dp along s and p together.
  VectorXd slope_at(const IntegratorState& state, std::size_t parameter) {
    const Index n = nv(), nq = system_->nq();
    const auto slope = slopes_.col(static_cast<Index>(parameter));
    VectorXd sum = VectorXd::Zero(static_cast<Index>(scenario_.sensors.size()));
    for (const auto& one : neighbours_[parameter]) {
      VectorXd y = state.y, q(nq);
      const VectorXd delta = one->offset * slope.head(n);
      displace(scenario_.model, state.y.head(nq), delta, q);
      y.head(nq) = q;
      y.segment(nq, n) += one->offset * slope.segment(n, n);
      y.tail(memory()) += one->offset * slope.tail(memory());
      one->system->enter_interval(within_);
      sum += one->weight * one->instruments->ideal(*one->system, state.t, y);
    }
    return sum;
  }

  Scenario scenario_;
  std::optional<System> system_;
  std::optional<Instruments> instruments_;
  const std::vector<double>& times_;
  std::vector<Look> looks_;
  double end_ = 0.0, within_ = 0.0;
  double fastest_ = 0.0;                                             ///< [rad/s]
  std::vector<std::vector<std::unique_ptr<Neighbour>>> neighbours_;  ///< of each parameter
  MatrixXd slopes_;                                                  ///< s, a column for each parameter

  // Scratch.
  VectorXd a_, rates_, forces_, y_;
  MatrixXd A_, b_;
  System::Tangent tangent_;
  System::MemorySlopes memory_slopes_;
};

ReadingCourse course_by_runs(const ScenarioAt& scenario_at, const VectorXd& parameters,
                             const VectorXd& scales, const std::vector<double>& times) {
  ReadingCourse course = reading_course(scenario_at, parameters, scales, times, CourseSlopes::none);
  for (Index j = 0; j < parameters.size(); ++j) {
    const double h = step_of(parameters[j], scales[j]);
    const auto moved = [&](double by) -> std::optional<MatrixXd> {
      VectorXd at = parameters;
      at[j] += by;
      ++course.runs;
      try {
        return reading_course(scenario_at, at, scales, times, CourseSlopes::none).readings;
      } catch (const InputError&) {
        return std::nullopt;
      }
    };
    const std::optional<MatrixXd> above = moved(h), below = moved(-h);
    if (!above && !below)
      throw InputError(Problem{"reading_course", fmt::format("parameter {} that can be moved by {:g}", j, h),
                               "one that cannot", ""});
    course.slopes.push_back(((above ? *above : course.readings) - (below ? *below : course.readings)) /
                            (above && below ? 2.0 * h : h));
  }
  return course;
}

}  // namespace

// (1) of instruments.hpp.
double sampled_at(const SensorDescription& sensor, double t) {
  constexpr double rounding = 1e-6;
  const double arrived = t - sensor.delay;
  const double sample = sensor.rate ? std::floor(arrived * *sensor.rate + rounding) / *sensor.rate : arrived;
  return std::max(0.0, sample);
}

DifferenceStencil difference_stencil(double value, double scale,
                                     const std::function<bool(double)>& is_possible) {
  const double h = step_of(value, scale);
  if (is_possible(-2.0 * h) && is_possible(2.0 * h))
    return {{-2.0 * h, -h, h, 2.0 * h},
            {1.0 / (12.0 * h), -8.0 / (12.0 * h), 8.0 / (12.0 * h), -1.0 / (12.0 * h)}};
  const double side = is_possible(4.0 * h) ? h : -h;
  DifferenceStencil one_sided;
  const std::array<double, 5> parts = {-25.0, 48.0, -36.0, 16.0, -3.0};
  for (std::size_t k = 0; k < parts.size(); ++k) {
    one_sided.offsets.push_back(static_cast<double>(k) * side);
    one_sided.weights.push_back(parts[k] / (12.0 * side));
  }
  return one_sided;
}

bool is_smooth(const Scenario& scenario) {
  if (sample_count(scenario) > 0 || !scenario.watches.empty() || !rate_jumps(scenario).empty()) return false;
  const auto looks = [](const auto& controller) { return !controller->sensors().empty(); };
  if (std::any_of(scenario.controllers.begin(), scenario.controllers.end(), looks)) return false;
  const std::vector<Link>& links = scenario.model.links();
  return std::none_of(links.begin(), links.end(),
                      [](const Link& link) { return link.joint.friction && sticks(*link.joint.friction); });
}

ReadingCourse reading_course(const ScenarioAt& scenario_at, const VectorXd& parameters,
                             const VectorXd& scales, const std::vector<double>& times, CourseSlopes slopes) {
  require_times(times);
  if (scales.size() != parameters.size())
    throw InputError(Problem{"reading_course: scales", fmt::format("{} numbers", parameters.size()),
                             fmt::format("{}", scales.size()), ""});
  if (slopes == CourseSlopes::by_runs) return course_by_runs(scenario_at, parameters, scales, times);
  Course course(scenario_at, parameters, times);
  if (slopes == CourseSlopes::variational) course.add_parameters(scenario_at, parameters, scales);
  return course.run();
}

}  // namespace limber
