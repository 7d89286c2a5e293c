// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/beam_state.hpp"

namespace limber {

BeamStrain beam_strain(const Link& link, const Eigen::VectorXd& eta, double x) {
  BeamStrain strain{x, 0.0, 0.0, 0.0, 0.0};
  if (!link.beam) return strain;
  const auto& coordinates = link.beam->basis.coordinates();
  for (std::size_t j = 0; j < coordinates.size(); ++j) {
    const double value = eta[static_cast<Eigen::Index>(j)];
    if (value == 0.0) continue;  // of unit vectors nearly all are
    const Jet jet = coordinates[j].shape.at(x);
    switch (coordinates[j].direction) {
      case Direction::y:
        strain.kappa_z += value * jet[2];
        break;
      case Direction::z:
        strain.kappa_y -= value * jet[2];
        break;
      case Direction::torsion:
        strain.twist += value * jet[1];
        break;
      case Direction::axial:
        strain.stretch += value * jet[1];
        break;
    }
  }
  return strain;
}

}  // namespace limber
