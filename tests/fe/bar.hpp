// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A bar of 20-node bricks along x, assembled here and nowhere else: the oracle of reductions. Serendipity shapes, 3 x 3 x 3 Gauss points; elements
// are boxes of one size, so that one element's matrices serve for all.

#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "limber/fe/matrices.hpp"
#include "limber/fe/mesh.hpp"

namespace limber::test {

struct BarOptions {
  double length = 1.0, width = 0.1, height = 0.06;  // x, y, z
  int elements = 8;                                 // along x; two along y, one along z
  double E = 2.1e11, nu = 0.0, density = 7850.0;
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  // of the middle of the end at the root
};

// Corners, then the middles of edges, as CalculiX counts them; natural coordinates -1, 0, 1.
inline const std::array<std::array<int, 3>, 20>& brick_nodes() {
  static const std::array<std::array<int, 3>, 20> nodes{
      {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1},  {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1},
       {-1, 1, 1},   {0, -1, -1}, {1, 0, -1},  {0, 1, -1},  {-1, 0, -1}, {0, -1, 1}, {1, 0, 1},
       {0, 1, 1},    {-1, 0, 1},  {-1, -1, 0}, {1, -1, 0},  {1, 1, 0},   {-1, 1, 0}}};
  return nodes;
}

// Shape functions and their derivatives by the natural coordinates.
struct Shapes {
  Eigen::Matrix<double, 20, 1> N;
  Eigen::Matrix<double, 20, 3> dN;
};
inline double brick_shape(int i, const Eigen::Vector3d& x) {
  const auto& n = brick_nodes()[static_cast<std::size_t>(i)];
  double value = i < 8 ? 0.125 : 0.25, sum = -2.0;
  for (int a = 0; a < 3; ++a) {
    value *=
        n[static_cast<std::size_t>(a)] == 0 ? 1.0 - x[a] * x[a] : 1.0 + x[a] * n[static_cast<std::size_t>(a)];
    sum += x[a] * n[static_cast<std::size_t>(a)];
  }
  return i < 8 ? value * sum : value;
}
inline Shapes brick_shapes(const Eigen::Vector3d& x) {
  Shapes shapes;
  for (int i = 0; i < 20; ++i) {
    shapes.N[i] = brick_shape(i, x);
    for (int a = 0; a < 3; ++a) {  // quadratic along each axis: the central difference is exact
      const Eigen::Vector3d h = 0.5 * Eigen::Vector3d::Unit(a);
      shapes.dN(i, a) = brick_shape(i, x + h) - brick_shape(i, x - h);
    }
  }
  return shapes;
}

class Bar {
 public:
  explicit Bar(const BarOptions& options) : options_(options) {
    make_nodes();
    assemble();
  }

  const Mesh& mesh() const { return mesh_; }
  const MeshMatrices& matrices() const { return matrices_; }
  Eigen::MatrixXd K() const { return matrices_.stiffness; }
  Eigen::MatrixXd M() const { return matrices_.mass; }
  const BarOptions& options() const { return options_; }

