// SPDX-License-Identifier: BSD-3-Clause
#include "limber/study/optimise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "crew.hpp"
#include "journal.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/study/parameter_gradient.hpp"
#include "limber/study/search.hpp"

namespace limber {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
using Values = std::vector<double>;

/// A measure that should be small (sign 1) or large (-1).
struct Goal {
  std::size_t measure;
  double sign;
};

/// sign (measure - bound) <= 0
struct Limit {
  std::size_t measure;
  double bound, sign;
};

std::size_t number_of(const StudyDescription& study, const std::string& name) {
  std::size_t i = 0;
  while (study.measure[i].name != name) ++i;  // the study has been checked
  return i;
}

std::vector<Goal> goals_of(const StudyDescription& study) {
  std::vector<Goal> goals;
  for (const std::string& name : study.minimise) goals.push_back({number_of(study, name), 1.0});
  for (const std::string& name : study.maximise) goals.push_back({number_of(study, name), -1.0});
  return goals;
}

std::vector<Limit> limits_of(const StudyDescription& study) {
  std::vector<Limit> limits;
  for (const ConstraintDescription& one : study.constraints) {
    const std::size_t measure = number_of(study, one.measure);
    if (one.above) limits.push_back({measure, *one.above, -1.0});
    if (one.below) limits.push_back({measure, *one.below, 1.0});
  }
  return limits;
}

/// What stands in results about it.
StudyOptimum asked_for(const StudyDescription& study) {
  StudyOptimum optimum;
  for (const Goal& goal : goals_of(study)) {
    optimum.goals.push_back(study.measure[goal.measure].name);
    optimum.senses.emplace_back(goal.sign > 0.0 ? "minimise" : "maximise");
  }
  optimum.limits.resize(static_cast<Eigen::Index>(study.constraints.size()), 2);
  for (std::size_t i = 0; i < study.constraints.size(); ++i) {
    const ConstraintDescription& one = study.constraints[i];
    optimum.limited.push_back(one.measure);
    optimum.limits.row(static_cast<Eigen::Index>(i)) << one.above.value_or(nothing),
        one.below.value_or(nothing);
  }
  return optimum;
}

/// Measures that a goal or a constraint is about, by their numbers.
std::vector<std::size_t> used_measures(const StudyDescription& study) {
  std::set<std::size_t> used;
  for (const Goal& goal : goals_of(study)) used.insert(goal.measure);
  for (const Limit& limit : limits_of(study)) used.insert(limit.measure);
  return {used.begin(), used.end()};
}

/// Those of runs are as rough as the integrator's tolerance.
bool uses_runs(const StudyDescription& study) {
  const std::vector<std::size_t> used = used_measures(study);
  return std::any_of(used.begin(), used.end(),
                     [&](std::size_t i) { return study.task_of(study.measure[i]) == StudyTask::simulate; });
}

/// All that was computed, by its values. Any thread may ask.
class Memory {
 public:
  Memory(const Study& study, Journal& journal) : study_(study), journal_(journal) {}

  void know(const Values& values, VariantOutcome outcome) { known_.emplace(values, std::move(outcome)); }
  VariantOutcome at(const Values& values) {
    {
      const std::lock_guard lock(guard_);
      if (const auto found = known_.find(values); found != known_.end()) return found->second;
    }
    if (is_stopped_) throw Interrupted();
    stop_if_asked();
    const VariantOutcome outcome = study_.evaluate_at(
        Eigen::Map<const Eigen::RowVectorXd>(values.data(), static_cast<Eigen::Index>(values.size())));
    const std::lock_guard lock(guard_);
    if (!known_.emplace(values, outcome).second) return outcome;  // two searches asked for it at once
    ++progress_.computed;
    ++progress_.done;
    if (outcome.has_failed()) ++progress_.failed;
    // Failures are found again: the journal has no room for their values.
    if (!outcome.has_failed()) {
      VariantOutcome kept{values, {}};
      kept.numbers.insert(kept.numbers.end(), outcome.numbers.begin(), outcome.numbers.end());
      journal_.add(progress_.done, kept);
    }
    return outcome;
  }
  const VariantOutcome* find(const Values& values) const {
    const auto found = known_.find(values);
    return found == known_.end() ? nullptr : &found->second;
  }
  SweepProgress progress() {
    const std::lock_guard lock(guard_);
    return progress_;
  }
  void stop() { is_stopped_ = true; }

