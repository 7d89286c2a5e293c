// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/motion_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <string>

#include "flexible_chain.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/analysis/well_posedness.hpp"
#include "limber/core/interruption.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

const char* const arms[] = {"canadarm/canadarm.yaml",
                            "crane/crane.yaml",
                            "ella/ella.yaml",
                            "lin_lewis_rfr/lin_lewis_rfr.yaml",
                            "piedboeuf/piedboeuf.yaml",
                            "de_luca_siciliano/de_luca_siciliano.yaml",
                            "spin_up_beam/spin_up_beam.yaml",
                            "princeton_beam/princeton_beam.yaml"};

Model arm(const char* file) { return read_model(std::string(LIMBER_MODELS_DIR) + "/" + file); }

// A state that is bent, and the same at every call.
VectorXd bent(const Model& model) {
  VectorXd q = neutral_configuration(model);
  for (const Link& link : model.links()) {
    if (link.joint.nq == link.joint.nv)
      for (int i = 0; i < link.joint.nv; ++i) q[link.joint.q_index + i] = 0.3 + 0.2 * i;
    for (int i = 0; i < link.elastic_count; ++i)
      q[link.elastic_q_index + i] = (i % 2 == 0 ? 0.02 : -0.01) / (i + 1.0);
  }
  return q;
}

TEST(FastestMotion, IsTheLargestEigenvalue) {
  for (const char* file : arms) {
    const Model model = arm(file);
    const VectorXd q = bent(model);
    double largest = 0.0;
    for (const auto& value : motion_eigenvalues(model, q)) largest = std::max(largest, std::abs(value));
    const FastestMotion fastest = fastest_motion(model, q);
    EXPECT_FALSE(fastest.creeps) << file;
    EXPECT_NEAR(fastest.rate, largest, 1e-2 * largest) << file;
    EXPECT_LE(fastest.slowest, fastest.rate) << file;
  }
}

// A spring of 2e28 N m/rad on an inertia of 2 kg m^2 swings at 1e14 rad/s, however far it is wound up: what it does there
// must not swallow the forces that try the arm out.
TEST(FastestMotion, IsFoundOnSpringsUnderAnyStrain) {
  ModelBuilder builder("spring");
  RigidDescription wheel;
  wheel.mass = 1.0;
  wheel.inertia << 1.0, 1.0, 2.0, 0, 0, 0;
  builder.link("wheel").revolute(Eigen::Vector3d::UnitZ()).rigid(wheel);
  builder.current_link().joint.stiffness = 2e28;
  const Model model = builder.build();
  for (const double angle : {0.0, 1e-9, 0.1, 0.125, 0.3, 1.0, -2.0, 3.0, 100.0}) {
    const FastestMotion fastest = fastest_motion(model, VectorXd::Constant(1, angle));
    EXPECT_NEAR(fastest.rate, 1e14, 1e8) << angle;
    EXPECT_EQ(fastest.coordinate, 0) << angle;
  }
}

TEST(FastestMotion, NamesTheCoordinateThatMovesMost) {
  ModelBuilder builder("needle on a boom");
  builder.link("boom")
      .revolute(Eigen::Vector3d::UnitZ())
      .beam(3.0, {.EI_z = 1e4, .mass_per_length = 5.0})
      .modes(Direction::y, 2);
  builder.link("needle")
      .revolute(Eigen::Vector3d::UnitZ())
      .beam(0.01, {.EI_z = 1e9, .mass_per_length = 1e-9})
      .modes(Direction::y, 2);
  const Model model = builder.build();
  const FastestMotion fastest = fastest_motion(model, neutral_configuration(model));
  EXPECT_GT(fastest.rate, 1e12);
  ASSERT_GE(fastest.coordinate, 0);
  EXPECT_EQ(model.coordinates()[static_cast<std::size_t>(fastest.coordinate)].substr(0, 7), "needle.");
}

// A wheel in thick oil: it creeps, at damping / inertia.
TEST(FastestMotion, KnowsWhatCreeps) {
  ModelBuilder builder("wheel");
  RigidDescription wheel;
  wheel.mass = 1.0;
  wheel.inertia << 0.1, 0.1, 0.2, 0, 0, 0;
  builder.gravity(Eigen::Vector3d::Zero()).link("wheel").revolute(Eigen::Vector3d::UnitZ()).rigid(wheel);
  builder.current_link().joint.damping = 60.0;
  builder.current_link().joint.stiffness = 20.0;
  const FastestMotion fastest = fastest_motion(builder.build(), VectorXd::Zero(1));
  EXPECT_TRUE(fastest.creeps);
  EXPECT_EQ(fastest.coordinate, 0);
  EXPECT_NEAR(fastest.rate, 300.0, 1e-9);
}

TEST(FastestMotion, IsNothingWhereNothingPullsBack) {
  ModelBuilder builder("spool");
  RigidDescription wheel;
  wheel.mass = 1.0;
  wheel.inertia << 0.1, 0.1, 0.2, 0, 0, 0;
  builder.gravity(Eigen::Vector3d::Zero()).link("wheel").revolute(Eigen::Vector3d::UnitZ()).rigid(wheel);
  const FastestMotion fastest = fastest_motion(builder.build(), VectorXd::Zero(1));
  EXPECT_EQ(fastest.rate, 0.0);
  EXPECT_EQ(fastest.coordinate, -1);
}

