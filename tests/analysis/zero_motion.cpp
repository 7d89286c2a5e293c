// SPDX-License-Identifier: BSD-3-Clause
// The nonlinear arm with its outputs held: it does what the linear zeros say.

#include "limber/analysis/zero_motion.hpp"

#include <gtest/gtest.h>

#include "limber/algorithms/energy.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

Model arm(const std::string& file) {
  return build_model(read_model_description(std::string(LIMBER_MODELS_DIR) + "/" + file + ".yaml"));
}

OperatingPoint at_rest(const Model& model) {
  return {neutral_configuration(model), VectorXd::Zero(model.nv()), VectorXd::Zero(model.nv()), {}};
}

// Lin and Lewis, 4.2: 163.96 is the faster of the two zeros on the right.
TEST(ZeroMotion, OfPinnedShapesGrowsAsTheirZeroSays) {
  const Model model = arm("lin_lewis_one_link/lin_lewis_one_link_pinned_pinned");
  const ZeroMotion motion = zero_motion(model, at_rest(model), {"joint"}, {"joint"});
  EXPECT_NEAR(motion.zero.real(), 163.96069912, 1e-6);
  EXPECT_NEAR(motion.rate / motion.zero.real(), 1.0, 1e-4);
  EXPECT_GT(motion.size[motion.size.size() - 1], 900.0);
  EXPECT_LT(motion.largest_drift, 1e-10);
}

TEST(ZeroMotion, OfClampedShapesRingsOnAndKeepsItsEnergy) {
  const Model model = arm("lin_lewis_one_link/lin_lewis_one_link_clamped_free");
  const ZeroMotion motion = zero_motion(model, at_rest(model), {"joint"}, {"joint"}, {.duration = 20.0});
  EXPECT_NEAR(motion.zero.imag(), 1.09144289, 1e-7);
  EXPECT_NEAR(motion.rate, 0.0, 1e-3);
  EXPECT_LT(motion.size.maxCoeff(), 1.001);
  EXPECT_GT(motion.size.minCoeff(), 0.999);
  EXPECT_FALSE(motion.ended_early);
}

// A tip that is held in place: the joint and the rest run away, outputs stay; large motions are no longer the linear ones.
TEST(ZeroMotion, OfATipInSpaceHoldsItWhileTheRestRunsAway) {
  const Model model = arm("canadarm/canadarm");
  const std::vector<std::string> outputs = {"joint1", "joint2", "link3@1.y"},
                                 inputs = {"joint1", "joint2", "joint3"};
  const ZeroMotion motion = zero_motion(model, at_rest(model), outputs, inputs);
  EXPECT_GT(motion.zero.real(), 0.0);
  EXPECT_NEAR(motion.rate / motion.zero.real(), 1.0, 0.02);
  EXPECT_LT(motion.largest_drift, 1e-4 * motion.q.cwiseAbs().maxCoeff());
  for (const int held : {0, 3}) EXPECT_LT(motion.q.row(held).cwiseAbs().maxCoeff(), 1e-6) << held;
}

TEST(ZeroMotion, SaysWhatItCannotHold) {
  const Model model = arm("canadarm/canadarm");
  const OperatingPoint point = at_rest(model);
  EXPECT_THROW(zero_motion(model, point, {"joint1", "joint2"}, {"joint1"}), InputError);
  EXPECT_THROW(zero_motion(model, point, {"joint1.rate"}, {"joint1"}), InputError);
  EXPECT_THROW(zero_motion(model, point, {"joint1"}, {"joint1"}, {.duration = 1e9}), InputError);
  OperatingPoint moving = point;
  moving.v[0] = 1.0;
  EXPECT_THROW(zero_motion(model, moving, {"joint1"}, {"joint1"}), InputError);
}

// From place to place: the end effector is where it was asked to be, sag included.
TEST(ReachAlong, PutsTheEndEffectorOnEveryPlace) {
  const Model model = arm("crane/crane");
  VectorXd q = neutral_configuration(model);
  q[model.links()[1].joint.q_index] = 0.6;
  q[model.links()[2].joint.q_index] = -0.8;
  Eigen::Matrix3Xd places(3, 4);
  places << 5.0, 5.0, 4.9, 4.8,  //
      0.0, 0.2, 0.4, 0.6,        //
      3.0, 3.1, 3.2, 3.3;
  const std::vector<Equilibrium> path = reach_along(model, q, places);
  ASSERT_EQ(path.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const Equilibrium alone = reach(model, path[k].q, places.col(static_cast<Eigen::Index>(k)), {});
    EXPECT_LT((alone.q - path[k].q).cwiseAbs().maxCoeff(), 1e-7) << k;
    if (k == 0) continue;
    EXPECT_LT((path[k].q - path[k - 1].q).cwiseAbs().maxCoeff(), 0.5) << k;  // steadily
  }
  EXPECT_THROW(reach_along(model, q, places, {Eigen::Matrix3d::Identity()}), InputError);
  places.col(2) << 100.0, 0.0, 0.0;
  try {
    reach_along(model, q, places);
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("place 3 of the path"), std::string::npos) << error.what();
  }
}

// Found by the fuzzer of Python: a coordinate of a free joint is no number of q.
TEST(ZeroMotion, RefusesCoordinatesThatAreNoPlaces) {
  ModelBuilder builder("ship");
  builder.link("hull")
      .joint({.type = JointType::free})
      .rigid({.mass = 1.0, .inertia = {1, 1, 1, 0, 0, 0}, .tip = {}});
  const Model model = builder.build();
  const OperatingPoint rest{
      neutral_configuration(model), Eigen::VectorXd::Zero(6), Eigen::VectorXd::Zero(6), {}};
  const std::vector<std::string> names = {model.coordinates()[0]};
  EXPECT_THROW(zero_motion(model, rest, names, names), InputError);
}

}  // namespace
}  // namespace limber
