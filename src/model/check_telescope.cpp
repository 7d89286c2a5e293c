// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "check_rules.hpp"
#include "limber/math/rotation.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/field_rule.hpp"
#include "telescope_geometry.hpp"

namespace limber {
namespace {

/// What a beam that slides through a guide must be (docs/telescoping.md); `path` is that of its link.
class TelescopeChecker {
 public:
  TelescopeChecker(const LinkDescription& link, std::string path, Problems& problems)
      : link_(link), path_(std::move(path)), problems_(problems) {}

  void check() {
    if (link_.joint.type != JointType::prismatic)
      return add("joint.telescoping", "a prismatic joint",
                 fmt::format("a {} joint", choice_name(link_.joint.type)),
                 "only a joint that slides lets a beam out");
    if (!link_.beam)
      return add("joint.telescoping", "a link with a `beam`", link_.body ? "`body`" : "`rigid`",
                 "a rigid link slides as a whole: leave `telescoping` out");
    if (link_.beam->is_bent())
      return add(link_.beam->curve ? "beam.curve" : "beam.stations", "a straight telescoping beam",
                 "a bent or twisted one", "it slides through a straight guide");
    check_geometry();
    check_beam(*link_.beam);
    if (link_.joint.drive && link_.joint.drive->stiffness)
      add("joint.drive.stiffness", "a rigid gear on a telescoping joint", "an elastic one",
          "leave `stiffness` out: the rotor is then counted as armature");
  }

 private:
  void add(const std::string& key, std::string expected, std::string found, std::string hint = "") {
    problems_.push_back({path_ + "." + key, std::move(expected), std::move(found), std::move(hint)});
  }

  // A beam that has no modes is a rigid one, and stays what it was; but its place must make sense all the same.
  void check_geometry() {
    const TelescopeGeometry geometry = telescope_geometry(link_);
    constexpr double parallel = 1e-9;
    if (!((geometry.axis - geometry.beam).norm() <= parallel))
      return add("joint.axis", "the direction of the beam, x of the root frame",
                 show_list({geometry.axis.x(), geometry.axis.y(), geometry.axis.z()}),
                 fmt::format("the beam points along {}; a telescoping joint slides along it",
                             show_list({geometry.beam.x(), geometry.beam.y(), geometry.beam.z()})));
    const double length = link_.beam->length;
    if (!(geometry.free_length > 0.0 && geometry.free_length <= length * (1.0 + 1e-12)))
      return add(
          "root.xyz",
          fmt::format("the beam's inner end behind the guide, less than its length of {:.6g} m", length),
          fmt::format("{:.6g} m along the axis, a free length of {:.6g} m", geometry.free_length - length,
                      geometry.free_length),
          "at zero the beam's inner end is where `root` says, and the guide is at the joint frame: "
          "root: {xyz: [-c, 0, 0]} has c metres of it in the guide");
    const double lowest = -geometry.free_length, highest = length - geometry.free_length;
    if (!link_.joint.limits) return;
    const JointLimits& limits = *link_.joint.limits;
    constexpr double rounding = 1e-9;
    if (limits.lower && !(*limits.lower > lowest))
      add("joint.limits.lower",
          fmt::format("a number > {:.6g} [m], where nothing of the beam is out", lowest),
          show_number(*limits.lower));
    if (limits.upper && !(*limits.upper <= highest + rounding * length))
      add("joint.limits.upper", fmt::format("at most {:.6g} [m], where all of the beam is out", highest),
          show_number(*limits.upper));
  }

  void check_beam(const BeamDescription& beam) {
    if (!beam.section)
      add("beam.stations", "one `section` of a telescoping beam", "stations",
          "what slides through the guide is alike everywhere");
    if (beam.section && (beam.section->shear || beam.section->kGA_y || beam.section->kGA_z))
      add("beam.section", "a telescoping beam that does not shear", "`shear` or `kGA`",
          "its shapes would change with its length");
    if (beam.section &&
        (!beam.section->center_of_mass.isZero(0.0) || !beam.section->shear_center.isZero(0.0)))
      add("beam.section", "a telescoping beam whose mass and shear centre are on its axis",
          "`center_of_mass` or `shear_center`", "what is off the axis is not carried through the guide");
    if (beam.segment_count() > 1)
      add("beam.segments", "no segments of a telescoping beam", std::to_string(beam.segment_count()),
          "give it more modes");
    for (const auto& [key, is_given] :
         {std::pair("strength", beam.strength.has_value()), std::pair("sn_curve", beam.sn_curve.has_value())})
      if (is_given)
        add(std::string("beam.") + key, std::string("no `") + key + "` on a telescoping beam", "one",
            "stress is not found where the free length changes; curvatures are, by `statics`");
    if (beam.tip_rotation == TipRotation::chord)
      add("beam.tip_rotation", "`slope` on a telescoping beam", "`chord`");
    for (const Direction direction : all_directions)
      if (const auto& modes = beam.modes.of(direction))
        check_shapes(*modes, std::string("beam.modes.") + to_string(direction));
  }

