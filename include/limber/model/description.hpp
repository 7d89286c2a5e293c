// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm as a person describes it: the model file, field by field, as plain data. `build_model` (model.hpp)
// checks it and prepares a Model. The names are those of the file; SI units, radians.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/beam/field.hpp"
#include "limber/beam/mode_shapes.hpp"
#include "limber/beam/reduced_body.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/joint.hpp"
#include "limber/model/visuals.hpp"

namespace limber LIMBER_EXPORT {

/// A number, or `auto`: to be found from what hangs on the tip.
struct NumberOrAuto {
  bool automatic = false;  ///< found when the model is built
  double value = 0.0;      ///< else this
};

/// Where one frame sits in another: translation, then R = Rz(yaw) Ry(pitch) Rx(roll).
struct FrameDescription {
  Eigen::Vector3d xyz = Eigen::Vector3d::Zero();  ///< translation [m]
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();  ///< roll, pitch, yaw [rad]
};

/// Modified Denavit-Hartenberg parameters (Craig): Rx(alpha) Tx(a) Rz(theta) Tz(d), joint axis z.
struct DenavitHartenberg {
  double a = 0.0;      ///< translation along x [m]
  double alpha = 0.0;  ///< rotation about x [rad]
  double d = 0.0;      ///< translation along z [m]
  double theta = 0.0;  ///< rotation about z [rad]
};

/// What a joint can do; without a number, there is no such limit.
struct JointLimits {
  std::optional<double> lower = {};     ///< smallest position [rad or m]
  std::optional<double> upper = {};     ///< largest position [rad or m]
  std::optional<double> effort = {};    ///< largest torque or force [N m or N]
  std::optional<double> velocity = {};  ///< largest speed [rad/s or m/s]
  /// Of the stops at `lower` and `upper` (model/stops.hpp) [N m/rad or N/m]; none: a limit is watched only.
  std::optional<double> stop_stiffness = {};
  double stop_damping = 0.0;  ///< of the stops [N m s/rad or N s/m]
};

/// A motor behind a gear (docs/drives.md). All but `ratio` and `rotor_inertia` is counted at the joint's side of the gear.
struct DriveDescription {
  double ratio = 1.0;          ///< turns of the motor for one of the joint [1; prismatic: rad/m]
  double rotor_inertia = 0.0;  ///< about the motor's own axis [kg m^2]
  /// Of the gear [N m/rad or N/m]; none: a rigid gear, and ratio^2 rotor_inertia is armature.
  std::optional<double> stiffness = {};
  double damping = 0.0;  ///< of the gear [N m s/rad or N s/m]
};

/// Friction of a joint, against what its efforts move: its own coordinate, or its motor's behind an elastic gear (docs/friction.md). All is counted
/// at the joint's side of a gear.
struct FrictionDescription {
  double coulomb = 0.0;                        ///< dry friction while it slips [N m or N]
  std::optional<double> static_friction = {};  ///< what holds at rest; none: `coulomb` [N m or N]
  std::optional<double> stribeck_velocity =
      {};                ///< how fast it falls from static to coulomb; none: at once [rad/s or m/s]
  double viscous = 0.0;  ///< in proportion to the rate [N m s/rad or N s/m]
  std::optional<double> transition_velocity =
      {};  ///< of the smooth law; none: it sticks and slips exactly [rad/s or m/s]
};

/// How a link moves on its parent.
struct JointDescription {
  std::string name = {};                                    ///< empty: `<link>_joint`
  JointType type = JointType::revolute;                     ///< which kind
  std::optional<Eigen::Vector3d> axis = {};                 ///< of kinds with one axis; default z
  std::optional<std::array<Eigen::Vector3d, 2>> axes = {};  ///< of kinds with two
  std::optional<double> pitch = {};                         ///< of a screw joint [m/rad]
  bool telescoping = false;  ///< of a prismatic joint: it pulls the link's beam through a guide at J
  double stiffness = 0.0;    ///< of a spring about `rest` [N m/rad or N/m]
  double rest = 0.0;         ///< where the spring is at ease [rad or m]
  double damping = 0.0;      ///< viscous friction [N m s/rad or N s/m]
  double armature = 0.0;     ///< rotor inertia as the joint feels it [kg m^2 or kg]
  std::optional<JointLimits> limits = {};            ///< none: there are none
  std::optional<DriveDescription> drive = {};        ///< none: the effort acts on the joint itself
  std::optional<FrictionDescription> friction = {};  ///< none: viscous `damping` at most
};

/// A rigid piece's mass, centre of mass and inertia about it: ixx iyy izz ixy ixz iyz.
using InertiaElements = Eigen::Matrix<double, 6, 1>;

/// Rigid piece from the joint's moving frame B to the root frame R of the beam (or rigid link): hub, motor, offset.
struct RootDescription {
  Eigen::Vector3d xyz = Eigen::Vector3d::Zero();      ///< p_BR [m]
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();      ///< R_BR as roll, pitch, yaw [rad]
  double mass = 0.0;                                  ///< [kg]
  Eigen::Vector3d com = Eigen::Vector3d::Zero();      ///< centre of mass in B [m]
  InertiaElements inertia = InertiaElements::Zero();  ///< about it, in B's axes [kg m^2]
};

/// Rigid body on a link's tip: a payload, the motor of the next joint.
struct TipDescription {
  double mass = 0.0;                                  ///< [kg]
  Eigen::Vector3d com = Eigen::Vector3d::Zero();      ///< centre of mass in the tip frame [m]
  InertiaElements inertia = InertiaElements::Zero();  ///< about it, in the tip's axes [kg m^2]
};

/// Isotropic, linearly elastic. Exactly one of G and nu.
struct MaterialDescription {
  double E = 0.0;                 ///< Young's modulus [Pa]
  std::optional<double> G = {};   ///< shear modulus [Pa]
  std::optional<double> nu = {};  ///< Poisson's ratio: G = E / (2 (1 + nu))
  double density = 0.0;           ///< [kg/m^3]
};

/// By stiffness (EI_y ... mass_per_length) or by geometry (shape ... material); rotary_inertia goes with
/// both.
struct SectionDescription {
  std::optional<double> EI_y = {};                   ///< bending about y: deflection along z [N m^2]
  std::optional<double> EI_z = {};                   ///< bending about z: deflection along y [N m^2]
  std::optional<double> GJ = {};                     ///< torsion [N m^2]
  std::optional<double> EA = {};                     ///< stretching [N]
  std::optional<double> mass_per_length = {};        ///< [kg/m]
  std::optional<double> kGA_y = {};                  ///< shear along y; none: it does not shear [N]
  std::optional<double> kGA_z = {};                  ///< shear along z; likewise [N]
  std::optional<SectionShape> shape = {};            ///< outline; which of the sizes below it has
  std::optional<double> diameter = {};               ///< of a rod [m]
  std::optional<double> outer_diameter = {};         ///< of a tube [m]
  std::optional<double> width = {};                  ///< along y, of a rectangle or box [m]
  std::optional<double> height = {};                 ///< along z, of a rectangle or box [m]
  std::optional<double> thickness = {};              ///< of the wall of a tube or box [m]
  std::optional<MaterialDescription> material = {};  ///< of a section by geometry
  bool shear = false;                                ///< by geometry: whether it shears, by Cowper's factors
  /// Mass moment of inertia per length about x, y, z, at the centre of mass [kg m]; none: zero, or what geometry gives.
  std::optional<Eigen::Vector3d> rotary_inertia = {};
  Eigen::Vector2d center_of_mass = Eigen::Vector2d::Zero();  ///< of the mass, y and z from the axis [m]
  /// About which it twists, y and z from the axis [m]; with a section by stiffness.
  Eigen::Vector2d shear_center = Eigen::Vector2d::Zero();
};

/// The section at one place of a tapered, bent or twisted beam.
struct StationDescription {
  double x = 0.0;  ///< along the axis from the beam's root [m]: ascending, first 0, last its length
  SectionDescription section;  ///< right there
  /// Its axes in those of the beam's root, as roll, pitch, yaw [rad]; from one station to the next they turn evenly (docs/curved-beams.md).
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();
};

/// An axis that is an arc of a circle.
struct CurveDescription {
  double radius = 0.0;                              ///< [m]
  double angle = 0.0;                               ///< by which the axis has turned at the tip [rad]
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< about which, in R: across its x
};

/// The shapes of one direction.
struct ModesDescription {
  ShapeFamily shape = ShapeFamily::craig_bampton;  ///< which family
  std::optional<ModeTable> table = {};             ///< with ShapeFamily::table
  std::optional<int> count = {};  ///< required but for a table, where it defaults to all its columns
  /// Imagined on the tip by `clamped-mass` and `finite-element` shapes [kg].
  std::optional<NumberOrAuto> tip_mass = {};
  /// `tip_mass` times the distance of its com ahead of the tip [kg m].
  std::optional<NumberOrAuto> tip_static_moment = {};
  std::optional<NumberOrAuto> tip_inertia = {};   ///< about the tip; for torsion the polar one [kg m^2]
  Normalization normalize = Normalization::peak;  ///< what makes their size
};

/// The directions in which a beam deforms; in those without shapes it is rigid.
struct BeamModesDescription {
  std::optional<ModesDescription> y = {};        ///< deflection along y: EI_z
  std::optional<ModesDescription> z = {};        ///< deflection along z: EI_y
  std::optional<ModesDescription> torsion = {};  ///< rotation about x: GJ
  std::optional<ModesDescription> axial = {};    ///< stretching along x: EA

