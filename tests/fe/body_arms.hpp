// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Arms of two bars, of finite elements and of beams: twins.

#include <memory>
#include <string>

#include "bar.hpp"
#include "limber/fe/reduction.hpp"
#include "limber/model/model.hpp"

namespace limber::test {

inline BarOptions slender() {
  BarOptions o;
  o.width = 0.02;
  o.height = 0.03;
  o.elements = 24;
  return o;
}

/// With the interfaces tip, mount (half way out) and lug (a quarter), and a field of second order.
inline std::shared_ptr<const ReducedBody> slender_body() {
  static const auto body = [] {
    const Bar bar(slender());
    Mesh mesh = bar.mesh();
    for (int i = 0; i < static_cast<int>(mesh.positions.cols()); ++i)
      if (std::abs(mesh.positions(0, i) - 0.25 * slender().length) < 1e-9) mesh.sets["QUARTER"].push_back(i);
    return std::make_shared<const ReducedBody>(
        reduce(mesh, bar.matrices(),
               {"ROOT",
                {{"tip", "TIP"}, {"mount", "MIDDLE"}, {"lug", "QUARTER"}},
                8,
                ElasticMaterial{slender().E, slender().nu}}));
  }();
  return body;
}

inline LinkDescription body_link(const std::string& name) {
  LinkDescription link;
  link.name = name;
  link.joint.axis = Eigen::Vector3d::UnitY();
  link.body.emplace();
  link.body->file = "bar.h5";
  link.body->reduced = slender_body();
  return link;
}

inline LinkDescription beam_link(const std::string& name) {
  const BarOptions o = slender();
  LinkDescription link;
  link.name = name;
  link.joint.axis = Eigen::Vector3d::UnitY();
  BeamDescription& beam = link.beam.emplace();
  beam.length = o.length;
  SectionDescription& section = beam.section.emplace();
  section.shape = SectionShape::rectangle;
  section.width = o.width;
  section.height = o.height;
  section.material = MaterialDescription{o.E, {}, o.nu, o.density};
  for (const Direction direction : all_directions) beam.modes.of(direction).emplace().count = 5;
  return link;
}

inline ModelDescription arm_of(const LinkDescription& first, const LinkDescription& second) {
  ModelDescription arm;
  arm.name = "twins";
  arm.kinematics = KinematicOrder::first;
  arm.links = {first, second};
  return arm;
}

inline Model bodies() { return build_model(arm_of(body_link("boom"), body_link("fore"))); }
inline Model beams() { return build_model(arm_of(beam_link("boom"), beam_link("fore"))); }

/// Joints at these angles, links straight.
inline Eigen::VectorXd pose(const Model& model, double first, double second) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(model.nq());
  q[model.links()[0].joint.q_index] = first;
  q[model.links()[1].joint.q_index] = second;
  return q;
}

}  // namespace limber::test
