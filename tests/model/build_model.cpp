// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <filesystem>
#include <fstream>

#include "limber/io/model_file.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

const char* two_links = R"(
limber: 1
name: two_links
gravity: [0, -9.81, 0]
links:
  - name: boom
    joint: {name: shoulder, type: revolute, axis: [0, 0, 2], damping: 0.5, armature: 0.1}
    root: {xyz: [0.05, 0, 0], rpy: [0.1, 0, 0], mass: 1.5, com: [0.01, 0, 0], inertia: [0.02, 0.02, 0.02, 0, 0, 0]}
    beam:
      length: 6
      section: {EI_y: 1e5, EI_z: 2e5, GJ: 8e4, mass_per_length: 20, rotary_inertia: [0.2, 0.1, 0.1]}
      modes:
        y: {count: 3}
        z: {shape: clamped-mass, count: 2, tip_mass: auto, tip_inertia: auto}
        torsion: {shape: clamped-free, count: 1}
      damping: {ratio: 0.01}
    tip: {mass: 2.1, com: [0.1, 0.2, 0]}
  - name: crossbar
    attach: 0.5
    origin: {xyz: [0, 0.1, 0], rpy: [0, 0, 1]}
    joint: {type: fixed}
    rigid: {mass: 4, com: [0.4, 0, 0], inertia: [0.1, 0.2, 0.2, 0, 0, 0], tip: {xyz: [0.8, 0, 0]}}
  - name: forearm
    parent: boom
    joint: {name: elbow, type: revolute, axis: [0, 0, 1]}
    beam:
      length: 2
      section: {EI_z: 1e4, mass_per_length: 5}
      modes: {y: {shape: polynomial, count: 2}}
)";

ModelBuilder same_in_cpp() {
  ModelBuilder builder("two_links");
  JointDescription shoulder;
  shoulder.name = "shoulder";
  shoulder.axis = Eigen::Vector3d(0, 0, 2);
  shoulder.damping = 0.5;
  shoulder.armature = 0.1;
  RootDescription root;
  root.xyz = {0.05, 0, 0};
  root.rpy = {0.1, 0, 0};
  root.mass = 1.5;
  root.com = {0.01, 0, 0};
  root.inertia << 0.02, 0.02, 0.02, 0, 0, 0;
  SectionDescription section;
  section.EI_y = 1e5;
  section.EI_z = 2e5;
  section.GJ = 8e4;
  section.mass_per_length = 20;
  section.rotary_inertia = Eigen::Vector3d(0.2, 0.1, 0.1);
  ModesDescription loaded;
  loaded.shape = ShapeFamily::clamped_mass;
  loaded.count = 2;
  loaded.tip_mass = loaded.tip_inertia = NumberOrAuto{true, 0.0};
  TipDescription tip;
  tip.mass = 2.1;
  tip.com = {0.1, 0.2, 0};
  RigidDescription bar;
  bar.mass = 4;
  bar.com = {0.4, 0, 0};
  bar.inertia << 0.1, 0.2, 0.2, 0, 0, 0;
  bar.tip.xyz = {0.8, 0, 0};
  SectionDescription thin;
  thin.EI_z = 1e4;
  thin.mass_per_length = 5;
  return builder.gravity({0, -9.81, 0})
      .link("boom")
      .joint(shoulder)
      .root(root)
      .beam(6, section)
      .modes(Direction::y, 3)
      .modes(Direction::z, loaded)
      .modes(Direction::torsion, 1, ShapeFamily::clamped_free)
      .damping_ratio(0.01)
      .tip(tip)
      .link("crossbar", "", 0.5)
      .origin({0, 0.1, 0}, {0, 0, 1})
      .fixed()
      .rigid(bar)
      .link("forearm", "boom")
      .revolute({0, 0, 1}, "elbow")
      .beam(2, thin)
      .modes(Direction::y, 2, ShapeFamily::polynomial);
}

