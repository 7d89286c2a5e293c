// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/beam_state.hpp"

#include <string>

#include "limber/core/input_error.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {

BeamStrain beam_strain(const Link& link, const Input<double>& eta, double x) {
  detail::require_extent("beam_strain", "eta", eta, link.elastic_count, 1);
  const double length = link.beam ? link.beam->basis.length() : x;
  constexpr double rounding = 1e-12;  // of who divides a beam into equal parts
  if (!(x >= 0.0 && x <= length * (1.0 + rounding)))
    throw InputError(Problem{"beam_strain: x",
                             "a place on link `" + link.name + "`, 0 to " + std::to_string(length) + " m",
                             std::to_string(x), ""});
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
