#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "limber/model/model.hpp"

namespace limber {

/// Numbers as base64 of little-endian floats or doubles: a third of their text.
std::string packed_floats(const double* values, std::size_t count);
std::string packed_doubles(const double* values, std::size_t count);

/// The arm for a viewer that only knows poses, joints and products of matrices (viewer/src/arm.ts reads this):
///
/// - X_NJ, X_BR, nodes: poses as [x, y, z, qx, qy, qz, qw];
/// - stations along each link, then its nodes: where they are at rest, and two matrices that give their displacement
///   and their rotation vector from the products of elastic coordinates (eta_1 .. eta_m, then, for second order,
///   eta_1 eta_1, eta_2 eta_1, eta_2 eta_2, ...);
/// - curvatures kappa_y, kappa_z and twist per elastic coordinate at each station, and the stiffness there;
/// - half the width and height of the section at each station.
nlohmann::ordered_json arm_json(const Model& model);

}  // namespace limber
