// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Instruments on an arm, as their author writes them: each kind with its keys. algorithms/measurement.hpp computes what they show.
//
// A new kind is a struct and its describe() here, its name in SensorKind, its rules in src/model/check_sensors.cpp and its formula in
// src/algorithms/measurement.cpp. Schema, reference, messages about keys, recording, figures and linear models follow.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/model.hpp"
#include "limber/model/variant_block.hpp"

namespace limber LIMBER_EXPORT {

/// About which axis of its root frame a beam's curvature is taken; x: its twist.
enum class CurvatureAxis { x, y, z };
/// What a coordinate of a point is compared with: the world's origin, or the same point of the arm whose links do not bend.
enum class PointReference { world, rigid };
/// A force or a moment of a joint's wrench.
enum class WrenchComponent { fx, fy, fz, mx, my, mz };

namespace sensors {

/// A place on a link.
struct Place {
  std::string link = {};                             ///< its name
  double at = 1.0;                                   ///< fraction of its beam; 1 on rigid links
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< from there, in the section's axes [m]
  std::string interface = {};  ///< `at` by name: of an interface of its body; empty: a fraction
};

struct Position {
  static constexpr const char* type = "position";
  static constexpr const char* meaning = "A joint's position, as q has it.";
  std::string joint = {};  ///< a joint with one coordinate, or one coordinate of it: `wrist.2`
};

struct Velocity {
  static constexpr const char* type = "velocity";
  static constexpr const char* meaning = "A joint's velocity, as v has it.";
  std::string joint = {};  ///< as for Position
};

struct Acceleration {
  static constexpr const char* type = "acceleration";
  static constexpr const char* meaning = "The rate of a joint's velocity.";
  std::string joint = {};  ///< as for Position
};

struct Effort {
  static constexpr const char* type = "effort";
  static constexpr const char* meaning =
      "What a joint's motor gives: its torque or force, after limits; of a prescribed joint what moves it.";
  std::string joint = {};  ///< as for Position
};

struct Strain {
  static constexpr const char* type = "strain";
  static constexpr const char* meaning =
      "Axial strain u' - y v'' - z w'' of a fibre of a beam, at (y, z) of its section.";
  std::string link = {};                             ///< a beam
  double at = not_given;                             ///< fraction of the beam
  Eigen::Vector2d offset = Eigen::Vector2d::Zero();  ///< (y, z) of the fibre [m]
};

struct Curvature {
  static constexpr const char* type = "curvature";
  static constexpr const char* meaning =
      "Curvature of a beam: kappa_y = -w'', kappa_z = v'', or x: its twist a'.";
  std::string link = {};                  ///< a beam
  double at = not_given;                  ///< fraction of the beam
  CurvatureAxis axis = CurvatureAxis::z;  ///< about which
};

struct Accelerometer {
  static constexpr const char* type = "accelerometer";
  static constexpr const char* meaning =
      "Acceleration of a point along an axis of the deformed section; less that of free fall with `gravity`.";
  Place place = {};  ///< where it sits
  Eigen::Vector3d axis =
      Eigen::Vector3d::Constant(not_given);  ///< in the section's axes; its length does not matter
  bool gravity = true;                       ///< shows the specific force a - g, as real ones do
};

struct Gyroscope {
  static constexpr const char* type = "gyroscope";
  static constexpr const char* meaning = "Angular velocity about an axis of the deformed section.";
  std::string link = {};  ///< its name
  double at = 1.0;        ///< fraction of its beam; 1 on rigid links
  Eigen::Vector3d axis =
      Eigen::Vector3d::Constant(not_given);  ///< in the section's axes; its length does not matter
  std::string interface = {};                ///< `at` by name: of an interface of its body; empty: a fraction
};

struct Point {
  static constexpr const char* type = "point";
  static constexpr const char* meaning = "Where a point is along an axis of the world.";
  Place place = {};                                             ///< which point
  Eigen::Vector3d axis = Eigen::Vector3d::Constant(not_given);  ///< of the world; its length does not matter
  PointReference relative = PointReference::world;              ///< what it is compared with
};

struct Wrench {
  static constexpr const char* type = "wrench";
  static constexpr const char* meaning =
      "A force or moment in a joint: by the parent on the link, about the origin of B, in its axes.";
  std::string joint = {};                           ///< any joint, fixed ones too
  WrenchComponent component = WrenchComponent::fx;  ///< which
};

}  // namespace sensors

/// What an instrument measures, and where.
using SensorKind = std::variant<sensors::Position, sensors::Velocity, sensors::Acceleration, sensors::Effort,
                                sensors::Strain, sensors::Curvature, sensors::Accelerometer,
                                sensors::Gyroscope, sensors::Point, sensors::Wrench>;

/// An instrument on the arm. Without the numbers below `kind` it shows what is there, always and at once.
struct SensorDescription {
  std::string name = {};            ///< unique, and no name of a coordinate
  SensorKind kind = {};             ///< what it measures
  std::optional<double> rate = {};  ///< samples per second, held in between; none: whenever somebody looks
  double delay = 0.0;               ///< from a sample to when it can be seen [s]
  double noise = 0.0;               ///< standard deviation, in the sensor's unit
  double quantum = 0.0;             ///< readings are whole multiples of it; 0: any number
  int seed = 0;                     ///< of the noise: another one, other noise

