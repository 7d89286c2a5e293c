// SPDX-License-Identifier: BSD-3-Clause
// Fewer triangles by clustering (P. Lindstrom, "Out-of-core simplification of large polygonal models", SIGGRAPH 2000). Space is cut into
// cubes of one size; all vertices of a cube become one, and triangles that lose a corner are gone. The vertex of a cube is where the
// planes of the triangles that touch it come nearest to each other, so that edges and corners stay sharp: it minimises
//
//   Sum_t w_t (n_t . x - d_t)^2 + lambda |x - m|^2                                                     (1)
//
// with n_t, d_t the plane of triangle t, w_t its area, m the mean of the cube's vertices; lambda settles what planes leave open.
// The cubes are the smallest that leave few enough triangles.

#include "simplify_mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "limber/math/detail/decompositions.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Triangle = std::array<int, 3>;

/// Beginning with the smallest corner: the same triangle reads the same.
Triangle turned(Triangle t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}

/// Which cube each vertex is in, by number.
struct Clusters {
  std::vector<int> of_vertex;
  int count = 0;
};

Clusters clusters_of(const Eigen::Matrix3Xd& vertices, double side) {
  const Vector3d low = vertices.rowwise().minCoeff();
  std::unordered_map<std::uint64_t, int> number;
  Clusters clusters;
  clusters.of_vertex.reserve(static_cast<std::size_t>(vertices.cols()));
  for (Index i = 0; i < vertices.cols(); ++i) {
    std::uint64_t key = 0;
    for (int axis = 0; axis < 3; ++axis)
      key = (key << 20) | static_cast<std::uint64_t>((vertices(axis, i) - low[axis]) / side);
    clusters.of_vertex.push_back(number.try_emplace(key, static_cast<int>(number.size())).first->second);
  }
  clusters.count = static_cast<int>(number.size());
  return clusters;
}

std::vector<Triangle> kept_triangles(const TriangleMesh& mesh, const Clusters& clusters) {
  std::set<Triangle> kept;
  for (Index i = 0; i < mesh.triangles.cols(); ++i) {
    const auto corner = [&](int k) {
      return clusters.of_vertex[static_cast<std::size_t>(mesh.triangles(k, i))];
    };
    const Triangle t = {corner(0), corner(1), corner(2)};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) kept.insert(turned(t));
  }
  return {kept.begin(), kept.end()};
}

// (1)
Eigen::Matrix3Xd cluster_vertices(const TriangleMesh& mesh, const Clusters& clusters, double side) {
  const auto count = static_cast<std::size_t>(clusters.count);
  std::vector<Matrix3d> A(count, Matrix3d::Zero());
  std::vector<Vector3d> b(count, Vector3d::Zero()), mean(count, Vector3d::Zero());
  std::vector<double> members(count, 0.0);
  for (Index i = 0; i < mesh.vertices.cols(); ++i) {
    const auto c = static_cast<std::size_t>(clusters.of_vertex[static_cast<std::size_t>(i)]);
    mean[c] += mesh.vertices.col(i);
    members[c] += 1.0;
  }
  for (std::size_t c = 0; c < count; ++c) mean[c] /= members[c];
  for (Index i = 0; i < mesh.triangles.cols(); ++i) {
    const Vector3d p = mesh.vertices.col(mesh.triangles(0, i));
    const Vector3d w_n = Vector3d(mesh.vertices.col(mesh.triangles(1, i)) - p)
                             .cross(Vector3d(mesh.vertices.col(mesh.triangles(2, i)) - p));
    const double w = w_n.norm();
    if (w == 0.0) continue;
    for (int k = 0; k < 3; ++k) {
      const auto c =
          static_cast<std::size_t>(clusters.of_vertex[static_cast<std::size_t>(mesh.triangles(k, i))]);
      A[c] += w_n * w_n.transpose() / w;
      b[c] += w_n * (w_n.dot(p - mean[c]) / w);  // from the mean, where rounding is least
    }
  }
  Eigen::Matrix3Xd vertices(3, clusters.count);
  for (std::size_t c = 0; c < count; ++c) {
    constexpr double share = 1e-3;
    const double lambda = share * A[c].trace();
    Vector3d step = Vector3d::Zero();
    if (lambda > 0.0) step = Matrix3d(A[c] + lambda * Matrix3d::Identity()).ldlt().solve(b[c]);
    if (!(step.norm() < side)) step.setZero();
    vertices.col(static_cast<Index>(c)) = mean[c] + step;
  }
  return vertices;
}

TriangleMesh mesh_of(const Eigen::Matrix3Xd& vertices, const std::vector<Triangle>& triangles) {
  std::vector<int> number(static_cast<std::size_t>(vertices.cols()), -1);
  TriangleMesh mesh;
  mesh.triangles.resize(3, static_cast<Index>(triangles.size()));
  std::vector<int> used;
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      int& n = number[static_cast<std::size_t>(triangles[i][k])];
      if (n < 0) {
        n = static_cast<int>(used.size());
        used.push_back(triangles[i][k]);
      }
      mesh.triangles(static_cast<Index>(k), static_cast<Index>(i)) = n;
    }
  mesh.vertices = vertices(Eigen::all, used);
  return mesh;
}

}  // namespace

TriangleMesh simplified(const TriangleMesh& mesh, int most_triangles) {
  const Vector3d size = mesh.vertices.rowwise().maxCoeff() - mesh.vertices.rowwise().minCoeff();
  const double longest = size.maxCoeff();
  if (mesh.vertices.cols() == 0 || !(longest > 0.0)) return {};
  // Vertices that are nowhere else than another one, to rounding, are one.
  constexpr int finest = 1 << 19;
  Clusters clusters = clusters_of(mesh.vertices, longest / finest);
  std::vector<Triangle> triangles = kept_triangles(mesh, clusters);
  if (static_cast<int>(triangles.size()) <= most_triangles) {
    Eigen::Matrix3Xd vertices(3, clusters.count);
    for (Index i = 0; i < mesh.vertices.cols(); ++i)
      vertices.col(clusters.of_vertex[static_cast<std::size_t>(i)]) = mesh.vertices.col(i);
    return mesh_of(vertices, triangles);
  }
  // More cubes, more triangles: `low` leaves few enough, `high` does not.
  int low = 1, high = finest;
  while (high - low > std::max(1, low / 50)) {
    const int middle = static_cast<int>(std::sqrt(double(low) * high));
    const int cubes = middle > low ? middle : low + 1;
    clusters = clusters_of(mesh.vertices, longest / cubes);
    (static_cast<int>(kept_triangles(mesh, clusters).size()) <= most_triangles ? low : high) = cubes;
  }
  clusters = clusters_of(mesh.vertices, longest / low);
  triangles = kept_triangles(mesh, clusters);
  return mesh_of(cluster_vertices(mesh, clusters, longest / low), triangles);
}

}  // namespace limber
