// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/description.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "limber/math/rotation.hpp"

namespace limber {

const std::optional<ModesDescription>& BeamModesDescription::of(Direction direction) const {
  switch (direction) {
    case Direction::y:
      return y;
    case Direction::z:
      return z;
    case Direction::torsion:
      return torsion;
    case Direction::axial:
      break;
  }
  return axial;
}

std::optional<ModesDescription>& BeamModesDescription::of(Direction direction) {
  return const_cast<std::optional<ModesDescription>&>(std::as_const(*this).of(direction));
}

std::optional<double> DampingDescription::modal_ratio() const {
  if (ratio) return ratio;
  if (loss_factor) return 0.5 * *loss_factor;
  return std::nullopt;
}

double BeamDescription::axis_length() const {
  return curve ? curve->radius * std::abs(curve->angle) : length;
}

bool BeamDescription::is_bent() const {
  return curve || std::any_of(stations.begin(), stations.end(),
                              [](const StationDescription& station) { return !station.rpy.isZero(0.0); });
}

double BeamDescription::turn() const {
  if (curve) return std::abs(curve->angle);
  double turn = 0.0;
  for (std::size_t i = 1; i < stations.size(); ++i)
    turn +=
        log_rotation(rotation_from_rpy(stations[i - 1].rpy).transpose() * rotation_from_rpy(stations[i].rpy))
            .norm();
  return turn;
}

int BeamDescription::segment_count() const {
  if (segments) return *segments;
  if (!is_bent()) return 1;
  constexpr double turn_of_one = std::numbers::pi / 16.0;  // a quarter ring's frequencies to 0.2 %
  constexpr double rounding = 1e-9;                        // a quarter turn is 8, not 9
  return std::max(2, static_cast<int>(std::ceil(turn() / turn_of_one - rounding)));
}

}  // namespace limber
