// SPDX-License-Identifier: BSD-3-Clause
// What links look like: from model files and URDFs into descriptions, and back.

#include "limber/model/visuals.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "limber/io/export.hpp"
#include "limber/io/mesh_file.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/model_notes.hpp"
#include "limber/io/model_writer.hpp"
#include "limber/math/rotation.hpp"
#include "limber/model/check.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

using Eigen::Vector3d;

constexpr const char* triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

constexpr const char* with_shapes = R"(limber: 1
name: drawn
visuals:
  - {type: cylinder, radius: 0.2, length: 0.1, color: [0.2, 0.2, 0.25]}
links:
  - name: boom
    beam: {length: 2, section: {EI_z: 10, mass_per_length: 1}, modes: {y: {count: 2}}}
    visuals:
      - {type: box, size: [2, 0.1, 0.2], xyz: [1, 0, 0]}
      - {type: sphere, radius: 0.15}
      - {type: mesh, file: meshes/lug.obj, scale: [0.001, 0.001, 0.001], rpy_deg: [0, 0, 90]}
)";

TEST(Visuals, AreReadFromAModelFile) {
  const TemporaryFolder folder;
  const ModelDescription arm = parse_model_description(with_shapes, "arm.yaml", folder.path());
  ASSERT_EQ(arm.visuals.size(), 1u);
  EXPECT_EQ(std::get<visuals::Cylinder>(arm.visuals[0].kind).radius, 0.2);
  EXPECT_EQ(*arm.visuals[0].color, Vector3d(0.2, 0.2, 0.25));
  const std::vector<VisualDescription>& boom = arm.links[0].visuals;
  ASSERT_EQ(boom.size(), 3u);
  EXPECT_EQ(std::get<visuals::Box>(boom[0].kind).size, Vector3d(2, 0.1, 0.2));
  EXPECT_EQ(boom[0].xyz, Vector3d(1, 0, 0));
  EXPECT_FALSE(boom[0].color);
  EXPECT_EQ(std::get<visuals::Sphere>(boom[1].kind).radius, 0.15);
  const auto& mesh = std::get<visuals::Mesh>(boom[2].kind);
  EXPECT_EQ(mesh.file, (folder.path() / "meshes" / "lug.obj").string());
  EXPECT_EQ(mesh.scale, Vector3d::Constant(1e-3));
  EXPECT_NEAR(boom[2].rpy.z(), 1.5707963267948966, 1e-15);
  // That the mesh is not there is said, and stops nothing.
  EXPECT_NO_THROW(build_model(arm));
  ASSERT_EQ(undrawn_meshes(arm).size(), 1u);
}

void expect_same(const std::vector<VisualDescription>& a, const std::vector<VisualDescription>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].xyz, b[i].xyz);
    EXPECT_EQ(a[i].rpy, b[i].rpy);
    EXPECT_EQ(a[i].color, b[i].color);
    ASSERT_EQ(a[i].kind.index(), b[i].kind.index());
    if (const auto* const box = std::get_if<visuals::Box>(&a[i].kind)) {
      EXPECT_EQ(box->size, std::get<visuals::Box>(b[i].kind).size);
    }
    if (const auto* const mesh = std::get_if<visuals::Mesh>(&a[i].kind)) {
      EXPECT_EQ(mesh->file, std::get<visuals::Mesh>(b[i].kind).file);
      EXPECT_EQ(mesh->scale, std::get<visuals::Mesh>(b[i].kind).scale);
    }
  }
}

// From one folder into another: the mesh stays where it is.
TEST(Visuals, AreWrittenAsTheyWereRead) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "there");
  const ModelDescription arm = parse_model_description(with_shapes, "arm.yaml", folder.path());
  write_model(folder.path() / "there" / "again.yaml", arm, {});
  const ModelDescription again = read_model_description(folder.path() / "there" / "again.yaml");
  expect_same(arm.visuals, again.visuals);
  expect_same(arm.links[0].visuals, again.links[0].visuals);
  EXPECT_NE(model_file_text(arm, folder.path() / "there").find("file: \"../meshes/lug.obj\""),
            std::string::npos);
}

