// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Several simulators, each by its own steps, whose accelerations are computed together. Their methods ask (asking.hpp); in each round the questions of all
// arms that have one are answered: what acts on an arm is found by its own System, then one sweep over the lanes of a register finds the accelerations of all. An arm
// that has more steps to take than others (events, corners) goes on by itself, with lanes that nobody looks at.

#include <string>
#include <vector>

#include "limber/algorithms/detail/batch_arms.hpp"
#include "simulator_inside.hpp"

namespace limber {

class Lockstep {
 public:
  /// An arm on its way.
  struct Arm {
    Simulator::Inside* inside;
    Simulator::Inside::Goal goal;
    std::string* failure;
    bool is_on_its_way = false;
    bool awaits_lane = false;  ///< its question has been put into its lane
  };

  /// Whether a simulator can take part: its method asks, and its accelerations are those of the recursion.
  static bool takes(Simulator& simulator);

  /// Arm i in lane i. Ends when each is at its goal, was stopped by a Watch, or has failed.
  static void advance(std::vector<Arm>& arms, detail::BatchArms& lanes);

 private:
  Lockstep(std::vector<Arm>& arms, detail::BatchArms& lanes) : arms_(arms), lanes_(lanes) {}
  void step_all();
  void answer_questions();
  /// Whether the arm's answer comes from its lane; else it has been answered.
  bool ask_lane(int lane);
  void take_from_lane(int lane);
  /// What an arm's method threw is explained by its stepper; what its stepper threw has been.
  enum class Thrown { by_method, by_stepper };
  template <typename Act>
  void each(Thrown thrown, Act&& act);

  std::vector<Arm>& arms_;
  detail::BatchArms& lanes_;
};

}  // namespace limber
