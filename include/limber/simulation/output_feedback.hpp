// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Feedback of what sensors show, by an estimate of the whole state: `lqg` makes its gains.
//
// z = [y; y'] are natural modes of the arm's displacement from where it starts, x = shapes y. About the settled arm with its driven joints at their
// targets (holding_path.hpp), whose modes are r, and their rates r', whose efforts are u_held, and whose sensors show h(reference):
//
//   z^' = A (z^ - [r; 0]) + B (u - u_held) + L (m - h(reference) - H (z^ - [r; 0]))                        (1)
//   u = u_held + K ([r; r'] - z^) + K_I (integrals of target - measured position)                          (2)
//
// A, B are those of the arm, H the sensors' derivatives. With a motor at its limit, u in (1) is what it gives, and its joint's integral does not go on to
// where it cannot follow. About a settled arm the closed loop has the eigenvalues of A - B K (with integrals: of that feedback) and those of A - L H,
// and no others (separation). With a rate, A, B and L are those of a period T in which efforts are held, and (1) is
//
//   z^_k+1 = [r; 0] + A (z^_k - [r; 0]) + B (u_k - u_held) + L (m_k - h(reference) - H (z^_k - [r; 0]))    (3)
//
// Readings that are late are on their way for some samples. What is on its way is estimated along with z, as what the sensor showed less what it shows where the
// arm starts: [r; 0] and z^ of (3) have these numbers as well, of the reference h(reference) - h(start), and H picks the last of them.

#include "limber/algorithms/measurement.hpp"
#include "limber/core/export.hpp"
#include "limber/simulation/controller.hpp"
#include "limber/simulation/holding_path.hpp"

namespace limber LIMBER_EXPORT {

/// (1), or (3), and (2).
class OutputFeedbackController : public Controller {
 public:
  /// What it consists of. n: modes, m: driven joints, p: sensors, s: 2n, and readings that are on their way.
  struct Design {
    Eigen::MatrixXd A, B;          ///< s x s, s x m; with a rate, over a period
    Eigen::MatrixXd H, L;          ///< p x s, s x p
    Eigen::MatrixXd K, K_I;        ///< m x s, m x integrals
    Eigen::MatrixXd to_modes;      ///< n x nv
    std::vector<int> sensors;      ///< p indices in Scenario::sensors
    std::vector<int> on_the_way;   ///< of each reading that is on its way: which of `sensors` it is from
    std::vector<int> integrated;   ///< which of the driven joints have an integral ...
    std::vector<int> measured_by;  ///< ... and which of `sensors` measures that joint's position
    double rate = 0.0;             ///< samples per second; 0: continuous
  };
  /// `q`: where the arm starts, and where joints are meant to be that have no target. `sensors`: all of the scenario's.
  OutputFeedbackController(Model model, std::vector<JointTarget> driven, Eigen::VectorXd q, HoldingPath path,
                           const std::vector<SensorDescription>& sensors, Design design);
  /// What it was made of.
  const Design& design() const { return design_; }
  const std::vector<JointTarget>& targets() const override { return driven_; }
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override;
  std::vector<TrajectoryPointer> signals() const override;
  std::vector<int> sensors() const override { return design_.sensors; }
  double rate() const override { return design_.rate; }
  int memory_size() const override {
    return static_cast<int>(design_.A.rows()) + static_cast<int>(design_.integrated.size());
  }
  void memory_rate(const Instant& now, const Eigen::VectorXi& at_limit,
                   Eigen::Ref<Eigen::VectorXd> rate) override;
  void remember(const Instant& now, const Eigen::VectorXi& at_limit, Eigen::Ref<Eigen::VectorXd> x) override;

 private:
  void find_reference(const Instant& now);
  void find_expected();
  void find_feedback(const Instant& now);
  void find_innovation(const Instant& now, const Eigen::VectorXi& at_limit);
  void predict(const Instant& now, const Eigen::VectorXi& at_limit, Eigen::Ref<Eigen::VectorXd> result);
  double error_of_integral(std::size_t i, const Instant& now, const Eigen::VectorXi& at_limit) const;

  Model model_;
  std::vector<JointTarget> driven_;
  HoldingPath path_;
  Measurement measurement_;  ///< of design_.sensors
  Design design_;
  std::vector<int> position_;  ///< in q, of v's numbers
  std::vector<double> limit_;  ///< of driven joints' efforts
  Eigen::VectorXd start_, reference_, rate_, difference_, along_, nothing_;
  Eigen::VectorXd z_reference_, held_, feedback_, given_, at_start_, expected_, innovation_, deviation_;
};

}  // namespace limber
