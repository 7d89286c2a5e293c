#pragma once

// What a strain gauge sees: curvature, twist and stretching of a bent beam.

#include <Eigen/Core>

#include "limber/model/model.hpp"

namespace limber {

/// At x from the root. To the order of the kinematics, kappa_y = -w'', kappa_z = v'', twist = a', stretch = u'.
struct BeamStrain {
  double x;
  double kappa_y;
  double kappa_z;
  double twist;
  double stretch;

  /// Axial strain of the fibre at (y, z) of the section: stretch - y kappa_z + z kappa_y.
  double at_fibre(double y, double z) const { return stretch - y * kappa_z + z * kappa_y; }
};

/// eta: the link's elastic coordinates. Zero everywhere on a rigid link.
BeamStrain beam_strain(const Link& link, const Eigen::VectorXd& eta, double x);

}  // namespace limber
