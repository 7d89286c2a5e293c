// SPDX-License-Identifier: BSD-3-Clause
// URDFs as models: what is refused, what is said, links that bend. That numbers are right is for tests/crosscheck/urdf.cpp.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <sstream>

#include "io/files.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/model_notes.hpp"
#include "limber/io/model_writer.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/math/rotation.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

const std::filesystem::path folder = std::string(LIMBER_TESTS_DIR) + "/io/urdf";
const std::filesystem::path bad_folder = std::string(LIMBER_TESTS_DIR) + "/io/bad_urdf";

// ---- files that are wrong: each begins with the messages, as <!-- expect: LINE:COLUMN: ... --> ----

class BadUrdf : public testing::TestWithParam<std::filesystem::path> {
 protected:
  static void SetUpTestSuite() { std::filesystem::current_path(bad_folder); }
};
INSTANTIATE_TEST_SUITE_P(Io, BadUrdf, testing::ValuesIn(test::files_in(bad_folder, ".urdf")),
                         [](const auto& file) { return test::name_of(file.param); });

std::string expected_messages(const std::filesystem::path& file) {
  const std::string begin = "<!-- expect: ", end = " -->";
  std::istringstream stream(test::read_all(file));
  std::string messages;
  for (std::string line; std::getline(stream, line) && line.starts_with(begin);)
    messages += line.substr(begin.size(), line.size() - begin.size() - end.size()) + "\n";
  return messages;
}

std::string found_messages(const std::string& file, const Settings& settings = {}) {
  std::string messages;
  try {
    read_model_description(file, settings);
  } catch (const FileError& error) {
    std::istringstream stream(error.what());
    for (std::string line; std::getline(stream, line);)
      messages += (line.starts_with(file + ":") ? line.substr(file.size() + 1) : line) + "\n";
  }
  return messages;
}

TEST_P(BadUrdf, GetsItsMessages) {
  EXPECT_EQ(found_messages(GetParam().filename().string()), expected_messages(GetParam()));
}

// Files of other kinds are called what they are, whatever comes before their first word.
TEST(Urdf, IsNotEveryFileThatItIsSaidToBe) {
  const TemporaryFolder files;
  const std::filesystem::path model = files.write("model.yaml", "limber: 1\nurdf: robot.urdf\n");
  const auto message_for = [&](const std::string& text) {
    files.write("robot.urdf", text);
    return found_messages(model.string());
  };
  const auto says = [&](const std::string& text, const std::string& part) {
    EXPECT_NE(message_for(text).find(part), std::string::npos) << message_for(text);
  };
  says(
      "limber: 1\nname: arm\n",
      "robot.urdf:1:1: expected a URDF, in XML, found a Limber file, in YAML (a model file is read as it is");
  says("# an arm\n\nlimber: 1\n", "robot.urdf:1:1: expected a URDF, in XML, found a Limber file");
  says("", "found nothing but white space");
  says(" \n\n", "found nothing but white space");
  says("\n\n{\"robot\": 1}", "robot.urdf:3:1: expected a URDF, in XML: its first character is `<`, found");
  for (const char* words : {"Error document empty", "urdfdom"})
    EXPECT_EQ(message_for("robot: 1").find(words), std::string::npos);
  // A byte order mark is not text.
  says("\xEF\xBB\xBF<wrong/>", "expected the element <robot> of a URDF");
}

// ---- what a URDF becomes ----

bool contains(const std::vector<std::string>& notes, const std::string& part) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(part) != note.npos; });
}

const LinkDescription& link_of(const ModelDescription& model, const std::string& name) {
  return *std::find_if(model.links.begin(), model.links.end(),
                       [&](const auto& link) { return link.name == name; });
}

