// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parts of an arm by their names. Every function throws InputError where there is no such name, with the closest one that there is.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// In Model::links. A link in segments (docs/large-deflections.md) is several of them, `boom.1`, `boom.2`, ...: its own name finds none, place_on() does.
int link_index(const Model& model, std::string_view name);
/// In Model::links: of the link that the joint moves.
int joint_index(const Model& model, std::string_view name);
/// In v (and in tau, accelerations, rows of matrices): `shoulder`, `wrist.2`, `boom.y1`.
int coordinate_index(const Model& model, std::string_view name);
/// In v: the elastic coordinates of a link that bends (`boom`), or one of them (`boom.z1`). Throws nothing: empty where the name is neither.
std::vector<int> elastic_coordinates_named(const Model& model, std::string_view name);
/// A frame on a link: at its tip, or at a fraction of its beam where the model has a node (with_node); of links in segments as place_on() says.
Frame frame(const Model& model, std::string_view link, double at = 1.0);

/// A place on a link of a Model.
struct LinkPlace {
  int link;                    ///< in Model::links
  double at;                   ///< fraction of its beam
  std::string interface = {};  ///< `at` by name: of an interface of its body; empty: a fraction
  Pose X_NS =
      {};  ///< the section there in the frame of the link's node; the identity but on curved and twisted beams
};
/// The place at a fraction of a link by the name that its author gave it. On a link in segments that is the segment there, with the fraction of its
/// own beam; where two of them meet, the tip of the inner one. A segment's own name (`boom.2`) serves, too.
LinkPlace place_on(const Model& model, std::string_view link, double at = 1.0,
                   const std::string& interface = {});
/// What is wrong with a place on a link: with the key `at`. None: there is such a place, if not yet a node.
std::optional<Problem> place_problem(const Model& model, const LinkPlace& place);
/// An arm like this one with a node at that place; itself where it has one.
Model with_node(const Model& model, const LinkPlace& place);
/// Index into Link::nodes of the node there. Throws InputError where there is none.
int node_index(const Model& model, const LinkPlace& place);
/// The names of links that place_on() knows: as described, and where one is in segments those of its segments after it.
std::vector<std::string> link_names(const Model& model);

/// A link as its author wrote it: one of Model::links, or several in a row where it is in segments.
struct WholeLink {
  std::string name;  ///< as described
  int first;         ///< in Model::links
  int count;         ///< how many in a row
};
/// In the order of the description.
std::vector<WholeLink> whole_links(const Model& model);
/// What one of Model::links is made of: the link as described; of a segment, its share of joint, root piece, visuals and tip body (its beam's
/// sections are still those of the whole link).
LinkDescription described_link(const Model& model, int link);
/// Whether any link is in segments.
bool has_segments(const Model& model);

/// In q. Joints with a quaternion have more numbers there: `socket.4`.
int position_index(const Model& model, std::string_view name);

}  // namespace limber
