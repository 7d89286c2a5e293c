// SPDX-License-Identifier: BSD-3-Clause
#include "skin.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace limber {
namespace {

using Face =
    std::array<int, 4>;  // corners, seen from outside counter-clockwise; the last is -1 of a triangle
using Triangle = std::array<int, 3>;

const std::vector<Face>& faces_of(MeshElement::Kind kind) {
  static const std::vector<Face> tetrahedron{{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {2, 0, 3, -1}};
  static const std::vector<Face> wedge{
      {0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
  static const std::vector<Face> hexahedron{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                            {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  return kind == MeshElement::Kind::tetrahedron ? tetrahedron
         : kind == MeshElement::Kind::wedge     ? wedge
                                                : hexahedron;
}

struct SortedFace {
  Face key;  // corners in ascending order
  Face face;
};

std::vector<Triangle> outer_triangles(const Mesh& mesh) {
  std::vector<SortedFace> all;
  for (const MeshElement& element : mesh.elements)
    for (Face face : faces_of(element.kind)) {
      for (int& corner : face)
        if (corner >= 0) corner = element.corners[static_cast<std::size_t>(corner)];
      Face key = face;
      std::sort(key.begin(), key.end());
      all.push_back({key, face});
    }
  std::sort(all.begin(), all.end(), [](const SortedFace& a, const SortedFace& b) { return a.key < b.key; });
  std::vector<Triangle> triangles;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_shared =
        (i > 0 && all[i - 1].key == all[i].key) || (i + 1 < all.size() && all[i + 1].key == all[i].key);
    if (is_shared) continue;
    const Face& f = all[i].face;
    triangles.push_back({f[0], f[1], f[2]});
    if (f[3] >= 0) triangles.push_back({f[0], f[2], f[3]});
  }
  return triangles;
}

// For every node of the triangles the one that stands for it: the first of its cell.
std::map<int, int> clusters(const Mesh& mesh, const std::vector<Triangle>& triangles, double cell) {
  std::map<std::array<long, 3>, int> first;
  std::map<int, int> stands_for;
  for (const Triangle& triangle : triangles)
    for (const int node : triangle) {
      std::array<long, 3> place{};
      for (int axis = 0; axis < 3; ++axis)
        place[static_cast<std::size_t>(axis)] = std::lround(mesh.positions(axis, node) / cell);
      stands_for[node] = cell > 0.0 ? first.try_emplace(place, node).first->second : node;
    }
  return stands_for;
}

int count_of(const std::map<int, int>& stands_for) {
  return static_cast<int>(std::count_if(stands_for.begin(), stands_for.end(),
                                        [](const auto& pair) { return pair.first == pair.second; }));
}

}  // namespace

MeshSkin skin_of(const Mesh& mesh, int most_nodes) {
  const std::vector<Triangle> triangles = outer_triangles(mesh);
  MeshSkin skin;
  if (triangles.empty()) return skin;
  const double size = (mesh.positions.rowwise().maxCoeff() - mesh.positions.rowwise().minCoeff()).norm();
  constexpr double finest = 1e-9, coarser = 1.4;
  std::map<int, int> stands_for = clusters(mesh, triangles, finest * size);
  for (double cell = 1e-3 * size; count_of(stands_for) > most_nodes; cell *= coarser)
    stands_for = clusters(mesh, triangles, cell);

  std::map<int, int> index;
  std::vector<Triangle> kept;
  for (const Triangle& triangle : triangles) {
    const Triangle own{stands_for[triangle[0]], stands_for[triangle[1]], stands_for[triangle[2]]};
    if (own[0] == own[1] || own[1] == own[2] || own[2] == own[0]) continue;
    kept.push_back(own);
    for (const int node : own)
      if (index.try_emplace(node, static_cast<int>(skin.nodes.size())).second) skin.nodes.push_back(node);
  }
  skin.triangles.resize(3, static_cast<Eigen::Index>(kept.size()));
  for (std::size_t i = 0; i < kept.size(); ++i)
    for (int k = 0; k < 3; ++k)
      skin.triangles(k, static_cast<Eigen::Index>(i)) = index[kept[i][static_cast<std::size_t>(k)]];
  return skin;
}

}  // namespace limber
