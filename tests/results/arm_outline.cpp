// SPDX-License-Identifier: BSD-3-Clause
// The outline of an arm: it draws what the algorithms compute, for every kind of joint, tree and beam, and its text is read back or
// refused.

#include "limber/results/arm_outline.hpp"

#include <gtest/gtest.h>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/rigid_arm.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "node_on.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

constexpr double rounding = 2e-13;  // of metres and radians, after some links

void expect_same(const Pose& outlined, const PoseOf<double>& computed, const std::string& where) {
  EXPECT_LT((outlined.p - computed.p).norm(), rounding) << where;
  EXPECT_LT((outlined.R - computed.R).norm(), rounding) << where;
}

// All points and nodes of all links against frames on nodes that the model has at the same places.
void expect_algorithms_agree(Model model, const VectorXd& q, int points) {
  const ArmOutline arm = outline_of(model, points);
  struct Place {
    int link, node, place;
  };
  std::vector<Place> places;
  for (int l = 0; l < static_cast<int>(model.links().size()); ++l) {
    const OutlineLink& link = arm.links[static_cast<std::size_t>(l)];
    const int nodes = static_cast<int>(link.places.size()) - link.points;
    for (int n = 0; n < nodes; ++n) places.push_back({l, n, link.points + n});
    for (int i = 0; model.links()[static_cast<std::size_t>(l)].beam && i < link.points; ++i)
      places.push_back({l, node_on(model, l, double(i) / (link.points - 1)), i});
  }
  Workspace<double> work(model);
  update_positions(model, work, q);
  update_world_poses(work);
  const std::vector<Pose> X_WR = arm.root_poses(q);
  for (const auto& [l, node, place] : places) {
    const auto i = static_cast<std::size_t>(l);
    expect_same(X_WR[i] * arm.links[i].place(place, arm.links[i].eta(q)),
                frame_pose(model, work, {l, node, {}}),
                model.name() + " " + arm.links[i].name + "[" + std::to_string(place) + "]");
  }
  expect_same(arm.end_effector(q), frame_pose(model, work, end_effector_frame(model)), "end effector");
  expect_same(arm.end_effector(q, 0.0), RigidArm(model).end_effector(q), "end effector, unbent");
}

VectorXd some_configuration(const Model& model, double bend) {
  VectorXd q = neutral_configuration(model);
  for (const Link& link : model.links()) {
    if (link.joint.nq == link.joint.nv)
      for (int j = 0; j < link.joint.nq; ++j)
        q[link.joint.q_index + j] = 0.4 + 0.3 * j + 0.1 * link.joint.q_index;
    for (int j = 0; j < link.elastic_count; ++j)
      q[link.elastic_q_index + j] = bend * (j % 2 == 0 ? 1.0 : -0.6);
  }
  return q;
}

TEST(ArmOutline, OfShippedArmsIsWhatTheAlgorithmsCompute) {
  for (const char* file : {"canadarm/canadarm_spatial.yaml", "crane/crane.yaml", "crane/crane_second.yaml",
                           "ella/ella.yaml", "lin_lewis_rfr/lin_lewis_rfr.yaml",
                           "lin_lewis_turret/lin_lewis_turret.yaml", "piedboeuf/piedboeuf.yaml"})
    for (const KinematicOrder order : {KinematicOrder::first, KinematicOrder::second}) {
      const Model model = with_kinematics(
          build_model(read_model_description(std::string(LIMBER_MODELS_DIR) + "/" + file)), order);
      for (const double bend : {0.0, 1e-7, 0.05})
        expect_algorithms_agree(model, some_configuration(model, bend), 7);
    }
}

// Trees of all joint types with children anywhere on beams.
TEST(ArmOutline, OfRandomArmsIsWhatTheAlgorithmsCompute) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const auto order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
    const ModelDescription description = reference::random_arm(seed, 5, order);
    const reference::State state = reference::random_state(description, seed, 0.2);
    expect_algorithms_agree(build_model(description), state.q, 4);
  }
}

// Curvatures are what a strain gauge sees, at every point.
TEST(ArmOutline, HoldsCurvaturesAndStiffness) {
  const Model model =
      build_model(read_model_description(std::string(LIMBER_MODELS_DIR) + "/crane/crane_second.yaml"));
  const ArmOutline arm = outline_of(model, 9);
  for (std::size_t l = 0; l < model.links().size(); ++l) {
    const Link& link = model.links()[l];
    if (!link.beam) continue;
    const VectorXd q = some_configuration(model, 0.03), eta = arm.links[l].eta(q);
    for (int i = 0; i < 9; ++i) {
      const double x = link.beam->basis.length() * i / 8.0;
      const BeamStrain strain = beam_strain(link, eta, x);
      const Eigen::Vector3d found = arm.links[l].sum(6, i, eta);
      EXPECT_NEAR(found[0], strain.kappa_y, 1e-14);
      EXPECT_NEAR(found[1], strain.kappa_z, 1e-14);
      EXPECT_NEAR(found[2], strain.twist, 1e-14);
      EXPECT_EQ(arm.links[l].stiffness(1, i), link.beam->basis.profile().at(x).EI_z);
    }
  }
}

