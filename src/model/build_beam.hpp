// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From a beam's (or a body's) description to its shapes and integrals: the part of build_model that knows what a link is made of.

#include "beam_shelf.hpp"
#include "limber/model/model.hpp"

namespace limber {

/// The inertia tensor of ixx iyy izz ixy ixz iyz.
Eigen::Matrix3d inertia_tensor(const InertiaElements& elements);

/// What does not depend on shapes: sections along the beam. The description has passed check().
SectionProfile make_profile(const BeamDescription& beam);

/// The undeformed beam alone as a rigid body, in its root frame.
RigidInertia undeformed_inertia(const SectionProfile& profile);

/// A beam, and the field at its tip.
struct BuiltBeam {
  Beam beam;
  BeamNode tip;
};

/// Shapes, integrals and damping. `hanging` is what hangs on the tip at q = 0, in the tip's frame: what
/// `auto` means; `tip_body` is the part of it that belongs to this link. `profile` follows from `origin` and its length. What of
/// it is in `kept` is taken from there.
BuiltBeam build_beam(const BeamDescription& description, KinematicOrder order, const SectionProfile& profile,
                     const BeamOrigin& origin, const RigidInertia& hanging, const RigidInertia& tip_body,
                     PreparedBeams& kept);

/// Integrals and damping of a body of finite elements.
ElasticBody build_body(const BodyDescription& description, KinematicOrder order,
                       const RigidInertia& tip_body);

}  // namespace limber
