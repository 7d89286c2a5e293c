// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How much of their strength beams use at a place of a motion, for plans that look at stress.
//
// What passes through a section follows from the balance of what lies outboard of it (analysis/section_forces.hpp): F(q, v, a) = [N, Vy, Vz, T, My, Mz], linear in a and quadratic
// in v. With the factors of analysis/stress.hpp, R the beam's strength,
//
//   U^2 = (s^2 + 3 t^2)/R^2,   t = torsion T,   s = |N| axial + |My| about_y + |Mz| about_z    (round: + |[My, Mz]| about)          (1)
//
// with each |x| as sqrt(x^2 + e^2) - e, e = 1e-4 R, which has derivatives everywhere. It is that of a section's corners, with the largest shear of torsion: of a rectangle that is
// twisted it says more than there is, of all else what section_stress() says.
//
// With v = v'/T and a = a'/T^2 (scaled_forces.hpp)
//
//   dF/dv' = F_v/T,   dF/da' = F_a/T^2,   dF/dT = -(F_v v'/T^2 + 2 F_a a'/T^3)                                                       (2)
//
// F_v and F_a are differences, exact for functions of their degree; F_q, central ones over 1e-5 (rad or m). Of second derivatives those are taken that come from (1),
// F_x^T (U^2)'' F_x: positive, and all of them where F is linear in the motion.

#include <string>
#include <vector>

#include "limber/analysis/section_forces.hpp"
#include "limber/analysis/stress.hpp"
#include "scaled_forces.hpp"

namespace limber {

/// Of all beams whose sections are given by geometry, and that have a strength.
class Utilisation {
 public:
  Utilisation(const Model& model, std::vector<Load> loads);

  /// Whether an arm has any such beam.
  static bool is_known(const Model& model);

  /// How many sections.
  int count() const { return static_cast<int>(sections_.size()); }
  /// The link that section i belongs to.
  int link(int i) const { return sections_[static_cast<std::size_t>(i)].link; }

  /// U^2 of all sections.
  void squares(const ScaledForces::Place& at, Eigen::VectorXd& U2);
  /// ... with their derivatives by q, v', a' and T: count x (3 n + 1).
  void slopes(const ScaledForces::Place& at, Eigen::VectorXd& U2, Eigen::MatrixXd& by);
  /// Second derivatives of weights . U^2, the part of (1), at the place of the last slopes().
  void curvature(const Eigen::VectorXd& weights, Eigen::MatrixXd& H) const;

 private:
  struct Section {
    std::size_t beam;     ///< of SectionForces::beams()
    Eigen::Index column;  ///< of its forces
    int link;
    double strength;
    StressFactors factors;
  };
  using Forces = Eigen::Matrix<double, 6, Eigen::Dynamic>;

  void find_forces(const ScaledForces::Place& at, Forces& forces);
  void find_forces(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                   Forces& forces);

  int n_;
  std::vector<Load> loads_;
  SectionForces all_;
  std::vector<Section> sections_;
  Forces forces_, above_, below_;
  std::vector<Eigen::MatrixXd> force_slopes_;  ///< of each section, 6 x (3 n + 1)
};

}  // namespace limber
