// SPDX-License-Identifier: BSD-3-Clause
// A link of finite elements in an arm: beside its twin of a beam, by every formulation, and against the motion of all its nodes.
#include <gtest/gtest.h>

#include "body_arms.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/input_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/model/place_name.hpp"
#include "limber/results/arm_outline.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using namespace test;

TEST(BodyLink, HasCoordinatesOfItsOwn) {
  const Model arm = bodies();
  EXPECT_EQ(arm.nv(), 2 * (1 + slender_body()->size()));
  EXPECT_EQ(arm.coordinates()[0], "boom_joint");
  EXPECT_EQ(arm.coordinates()[1], "boom.m1");
  EXPECT_EQ(arm.coordinates()[static_cast<std::size_t>(arm.nv()) - 1],
            "fore.m" + std::to_string(slender_body()->size()));
  EXPECT_NEAR(arm.mass(), beams().mass(), 1e-9 * arm.mass());
}

// Two links swing as their twins do: the same frequencies with joints held, and with joints that hang free. Straight, so that nothing twists: bricks, two
// and one across, are too stiff in torsion by some percent.
TEST(BodyLink, SwingsAsItsTwinOfBeams) {
  const Model of_bodies = bodies(), of_beams = beams();
  for (const JointTreatment joints : {JointTreatment::locked, JointTreatment::free}) {
    const VectorXd own = natural_modes(of_bodies, pose(of_bodies, 1.2, 0.0), joints).angular_frequencies,
                   twin = natural_modes(of_beams, pose(of_beams, 1.2, 0.0), joints).angular_frequencies;
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(own[i] / twin[i], 1.0, 2e-3) << i << " with " << own[i] << " rad/s";
  }
}

TEST(BodyLink, SagsAsItsTwinOfBeams) {
  const Model of_bodies = bodies(), of_beams = beams();
  const auto sag = [](const Model& model) {
    const VectorXd q = static_equilibrium(model, pose(model, 0.3, -0.5)).q;
    const Link& tip = model.links()[0];
    return Vector3d(tip.nodes[0].field.Phi * q.segment(tip.elastic_q_index, tip.elastic_count));
  };
  const Vector3d own = sag(of_bodies), twin = sag(of_beams);
  EXPECT_NEAR(own.z() / twin.z(), 1.0, 2e-3);
  EXPECT_GT(std::abs(own.z()), 1e-4);
}

TEST(BodyLink, CarriesLinksOnItsInterfaces) {
  ModelDescription description = arm_of(body_link("boom"), body_link("fore"));
  description.links[1].interface = "mount";
  const Model arm = build_model(description);
  EXPECT_EQ(arm.links()[1].parent_node, 1);
  EXPECT_EQ(node_index(arm, 0, "mount"), 1);
  EXPECT_EQ(node_index(arm, 0, 1.0), 0);
  EXPECT_THROW(node_index(arm, 0, "flange"), InputError);
  EXPECT_EQ(frame(arm, place_named(arm, "boom@mount", "--at")).node, 1);
  EXPECT_EQ(frame(arm, place_named(arm, "boom@1", "--at")).node, 0);
  EXPECT_THROW(place_named(arm, "boom@mounts", "--at"), InputError);
  EXPECT_THROW(with_node(arm, 0, 0.5), InputError);
  const Model second = with_kinematics(arm, KinematicOrder::second);  // the body's field stays as it is
  EXPECT_EQ(second.links()[1].parent_node, 1);
  EXPECT_EQ(second.nv(), arm.nv());

  description.links[1].interface = "flange";
  try {
    build_model(description);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "links[1].attach: expected 1 (the tip) or the name of an interface of the body `boom`, "
                 "found `flange` "
                 "(known interfaces: `tip`, `mount` and `lug`)");
  }
  description.links[1].interface = "";
  description.links[1].attach = 0.5;
  EXPECT_THROW(build_model(description), InputError);
}

TEST(BodyLink, IsDampedAsItsRatioSays) {
  ModelDescription description = arm_of(body_link("boom"), body_link("fore"));
  description.links[0].body->damping = DampingDescription{0.02};
  const Model arm = build_model(description);
  const Elastic& elastic = *arm.links()[0].elastic;
  const MatrixXd &K = elastic.integrals.stiffness, &M = elastic.integrals.rest_inertia;
  for (int j = 0; j < K.rows(); ++j)  // modes: everything is diagonal
    EXPECT_NEAR(elastic.damping(j, j), 2.0 * 0.02 * std::sqrt(K(j, j) * M(j, j)),
                1e-6 * elastic.damping(j, j));
}

TEST(BodyLink, IsDrawnFromItsRootToItsTip) {
  const Model arm = bodies();
  const ArmOutline outline = outline_of(arm, 5);
  std::srand(2);
  const VectorXd q = 0.01 * VectorXd::Random(arm.nq());
  Workspace<double> work(arm);
  const Link& last = arm.links()[1];
  const Vector3d tip =
      outline.links[1].place(outline.links[1].tip(), q.segment(last.elastic_q_index, last.elastic_count)).p;
  const Vector3d expected =
      last.nodes[0].field.position<double>(q.segment(last.elastic_q_index, last.elastic_count));
  EXPECT_LT((tip - expected).norm(), 1e-14);
  EXPECT_EQ(parse_outline(outline_text(outline)), outline);
}

}  // namespace
}  // namespace limber
