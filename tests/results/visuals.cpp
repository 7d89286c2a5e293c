// SPDX-License-Identifier: BSD-3-Clause
// Shapes as results hold them: closed surfaces of the right size, simpler ones that look the same, and their text.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <numbers>

#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/results/arm_outline.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

using Eigen::Vector3d;

double volume(const TriangleMesh& mesh) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < mesh.triangles.cols(); ++i) {
    const auto corner = [&](int k) { return Vector3d(mesh.vertices.col(mesh.triangles(k, i))); };
    sum += corner(0).dot(corner(1).cross(corner(2))) / 6.0;
  }
  return sum;
}

// Every edge is passed once in each direction.
void expect_closed(const TriangleMesh& mesh) {
  std::map<std::pair<int, int>, int> edges;
  for (Eigen::Index i = 0; i < mesh.triangles.cols(); ++i)
    for (int k = 0; k < 3; ++k) ++edges[{mesh.triangles(k, i), mesh.triangles((k + 1) % 3, i)}];
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(edges.contains({edge.second, edge.first}));
  }
}

ArmOutline outline_with(const std::string& visuals, const std::filesystem::path& folder = "/") {
  const std::string text =
      "limber: 1\nlinks:\n  - {name: boom, beam: {length: 2, section: {EI_z: 10, mass_per_length: 1}, modes: "
      "{y: {count: 2}}}, visuals: [" +
      visuals + "]}\nvisuals: [{type: box, size: [1, 1, 1], xyz: [0, 0, -0.5]}]\n";
  return outline_of(build_model(parse_model_description(text, "arm.yaml", folder)), 5);
}

const TriangleMesh& first(const ArmOutline& arm) { return arm.links[0].visuals.at(0).mesh; }

TEST(OutlineVisuals, OfPlainShapesAreClosedAndOfTheirSize) {
  const ArmOutline box = outline_with("{type: box, size: [2, 0.1, 0.2], xyz: [1, 0, 0], color: [1, 0.5, 0]}");
  expect_closed(first(box));
  EXPECT_NEAR(volume(first(box)), 0.04, 1e-15);
  EXPECT_EQ(first(box).vertices.row(0).minCoeff(), 0.0);
  EXPECT_EQ(first(box).vertices.row(0).maxCoeff(), 2.0);
  EXPECT_EQ(*box.links[0].visuals[0].color, Vector3d(1, 0.5, 0));
  EXPECT_NEAR(volume(box.visuals.at(0).mesh), 1.0, 1e-15);
  EXPECT_FALSE(box.visuals[0].color);
  // A prism with 32 sides; vertices are rounded to 1e-4 of their distance.
  const double base = 16.0 * std::sin(std::numbers::pi / 16.0);
  const ArmOutline cylinder =
      outline_with("{type: cylinder, radius: 0.1, length: 1.5, rpy: [0, 1.5707963267948966, 0]}");
  expect_closed(first(cylinder));
  EXPECT_NEAR(volume(first(cylinder)), base * 0.01 * 1.5, 2e-5);
  EXPECT_NEAR(first(cylinder).vertices.row(0).maxCoeff(), 0.75, 1e-4);
  const ArmOutline sphere = outline_with("{type: sphere, radius: 0.3}");
  expect_closed(first(sphere));
  EXPECT_NEAR(volume(first(sphere)) / (4.0 / 3.0 * std::numbers::pi * 0.027), 0.98, 0.01);
  EXPECT_NEAR(first(sphere).vertices.colwise().norm().minCoeff(), 0.3, 1e-4);
}

// A grid of n x n squares on each face of a cube, pushed out to a sphere of radius 1 or left as it is (side 2).
std::string cube_obj(int n, bool is_round) {
  std::string vertices, faces;
  int count = 0;
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2;
    const double side = face % 2 == 0 ? 1.0 : -1.0;
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) {
        Vector3d p;
        p[axis] = side;
        p[(axis + 1) % 3] = 2.0 * i / n - 1.0;
        p[(axis + 2) % 3] = side * (2.0 * j / n - 1.0);
        if (is_round) p.normalize();
        vertices +=
            "v " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z()) + "\n";
        if (i == n || j == n) continue;
        const int a = count + i * (n + 1) + j + 1;
        const auto at = [&](int index) { return std::to_string(index) + " "; };
        faces += "f " + at(a) + at(a + n + 1) + at(a + n + 2) + at(a + 1) + "\n";
      }
    count += (n + 1) * (n + 1);
  }
  return vertices + faces;
}

