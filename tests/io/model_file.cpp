// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/model_file.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "io/files.hpp"
#include "limber/model/check.hpp"

namespace limber {
namespace {

constexpr double degree = std::numbers::pi / 180.0;

ModelDescription parse(const std::string& text) {
  return parse_model_description(text, "arm.yaml", test::good_folder);
}

ModelDescription read_good(const std::string& name) {
  return read_model_description(test::good_folder / name);
}

/// What a text is refused with.
std::string refusal(const std::string& text) {
  try {
    parse(text);
  } catch (const FileError& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal_of_file(const std::filesystem::path& file) {
  try {
    read_model_description(file);
  } catch (const FileError& error) {
    return error.what();
  }
  return "accepted";
}

/// A file of this test run alone, removed with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("limber_" + std::to_string(std::random_device{}()) + ".yaml")) {
    std::ofstream(path_) << text;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class ValidModel : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(ValidModel, IsReadAndPassesTheChecksOfDescriptions) {
  const ModelDescription model = read_model_description(GetParam());
  for (const Problem& problem : check(model)) ADD_FAILURE() << problem.message();
}

TEST_P(ValidModel, IsBuilt) { EXPECT_GT(read_model(GetParam()).nq(), 0); }

TEST_P(ValidModel, IsTheSameFromMemory) {
  const ModelDescription model = parse_model_description(
      test::read_all(GetParam()), GetParam().filename().string(), GetParam().parent_path());
  const ModelDescription same = read_model_description(GetParam());
  EXPECT_EQ(model.name, same.name);
  EXPECT_EQ(model.links.size(), same.links.size());
}

INSTANTIATE_TEST_SUITE_P(Io, ValidModel, testing::ValuesIn(test::valid_models()), [](const auto& instance) {
  return std::to_string(instance.index) + "_" + test::name_of(instance.param);
});

TEST(ModelFile, ReadsEveryKeyOfALink) {
  const ModelDescription model = read_good("boom_and_payload.yaml");
  EXPECT_EQ(model.name, "boom and payload");
  EXPECT_EQ(model.gravity, Eigen::Vector3d(0, 0, -1.62));
  EXPECT_EQ(model.kinematics, KinematicOrder::first);
  ASSERT_EQ(model.links.size(), 1u);
  const LinkDescription& link = model.links[0];
  EXPECT_EQ(link.name, "boom");
  EXPECT_EQ(link.parent, "base");
  EXPECT_EQ(link.attach, 1.0);
  EXPECT_EQ(link.origin->xyz, Eigen::Vector3d(0, 0, 0.5));
  EXPECT_EQ(link.origin->rpy, Eigen::Vector3d(0, 0.1, 0));
  EXPECT_FALSE(link.dh || link.rigid);
  EXPECT_EQ(link.root.xyz, Eigen::Vector3d(0.05, 0, 0));
  EXPECT_EQ(link.root.mass, 3.0);
  EXPECT_EQ(link.root.com, Eigen::Vector3d(0.02, 0, 0));
  EXPECT_EQ(link.root.inertia[3], 0.01);
  EXPECT_EQ(link.tip->mass, 2.1);
  EXPECT_EQ(link.tip->com.x(), 0.1);
  EXPECT_EQ(link.tip->inertia[2], 0.1);
  EXPECT_EQ(model.end_effector->link, "boom");
  EXPECT_EQ(model.end_effector->xyz.x(), 0.2);
  EXPECT_EQ(model.end_effector->rpy.z(), 1.0);
}

TEST(ModelFile, ReadsEveryKeyOfAJoint) {
  const JointDescription joint = read_good("boom_and_payload.yaml").links[0].joint;
  EXPECT_EQ(joint.name, "shoulder");
  EXPECT_EQ(joint.type, JointType::revolute);
  EXPECT_EQ(*joint.axis, Eigen::Vector3d(0, 0, 2));
  EXPECT_EQ(joint.stiffness, 1e3);
  EXPECT_EQ(joint.rest, 0.2);
  EXPECT_EQ(joint.damping, 4.0);
  EXPECT_EQ(joint.armature, 0.5);
  EXPECT_EQ(*joint.limits->lower, -3.0);
  EXPECT_EQ(*joint.limits->upper, 3.0);
  EXPECT_EQ(*joint.limits->effort, 500.0);
  EXPECT_EQ(*joint.limits->velocity, 2.0);
}

TEST(ModelFile, ReadsEveryKeyOfABeam) {
  const BeamDescription beam = *read_good("boom_and_payload.yaml").links[0].beam;
  EXPECT_EQ(beam.length, 6.0);
  EXPECT_EQ(*beam.section->EI_y, 1e5);
  EXPECT_EQ(*beam.section->EI_z, 1e5);
  EXPECT_EQ(*beam.section->GJ, 8e4);
  EXPECT_EQ(*beam.section->EA, 1e8);
  EXPECT_EQ(*beam.section->mass_per_length, 20.0);
  EXPECT_EQ(*beam.section->rotary_inertia, Eigen::Vector3d(0.02, 0.01, 0.01));
  EXPECT_EQ(beam.modes.y->shape, ShapeFamily::clamped_free);
  EXPECT_EQ(beam.modes.y->normalize, Normalization::peak);
  EXPECT_EQ(*beam.modes.z->count, 2);
  EXPECT_EQ(beam.modes.z->tip_mass->value, 40.0);
  EXPECT_EQ(beam.modes.z->tip_static_moment->value, 1.5);
  EXPECT_FALSE(beam.modes.z->tip_mass->automatic);
  EXPECT_EQ(beam.modes.z->normalize, Normalization::mass);
  EXPECT_TRUE(beam.modes.torsion->tip_inertia->automatic);
  EXPECT_TRUE(beam.modes.axial->tip_mass->automatic);
  EXPECT_EQ(beam.tip_rotation, TipRotation::chord);
  EXPECT_EQ(*beam.damping->ratio, 0.01);
  EXPECT_FALSE(beam.damping->alpha);
}

TEST(ModelFile, FillsInDefaults) {
  const ModelDescription model = parse("limber: 1\nlinks:\n  - {name: a, rigid: {mass: 1}}\n");
  EXPECT_EQ(model.name, "arm");
  EXPECT_EQ(model.gravity, Eigen::Vector3d(0, 0, -9.81));
  EXPECT_EQ(model.kinematics, KinematicOrder::second);
  EXPECT_FALSE(model.end_effector);
  const LinkDescription& link = model.links[0];
  EXPECT_EQ(link.parent, "");
  EXPECT_EQ(link.attach, 1.0);
  EXPECT_FALSE(link.origin || link.dh || link.tip || link.beam);
  EXPECT_EQ(link.joint.type, JointType::revolute);
  EXPECT_EQ(link.joint.name, "");
  EXPECT_FALSE(link.joint.axis || link.joint.axes || link.joint.limits);
}

TEST(ModelFile, TurnsDegreesIntoRadians) {
  const ModelDescription model = read_good("every_joint.yaml");
  EXPECT_DOUBLE_EQ(model.links[0].rigid->tip.rpy.z(), 90 * degree);
  EXPECT_DOUBLE_EQ(model.links[1].origin->rpy.x(), 90 * degree);
  EXPECT_DOUBLE_EQ(model.links[2].dh->alpha, -90 * degree);
  EXPECT_DOUBLE_EQ(model.links[2].dh->theta, 30 * degree);
  EXPECT_DOUBLE_EQ(model.links[2].joint.rest, 15 * degree);
  EXPECT_DOUBLE_EQ(*model.links[2].joint.limits->lower, -180 * degree);
  EXPECT_DOUBLE_EQ(*model.links[2].joint.limits->velocity, 90 * degree);
  EXPECT_DOUBLE_EQ(model.links[2].root.rpy.z(), 10 * degree);
  EXPECT_DOUBLE_EQ(model.end_effector->rpy.y(), 180 * degree);
}

TEST(ModelFile, ReadsEveryJointType) {
  const ModelDescription model = read_good("every_joint.yaml");
  EXPECT_EQ(model.links[0].joint.type, JointType::free);
  EXPECT_EQ(model.links[1].joint.type, JointType::prismatic);
  EXPECT_EQ(model.links[3].joint.type, JointType::fixed);
  EXPECT_EQ(model.links[4].joint.type, JointType::universal);
  EXPECT_EQ((*model.links[4].joint.axes)[1], Eigen::Vector3d(0, 1, 0));
  EXPECT_EQ(model.links[5].joint.type, JointType::spherical);
  EXPECT_EQ(model.links[6].joint.type, JointType::screw);
  EXPECT_EQ(model.links[6].joint.pitch, -0.002);
  EXPECT_EQ(model.links[7].joint.type, JointType::cylindrical);
  EXPECT_EQ(model.links[8].joint.type, JointType::planar);
}

TEST(ModelFile, ReadsEverySection) {
  const ModelDescription model = read_good("every_section.yaml");
  const SectionDescription tube = *model.links[0].beam->section;
  EXPECT_EQ(tube.shape, SectionShape::tube);
  EXPECT_EQ(*tube.outer_diameter, 0.1);
  EXPECT_EQ(*tube.thickness, 0.004);
  EXPECT_EQ(tube.material->E, 2.1e11);
  EXPECT_EQ(*tube.material->G, 8.1e10);
  EXPECT_EQ(tube.material->density, 7850.0);
  const SectionDescription rectangle = *model.links[1].beam->section;
  EXPECT_EQ(rectangle.shape, SectionShape::rectangle);
  EXPECT_EQ(*rectangle.width, 0.01);
  EXPECT_EQ(*rectangle.height, 0.1);
  EXPECT_EQ(*rectangle.material->nu, 0.3);
  EXPECT_EQ(model.links[2].beam->stations[0].section.shape, SectionShape::box);
  EXPECT_EQ(read_good("every_family.yaml").links[0].beam->section->shape, SectionShape::rod);
}

TEST(ModelFile, ReadsStationsInBothSpellings) {
  const ModelDescription model = read_good("every_section.yaml");
  const std::vector<StationDescription>& box = model.links[2].beam->stations;
  ASSERT_EQ(box.size(), 3u);
  EXPECT_EQ(box[1].x, 1.5);
  EXPECT_EQ(*box[1].section.EI_y, 9e5);
  const BeamDescription& wrapped = *model.links[3].beam;
  ASSERT_EQ(wrapped.stations.size(), 2u);
  EXPECT_FALSE(wrapped.section);
  EXPECT_EQ(*wrapped.stations[1].section.mass_per_length, 1.0);
}

TEST(ModelFile, ReadsTablesOfShapes) {
  const ModesDescription modes = *read_good("every_family.yaml").links[3].beam->modes.z;
  EXPECT_EQ(modes.shape, ShapeFamily::table);
  EXPECT_FALSE(modes.count);
  ASSERT_TRUE(modes.table);
  EXPECT_EQ(modes.table->source, (test::good_folder / "two_shapes.csv").string());
  ASSERT_EQ(modes.table->x.size(), 11);
  ASSERT_EQ(modes.table->values.cols(), 2);
  EXPECT_EQ(modes.table->x[10], 1.0);
  EXPECT_EQ(modes.table->values(5, 0), 0.25);
  EXPECT_EQ(modes.table->values(5, 1), 0.125);
}

TEST(ModelFile, ReadsTablesWithBlanksAndWithoutHeader) {
  const ModeTable table = *read_good("every_section.yaml").links[1].beam->modes.y->table;
  EXPECT_EQ(table.x.size(), 6);
  EXPECT_EQ(table.values(5, 0), 1.0);
}

TEST(ModelFile, ExpandsAliases) {
  const ModelDescription model = read_good("tree.yaml");
  EXPECT_EQ(*model.links[2].beam->section->EI_z, 1e4);
  EXPECT_EQ(*model.links[1].beam->modes.z->count, 2);
}

TEST(ModelFile, ReadsEveryWayToWriteANumber) {
  const ModelDescription model = read_good("numbers.yaml");
  EXPECT_EQ(model.gravity, Eigen::Vector3d(0, 0, -9.81));
  EXPECT_EQ(model.links[0].origin->xyz, Eigen::Vector3d(0.5, 1, -2.5));
  EXPECT_EQ(*model.links[0].joint.axis, Eigen::Vector3d(1e-3, 0.5, 0));
  EXPECT_EQ(*model.links[0].beam->modes.y->count, 2);
}

TEST(ModelFile, TakesAByteOrderMarkAndWindowsLineEnds) {
  const ModelDescription model =
      parse("\xEF\xBB\xBFlimber: 1\r\nlinks:\r\n  - name: a\r\n    rigid: {mass: 2}\r\n");
  EXPECT_EQ(model.links[0].name, "a");
  EXPECT_EQ(model.links[0].rigid->mass, 2.0);
}

TEST(ModelFile, ErrorsCarryEveryProblemWithItsPlace) {
  try {
    parse("limber: 1\nlinks:\n  - name: a\n    rigid: {mass: -1}\n    attach: 7\n");
    FAIL() << "accepted";
  } catch (const FileError& error) {
    ASSERT_EQ(error.located().size(), 2u);
    EXPECT_EQ(error.located()[0].file, "arm.yaml");
    EXPECT_EQ(error.located()[0].mark.line, 4);
    EXPECT_EQ(error.located()[0].mark.column, 19);
    EXPECT_EQ(error.located()[0].problem.path, "links[0].rigid.mass");
    EXPECT_EQ(error.problems()[1].path, "links[0].attach");
    EXPECT_STREQ(error.what(),
                 "arm.yaml:4:19: links[0].rigid.mass: expected a number > 0 [kg], found -1\n"
                 "arm.yaml:5:13: links[0].attach: expected a number from 0 to 1, found 7");
  }
}

TEST(ModelFile, PlacesOfWindowsLinesAndAfterAByteOrderMark) {
  EXPECT_EQ(
      refusal("\xEF\xBB\xBFlimber: two\r\nlinks:\r\n  - {name: a, rigid: {mass: 0}}\r\n"),
      "arm.yaml:1:9: limber: expected 1, the version of the format that this program reads, found `two`\n"
      "arm.yaml:3:29: links[0].rigid.mass: expected a number > 0 [kg], found 0");
}

TEST(ModelFile, ProblemsInsideAnAliasPointToItsText) {
  EXPECT_EQ(
      refusal("limber: 1\nlinks:\n  - {name: a, rigid: &heavy {mass: -1}}\n  - {name: b, rigid: *heavy}\n"),
      "arm.yaml:3:36: links[0].rigid.mass: expected a number > 0 [kg], found -1\n"
      "arm.yaml:3:36: links[1].rigid.mass: expected a number > 0 [kg], found -1");
}

// A hundred polynomials are alike to rounding: only making the shapes shows that.
TEST(ModelFile, LocatesWhatOnlyShowsWhenTheModelIsBuilt) {
  const TemporaryFile file(
      "limber: 1\nlinks:\n  - name: a\n    beam:\n      length: 1\n"
      "      section: {EI_z: 1, mass_per_length: 1}\n"
      "      modes: {y: {shape: polynomial, count: 100}}\n");
  try {
    read_model(file.path());
    FAIL() << "accepted";
  } catch (const FileError& error) {
    const std::string place = file.path().string() + ":7:45: links[0].beam.modes.y.count: expected";
    EXPECT_TRUE(std::string(error.what()).starts_with(place)) << error.what();
  }
}

TEST(ModelFile, RefusesFilesThatAreNone) {
  EXPECT_EQ(refusal_of_file("/no/such/arm.yaml"),
            "/no/such/arm.yaml: expected a readable model file, at most 16 MiB, found no such file");
  EXPECT_EQ(refusal_of_file("/"), "/: expected a readable model file, at most 16 MiB, found a directory");
  EXPECT_EQ(refusal_of_file("/dev/null"),
            "/dev/null: expected a readable model file, at most 16 MiB, found a device or pipe");
  EXPECT_EQ(refusal_of_file(""), ": expected a readable model file, at most 16 MiB, found no such file");
}

TEST(ModelFile, RefusesAnEmptyFile) {
  EXPECT_EQ(refusal(""), "arm.yaml:1:1: expected keys and values, found an empty file");
}

TEST(ModelFile, RefusesAFileThatIsTooLarge) {
  const TemporaryFile file("limber: 1\n");
  std::filesystem::resize_file(file.path(), (std::uintmax_t{16} << 20) + 1);
  const std::string message = refusal_of_file(file.path());
  EXPECT_NE(message.find("at most 16 MiB, found 16777217 bytes"), std::string::npos) << message;
}

TEST(ModelFile, RefusesMoreValuesThanAnyModelHas) {
  std::string text = "limber: 1\nname: [";
  for (int i = 0; i < 200'000; ++i) text += "0,";
  EXPECT_NE(refusal(text + "]\n").find("expected at most 200000 values"), std::string::npos);
}

TEST(ModelFile, ThousandsOfProblemsStayShort) {
  std::string text = "limber: 1\nlinks:\n";
  for (int i = 0; i < 5'000; ++i) text += "  - {nmae: a}\n";
  const std::string message = refusal(text);
  EXPECT_LT(message.size(), 10'000u);
  EXPECT_NE(message.find("\n... and "), std::string::npos);
}

}  // namespace
}  // namespace limber
