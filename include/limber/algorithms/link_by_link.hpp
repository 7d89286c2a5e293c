// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm as a StackedSystem (docs/dae.md). Every link in its own frame, with its own integrals; what it has to do with
// its neighbours stands in the rows of its joint.
//
// Link rows, in R: M and [f_r; f_e] of inertia.hpp, f_e with the beam's own forces,
//
//   M y + f0 = [M_rr M_re; . M_ee] [A_R; etadd] + [f_r; f_e + K eta + D etad - tau_e]               (1)
//
// Joint rows, in B's axes about B's origin: there S is the joint's axes themselves, N all directions across them (as two
// successive axes, a universal joint has its N along their common normal). With Ad_BR the motion of B from that of R,
// and the relative acceleration S qdd + A_bias of kinematics.hpp (6), (7),
//
//   G = [Ad_BR, 0],   H y_p = Ad_BR (motion of the node from [A_P; etadd_P]),   G y - H y_p = S qdd + Ad_BR A_bias   (2)
//
//   constrained:  N^T (G y - H y_p) = N^T Ad_BR A_bias
//   free:         S^T f + armature S^+ (G y - H y_p - Ad_BR A_bias) = tau - damper - spring
//   prescribed:   S^+ (G y - H y_p) = qdd + S^+ Ad_BR A_bias                                        (3)
//
// A motor behind an elastic gear moves no link: its column of S is zero, and its acceleration stands alone,
//
//   rotor qdd_motor = tau_motor + gear                                                              (6)
//
// The ground accelerates with -g, so that gravity appears nowhere else.
//
// Body frame at any point of the centreline: the frame N that rides on the section at a node. With the node's Jacobian,
// A_N = R_RN^T ([1, -[p_RN]x; 0, 1] A_R + [p_eta; w_eta] etadd + A_bias of the node), so that
//
//   y_R = Y y_N + b,   Y = [X R_RN, -X [p_eta; w_eta]; 0, 1],   b = [-X A_bias; 0],   X = [1, [p_RN]x; 0, 1]   (4)
//   M <- Y^T M Y,   f0 <- Y^T (f0 + M b),   G <- G Y,   H <- H Y_p,   g <- g - Ja (G b - H b_p)      (5)
//
// G has then columns for the shapes: seen from N, the link's base moves when the link bends, and the wrench there works in
// the modal rows.

#include <vector>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/stacked_system.hpp"
#include "limber/core/export.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// An arm as free bodies and joint conditions, whose accelerations and wrenches are unknown alike.
class LinkByLink {
 public:
  /// Where a body frame is: a node of its link, or the root.
  static constexpr int at_root = -1;

  /// frame_nodes: for each link the node (index into Link::nodes) that carries its body frame, or at_root; empty: all at
  /// the root. Rigid links have theirs at the root.
  explicit LinkByLink(const Model& model, std::vector<int> frame_nodes = {});

  /// Joints of these links get their accelerations from `qdd` of assemble().
  void prescribe(const std::vector<int>& links);

  /// Where everything is and how it moves, from joint coordinates.
  void update(const Input<double>& q, const Input<double>& v);

  /// Brings S, S^+ and N of a joint up to date with S in workspace(), which turns in universal joints only.
  void update_directions(int link);
  /// The rates of a joint's coordinates from the motion of its link relative to the node it sits on, in R: S^+ Ad_BR V.
  void joint_rates(int link, const Twist& relative, Output<double> v) const;

  /// (1) to (5) at the state of the last update(), or of whatever else filled workspace().
  void assemble(const Input<double>& q, const Input<double>& v, const Input<double>& tau,
                const Input<double>& qdd, const std::vector<Load>& loads);
  /// What constrained directions shall accelerate by besides, in B's axes about B's origin: for what corrects drift.
  void add_to_constraints(int link, const Twist& acceleration);
  /// The same matrix for another question: the smallest displacements, as the kinetic energy measures them, that move each
  /// joint's two sides by `steps` against each other in constrained directions (of every joint, in B's axes). After
  /// solve(), motion() is the displacement.
  void ask_for_steps(const std::vector<Twist>& steps);

