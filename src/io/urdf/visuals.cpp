// SPDX-License-Identifier: BSD-3-Clause
// What a URDF's links look like. A picture never keeps an arm from being computed: what cannot be drawn is left out, with a word.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <variant>

#include "limber/io/mesh_file.hpp"
#include "limber/model/field_checker.hpp"
#include "model.hpp"

namespace limber::urdf {
namespace {

bool can_be_drawn(const VisualDescription& visual) {
  const auto* const mesh = std::get_if<visuals::Mesh>(&visual.kind);
  return !mesh || why_not_drawn(mesh->file).empty();
}

/// Those that a model file could have: sizes are positive, numbers finite.
std::vector<VisualDescription> valid_ones(const std::vector<Shape>& shapes, const Robot& robot,
                                          std::string& left_out) {
  const std::filesystem::path directory = std::filesystem::path(robot.file).parent_path();
  std::vector<VisualDescription> valid;
  for (const Shape& shape : shapes) {
    VisualDescription visual = shape.drawn;
    if (auto* const mesh = std::get_if<visuals::Mesh>(&visual.kind))
      mesh->file = find_mesh(mesh->file, directory);
    std::vector<Problem> problems;
    FieldChecker checker("", problems);
    describe(checker, std::as_const(visual));
    if (problems.empty())
      valid.push_back(std::move(visual));
    else
      left_out += fmt::format("{}line {}: {} is {}", left_out.empty() ? "" : "; ", shape.mark.line,
                              problems.front().path, problems.front().found);
  }
  return valid;
}

}  // namespace

std::vector<VisualDescription> visuals_of(const Link& link, const Robot& robot,
                                          std::vector<std::string>& notes) {
  std::string left_out;
  std::vector<VisualDescription> visuals = valid_ones(link.visuals, robot, left_out);
  if (!left_out.empty())
    notes.push_back(fmt::format("{}: shapes that are not drawn: {}", link.name, left_out));
  if (std::any_of(visuals.begin(), visuals.end(), can_be_drawn)) return visuals;
  std::vector<VisualDescription> collisions = valid_ones(link.collisions, robot, left_out);
  std::erase_if(collisions, [](const VisualDescription& visual) { return !can_be_drawn(visual); });
  if (collisions.empty()) return visuals;
  if (!visuals.empty())
    notes.push_back(
        fmt::format("{}: drawn by its <collision>: the meshes of its <visual> cannot be", link.name));
  return collisions;
}

}  // namespace limber::urdf