  /// Whether readings differ from what is there.
  bool is_ideal() const { return !rate && delay == 0.0 && noise == 0.0 && quantum == 0.0; }
};

/// Everything that is wrong with sensors for this arm: names, places, links that cannot strain. `path` is that of the list.
std::vector<Problem> check_sensors(const std::vector<SensorDescription>& sensors, const Model& model,
                                   const std::string& path = "sensors");

/// "m/s^2"; empty for numbers without a unit. For sensors that check_sensors() finds nothing wrong with.
std::string unit_of(const SensorDescription& sensor, const Model& model);

/// The index in v of what a sensor of a joint looks at; -1 where the name means none, or several. `joint`, or `joint.2`; of a joint with an
/// elastic gear `joint` is the link's side, `joint.motor` the motor.
int sensed_coordinate(const Model& model, const std::string& joint);
/// The same of its effort, which acts on the motor where it sits behind an elastic gear.
int sensed_effort(const Model& model, const std::string& joint);
/// The same in q, where joints with a quaternion have more numbers.
int sensed_position(const Model& model, const std::string& joint);

}  // namespace limber

// Their keys, for what reads, checks and documents files. Programs need the types alone, and C++17 for them.
#if __cplusplus >= 202002L

#include "limber/model/description_fields.hpp"

