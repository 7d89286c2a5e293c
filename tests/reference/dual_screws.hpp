// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The dual-screw formulation as its paper writes it (A. Cibicik, O. Egeland, "Kinematics and dynamics of flexible robotic
// manipulators using dual screws"): dual vectors as real vectors [real; dual] of twice the length, dual screws as
// 12-vectors [angular; linear], and every product as a product of matrices. Numbers in parentheses are the paper's.
// Slow and literal; shares no code with src/.
//
// Chains of links on rotary joints about z. An elastic link is a beam along x with polynomial shapes (x/L)^p.

#include <Eigen/Core>
#include <vector>

namespace reference {

using Vector12 = Eigen::Matrix<double, 12, 1>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;
using Matrix12X = Eigen::Matrix<double, 12, Eigen::Dynamic>;
using DualVector = Eigen::Matrix<double, 6, 1>;  ///< [real; dual]
using DualMatrix = Eigen::Matrix<double, 6, 6>;  ///< [real 0; dual real]

struct ScrewShape {
  enum class Kind { y, z, torsion } kind;
  int power;
};

struct ScrewLink {
  // The joint frame at q = 0 in the frame at the end of the link before.
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  // Rigid: body and its end.
  double mass = 0.0;
  Eigen::Vector3d com = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< at the com
  Eigen::Vector3d end = Eigen::Vector3d::Zero();
  // Elastic (length > 0).
  double length = 0.0;
  double mass_per_length = 0.0;
  Eigen::Vector3d rotary_inertia = Eigen::Vector3d::Zero();
  std::vector<ScrewShape> shapes;

  bool is_elastic() const { return length > 0.0; }
};

/// At one state. Coordinates link by link: the joint's angle, then the elastic ones.
class DualScrewChain {
 public:
  DualScrewChain(const std::vector<ScrewLink>& links, const Eigen::Vector3d& gravity,
                 const Eigen::VectorXd& q, const Eigen::VectorXd& u);

  Eigen::MatrixXd M() const;        ///< (112)
  Eigen::MatrixXd C() const;        ///< (112): C u is what accelerations do not explain
  Eigen::VectorXd gravity() const;  ///< (109), the force of gravity
  /// (109) of motor torques T at all joints, each with its reaction on the link before (125)-(127).
  Eigen::VectorXd torques(const Eigen::VectorXd& T) const;

  /// At a point x of link i (elastic: on its axis; rigid: its centre of mass), in the coordinates of i.
  Matrix12X jacobian_form(int i, double x) const;    ///< P^ (92)
  Matrix12X projecting_form(int i, double x) const;  ///< P˘ (93)
  Matrix12X jacobian_rate(int i, double x) const;    ///< d/dt P^, by (76) to (79)
  /// R^ from the coordinates of frame i to those of j <= i.
  DualMatrix rotation(int j, int i) const;

 private:
  enum class Form { jacobian, projecting, rate };
  struct Section {
    DualVector p, v, theta;  ///< from frame i to the section; its rate; its rotation vector
    Eigen::Matrix3Xd Phi, Psi;
  };

  int size() const { return static_cast<int>(u_.size()); }
  Section section(int i, double x) const;
  DualMatrix to_end(int j) const;                                        ///< R^ from j' to j
  DualMatrix joint(int i) const;                                         ///< R^ from i to (i-1)'
  Matrix12 transformation(int i, double x, int j, bool from_end) const;  ///< V^ of (66)
  DualVector omega(int i, int from, bool from_end, int to) const;  ///< of frame `to` relative to `from`, in i
  Matrix12 differentiation(int i, double x, int j, bool of_screw) const;  ///< (77), (78)
  Matrix12X columns(int i, double x, Form form) const;
  DualVector angular_velocity(int i) const;
  template <typename Visit>
  void for_each_point(int i, Visit&& visit) const;

  std::vector<ScrewLink> links_;
  Eigen::Vector3d g_;
  Eigen::VectorXd q_, u_;
  std::vector<int> first_;  ///< coordinate of each joint
};

}  // namespace reference
