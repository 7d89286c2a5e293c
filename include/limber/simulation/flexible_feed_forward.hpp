// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/LU>

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"
#include "limber/simulation/controller.hpp"

namespace limber LIMBER_EXPORT {

/// Efforts that move joints of the *flexible* arm exactly along their targets. With p the joints whose motion is known and f all else (elastic
/// coordinates, joints that nobody drives), h all forces of inertia, weight, springs and dampers but M a, and B the input matrix, the equations of
/// motion
///
///   M_f a_f - B_p u_p = -h - M_p a_p                                                                                         (1)
///
/// are as many as their unknowns: how everything bends on the way, a_f, and the efforts u_p. The controller remembers q_f and v_f of such an arm,
/// less where the run starts, and integrates them along. Loads are not known to it. Where the arm starts at rest in equilibrium, and its model is
/// right, its joints follow without feedback; feedback that comes besides has nothing to do.
class FlexibleFeedForwardController : public Controller {
 public:
  /// `driven`: joints that it moves; `others`: joints that are moved as they are told by somebody else. `q`, `v`: where the run starts. Throws
  /// InputError where a joint with a quaternion is neither, and for shapes with a slope at their root.
  FlexibleFeedForwardController(const Model& model, std::vector<JointTarget> driven,
                                std::vector<JointTarget> others, const Eigen::VectorXd& q,
                                const Eigen::VectorXd& v);
  const std::vector<JointTarget>& targets() const override { return driven_; }
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override;
  std::vector<TrajectoryPointer> signals() const override;
  int memory_size() const override { return 2 * static_cast<int>(free_.size()); }
  void memory_rate(const Instant& now, const Eigen::VectorXi& at_limit,
                   Eigen::Ref<Eigen::VectorXd> rate) override;

 private:
  void require_clamped_roots() const;
  void solve(const Instant& now);

  Model model_;
  Workspace<double> work_;
  std::vector<JointTarget> driven_, others_;
  std::vector<int> free_, free_positions_;  ///< f in v, in q
  std::vector<int> known_;                  ///< p in v: driven_, then others_
  Eigen::MatrixXd inputs_;                  ///< B_p
  Eigen::VectorXd start_q_, start_v_;       ///< of f
  Eigen::VectorXd q_, v_, a_, force_, passive_, unknown_;
  Eigen::MatrixXd M_, matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  double t_ = 0.0, within_ = 0.0;  ///< of what was solved last
  Eigen::VectorXd x_;
  bool is_solved_ = false;
};

}  // namespace limber
