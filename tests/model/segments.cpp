// SPDX-License-Identifier: BSD-3-Clause
// Links in segments (docs/large-deflections.md): what becomes of names, places, sections and damping.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/modal_damping.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/builder.hpp"
#include "limber/model/lookup.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double pi = std::numbers::pi;

// A boom in `segments`, with a jib on its tip, a lamp in its middle and a camera between.
ModelDescription arm(std::optional<int> segments) {
  ModelBuilder builder("arm");
  builder.link("boom")
      .revolute(Vector3d::UnitZ(), "shoulder")
      .root({.xyz = {0.1, 0.0, 0.2}, .rpy = {0.1, 0.2, 0.3}, .mass = 3.0})
      .beam(6.0, {.EI_y = 2e4, .EI_z = 1e4, .GJ = 8e3, .mass_per_length = 5.0})
      .modes(Direction::y, 3)
      .modes(Direction::z, 3)
      .modes(Direction::torsion, 1)
      .tip({.mass = 2.0, .com = {0.1, 0.0, 0.0}});
  builder.current_link().beam->segments = segments;
  builder.current_link().beam->section->rotary_inertia = Vector3d(0.02, 0.01, 0.01);
  builder.link("jib").revolute(Vector3d::UnitY(), "elbow").beam(3.0, {.EI_z = 1e4, .mass_per_length = 4.0});
  builder.modes(Direction::y, 2);
  builder.link("lamp", "boom", 0.5).revolute(Vector3d::UnitX(), "neck").rigid({});
  builder.current_link().rigid->mass = 1.5;
  builder.current_link().rigid->com = {0.2, 0.0, 0.0};
  builder.current_link().rigid->inertia << 0.1, 0.1, 0.1, 0.0, 0.0, 0.0;
  builder.end_effector({.link = "boom", .at = 0.3});
  return builder.description();
}

TEST(Segments, OfOneAreNone) {
  const Model one = build_model(arm(1)), none = build_model(arm({}));
  EXPECT_EQ(one.coordinates(), none.coordinates());
  EXPECT_FALSE(has_segments(one));
}

TEST(Segments, AreNamedAndNumberedInARow) {
  const Model model = build_model(arm(4));
  EXPECT_TRUE(has_segments(model));
  ASSERT_EQ(model.links().size(), 6u);
  EXPECT_EQ(model.links()[0].name, "boom.1");
  EXPECT_EQ(model.links()[3].name, "boom.4");
  EXPECT_EQ(model.links()[0].joint.name, "shoulder");
  EXPECT_EQ(model.links()[1].joint.type, JointType::fixed);
  EXPECT_EQ(model.coordinates()[0], "shoulder");
  EXPECT_EQ(model.coordinates()[1], "boom.1.y1");
  EXPECT_EQ(model.coordinates()[1 + 7], "boom.2.y1");
  EXPECT_EQ(model.coordinates()[1 + 4 * 7 - 1], "boom.4.torsion1");
  EXPECT_EQ(model.coordinates()[1 + 4 * 7], "elbow");
  EXPECT_EQ(model.description().links.size(), 3u) << "what its author wrote";
  EXPECT_NEAR(model.mass(), build_model(arm({})).mass(), 1e-12);
  EXPECT_EQ(elastic_coordinates_named(model, "boom").size(), 28u);
  EXPECT_EQ(elastic_coordinates_named(model, "boom.2").size(), 7u);
}

