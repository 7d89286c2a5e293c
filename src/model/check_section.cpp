// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "check_rules.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

/// A size that a section's geometry may have.
struct Size {
  const char* key;
  std::optional<double> value;
  bool needed;
};

std::vector<Size> sizes_of(const SectionDescription& section, SectionShape shape) {
  const bool has_sides = shape == SectionShape::rectangle || shape == SectionShape::box;
  const bool has_wall = shape == SectionShape::tube || shape == SectionShape::box;
  return {{"diameter", section.diameter, shape == SectionShape::rod},
          {"outer_diameter", section.outer_diameter, shape == SectionShape::tube},
          {"width", section.width, has_sides},
          {"height", section.height, has_sides},
          {"thickness", section.thickness, has_wall}};
}

/// Whether the sizes are those of the shape, all of them and no other.
bool check_sizes(const SectionDescription& section, SectionShape shape, const std::string& path,
                 Problems& problems) {
  const std::size_t problems_before = problems.size();
  const char* name = choice_name(shape);
  for (const Size& size : sizes_of(section, shape)) {
    if (size.needed && !size.value) {
      problems.push_back({path, fmt::format("the key `{}` for a {}", size.key, name), "none", ""});
    } else if (!size.needed && size.value) {
      problems.push_back({join_path(path, size.key), fmt::format("no `{}` for a {}", size.key, name),
                          fmt::format("`{}`", size.key), ""});
    }
  }
  return problems.size() == problems_before;
}

void check_wall(double thickness, double outer_size, const char* solid_shape, const std::string& path,
                Problems& problems) {
  const double half = outer_size / 2.0;
  if (thickness < half) return;
  problems.push_back({path + ".thickness",
                      fmt::format("a wall thinner than half of the outer size, {} [m]", half),
                      show_number(thickness), fmt::format("a solid section is a {}", solid_shape)});
}

void check_geometry(const SectionDescription& section, const std::string& path, Problems& problems) {
  if (!section.material) problems.push_back({path, "the key `material`", "none", ""});
  if (!section.shape) {
    problems.push_back({path, "the key `shape`", "none", "rod, tube, rectangle or box"});
    return;
  }
  if (!check_sizes(section, *section.shape, path, problems)) return;
  if (section.shape == SectionShape::tube) {
    check_wall(*section.thickness, *section.outer_diameter, "rod", path, problems);
  } else if (section.shape == SectionShape::box) {
    check_wall(*section.thickness, std::min(*section.width, *section.height), "rectangle", path, problems);
  }
}

/// Geometry gives every stiffness; given by hand, the one that resists each mode direction must be there.
void check_stiffness(const SectionDescription& section, const BeamModesDescription& modes,
                     const std::string& path, Problems& problems) {
  if (!section.mass_per_length) {
    problems.push_back({path, "the key `mass_per_length`", "none", ""});
  }
  const auto need = [&](const char* direction, bool is_used, const char* key,
                        const std::optional<double>& stiffness) {
    if (!is_used || stiffness) return;
    problems.push_back(
        {path, fmt::format("the key `{}` for the modes `{}`", key, direction), "none",
         fmt::format("or leave `{}` out of the modes: the beam is then rigid there", direction)});
  };
  need("y", modes.y.has_value(), "EI_z", section.EI_z);
  need("z", modes.z.has_value(), "EI_y", section.EI_y);
  need("torsion", modes.torsion.has_value(), "GJ", section.GJ);
  need("axial", modes.axial.has_value(), "EA", section.EA);
}

}  // namespace

void check_section(const SectionDescription& section, const BeamModesDescription& modes,
                   const std::string& path, Problems& problems) {
  const bool by_geometry = section.shape || section.material || section.diameter || section.outer_diameter ||
                           section.width || section.height || section.thickness;
  if (by_geometry) {
    check_geometry(section, path, problems);
    if (!section.shear_center.isZero(0.0))
      problems.push_back({path + ".shear_center", "none where the section is given by geometry",
                          show_list({section.shear_center.x(), section.shear_center.y()}),
                          "rods, tubes, rectangles and boxes have it on their axis"});
  } else {
    check_stiffness(section, modes, path, problems);
    if (section.shear)
      problems.push_back({path + ".shear", "`kGA_y`, `kGA_z` where the section is given by stiffness",
                          "`true`", "`shear` takes Cowper's factors of a `shape`"});
  }
}

}  // namespace limber
