// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/lookup.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "beam_axis.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/field_rule.hpp"
#include "segments.hpp"

namespace limber {
namespace {

InputError unknown(std::string_view name, const std::vector<std::string>& names, const char* one,
                   const char* several) {
  return InputError(
      Problem{one, std::string("the name of a ") + one, show_text(name), suggestion(name, names, several)});
}

int index_of(std::string_view name, const std::vector<std::string>& names, const char* one,
             const char* several) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw unknown(name, names, one, several);
  return static_cast<int>(found - names.begin());
}

constexpr const char* only_bodies_have_names = "only bodies have interfaces with names";

const std::string& described_name(const Model& model, const Link& link) {
  return model.description().links[static_cast<std::size_t>(link.described)].name;
}

// At a fraction of one of Model::links.
LinkPlace place_in(const Model& model, int index, double at, const std::string& interface) {
  const Link& link = model.links()[static_cast<std::size_t>(index)];
  const auto& beam = model.description().links[static_cast<std::size_t>(link.described)].beam;
  if (!beam) return {index, at, interface};
  return {index, at, interface, section_in_node(*beam, link.segment, link.segments, at)};
}

}  // namespace

int link_index(const Model& model, std::string_view name) {
  std::vector<std::string> names;
  for (const Link& link : model.links()) {
    if (link.segments > 1 && link.segment == 0 && described_name(model, link) == name)
      throw InputError(
          Problem{"link", "the name of a link that is one beam, or of a segment", show_text(name),
                  "it is in " + std::to_string(link.segments) + " segments: " + link.name + " is the first"});
    names.push_back(link.name);
  }
  return index_of(name, names, "link", "links");
}

LinkPlace place_on(const Model& model, std::string_view name, double at, const std::string& interface) {
  const std::vector<WholeLink> all = whole_links(model);
  const auto whole = std::find_if(all.begin(), all.end(), [&](const WholeLink& w) { return w.name == name; });
  if (whole == all.end()) {
    for (std::size_t i = 0; i < model.links().size(); ++i)
      if (model.links()[i].name == name) return place_in(model, static_cast<int>(i), at, interface);
    throw unknown(name, link_names(model), "link", "links");
  }
  const SegmentPlace there = segment_place(at, whole->count);
  return place_in(model, whole->first + there.segment, there.at, interface);
}

std::optional<Problem> place_problem(const Model& model, const LinkPlace& place) {
  detail::Call{"place_problem", model}.require_link("link", place.link);
  const Link& link = model.links()[static_cast<std::size_t>(place.link)];
  const bool is_named = !place.interface.empty();
  const std::string found = is_named ? show_text(place.interface) : show_number(place.at);
  if (link.beam) {
    if (!is_named && place.at >= 0.0 && place.at <= 1.0) return std::nullopt;
    return Problem{"at", "a fraction of the beam from 0 to 1", found, is_named ? only_bodies_have_names : ""};
  }
  if (!link.body) {
    if (!is_named && place.at == 1.0) return std::nullopt;
    return Problem{"at", "1: the link is rigid", found, is_named ? only_bodies_have_names : ""};
  }
  if (is_named ? link.body->reduced->find(place.interface) != nullptr : place.at == 1.0) return std::nullopt;
  std::vector<std::string> names;
  for (const Node& node : link.nodes) names.push_back(node.interface);
  return Problem{
      "at", "1 (the tip) or the name of an interface of the body `" + link.name + "`", found,
      is_named ? suggestion(place.interface, names, "interfaces") : "interfaces: " + show_names(names)};
}

Model with_node(const Model& model, const LinkPlace& place) {
  if (auto problem = place_problem(model, place)) throw InputError(std::move(*problem));
  return place.interface.empty() ? with_node(model, place.link, place.at) : model;
}

int node_index(const Model& model, const LinkPlace& place) {
  return place.interface.empty() ? node_index(model, place.link, place.at)
                                 : node_index(model, place.link, place.interface);
}

std::vector<std::string> link_names(const Model& model) {
  std::vector<std::string> names;
  for (const Link& link : model.links()) {
    if (link.segments > 1 && link.segment == 0) names.push_back(described_name(model, link));
    names.push_back(link.name);
  }
  return names;
}

std::vector<WholeLink> whole_links(const Model& model) {
  std::vector<WholeLink> whole;
  for (std::size_t i = 0; i < model.links().size(); ++i)
    if (const Link& link = model.links()[i]; link.segment == 0)
      whole.push_back({described_name(model, link), static_cast<int>(i), link.segments});
  return whole;
}

LinkDescription described_link(const Model& model, int link) {
  detail::Call{"described_link", model}.require_link("link", link);
  const Link& at = model.links()[static_cast<std::size_t>(link)];
  const LinkDescription& whole = model.description().links[static_cast<std::size_t>(at.described)];
  return at.segments == 1 ? whole : segment_of(whole, at.segment);
}

bool has_segments(const Model& model) {
  return std::any_of(model.links().begin(), model.links().end(),
                     [](const Link& link) { return link.segments > 1; });
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
      if (link.name == name || described_name(model, link) == name ||
          model.coordinates()[static_cast<std::size_t>(i)] == name)
        named.push_back(i);
  return named;
}

Frame frame(const Model& model, std::string_view link, double at) {
  const LinkPlace place = place_on(model, link, at);
  return {place.link, node_index(model, place.link, place.at), place.X_NS};
}

}  // namespace limber