void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(a.name(), b.name());
  EXPECT_EQ(a.gravity(), b.gravity());
  EXPECT_EQ(a.coordinates(), b.coordinates());
  EXPECT_EQ(a.nq(), b.nq());
  ASSERT_EQ(a.links().size(), b.links().size());
  for (std::size_t i = 0; i < a.links().size(); ++i) {
    const Link &x = a.links()[i], &y = b.links()[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.parent, y.parent);
    EXPECT_EQ(x.parent_node, y.parent_node);
    EXPECT_EQ(x.X_NJ, y.X_NJ);
    EXPECT_EQ(x.X_BR, y.X_BR);
    EXPECT_EQ(x.rigid, y.rigid);
    EXPECT_EQ(x.joint.name, y.joint.name);
    EXPECT_EQ(x.joint.axes, y.joint.axes);
    EXPECT_EQ(x.joint.damping, y.joint.damping);
    ASSERT_EQ(x.beam != nullptr, y.beam != nullptr);
    if (!x.beam) continue;
    EXPECT_EQ(x.beam->integrals.gram, y.beam->integrals.gram);
    EXPECT_EQ(x.beam->integrals.stiffness, y.beam->integrals.stiffness);
    EXPECT_EQ(x.beam->damping, y.beam->damping);
  }
}

TEST(ModelBuilder, GivesTheSameModelAsTheFile) {
  const Model from_file = build_model(parse_model_description(two_links, "two_links.yaml", "."));
  expect_same(same_in_cpp().build(), from_file);
}

TEST(ModelBuilder, SaysWhenThereIsNothingToWorkOn) {
  EXPECT_THROW(ModelBuilder("arm").revolute({0, 0, 1}), InputError);
  EXPECT_THROW(ModelBuilder("arm").link("boom").modes(Direction::y, 2), InputError);
}

TEST(BuildModel, NamesAndNumbersCoordinatesAsTheContractSays) {
  const Model model = same_in_cpp().build();
  const std::vector<std::string> expected{"shoulder", "boom.y1",       "boom.y2", "boom.y3",    "boom.z1",
                                          "boom.z2",  "boom.torsion1", "elbow",   "forearm.y1", "forearm.y2"};
  EXPECT_EQ(model.coordinates(), expected);
  EXPECT_EQ(model.nq(), 10);
  EXPECT_EQ(model.links()[2].joint.v_index, 7);
  EXPECT_EQ(model.links()[2].elastic_v_index, 8);
  EXPECT_EQ(model.links()[1].joint.name, "crossbar_joint");
}

TEST(BuildModel, SitsLinksOnTheRightNodes) {
  const Model model = same_in_cpp().build();
  ASSERT_EQ(model.links()[0].nodes.size(), 2u);
  EXPECT_EQ(model.links()[1].parent_node, 1);
  EXPECT_DOUBLE_EQ(model.links()[0].nodes[1].field.x, 3.0);
  EXPECT_EQ(model.links()[2].parent_node, 0);
  EXPECT_DOUBLE_EQ(model.links()[0].nodes[0].field.x, 6.0);
}

// What hangs on the boom's tip: its tip body and the forearm. The crossbar sits at mid-span and does not
// count.
TEST(BuildModel, AutoTipLoadIsWhatHangsOnTheTip) {
  const Model model = same_in_cpp().build();
  const TipLoad& tip = model.links()[0].beam->directions[1].request.tip;
  EXPECT_NEAR(tip.mass, 2.1 + 10.0, 1e-12);
  EXPECT_NEAR(tip.static_moment, 2.1 * 0.1 + 10.0 * 1.0, 1e-12);
  EXPECT_NEAR(tip.inertia, 2.1 * 0.01 + 10.0 * 4.0 / 3.0, 1e-12);  // about y
}

TEST(BuildModel, MassIsTheSumOfAllPieces) {
  EXPECT_NEAR(same_in_cpp().build().mass(), 1.5 + 120.0 + 2.1 + 4.0 + 10.0, 1e-12);
}

TEST(BuildModel, RefusesShapesThatAreAlikeToRounding) {
  ModelBuilder builder("arm");
  builder.link("boom").revolute({0, 0, 1}).beam(2.0, {.EI_z = 1e4, .mass_per_length = 5.0});
  EXPECT_NO_THROW(ModelBuilder(builder).modes(Direction::y, 8, ShapeFamily::polynomial).build());
  try {
    builder.modes(Direction::y, 12, ShapeFamily::polynomial).build();
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().path, "links[0].beam.modes.y.count");
  }
}

