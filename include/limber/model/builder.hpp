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

#include "limber/model/model.hpp"

namespace limber {

class ModelBuilder {
 public:
  explicit ModelBuilder(std::string name) { description_.name = std::move(name); }

  ModelBuilder& gravity(const Eigen::Vector3d& gravity);
  ModelBuilder& kinematics(KinematicOrder order);
  ModelBuilder& end_effector(EndEffectorDescription end_effector);

  /// Begins a link; what follows belongs to it. `parent`: a link's name, `base`, or empty for the link
  /// before.
  ModelBuilder& link(std::string name, std::string parent = "", double attach = 1.0);
  ModelBuilder& origin(const Eigen::Vector3d& xyz, const Eigen::Vector3d& rpy = Eigen::Vector3d::Zero());
  ModelBuilder& dh(const DenavitHartenberg& dh);
  ModelBuilder& joint(JointDescription joint);
  ModelBuilder& revolute(const Eigen::Vector3d& axis, std::string name = "");
  ModelBuilder& prismatic(const Eigen::Vector3d& axis, std::string name = "");
  ModelBuilder& fixed(std::string name = "");
  ModelBuilder& root(RootDescription root);
  ModelBuilder& rigid(RigidDescription rigid);
  ModelBuilder& beam(double length, SectionDescription section);
  ModelBuilder& beam(double length, std::vector<StationDescription> stations);
  ModelBuilder& modes(Direction direction, int count, ShapeFamily shape = ShapeFamily::craig_bampton);
  ModelBuilder& modes(Direction direction, ModesDescription modes);
  ModelBuilder& damping_ratio(double ratio);
  ModelBuilder& tip(TipDescription tip);

  /// The link that was begun last. Throws InputError when there is none yet.
  LinkDescription& current_link();
  const ModelDescription& description() const { return description_; }
  Model build() const { return build_model(description_); }

 private:
  BeamDescription& current_beam();

  ModelDescription description_;
};

}  // namespace limber