TEST(OutlineVisuals, OfLargeMeshesAreSimplerAndLookTheSame) {
  const TemporaryFolder folder;
  folder.write("ball.obj", cube_obj(60, true));
  folder.write("cube.obj", cube_obj(60, false));
  folder.write("small.obj", cube_obj(4, false));
  const ArmOutline ball = outline_with("{type: mesh, file: ball.obj}", folder.path());
  EXPECT_LE(first(ball).triangles.cols(), 2000);
  EXPECT_GT(first(ball).triangles.cols(), 1000);
  EXPECT_NEAR(volume(first(ball)) / (4.0 / 3.0 * std::numbers::pi), 1.0, 0.02);
  EXPECT_NEAR(first(ball).vertices.colwise().norm().minCoeff(), 1.0, 0.01);
  EXPECT_NEAR(first(ball).vertices.colwise().norm().maxCoeff(), 1.0, 0.01);
  // Corners and edges stay: the planes of the faces say where they are.
  const ArmOutline cube = outline_with("{type: mesh, file: cube.obj}", folder.path());
  EXPECT_LE(first(cube).triangles.cols(), 2000);
  EXPECT_NEAR(volume(first(cube)), 8.0, 0.02);
  for (int i = 0; i < 8; ++i) {
    const Vector3d corner(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    EXPECT_LT((first(cube).vertices.colwise() - corner).colwise().norm().minCoeff(), 0.01) << i;
  }
  // What is small already stays as it is, in metres, its vertices once; a mirror keeps the outside outside.
  const ArmOutline small =
      outline_with("{type: mesh, file: small.obj, scale: [-0.5, 0.5, 0.5]}", folder.path());
  EXPECT_EQ(first(small).triangles.cols(), 6 * 4 * 4 * 2);
  EXPECT_EQ(first(small).vertices.cols(), 6 * 16 + 2);  // Euler: V = F/2 + 2
  expect_closed(first(small));
  EXPECT_NEAR(volume(first(small)), 1.0, 1e-4);
}

TEST(OutlineVisuals, ThatCannotBeReadAreLeftOut) {
  const TemporaryFolder folder;
  folder.write("broken.stl", "solid\n");
  folder.write("flat.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n");
  EXPECT_TRUE(
      outline_with(
          "{type: mesh, file: broken.stl}, {type: mesh, file: none.stl}, {type: mesh, file: flat.obj}",
          folder.path())
          .links[0]
          .visuals.empty());
}

TEST(OutlineVisuals, AreReadAsTheyWereWritten) {
  const ArmOutline arm =
      outline_with("{type: box, size: [2, 0.1, 0.2], color: [0.1, 0.2, 0.3]}, {type: sphere, radius: 0.1}");
  const std::string text = outline_text(arm);
  const ArmOutline read = parse_outline(text);
  EXPECT_EQ(read.links[0].visuals, arm.links[0].visuals);
  EXPECT_EQ(read.visuals, arm.visuals);
  EXPECT_LT(text.size(), 60000u);
  struct Case {
    std::string from, to, message;
  };
  const std::string triangles = "\"triangles\":[0,2,3";
  for (const auto& [from, to, message] :
       {Case{triangles, "\"triangles\":[0,2,8",
             "visuals[0].triangles: expected vertices from 0 to 7, found 8"},
        Case{triangles, "\"triangles\":[0,2,-1", "visuals[0].triangles"},
        Case{triangles, "\"triangles\":[0,2,0.5", "visuals[0].triangles"},
        Case{triangles, "\"triangles\":[0,2", "visuals[0].triangles"},
        Case{"\"vertices\":[", "\"vertices\":[1,", "visuals[0].vertices"},
        Case{"\"vertices\":[", "\"vertices\":[null,1,1,", "visuals[0].vertices[0]"}}) {
    std::string bad = text;
    const std::size_t at = bad.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    bad.replace(at, from.size(), to);
    try {
      parse_outline(bad);
      ADD_FAILURE() << to << " was read";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace limber