TEST(Segments, KnowPlacesOnTheWholeLink) {
  const Model model = build_model(arm(4));
  struct Row {
    double at;
    int link;
    double own;
  };
  for (const Row& row : {Row{0.0, 0, 0.0}, Row{0.125, 0, 0.5}, Row{0.25, 0, 1.0}, Row{0.3, 1, 0.2},
                         Row{0.5, 1, 1.0}, Row{1.0, 3, 1.0}}) {
    const LinkPlace place = place_on(model, "boom", row.at);
    EXPECT_EQ(place.link, row.link) << row.at;
    EXPECT_NEAR(place.at, row.own, 1e-15) << row.at;
  }
  EXPECT_EQ(place_on(model, "boom.3", 0.25).link, 2);
  EXPECT_EQ(place_on(model, "boom.3", 0.25).at, 0.25);
  EXPECT_EQ(place_on(model, "jib").link, 4);
  EXPECT_EQ(place_on(model, "jib", 1e-12).at, 1e-12) << "on a link that is not cut nothing is rounded";
  EXPECT_EQ(model.links()[4].parent, 3) << "the jib sits on the last segment";
  EXPECT_EQ(model.links()[5].parent, 1) << "the lamp on the second one's tip";
  EXPECT_EQ(model.end_effector().link, 1);
  EXPECT_NEAR(model.links()[1].nodes[static_cast<std::size_t>(model.end_effector().node)].at, 0.2, 1e-15);
  for (const char* wrong : {"boom.5", "bom"}) EXPECT_THROW(place_on(model, wrong), InputError) << wrong;
  EXPECT_THROW(link_index(model, "boom"), InputError);
  EXPECT_EQ(link_names(model),
            (std::vector<std::string>{"boom", "boom.1", "boom.2", "boom.3", "boom.4", "jib", "lamp"}));
  EXPECT_THROW(with_node(model, place_on(model, "boom", 1.5).link, place_on(model, "boom", 1.5).at),
               InputError);
}

// The same arm by hand: links on fixed joints, as an author would write them without `segments`.
ModelDescription by_hand() {
  const ModelDescription whole = arm({});
  ModelDescription pieces = whole;
  pieces.links.clear();
  for (int i = 0; i < 3; ++i) {
    LinkDescription piece = whole.links[0];
    piece.name = "piece" + std::to_string(i);
    piece.beam->length = 2.0;
    if (i > 0) {
      piece.root = {};
      piece.joint = {};
      piece.joint.type = JointType::fixed;
    }
    if (i < 2) piece.tip.reset();
    pieces.links.push_back(piece);
  }
  pieces.links.push_back(whole.links[1]);
  pieces.links.push_back(whole.links[2]);
  pieces.links.back().parent = "piece1";
  pieces.links.back().attach = 0.5;
  pieces.end_effector->link = "piece0";
  pieces.end_effector->at = 0.9;
  return pieces;
}

TEST(Segments, AreBeamsOnFixedJoints) {
  for (const KinematicOrder order : {KinematicOrder::first, KinematicOrder::second}) {
    ModelDescription cut = arm(3), hand = by_hand();
    cut.kinematics = hand.kinematics = order;
    const Model a = build_model(cut), b = build_model(hand);
    ASSERT_EQ(a.nv(), b.nv());
    VectorXd q(a.nq());
    for (int i = 0; i < a.nq(); ++i) q[i] = 0.05 * std::sin(1.0 + 3.0 * i);
    MatrixXd M_a(a.nv(), a.nv()), M_b(b.nv(), b.nv());
    Workspace<double> work_a(a), work_b(b);
    mass_matrix(a, work_a, q, M_a);
    mass_matrix(b, work_b, q, M_b);
    EXPECT_LT((M_a - M_b).norm(), 1e-12 * M_b.norm());
    EXPECT_EQ(elastic_stiffness(a), elastic_stiffness(b));
  }
}

TEST(Segments, KeepWithKinematicsAndItsNodes) {
  const Model model = with_node(build_model(arm(3)), 2, 0.4);
  const Model other = with_kinematics(model, KinematicOrder::first);
  EXPECT_EQ(other.coordinates(), model.coordinates());
  EXPECT_EQ(other.links()[2].nodes.back().at, 0.4);
}

