// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/lookup.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "limber/core/input_error.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

int index_of(std::string_view name, const std::vector<std::string>& names, const char* one,
             const char* several) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError(
        Problem{one, std::string("the name of a ") + one, show_text(name), suggestion(name, names, several)});
  return static_cast<int>(found - names.begin());
}

}  // namespace

int link_index(const Model& model, std::string_view name) {
  std::vector<std::string> names;
  for (const Link& link : model.links()) names.push_back(link.name);
  return index_of(name, names, "link", "links");
}

int joint_index(const Model& model, std::string_view name) {
  std::vector<std::string> names;
  for (const Link& link : model.links()) names.push_back(link.joint.name);
  return index_of(name, names, "joint", "joints");
}

int coordinate_index(const Model& model, std::string_view name) {
  return index_of(name, model.coordinates(), "coordinate", "coordinates");
}

int position_index(const Model& model, std::string_view name) {
  return index_of(name, position_names(model), "coordinate", "coordinates");
}

std::vector<int> elastic_coordinates_named(const Model& model, std::string_view name) {
  std::vector<int> named;
  for (const Link& link : model.links())
    for (int i = link.elastic_v_index; i < link.elastic_v_index + link.elastic_count; ++i)
      if (link.name == name || model.coordinates()[static_cast<std::size_t>(i)] == name) named.push_back(i);
  return named;
}

Frame frame(const Model& model, std::string_view link, double at) {
  const int index = link_index(model, link);
  return {index, node_index(model, index, at), {}};
}

}  // namespace limber
