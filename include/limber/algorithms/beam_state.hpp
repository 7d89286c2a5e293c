// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a strain gauge sees: curvature, twist and stretching of a bent beam.

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
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

/// eta: the link's elastic coordinates. Zero everywhere on a rigid link.
BeamStrain beam_strain(const Link& link, const Input<double>& eta, double x);

}  // namespace limber
