// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/batch.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "limber/algorithms/detail/batch_arms.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/loops.hpp"

namespace limber {

using detail::BatchArms;

struct BatchWorkspace::Inside {
  explicit Inside(const std::vector<Model>& of) : models(of), width(detail::batch_width()) {
    if (models.empty()) throw InputError(Problem{"BatchWorkspace: models", "at least one model", "none", ""});
    if (const auto other = detail::find_other_topology(models))
      throw InputError(
          Problem{"BatchWorkspace: " + other->place, other->expected, other->found,
                  "arms of a batch differ in numbers only: make a BatchWorkspace for each topology"});
    singles.resize(models.size());
    // Beams that telescope are swept one arm after the other.
    if (std::any_of(models.begin(), models.end(), [](const Model& one) { return one.has_telescopes(); }))
      width = 1;
    if (width == 1) return;
    const auto count = models.size(), step = static_cast<std::size_t>(width);
    for (std::size_t first = 0; first < count; first += step)
      groups.push_back(detail::make_batch_arms(
          std::vector<Model>(models.begin() + static_cast<std::ptrdiff_t>(first),
                             models.begin() + static_cast<std::ptrdiff_t>(std::min(first + step, count)))));
  }

  bool is_one_arm() const { return models.size() == 1; }
  const Model& model_of(Eigen::Index column) const {
    return models[is_one_arm() ? 0 : static_cast<std::size_t>(column)];
  }
  /// Scratch for one arm by itself.
  Workspace<double>& alone(Eigen::Index column) {
    auto& work = singles[is_one_arm() ? 0 : static_cast<std::size_t>(column)];
    if (!work) work.emplace(model_of(column));
    return *work;
  }

  std::vector<Model> models;
  int width;
  std::vector<std::unique_ptr<BatchArms>> groups;         ///< one where there is one model
  std::vector<std::optional<Workspace<double>>> singles;  ///< made where they are wanted
};

BatchWorkspace::BatchWorkspace(const Model& model)
    : inside_(std::make_unique<Inside>(std::vector<Model>{model})) {}
BatchWorkspace::BatchWorkspace(const std::vector<Model>& models)
    : inside_(std::make_unique<Inside>(models)) {}
BatchWorkspace::BatchWorkspace(BatchWorkspace&&) noexcept = default;
BatchWorkspace& BatchWorkspace::operator=(BatchWorkspace&&) noexcept = default;
BatchWorkspace::~BatchWorkspace() = default;

int BatchWorkspace::width() const {
  return detail::require_unmoved("BatchWorkspace::width", "work", inside_).width;
}
int BatchWorkspace::model_count() const {
  return static_cast<int>(
      detail::require_unmoved("BatchWorkspace::model_count", "work", inside_).models.size());
}

namespace {

using Eigen::Index;

/// The columns of a call, all of them the same number.
class Columns {
 public:
  Columns(const char* function, BatchWorkspace& work, const BatchInput& q)
      : function_(function), inside_(required(function, work)), count_(q.cols()) {
    require("q", q, inside_.models.front().nq());
    if (!inside_.is_one_arm() && count_ != static_cast<Index>(inside_.models.size()))
      detail::throw_wrong_extent(function, "q", q.rows(), static_cast<Index>(inside_.models.size()), q.rows(),
                                 count_);
  }
  /// A column an arm, or `each` of them.
  template <typename Matrix>
  void require(const char* argument, const Matrix& M, int rows, int each = 1) const {
    detail::require_extent(function_, argument, M, rows, count_ * each);
  }
  void require_loads(const std::vector<Load>& loads) const {
    for (const Model& model : inside_.models) detail::Call{function_, model}.require_loads(loads);
  }

  /// By as many columns as there are lanes: fill(arms, lane, column), sweep(arms), take(arms, lane, column). Without lanes, and where loads sit on arms that
  /// differ: alone(model, workspace, column).
  template <typename Fill, typename Sweep, typename Take, typename Alone>
  void run(bool one_by_one, Fill&& fill, Sweep&& sweep, Take&& take, Alone&& alone) {
    if (inside_.groups.empty() || one_by_one) {
      for (Index column = 0; column < count_; ++column) by_itself(column, alone);
      return;
    }
    const Index width = inside_.width;
    for (Index first = 0; first < count_; first += width) {
      BatchArms& arms = *inside_.groups[inside_.is_one_arm() ? 0 : static_cast<std::size_t>(first / width)];
      for (Index lane = 0; lane < width; ++lane)
        fill(arms, static_cast<int>(lane), std::min(first + lane, count_ - 1));
      sweep(arms);
      for (Index lane = 0; lane < std::min(width, count_ - first); ++lane)
        if (!take(arms, static_cast<int>(lane), first + lane)) by_itself(first + lane, alone);
    }
  }

