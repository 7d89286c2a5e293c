// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Arms and states for tests that ask for many different ones: all that the oracle understands, in every
// mixture. The same seed gives the same arm on every machine.

#include "limber/model/description.hpp"
#include "reference/oracle.hpp"

namespace reference {

/// A random tree of rigid and flexible links of about a metre and a few kilograms: every joint type (free
/// mostly as the first joint), children anywhere on beams, up to three polynomial shapes in each direction,
/// root pieces and tip bodies with full inertia tensors, rotary inertia, tapered beams, springs, dampers,
/// armatures, gravity in any direction. Its mass matrix is positive definite at every state.
limber::ModelDescription random_arm(unsigned seed, int links, limber::KinematicOrder order);

/// A random state: joint angles within +-2 rad, any orientation, deflections and their sum of about
/// `elastic_scale` times the length of their beam, with rates, generalized forces and up to three loads to
/// match.
State random_state(const limber::ModelDescription& description, unsigned seed, double elastic_scale);

}  // namespace reference