  /// Those of a direction.
  std::optional<ModesDescription>& of(Direction direction);
  /// Those of a direction.
  const std::optional<ModesDescription>& of(Direction direction) const;
};

/// Modal damping: one of `ratio`, `loss_factor`, and D = alpha M_ee + beta K.
struct DampingDescription {
  std::optional<double> ratio = {};  ///< damping ratio of every mode of the link
  std::optional<double> alpha = {};  ///< share of the mass matrix [1/s]
  std::optional<double> beta = {};   ///< share of the stiffness matrix [s]
  /// Of the material, as it is measured: every mode gets half of it as its ratio.
  std::optional<double> loss_factor = {};

  /// `ratio`, or half of `loss_factor`; none: by alpha and beta.
  std::optional<double> modal_ratio() const;
};

/// How many cycles of a stress range a material endures: N = cycles (stress / range)^slope (docs/stress.md).
struct SnCurveDescription {
  double stress = 0.0;  ///< a range of stress, from trough to crest [Pa]
  double cycles = 2e6;  ///< how many of it are endured
  double slope = 3.0;   ///< of the line in logarithms
};

/// A link that bends: a beam along +x of R.
struct BeamDescription {
  double length = 0.0;                             ///< along the axis [m]; 0 with `curve`: radius times angle
  std::optional<SectionDescription> section = {};  ///< exactly one of section and stations
  std::vector<StationDescription> stations = {};   ///< of a tapered beam, two or more
  BeamModesDescription modes;                      ///< how it deforms
  std::optional<CurveDescription> curve = {};      ///< none: straight, or as the stations' rpy say
  /// Cut into so many beams of equal length, each with a floating frame and `modes` of its own; none: one beam.
  std::optional<int> segments = {};
  TipRotation tip_rotation = TipRotation::slope;   ///< how far its tip turns
  std::optional<DampingDescription> damping = {};  ///< none: undamped
  std::optional<double> strength = {};  ///< von Mises stress that it bears [Pa]; sections by geometry
  std::optional<SnCurveDescription> sn_curve = {};  ///< fatigue of its root; sections by geometry