 private:
  static BatchWorkspace::Inside& required(const char* function, BatchWorkspace& work) {
    if (!work.is_ready()) detail::throw_moved(function, "work");
    return work.inside();
  }
  template <typename Alone>
  void by_itself(Index column, Alone& alone) {
    try {
      alone(inside_.model_of(column), inside_.alone(column), column);
    } catch (const ComputationError& error) {
      throw ComputationError("column " + std::to_string(column) + ": " + error.what());
    }
  }

  const char* function_;
  BatchWorkspace::Inside& inside_;
  Index count_;
};

}  // namespace

void forward_dynamics(BatchWorkspace& work, const BatchInput& q, const BatchInput& v, const BatchInput& tau,
                      BatchOutput qdd, const std::vector<Load>& loads) {
  Columns columns("forward_dynamics", work, q);
  for (const Model& model : work.inside().models) require_plain_tree(model, "forward dynamics of a batch");
  const int nv = work.inside().models.front().nv();
  columns.require("v", v, nv);
  columns.require("tau", tau, nv);
  columns.require("qdd", qdd, nv);
  columns.require_loads(loads);
  columns.run(
      !loads.empty() && !work.inside().is_one_arm(),
      [&](BatchArms& arms, int lane, Index i) {
        arms.set(lane, q.col(i).data(), v.col(i).data(), tau.col(i).data());
      },
      [&](BatchArms& arms) { arms.forward_dynamics(loads); },
      // An arm that cannot be accelerated is asked by itself, and says why.
      [&](const BatchArms& arms, int lane, Index i) {
        arms.get(lane, qdd.col(i).data());
        return qdd.col(i).allFinite();
      },
      [&](const Model& model, Workspace<double>& alone, Index i) {
        forward_dynamics(model, alone, q.col(i), v.col(i), tau.col(i), qdd.col(i), loads);
      });
}

void inverse_dynamics(BatchWorkspace& work, const BatchInput& q, const BatchInput& v, const BatchInput& qdd,
                      BatchOutput tau, const std::vector<Load>& loads) {
  Columns columns("inverse_dynamics", work, q);
  const int nv = work.inside().models.front().nv();
  columns.require("v", v, nv);
  columns.require("qdd", qdd, nv);
  columns.require("tau", tau, nv);
  columns.require_loads(loads);
  columns.run(
      !loads.empty() && !work.inside().is_one_arm(),
      [&](BatchArms& arms, int lane, Index i) {
        arms.set(lane, q.col(i).data(), v.col(i).data(), qdd.col(i).data());
      },
      [&](BatchArms& arms) { arms.inverse_dynamics(loads); },
      [&](const BatchArms& arms, int lane, Index i) {
        arms.get(lane, tau.col(i).data());
        return true;
      },
      [&](const Model& model, Workspace<double>& alone, Index i) {
        inverse_dynamics(model, alone, q.col(i), v.col(i), qdd.col(i), tau.col(i), loads);
      });
}

void mass_matrix(BatchWorkspace& work, const BatchInput& q, BatchOutput M) {
  Columns columns("mass_matrix", work, q);
  const int nv = work.inside().models.front().nv();
  columns.require("M", M, nv, nv);
  columns.run(
      false, [&](BatchArms& arms, int lane, Index i) { arms.set(lane, q.col(i).data(), nullptr, nullptr); },
      [](BatchArms& arms) { arms.mass_matrix(); },
      [&](const BatchArms& arms, int lane, Index i) {
        arms.get_matrix(lane, M.col(i * nv).data(), M.outerStride());
        return true;
      },
      [&](const Model& model, Workspace<double>& alone, Index i) {
        mass_matrix(model, alone, q.col(i), M.middleCols(i * nv, nv));
      });
}

}  // namespace limber