// A hundred modes at second order would keep a machine busy for minutes.
TEST(BuildModel, RefusesMoreProductsOfShapesThanItCanIntegrateSoon) {
  ModelBuilder builder("arm");
  builder.link("boom").revolute({0, 0, 1}).beam(2.0, {.EI_z = 1e4, .mass_per_length = 5.0});
  builder.modes(Direction::y, 100, ShapeFamily::clamped_free);
  try {
    builder.build();
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().path, "links[0].beam.modes");
    EXPECT_EQ(error.problems().front().found, "5050");
  }
  EXPECT_EQ(builder.kinematics(KinematicOrder::first).build().nv(), 101);
}

// As some tables of real robots have it; more is refused (check.cpp).
TEST(BuildModel, DoubtsAnInertiaThatNoBodyHasByAFewPercent) {
  const auto doubts = [](double largest) {
    RigidDescription rigid;
    rigid.mass = 1.0;
    rigid.inertia = {1.0, 2.0, largest, 0.0, 0.0, 0.0};
    LinkDescription link;
    link.name = "hand";
    link.rigid = rigid;
    ModelDescription description;
    description.links = {link};
    return advice(build_model(description));
  };
  EXPECT_TRUE(doubts(3.0).empty());
  ASSERT_EQ(doubts(3.06).size(), 1u);
  EXPECT_EQ(doubts(3.06).front(),
            "hand: the largest principal moment of inertia is 2 % larger than the sum of the others: no body "
            "has these, "
            "but they serve");
}

// The frame of a section inside the span: bent as a child there would be.
TEST(BuildModel, PutsTheEndEffectorAnywhereOnABeam) {
  const auto arm = [](const std::string& rest) {
    return build_model(parse_model_description(
        "limber: 1\nlinks:\n  - {name: boom, beam: {length: 2, section: {EI_z: 100, mass_per_length: 1}, "
        "modes: "
        "{y: {shape: polynomial, count: 2}}}}\n" +
            rest,
        "arm.yaml", "."));
  };
  const Model model = arm("end_effector: {link: boom, at: 0.25, xyz: [0, 0, 0.1]}\n");
  const Frame& end = model.end_effector();
  EXPECT_EQ(end.link, 0);
  const Node& node = model.links()[0].nodes[static_cast<std::size_t>(end.node)];
  EXPECT_EQ(node.at, 0.25);
  EXPECT_EQ(node.field.x, 0.5);
  EXPECT_EQ(end.X_NE.p, Eigen::Vector3d(0, 0, 0.1));
  EXPECT_EQ(arm("end_effector: {link: boom}\n").end_effector().node, 0);
  // It stays there with other kinematics, and where a child sits at the same place there is one node.
  const Model first = with_kinematics(model, KinematicOrder::first);
  EXPECT_EQ(first.links()[0].nodes[static_cast<std::size_t>(first.end_effector().node)].at, 0.25);
  const Model shared =
      arm("  - {name: hand, attach: 0.25, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\nend_effector: "
          "{link: boom, at: "
          "0.25}\n");
  EXPECT_EQ(shared.links()[0].nodes.size(), 2u);
  EXPECT_EQ(shared.end_effector().node, shared.links()[1].parent_node);
}

TEST(BuildModel, EveryArmInModelsHasSoundMatrices) {
  int arms = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(LIMBER_MODELS_DIR)) {
    if (entry.path().extension() != ".yaml" || is_scenario(entry.path())) continue;
    SCOPED_TRACE(entry.path());
    ++arms;
    const Model model = read_model(entry.path());
    for (const Link& link : model.links()) {
      if (!link.beam || link.elastic_count == 0) continue;
      const ShapeIntegrals& integrals = link.beam->integrals;
      EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(integrals.stiffness).eigenvalues()[0], 0.0);
      EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(integrals.rest_inertia).eigenvalues()[0], 0.0);
      EXPECT_TRUE(integrals.gram.allFinite());
    }
  }
  EXPECT_GE(arms, 10);
}

}  // namespace
}  // namespace limber