  /// Rigid motion of all nodes about a point: 3 n x 6.
  Eigen::MatrixXd rigid_motions(const Eigen::Vector3d& about) const {
    const Eigen::Index n = mesh_.positions.cols();
    Eigen::MatrixXd S(3 * n, 6);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Eigen::Vector3d r = mesh_.positions.col(i) - about;
      S.block<3, 3>(3 * i, 0).setIdentity();
      for (int a = 0; a < 3; ++a) S.block<3, 1>(3 * i, 3 + a) = Eigen::Vector3d::Unit(a).cross(r);
    }
    return S;
  }

  /// Files as CalculiX writes them.
  void write(const std::string& stem) const {
    std::ofstream mesh(stem + ".inp"), K(stem + ".sti"), M(stem + ".mas"), dof(stem + ".dof");
    mesh.precision(17);
    mesh << "** a bar\n*NODE, NSET=ALL\n";
    for (std::size_t i = 0; i < mesh_.numbers.size(); ++i) {
      mesh << mesh_.numbers[i];
      for (int a = 0; a < 3; ++a) mesh << ", " << mesh_.positions(a, static_cast<Eigen::Index>(i));
      mesh << "\n";
      for (int a = 1; a <= 3; ++a) dof << mesh_.numbers[i] << "." << a << "\n";
    }
    mesh << "*Element, type=C3D20, elset=EALL\n";
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      mesh << e + 1;
      for (std::size_t i = 0; i < 20; ++i)
        mesh << (i == 10 ? ",\n" : ", ") << mesh_.numbers[static_cast<std::size_t>(elements_[e][i])];
      mesh << "\n";
    }
    for (const auto& [name, nodes] : mesh_.sets) {
      mesh << "*NSET, NSET=" << name << "\n";
      for (const int node : nodes) mesh << mesh_.numbers[static_cast<std::size_t>(node)] << ",\n";
    }
    mesh << "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n";
    write_upper(matrices_.stiffness, K);
    write_upper(matrices_.mass, M);
  }

 private:
  static void write_upper(const Eigen::SparseMatrix<double>& A, std::ofstream& file) {
    file.precision(17);
    for (int k = 0; k < A.outerSize(); ++k)
      for (Eigen::SparseMatrix<double>::InnerIterator e(A, k); e; ++e)
        if (e.row() <= e.col()) file << e.row() + 1 << " " << e.col() + 1 << " " << e.value() << "\n";
  }

  void make_nodes() {
    constexpr std::array<int, 2> across{2, 1};  // elements along y, z
    std::map<std::array<int, 3>, int> index;    // by half steps
    std::vector<Eigen::Vector3d> places;
    const Eigen::Vector3d step(0.5 * options_.length / options_.elements, 0.5 * options_.width / across[0],
                               0.5 * options_.height / across[1]);
    for (int ix = 0; ix < options_.elements; ++ix)
      for (int iy = 0; iy < across[0]; ++iy)
        for (int iz = 0; iz < across[1]; ++iz) {
          std::array<int, 20> element{};
          for (std::size_t i = 0; i < 20; ++i) {
            const auto& n = brick_nodes()[i];
            const std::array<int, 3> at{2 * ix + 1 + n[0], 2 * iy + 1 + n[1], 2 * iz + 1 + n[2]};
            const auto [found, is_new] = index.try_emplace(at, static_cast<int>(places.size()));
            element[i] = found->second;
            if (is_new)
              places.push_back(options_.origin + Eigen::Vector3d(at[0] * step[0],
                                                                 at[1] * step[1] - 0.5 * options_.width,
                                                                 at[2] * step[2] - 0.5 * options_.height));
          }
          elements_.push_back(element);
          mesh_.elements.push_back({MeshElement::Kind::hexahedron,
                                    {element.begin(), element.begin() + 8},
                                    {element.begin() + 8, element.end()}});
        }
    mesh_.source = "bar.inp";
    mesh_.positions.resize(3, static_cast<Eigen::Index>(places.size()));
    for (std::size_t i = 0; i < places.size(); ++i) {
      mesh_.positions.col(static_cast<Eigen::Index>(i)) = places[i];
      mesh_.numbers.push_back(static_cast<int>(i) + 1);
      mesh_.index[static_cast<int>(i) + 1] = static_cast<int>(i);
    }
    for (const auto& [at, node] : index) {
      if (at[0] == 0) mesh_.sets["ROOT"].push_back(node);
      if (at[0] == 2 * options_.elements) mesh_.sets["TIP"].push_back(node);
      if (at[0] == options_.elements) mesh_.sets["MIDDLE"].push_back(node);
      if (at[1] == 0 && at[2] == 0) mesh_.sets["EDGE"].push_back(node);
    }
    for (auto& [name, nodes] : mesh_.sets) std::sort(nodes.begin(), nodes.end());
  }

  void assemble() {
    const Eigen::Vector3d half(0.5 * options_.length / options_.elements, 0.25 * options_.width,
                               0.5 * options_.height);
    const double lambda = options_.E * options_.nu / ((1 + options_.nu) * (1 - 2 * options_.nu)),
                 mu = 0.5 * options_.E / (1 + options_.nu);
    Eigen::Matrix<double, 6, 6> C = Eigen::Matrix<double, 6, 6>::Zero();
    C.topLeftCorner<3, 3>().setConstant(lambda);
    C.diagonal().head<3>().array() += 2.0 * mu;
    C.diagonal().tail<3>().setConstant(mu);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(60, 60), M = K;
    const double g = std::sqrt(0.6);
    const std::array<double, 3> points{-g, 0.0, g}, weights{5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
    for (std::size_t i = 0; i < 27; ++i) {
      const std::array<std::size_t, 3> p{i % 3, i / 3 % 3, i / 9};
      const Shapes shapes = brick_shapes({points[p[0]], points[p[1]], points[p[2]]});
      const double weight = weights[p[0]] * weights[p[1]] * weights[p[2]] * half.prod();
      Eigen::MatrixXd B = Eigen::MatrixXd::Zero(6, 60);
      for (int n = 0; n < 20; ++n) {
        const Eigen::Vector3d d = shapes.dN.row(n).transpose().cwiseQuotient(half);
        for (int a = 0; a < 3; ++a) B(a, 3 * n + a) = d[a];
        B(3, 3 * n) = B(4, 3 * n + 2) = d[1];
        B(3, 3 * n + 1) = B(5, 3 * n + 2) = d[0];
        B(4, 3 * n + 1) = B(5, 3 * n) = d[2];
      }
      K += weight * B.transpose() * C * B;
      for (int n = 0; n < 20; ++n)
        for (int k = 0; k < 20; ++k)
          M.block<3, 3>(3 * n, 3 * k).diagonal().array() +=
              weight * options_.density * shapes.N[n] * shapes.N[k];
    }
    std::vector<Eigen::Triplet<double>> stiffness, mass;
    for (const auto& element : elements_)
      for (int i = 0; i < 60; ++i)
        for (int k = 0; k < 60; ++k) {
          const int row = 3 * element[static_cast<std::size_t>(i / 3)] + i % 3,
                    column = 3 * element[static_cast<std::size_t>(k / 3)] + k % 3;
          stiffness.emplace_back(row, column, K(i, k));
          mass.emplace_back(row, column, M(i, k));
        }
    const Eigen::Index size = 3 * mesh_.positions.cols();
    matrices_.stiffness.resize(size, size);
    matrices_.mass.resize(size, size);
    matrices_.stiffness.setFromTriplets(stiffness.begin(), stiffness.end());
    matrices_.mass.setFromTriplets(mass.begin(), mass.end());
    for (const int number : mesh_.numbers)
      for (int a = 1; a <= 3; ++a) matrices_.freedoms.push_back({number, a});
    matrices_.stiffness_file = "bar.sti";
    matrices_.mass_file = "bar.mas";
    matrices_.freedom_file = "bar.dof";
  }

  BarOptions options_;
  Mesh mesh_;
  MeshMatrices matrices_;
  std::vector<std::array<int, 20>> elements_;
};

}  // namespace limber::test
