// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A link as point masses. A rigid piece with mass m and inertia I at its centre has the same motion as
// seven points: with the second moments S = 1/2 tr(I) 1 - I (S_ij = Int r_i r_j dm) = Q diag(s) Q^T, two of
// mass s_i / (2 h^2) at +-h along each principal axis, and what remains of m at the centre. The sum of the
// masses, the centre and S are then those of the piece whatever h is, and masses may well be negative: every
// sum over them is linear in the masses.

#include <optional>
#include <vector>

#include "limber/model/description.hpp"
#include "reference/beam.hpp"

namespace reference {

struct PointMass {
  Real mass;
  Vector3 offset;
};

class Body {
 public:
  Body(const limber::LinkDescription& link, limber::KinematicOrder order);

  int elastic_count() const { return beam_ ? beam_->elastic_count() : 0; }
  const std::vector<Real>& masses() const { return masses_; }
  /// Where the masses are, in the body frame B.
  std::vector<Jet<Vector3>> points(const ElasticState& eta) const;
  /// The place `at` (fraction of the beam; 1: tip) with its axes, in B.
  Frame node(Real at, const ElasticState& eta) const;

  /// Of the elastic coordinates.
  MatrixX stiffness() const { return beam_ ? beam_->stiffness() : MatrixX(0, 0); }
  MatrixX damping() const;

 private:
  MatrixX rest_inertia() const;

  Frame X_BR_;
  Frame X_RT_;  // of a rigid link
  std::optional<Beam> beam_;
  std::optional<limber::DampingDescription> damping_;
  std::vector<PointMass> in_B_;                      // root piece
  std::vector<PointMass> in_R_;                      // rigid link
  std::vector<std::vector<PointMass>> in_sections_;  // at each of the beam's points
  std::vector<PointMass> in_T_;                      // tip body
  std::vector<Real> masses_;                         // all of them, in this order
};

}  // namespace reference
