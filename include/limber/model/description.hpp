#pragma once

// An arm as a person describes it: the model file, field by field, as plain data. `build_model` (model.hpp)
// checks it and prepares a Model. The names are those of the file; SI units, radians.

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "limber/beam/field.hpp"
#include "limber/beam/mode_shapes.hpp"
#include "limber/model/joint.hpp"

namespace limber {

/// A number, or `auto`: to be found from what hangs on the tip.
struct NumberOrAuto {
  bool automatic = false;
  double value = 0.0;
};

/// Where one frame sits in another: translation, then R = Rz(yaw) Ry(pitch) Rx(roll).
struct FrameDescription {
  Eigen::Vector3d xyz = Eigen::Vector3d::Zero();
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();
};

/// Modified Denavit-Hartenberg parameters (Craig): Rx(alpha) Tx(a) Rz(theta) Tz(d), joint axis z.
struct DenavitHartenberg {
  double a = 0.0;
  double alpha = 0.0;
  double d = 0.0;
  double theta = 0.0;
};

struct JointLimits {
  std::optional<double> lower = {};
  std::optional<double> upper = {};
  std::optional<double> effort = {};
  std::optional<double> velocity = {};
};

struct JointDescription {
  std::string name = {};  ///< empty: <link>_joint
  JointType type = JointType::revolute;
  std::optional<Eigen::Vector3d> axis = {};                 ///< revolute, prismatic; default z
  std::optional<std::array<Eigen::Vector3d, 2>> axes = {};  ///< universal
  double stiffness = 0.0;
  double rest = 0.0;
  double damping = 0.0;
  double armature = 0.0;
  std::optional<JointLimits> limits = {};
};

/// A rigid piece's mass, centre of mass and inertia about it: ixx iyy izz ixy ixz iyz.
using InertiaElements = Eigen::Matrix<double, 6, 1>;

struct RootDescription {
  Eigen::Vector3d xyz = Eigen::Vector3d::Zero();
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();
  double mass = 0.0;
  Eigen::Vector3d com = Eigen::Vector3d::Zero();
  InertiaElements inertia = InertiaElements::Zero();
};

struct TipDescription {
  double mass = 0.0;
  Eigen::Vector3d com = Eigen::Vector3d::Zero();
  InertiaElements inertia = InertiaElements::Zero();
};

struct MaterialDescription {
  double E = 0.0;
  std::optional<double> G = {};
  std::optional<double> nu = {};
  double density = 0.0;
};

/// By stiffness (EI_y ... mass_per_length) or by geometry (shape ... material); rotary_inertia goes with
/// both.
struct SectionDescription {
  std::optional<double> EI_y = {};
  std::optional<double> EI_z = {};
  std::optional<double> GJ = {};
  std::optional<double> EA = {};
  std::optional<double> mass_per_length = {};
  std::optional<SectionShape> shape = {};
  std::optional<double> diameter = {};
  std::optional<double> outer_diameter = {};
  std::optional<double> width = {};
  std::optional<double> height = {};
  std::optional<double> thickness = {};
  std::optional<MaterialDescription> material = {};
  std::optional<Eigen::Vector3d> rotary_inertia = {};
};

struct StationDescription {
  double x = 0.0;
  SectionDescription section;
};

struct ModesDescription {
  ShapeFamily shape = ShapeFamily::craig_bampton;
  std::optional<ModeTable> table = {};  ///< with ShapeFamily::table
  std::optional<int> count = {};        ///< required but for a table, where it defaults to all its columns
  std::optional<NumberOrAuto> tip_mass = {};
  std::optional<NumberOrAuto> tip_static_moment = {};
  std::optional<NumberOrAuto> tip_inertia = {};
  Normalization normalize = Normalization::peak;
};

struct BeamModesDescription {
  std::optional<ModesDescription> y = {};
  std::optional<ModesDescription> z = {};
  std::optional<ModesDescription> torsion = {};
  std::optional<ModesDescription> axial = {};

  std::optional<ModesDescription>& of(Direction direction);
  const std::optional<ModesDescription>& of(Direction direction) const;
};

/// Modal damping: either `ratio`, or C = alpha M_ee + beta K.
struct DampingDescription {
  std::optional<double> ratio = {};
  std::optional<double> alpha = {};
  std::optional<double> beta = {};
};

struct BeamDescription {
  double length = 0.0;
  std::optional<SectionDescription> section = {};  ///< exactly one of section and stations
  std::vector<StationDescription> stations = {};
  BeamModesDescription modes;
  TipRotation tip_rotation = TipRotation::slope;
  std::optional<DampingDescription> damping = {};
};

struct RigidDescription {
  double mass = 0.0;
  Eigen::Vector3d com = Eigen::Vector3d::Zero();
  InertiaElements inertia = InertiaElements::Zero();
  FrameDescription tip;
};

struct LinkDescription {
  std::string name = {};
  std::string parent = {};  ///< empty: the link before it; `base`: the ground
  double attach = 1.0;
  std::optional<FrameDescription> origin = {};  ///< at most one of origin and dh
  std::optional<DenavitHartenberg> dh = {};
  JointDescription joint;
  RootDescription root;
  std::optional<BeamDescription> beam = {};  ///< exactly one of beam and rigid
  std::optional<RigidDescription> rigid = {};
  std::optional<TipDescription> tip = {};
};

struct EndEffectorDescription {
  std::string link = {};
  Eigen::Vector3d xyz = Eigen::Vector3d::Zero();
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();
};

struct ModelDescription {
  std::string name = {};
  Eigen::Vector3d gravity{0.0, 0.0, -9.81};
  KinematicOrder kinematics = KinematicOrder::second;
  std::vector<LinkDescription> links;
  std::optional<EndEffectorDescription> end_effector = {};
};

}  // namespace limber
