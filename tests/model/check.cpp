// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "limber/model/model.hpp"

namespace limber {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A valid arm: a beam, and a rigid hand on it.
ModelDescription make_arm() {
  BeamDescription beam;
  beam.length = 2.0;
  beam.section.emplace().mass_per_length = 3.0;
  beam.section->EI_z = 100.0;
  beam.modes.y.emplace().count = 2;
  ModelDescription model;
  model.links.resize(2);
  model.links[0].name = "boom";
  model.links[0].beam = beam;
  model.links[1].name = "hand";
  model.links[1].rigid.emplace().mass = 1.0;
  return model;
}

/// The parts of that arm.
struct Arm {
  ModelDescription& model;
  LinkDescription& boom = model.links[0];
  LinkDescription& hand = model.links[1];
  BeamDescription& beam = *boom.beam;
};

struct Case {
  const char* name;
  std::function<void(Arm)> spoil;
  const char* message;
};

class Check : public testing::TestWithParam<Case> {};

TEST_P(Check, SaysWhatIsWrong) {
  ModelDescription model = make_arm();
  GetParam().spoil(Arm{model});
  std::string messages;
  for (const Problem& problem : check(model)) messages += (messages.empty() ? "" : "\n") + problem.message();
  EXPECT_EQ(messages, GetParam().message);
}

const Case cases[] = {
    // numbers, texts and choices by themselves
    {"Length", [](Arm a) { a.beam.length = -6; }  // namespace
     ,
     "links[0].beam.length: expected a number > 0 [m], found -6"}  // namespace limber
    ,
    {"NotANumber", [](Arm a) { a.beam.length = std::nan(""); },
     "links[0].beam.length: expected a number > 0 [m], found nan"},
    {"Infinity", [](Arm a) { a.model.gravity.x() = infinity; },
     "gravity[0]: expected a number [m/s^2], found inf"},
    {"Gigantic", [](Arm a) { a.hand.rigid->com.y() = -1e31; },
     "links[1].rigid.com[1]: expected a number [m], found -1e+31 (beyond 1e+30: check the unit)"},
    {"Minute", [](Arm a) { a.beam.section->EI_z = 1e-31; },
     "links[0].beam.section.EI_z: expected a number > 0 [N m^2], found 1e-31 (below 1e-30: check the unit)"},
    {"Count", [](Arm a) { a.beam.modes.y->count = 101; },
     "links[0].beam.modes.y.count: expected an integer from 1 to 100, found 101"},
    {"Name", [](Arm a) { a.boom.name = "my boom"; },
     "links[0].name: expected a name of letters, digits, _ and -, beginning with a letter or _, found `my "
     "boom`"},
    {"NoName", [](Arm a) { a.boom.name = ""; },
     "links[0].name: expected a name of letters, digits, _ and -, beginning with a letter or _, found an "
     "empty "
     "text"},
    {"Choice", [](Arm a) { a.beam.tip_rotation = static_cast<TipRotation>(7); },
     "links[0].beam.tip_rotation: expected `slope` or `chord`, found 7"},
    {"TipMass",
     [](Arm a) {
       a.beam.modes.y->shape = ShapeFamily::clamped_mass;
       a.beam.modes.y->tip_mass = NumberOrAuto{false, -1.0};
     },
     "links[0].beam.modes.y.tip_mass: expected a number >= 0 [kg] or `auto`, found -1"},

    // keys that exclude each other
    {"BeamAndRigid", [](Arm a) { a.boom.rigid.emplace().mass = 1.0; },
     "links[0].rigid: expected exactly one of `beam`, `body` and `rigid`, found `beam` and `rigid` (remove "
     "one of "
     "them)"},
    {"NeitherBeamNorRigid", [](Arm a) { a.hand.rigid.reset(); },
     "links[1]: expected exactly one of `beam`, `body` and `rigid`, found none"},
    {"OriginAndDh",
     [](Arm a) {
       a.hand.origin.emplace();
       a.hand.dh.emplace();
     },
     "links[1].dh: expected at most one of `origin` and `dh`, found `origin` and `dh` (remove one of them)"},
    {"NoSection", [](Arm a) { a.beam.section.reset(); },
     "links[0].beam: expected exactly one of `section` and `stations`, found none"},
    {"DampingTwice",
     [](Arm a) {
       a.beam.damping = DampingDescription{0.1, std::nullopt, 0.1};
     },
     "links[0].beam.damping.beta: expected exactly one of `ratio`, (`alpha`, `beta`) and `loss_factor`, "
     "found `ratio` and "
     "`beta` "
     "(remove one of them)"},

    // names and the tree
    {"NoLinks", [](Arm a) { a.model.links.clear(); }, "links: expected at least one link, found none"},
    {"NameTwice", [](Arm a) { a.hand.name = "boom"; },
     "links[1].name: expected a name that no other link has, found `boom` (the name of links[0])"},
    {"JointNameTwice", [](Arm a) { a.hand.joint.name = "boom_joint"; },
     "links[1].joint.name: expected a name that no other joint has, found `boom_joint` (the joint of "
     "links[0])"},
    {"Ground", [](Arm a) { a.hand.name = "base"; },
     "links[1].name: expected a name other than `base`, found `base` (`base` is the ground)"},
    {"ParentUnknown", [](Arm a) { a.hand.parent = "bomo"; },
     "links[1].parent: expected `base` or the name of an earlier link, found `bomo` (did you mean `boom`?)"},
    {"ParentItself", [](Arm a) { a.hand.parent = "hand"; },
     "links[1].parent: expected `base` or the name of an earlier link, found `hand`, the link itself"},
    {"ParentCircle", [](Arm a) { a.boom.parent = "hand"; },
     "links[0].parent: expected `base` or the name of an earlier link, found `hand`, which comes later as "
     "links[1] (the "
     "links carry each other: boom -> hand -> boom)"},
    {"AttachOnBase", [](Arm a) { a.boom.attach = 0.5; },
     "links[0].attach: expected 1 on `base`, found 0.5 (only beams have places along them)"},
    {"EndEffector", [](Arm a) { a.model.end_effector.emplace().link = "hnad"; },
     "end_effector.link: expected the name of a link, found `hnad` (did you mean `hand`?)"},

    // joints
    {"AxisZero", [](Arm a) { a.hand.joint.axis = Eigen::Vector3d::Zero(); },
     "links[1].joint.axis: expected a direction, found [0, 0, 0] (singular: the axis has no length)"},
    {"AxisOfBall",
     [](Arm a) {
       a.hand.joint.type = JointType::spherical;
       a.hand.joint.axis = Eigen::Vector3d::UnitX();
     },
     "links[1].joint.axis: expected no `axis` on a spherical joint, found `axis`"},
    {"AxesMissing", [](Arm a) { a.hand.joint.type = JointType::universal; },
     "links[1].joint: expected the key `axes` for a universal joint, found none (two directions, e.g. axes: "
     "[[0, 0, 1], "
     "[0, 1, 0]])"},
    {"AxesParallel",
     [](Arm a) {
       a.hand.joint.type = JointType::universal;
       a.hand.joint.axes = {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(-1, 1e-9, 0)};
     },
     "links[1].joint.axes: expected two axes that are not parallel, found [1, 0, 0] and [-1, 1e-09, 0] "
     "(singular: use a "
     "revolute joint, or turn one axis)"},
    {"SpringOnFixed",
     [](Arm a) {
       a.hand.joint.type = JointType::fixed;
       a.hand.joint.stiffness = 1;
     },
     "links[1].joint.stiffness: expected no `stiffness` on a fixed joint, found 1"},
    {"Limits",
     [](Arm a) {
       a.hand.joint.limits = JointLimits{1.0, 1.0, {}, {}};
     },
     "links[1].joint.limits: expected `lower` < `upper`, found 1 and 1 [rad]"},

    // bodies
    {"InertiaNegative", [](Arm a) { a.hand.rigid->inertia << 1, 1, 1, 2, 0, 0; },
     "links[1].rigid.inertia: expected an inertia tensor without negative principal moments, found principal "
     "moments "
     "[-1, 1, 3]"},
    {"InertiaTriangle", [](Arm a) { a.boom.root.inertia << 1, 2, 3.1, 0, 0, 0; },
     "links[0].root.inertia: expected an inertia whose largest principal moment is at most the sum of the "
     "others, found "
     "principal moments [1, 2, 3.1] (no body has these)"},

    // sections, stations and modes
    {"StiffnessMissing", [](Arm a) { a.beam.modes.torsion.emplace().count = 1; },
     "links[0].beam.section: expected the key `GJ` for the modes `torsion`, found none (or leave `torsion` "
     "out "
     "of the "
     "modes: the beam is then rigid there)"},
    {"MassMissing", [](Arm a) { a.beam.section->mass_per_length.reset(); },
     "links[0].beam.section: expected the key `mass_per_length`, found none"},
    {"OneStation",
     [](Arm a) {
       a.beam.stations = {{0.0, *a.beam.section}};
       a.beam.section.reset();
     },
     "links[0].beam.stations: expected at least 2 stations, found 1"},
    {"CountMissing", [](Arm a) { a.beam.modes.y->count.reset(); },
     "links[0].beam.modes.y: expected the key `count`, found none (how many shapes)"},
    {"FamilyWithoutTable", [](Arm a) { a.beam.modes.y->shape = ShapeFamily::table; },
     "links[0].beam.modes.y.shape: expected the family `table` together with a table of numbers, found "
     "`table`"},
    {"TableSizes",
     [](Arm a) {
       a.beam.modes.y->shape = ShapeFamily::table;
       a.beam.modes.y->table =
           ModeTable{"", Eigen::VectorXd::LinSpaced(3, 0, 2), Eigen::MatrixXd::Ones(2, 2)};
     },
     "links[0].beam.modes.y.shape.table: expected as many rows of values as of x, found 2 and 3"},
    {"TableNotFinite",
     [](Arm a) {
       a.beam.modes.y->shape = ShapeFamily::table;
       a.beam.modes.y->table =
           ModeTable{"", Eigen::VectorXd::LinSpaced(3, 0, 2), Eigen::MatrixXd::Constant(3, 2, infinity)};
     },
     "links[0].beam.modes.y.shape.table: expected finite numbers up to 1e+30, found others"},
    {"TableDescends",
     [](Arm a) {
       a.beam.modes.y->shape = ShapeFamily::table;
       a.beam.modes.y->table = ModeTable{"", Eigen::Vector4d(0, 1, 1, 2), Eigen::MatrixXd::Ones(4, 2)};
     },
     "links[0].beam.modes.y.shape.table: expected ascending x, found 1 after 1"},

    // a slip hides what would only follow from it, in its own link
    {"OnlyTheSlip",
     [](Arm a) {
       a.beam.length = 0;
       a.beam.stations = {{0.0, *a.beam.section}, {2.0, *a.beam.section}};
       a.beam.section.reset();
       a.hand.joint.limits = JointLimits{2.0, 1.0, {}, {}};
     },
     "links[0].beam.length: expected a number > 0 [m], found 0\n"
     "links[1].joint.limits: expected `lower` < `upper`, found 2 and 1 [rad]"},
};

INSTANTIATE_TEST_SUITE_P(Model, Check, testing::ValuesIn(cases),
                         [](const auto& instance) { return instance.param.name; });

TEST(CheckOfDescriptions, AcceptsAValidArm) { EXPECT_TRUE(check(make_arm()).empty()); }

TEST(CheckOfDescriptions, AcceptsPlanarAndPointBodies) {
  ModelDescription model = make_arm();
  const Arm a{model};
  a.hand.rigid->inertia << 1, 2, 3 * (1 + 1e-10), 0, 0, 0;
  a.hand.tip.emplace().com.x() = 3;  // a payload without mass is harmless
  EXPECT_TRUE(check(model).empty());
}

TEST(CheckOfDescriptions, AcceptsARigidBeamWithoutAnyStiffness) {
  ModelDescription model = make_arm();
  const Arm a{model};
  a.beam.modes.y.reset();
  a.beam.section->EI_z.reset();
  EXPECT_TRUE(check(model).empty());
}

TEST(CheckOfDescriptions, StationsAreAtTheEndsUpToRounding) {
  ModelDescription model = make_arm();
  const Arm a{model};
  a.beam.stations = {{1e-15, *a.beam.section}, {a.beam.length * (1 + 1e-15), *a.beam.section}};
  a.beam.section.reset();
  ASSERT_TRUE(check(model).empty());
  const std::vector<double> places = build_model(model).links()[0].beam->basis.profile().breakpoints();
  EXPECT_EQ(places.front(), 0.0);
  EXPECT_EQ(places.back(), a.beam.length);
}

}  // namespace
}  // namespace limber
