// SPDX-License-Identifier: BSD-3-Clause
#include "limber/estimation/observer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unsupported/Eigen/MatrixFunctions>

#include "limber/algorithms/struts.hpp"
#include "limber/core/input_error.hpp"
#include "limber/estimation/extended_kalman_filter.hpp"
#include "limber/estimation/unscented_kalman_filter.hpp"
#include "limber/scenario/check.hpp"
#include "limber/simulation/detail/timetable.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double rounding = 1e-9;  // of a sample's length: times that differ by less are one
constexpr double most_kept = 1e4;  // efforts that are remembered until the latest reading has come

/// What the observer holds between samples, as the arm that it follows sees it.
class HeldEfforts : public Controller {
 public:
  explicit HeldEfforts(std::shared_ptr<VectorXd> efforts) : efforts_(std::move(efforts)) {}
  void add_efforts(const Instant&, VectorXd& efforts) override { efforts += *efforts_; }

 private:
  std::shared_ptr<VectorXd> efforts_;
};

std::vector<int> observed_sensors(const Scenario& scenario, const ObserverDescription& how) {
  std::vector<int> sensors;
  for (std::size_t i = 0; i < scenario.sensors.size(); ++i)
    if (how.sensors.empty() ||
        std::find(how.sensors.begin(), how.sensors.end(), scenario.sensors[i].name) != how.sensors.end())
      sensors.push_back(static_cast<int>(i));
  return sensors;
}

/// The arm without its controllers, under held efforts.
Scenario followed(const Scenario& scenario, const std::vector<int>& sensors,
                  const std::shared_ptr<VectorXd>& efforts) {
  Scenario arm(scenario.model);
  arm.formulation = scenario.formulation;
  arm.formulation_options = scenario.formulation_options;
  arm.q = scenario.q;
  arm.v = scenario.v;
  arm.pressures = scenario.pressures;
  arm.prescribed = scenario.prescribed;
  arm.loads = scenario.loads;
  arm.integrator = scenario.integrator;
  arm.duration = scenario.duration;
  for (const int i : sensors) arm.sensors.push_back(scenario.sensors[static_cast<std::size_t>(i)]);
  arm.controllers.push_back(std::make_unique<HeldEfforts>(efforts));
  return arm;
}

/// Throws for what is no observer of this scenario.
const ObserverDescription& sound(const Scenario& scenario, const ObserverDescription& how) {
  std::vector<Problem> problems;
  if (!(how.rate > 0.0) || !std::isfinite(how.rate))
    problems.push_back({"observer.rate", "samples per second, > 0", fmt::format("{}", how.rate), ""});
  for (Problem& problem : check_observer_sensors(how, scenario.sensors))
    problems.push_back(std::move(problem));
  if (problems.empty()) problems = check_observed(scenario, observed_sensors(scenario, how));
  for (const int i : problems.empty() ? observed_sensors(scenario, how) : std::vector<int>())
    if (const double delay = scenario.sensors[static_cast<std::size_t>(i)].delay;
        !(delay * how.rate <= most_kept))
      problems.push_back(
          {fmt::format("sensors[{}].delay", i),
           fmt::format("at most {:g} samples of the observer, {:g} s", most_kept, most_kept / how.rate),
           fmt::format("{:g} s", delay), "efforts since then are remembered: take a lower `observer.rate`"});
  if (!problems.empty()) throw InputError(std::move(problems));
  return how;
}

}  // namespace

struct ObserverController::Inside {
  /// What the past means, and how it is written into numbers.
  struct Past {
    struct Efforts {
      double t;
      VectorXd values;
    };
    struct Reading {
      int sensor;  ///< of those that are observed
      double t, value;
    };
    bool has_begun = false;
    double t = 0.0;  ///< of the filter's state
    VectorXd x;
    Eigen::MatrixXd P;
    std::vector<VectorXd> remembered, held;  ///< by each controller
    std::vector<Efforts> efforts;            ///< from t on, in the order of time
    std::vector<Reading> readings;           ///< of times after t
    VectorXd newest;                         ///< of each sensor: the time of the last sample that has come
  };

