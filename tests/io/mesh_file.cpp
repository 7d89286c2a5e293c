// SPDX-License-Identifier: BSD-3-Clause
// Meshes of files: the same cube in all formats, what is refused, and files that nobody meant to be meshes.

#include "limber/io/mesh_file.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <random>
#include <string>

#include "limber/io/file_error.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

using Eigen::Vector3d;

// A cube of side 2 about (1, 2, 3), its faces as OBJ writes them: counterclockwise from outside.
constexpr const char* cube_obj = R"(# a cube
mtllib cube.mtl
o cube
v 0 1 2
v 2 1 2
v 2 3 2
v 0 3 2
v 0 1 4
v 2 1 4 1.0
v 2 3 4
v +0 3 4
vn 0 0 1
usemtl steel
f 1 4 3 2
f 5//1 6//1 7//1 8//1
f 1/1/1 2/2/1 6/3/1
f 1 6 5
f -7 -6 -2 -3
f 3 4 8 7
f 4 1 5 8
)";

std::vector<std::array<Vector3d, 3>> facets_of(const TriangleMesh& mesh) {
  std::vector<std::array<Vector3d, 3>> facets;
  for (Eigen::Index i = 0; i < mesh.triangles.cols(); ++i)
    facets.push_back({mesh.vertices.col(mesh.triangles(0, i)), mesh.vertices.col(mesh.triangles(1, i)),
                      mesh.vertices.col(mesh.triangles(2, i))});
  return facets;
}

// Gauss: the volume is a sum over the surface, and positive where all triangles look outwards.
double volume(const TriangleMesh& mesh) {
  double sum = 0.0;
  for (const auto& [a, b, c] : facets_of(mesh)) sum += a.dot(b.cross(c)) / 6.0;
  return sum;
}

std::string binary_stl(const TriangleMesh& mesh) {
  std::string bytes(80, 'x');
  const auto add = [&](const auto& number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);  // NOLINT
  };
  add(static_cast<std::uint32_t>(mesh.triangles.cols()));
  for (const auto& facet : facets_of(mesh)) {
    for (int i = 0; i < 3; ++i) add(0.0f);
    for (const Vector3d& corner : facet)
      for (const double x : corner) add(static_cast<float>(x));
    add(std::uint16_t{0});
  }
  return bytes;
}

std::string text_stl(const TriangleMesh& mesh) {
  std::string text = "solid vertex of nothing\n";
  for (const auto& facet : facets_of(mesh)) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const Vector3d& p : facet)
      text += "   vertex " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " " +
              std::to_string(p.z()) + "\n";
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid vertex of nothing\n";
}

TEST(MeshFile, OfACubeIsTheSameInEveryFormat) {
  const TriangleMesh cube = parse_mesh(cube_obj, "cube.obj");
  EXPECT_EQ(cube.vertices.cols(), 8);
  EXPECT_EQ(cube.triangles.cols(), 12);
  EXPECT_DOUBLE_EQ(volume(cube), 8.0);
  for (const std::string& bytes : {binary_stl(cube), text_stl(cube)}) {
    const TriangleMesh read = parse_mesh(bytes, "cube.STL");
    EXPECT_EQ(read.vertices.cols(), 8);
    EXPECT_EQ(facets_of(read), facets_of(cube));
  }
  // Some programs write the word of text files into the heads of binary ones, some write more after the last triangle.
  std::string head = binary_stl(cube);
  head.replace(0, 5, "solid");
  EXPECT_EQ(facets_of(parse_mesh(head, "cube.stl")), facets_of(cube));
  EXPECT_EQ(facets_of(parse_mesh(binary_stl(cube) + "more", "cube.stl")), facets_of(cube));
}

