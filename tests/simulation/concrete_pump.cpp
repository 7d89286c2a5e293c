// SPDX-License-Identifier: BSD-3-Clause
// The shipped concrete pump with stiff sections: what its cylinders push, by virtual work in the plane of the boom, each linkage as the intersection of two circles.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "four_bar.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/io/model_file.hpp"
#include "simulation/runs.hpp"

namespace limber {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

using Angles = std::array<double, 4>;  // shoulder and elbows
constexpr std::array<double, 4> lengths = {8.4, 7.6, 7.6, 8.0};

Vector2d turned(double angle, Vector2d p) {
  return {std::cos(angle) * p.x() - std::sin(angle) * p.y(),
          std::sin(angle) * p.x() + std::cos(angle) * p.y()};
}

// Masses and centres of sections by the taper of their boxes, from the file.
struct Section {
  double mass = 0.0, center = 0.0;
};
Section section_of(const BeamDescription& beam) {
  const auto area = [&](double s) {
    const SectionDescription &a = beam.stations[0].section, &b = beam.stations[1].section;
    const double height = (1.0 - s) * *a.height + s * *b.height, t = *a.thickness;
    return 2.0 * t * (*a.width + height - 2.0 * t);
  };
  const double density = beam.stations[0].section.material->density, L = beam.length;
  const double mass = density * L * (area(0) + 4.0 * area(0.5) + area(1)) / 6.0;
  return {mass, density * L * L * (4.0 * 0.5 * area(0.5) + area(1)) / 6.0 / mass};
}

struct Plane {
  std::array<Vector2d, 5> joints;   // pins of the sections, and the tip
  std::array<double, 4> heading;    // of sections
  std::array<double, 4> cylinders;  // lengths
  double energy = 0.0;              // of heights
};

Plane at(const ModelDescription& model, const Angles& q) {
  Plane plane;
  plane.joints[0] = {-0.5, 3.6};
  double angle = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    angle += q[i];
    plane.heading[i] = angle;
    plane.joints[i + 1] = plane.joints[i] + turned(angle, {lengths[i], 0});
    const Section section = section_of(*model.links[i + 1].beam);
    plane.energy += section.mass * (plane.joints[i] + turned(angle, {section.center, 0})).y();
  }
  plane.energy += 100.0 * plane.joints[4].y();
  const Vector2d eye = plane.joints[0] + turned(q[0], {0.25 * lengths[0], -0.35});
  plane.cylinders[0] = (eye - Vector2d(0.6, 1.7)).norm();
  constexpr std::array<double, 3> scale = {1.0, 0.8, 0.55}, place = {0.55, 0.6, 0.7},
                                  below = {0.25, 0.2, 0.15}, mass = {90, 55, 25};
  for (std::size_t i = 0; i < 3; ++i) {
    const double r = 0.75 * scale[i], x = 0.55 * scale[i], z = -0.25 * scale[i];
    const Vector2d on_inner = plane.joints[i + 1] + turned(plane.heading[i], {-x, z}),
                   on_outer = plane.joints[i + 1] + turned(plane.heading[i + 1], {x, z});
    const Vector2d between = on_outer - on_inner;
    const double half = 0.5 * between.norm();
    const Vector2d middle = 0.5 * (on_inner + on_outer), across(between.y(), -between.x());  // downwards
    const Vector2d knuckle = middle + across.normalized() * std::sqrt(r * r - half * half);
    plane.cylinders[i + 1] =
        (knuckle - plane.joints[i] - turned(plane.heading[i], {place[i] * lengths[i], -below[i]})).norm();
    plane.energy += mass[i] * (0.5 * (on_inner + knuckle) + 0.5 * (knuckle + on_outer)).y();
  }
  plane.energy *= g_;
  return plane;
}

TEST(ConcretePump, CylindersHoldItByVirtualWork) {
  ModelDescription description =
      read_model(std::string(LIMBER_MODELS_DIR) + "/concrete_pump/concrete_pump.yaml").description();
  for (int i = 1; i <= 4; ++i) {
    BeamDescription& beam = *description.links[static_cast<std::size_t>(i)].beam;
    beam.modes.y.reset();
    beam.modes.torsion.reset();
    for (StationDescription& station : beam.stations) station.section.material->E = 2.1e19;
  }
  const Model model = build_model(description);
  for (const Angles& q :
       {Angles{0.5, -0.3, -0.3, -0.2}, Angles{0.2, 0.2, -0.5, -0.1}, Angles{1.0, -0.6, 0.3, -0.4}}) {
    VectorXd start = VectorXd::Zero(model.nq());
    std::vector<int> kept;
    for (std::size_t i = 0; i < 4; ++i) {
      const Joint& joint = model.links()[i + 1].joint;
      start[joint.q_index] = q[i];
      kept.push_back(joint.v_index);
    }
    const Equilibrium held = static_equilibrium(model, assemble(model, start, kept));
    // dV/dq = (dl/dq)^T F
    Eigen::Matrix4d slopes;
    Eigen::Vector4d weight;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto moved = [&](double value) {
        Angles other = q;
        other[k] = value;
        return at(description, other);
      };
      const auto row = static_cast<Eigen::Index>(k);
      weight[row] = fine_slope([&](double a) { return moved(a).energy; }, q[k]);
      for (std::size_t c = 0; c < 4; ++c)
        slopes(row, static_cast<Eigen::Index>(c)) =
            fine_slope([&](double a) { return moved(a).cylinders[c]; }, q[k]);
    }
    const Eigen::Vector4d expected = slopes.partialPivLu().solve(weight);
    // Places on sections are fractions of six digits in the file.
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(held.drives[c], expected[c], 3e-5 * std::abs(expected[c])) << c;
  }
}

TEST(ConcretePump, SlewsAndSwings) {
  const TestRun result = run(shipped("concrete_pump/slew.yaml"));
  EXPECT_LT(result.summary.last.largest_error, 1e-4 * result.summary.last.energy_size);
  const Sample &first = result.rows.front(), &last = result.rows.back();
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(last.cylinders[i].length, first.cylinders[i].length, 1e-3) << "its cylinders hold";
  EXPECT_NEAR(first.v.norm(), 0.0, 1e-6);
  EXPECT_NEAR(last.q[0], 20.0 * std::numbers::pi / 180.0, 1e-9);
}

}  // namespace
}  // namespace limber