  Inside(const Scenario& scenario, const ObserverDescription& description)
      : how(sound(scenario, description)),
        sensors(observed_sensors(scenario, description)),
        effort_count(scenario.model.nv() + static_cast<Index>(scenario.model.cylinders().size())),
        asked(std::make_shared<VectorXd>(VectorXd::Zero(effort_count))),
        arm(followed(scenario, sensors, asked),
            {description.position_deviation, description.velocity_deviation, description.elastic_deviation,
             description.process_noise, description.step}),
        struts(scenario.model.cylinders().empty() ? nullptr : std::make_unique<Struts>(scenario.model)) {
    const VectorXd x = arm.start();
    const Eigen::MatrixXd P = arm.start_covariance();
    if (how.method == ObserverMethod::ekf)
      filter = std::make_unique<ExtendedKalmanFilter>(arm, 0.0, x, P);
    else
      filter = std::make_unique<UnscentedKalmanFilter>(arm, 0.0, x, P);
    double latest = 0.0;
    for (const SensorDescription& sensor : arm.scenario().sensors) latest = std::max(latest, sensor.delay);
    most_efforts = static_cast<Index>(std::ceil(latest * how.rate)) + 4;
    most_readings = most_efforts * static_cast<Index>(sensors.size());
    start = {false, 0.0, x, P, {}, {}, {}, {}, VectorXd::Constant(static_cast<Index>(sensors.size()), -1.0)};
  }

  // ---- the past as numbers ----

  Index size() const {
    const Index n = arm.error_size();
    Index all = 4 + arm.point_size() + n * n + most_efforts * (1 + effort_count) + 3 * most_readings +
                start.newest.size();
    for (const auto& controller : controllers)
      all += controller->memory_size() + (controller->rate() > 0.0 ? effort_count : 0);
    return all;
  }

  /// Reads or writes one after the other.
  struct Numbers {
    double* at;
    bool writes;
    template <typename Matrix>
    void pass(Matrix&& values) {
      for (Index i = 0; i < values.size(); ++i, ++at)
        if (writes)
          *at = values.data()[i];
        else
          values.data()[i] = *at;
    }
    void pass(double& value) {
      if (writes)
        *at++ = value;
      else
        value = *at++;
    }
  };

  void pass(Past& whole, Numbers numbers) {
    double begun = whole.has_begun ? 1.0 : 0.0, efforts = static_cast<double>(whole.efforts.size()),
           readings = static_cast<double>(whole.readings.size());
    numbers.pass(begun);
    numbers.pass(efforts);
    numbers.pass(readings);
    numbers.pass(whole.t);
    whole.has_begun = begun > 0.0;
    whole.x.resize(arm.point_size());
    whole.P.resize(arm.error_size(), arm.error_size());
    numbers.pass(whole.x);
    numbers.pass(whole.P);
    whole.remembered.resize(controllers.size());
    whole.held.resize(controllers.size());
    for (std::size_t i = 0; i < controllers.size(); ++i) {
      whole.remembered[i].conservativeResize(controllers[i]->memory_size());
      whole.held[i].conservativeResize(controllers[i]->rate() > 0.0 ? effort_count : 0);
      numbers.pass(whole.remembered[i]);
      numbers.pass(whole.held[i]);
    }
    numbers.pass(whole.newest);
    whole.efforts.resize(static_cast<std::size_t>(efforts));
    for (Past::Efforts& one : whole.efforts) {
      one.values.resize(effort_count);
      numbers.pass(one.t);
      numbers.pass(one.values);
    }
    whole.readings.resize(static_cast<std::size_t>(readings));
    for (Past::Reading& one : whole.readings) {
      double sensor = one.sensor;
      numbers.pass(sensor);
      one.sensor = static_cast<int>(sensor);
      numbers.pass(one.t);
      numbers.pass(one.value);
    }
  }

  // ---- (1) ----

  const SensorDescription& sensor(int i) const { return arm.scenario().sensors[static_cast<std::size_t>(i)]; }

  // Samples that have come since the last time.
  void take_readings(const Instant& now) {
    for (int i = 0; i < static_cast<int>(sensors.size()); ++i) {
      const double t = sampled_at(sensor(i), now.t);
      if (!(t > past.newest[i] + rounding / how.rate)) continue;
      past.newest[i] = t;
      past.readings.push_back({i, t, now.measured[sensors[static_cast<std::size_t>(i)]]});
    }
    std::stable_sort(past.readings.begin(), past.readings.end(),
                     [](const Past::Reading& a, const Past::Reading& b) { return a.t < b.t; });
  }

  // Of samples that are still to come, the first possible time.
  double next_sample(double now) const {
    double first = std::numeric_limits<double>::infinity();
    for (int i = 0; i < static_cast<int>(sensors.size()); ++i) {
      const SensorDescription& about = sensor(i);
      const double next =
          about.rate ? past.newest[i] + 1.0 / *about.rate : now + 1.0 / how.rate - about.delay;
      first = std::min(first, std::max(next, past.newest[i]));
    }
    return first;
  }

  // Under the efforts of that time; where they change, the filter rests for a moment, and may be kept.
  void go_to(double to, double keep_at) {
    const double near = rounding / how.rate;
    while (to - filter->time() > near) {
      double end = to;
      asked->setZero();
      for (const Past::Efforts& one : past.efforts) {
        if (one.t <= filter->time() + near)
          *asked = one.values;
        else
          end = std::min(end, one.t);
      }
      filter->predict(end);
      keep(keep_at);
    }
  }

