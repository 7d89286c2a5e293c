// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm's links as bodies with poses and twists of their own, held together by nothing but the wrenches in their joints.
//
// The state is (Q, V) of the arm taken apart: the same links, each on a free joint on the ground. So Q has for every link
// its position, unit quaternion (of B in the world) and elastic coordinates, V its body twist and their rates, and
// displace() and displacement_rate() of configuration.hpp are the exponential map of SE(3) and its inverse derivative:
// what a Lie-group integrator needs.
//
// Joint coordinates are then not the state but measured: q from the relative pose, v = S^+ (relative twist). What the
// joint does not allow, and is there nevertheless, has come in by integration errors:
//
//   gap  = the displacement of B, in its axes, from where q would put it                            (1)
//   slip = relative twist - S v                                                                     (2)
//
// both zero but for rounding in a state that comes from joint coordinates. Projection takes them out by the smallest
// displacement, as the kinetic energy measures it: with the joint rows of LinkByLink,
//
//   min 1/2 Sum d_i^T M_i d_i   with   N^T (G_i d_i - H_i d_p) = -N^T gap_i                         (3)
//
// whose multipliers stand where the wrenches stood: the stacked matrix, with other right-hand sides, in O(n) again.

#include <vector>

#include "limber/algorithms/link_by_link.hpp"
#include "limber/core/export.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// The same links, each on a free joint on the ground.
Model taken_apart(const Model& model);

/// The links of an arm as bodies with poses and twists (Q, V) of their own.
class FreeBodies {
 public:
  /// Of an arm, of which it keeps a copy.
  explicit FreeBodies(const Model& model);

  /// The model of (Q, V): each link on a free joint.
  const Model& apart() const { return apart_; }
  /// The equations of the arm, in whose workspace measure() works.
  LinkByLink& arm() { return arm_; }

  /// (Q, V) from joint coordinates.
  void from_joints(const Input<double>& q, const Input<double>& v, Eigen::VectorXd& Q, Eigen::VectorXd& V);
  /// Fills the workspace of arm() from (Q, V) alone, and finds the joint coordinates: angles within half a turn of what q
  /// holds.
  void measure(const Input<double>& Q, const Input<double>& V, Output<double> q, Output<double> v);

  /// (1) and (2) of every joint at the measured state. q and v are the measured ones, but for prescribed joints, where they
  /// are what is wanted.
  void find_gaps(const Input<double>& q, const Input<double>& v);
  /// (1), after find_gaps(): [m; rad] in B's axes.
  const Twist& gap(int link) const;
  /// (2), after find_gaps(): [m/s; rad/s] in B's axes.
  const Twist& slip(int link) const;
  /// By how much joints have come apart in constrained directions.
  struct ConstraintViolation {
    double position = 0.0;  ///< [m]
    double rotation = 0.0;  ///< [rad]
  };
  /// The largest over all joints, after find_gaps().
  ConstraintViolation largest_violation() const;

  /// After arm().solve(): the rate of V's components.
  void rates(Eigen::VectorXd& V_rate) const;

  /// (3) for poses, then for twists, with the matrix of the last assemble(). q, v: as for find_gaps.
  void project_poses(Output<double> Q);
  /// (3) for twists: takes slips out.
  void project_twists(Output<double> V);

 private:
  void measure_joint(int link, Output<double> q, Output<double> v);

  Model model_;
  Model apart_;
  LinkByLink arm_;
  std::vector<Twist> relative_;  ///< relative twists, in R
  std::vector<Twist> gaps_, slips_, steps_;
  Eigen::VectorXd displacement_, displaced_;
};

}  // namespace limber