TEST(Visuals, OfADescriptionAreChecked) {
  ModelDescription arm = parse_model_description(with_shapes, "arm.yaml", "/");
  arm.links[0].visuals[0].kind = visuals::Box{};
  arm.links[0].visuals[1].kind = visuals::Sphere{-1.0};
  arm.visuals[0].color = Vector3d(0, 0, 2);
  std::string paths;
  for (const Problem& problem : check(arm)) paths += problem.path + " ";
  EXPECT_NE(paths.find("links[0].visuals[0].size[0]"), paths.npos) << paths;
  EXPECT_NE(paths.find("links[0].visuals[1].radius"), paths.npos) << paths;
  EXPECT_NE(paths.find("visuals[0].color[2]"), paths.npos) << paths;
}

// ---- URDF ----

constexpr const char* inertial =
    "<inertial><mass value=\"5\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "
    "iyz=\"0\"/></inertial>";

std::string urdf_with(const std::string& shapes_of_arm) {
  return std::string(
             "<robot name=\"r\">\n<material name=\"blue\"><color rgba=\"0 0.25 1 1\"/></material>\n"
             "<link name=\"stand\"><visual><geometry><box size=\"1 2 3\"/></geometry></visual></link>\n"
             "<link name=\"arm\">") +
         inertial + shapes_of_arm + "</link>\n<link name=\"hand\">" + inertial +
         "</link>\n"
         "<joint name=\"a\" type=\"continuous\"><parent link=\"stand\"/><child link=\"arm\"/><axis xyz=\"0 0 "
         "1\"/></joint>\n"
         "<joint name=\"b\" type=\"continuous\"><parent link=\"arm\"/><child link=\"hand\"/><origin xyz=\"0 "
         "0 0.5\"/></joint>\n"
         "</robot>\n";
}

TEST(UrdfVisuals, BelongToLinksAndToTheGround) {
  const std::string text = urdf_with(
      "<visual><origin xyz=\"0 0 0.25\" rpy=\"0 0 0.5\"/><geometry><cylinder radius=\"0.1\" "
      "length=\"0.5\"/></geometry>"
      "<material name=\"blue\"/></visual>\n<visual><geometry><sphere radius=\"0.2\"/></geometry></visual>");
  const ModelDescription arm = parse_model_description(text, "r.urdf", "/");
  ASSERT_EQ(arm.visuals.size(), 1u);
  EXPECT_EQ(std::get<visuals::Box>(arm.visuals[0].kind).size, Vector3d(1, 2, 3));
  ASSERT_EQ(arm.links[0].visuals.size(), 2u);
  EXPECT_EQ(arm.links[0].visuals[0].xyz, Vector3d(0, 0, 0.25));
  EXPECT_EQ(arm.links[0].visuals[0].rpy, Vector3d(0, 0, 0.5));
  EXPECT_EQ(*arm.links[0].visuals[0].color, Vector3d(0, 0.25, 1));
  EXPECT_EQ(std::get<visuals::Cylinder>(arm.links[0].visuals[0].kind).length, 0.5);
  EXPECT_FALSE(arm.links[0].visuals[1].color);
  const ModelDescription again = parse_model_description(model_file_text(arm), "again.yaml", "/");
  expect_same(arm.links[0].visuals, again.links[0].visuals);
  expect_same(arm.visuals, again.visuals);
  // On a free base the stand is a link.
  EXPECT_EQ(parse_model_description(text, "r.urdf", "/", {{"base", "free"}}).links[0].visuals.size(), 1u);
}

// The same shape at the same place, whatever axes the beam has.
TEST(UrdfVisuals, TurnIntoTheBeamsFrame) {
  const TemporaryFolder folder;
  folder.write("r.urdf", urdf_with("<visual><origin xyz=\"0.1 0.2 0.3\" rpy=\"0.4 -0.3 0.2\"/><geometry><box "
                                   "size=\"1 1 1\"/></geometry></visual>"));
  const ModelDescription bent = parse_model_description(
      "limber: 1\nurdf: r.urdf\nvisuals: [{type: sphere, radius: 1}]\nflexible: {arm: {roll: 0.3, beam: "
      "{section: {mass_per_length: 1, rotary_inertia: [0, 0, 0]}}}}\n",
      "bent.yaml", folder.path());
  const LinkDescription& link = bent.links[0];
  const Eigen::Matrix3d R_BR = rotation_from_rpy(link.root.rpy),
                        R_RV = rotation_from_rpy(link.visuals[0].rpy);
  EXPECT_LT((R_BR * link.visuals[0].xyz - Vector3d(0.1, 0.2, 0.3)).norm(), 1e-15);
  EXPECT_LT((R_BR * R_RV - rotation_from_rpy(Vector3d(0.4, -0.3, 0.2))).norm(), 1e-14);
  EXPECT_EQ(bent.visuals.size(), 2u);  // the file's own, and the stand
}

