// SPDX-License-Identifier: BSD-3-Clause
// Closed loops with cylinders at rest, against virtual work on a four-bar's one freedom and the energy of its spring; and what loops do to beams.

#include <gtest/gtest.h>

#include "four_bar.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/analysis/section_forces.hpp"
#include "limber/analysis/zeros.hpp"
#include "limber/core/input_error.hpp"

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// A cylinder from the ground to the middle of the rocker.
const Vector3d foot{0.2, 0.9, 0};

Model driven_four_bar(double stiffness = 0.0, double rest = 0.0) {
  ModelDescription description = four_bar().description();
  description.cylinders.push_back({.name = "lift",
                                   .from = {.link = "base", .xyz = foot},
                                   .to = {.link = "rocker", .xyz = {-0.5 * c_, 0, 0}},
                                   .stiffness = stiffness,
                                   .rest = rest});
  return build_model(description);
}
double cylinder_length(double crank) {
  const double rocker = solved(crank).rocker;
  return (Vector3d(d_ + 0.5 * c_ * std::cos(rocker), 0.5 * c_ * std::sin(rocker), 0) - foot).norm();
}

TEST(ClosedStatics, ACylinderHoldsAFourBarByVirtualWork) {
  const Model model = driven_four_bar();
  for (const double crank : {0.4, 1.0, 1.6, 2.3}) {
    const Equilibrium held = static_equilibrium(model, configuration(crank));
    ASSERT_EQ(held.drives.size(), 1);
    const double expected = fine_slope(height_energy, crank) / fine_slope(cylinder_length, crank);
    EXPECT_NEAR(held.drives[0], expected, 1e-8 * std::abs(expected)) << crank;
    EXPECT_LT(held.efforts.lpNorm<Eigen::Infinity>(), 1e-9) << "no motor does anything";
    EXPECT_LT((held.q - configuration(crank)).lpNorm<Eigen::Infinity>(), 1e-10) << "it stays where it is";
  }
}

TEST(ClosedStatics, ANamedJointIsHeldByItsMotorInstead) {
  const Model model = driven_four_bar();
  const Equilibrium held = static_equilibrium(model, configuration(1.0), {}, StaticModel::exact, {},
                                              {model.links()[0].joint.name});
  EXPECT_EQ(held.drives[0], 0.0);
  EXPECT_NEAR(held.efforts[0], fine_slope(height_energy, 1.0), 1e-8);
}

TEST(ClosedStatics, AStopOfAJointThatFollowsTakesItsPart) {
  const double k = 500.0, depth = 0.01;
  ModelDescription description = four_bar().description();
  JointLimits limits;
  limits.lower = solved(1.0).rocker + depth;
  limits.stop_stiffness = k;
  description.links[2].joint.limits = limits;
  const Equilibrium held = static_equilibrium(build_model(description), configuration(1.0));
  EXPECT_NEAR(held.efforts[0], fine_slope(height_energy, 1.0) - k * depth * rates(1.0).rocker, 1e-8);
}

TEST(ClosedStatics, AFourBarSettlesOnTheSpringOfItsCylinderAndSwingsOnIt) {
  const double k = 4e3, rest = cylinder_length(1.0);
  const Model model = driven_four_bar(k, rest);
  const Equilibrium found = static_equilibrium(model, configuration(1.0));
  const auto potential = [&](double crank) {
    const double stretch = cylinder_length(crank) - rest;
    return height_energy(crank) + 0.5 * k * stretch * stretch;
  };
  const double at = found.q[0];
  EXPECT_TRUE(found.stable);
  EXPECT_GT(std::abs(at - 1.0), 1e-3) << "it gives way";
  EXPECT_NEAR(fine_slope(potential, at), 0.0, 1e-7);
  EXPECT_LT((found.q - configuration(at)).lpNorm<Eigen::Infinity>(), 1e-10);
  const auto slope = [&](double crank) { return fine_slope(potential, crank); };
  const NaturalModes modes = natural_modes(model, found.q, JointTreatment::held, 10);
  ASSERT_EQ(modes.angular_frequencies.size(), 1);
  EXPECT_NEAR(modes.angular_frequencies[0], std::sqrt(fine_slope(slope, at) / inertia(at)), 1e-6);
}

