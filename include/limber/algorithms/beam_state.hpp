// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a strain gauge sees: curvature, twist and stretching of a bent beam.

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/model/lookup.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// At x from the root. To the order of the kinematics, kappa_y = -w'', kappa_z = v'', twist = a', stretch = u'.
struct BeamStrain {
  double x;        ///< [m] from the root
  double kappa_y;  ///< curvature about y [1/m]
  double kappa_z;  ///< curvature about z [1/m]
  double twist;    ///< about x [rad/m]
  double stretch;  ///< along x [m/m]

  /// Axial strain of the fibre at (y, z) of the section: stretch - y kappa_z + z kappa_y.
  double at_fibre(double y, double z) const { return stretch - y * kappa_z + z * kappa_y; }
};

/// eta: the link's elastic coordinates. Zero everywhere on a rigid link. Of a telescoping beam where its joint is at zero.
BeamStrain beam_strain(const Link& link, const Input<double>& eta, double x);

/// How a link's tip has moved and turned against the link at rest, in its root frame.
struct TipState {
  Eigen::Vector3d deflection;  ///< [m]
  Eigen::Vector3d slope;       ///< rotation vector [rad]
};
/// Of one of Model::links. Zero on a rigid link.
TipState tip_state(const Link& link, const Input<double>& q);
/// Of a link as described, over all its segments. Its rotation vector goes on beyond half a turn: a beam rolled up into a circle has turned by 2 pi.
TipState tip_state(const Model& model, const WholeLink& link, const Input<double>& q);

/// Strain of a link as described, x from its root [m].
BeamStrain beam_strain(const Model& model, const WholeLink& link, const Input<double>& q, double x);
/// Of the beam of a link as described [m]; 0 on a rigid link; of a telescoping beam its free length where its joint is at zero.
double beam_length(const Model& model, const WholeLink& link);
/// The same at a configuration: a telescoping beam's free length.
double beam_length(const Model& model, const WholeLink& link, const Input<double>& q);

}  // namespace limber