std::string refusal(std::string_view bytes, const std::string& name) {
  try {
    parse_mesh(bytes, name);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST(MeshFile, ThatIsWrongIsRefusedWithItsPlace) {
  const std::string stl = binary_stl(parse_mesh(cube_obj, "cube.obj"));
  const auto expect = [](const std::string& found, const std::string& part) {
    EXPECT_NE(found.find(part), found.npos) << found;
  };
  expect(refusal(stl.substr(0, 300), "a.stl"), "a.stl: expected 684 bytes, for 12 triangles, found 300");
  expect(refusal(stl.substr(0, 84) + std::string(1, '\0'), "a.stl"), "expected 684 bytes");
  expect(refusal("", "a.stl"), "expected `endsolid`, found the end of the file");
  expect(refusal("solid\nendsolid\n", "a.stl"), "expected at least one triangle, found none");
  expect(refusal("solid\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n", "a.stl"),
         "a.stl:5:1: expected three corners in each facet, found 2");
  expect(refusal("solid\nvertex 0 0 much\n", "a.stl"), "a.stl:2:1: expected a number, found `much`");
  expect(refusal("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "a.obj"),
         "a.obj:4:1: expected one of the 3 vertices above it, found `4`");
  expect(refusal("v 0 0 0\nf 0 1 1\n", "a.obj"), "found `0`");
  expect(refusal("v 0 0 0\nf -2 1 1\n", "a.obj"), "found `-2`");
  expect(refusal("v 0 0 0\nf 1 1\n", "a.obj"), "a.obj:2:1: expected three corners or more, found 2");
  expect(refusal("v 0 0\n", "a.obj"), "a.obj:1:1: expected three numbers, found fewer");
  expect(refusal("v 0 0 nan\n", "a.obj"), "a.obj:1:1: expected coordinates of magnitude at most 1e+09");
  expect(refusal("v 0 0 1e30\n", "a.obj"), "expected coordinates of magnitude at most 1e+09, found 1e+30");
  std::string infinite = stl;
  const float infinity = std::numeric_limits<float>::infinity();
  std::memcpy(infinite.data() + 84 + 12, &infinity, sizeof infinity);
  expect(refusal(infinite, "a.stl"), "expected coordinates of magnitude at most 1e+09");
  // A count that nobody could hold.
  std::string huge = stl;
  huge.replace(80, 4, "\xff\xff\xff\xff");
  expect(refusal(huge, "a.stl"), "expected 214748364834 bytes");
}

// Cut, changed, mixed: read as finite triangles of vertices that are there, or refused.
TEST(MeshFile, OfAnyBytesIsReadOrRefused) {
  const TriangleMesh cube = parse_mesh(cube_obj, "cube.obj");
  const std::array<std::pair<std::string, std::string>, 3> good = {
      {{cube_obj, "a.obj"}, {binary_stl(cube), "a.stl"}, {text_stl(cube), "a.stl"}}};
  std::mt19937 random(5);
  int read = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    auto [bytes, name] = good[random() % 3];
    for (unsigned k = random() % 6; k > 0; --k) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (random() % 3 == 0) bytes.resize(random() % bytes.size());
    try {
      const TriangleMesh mesh = parse_mesh(bytes, name);
      ++read;
      ASSERT_TRUE(mesh.vertices.allFinite());
      ASSERT_GT(mesh.triangles.cols(), 0);
      ASSERT_GE(mesh.triangles.minCoeff(), 0);
      ASSERT_LT(mesh.triangles.maxCoeff(), mesh.vertices.cols());
    } catch (const FileError&) {
      ++refused;
    }
  }
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(MeshFile, IsFoundWhereItsNameSays) {
  const TemporaryFolder folder;
  const std::filesystem::path package = folder.path() / "src" / "my_arm", urdf = package / "urdf";
  std::filesystem::create_directories(urdf);
  std::filesystem::create_directories(package / "meshes");
  std::ofstream(package / "meshes" / "link.obj") << cube_obj;
  const std::string mesh = (package / "meshes" / "link.obj").string();
  EXPECT_EQ(find_mesh("../meshes/link.obj", urdf), mesh);
  EXPECT_EQ(find_mesh("package://my_arm/meshes/link.obj", urdf), mesh);
  EXPECT_EQ(find_mesh("package://my_arm/meshes/link.obj", folder.path() / "src" / "other"), mesh);
  EXPECT_EQ(find_mesh("file://" + mesh, "/"), mesh);
  EXPECT_EQ(find_mesh(mesh, "/"), mesh);
  for (const char* nowhere :
       {"package://their_arm/meshes/link.obj", "package://", "package:///x", "http://a/b.stl"})
    EXPECT_EQ(find_mesh(nowhere, urdf), nowhere);
  EXPECT_EQ(why_not_drawn(mesh), "");
  EXPECT_EQ(why_not_drawn("package://their_arm/link.stl"), "no such package");
  EXPECT_EQ(why_not_drawn(mesh + ".dae"), "Collada; STL and OBJ are read");
  EXPECT_EQ(why_not_drawn((folder.path() / "none.stl").string()), "no such file");
  EXPECT_EQ(volume(read_mesh(mesh)), volume(parse_mesh(cube_obj, "cube.obj")));
  EXPECT_THROW(read_mesh(folder.path()), FileError);
}

// A picture that is not there keeps nobody from computing, and is named.
TEST(MeshFile, ThatCannotBeDrawnIsNamed) {
  ModelDescription arm;
  EXPECT_TRUE(undrawn_meshes(arm).empty());
  arm.links.emplace_back();
  for (int i = 0; i < 6; ++i)
    arm.links.back().visuals.push_back(
        {{0, 0, 0}, {0, 0, 0}, {}, visuals::Mesh{"no" + std::to_string(i) + ".stl"}});
  ASSERT_EQ(undrawn_meshes(arm).size(), 1u);
  EXPECT_EQ(
      undrawn_meshes(arm).front(),
      "meshes that are not drawn: no0.stl (no such file), no1.stl (no such file), no2.stl (no such file), "
      "no3.stl (no such file) and 2 more");
}

}  // namespace
}  // namespace limber
