// SPDX-License-Identifier: BSD-3-Clause
// Links of finite elements with twenty modes beside beams with as many shapes.

#include <benchmark/benchmark.h>

#include <memory>
#include <random>

#include "arms.hpp"
#include "limber/algorithms/forward_dynamics.hpp"

namespace {

using namespace limber;
using limber::benchmarks::Bench;

constexpr int links = 3, modes = 20;

/// A body of masses at random places that move at random: as dense as any.
/// `stiffens`: with terms of second order, as `limber reduce --material` makes them of the eight lowest modes.
std::shared_ptr<const ReducedBody> random_body(bool stiffens) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto random = [&](Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return number(generator); });
  };
  constexpr int points = 100;
  const double mass = 3.0 / points;
  auto body = std::make_shared<ReducedBody>();
  body->mass = 3.0;
  Eigen::MatrixXd F = random(points, 3 + 3 * modes);  // x, y, z of places, then of modes
  F.col(0).array() += 1.0;
  body->moment = mass * F.colwise().sum().transpose();
  body->gram = mass * F.transpose() * F;
  body->stiffness = Eigen::VectorXd::LinSpaced(modes, 1e3, 1e6);
  body->frequencies = body->stiffness.cwiseSqrt();
  body->interfaces = {{"tip", {1.0, 0.0, 0.0}, random(3, modes), random(3, modes)}};
  if (stiffens) body->second_order = 0.01 * random(modes, 36);
  return body;
}

Model of_bodies(KinematicOrder order) {
  ModelDescription arm;
  arm.kinematics = order;
  const auto body = random_body(order == KinematicOrder::second);
  for (int i = 0; i < links; ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i);
    link.joint.axis = i % 2 == 0 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY();
    link.body = BodyDescription{"random.h5", body, {}};
    arm.links.push_back(link);
  }
  return build_model(arm);
}

Model of_beams(KinematicOrder order) {
  ModelBuilder builder("arm");
  for (int i = 0; i < links; ++i)
    builder.kinematics(order)
        .link("link" + std::to_string(i))
        .revolute(i % 2 == 0 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY())
        .beam(1.0, {.EI_y = 1e3, .EI_z = 2e3, .EA = 1e7, .mass_per_length = 3.0})
        .modes(Direction::y, 8)
        .modes(Direction::z, 8)
        .modes(Direction::axial, 4);
  return builder.build();
}

void forward(benchmark::State& state, const Model& model) {
  Bench b(model);
  for (auto _ : state) forward_dynamics(b.model, b.work, b.q, b.v, b.tau, b.result);
}

const bool registered = [] {
  using benchmark::RegisterBenchmark;
  RegisterBenchmark("forward_dynamics/twenty_modes/body_first", forward, of_bodies(KinematicOrder::first));
  RegisterBenchmark("forward_dynamics/twenty_modes/body_second", forward, of_bodies(KinematicOrder::second));
  RegisterBenchmark("forward_dynamics/twenty_modes/beam_first", forward, of_beams(KinematicOrder::first));
  RegisterBenchmark("forward_dynamics/twenty_modes/beam_second", forward, of_beams(KinematicOrder::second));
  return true;
}();

}  // namespace
