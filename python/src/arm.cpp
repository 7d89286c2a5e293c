// SPDX-License-Identifier: BSD-3-Clause
#include "arm.hpp"

#include "limber/core/input_error.hpp"
#include "limber/model/place_name.hpp"
#include "state.hpp"

namespace limber::python {

std::unique_ptr<Workspace<double>> Arm::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto work = std::move(idle_.back());
      idle_.pop_back();
      return work;
    }
  }
  return std::make_unique<Workspace<double>>(model_);
}

void Arm::give_back(std::unique_ptr<Workspace<double>> work) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(work));
}

ArmPointer Arm::with_node(int link, double at) {
  constexpr std::size_t most_kept = 256;  // places that somebody looks at again and again
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = with_nodes_.find({link, at}); found != with_nodes_.end()) return found->second;
  }
  const Model model = limber::with_node(model_, link, at);  // throws for a place that is none
  if (model.is_same_arm(model_)) return shared_from_this();
  const auto arm = std::make_shared<Arm>(model);
  const std::lock_guard lock(mutex_);
  if (with_nodes_.size() >= most_kept) with_nodes_.clear();
  with_nodes_[{link, at}] = arm;
  return arm;
}

PlacedFrame place_frame(const ArmPointer& arm, const std::optional<std::string>& link, double at) {
  if (!link) {
    if (at != 1.0)
      throw InputError(Problem{"at", "the name of a link beside it", "none",
                               "link=None is the end effector, wherever that is"});
    return {arm, arm->model().end_effector()};
  }
  const bool has_place = link->find('@') != std::string::npos;
  if (has_place && at != 1.0)
    throw InputError(
        Problem{"at", "one place: LINK@X, or a link and `at`", "`" + *link + "` and another", ""});
  const LinkPlace there =
      has_place ? place_named(arm->model(), *link, "link") : place_on(arm->model(), *link, at);
  const ArmPointer placed = there.interface.empty() ? arm->with_node(there.link, there.at) : arm;
  return {placed, frame(placed->model(), there)};
}

PlacedLoads place_loads(const ArmPointer& arm, const py::object& loads) {
  PlacedLoads placed{arm, {}};
  if (loads.is_none()) return placed;
  StateArguments given;
  given.loads = loads;
  const State state = read_state(*arm, given);
  for (const StateLoad& load : state.loads)
    if (load.interface.empty()) placed.arm = placed.arm->with_node(load.link, load.at);
  for (const StateLoad& load : state.loads)
    placed.loads.push_back({load.link,
                            node_index(placed.arm->model(), LinkPlace{load.link, load.at, load.interface}),
                            load.frame, load.force, load.moment, load.offset, load.kind});
  return placed;
}

}  // namespace limber::python
