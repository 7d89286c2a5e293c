// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/simulators.hpp"

#include <algorithm>
#include <mutex>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/detail/arguments.hpp"
#include "lockstep.hpp"

namespace limber {

using detail::BatchArms;
using Eigen::MatrixXd;
using Eigen::Ref;

namespace {

/// Scratch for groups of the same arms, as many as there are threads that want one at a time: groups of copies of one arm share it, and its constants stay in
/// the processor's cache.
class Lanes {
 public:
  explicit Lanes(std::vector<Model> models) : models_(std::move(models)) {}

  const std::vector<Model>& models() const { return models_; }
  std::unique_ptr<BatchArms> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<BatchArms> lanes = std::move(idle_.back());
        idle_.pop_back();
        return lanes;
      }
    }
    return detail::make_batch_arms(models_);
  }
  void give_back(std::unique_ptr<BatchArms> lanes) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(lanes));
  }

 private:
  std::vector<Model> models_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<BatchArms>> idle_;
};

}  // namespace

struct Simulators::Inside {
  struct ArmGroup {
    int first, count;
    std::shared_ptr<Lanes> lanes;  ///< null: one by one
  };

  explicit Inside(std::vector<Scenario> scenarios) {
    if (scenarios.empty()) throw InputError(Problem{"Simulators: scenarios", "at least one", "none", ""});
    const Model first = scenarios.front().model;
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      const Model& model = scenarios[i].model;
      if (model.nq() != first.nq() || model.nv() != first.nv())
        throw InputError(Problem{"Simulators: scenarios[" + std::to_string(i) + "].model",
                                 "as many coordinates as the first arm has: " + std::to_string(first.nv()),
                                 std::to_string(model.nv()), "make Simulators for each kind of arm"});
      arms.emplace_back(std::move(scenarios[i]));
    }
    failures.resize(arms.size());
    make_groups();
  }

  // Neighbours that go together.
  void make_groups() {
    const int count = static_cast<int>(arms.size()), width = detail::batch_width();
    for (int first = 0, next = 0; first < count; first = next) {
      std::vector<Model> models{arm(first).model()};
      next = first + 1;
      while (width > 1 && Lockstep::takes(arm(first)) && next < count && next - first < width &&
             Lockstep::takes(arm(next)) && goes_with(models.front(), arm(next).model()))
        models.push_back(arm(next++).model());
      groups.push_back({first, next - first, nullptr});
      if (models.size() > 1 || is_left_over(models.front()))
        groups.back().lanes = lanes_of(std::move(models));
    }
  }
  // The last of many: as the others do, so that its motion does not depend on their number.
  bool is_left_over(const Model& model) {
    const auto before = groups.size() > 1 ? groups[groups.size() - 2].lanes : nullptr;
    return before && Lockstep::takes(arm(groups.back().first)) && goes_with(before->models().front(), model);
  }
  static bool goes_with(const Model& first, const Model& other) {
    return first.is_same_arm(other) || !detail::find_other_topology({first, other});
  }
  // Those of the group before, where all of both are copies of one arm.
  std::shared_ptr<Lanes> lanes_of(std::vector<Model> models) {
    const Model& first = models.front();
    const auto is_first = [&](const Model& model) { return model.is_same_arm(first); };
    const auto before = groups.size() > 1 ? groups[groups.size() - 2].lanes : nullptr;
    if (before && std::all_of(models.begin(), models.end(), is_first) &&
        std::all_of(before->models().begin(), before->models().end(), is_first))
      return before;
    return std::make_shared<Lanes>(std::move(models));
  }

  Simulator& arm(int i) { return arms[static_cast<std::size_t>(i)]; }

  // As Simulator::step, one by one.
  void step_alone(int i, double h) {
    try {
      arm(i).step(h);
    } catch (const ComputationError& error) {
      failures[static_cast<std::size_t>(i)] = error.what();
    }
  }

  std::vector<Simulator> arms;
  std::vector<std::string> failures;
  std::vector<ArmGroup> groups;
};

Simulators::Simulators(std::vector<Scenario> scenarios)
    : inside_(std::make_unique<Inside>(std::move(scenarios))) {}
Simulators::Simulators(Simulators&&) noexcept = default;
Simulators& Simulators::operator=(Simulators&&) noexcept = default;
Simulators::~Simulators() = default;

int Simulators::size() const { return static_cast<int>(inside_->arms.size()); }
Simulator& Simulators::operator[](int arm) {
  detail::require_index("Simulators", "arm", size(), arm);
  return inside_->arm(arm);
}
const Simulator& Simulators::operator[](int arm) const {
  detail::require_index("Simulators", "arm", size(), arm);
  return inside_->arm(arm);
}
int Simulators::group_count() const { return static_cast<int>(inside_->groups.size()); }
Simulators::Group Simulators::group(int index) const {
  detail::require_index("Simulators::group", "index", group_count(), index);
  const Inside::ArmGroup& group = inside_->groups[static_cast<std::size_t>(index)];
  return {group.first, group.count, group.lanes != nullptr};
}
const std::vector<std::string>& Simulators::failures() const { return inside_->failures; }
void Simulators::forgive(int arm) {
  detail::require_index("Simulators::forgive", "arm", size(), arm);
  inside_->failures[static_cast<std::size_t>(arm)].clear();
}

void Simulators::step(double h, const Ref<const MatrixXd>& efforts) {
  for (int index = 0; index < group_count(); ++index) step_group(index, h, efforts);
}

void Simulators::step_group(int index, double h, const Ref<const MatrixXd>& efforts) {
  detail::require_index("Simulators::step_group", "index", group_count(), index);
  require_step("Simulators::step: h", h);
  detail::require_extent("Simulators::step", "efforts", efforts, inside_->arms.front().model().nv(), size());
  const Inside::ArmGroup& group = inside_->groups[static_cast<std::size_t>(index)];
  std::vector<Lockstep::Arm> together;
  for (int i = group.first; i < group.first + group.count; ++i) {
    std::string& failure = inside_->failures[static_cast<std::size_t>(i)];
    Simulator& arm = inside_->arm(i);
    if (failure.empty()) arm.set_efforts(efforts.col(i));
    if (group.lanes)
      together.push_back({arm.inside_.get(), arm.inside_->goal_at(arm.state().t + h), &failure});
    else if (failure.empty())
      inside_->step_alone(i, h);
  }
  if (!group.lanes) return;
  std::unique_ptr<BatchArms> lanes = group.lanes->take();
  Lockstep::advance(together, *lanes);
  group.lanes->give_back(std::move(lanes));
}

}  // namespace limber