// Gains of controllers act like springs and dampers of the joint; a held joint is not there.
TEST(FastestMotion, CountsControllersAndHeldJoints) {
  const Model free = flexible_chain(3);
  ModelDescription description = free.description();
  description.links[1].joint.stiffness = 4e6;
  description.links[1].joint.damping = 2e5;
  const Model sprung = build_model(description);
  const VectorXd q = neutral_configuration(free), rest = VectorXd::Zero(free.nv());
  Eigen::MatrixXd kp = Eigen::MatrixXd::Zero(free.nv(), free.nv()), kd = kp;
  const int driven = free.links()[1].joint.v_index;
  kp(driven, driven) = 4e6;
  kd(driven, driven) = 2e5;
  MotionOperators controlled(free, q, rest, rest);
  controlled.add_gains(kp, kd);
  const FastestMotion by_gains = fastest_motion(controlled), by_springs = fastest_motion(sprung, q);
  EXPECT_NEAR(by_gains.rate, by_springs.rate, 1e-6 * by_springs.rate);
  EXPECT_EQ(by_gains.coordinate, by_springs.coordinate);

  MotionOperators held(free, q, rest, rest, {}, {0, 1, 2});
  const VectorXd all = natural_modes(free, q, JointTreatment::locked).angular_frequencies;
  EXPECT_NEAR(fastest_motion(held).rate, all[all.size() - 1], 1e-2 * all[all.size() - 1]);
}

TEST(LockedFrequencies, AreThoseOfTheMatrices) {
  for (const char* file : arms) {
    ModelDescription description = arm(file).description();
    description.gravity.setZero();
    const Model model = build_model(description);
    const VectorXd q = bent(model);
    const VectorXd expected = natural_modes(model, q, JointTreatment::locked, 3).angular_frequencies;
    const VectorXd found = locked_frequencies(model, q, 3);
    ASSERT_EQ(found.size(), expected.size()) << file;
    EXPECT_LT(((found - expected).array() / expected.array()).abs().maxCoeff(), 1e-7) << file;
  }
}

// Equal frequencies in both planes are two, not one.
TEST(LockedFrequencies, OfARoundBeamComeInPairs) {
  ModelBuilder builder("round");
  builder.link("beam").fixed().beam(2.0, {.EI_y = 100.0, .EI_z = 100.0, .mass_per_length = 1.5});
  builder.modes(Direction::y, 6, ShapeFamily::clamped_free).modes(Direction::z, 6, ShapeFamily::clamped_free);
  const Model model = builder.build();
  const VectorXd found = locked_frequencies(model, neutral_configuration(model), 4);
  ASSERT_EQ(found.size(), 4);
  // beta L of a cantilever: 1.8751, 4.6941
  const double unit = std::sqrt(100.0 / 1.5) / 4.0;
  EXPECT_NEAR(found[0] / unit, std::pow(1.875104068711961, 2), 1e-12);
  EXPECT_NEAR(found[1] / unit, std::pow(1.875104068711961, 2), 1e-12);
  EXPECT_NEAR(found[2] / unit, std::pow(4.694091132974175, 2), 1e-11);
  EXPECT_NEAR(found[3] / unit, std::pow(4.694091132974175, 2), 1e-11);
}

// Torsion that moves no inertia has no frequency, and takes none from the others.
TEST(LockedFrequencies, LeaveOutWhatHasNoInertia) {
  ModelBuilder builder("thin");
  builder.link("beam").fixed().beam(2.0, {.EI_z = 100.0, .GJ = 50.0, .mass_per_length = 1.5});
  builder.modes(Direction::y, 1).modes(Direction::torsion, 2);
  const Model model = builder.build();
  EXPECT_EQ(locked_frequencies(model, neutral_configuration(model), 3).size(), 1);
  EXPECT_EQ(basis_error(model).frequencies.size(), 1);
}

// A cantilever of 60 links with joints locked is one long beam: f1 = 1.8751^2 / L^2 sqrt(EI / m), in each plane.
TEST(LockedFrequencies, OfALongChainAreThoseOfOneBeam) {
  const Model model = flexible_chain(60);
  const VectorXd found = locked_frequencies(model, neutral_configuration(model), 2);
  ASSERT_EQ(found.size(), 2);
  const double square = std::pow(1.875104068711961 / 60.0, 2);
  EXPECT_NEAR(found[0], square * std::sqrt(1e3 / 3.0), 1e-7 * found[0]);
  EXPECT_NEAR(found[1], square * std::sqrt(2e3 / 3.0), 1e-7 * found[1]);
}

TEST(MotionBounds, AnswerARequestToStop) {
  const Model model = flexible_chain(4);
  ask_to_stop(SIGTERM);
  EXPECT_THROW(fastest_motion(model, neutral_configuration(model)), Interrupted);
  EXPECT_THROW(locked_frequencies(model, neutral_configuration(model), 1), Interrupted);
  forget_stop();
  EXPECT_GT(fastest_motion(model, neutral_configuration(model)).rate, 0.0);
}

}  // namespace
}  // namespace limber
