// SPDX-License-Identifier: BSD-3-Clause
// Beams that bend far, in segments (docs/large-deflections.md), against the elastica, the roll-up of a cantilever and the Princeton beam.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/range.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/lookup.hpp"

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double pi = std::numbers::pi;

// A clamped beam of length 2 and EI = 50 along x.
Model cantilever(int segments, int shapes, KinematicOrder order = KinematicOrder::second) {
  ModelDescription description;
  description.gravity.setZero();
  description.kinematics = order;
  LinkDescription& link = description.links.emplace_back();
  link.name = "beam";
  link.joint.type = JointType::fixed;
  link.beam.emplace().length = 2.0;
  link.beam->section.emplace();
  link.beam->section->EI_z = 50.0;
  link.beam->section->mass_per_length = 3.0;
  link.beam->modes.y.emplace().count = shapes;
  link.beam->segments = segments;
  return build_model(description);
}

Load at_tip(const Model& model, const Vector3d& force, const Vector3d& moment = Vector3d::Zero()) {
  Load load;
  load.link = place_on(model, whole_links(model).front().name).link;
  load.force = force;
  load.moment = moment;
  return load;
}

TipState bent(const Model& model, const Load& load) {
  const Equilibrium e = static_equilibrium(model, neutral_configuration(model), {load});
  return tip_state(model, whole_links(model).front(), e.q);
}

TEST(Elastica, IsMetBySixteenSegments) {
  // K. Mattiasson, Int. J. Numer. Meth. Eng. 17 (1981): horizontal and vertical displacement of the tip, in lengths.
  struct Row {
    double load, u, w;
  };
  for (const Row& row :
       {Row{1.0, 0.05643, 0.30172}, Row{5.0, 0.38763, 0.71379}, Row{10.0, 1.0 - 0.445004, 0.810609}}) {
    const Model model = cantilever(16, 3);
    const Vector3d moved = bent(model, at_tip(model, {0.0, row.load * 50.0 / 4.0, 0.0})).deflection / 2.0;
    EXPECT_NEAR(moved.x(), -row.u, 1e-3 * row.u) << row.load;
    EXPECT_NEAR(moved.y(), row.w, 1e-3 * row.w) << row.load;
  }
}

TEST(Elastica, IsApproachedWithTheCubeOfTheSegments) {
  const auto error = [](int segments) {
    const Model model = cantilever(segments, 3);
    const Vector3d moved = bent(model, at_tip(model, {0.0, 10.0 * 50.0 / 4.0, 0.0})).deflection / 2.0;
    return (moved - Vector3d(-(1.0 - 0.445004), 0.810609, 0.0)).norm();
  };
  EXPECT_NEAR(error(8) / error(16), 8.0, 1.0);
}

TEST(Cantilever, RollsUpIntoACircle) {
  const Model model = cantilever(16, 2);
  const TipState tip = bent(model, at_tip(model, Vector3d::Zero(), {0.0, 0.0, 2.0 * pi * 50.0 / 2.0}));
  EXPECT_NEAR(tip.slope.z(), 2.0 * pi, 1e-9) << "M L / EI, whatever the segments";
  // The tip is back at the root.
  EXPECT_NEAR(tip.deflection.x(), -2.0, 0.01 * 2.0);
  EXPECT_NEAR(tip.deflection.y(), 0.0, 0.01 * 2.0);
}

TEST(Cantilever, IsACircleBetweenItsEnds) {
  // That the tip is back at the root follows from symmetry. Points between lie on a circle about (0, R).
  Model model = cantilever(16, 2);
  const Equilibrium e =
      static_equilibrium(model, neutral_configuration(model),
                         {at_tip(model, Vector3d::Zero(), {0.0, 0.0, 2.0 * pi * 50.0 / 2.0})});
  const double R = 2.0 / (2.0 * pi);
  for (const double at : {0.1, 0.25, 0.47, 0.5, 0.8}) {
    const LinkPlace place = place_on(model, "beam", at);
    model = with_node(model, place.link, place.at);
    Workspace<double> work(model);
    update_positions<double>(model, work, e.q);
    update_world_poses(work);
    const Vector3d found = frame_pose<double>(model, work, frame(model, "beam", at)).p;
    const Vector3d exact(R * std::sin(2.0 * pi * at), R * (1.0 - std::cos(2.0 * pi * at)), 0.0);
    EXPECT_LT((found - exact).norm(), 0.01 * R) << at << ": " << found.transpose();
  }
}

TEST(Cantilever, HasOneCurvatureAllAlongWhereItRollsUp) {
  const Model model = cantilever(16, 2);
  const Equilibrium e = static_equilibrium(model, neutral_configuration(model),
                                           {at_tip(model, Vector3d::Zero(), {0.0, 0.0, pi * 50.0 / 2.0})});
  for (const double x : {0.0, 0.3, 1.0, 1.7, 2.0})
    EXPECT_NEAR(beam_strain(model, whole_links(model).front(), e.q, x).kappa_z, pi / 2.0, 1e-9) << x;
}

TEST(PrincetonBeam, IsMetByFourSegments) {
  ModelDescription description =
      read_model(std::string(LIMBER_MODELS_DIR) + "/princeton_beam/princeton_beam.yaml").description();
  description.links.front().beam->segments = 4;
  const Model model = build_model(description);
  struct Row {
    double angle_deg, y, z;
  };
  for (const Row& row :
       {Row{0.0, 0.010714, 0.0}, Row{15.0, 0.010613, 0.042082}, Row{30.0, 0.010112, 0.079395},
        Row{45.0, 0.008837, 0.108988}, Row{60.0, 0.006605, 0.129888}, Row{75.0, 0.003539, 0.142194},
        Row{90.0, 0.0, 0.146246}}) {
    const double angle = row.angle_deg * pi / 180.0;
    const Vector3d moved =
        bent(model, at_tip(model, 8.896 * Vector3d(0.0, std::cos(angle), std::sin(angle)))).deflection;
    EXPECT_NEAR(std::hypot(moved.y() - row.y, moved.z() - row.z), 0.0, 5e-3 * std::hypot(row.y, row.z))
        << row.angle_deg << ": " << moved.transpose();
  }
}

TEST(DeflectionWarning, ProposesSegmentsThatAreEnough) {
  const auto warning_of = [](const Model& model) -> std::optional<std::string> {
    const Load load = at_tip(model, {0.0, 2.0 * 50.0 / 4.0, 0.0});
    const Equilibrium e = static_equilibrium(model, neutral_configuration(model), {load});
    for (const Link& link : model.links()) {
      const TipState tip = tip_state(link, e.q);
      if (auto warning = deflection_warning(link, tip.deflection.tail<2>().norm(), tip.slope.norm()))
        return warning;
    }
    return std::nullopt;
  };
  int segments = 1, rounds = 0;
  while (const auto warning = warning_of(cantilever(segments, 3))) {
    const auto at = warning->find("`segments: ");
    ASSERT_NE(at, std::string::npos) << *warning;
    const int proposed = std::stoi(warning->substr(at + 11));
    ASSERT_GT(proposed, segments);
    segments = proposed;
    ASSERT_LE(++rounds, 3) << *warning;
  }
  EXPECT_LE(segments, 16);
  EXPECT_GE(segments, 5);
}

}  // namespace
}  // namespace limber