namespace limber LIMBER_EXPORT {

template <>
inline constexpr auto choices<CurvatureAxis> = std::to_array<Choice<CurvatureAxis>>({
    {CurvatureAxis::x, "x"},
    {CurvatureAxis::y, "y"},
    {CurvatureAxis::z, "z"},
});

template <>
inline constexpr auto choices<PointReference> = std::to_array<Choice<PointReference>>({
    {PointReference::world, "world"},
    {PointReference::rigid, "rigid"},
});

template <>
inline constexpr auto choices<WrenchComponent> = std::to_array<Choice<WrenchComponent>>({
    {WrenchComponent::fx, "fx"},
    {WrenchComponent::fy, "fy"},
    {WrenchComponent::fz, "fz"},
    {WrenchComponent::mx, "mx"},
    {WrenchComponent::my, "my"},
    {WrenchComponent::mz, "mz"},
});

namespace sensors {

template <typename Visitor>
void describe_joint(Visitor& v, auto& joint) {
  v.field({.key = "joint",
           .meaning = "a joint with one coordinate, or one of its coordinates (`wrist.2`)",
           .required = true,
           .text = TextRule::reference},
          joint);
}

template <typename Visitor>
void describe_link(Visitor& v, auto& link) {
  v.field({.key = "link", .meaning = "on which link", .required = true, .text = TextRule::reference}, link);
}

template <typename Visitor>
void describe_place(Visitor& v, auto& link, auto& at, auto& interface) {
  describe_link(v, link);
  v.place(
      {.key = "at",
       .meaning = "where, as fraction of its beam (1 on rigid links), or an interface of its body by name",
       .range = {0.0, 1.0}},
      at, interface);
}

template <typename Visitor>
void describe_fibre(Visitor& v, auto& link, auto& at) {
  describe_link(v, link);
  v.field({.key = "at", .meaning = "where, as fraction of its beam", .required = true, .range = {0.0, 1.0}},
          at);
}

template <typename Visitor>
void describe_offset(Visitor& v, auto& offset) {
  v.field({.key = "offset", .meaning = "from `at`, in the section's axes", .unit = "m"}, offset);
}

template <typename Visitor>
void describe_axis(Visitor& v, const char* meaning, auto& axis) {
  v.field({.key = "axis", .meaning = meaning, .required = true, .example = "[0, 0, 1]"}, axis);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Position> auto& sensor) {
  describe_joint(v, sensor.joint);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Velocity> auto& sensor) {
  describe_joint(v, sensor.joint);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Acceleration> auto& sensor) {
  describe_joint(v, sensor.joint);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Effort> auto& sensor) {
  describe_joint(v, sensor.joint);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Strain> auto& sensor) {
  describe_fibre(v, sensor.link, sensor.at);
  v.field({.key = "offset",
           .meaning = "(y, z) of the fibre: distances from the beam's axis, in the section's axes",
           .unit = "m"},
          sensor.offset);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Curvature> auto& sensor) {
  describe_fibre(v, sensor.link, sensor.at);
  v.field({.key = "axis", .meaning = "about which axis of the section; x: twist"}, sensor.axis);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Accelerometer> auto& sensor) {
  describe_place(v, sensor.place.link, sensor.place.at, sensor.place.interface);
  describe_offset(v, sensor.place.offset);
  describe_axis(v, "its direction in the axes of the deformed section", sensor.axis);
  v.field(
      {.key = "gravity",
       .meaning = "shows the specific force a - g, as real accelerometers do: at rest +9.81 along an axis "
                  "that points up"},
      sensor.gravity);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Gyroscope> auto& sensor) {
  describe_place(v, sensor.link, sensor.at, sensor.interface);
  describe_axis(v, "its direction in the axes of the deformed section", sensor.axis);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Point> auto& sensor) {
  describe_place(v, sensor.place.link, sensor.place.at, sensor.place.interface);
  describe_offset(v, sensor.place.offset);
  describe_axis(v, "of the world", sensor.axis);
  v.field(
      {.key = "relative",
       .meaning = "`rigid`: minus where the point of the arm would be whose links do not bend, its joints "
                  "as they are"},
      sensor.relative);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Wrench> auto& sensor) {
  v.field({.key = "joint",
           .meaning = "in which joint, fixed ones too",
           .required = true,
           .text = TextRule::reference},
          sensor.joint);
  v.field({.key = "component",
           .meaning = "force or moment, in the axes of the link's body frame B",
           .required = true},
          sensor.component);
}

}  // namespace sensors

template <typename Visitor>
void describe(Visitor& v, Maybe<SensorDescription> auto& sensor) {
  v.block("sensor",
          "An instrument on the arm. Without `rate`, `delay`, `noise` and `quantum` it shows what is there, "
          "always and at "
          "once.");
  v.field({.key = "name",
           .meaning = "unique among the sensors, and no name of a coordinate",
           .required = true,
           .text = TextRule::name},
          sensor.name);
  v.field({.key = "rate",
           .meaning = "samples per second, each held until the next",
           .unit = "1/s",
           .range = positive,
           .otherwise = "whenever somebody looks"},
          sensor.rate);
  v.field({.key = "delay",
           .meaning = "from a sample to when it can be seen; 0, or at least the time between two samples",
           .unit = "s",
           .range = non_negative},
          sensor.delay);
  v.field({.key = "noise",
           .meaning = "standard deviation of what is added to each sample, in the sensor's unit",
           .range = non_negative},
          sensor.noise);
  v.field({.key = "quantum",
           .meaning = "readings are whole multiples of it",
           .range = non_negative,
           .otherwise = "0: any number"},
          sensor.quantum);
  v.field({.key = "seed",
           .meaning = "of the noise: with another one it is another",
           .range = {0.0, 2147483647.0}},
          sensor.seed);
  v.variant({.key = "type", .meaning = "what it measures", .required = true}, sensor.kind);
}

}  // namespace limber

#endif