TEST(Segments, HaveTheirPartOfATaperedBeam) {
  const Material steel{2.1e11, 8e10, 7850.0};
  const SectionGeometry root{SectionShape::box, 0.0, 0.4, 0.3, 0.01, steel, {}},
      middle{SectionShape::box, 0.0, 0.2, 0.25, 0.008, steel, {}};
  const Section soft{1e4, 2e4, 3e4, 4e4, 5.0, {0.1, 0.2, 0.3}};
  // With a step at 3.0, where a piece ends too.
  const SectionProfile whole({{0.0, root}, {2.5, middle}, {3.0, root}, {3.0, soft}, {6.0, middle}});
  for (const int count : {1, 2, 4, 7})
    for (int i = 0; i < count; ++i) {
      const SectionProfile piece = whole.piece(i, count);
      const double length = 6.0 / count;
      EXPECT_DOUBLE_EQ(piece.length(), length);
      for (const double part : {1e-9, 0.2, 0.5, 0.77, 1.0 - 1e-9}) {
        const Section expected = whole.at((i + part) * length), found = piece.at(part * length);
        for (const Direction d : all_directions)
          EXPECT_NEAR(found.stiffness(d), expected.stiffness(d), 1e-6 * expected.stiffness(d))
              << count << " " << i << " " << part;
        EXPECT_NEAR(found.mass_per_length, expected.mass_per_length, 1e-6 * expected.mass_per_length);
        EXPECT_LT((found.rotary_inertia - expected.rotary_inertia).norm(), 1e-6);
      }
    }
}

TEST(Segments, HaveTheFrequenciesOfTheBeam) {
  // beta L of the clamped-free beam; segments give them together.
  const double beta_L[] = {1.875104068711961, 4.694091132974174, 7.854757438237613, 10.995540734875467};
  ModelDescription description;
  LinkDescription& link = description.links.emplace_back();
  link.name = "beam";
  link.joint.type = JointType::fixed;
  link.beam.emplace().length = 2.0;
  link.beam->section.emplace();
  link.beam->section->EI_z = 50.0;
  link.beam->section->mass_per_length = 3.0;
  link.beam->modes.y.emplace().count = 4;
  link.beam->segments = 5;
  const Model model = build_model(description);
  const auto modes = natural_modes(model, neutral_configuration(model), JointTreatment::locked, 4);
  for (int i = 0; i < 4; ++i) {
    const double exact = beta_L[i] * beta_L[i] / 4.0 * std::sqrt(50.0 / 3.0);
    EXPECT_NEAR(modes.angular_frequencies[i], exact, 1e-4 * exact);
  }
}

TEST(Segments, AreDampedAsTheWholeLink) {
  ModelDescription description = arm(4);
  description.links.resize(1);
  description.end_effector.reset();
  description.gravity.setZero();
  LinkDescription& link = description.links.front();
  link.joint = {};
  link.joint.type = JointType::fixed;
  link.beam->damping.emplace().ratio = 0.02;
  const Model model = build_model(description);
  const VectorXd q = neutral_configuration(model);
  const auto modes = natural_modes(model, q, JointTreatment::locked, 2);
  const VectorXd ratios = damping_ratios(model, q, modes);
  ASSERT_GE(ratios.size(), 2);
  // The first mode of each plane has the ratio; above it grows with frequency, as material damping does.
  EXPECT_NEAR(ratios[0], 0.02, 1e-4);
  EXPECT_NEAR(ratios[1], 0.02, 1e-4);
}

TEST(TipState, CountsTurnsBeyondHalfAOne) {
  ModelDescription description = arm(8);
  description.links.resize(1);
  description.end_effector.reset();
  const Model model = build_model(description);
  // The first cubic of each segment with a slope but no deflection at the tip would not do: give all the same tip rotation by Craig-Bampton's second shape.
  VectorXd q = VectorXd::Zero(model.nq());
  const WholeLink whole = whole_links(model).front();
  for (const double turns : {0.2, 0.7, 1.0, 1.4}) {
    for (int i = 0; i < 8; ++i) {
      const Link& segment = model.links()[static_cast<std::size_t>(i)];
      const double slope = segment.nodes.front().field.Psi(2, 1);
      q[segment.elastic_q_index + 1] = 2.0 * pi * turns / 8.0 / slope;
    }
    const TipState tip = tip_state(model, whole, q);
    EXPECT_NEAR(tip.slope.z(), 2.0 * pi * turns, 1e-12);
    EXPECT_NEAR(tip.slope.head<2>().norm(), 0.0, 1e-12);
  }
}

TEST(Segments, RefuseShapesThatTurnAtTheRoot) {
  ModelDescription description = arm(2);
  description.links[0].beam->modes.y->shape = ShapeFamily::pinned_pinned;
  try {
    build_model(description);
    FAIL() << "a hinge in the middle of a beam";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("links[0].beam.modes.y.shape"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace limber