  void check_shapes(const ModesDescription& modes, const std::string& key) {
    switch (modes.shape) {
      case ShapeFamily::craig_bampton:
      case ShapeFamily::clamped_free:
      case ShapeFamily::clamped_mass:
      case ShapeFamily::clamped_pinned:
      case ShapeFamily::polynomial:
        break;
      default:
        add(key + ".shape",
            "shapes that leave the guide straight and are smooth: craig-bampton, clamped-free, "
            "clamped-mass, clamped-pinned or polynomial",
            show_text(choice_name(modes.shape)), "craig-bampton serves at every length");
    }
    if (modes.normalize != Normalization::peak)
      add(key + ".normalize", "`peak` on a telescoping beam", show_text(choice_name(modes.normalize)),
          "shapes then have the same size at every length");
  }

  const LinkDescription& link_;
  std::string path_;
  Problems& problems_;
};

bool telescopes(const ModelDescription& model, const std::string& name) {
  for (const LinkDescription& link : model.links)
    if (link.name == name) return is_telescope(link);
  return false;
}

}  // namespace

bool has_modes(const BeamDescription& beam) {
  return beam.modes.y || beam.modes.z || beam.modes.torsion || beam.modes.axial;
}

bool is_telescope(const LinkDescription& link) {
  return link.joint.telescoping && link.joint.type == JointType::prismatic && link.beam &&
         has_modes(*link.beam);
}

TelescopeGeometry telescope_geometry(const LinkDescription& link) {
  TelescopeGeometry geometry;
  geometry.axis = link.dh ? Eigen::Vector3d::UnitZ().eval()
                          : link.joint.axis.value_or(Eigen::Vector3d::UnitZ()).normalized();
  geometry.beam = rotation_from_rpy(link.root.rpy).col(0);
  geometry.behind = -geometry.beam.dot(link.root.xyz);
  geometry.free_length = link.beam->length - geometry.behind;
  return geometry;
}

void check_telescope(const LinkDescription& link, const std::string& path, Problems& problems) {
  if (link.joint.telescoping) TelescopeChecker(link, path, problems).check();
}

void check_places_on_telescopes(const ModelDescription& model, Problems& problems) {
  const auto refuse = [&](const std::string& path, double at) {
    problems.push_back({path, "1, the tip of a telescoping beam", show_number(at),
                        "any other place would run through the guide"});
  };
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkDescription& link = model.links[i];
    std::string parent = link.parent;
    if (parent.empty() && i > 0) parent = model.links[i - 1].name;
    if (link.attach != 1.0 && telescopes(model, parent)) refuse(link_path(i) + ".attach", link.attach);
  }
  if (const auto& end = model.end_effector; end && end->at != 1.0 && telescopes(model, end->link))
    refuse("end_effector.at", end->at);
  for (std::size_t i = 0; i < model.loops.size(); ++i)
    for (const auto& [key, place] : {std::pair("a", &model.loops[i].a), std::pair("b", &model.loops[i].b)})
      if (place->at != 1.0 && telescopes(model, place->link))
        refuse(indexed("loops", i) + "." + key + ".at", place->at);
  for (std::size_t i = 0; i < model.cylinders.size(); ++i)
    for (const auto& [key, place] :
         {std::pair("from", &model.cylinders[i].from), std::pair("to", &model.cylinders[i].to)})
      if (place->at != 1.0 && telescopes(model, place->link))
        refuse(indexed("cylinders", i) + "." + key + ".at", place->at);
  for (std::size_t i = 0; i < model.dampers.size(); ++i)
    if (const PlaceDescription& to = model.dampers[i].to; to.at != 1.0 && telescopes(model, to.link))
      refuse(indexed("dampers", i) + ".to.at", to.at);
}

}  // namespace limber