 private:
  const Study& study_;
  Journal& journal_;
  std::mutex guard_;
  std::map<Values, VariantOutcome> known_;
  SweepProgress progress_;
  std::atomic<bool> is_stopped_ = false;
};

/// One search, and what it has asked for.
struct Attempt {
  Goal goal = {};
  std::vector<Limit> limits = {};
  Eigen::VectorXd start = {};      ///< in the unit cube
  std::vector<Values> asked = {};  ///< in its order
  SearchOutcome outcome = {};
  Values best = {};  ///< values of its outcome
  bool is_over = false;
  bool is_replaced = false;  ///< by another that is as good, and better in the other goal
};

class Optimiser {
 public:
  Optimiser(const Study& study, Memory& memory, int threads)
      : study_(study), memory_(memory), threads_(threads), method_(study.description().search.method) {
    if (method_ == SearchMethod::automatic)
      method_ = uses_runs(study.description()) ? SearchMethod::global : SearchMethod::gradient;
  }

  /// All searches. Interrupted where somebody asked to stop.
  void run();
  const std::vector<Attempt>& attempts() const { return attempts_; }

 private:
  Values values_of(const Eigen::VectorXd& x) const;
  double scale_of(std::size_t measure) const;
  double scale_of(const Limit& limit) const {
    return limit.bound != 0.0 ? std::abs(limit.bound) : scale_of(limit.measure);
  }
  SearchValue value_of(const Attempt& attempt, const VariantOutcome& outcome) const;
  Eigen::MatrixXd slopes_at(const Eigen::VectorXd& x) const;
  std::optional<SearchSlopes> slopes_of(const Attempt& attempt, const Eigen::VectorXd& x) const;
  bool has_sensitivities() const;
  void go(Attempt& attempt, int threads);
  void go_all(std::size_t first, std::size_t count);
  Attempt attempt_for(const Goal& goal) const;
  bool refine_ends(const std::vector<Goal>& goals);
  void add_levels(const Goal& goal, const Goal& other, int count);

  const Study& study_;
  Memory& memory_;
  int threads_;
  SearchMethod method_;
  bool knows_slopes_ = false;     ///< by sensitivities; else by differences
  std::vector<double> at_start_;  ///< measures there; empty where it failed
  std::vector<Attempt> attempts_;
};

Values Optimiser::values_of(const Eigen::VectorXd& x) const {
  Values values;
  for (std::size_t j = 0; j < study_.description().optimise.size(); ++j) {
    const DesignVariableDescription& one = study_.description().optimise[j].second;
    const double part = x[static_cast<Eigen::Index>(j)];
    values.push_back(part >= 1.0 ? one.upper : one.lower + (one.upper - one.lower) * part);
  }
  return values;
}

double Optimiser::scale_of(std::size_t measure) const {
  const double size = measure < at_start_.size() ? std::abs(at_start_[measure]) : 0.0;
  return size > 0.0 ? size : 1.0;
}

// Of all measures by x, measures that are not used zero. What has no derivatives throws.
Eigen::MatrixXd Optimiser::slopes_at(const Eigen::VectorXd& x) const {
  const StudyDescription& study = study_.description();
  const std::vector<std::size_t> used = used_measures(study);
  GradientQuestion question;
  question.by = study_.paths();
  for (const std::size_t i : used) {
    MeasureDescription measure = study.measure[i];
    measure.task = study.task_of(measure);
    if (measure.task == StudyTask::simulate) measure.task.reset();
    question.of.push_back(std::move(measure));
  }
  question.state = study.state;
  question.settle = study.settle;
  question.joints = study.joints;
  question.outputs = study.outputs;
  const Values values = values_of(x);
  const ParameterGradients found =
      parameter_gradients(study_.subject(), question,
                          study_.settings_at(Eigen::Map<const Eigen::RowVectorXd>(
                              values.data(), static_cast<Eigen::Index>(values.size()))));
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(study.measure.size()), x.size());
  for (std::size_t k = 0; k < used.size(); ++k)
    for (Eigen::Index j = 0; j < x.size(); ++j) {
      const DesignVariableDescription& one = study.optimise[static_cast<std::size_t>(j)].second;
      slopes(static_cast<Eigen::Index>(used[k]), j) =
          found.gradient(static_cast<Eigen::Index>(k), j) * (one.upper - one.lower);
    }
  return slopes;
}

