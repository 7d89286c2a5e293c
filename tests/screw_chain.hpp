// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Chains that both the literal dual screws of tests/reference and Limber know.

#include <random>
#include <vector>

#include "limber/math/rotation.hpp"
#include "limber/model/description.hpp"
#include "reference/dual_screws.hpp"

namespace limber {

/// A chain as the literal implementation and as Limber see it.
struct ScrewChain {
  std::vector<reference::ScrewLink> screws;
  ModelDescription description;
};

inline ScrewChain random_screw_chain(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto vector = [&](double size) -> Eigen::Vector3d {
    return size * Eigen::Vector3d(number(random), number(random), number(random));
  };
  ScrewChain chain;
  chain.description.name = "chain";
  chain.description.kinematics = KinematicOrder::first;
  chain.description.gravity = vector(9.0);
  const int links = 2 + static_cast<int>(seed % 4);
  for (int i = 0; i < links; ++i) {
    reference::ScrewLink screw;
    LinkDescription link;
    link.name = "link" + std::to_string(i);
    const Eigen::Vector3d rpy = vector(1.5);
    screw.R = rotation_from_rpy(rpy);
    screw.p = vector(0.4);
    link.origin = {screw.p, rpy};
    link.joint.axis = Eigen::Vector3d::UnitZ();
    if ((seed + static_cast<unsigned>(i)) % 3 == 0) {
      screw.mass = 2.0 + number(random);
      screw.com = vector(0.3);
      screw.inertia = Eigen::Vector3d(0.3, 0.4, 0.5).asDiagonal();
      screw.end = vector(0.8);
      link.rigid.emplace();
      link.rigid->mass = screw.mass;
      link.rigid->com = screw.com;
      link.rigid->inertia << 0.3, 0.4, 0.5, 0.0, 0.0, 0.0;
      link.rigid->tip.xyz = screw.end;
    } else {
      screw.length = 1.5 + 0.5 * number(random);
      screw.mass_per_length = 2.0 + number(random);
      screw.rotary_inertia = {0.03, 0.01, 0.02};
      using Kind = reference::ScrewShape::Kind;
      screw.shapes = {{Kind::y, 2}, {Kind::y, 3}, {Kind::z, 2}, {Kind::torsion, 1}, {Kind::torsion, 2}};
      link.beam.emplace();
      link.beam->length = screw.length;
      link.beam->section.emplace();
      link.beam->section->EI_y = link.beam->section->EI_z = link.beam->section->GJ = 100.0;
      link.beam->section->mass_per_length = screw.mass_per_length;
      link.beam->section->rotary_inertia = screw.rotary_inertia;
      const auto modes = [](int count) {
        ModesDescription made;
        made.shape = ShapeFamily::polynomial;
        made.count = count;
        return made;
      };
      link.beam->modes = {modes(2), modes(1), modes(2), {}};
    }
    chain.screws.push_back(screw);
    chain.description.links.push_back(link);
  }
  return chain;
}

}  // namespace limber