// Terms that are zero along a whole beam are not there: first order has none of two coordinates.
TEST(ArmOutline, HoldsNothingThatIsZero) {
  const Model model =
      build_model(read_model_description(std::string(LIMBER_MODELS_DIR) + "/canadarm/canadarm.yaml"));
  for (const OutlineLink& link : outline_of(model, 20).links) {
    EXPECT_EQ(link.terms.size(), 6u);  // displacement, slope and curvature of two shapes
    for (const ShapeTerm& term : link.terms) EXPECT_EQ(term.k, -1);
    EXPECT_EQ(link.values.rows(), 21);
  }
}

// ---- its text ----

void expect_near(const Pose& a, const Pose& b) {
  EXPECT_EQ(a.p, b.p);
  EXPECT_LT((a.R - b.R).norm(), 1e-15);
}

TEST(OutlineText, IsReadAsItWasWritten) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const ArmOutline arm = outline_of(build_model(reference::random_arm(seed, 4, KinematicOrder::second)), 5);
    const ArmOutline read = parse_outline(outline_text(arm));
    ASSERT_EQ(read.links.size(), arm.links.size());
    EXPECT_EQ(read.positions, arm.positions);
    EXPECT_EQ(read.coordinates, arm.coordinates);
    EXPECT_EQ(read.mass, arm.mass);
    for (std::size_t l = 0; l < arm.links.size(); ++l) {
      const OutlineLink &a = arm.links[l], &b = read.links[l];
      EXPECT_EQ(a.joint, b.joint);
      EXPECT_EQ(a.terms, b.terms);
      EXPECT_EQ(a.values, b.values);
      EXPECT_EQ(a.stiffness, b.stiffness);
      EXPECT_EQ(a.half_size, b.half_size);
      EXPECT_EQ(a.payload, b.payload);
      EXPECT_EQ(a.parent_place, b.parent_place);
      ASSERT_EQ(a.places.size(), b.places.size());
      for (std::size_t i = 0; i < a.places.size(); ++i) expect_near(a.places[i], b.places[i]);
      expect_near(a.X_NJ, b.X_NJ);
      expect_near(a.X_BR, b.X_BR);
    }
  }
}

TEST(OutlineText, HasLoopsAndTheirPlaces) {
  const ArmOutline arm = outline_of(
      build_model(read_model_description(std::string(LIMBER_MODELS_DIR) + "/four_bar/four_bar.yaml")), 3);
  const std::string text = outline_text(arm);
  ASSERT_EQ(arm.loops.size(), 1U);
  EXPECT_EQ(arm.loops[0].name, "pin");
  EXPECT_EQ(arm.loops[0].type, "revolute");
  EXPECT_EQ(arm.loops[0].axis, Eigen::Vector3d::UnitZ());
  EXPECT_EQ(arm.loops[0].a.link, 1);
  EXPECT_EQ(arm.loops[0].b.link, 2);
  EXPECT_EQ(parse_outline(text).loops, arm.loops);
  std::string bad = text;
  const std::string place = "\"b\":{\"link\":2";
  ASSERT_NE(bad.find(place), std::string::npos);
  bad.replace(bad.find(place), place.size(), "\"b\":{\"link\":3");
  try {
    parse_outline(bad);
    ADD_FAILURE() << "a place on no link was read";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("arm.loops[0].b.link"), std::string::npos) << error.what();
  }
}

TEST(OutlineText, OfAnotherKindIsRefusedWithItsPlace) {
  const std::string good = outline_text(outline_of(
      build_model(read_model_description(std::string(LIMBER_MODELS_DIR) + "/canadarm/canadarm.yaml")), 3));
  struct Case {
    std::string from, to, place;
  };
  for (const auto& [from, to, place] :
       {Case{"\"nq\":9", "\"nq\":8", "arm.positions: expected 8 of them, found 9"},
        Case{"\"parent\":-1", "\"parent\":0", "arm.links[0].parent: expected an integer"},
        Case{"\"parent_place\":3", "\"parent_place\":4", "arm.links[1].parent_place"},
        Case{"\"points\":3", "\"points\":4", "arm.links[0].points"},
        Case{"\"kind\":\"turn\"", "\"kind\":\"fly\"", "arm.links[0].joint.steps[0].kind"},
        Case{"[1,0,-1]", "[1,7,-1]", "arm.links[0].terms[0][1]"},
        Case{"[1,0,-1]", "[9,0,-1]", "arm.links[0].terms[0][0]"},
        Case{"\"mass\":", "\"mass\":-", "arm.mass: expected a number >= 0"},
        Case{"\"kinematics\":\"first\"", "\"kinematics\":3", "arm.kinematics: expected a text"},
        Case{"\"is_round\":true", "\"is_round\":1", "arm.links[0].is_round"},
        Case{"{\"name\"", "[\"name\"", "arm: expected the arm's outline as JSON"},
        Case{"\"X_NJ\":[0.0", "\"X_NJ\":[1e999", "arm"},
        Case{"\"X_NJ\":[0.0,0.0,0.0,0.0,0.0,0.0,1.0]", "\"X_NJ\":[0.0,0.0,0.0,0.0,0.0,0.0,2.0]",
             "a unit quaternion"}}) {
    std::string bad = good;
    const std::size_t at = bad.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    bad.replace(at, from.size(), to);
    try {
      parse_outline(bad);
      ADD_FAILURE() << to << " was read";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(place), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace limber
