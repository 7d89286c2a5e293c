// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What passes through the sections of all beams of an arm, from the balance of what lies outboard of each (docs/stress.md).
//
// All of a beam in its root frame R, moments about R's origin. A piece of its axis is at p, and takes
//
//   a  = a_R + alpha x p + w x (w x p + 2 dp/dt) + d2p/dt2,   a_R with -g                                       (1)
//   df = dm a,   dm = p x df + I_s alpha_s + w_s x I_s w_s    (I_s, w_s: inertia and turning of the section)    (2)
//
// p and the section's rotation vector are sums of functions of x times products mu of elastic coordinates (field.hpp): their rates are the same
// sums with d mu/dt and d2 mu/dt2, so that a whole beam is a few small matrix products. With what the tip body takes, what children take
// (their joints' wrenches) and loads with their sign turned, summed from the tip inwards to x,
//
//   F(x) = Int_x^L df + Sum f_k,   M_R(x) = Int_x^L dm + Sum m_k   (over x_k >= x)                              (3)
//   force = -F,   moment = -M_R + p(x) x F,   in the axes of the turned section                                 (4)
//
// which is what the outer part does to the inner one: tension is positive. Nothing here is EI times a curvature: few shapes give poor second
// derivatives, but good accelerations. Damping of the beam has no place in a section, and is no part of it.

#include <memory>
#include <vector>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// N, Vy, Vz, T, My, Mz: rows of what passes through sections [N, N m].
inline constexpr const char* section_force_names[] = {"N", "Vy", "Vz", "T", "My", "Mz"};

/// A place of a beam.
struct SectionPlace {
  double x = 0.0;           ///< [m] from the root
  bool inner_side = false;  ///< just inboard of what sits at x; else just outboard of it
};

/// Along one beam.
struct BeamSections {
  int link = 0;                      ///< index into Model::links
  std::vector<SectionPlace> places;  ///< ascending; inner nodes and steps of the section from both sides
  std::vector<int> regular;  ///< those of `places` at equal distances from root to tip, both among them
  Matrix6X<double> forces;   ///< columns: places; rows: section_force_names. Of the last update()
};

/// Computes them: made once for an arm, then one pass for all beams at every state, without use of the heap.
class SectionForces {
 public:
  /// `points` equal distances on each beam. Throws InputError for fewer than two.
  explicit SectionForces(const Model& model, int points = 21);
  ///@{
  /// Movable only.
  SectionForces(SectionForces&&) noexcept;
  SectionForces& operator=(SectionForces&&) noexcept;
  ///@}
  ~SectionForces();

  /// At q, v and the accelerations a of the motion: forward dynamics' own, or zero in equilibrium. `cylinders`: forces of all of them (Struts::forces); empty: of their
  /// springs and dampers alone. `loops`: what closed loops do (LoopSolver::loads_of). Throws InputError where an arm has loops and these are missing.
  void update(const Input<double>& q, const Input<double>& v, const Input<double>& a,
              const std::vector<Load>& loads = {}, const Eigen::VectorXd& cylinders = {},
              const std::vector<Load>& loops = {});

  /// Of all links that have a beam which does not telescope, in the arm's order.
  const std::vector<BeamSections>& beams() const;
  /// That of a link. Throws InputError for one without a beam.
  const BeamSections& beam(int link) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace limber
