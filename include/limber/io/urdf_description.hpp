// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A model file whose links stand in a URDF: what its author says about them. Reading makes links of it.

#include <optional>
#include <string>

#include "limber/core/export.hpp"
#include "limber/model/description.hpp"
#include "limber/scenario/description.hpp"

namespace limber LIMBER_EXPORT {

/// What the root link of a URDF stands on.
enum class BaseKind {
  fixed,  ///< it is the ground
  free    ///< it moves freely in the world
};

/// What happens to the inertia that a URDF gives to a link which is made flexible.
enum class UrdfInertia {
  keep,    ///< what the beam does not have is a rigid body, fixed to the beam's root
  replace  ///< the beam's is all there is
};

/// A beam whose length follows from the URDF.
struct UrdfBeamDescription : BeamDescription {
  ///@{
  /// As a beam, its length not yet known.
  BeamDescription& of_any_length() { return *this; }
  const BeamDescription& of_any_length() const { return *this; }
  ///@}
};

/// A link of a URDF that bends.
struct FlexibleDescription {
  std::string to = {};                      ///< the child joint at the beam's tip; empty: the only one
  double roll = 0.0;                        ///< of the section about the beam's axis [rad]
  UrdfInertia inertia = UrdfInertia::keep;  ///< what happens to the URDF's
  UrdfBeamDescription beam;                 ///< sections and modes
};

/// A model file as it is written: with its links, or with the name of a URDF that has them.
struct ModelFileDescription {
  ModelDescription model;                     ///< all but what follows
  std::optional<std::string> urdf = {};       ///< the URDF's name, relative to the file
  std::optional<BaseKind> base = {};          ///< with `urdf`; none: fixed
  ByName<FlexibleDescription> flexible = {};  ///< with `urdf`: links that bend, by name
};

}  // namespace limber
