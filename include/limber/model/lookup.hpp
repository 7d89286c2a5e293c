// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parts of an arm by their names. Every function throws InputError where there is no such name, with the closest one that there is.

#include <string_view>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// In Model::links.
int link_index(const Model& model, std::string_view name);
/// In Model::links: of the link that the joint moves.
int joint_index(const Model& model, std::string_view name);
/// In v (and in tau, accelerations, rows of matrices): `shoulder`, `wrist.2`, `boom.y1`.
int coordinate_index(const Model& model, std::string_view name);
/// In v: the elastic coordinates of a link that bends (`boom`), or one of them (`boom.z1`). Throws nothing: empty where the name is neither.
std::vector<int> elastic_coordinates_named(const Model& model, std::string_view name);
/// A frame on a link: at its tip, or at a fraction of its beam where the model has a node (with_node).
Frame frame(const Model& model, std::string_view link, double at = 1.0);
/// In q. Joints with a quaternion have more numbers there: `socket.4`.
int position_index(const Model& model, std::string_view name);

}  // namespace limber
