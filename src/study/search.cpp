// SPDX-License-Identifier: BSD-3-Clause
#include "limber/study/search.hpp"

#include <fmt/format.h>
#include <nlopt.h>

#include <cmath>
#include <exception>
#include <memory>

namespace limber {
namespace {

constexpr double step = 1e-4;  // h of (2)

using Point = Eigen::VectorXd;

/// Three points about x_i, and what makes a derivative of the values there. At a bound the third one lies on the same side.
struct Difference {
  double first, second;                 ///< x_i of the two that are not x itself
  double of_first, of_second, of_here;  ///< weights

  explicit Difference(double x)
      : first(x + step), second(x - step), of_first(0.5 / step), of_second(-0.5 / step), of_here(0.0) {
    if (first <= 1.0 && second >= 0.0) return;
    const double inwards = first > 1.0 ? -step : step;
    first = x + inwards;
    second = x + 2.0 * inwards;
    of_first = 2.0 / inwards;
    of_second = -0.5 / inwards;
    of_here = -1.5 / inwards;
  }
};

/// f, g and their derivatives as NLopt asks for them: f and each g by itself, again and again at the same point.
class Searcher {
 public:
  Searcher(const SearchProblem& problem, const SearchOptions& options)
      : problem_(problem), options_(options), size_(problem.start.size()) {}

  /// By one of NLopt's algorithms; what ended it, in words.
  std::string run(nlopt_algorithm algorithm, const char* name, const Point& start, int evaluations,
                  double radius);
  SearchOutcome outcome(std::string end) const {
    SearchOutcome all;
    all.x = best_ ? best_point_ : problem_.start;
    all.value = best_;
    all.is_feasible = best_ && best_->violation() <= options_.tolerance;
    all.evaluations = asked_;
    all.end = std::move(end);
    return all;
  }
  const Point& best() const { return best_ ? best_point_ : problem_.start; }

 private:
  void visit(const double* x, bool needs_slopes);
  void note(const Point& point, const std::optional<SearchValue>& value);
  std::vector<std::optional<SearchValue>> ask(const std::vector<Point>& points);
  SearchValue penalty() const;
  /// Whatever happens in it must not go through NLopt's C.
  template <typename Action>
  void guarded(Action&& action) noexcept;

  static double objective(unsigned size, const double* x, double* slopes, void* self);
  static void constraints(unsigned count, double* values, unsigned size, const double* x, double* slopes,
                          void* self);