// A parallelogram boom: boom and rod bend, side by side, and keep their head upright; a cylinder lifts the boom.
Model parallelogram(double stiffness, double rest = 1.0) {
  const SectionDescription section{.EI_y = 2e6, .mass_per_length = 30.0};
  const Vector3d up = -Vector3d::UnitY();  // turns x towards z
  RigidDescription head;
  head.mass = 200.0;
  head.com = {0.2, 0, -0.2};
  head.inertia << 4, 4, 4, 0, 0, 0;
  head.tip.xyz = {0, 0, -0.4};
  ModelBuilder builder("parallelogram");
  builder.gravity({0, 0, -g_}).link("boom").revolute(up).beam(4.0, section).modes(Direction::z, 4);
  builder.link("head", "boom").revolute(up).rigid(head);
  builder.link("rod", "base").origin({0, 0, -0.4}).revolute(up).beam(4.0, section).modes(Direction::z, 4);
  builder.loop({.name = "pin",
                .type = LoopType::revolute,
                .axis = Vector3d::UnitY(),
                .a = {.link = "head"},
                .b = {.link = "rod"}});
  builder.cylinder({.name = "lift",
                    .from = {.link = "base", .xyz = {1, 0, -1.2}},
                    .to = {.link = "boom", .at = 0.4},
                    .stiffness = stiffness,
                    .rest = rest});
  return builder.build();
}

TEST(ClosedStatics, AParallelogramKeepsItsHeadUprightAndItsCylinderCarriesTheWeight) {
  const Model model = parallelogram(0.0);
  VectorXd q = VectorXd::Zero(model.nq());
  q[0] = 0.6;
  const Equilibrium held = static_equilibrium(model, assemble(model, q, {0}));
  EXPECT_NEAR(held.q[0], 0.6, 1e-12);
  // As stiff as a parallelogram of rigid bars, to first order in its sag: F dl/d(angle) = d(heights)/d(angle).
  const auto length_at = [](double a) {
    return (Vector3d(1.6 * std::cos(a), 0, 1.6 * std::sin(a)) - Vector3d(1, 0, -1.2)).norm();
  };
  const auto height = [](double a) { return g_ * std::sin(a) * (2 * 120.0 * 2.0 + 200.0 * 4.0); };
  const double rigid = fine_slope(height, 0.6) / fine_slope(length_at, 0.6);
  EXPECT_NEAR(held.drives[0], rigid, 0.02 * rigid);
  const double head = held.q[0] + held.q[model.links()[1].joint.q_index];
  EXPECT_LT(std::abs(head), 0.05) << "its turn follows the two beams' sag alone";
  EXPECT_LT(held.efforts.lpNorm<Eigen::Infinity>(), 1e-6 * rigid);
}

// Held lengths are those of springs that hardly give.
TEST(ClosedStatics, ModesOnCylindersThatHoldAreThoseOnStiffSprings) {
  const Model held = parallelogram(0.0);
  const Equilibrium at = static_equilibrium(held, VectorXd::Zero(held.nq()));
  Struts struts(held);
  struts.update(at.q, VectorXd::Zero(held.nv()));
  const double k = 1e11;
  const Model sprung = parallelogram(k, struts.lengths()[0] + at.drives[0] / k);
  const VectorXd expected = natural_modes(sprung, at.q, JointTreatment::as_modelled, 10).angular_frequencies;
  const VectorXd found = natural_modes(held, at.q, JointTreatment::held, 10).angular_frequencies;
  ASSERT_GE(found.size(), 3);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], 1e-4 * expected[i]) << i;
}

// ---- what loops do to beams ----

// A beam on a pin at its root; a loop holds its far end: half of its weight there, and its bending moment in the middle is w L^2 / 8.
TEST(ClosedStatics, SectionsOfABeamThatALoopCarriesAreTheTextbooks) {
  const double length = 3.0, weight = 4.0 * g_;
  ModelBuilder builder("carried");
  builder.gravity({0, -g_, 0}).link("beam").revolute(z_axis);
  builder.beam(length, {.EI_z = 1e4, .mass_per_length = 4.0}).modes(Direction::y, 6);
  builder.loop({.name = "rest",
                .type = LoopType::point_on_line,
                .axis = Vector3d::UnitX(),
                .a = {.link = "base"},
                .b = {.link = "beam"}});
  const Model model = builder.build();
  const Equilibrium found = static_equilibrium(model, VectorXd::Zero(model.nq()));
  const VectorXd still = VectorXd::Zero(model.nv());
  LoopSolver loops(model);
  loops.update(found.q, still);
  SectionForces sections(model, 3);
  sections.update(found.q, still, still, {}, {}, loops.loads_of(found.multipliers));
  const BeamSections& along = sections.beam(0);
  const auto at = [&](int place, int force) { return along.forces(force, along.regular[place]); };
  EXPECT_NEAR(std::abs(at(0, 1)), 0.5 * weight * length, 1e-3 * weight);
  EXPECT_NEAR(std::abs(at(2, 1)), 0.5 * weight * length, 1e-3 * weight);
  EXPECT_NEAR(std::abs(at(1, 5)), weight * length * length / 8.0, 1e-3 * weight);
  EXPECT_NEAR(at(0, 5), 0.0, 1e-9 * weight);
  EXPECT_THROW(sections.update(found.q, still, still), InputError);
}