TEST(Urdf, KeepsNamesLimitsAndDampingAndSaysWhatItLeavesOut) {
  ModelNotes notes;
  const ModelDescription tree = read_model_description(folder / "tree.urdf", {}, notes);
  EXPECT_EQ(tree.name, "tree");
  const LinkDescription& carriage = link_of(tree, "carriage");
  EXPECT_EQ(carriage.parent, "pedestal");
  EXPECT_EQ(carriage.joint.name, "lift");
  EXPECT_EQ(carriage.joint.type, JointType::prismatic);
  EXPECT_EQ(carriage.joint.damping, 3.5);
  EXPECT_EQ(carriage.joint.limits->upper, 0.9);
  EXPECT_EQ(carriage.origin->rpy, Vector3d(0.3, -0.2, 0.7));
  EXPECT_EQ(link_of(tree, "boom").joint.type, JointType::revolute);
  EXPECT_FALSE(link_of(tree, "boom").joint.limits);
  EXPECT_EQ(link_of(tree, "pedestal").parent, "base");
  EXPECT_EQ(tree.links.back().name, "tool");  // the last link without children: the end effector
  ASSERT_TRUE(link_of(tree, "hand").joint.friction);
  EXPECT_EQ(link_of(tree, "hand").joint.friction->coulomb, 0.4);
  EXPECT_TRUE(contains(notes.sentences, "kg): tool"));
}

TEST(Urdf, HasAFreeRootWhereItsBaseIsFree) {
  const ModelDescription arm = read_model_description(folder / "arm.urdf", {{"base", "free"}});
  EXPECT_EQ(arm.links.front().name, "stand");
  EXPECT_EQ(arm.links.front().joint.type, JointType::free);
  EXPECT_EQ(arm.links[1].parent, "stand");
  EXPECT_EQ(build_model(arm).nv(), 6 + 4);
}

// `world_joint` is what fixes many an arm to its root `world`, and what the free joint of `world` would be called.
TEST(Urdf, NamesTheFreeJointAsNoOtherJoint) {
  std::string text = test::read_all(folder / "arm.urdf");
  const std::string pan = "<joint name=\"pan\"";
  text.replace(text.find(pan), pan.size(), "<joint name=\"stand_joint\"");
  const ModelDescription arm = parse_model_description(text, "arm.urdf", {}, {{"base", "free"}});
  EXPECT_EQ(arm.links[0].joint.name, "stand_joint_free");
  EXPECT_EQ(arm.links[1].joint.name, "stand_joint");
}

TEST(Urdf, MayCallALinkAsWeCallTheGround) {
  const std::string text =
      "<robot name=\"r\"><link name=\"world\"/><link name=\"base\"><inertial><mass value=\"1\"/><inertia "
      "ixx=\"1\" iyy=\"1\" izz=\"1\" "
      "ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link><joint name=\"j\" type=\"continuous\"><parent "
      "link=\"world\"/><child "
      "link=\"base\"/></joint></robot>";
  ModelNotes notes;
  const ModelDescription model = parse_model_description(text, "r.urdf", {}, {}, notes);
  EXPECT_EQ(model.links.front().name, "base_");
  EXPECT_TRUE(contains(notes.sentences, "called base_ here"));
}

TEST(Urdf, TakesZeroLimitsForNone) {
  std::string text = test::read_all(folder / "arm.urdf");
  const std::string limit = "lower=\"-3\" upper=\"3\" effort=\"200\" velocity=\"2\"";
  text.replace(text.find(limit), limit.size(), "effort=\"0\" velocity=\"0\"");
  ModelNotes notes;
  const ModelDescription model = parse_model_description(text, "r.urdf", {}, {}, notes);
  EXPECT_FALSE(model.links.front().joint.limits);
  EXPECT_TRUE(
      contains(notes.sentences, "pan: limits of 0 are taken as none (effort, velocity, lower = upper)"));
}

TEST(Urdf, TakesSettingsOfItsLinks) {
  const ModelDescription arm = read_model_description(
      folder / "arm.urdf", {{"links.hand.rigid.mass", "2.5"}, {"gravity", "[0, 0, -1.6]"}});
  EXPECT_EQ(link_of(arm, "hand").rigid->mass, 2.5);
  EXPECT_EQ(arm.gravity.z(), -1.6);
  const std::string wrong =
      found_messages((folder / "arm.urdf").string(), {{"links.hand.rigid.mass", "heavy"}});
  EXPECT_NE(wrong.find("links[4].rigid.mass: expected a number"), wrong.npos) << wrong;
}