  // Readings of that very time have been taken already where it is asked for later: a filter that is kept twice is kept as it was last.
  void keep(double at) {
    if (std::abs(filter->time() - at) > rounding / how.rate) return;
    past.t = filter->time();
    past.x = filter->x();
    past.P = filter->covariance();
  }

  void follow(const Instant& now) {
    const double near = rounding / how.rate;
    take_readings(now);
    const double next = next_sample(now.t);
    // Where the filter can be kept: the last time of efforts before that.
    double keep_at = past.t;
    for (const Past::Efforts& one : past.efforts)
      if (one.t < next - near) keep_at = std::max(keep_at, one.t);
    if (now.t < next - near) keep_at = now.t;
    filter->set_state(past.t, past.x, past.P);
    for (std::size_t i = 0; i < past.readings.size();) {
      const double t = std::max(past.readings[i].t, filter->time());
      go_to(t, keep_at);
      std::vector<int> which;
      std::vector<double> values;
      for (; i < past.readings.size() && past.readings[i].t <= t + near; ++i) {
        which.push_back(past.readings[i].sensor);
        values.push_back(past.readings[i].value);
      }
      filter->update(which, VectorXd::Map(values.data(), static_cast<Index>(values.size())));
      keep(keep_at);
    }
    go_to(now.t, keep_at);
    std::erase_if(past.readings, [&](const Past::Reading& one) { return one.t <= past.t + near; });
    while (past.efforts.size() > 1 && past.efforts[1].t <= past.t + near)
      past.efforts.erase(past.efforts.begin());
  }

  // What controllers see.
  Instant seen(const Instant& now, const VectorXd& memory) {
    return {now.t, now.within, q, v, {memory.data(), memory.size()}, now.measured};
  }

  bool is_due(const Controller& controller, double t) const {
    return !(controller.rate() > 0.0) || detail::Grid{controller.rate()}.has(t, rounding / how.rate);
  }

  void ask(const Instant& now) {
    const Model& model = arm.model();
    const VectorXd& x = filter->x();
    q = x.head(model.nq());
    v = x.segment(model.nq(), model.nv());
    if (struts) {
      struts->update(q, v);
      VectorXd all(q.size() + struts->count());
      all << q, struts->lengths();
      q = all;
      all.resize(v.size() + struts->count());
      all << v, struts->rates();
      v = all;
    }
    total.setZero(effort_count);
    for (std::size_t i = 0; i < controllers.size(); ++i) {
      Controller& controller = *controllers[i];
      const bool is_sampled = controller.rate() > 0.0;
      if (is_due(controller, now.t)) {
        own.setZero(effort_count);
        controller.add_efforts(seen(now, past.remembered[i]), own);
        if (is_sampled) past.held[i] = own;
        total += own;
      } else {
        total += past.held[i];
      }
    }
  }

  // A sample, once: efforts are asked for before anything is remembered.
  void sample(const Instant& now) {
    if (has_sampled && now.t == sampled_t && now.x == sampled_x) return;
    sampled_x = now.x;
    sampled_t = now.t;
    has_sampled = true;
    past = start;
    past.remembered.clear();
    past.held.clear();
    for (const auto& controller : controllers) {
      past.remembered.push_back(VectorXd::Zero(controller->memory_size()));
      past.held.push_back(VectorXd::Zero(controller->rate() > 0.0 ? effort_count : 0));
    }
    if (now.x.size() > 0 && now.x[0] > 0.0) {
      VectorXd numbers = now.x;
      pass(past, {numbers.data(), false});
    } else {
      past.has_begun = true;
      past.t = now.t;
    }
    follow(now);
    ask(now);
    past.efforts.push_back({now.t, total});
  }

  // (2): of the exponential of [h J, h f; 0, 0], what stands in its last column. J by differences, which are exact where f is linear.
  VectorXd remembered_after(Controller& controller, const Instant& now, const Eigen::VectorXi& at_limit,
                            const VectorXd& memory) {
    const Index m = memory.size();
    const double h = 1.0 / how.rate;
    VectorXd rate = VectorXd::Zero(m), other(m), near = memory;
    controller.memory_rate(seen(now, memory), at_limit, rate);
    Eigen::MatrixXd both = Eigen::MatrixXd::Zero(m + 1, m + 1);
    both.topRightCorner(m, 1) = h * rate;
    for (Index j = 0; j < m; ++j) {
      const double step = std::max(1.0, std::abs(memory[j]));
      near[j] = memory[j] + step;
      other.setZero();
      controller.memory_rate(seen(now, near), at_limit, other);
      both.col(j).head(m) = h * (other - rate) / (near[j] - memory[j]);
      near[j] = memory[j];
    }
    return memory + both.exp().topRightCorner(m, 1);
  }