// A closed valve is a spring of oil: the same machine on a spring as stiff, whose rest makes the force that holds, swings alike; without oil it does not swing at all.
TEST(ClosedStatics, ModesOnOilAreThoseOnASpringAsStiff) {
  const double crank = 1.0, l = cylinder_length(crank);
  ModelDescription description = driven_four_bar().description();
  CylinderDescription& lift = description.cylinders[0];
  EXPECT_EQ(natural_modes(build_model(description), configuration(crank)).angular_frequencies.size(), 0);
  lift.limits.emplace();
  lift.limits->lower = l - 0.1;
  lift.limits->upper = l + 0.2;
  lift.hydraulics = HydraulicsDescription{.bore = 0.02,
                                          .rod = 0.01,
                                          .bulk_modulus = 1.2e9,
                                          .volume = 2e-5,
                                          .supply = 2e7,
                                          .tank = 1e5,
                                          .flow_gain = 1e-7};
  const Model oil = build_model(description);
  const double A_a = M_PI * 0.25 * 0.02 * 0.02, A_b = A_a - M_PI * 0.25 * 0.01 * 0.01;
  const double k = 1.2e9 * (A_a * A_a / (2e-5 + 0.1 * A_a) + A_b * A_b / (2e-5 + 0.2 * A_b));
  const double force = static_equilibrium(oil, configuration(crank)).drives[0];
  const NaturalModes spring = natural_modes(driven_four_bar(k, l + force / k), configuration(crank));
  ASSERT_EQ(spring.angular_frequencies.size(), 1);
  for (const JointTreatment joints : {JointTreatment::held, JointTreatment::as_modelled}) {
    const NaturalModes found = natural_modes(oil, configuration(crank), joints);
    ASSERT_EQ(found.angular_frequencies.size(), 1);
    EXPECT_NEAR(found.angular_frequencies[0] / spring.angular_frequencies[0], 1.0,
                joints == JointTreatment::held ? 1e-9 : 1e-3);
  }
  EXPECT_EQ(natural_modes(oil, configuration(crank), JointTreatment::locked).angular_frequencies.size(), 0);
}

TEST(ClosedStatics, ANameInHoldThatNoJointHasIsRefused) {
  const Model bars = driven_four_bar(), plain = four_bar();
  const auto refuses = [](auto&& call) {
    try {
      call();
      return std::string("taken");
    } catch (const InputError& error) {
      EXPECT_EQ(error.problems().front().path, "hold[1]");
      return error.problems().front().hint;
    }
  };
  const JointNames wrong = {"all", "crank_jiont"};
  for (const Model& model : {bars, plain}) {
    EXPECT_EQ(
        refuses([&] { static_equilibrium(model, configuration(1.0), {}, StaticModel::exact, {}, wrong); }),
        "did you mean `crank_joint`?");
    for (const JointTreatment joints : {JointTreatment::held, JointTreatment::locked, JointTreatment::free})
      EXPECT_EQ(refuses([&] { natural_modes(model, configuration(1.0), joints, 0, {}, wrong); }),
                "did you mean `crank_joint`?");
  }
}

// Joints that tell all others are held where nobody says what is; a cylinder's length is held by its own drive.
TEST(ClosedStatics, ZerosHoldWhatTellsAllOthers) {
  const Model model = driven_four_bar();
  const std::vector<std::string> crank = {"crank_joint"}, lift = {"lift"};
  const HeldOutputs all = held_outputs(model, {}, {}, configuration(1.0)),
                    length = held_outputs(model, lift, {});
  EXPECT_EQ(all.outputs, crank);
  EXPECT_EQ(all.inputs, crank);
  EXPECT_EQ(length.inputs, lift);
  for (const HeldOutputs& held : {all, length}) {
    const OperatingPoint point = settled_point(model, configuration(1.0));
    EXPECT_EQ(zero_dynamics(linearize_at_points(model, point, held.outputs, held.inputs)).zeros.size(), 0);
  }
}

}  // namespace
}  // namespace limber
