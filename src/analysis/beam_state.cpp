#include "limber/analysis/beam_state.hpp"

namespace limber {

BeamStrain beam_strain(const Link& link, const Eigen::VectorXd& eta, double x) {
  BeamStrain strain{x, 0.0, 0.0, 0.0, 0.0};
  if (!link.beam) return strain;
  const auto& coordinates = link.beam->basis.coordinates();
  for (std::size_t j = 0; j < coordinates.size(); ++j) {
    const Jet jet = coordinates[j].shape.at(x);
    const double value = eta[static_cast<Eigen::Index>(j)];
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
