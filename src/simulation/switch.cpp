// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/switch.hpp"

#include <fmt/format.h>

namespace limber {

std::optional<std::string> EffortLimit::doubt(const Model& model) const {
  if (!is_softened()) return std::nullopt;
  return fmt::format(
      "the effort of `{}` switches between its limits of {:g} faster than steps can follow: it slides, and "
      "what is "
      "shown is its mean. Lower its gains, or take a smaller rtol to see more of it",
      coordinate_ < model.nv() ? model.coordinates()[static_cast<std::size_t>(coordinate_)]
                               : model.cylinders()[static_cast<std::size_t>(coordinate_ - model.nv())].name,
      limit_);
}

}  // namespace limber
