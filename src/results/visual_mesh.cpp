// SPDX-License-Identifier: BSD-3-Clause
#include "visual_mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <variant>

#include "limber/io/file_error.hpp"
#include "limber/math/rotation.hpp"
#include "simplify_mesh.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::Vector3d;

constexpr int round_sides = 32;                          // of cylinders and spheres
constexpr int most_of_mesh = 2000, most_of_arm = 40000;  // triangles
constexpr int least_of_mesh = 100;
constexpr double coarsest = 1e-4;  // of its size: to which a shape's vertices are rounded

TriangleMesh triangles_of(const visuals::Box& box) {
  TriangleMesh mesh;
  mesh.vertices.resize(3, 8);
  for (int i = 0; i < 8; ++i)
    mesh.vertices.col(i) =
        0.5 * box.size.cwiseProduct(Vector3d(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0));
  mesh.triangles.resize(3, 12);
  mesh.triangles << 0, 0, 4, 4, 0, 0, 2, 2, 0, 0, 1, 1,  //
      2, 3, 5, 7, 1, 5, 6, 7, 4, 6, 3, 7,                //
      3, 1, 7, 6, 5, 4, 7, 3, 6, 2, 7, 5;
  return mesh;
}

/// A surface of revolution about z: rings of radius r_i at z_i, from below to above; a radius of 0 is a point.
TriangleMesh revolved(const std::vector<Eigen::Vector2d>& rings) {
  std::vector<Vector3d> vertices;
  std::vector<Eigen::Vector3i> triangles;
  int below = -1;  // the first vertex of the ring before
  for (std::size_t i = 0; i < rings.size(); ++i) {
    const double r = rings[i][0], z = rings[i][1];
    const int begin = static_cast<int>(vertices.size()), sides = r > 0.0 ? round_sides : 1;
    for (int k = 0; k < sides; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / round_sides;
      vertices.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
    for (int k = 0; below >= 0 && k < round_sides; ++k) {
      const int next = (k + 1) % round_sides;
      const bool from_point = rings[i - 1][0] == 0.0, to_point = sides == 1;
      if (!from_point) triangles.emplace_back(below + k, below + next, begin + (to_point ? 0 : k));
      if (!to_point) triangles.emplace_back(below + (from_point ? 0 : next), begin + next, begin + k);
    }
    below = begin;
  }
  TriangleMesh mesh;
  mesh.vertices.resize(3, static_cast<Index>(vertices.size()));
  for (std::size_t i = 0; i < vertices.size(); ++i) mesh.vertices.col(static_cast<Index>(i)) = vertices[i];
  mesh.triangles.resize(3, static_cast<Index>(triangles.size()));
  for (std::size_t i = 0; i < triangles.size(); ++i) mesh.triangles.col(static_cast<Index>(i)) = triangles[i];
  return mesh;
}

TriangleMesh triangles_of(const visuals::Cylinder& cylinder) {
  const double r = cylinder.radius, z = 0.5 * cylinder.length;
  return revolved({{0.0, -z}, {r, -z}, {r, z}, {0.0, z}});
}

TriangleMesh triangles_of(const visuals::Sphere& sphere) {
  constexpr int belts = round_sides / 2;
  std::vector<Eigen::Vector2d> rings = {{0.0, -sphere.radius}};
  for (int i = 1; i < belts; ++i) {
    const double angle = std::numbers::pi * i / belts;
    rings.emplace_back(sphere.radius * std::sin(angle), -sphere.radius * std::cos(angle));
  }
  rings.emplace_back(0.0, sphere.radius);
  return revolved(rings);
}

/// Nothing where the file cannot be read: undrawn_meshes() says so.
TriangleMesh triangles_of(const visuals::Mesh& given, int most_triangles) {
  TriangleMesh mesh;
  try {
    mesh = read_mesh(given.file);
  } catch (const FileError&) {
    return {};
  }
  mesh.vertices = given.scale.asDiagonal() * mesh.vertices;
  if (given.scale.prod() < 0.0)
    mesh.triangles.row(1).swap(mesh.triangles.row(2));  // a mirror turns them over
  return simplified(mesh, most_triangles);
}

/// So many digits as can be seen: 0.12345, not 0.12345000350475311.
void round_vertices(Eigen::Matrix3Xd& vertices) {
  const double size = vertices.cwiseAbs().maxCoeff();
  const double digits = std::clamp(-std::floor(std::log10(coarsest * size)), 0.0, 15.0);
  const double one = std::pow(10.0, digits);
  vertices = (vertices * one).array().round().matrix() / one;
  vertices.array() += 0.0;  // no -0
}

}  // namespace

std::size_t count_meshes(const ModelDescription& arm) {
  const auto count = [](const std::vector<VisualDescription>& list) {
    return static_cast<std::size_t>(std::count_if(
        list.begin(), list.end(),
        [](const VisualDescription& visual) { return std::holds_alternative<visuals::Mesh>(visual.kind); }));
  };
  std::size_t sum = count(arm.visuals);
  for (const LinkDescription& link : arm.links) sum += count(link.visuals);
  return sum;
}

int triangles_per_mesh(std::size_t meshes) {
  const auto share = most_of_arm / static_cast<int>(std::clamp<std::size_t>(meshes, 1, most_of_arm));
  return std::clamp(share, least_of_mesh, most_of_mesh);
}

std::vector<OutlineVisual> outline_visuals(const std::vector<VisualDescription>& visuals,
                                           int most_triangles) {
  std::vector<OutlineVisual> all;
  for (const VisualDescription& visual : visuals) {
    OutlineVisual drawn;
    drawn.color = visual.color;
    drawn.mesh = std::visit(
        [&](const auto& kind) {
          if constexpr (std::is_same_v<std::decay_t<decltype(kind)>, visuals::Mesh>)
            return triangles_of(kind, most_triangles);
          else
            return triangles_of(kind);
        },
        visual.kind);
    if (drawn.mesh.triangles.cols() == 0) continue;
    drawn.mesh.vertices =
        ((rotation_from_rpy(visual.rpy) * drawn.mesh.vertices).colwise() + visual.xyz).eval();
    round_vertices(drawn.mesh.vertices);
    all.push_back(std::move(drawn));
  }
  return all;
}

}  // namespace limber