  const SearchProblem& problem_;
  const SearchOptions& options_;
  const Eigen::Index size_;
  Point here_;
  SearchValue value_;                  ///< there
  Eigen::VectorXd objective_slopes_;   ///< there, where they have been asked for
  Eigen::MatrixXd constraint_slopes_;  ///< g x x
  bool has_slopes_ = false, has_failed_ = false;
  int asked_ = 0;
  std::optional<SearchValue> best_, worst_;
  Point best_point_;
  nlopt_opt running_ = nullptr;
  std::exception_ptr thrown_;
};

// Feasible ones by their f, before all others by how far they are beyond.
void Searcher::note(const Point& point, const std::optional<SearchValue>& value) {
  if (!value) return;
  const double beyond = std::max(0.0, value->violation() - options_.tolerance);
  const double best_beyond = best_ ? std::max(0.0, best_->violation() - options_.tolerance) : 0.0;
  if (!best_ || beyond < best_beyond || (beyond == best_beyond && value->objective < best_->objective)) {
    best_ = value;
    best_point_ = point;
  }
  if (!worst_) worst_ = value;
  worst_->objective = std::max(worst_->objective, value->objective);
  worst_->constraints = worst_->constraints.cwiseMax(value->constraints);
}

std::vector<std::optional<SearchValue>> Searcher::ask(const std::vector<Point>& points) {
  asked_ += static_cast<int>(points.size());
  auto values = problem_.evaluate(points);
  for (std::size_t i = 0; i < points.size(); ++i) note(points[i], values[i]);
  return values;
}

// Where nothing can be computed it is as bad as it was anywhere, and somewhat worse.
SearchValue Searcher::penalty() const {
  SearchValue bad = worst_.value_or(SearchValue{0.0, Eigen::VectorXd::Zero(problem_.constraints)});
  bad.objective += std::max(1.0, std::abs(bad.objective));
  bad.constraints = bad.constraints.cwiseMax(0.0).array() + 1.0;
  return bad;
}

void Searcher::visit(const double* x, bool needs_slopes) {
  const Point point = Eigen::Map<const Point>(x, size_).cwiseMax(0.0).cwiseMin(1.0);
  if (here_.size() != size_ || point != here_) {
    here_ = point;
    has_slopes_ = false;
    const auto found = ask({point}).front();
    has_failed_ = !found;
    value_ = found ? *found : penalty();
  }
  if (!needs_slopes || has_slopes_) return;
  has_slopes_ = true;
  objective_slopes_.setZero(size_);
  constraint_slopes_.setZero(problem_.constraints, size_);
  if (has_failed_) return;
  if (problem_.slopes)
    if (const auto known = problem_.slopes(point)) {
      asked_ += static_cast<int>(2 * size_);
      objective_slopes_ = known->objective;
      constraint_slopes_ = known->constraints;
      return;
    }
  std::vector<Point> points;
  for (Eigen::Index i = 0; i < size_; ++i) {
    const Difference difference(point[i]);
    for (const double moved : {difference.first, difference.second}) {
      points.push_back(point);
      points.back()[i] = moved;
    }
  }
  const auto values = ask(points);
  for (Eigen::Index i = 0; i < size_; ++i) {  // (2)
    const auto& first = values[static_cast<std::size_t>(2 * i)];
    const auto& second = values[static_cast<std::size_t>(2 * i + 1)];
    if (!first || !second) continue;  // it cannot go that way
    const Difference weights(point[i]);
    objective_slopes_[i] = weights.of_first * first->objective + weights.of_second * second->objective +
                           weights.of_here * value_.objective;
    constraint_slopes_.col(i) = weights.of_first * first->constraints +
                                weights.of_second * second->constraints +
                                weights.of_here * value_.constraints;
  }
}

template <typename Action>
void Searcher::guarded(Action&& action) noexcept {
  if (thrown_) return;
  try {
    action();
  } catch (...) {
    thrown_ = std::current_exception();
    nlopt_force_stop(running_);
  }
}

double Searcher::objective(unsigned, const double* x, double* slopes, void* data) {
  auto& self = *static_cast<Searcher*>(data);
  self.guarded([&] {
    self.visit(x, slopes != nullptr);
    if (slopes) Eigen::Map<Eigen::VectorXd>(slopes, self.size_) = self.objective_slopes_;
  });
  return self.value_.objective;
}

void Searcher::constraints(unsigned count, double* values, unsigned, const double* x, double* slopes,
                           void* data) {
  auto& self = *static_cast<Searcher*>(data);
  self.guarded([&] {
    self.visit(x, slopes != nullptr);
    if (slopes)
      Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
          slopes, count, self.size_) = self.constraint_slopes_;
  });
  for (unsigned j = 0; j < count; ++j)
    values[j] = j < self.value_.constraints.size() ? self.value_.constraints[j] : 0.0;
}

std::string Searcher::run(nlopt_algorithm algorithm, const char* name, const Point& start, int evaluations,
                          double radius) {
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> holder(
      nlopt_create(algorithm, static_cast<unsigned>(size_)), nlopt_destroy);
  running_ = holder.get();
  nlopt_set_lower_bounds1(running_, 0.0);
  nlopt_set_upper_bounds1(running_, 1.0);
  nlopt_set_min_objective(running_, &Searcher::objective, this);
  if (problem_.constraints > 0) {
    const std::vector<double> tolerances(static_cast<std::size_t>(problem_.constraints),
                                         0.1 * options_.tolerance);
    nlopt_add_inequality_mconstraint(running_, static_cast<unsigned>(problem_.constraints),
                                     &Searcher::constraints, this, tolerances.data());
  }
  nlopt_set_xtol_abs1(running_, options_.tolerance);
  nlopt_set_ftol_rel(running_, 0.01 * options_.tolerance);
  nlopt_set_maxeval(running_, std::max(1, evaluations));
  if (radius > 0.0) nlopt_set_initial_step1(running_, radius);
  std::vector<double> x(start.begin(), start.end());
  double smallest = 0.0;
  const nlopt_result end = nlopt_optimize(running_, x.data(), &smallest);
  running_ = nullptr;
  if (thrown_) std::rethrow_exception(thrown_);
  switch (end) {
    case NLOPT_SUCCESS:
    case NLOPT_FTOL_REACHED:
    case NLOPT_XTOL_REACHED:
    case NLOPT_STOPVAL_REACHED:
      return fmt::format("{}: converged to {:g}", name, options_.tolerance);
    case NLOPT_MAXEVAL_REACHED:
      return fmt::format("{}: the most evaluations", name);
    case NLOPT_ROUNDOFF_LIMITED:
      return fmt::format("{}: as far as rounding lets it", name);
    default:
      return fmt::format("{}: gave up", name);
  }
}

}  // namespace

std::optional<Problem> why_no_search() { return std::nullopt; }

SearchOutcome search(const SearchProblem& problem, const SearchOptions& options) {
  Searcher searcher(problem, options);
  const auto size = static_cast<int>(problem.start.size());
  constexpr double local_radius = 0.1, polishing_radius = 0.02;  // parts of the ranges
  switch (options.method) {
    case SearchMethod::gradient:
    case SearchMethod::automatic: {
      // Each of NLopt's evaluations of a gradient is 2 n + 1 of ours.
      const int iterations = std::max(1, options.evaluations / (2 * size + 1));
      const char* name = problem.slopes ? "SLSQP, derivatives by sensitivities"
                                        : "SLSQP, derivatives by central differences";
      return searcher.outcome(searcher.run(NLOPT_LD_SLSQP, name, problem.start, iterations, 0.0));
    }
    case SearchMethod::derivative_free:
      return searcher.outcome(
          searcher.run(NLOPT_LN_COBYLA, "COBYLA", problem.start, options.evaluations, local_radius));
    case SearchMethod::global:
      break;
  }
  nlopt_srand(static_cast<unsigned long>(options.seed));  // of this thread alone
  const int most = options.evaluations - options.evaluations / 4;
  std::string end = searcher.run(NLOPT_GN_ISRES, "ISRES", problem.start, most, 0.0);
  end += "; " + searcher.run(NLOPT_LN_COBYLA, "COBYLA", Point(searcher.best()), options.evaluations - most,
                             polishing_radius);
  return searcher.outcome(std::move(end));
}

}  // namespace limber