  /// Throws ComputationError, naming the link, where the equations have no unique solution.
  void solve();
  /// The same by Gauss elimination of the whole matrix: O(n^3), to compare with.
  void solve_dense();
  /// Unknowns of system() that were found elsewhere.
  void take_solution(const Input<double>& x);

  /// What is left over in the free rows of (3) and in the modal rows when the joints accelerate by qdd and all other rows
  /// hold: nothing is solved for, the wrenches follow from the link rows, leaves first. For body frames at the root.
  void missing_forces(const Input<double>& qdd, Output<double> forces);

  // ---- after solve() ----
  /// In rows of prescribed joints what is there stays.
  void accelerations(Output<double> qdd) const;
  /// By the parent on the link, about B's origin, in B's axes.
  Wrench wrench(int link) const;
  /// The same in the words of Yaqubi et al., W_{i-1} of their eq. (27): what the link does to its parent, without what the
  /// motor does (the part across the joint's axes), about the origin of the parent's body frame (B, or the node that carries
  /// it), in its axes (on the ground: the world's).
  Wrench interaction_wrench(int link) const;
  /// The same of a wrench as wrench() gives it that was found elsewhere, at the state of the last update(). Directions of universal joints are those of the last
  /// update_directions().
  Wrench interaction_wrench(int link, const Wrench& by_parent) const;
  /// [A_R; etadd] of a link, wherever its body frame is. A_R contains -g.
  const Eigen::VectorXd& motion(int link) const;
  /// What moves a prescribed joint: one number per coordinate, into its rows. tau is that of assemble().
  void prescribed_efforts(const Input<double>& tau, const Input<double>& qdd, Output<double> efforts) const;

  /// The equations of the last assemble().
  const StackedSystem& system() const { return system_; }
  /// The arm.
  const Model& model() const { return model_; }
  ///@{
  /// Poses, velocities and inertias of the last update().
  Workspace<double>& workspace() { return work_; }
  const Workspace<double>& workspace() const { return work_; }
  ///@}
  /// Of the rows (3) of a joint, one for each coordinate that moves the link is free (or prescribed), the others constrained: N^T, in B's
  /// axes.
  Eigen::MatrixXd constrained_directions(int link) const;
  /// S^+: what a relative motion of B does to the joint's coordinates, but for a motor behind an elastic gear.
  Eigen::MatrixXd rate_rows(int link) const;
  /// A motion in R, as B's: Ad_BR.
  const Matrix6<double>& to_body(int link) const;

 private:
  struct Frame {
    int node = at_root;
    Matrix6<double> Ad_BR;
    Matrix6<double> S;       ///< in its first joint_nv columns
    Matrix6<double> S_plus;  ///< likewise rows
    Matrix6<double> N;       ///< in the columns after those that move the link
    Vector6<double> A_bias;  ///< Ad_BR A_bias
    Vector6<double> effort;  ///< tau - damper - spring, of the joint's coordinates
    Matrix6X<double> H;      ///< of (2), before (5)
    Eigen::MatrixXd Y;       ///< (4), where the body frame is not at the root; b likewise
    Eigen::VectorXd b;
    Eigen::VectorXd motion, scratch;
  };
  Frame& frame(int link) { return frames_[static_cast<std::size_t>(link)]; }
  const Frame& frame(int link) const { return frames_[static_cast<std::size_t>(link)]; }
  void require_link(const char* function, int link) const;
  void require_solution(const char* function) const;
  void find_directions(int link);
  void fill_link(int link, const Input<double>& q, const Input<double>& v, const Input<double>& tau);
  void fill_outboard(int link);
  void fill_joint(int link, const Input<double>& q, const Input<double>& v, const Input<double>& tau,
                  const Input<double>& qdd);
  void find_frame(int link);
  void change_frame(int link);
  Vector6<double> ground_motion(int link) const;
  void find_motions();

  Model model_;
  Workspace<double> work_;
  StackedSystem system_;
  std::vector<Frame> frames_;
  Eigen::VectorXd x_;
};

/// With the body frames of all links that bend at this fraction of their beams (0: at the roots). Throws InputError where it is none.
LinkByLink link_by_link(const Model& model, double body_frame);

}  // namespace limber