bool contains(const std::vector<std::string>& notes, const std::string& part) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(part) != note.npos; });
}

TEST(UrdfVisuals, ThatCannotBeDrawnGiveWayToCollisionsOrAreNamed) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "my_arm" / "meshes");
  folder.write("my_arm/meshes/arm.obj", triangle);
  const std::string visual =
      "<visual><geometry><mesh filename=\"package://my_arm/meshes/arm.dae\"/></geometry></visual>";
  const std::string collision =
      "<collision><geometry><mesh filename=\"package://my_arm/meshes/arm.obj\" scale=\"2 2 "
      "2\"/></geometry></collision>";
  ModelNotes notes;
  const std::string file = folder.write("r.urdf", urdf_with(visual + collision)).string();
  const ModelDescription by_collision = read_model_description(file, {}, notes);
  ASSERT_EQ(by_collision.links[0].visuals.size(), 1u);
  const auto& mesh = std::get<visuals::Mesh>(by_collision.links[0].visuals[0].kind);
  EXPECT_EQ(mesh.file, (folder.path() / "my_arm" / "meshes" / "arm.obj").string());
  EXPECT_EQ(mesh.scale, Vector3d::Constant(2.0));
  EXPECT_TRUE(contains(notes.sentences, "arm: drawn by its <collision>"));
  EXPECT_TRUE(undrawn_meshes(by_collision).empty());

  folder.write("r.urdf", urdf_with(visual));
  const ModelDescription without = read_model_description(file, {}, notes);
  EXPECT_TRUE(
      contains(undrawn_meshes(without), "package://my_arm/meshes/arm.dae (Collada; STL and OBJ are read)"));

  folder.write("r.urdf", urdf_with("\n<visual><geometry><sphere radius=\"-2\"/></geometry></visual>"));
  EXPECT_TRUE(read_model_description(file, {}, notes).links[0].visuals.empty());
  EXPECT_TRUE(contains(notes.sentences, "arm: shapes that are not drawn: line 5: radius is -2"));
}

// The rigid twin keeps its shapes, in the frame of its body; MuJoCo gets those that are no meshes.
TEST(Visuals, AreExported) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "meshes");
  folder.write("meshes/lug.obj", triangle);
  const ModelDescription arm = parse_model_description(with_shapes, "arm.yaml", folder.path());
  const Model model = build_model(arm);
  const ModelDescription back =
      read_model_description(folder.write("back.urdf", export_arm(model, ExportFormat::urdf).text).string());
  // urdfdom reads colours with seven digits
  constexpr double digits = 1e-6;
  ASSERT_EQ(back.visuals.size(), 1u);
  EXPECT_TRUE(back.visuals[0].color->isApprox(*arm.visuals[0].color, digits));
  EXPECT_EQ(std::get<visuals::Cylinder>(back.visuals[0].kind).length, 0.1);
  const std::vector<VisualDescription>&boom = back.links.at(0).visuals, &expected = arm.links[0].visuals;
  ASSERT_EQ(boom.size(), 3u);
  for (std::size_t i = 0; i < boom.size(); ++i) {
    EXPECT_LT((boom[i].xyz - expected[i].xyz).norm(), 1e-15);
    EXPECT_LT((boom[i].rpy - expected[i].rpy).norm(), 1e-15);
    EXPECT_EQ(boom[i].kind.index(), expected[i].kind.index());
  }
  EXPECT_EQ(std::get<visuals::Mesh>(boom[2].kind).file, std::get<visuals::Mesh>(expected[2].kind).file);
  const ExportedArm mujoco = export_arm(model, ExportFormat::mjcf);
  EXPECT_NE(mujoco.text.find(R"(type="box" size="1 0.05 0.1")"), std::string::npos);
  EXPECT_NE(mujoco.text.find(R"(type="cylinder" size="0.2 0.05")"), std::string::npos);
  const auto mentions = [](const std::vector<std::string>& notes, const char* word) {
    return std::any_of(notes.begin(), notes.end(),
                       [&](const std::string& note) { return note.find(word) != std::string::npos; });
  };
  EXPECT_TRUE(mentions(mujoco.notes, "meshes"));
  EXPECT_TRUE(mentions(export_arm(model, ExportFormat::urdf, 4).notes, "cut into pieces"));
}

}  // namespace
}  // namespace limber
