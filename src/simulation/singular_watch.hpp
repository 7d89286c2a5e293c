// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Looks out for singular configurations of closed loops (algorithms/loop_rank.hpp): along each step, on the values between its ends.
//
// Where the turned margin (2) of loop_rank.hpp falls below zero the margin s_r/s_1 itself is at its least somewhere near. Values within a step are less accurate than its ends, and loops are closed
// at ends alone; so the step is made again, to end shortly before. If the margin is nearly zero there as well, the configuration is singular; if not, the motion passes it by:
// rods of a parallelogram that differ by 1e-5 of their length keep a margin of a few thousandths.
//
// A motion need not pass: it may come to rest in a singular configuration, or touch it and turn back. Then (2) stays positive, and the margin decides alone: at the end of a step, where loops are
// closed, and where it is at its least within.

#include <optional>
#include <string>
#include <vector>

#include "limber/algorithms/loop_rank.hpp"
#include "limber/simulation/integrator.hpp"

namespace limber {

class SingularWatch {
 public:
  /// `ends`: the run ends where it finds one, so that what was reached should come near. Else values within a step are good enough if they are clear.
  SingularWatch(const System& system, bool ends);

  /// Steps begin at this state: at the start, after a corner or an event.
  void enter(double t, const Eigen::VectorXd& y);

  struct Finding {
    std::optional<double> end_at;     ///< the step should be made again, up to this time
    std::vector<std::string> passed;  ///< singular configurations within the step: a sentence for each
  };
  /// What is there in the integrator's last step, which began at `from`.
  Finding find(Integrator& integrator, double from);

  /// The motion cannot go on at t, from a state y shortly before: a sentence where that is because its configuration is singular.
  std::optional<std::string> explain(double t, const Eigen::VectorXd& y);

 private:
  void look(const Eigen::VectorXd& y) { rank_.update(y.head(nq_)); }
  double margin_at(Integrator& integrator, double t);
  /// Where the margin is at its least between two times.
  struct Least {
    double t, margin;
  };
  Least least_between(Integrator& integrator, double a, double b);
  bool turns_between(Integrator& integrator, double a, double b);
  double nearly_there(Integrator& integrator, double before, double there);
  void conclude_pass(Integrator& integrator, double from, const Least& least, Finding& finding);
  void conclude_touch(Integrator& integrator, double from, const Least& least, Finding& finding);
  void say(Integrator& integrator, double there, double before, Finding& finding);
  void look_at_end(Integrator& integrator, double from, Finding& finding);
  std::string sentence(double t, const SingularFreedoms& freedoms) const;

  const System& system_;
  bool ends_;
  LoopRank rank_;
  int nq_;
  std::vector<int> held_links_;
  double since_ = 0.0;    ///< rows have been those of the same joints
  int motion_rank_ = -1;  ///< of the motion; -1: not known yet
  int tries_ = 0;         ///< steps that were made again for the same place
  bool is_said_ = false;  ///< of the singular configuration that is near
  Eigen::VectorXd y_;
};

}  // namespace limber
