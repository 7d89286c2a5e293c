// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Arms and states of the benchmarks.

#include <Eigen/Core>
#include <cmath>
#include <string>

#include "limber/algorithms/workspace.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"

namespace limber::benchmarks {

/// Links of 1 m that bend sidewise, with alternating joint axes.
inline Model flexible_chain(int links, int modes) {
  ModelBuilder builder("chain");
  for (int i = 0; i < links; ++i)
    builder.kinematics(KinematicOrder::first)
        .link("link" + std::to_string(i))
        .revolute(i % 2 == 0 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY())
        .beam(1.0, {.EI_z = 2e3, .mass_per_length = 3.0})
        .modes(Direction::y, modes);
  return builder.build();
}

/// Rigid links of 1 m, with alternating joint axes.
inline Model rigid_chain(int links) {
  RigidDescription rod;
  rod.mass = 3.0;
  rod.com = {0.5, 0.0, 0.0};
  rod.inertia << 0.01, 0.25, 0.25, 0.0, 0.0, 0.0;
  rod.tip.xyz = {1.0, 0.0, 0.0};
  ModelBuilder builder("chain");
  for (int i = 0; i < links; ++i)
    builder.link("link" + std::to_string(i))
        .revolute(i % 2 == 0 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY())
        .rigid(rod);
  return builder.build();
}

/// Links of 1 m that bend in both planes.
inline Model bending_chain(int links, int modes_per_plane) {
  ModelBuilder builder("chain");
  for (int i = 0; i < links; ++i)
    builder.kinematics(KinematicOrder::first)
        .link("link" + std::to_string(i))
        .revolute(i % 2 == 0 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY())
        .beam(1.0, {.EI_y = 1e3, .EI_z = 2e3, .mass_per_length = 3.0})
        .modes(Direction::y, modes_per_plane)
        .modes(Direction::z, modes_per_plane);
  return builder.build();
}

/// Three links with two modes per plane and one torsion mode each, of either order.
inline Model twisting_arm(KinematicOrder order) {
  ModelBuilder builder("arm");
  TipDescription motor;
  motor.mass = 2.0;
  motor.inertia << 0.02, 0.02, 0.02, 0.0, 0.0, 0.0;
  for (int i = 0; i < 3; ++i)
    builder.kinematics(order)
        .link("link" + std::to_string(i))
        .revolute(Eigen::Vector3d::UnitZ())
        .beam(2.0, {.EI_y = 1e4, .EI_z = 2e4, .GJ = 5e3, .mass_per_length = 3.0})
        .modes(Direction::y, 2)
        .modes(Direction::z, 2)
        .modes(Direction::torsion, 1)
        .tip(motor);
  return builder.build();
}

inline Model canadarm(const std::string& variant) {
  return read_model(std::string(LIMBER_MODELS_DIR) + "/canadarm/canadarm" + variant + ".yaml");
}

/// A workspace, a state, and room for results.
struct Bench {
  explicit Bench(const Model& arm, Kernels kernels = Kernels::fixed)
      : model(arm),
        work(model, kernels),
        q(model.nq()),
        v(model.nv()),
        tau(Eigen::VectorXd::Constant(model.nv(), 0.3)),
        qdd(Eigen::VectorXd::Constant(model.nv(), 0.2)),
        result(model.nv()),
        M(model.nv(), model.nv()) {
    for (int i = 0; i < model.nq(); ++i) q[i] = 0.01 * std::sin(3.0 * i);
    for (int i = 0; i < model.nv(); ++i) v[i] = 0.1 * std::cos(2.0 * i);
  }
  Model model;
  Workspace<double> work;
  Eigen::VectorXd q, v, tau, qdd, result;
  Eigen::MatrixXd M;
};

}  // namespace limber::benchmarks
