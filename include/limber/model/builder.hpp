// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm in C++, link by link, in the words of the model file:
//
//   const Model arm = ModelBuilder("two_link")
//                         .gravity({0, 0, -9.81})
//                         .link("boom")
//                         .revolute({0, 0, 1}, "shoulder")
//                         .beam(6.0, {.EI_y = 1e5, .EI_z = 1e5, .mass_per_length = 20.0})
//                         .modes(Direction::y, 2)
//                         .tip({.mass = 2.1})
//                         .link("forearm")
//                         ...
//                         .build();
//
// It fills a ModelDescription (description.hpp), and build() checks and prepares that as for a file. What has
// no word of its own here is reached through current_link().

#include "limber/core/export.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// Describes an arm link by link, in the words of the model file (model/description.hpp), and builds it. Every word returns the builder.
class ModelBuilder {
 public:
  /// An arm without links, called `name`.
  explicit ModelBuilder(std::string name) { description_.name = std::move(name); }

  /// Acceleration of free fall in the world's axes [m/s^2]; otherwise (0, 0, -9.81).
  ModelBuilder& gravity(const Eigen::Vector3d& gravity);
  /// Order of the deflection field; otherwise `second`.
  ModelBuilder& kinematics(KinematicOrder order);
  /// The frame of interest, in a link's tip frame; otherwise the tip of the last link.
  ModelBuilder& end_effector(EndEffectorDescription end_effector);

  /// Begins a link; what follows belongs to it. `parent`: a link's name, `base`, or empty for the link
  /// before.
  ModelBuilder& link(std::string name, std::string parent = "", double attach = 1.0);
  /// The joint frame J in the node N of the parent: xyz [m], rpy [rad].
  ModelBuilder& origin(const Eigen::Vector3d& xyz, const Eigen::Vector3d& rpy = Eigen::Vector3d::Zero());
  /// The same by Denavit-Hartenberg parameters; not with `origin`.
  ModelBuilder& dh(const DenavitHartenberg& dh);
  /// Any joint; revolute() and its kin are short for the usual ones.
  ModelBuilder& joint(JointDescription joint);
  /// Turns about `axis`, given in J. Without a name it is `<link>_joint`.
  ModelBuilder& revolute(const Eigen::Vector3d& axis, std::string name = "");
  /// Slides along `axis`, given in J.
  ModelBuilder& prismatic(const Eigen::Vector3d& axis, std::string name = "");
  /// Does not move.
  ModelBuilder& fixed(std::string name = "");
  /// The rigid piece between the joint and the root of the beam.
  ModelBuilder& root(RootDescription root);
  /// The link does not bend.
  ModelBuilder& rigid(RigidDescription rigid);
  /// The link is a uniform beam of this length [m].
  ModelBuilder& beam(double length, SectionDescription section);
  /// The link is a beam with sections at two or more places, tapered in between.
  ModelBuilder& beam(double length, std::vector<StationDescription> stations);
  /// The first `count` shapes of a family in one direction of the beam.
  ModelBuilder& modes(Direction direction, int count, ShapeFamily shape = ShapeFamily::craig_bampton);
  /// Shapes with all that a model file can say of them.
  ModelBuilder& modes(Direction direction, ModesDescription modes);
  /// Of every mode of the link's beam.
  ModelBuilder& damping_ratio(double ratio);
  /// A rigid body on the link's tip.
  ModelBuilder& tip(TipDescription tip);

  /// What closes a chain of links; of any of them, wherever it is said.
  ModelBuilder& loop(LoopDescription loop);
  /// A strut between places of any two links, wherever it is said.
  ModelBuilder& cylinder(CylinderDescription cylinder);

  /// The link that was begun last. Throws InputError when there is none yet.
  LinkDescription& current_link();
  /// What has been said so far.
  const ModelDescription& description() const { return description_; }
  /// Checks and prepares it. Throws InputError with every problem.
  Model build() const { return build_model(description_); }

 private:
  BeamDescription& current_beam();

  ModelDescription description_;
};

}  // namespace limber