  /// Along the axis [m].
  double axis_length() const;
  /// Whether its axis is bent, or its sections turn along it.
  bool is_bent() const;
  /// By how much its sections turn from root to tip, all turns counted [rad].
  double turn() const;
  /// How many beams it is computed as: `segments`; none of a bent one: one for each 11.25 deg of turn.
  int segment_count() const;
};

/// A link of any shape, reduced from finite elements (docs/finite-elements.md): its root interface sits at R, with the mesh's axes.
struct BodyDescription {
  std::string file = {};                            ///< made by `limber reduce`
  std::shared_ptr<const ReducedBody> reduced = {};  ///< what the file holds
  std::optional<DampingDescription> damping = {};   ///< none: undamped
};

/// A link that does not bend.
struct RigidDescription {
  double mass = 0.0;                                  ///< [kg]
  Eigen::Vector3d com = Eigen::Vector3d::Zero();      ///< centre of mass in R [m]
  InertiaElements inertia = InertiaElements::Zero();  ///< about it, in R's axes [kg m^2]
  FrameDescription tip;                               ///< where children and payload sit, in R
};

/// A body of the arm with the joint that carries it.
struct LinkDescription {
  std::string name = {};    ///< unique; not `base`
  std::string parent = {};  ///< empty: the link before it; `base`: the ground
  /// Where on the parent, as fraction of its beam; 1 (the tip) on rigid links and on the ground.
  double attach = 1.0;
  std::string interface = {};  ///< `attach` by name: of an interface of the parent's body; empty: a fraction
  std::optional<FrameDescription> origin = {};  ///< at most one of origin and dh
  std::optional<DenavitHartenberg> dh = {};     ///< J by Denavit-Hartenberg parameters
  JointDescription joint;                       ///< how it moves on its parent
  RootDescription root;                         ///< rigid piece between joint and beam
  std::optional<BeamDescription> beam = {};     ///< exactly one of beam, body and rigid
  std::optional<BodyDescription> body = {};     ///< a link of any shape that bends
  std::optional<RigidDescription> rigid = {};   ///< a link that does not bend
  std::optional<TipDescription> tip = {};       ///< none: nothing sits there
  std::vector<VisualDescription> visuals = {};  ///< how it is drawn, in R; none: as what it is computed of
};

/// A frame on a link, in its tip frame or that of another section: where it is, its Jacobian and its motion are reported.
struct EndEffectorDescription {
  std::string link = {};                          ///< its name
  Eigen::Vector3d xyz = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();  ///< roll, pitch, yaw [rad]
  double at = 1.0;                                ///< where, as fraction of its beam; 1 on rigid links
  std::string interface = {};  ///< `at` by name: of an interface of its body; empty: a fraction
};

/// A place on a link, or on the ground: a frame in its tip frame or that of another section.
struct PlaceDescription {
  std::string link = {};       ///< its name, or `base`
  double at = 1.0;             ///< where, as fraction of its beam; 1 on rigid links
  std::string interface = {};  ///< `at` by name: of an interface of its body; empty: a fraction
  Eigen::Vector3d xyz = Eigen::Vector3d::Zero();  ///< [m]; of `base` in the world
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();  ///< roll, pitch, yaw [rad]
};

/// What two places that coincide leave free.
enum class LoopType {
  revolute,      ///< a turn about one axis
  spherical,     ///< all turns
  fixed,         ///< nothing
  point_on_line  ///< all turns, and the way along one axis
};

/// What closes a chain: two places that coincide (docs/loops.md).
struct LoopDescription {
  std::string name = {};                     ///< unique among the loops; empty: `loop1`, `loop2`, ...
  LoopType type = LoopType::revolute;        ///< what stays free
  std::optional<Eigen::Vector3d> axis = {};  ///< of types with one, in a's frame; default z
  PlaceDescription a;                        ///< one place
  PlaceDescription b;                        ///< the other
};

/// How long a cylinder may be, and what it can do.
struct CylinderLimits {
  std::optional<double> lower = {};   ///< shortest length [m]
  std::optional<double> upper = {};   ///< longest [m]
  std::optional<double> effort = {};  ///< largest force of its drive [N]
  std::optional<double> stop_stiffness =
      {};                     ///< of the stops at `lower` and `upper` [N/m]; none: a limit is watched only
  double stop_damping = 0.0;  ///< of the stops [N s/m]
};

/// Oil in the two chambers of a cylinder, and the valve that lets it in and out (docs/cylinders.md).
struct HydraulicsDescription {
  double bore = 0.0;          ///< diameter of the piston [m]
  double rod = 0.0;           ///< diameter of the rod [m]
  double bulk_modulus = 0.0;  ///< of the oil [Pa]
  double volume = 0.0;        ///< of oil in each chamber besides what the piston sweeps [m^3]
  double supply = 0.0;        ///< pressure of the pump [Pa]
  double tank = 0.0;          ///< pressure of the return [Pa]
  double flow_gain = 0.0;  ///< of the open valve: flow per root of a pressure difference [m^3/(s Pa^(1/2))]
  std::optional<Eigen::Vector2d> pressures = {};  ///< at the start, a and b; none: those that hold [Pa]
};

/// A strut without mass between two places: a force along their line (docs/cylinders.md).
struct CylinderDescription {
  std::string name = {};                                 ///< unique among cylinders, joints, links and loops
  PlaceDescription from;                                 ///< one eye
  PlaceDescription to;                                   ///< the other, on another link
  double stiffness = 0.0;                                ///< of its spring [N/m]; 0: none, its drive holds it
  double rest = 0.0;                                     ///< length at which the spring is at ease [m]
  double damping = 0.0;                                  ///< [N s/m]
  std::optional<CylinderLimits> limits = {};             ///< none: there are none
  std::optional<HydraulicsDescription> hydraulics = {};  ///< none: its drive gives a force
};

/// A damper at a point of a link against the ground, along a fixed direction of the world (docs/cylinders.md).
struct DamperDescription {
  std::string name = {};  ///< unique among dampers, cylinders, joints, links and loops
  PlaceDescription to;    ///< the point
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< in the world's axes: along which it acts
  double damping = 0.0;                             ///< force against the point's velocity along it [N s/m]
};

/// A model file.
struct ModelDescription {
  std::string name = {};                     ///< of the arm
  Eigen::Vector3d gravity{0.0, 0.0, -9.81};  ///< acceleration of free fall in the world's axes [m/s^2]
  /// Order of the deflection field; `second` has geometric stiffening.
  KinematicOrder kinematics = KinematicOrder::second;
  std::vector<LinkDescription> links;                       ///< parents before children
  std::optional<EndEffectorDescription> end_effector = {};  ///< none: the tip of the last link
  std::vector<VisualDescription> visuals = {};              ///< what stands still around it, in the world
  std::vector<LoopDescription> loops = {};                  ///< what closes chains
  std::vector<CylinderDescription> cylinders = {};          ///< struts between places
  std::vector<DamperDescription> dampers = {};              ///< at points of links, against the ground
};

}  // namespace limber