  void remember(const Instant& now, const Eigen::VectorXi& at_limit, Eigen::Ref<VectorXd> x) {
    sample(now);
    for (std::size_t i = 0; i < controllers.size(); ++i) {
      Controller& controller = *controllers[i];
      VectorXd& memory = past.remembered[i];
      if (memory.size() == 0 || !is_due(controller, now.t)) continue;
      VectorXd next = memory;
      if (controller.rate() > 0.0) {
        controller.remember(seen(now, memory), at_limit, next);
      } else {
        next = remembered_after(controller, now, at_limit, memory);
      }
      memory = next;
    }
    has_sampled = false;
    x.setZero();
    VectorXd numbers = VectorXd::Zero(x.size());
    pass(past, {numbers.data(), true});
    x = numbers;
  }

  ObserverDescription how;
  std::vector<int> sensors;  ///< of the scenario
  Index effort_count;
  std::shared_ptr<VectorXd> asked;
  StochasticArm arm;
  std::unique_ptr<Struts> struts;  ///< none where there are no cylinders
  std::unique_ptr<StateFilter> filter;
  std::vector<std::unique_ptr<Controller>> controllers;
  std::vector<JointTarget> targets;
  Index most_efforts = 0, most_readings = 0;
  Past start, past;

  // Of the last sample.
  bool has_sampled = false;
  double sampled_t = 0.0;
  VectorXd sampled_x, q, v, own, total;
};

ObserverController::ObserverController(const Scenario& scenario, const ObserverDescription& how)
    : inside_(std::make_unique<Inside>(scenario, how)) {}
ObserverController::~ObserverController() = default;

void ObserverController::add(std::unique_ptr<Controller> controller) {
  const double own = controller->rate(), rate = inside_->how.rate;
  if (own > 0.0) {
    constexpr double near = 1e-6;
    if (const double each = rate / own; each < 1.0 - near || std::abs(each - std::round(each)) > near)
      throw InputError(Problem{"observer.rate",
                               fmt::format("a whole multiple of a controller's rate, {:g} 1/s", own),
                               fmt::format("{:g}", rate), ""});
  }
  for (const JointTarget& target : controller->targets()) inside_->targets.push_back(target);
  inside_->controllers.push_back(std::move(controller));
}

const std::vector<std::unique_ptr<Controller>>& ObserverController::controllers() const {
  return inside_->controllers;
}
const StateFilter& ObserverController::filter() const { return *inside_->filter; }
const StochasticArm& ObserverController::arm() const { return inside_->arm; }

void ObserverController::add_efforts(const Instant& now, VectorXd& efforts) {
  inside_->sample(now);
  efforts += inside_->total;
}

std::vector<int> ObserverController::sensors() const {
  std::vector<int> all = inside_->sensors;
  for (const auto& controller : inside_->controllers)
    for (const int sensor : controller->sensors())
      if (std::find(all.begin(), all.end(), sensor) == all.end()) all.push_back(sensor);
  return all;
}

int ObserverController::memory_size() const { return static_cast<int>(inside_->size()); }
double ObserverController::rate() const { return inside_->how.rate; }

void ObserverController::remember(const Instant& now, const Eigen::VectorXi& at_limit,
                                  Eigen::Ref<VectorXd> x) {
  inside_->remember(now, at_limit, x);
}

const std::vector<JointTarget>& ObserverController::targets() const { return inside_->targets; }

Scenario build_observed_scenario(const ScenarioDescription& description, const Model& model) {
  if (!description.observer) return build_scenario(description, model);
  ScenarioDescription seen = description;
  seen.observer.reset();
  if (auto problems = check(description, model); !problems.empty()) throw InputError(std::move(problems));
  Scenario scenario = build_scenario(seen, model);
  observe(scenario, *description.observer);
  return scenario;
}

void observe(Scenario& scenario, const ObserverDescription& how) {
  auto observer = std::make_unique<ObserverController>(scenario, how);
  for (auto& controller : scenario.controllers) observer->add(std::move(controller));
  scenario.controllers.clear();
  scenario.controllers.push_back(std::move(observer));
}

void add_controller(Scenario& scenario, std::unique_ptr<Controller> controller) {
  for (const auto& one : scenario.controllers)
    if (auto* const observer = dynamic_cast<ObserverController*>(one.get()))
      return observer->add(std::move(controller));
  scenario.controllers.push_back(std::move(controller));
}

}  // namespace limber
