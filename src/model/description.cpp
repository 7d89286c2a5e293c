// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/description.hpp"

#include <utility>

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

}  // namespace limber