// (1) and (2), differentiated. None where the design has no derivatives: there a step of differences may lead on.
std::optional<SearchSlopes> Optimiser::slopes_of(const Attempt& attempt, const Eigen::VectorXd& x) const {
  Eigen::MatrixXd slopes;
  try {
    slopes = slopes_at(x);
  } catch (const InputError&) {
    return std::nullopt;
  } catch (const ComputationError&) {
    return std::nullopt;
  }
  const auto row = [&](std::size_t measure) { return slopes.row(static_cast<Eigen::Index>(measure)); };
  SearchSlopes found;
  found.objective =
      attempt.goal.sign * row(attempt.goal.measure).transpose() / scale_of(attempt.goal.measure);
  found.constraints.resize(static_cast<Eigen::Index>(attempt.limits.size()), x.size());
  for (std::size_t i = 0; i < attempt.limits.size(); ++i)
    found.constraints.row(static_cast<Eigen::Index>(i)) =
        attempt.limits[i].sign * row(attempt.limits[i].measure) / scale_of(attempt.limits[i]);
  return found;
}

// Whether what is used has derivatives at the start: runs that are differentiated step by step know nothing of the integrator's roughness.
bool Optimiser::has_sensitivities() const {
  if (method_ != SearchMethod::gradient || !uses_runs(study_.description())) return false;
  try {
    return slopes_at(attempt_for(goals_of(study_.description()).front()).start).allFinite();
  } catch (const InputError&) {
    return false;
  } catch (const ComputationError&) {
    return false;
  }
}

SearchValue Optimiser::value_of(const Attempt& attempt, const VariantOutcome& outcome) const {
  SearchValue value;
  const Goal& goal = attempt.goal;
  value.objective = goal.sign * outcome.numbers[goal.measure] / scale_of(goal.measure);  // (1)
  value.constraints.resize(static_cast<Eigen::Index>(attempt.limits.size()));
  for (std::size_t i = 0; i < attempt.limits.size(); ++i) {
    const Limit& limit = attempt.limits[i];
    value.constraints[static_cast<Eigen::Index>(i)] =
        limit.sign * (outcome.numbers[limit.measure] - limit.bound) / scale_of(limit);  // (2)
  }
  return value;
}

void Optimiser::go(Attempt& attempt, int threads) {
  const StudyDescription& study = study_.description();
  SearchProblem problem;
  problem.start = attempt.start;
  problem.constraints = static_cast<Eigen::Index>(attempt.limits.size());
  problem.evaluate = [&](const std::vector<Eigen::VectorXd>& points) {
    std::vector<std::optional<SearchValue>> found(points.size());
    const std::size_t before = attempt.asked.size();
    for (const Eigen::VectorXd& x : points) attempt.asked.push_back(values_of(x));
    for_all(points.size(), threads, [&](std::size_t i) {
      const VariantOutcome outcome = memory_.at(attempt.asked[before + i]);
      if (!outcome.has_failed()) found[i] = value_of(attempt, outcome);
    });
    return found;
  };
  if (knows_slopes_) problem.slopes = [&](const Eigen::VectorXd& x) { return slopes_of(attempt, x); };
  attempt.outcome = search(problem, {method_, study.search.tolerance, study.search.evaluations,
                                     static_cast<std::uint64_t>(study.seed)});
  attempt.best = values_of(attempt.outcome.x);
  attempt.is_over = true;
}

// Several at once have a thread each; one alone has all of them for its differences.
void Optimiser::go_all(std::size_t first, std::size_t count) {
  const int each = count == 1 ? threads_ : 1;
  for_all(count, threads_, [&](std::size_t i) { go(attempts_[first + i], each); });
}

Attempt Optimiser::attempt_for(const Goal& goal) const {
  Attempt attempt;
  attempt.goal = goal;
  attempt.limits = limits_of(study_.description());
  attempt.start.resize(study_.start().size());
  for (Eigen::Index j = 0; j < attempt.start.size(); ++j) {
    const DesignVariableDescription& one = study_.description().optimise[static_cast<std::size_t>(j)].second;
    attempt.start[j] = (study_.start()[j] - one.lower) / (one.upper - one.lower);
  }
  return attempt;
}

// Of all designs that are as good as an end in its goal, the one that is best in the other. False where there are no ends.
bool Optimiser::refine_ends(const std::vector<Goal>& goals) {
  for (std::size_t i = 0; i < 2; ++i) {
    if (!attempts_[i].outcome.is_feasible) return false;
    Attempt attempt = attempt_for(goals[1 - i]);
    attempt.start = attempts_[i].outcome.x;
    attempt.limits.push_back(
        {goals[i].measure, memory_.find(attempts_[i].best)->numbers[goals[i].measure], goals[i].sign});
    attempts_.push_back(std::move(attempt));
  }
  go_all(2, 2);
  for (std::size_t i = 0; i < 2; ++i) attempts_[i].is_replaced = attempts_[2 + i].outcome.is_feasible;
  return true;
}