TEST(Urdf, StandsInScenariosDirectlyAndInTheirResults) {
  std::filesystem::current_path(folder);
  const ScenarioFile one = parse_scenario("limber: 1\nmodel: arm.urdf\nduration: 1\n", "s.yaml", ".");
  EXPECT_EQ(one.model.nv(), 4);
  const ScenarioFile two = parse_scenario(
      "limber: 1\nmodel: {urdf: arm.urdf, flexible: {fore: {beam: {section: {mass_per_length: "
      "1}}}}}\nduration: 1\n",
      "s.yaml", ".");
  std::filesystem::current_path("/");
  EXPECT_EQ(parse_scenario(one.sources).model.nv(), 4);
  EXPECT_TRUE(parse_scenario(two.sources).model.links()[2].beam ||
              parse_scenario(two.sources).model.links()[3].beam);
}

// ---- links that bend ----

ModelDescription with_flexible(const std::string& flexible) {
  return parse_model_description("limber: 1\nurdf: arm.urdf\nflexible:\n" + flexible, "arm.yaml", folder);
}

MatrixXd mass_matrix_at(const Model& model, const VectorXd& q) {
  MatrixXd M(model.nv(), model.nv());
  Workspace<double> work(model);
  mass_matrix(model, work, q, M);
  return M;
}

// A beam without modes is rigid: with what was left of the URDF's inertia, and its children hung on it, it is the same arm again.
TEST(FlexibleUrdf, WithoutModesIsTheRigidArm) {
  const Model rigid = read_model(folder / "arm.urdf");
  const Model bent =
      build_model(with_flexible("  upper: {to: elbow, roll: 0.7, beam: {section: {mass_per_length: 2, "
                                "rotary_inertia: [2e-3, 1e-3, 1e-3]}}}\n"
                                "  fore: {beam: {section: {mass_per_length: 1}}}\n"));
  ASSERT_EQ(bent.coordinates(), rigid.coordinates());
  for (unsigned seed = 1; seed <= 5; ++seed) {
    std::srand(seed);
    const VectorXd q = 2.0 * VectorXd::Random(rigid.nv());
    const MatrixXd expected = mass_matrix_at(rigid, q);
    EXPECT_LT((mass_matrix_at(bent, q) - expected).norm(), 1e-12 * expected.norm());
  }
}

TEST(FlexibleUrdf, LiesFromTheLinksFrameToTheJointWithYWhereItWas) {
  const ModelDescription arm = with_flexible("  upper: {to: elbow, beam: {section: {mass_per_length: 2}}}\n");
  const LinkDescription& upper = link_of(arm, "upper");
  const Vector3d to(0.05, 0.0, 1.2);
  EXPECT_NEAR(upper.beam->length, to.norm(), 1e-15);
  const Eigen::Matrix3d R = rotation_from_rpy(upper.root.rpy);
  EXPECT_LT((R.col(0) - to.normalized()).norm(), 1e-15);
  EXPECT_LT((R.col(1) - Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_EQ(link_of(arm, "fore").attach, 1.0);
  // The lamp's bracket hangs on the nearest point of the axis.
  const Vector3d lamp(0.1, 0.05, 0.5);
  EXPECT_NEAR(link_of(arm, "lamp").attach, lamp.dot(to) / to.squaredNorm(), 1e-15);
}

TEST(FlexibleUrdf, KeepsTheMassOfTheUrdfUnlessItIsReplaced) {
  const double mass = read_model(folder / "arm.urdf").mass();
  const std::string beam = "beam: {section: {mass_per_length: 1}}";
  EXPECT_NEAR(build_model(with_flexible("  fore: {" + beam + "}\n")).mass(), mass, 1e-12);
  EXPECT_NEAR(build_model(with_flexible("  fore: {inertia: replace, " + beam + "}\n")).mass(),
              mass - 3.0 + 0.7, 1e-12);
}

TEST(FlexibleUrdf, IsWrittenAsTheModelFileOfTheSameArm) {
  const ModelDescription arm = with_flexible(
      "  upper: {to: elbow, beam: {section: {mass_per_length: 2, EI_y: 1e3, EI_z: 2e3}, modes: {y: {count: "
      "2}, z: {count: 2}}}}\n");
  const Model one = build_model(arm);
  const Model other = build_model(parse_model_description(model_file_text(arm), "again.yaml", {}));
  std::srand(3);
  const VectorXd q = 0.1 * VectorXd::Random(one.nq());
  EXPECT_EQ(mass_matrix_at(one, q), mass_matrix_at(other, q));
}

}  // namespace
}  // namespace limber