// (3), so many levels of `other` between those of the ends.
void Optimiser::add_levels(const Goal& goal, const Goal& other, int count) {
  const Attempt ends[] = {attempts_[attempts_[0].is_replaced ? 2 : 0],
                          attempts_[attempts_[1].is_replaced ? 3 : 1]};
  const double level[] = {memory_.find(ends[0].best)->numbers[other.measure],
                          memory_.find(ends[1].best)->numbers[other.measure]};
  constexpr double decade = 10.0;
  const bool is_wide =
      level[0] * level[1] > 0.0 && std::max(level[0] / level[1], level[1] / level[0]) > decade;
  for (int k = 1; k <= count; ++k) {
    const double part = static_cast<double>(k) / (count + 1);
    const double bound =
        is_wide ? level[0] * std::pow(level[1] / level[0], part) : level[0] + (level[1] - level[0]) * part;
    Attempt attempt = attempt_for(goal);
    attempt.limits.push_back({other.measure, bound, other.sign});
    attempt.start = (1.0 - part) * ends[0].outcome.x + part * ends[1].outcome.x;
    attempts_.push_back(std::move(attempt));
  }
}

void Optimiser::run() {
  const Values start(study_.start().begin(), study_.start().end());
  at_start_ = memory_.at(start).numbers;
  knows_slopes_ = has_sensitivities();
  const std::vector<Goal> goals = goals_of(study_.description());
  for (const Goal& goal : goals) attempts_.push_back(attempt_for(goal));
  go_all(0, attempts_.size());
  if (goals.size() == 1 || !refine_ends(goals)) return;
  const std::size_t ends = attempts_.size();
  const int between = study_.description().search.points - 2;
  add_levels(goals[0], goals[1], (between + 1) / 2);
  add_levels(goals[1], goals[0], between / 2);
  go_all(ends, attempts_.size() - ends);
}

/// Rows of a result: what was asked for, each once, and what became of it.
std::map<Values, long> put_rows(const Study& study, const std::vector<Attempt>& attempts,
                                const Memory& memory, StudyResult& result) {
  std::vector<Values> order = {Values(study.start().begin(), study.start().end())};
  for (const Attempt& attempt : attempts)
    order.insert(order.end(), attempt.asked.begin(), attempt.asked.end());
  std::map<Values, long> rows;
  std::vector<Values> unique;
  for (const Values& values : order)
    if (memory.find(values) && rows.emplace(values, static_cast<long>(unique.size())).second)
      unique.push_back(values);
  const auto count = static_cast<Eigen::Index>(unique.size());
  result.parameters.resize(count, static_cast<Eigen::Index>(result.paths.size()));
  result.values.setConstant(count, static_cast<Eigen::Index>(result.measures.size()), nothing);
  result.failed.clear();
  for (Eigen::Index k = 0; k < count; ++k) {
    const Values& values = unique[static_cast<std::size_t>(k)];
    result.parameters.row(k) = Eigen::Map<const Eigen::RowVectorXd>(values.data(), result.parameters.cols());
    const VariantOutcome& outcome = *memory.find(values);
    if (outcome.has_failed())
      result.failed.push_back({static_cast<long>(k), outcome.failure});
    else
      result.values.row(k) =
          Eigen::Map<const Eigen::RowVectorXd>(outcome.numbers.data(), result.values.cols());
  }
  return rows;
}

// Of two goals, what is worse in both than another is no part of the front.
void put_found(const Study& study, const std::vector<Attempt>& attempts, const std::map<Values, long>& rows,
               StudyResult& result) {
  const std::vector<Goal> goals = goals_of(study.description());
  std::vector<FoundVariant> found;
  for (const Attempt& attempt : attempts) {
    if (!attempt.is_over || !attempt.outcome.is_feasible || attempt.is_replaced) continue;
    found.push_back({rows.at(attempt.best), attempt.outcome.end});
  }
  const auto value = [&](const FoundVariant& one, const Goal& goal) {
    return goal.sign * result.values(one.variant, static_cast<Eigen::Index>(goal.measure));
  };
  const auto is_better = [&](const FoundVariant& a, const FoundVariant& b) {
    bool better = false;
    for (const Goal& goal : goals) {
      if (value(a, goal) > value(b, goal)) return false;
      better = better || value(a, goal) < value(b, goal);
    }
    return better;
  };
  for (const FoundVariant& one : found) {
    const bool is_beaten = std::any_of(found.begin(), found.end(),
                                       [&](const FoundVariant& other) { return is_better(other, one); });
    const bool is_there =
        std::any_of(result.optimum.found.begin(), result.optimum.found.end(),
                    [&](const FoundVariant& other) { return other.variant == one.variant; });
    if (!is_beaten && !is_there) result.optimum.found.push_back(one);
  }
  std::sort(
      result.optimum.found.begin(), result.optimum.found.end(),
      [&](const FoundVariant& a, const FoundVariant& b) { return value(a, goals[0]) < value(b, goals[0]); });
}

/// What is wrong with the best design there is.
std::string nearest(const Study& study, const Attempt& attempt, const std::map<Values, long>& rows,
                    const StudyResult& result) {
  if (!attempt.outcome.value)
    return result.failed.empty() ? "" : "; variant 0 failed: " + result.failed.front().reason;
  const long variant = rows.at(attempt.best);
  std::string words = fmt::format("; the nearest is variant {}, with", variant);
  for (const Limit& limit : attempt.limits) {
    const double value = result.values(variant, static_cast<Eigen::Index>(limit.measure));
    if (limit.sign * (value - limit.bound) > 0.0)
      words += fmt::format(" {} = {:.6g} ({}: {:g})", study.description().measure[limit.measure].name, value,
                           limit.sign > 0.0 ? "below" : "above", limit.bound);
  }
  return words;
}

}  // namespace

SweepSummary optimise(const Study& study, ResultLock file, StudyResult begun, const SweepOptions& options) {
  if (options.remote || options.part.count > 1)
    throw InputError(
        Problem{"optimise", "one process with threads", options.remote ? "several ranks" : "a part",
                "each step of a search needs the one before; start it without mpirun and --part"});
  SweepSummary summary{std::move(begun), true, {}, crew_size(options.threads)};
  StudyResult& result = summary.result;
  result.optimum = asked_for(study.description());
  result.optimum.command = study.command();
  const std::size_t width = study.paths().size() + study.description().measure.size();
  Journal journal(Journal::beside(file.file()), result.sources, width);
  Memory memory(study, journal);
  const auto know = [&](const double* values, const double* numbers) {
    memory.know(Values(values, values + study.paths().size()),
                {Values(numbers, numbers + study.description().measure.size()), {}});
  };
  for (Eigen::Index k = 0; k < result.values.rows(); ++k)
    if (result.values.row(k).allFinite()) know(result.parameters.row(k).data(), result.values.row(k).data());
  for (const auto& one : journal.found())
    if (one.second.numbers.size() == width)
      know(one.second.numbers.data(), one.second.numbers.data() + study.paths().size());
  result.status = "running";
  write_study_result(file.file(), result);  // so that there is something to go on with

  Optimiser optimiser(study, memory, summary.threads);
  const auto start = std::chrono::steady_clock::now();
  std::exception_ptr failure;
  std::mutex guard;
  std::condition_variable changed;
  bool is_over = false;
  std::thread worker([&] {
    std::exception_ptr thrown;
    try {
      optimiser.run();
    } catch (const Interrupted&) {
      summary.finished = false;
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(guard);
    failure = thrown;
    is_over = true;
    changed.notify_all();
  });
  constexpr auto moment = std::chrono::milliseconds(50);
  for (bool over = false; !over;) {
    {
      std::unique_lock lock(guard);
      over = changed.wait_for(lock, moment, [&] { return is_over; });
    }
    summary.progress = memory.progress();
    summary.progress.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (options.progress && !options.progress(summary.progress)) memory.stop();
  }
  worker.join();
  if (failure) std::rethrow_exception(failure);

  const std::map<Values, long> rows = put_rows(study, optimiser.attempts(), memory, result);
  if (summary.finished) put_found(study, optimiser.attempts(), rows, result);
  result.status = summary.finished ? "complete" : "interrupted";
  write_study_result(file.file(), result);
  journal.remove();
  if (summary.finished && result.optimum.found.empty())
    throw ComputationError("no design was found that keeps to all constraints" +
                           nearest(study, optimiser.attempts().front(), rows, result));
  return summary;
}

}  // namespace limber
