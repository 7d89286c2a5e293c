// SPDX-License-Identifier: BSD-3-Clause
#include "stress_stiffness.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "solid_element.hpp"

// Green and Lagrange's strain of u = Phi eta + chi is, to second order, e(Phi eta) + e(chi) + 1/2 grad(Phi eta)^T grad(Phi eta). The body chooses chi such that
// the last two leave no stress: with chi = 1/2 eta^T chi_jk eta
//
//   K chi_jk = -f_jk,     v^T f_jk = Int sigma(v) : sym(grad Phi_j^T grad Phi_k)   for all v                       (1)
//
// (static modal derivatives). The strain energy is then 1/2 eta^T K eta up to fourth order, as that of a beam in its curvatures. What the modes can make of chi
// is Phi a with Phi^T K Phi a = Phi^T K chi_jk, and Phi^T K Phi is diagonal:
//
//   (A_i)_jk = -1/K_ii Int sigma(Phi_i) : sym(grad Phi_j^T grad Phi_k)                                             (2)
//
// It answers loads on interfaces as chi does, because their static shapes are among the modes; of other loads the error is a product of two: what the modes lack of
// chi, and of the answer to the load.
//
// A rigid interface that turns by theta moves its nodes, x from its centre, by theta x x + 1/2 theta x (theta x x): the last part, c_jk, is of second order too,
// and given: K (chi - c) = -f - K c. With R = Sum r x^T over the forces r = K Phi_i on its nodes
//
//   r^T c_jk = theta_j . ((R + R^T)/2 - tr(R) 1) theta_k                                                            (3)
//
// is added to the integral of (2). (An interface itself is told by its rotation vector, without c.)

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

std::string words(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

// Values at the nodes of one element: one row a node, columns x, y, z of the first field, then of the next.
class NodalValues {
 public:
  NodalValues(const Mesh& mesh, const Constraints& constraints) : rows_(mesh.numbers.size(), nullptr) {
    for (const NodeRows& node : constraints.nodes) rows_[static_cast<std::size_t>(node.node)] = &node;
    source_ = mesh.source;
  }

  MatrixXd at(const MeshElement& element, const MatrixXd& fields) const {
    MatrixXd values(static_cast<Eigen::Index>(element.corners.size() + element.midsides.size()),
                    3 * fields.cols());
    Eigen::Index n = 0;
    for (const std::vector<int>* nodes : {&element.corners, &element.midsides})
      for (const int node : *nodes) {
        const NodeRows* own = rows_[static_cast<std::size_t>(node)];
        if (!own)
          throw InputError(Problem{source_, "elements of which the matrices have all nodes",
                                   "one with a node that they do not have", ""});
        for (Eigen::Index j = 0; j < fields.cols(); ++j)
          for (int axis = 0; axis < 3; ++axis)
            values(n, 3 * j + axis) = fields(own->rows[static_cast<std::size_t>(axis)], j);
        ++n;
      }
    return values;
  }

 private:
  std::vector<const NodeRows*> rows_;
  std::string source_;
};

// Hooke's law. Stresses xx, yy, zz, xy, xz, yz of a gradient (column c: d/dx of component c).
Eigen::Matrix<double, 6, 1> stress(const ElasticMaterial& material, const Matrix3d& gradient) {
  const double mu = 0.5 * material.E / (1.0 + material.nu),
               lambda = 2.0 * mu * material.nu / (1.0 - 2.0 * material.nu);
  const Matrix3d s =
      lambda * gradient.trace() * Matrix3d::Identity() + mu * (gradient + gradient.transpose());
  return {s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(0, 2), s(1, 2)};
}

// Sum_ab sigma_ab grad_a Phi_j . grad_b Phi_k = products sigma: one row a pair k <= j, one column an element of sigma. gradients: 3 x 3 m.
void set_products(const MatrixXd& gradients, Eigen::Ref<MatrixXd> products) {
  const Eigen::Index m = gradients.cols() / 3;
  std::array<MatrixXd, 3> along;  // m x 3: the derivative along an axis of x, y, z of each mode
  for (Eigen::Index a = 0; a < 3; ++a)
    along[static_cast<std::size_t>(a)] = gradients.row(a).reshaped(3, m).transpose();
  constexpr std::size_t pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};  // NOLINT
  for (Eigen::Index column = 0; column < 6; ++column) {
    const auto& [a, b] = pairs[column];
    const MatrixXd P = along[a] * along[b].transpose();
    for (Eigen::Index j = 0, at = 0; j < m; ++j)
      for (Eigen::Index k = 0; k <= j; ++k, ++at) products(at, column) = a == b ? P(j, k) : P(j, k) + P(k, j);
  }
}

// Int sigma(w) : sym(grad Phi_j^T grad Phi_k), one row a pair k <= j, one column an answer w; and of each answer its strain energy by the material.
struct StressStiffness {
  MatrixXd pairs;
  VectorXd energy;
};
StressStiffness stress_stiffness(const Mesh& mesh, const Constraints& constraints,
                                 const ElasticMaterial& material, const MatrixXd& U,
                                 const MatrixXd& answers) {
  const Eigen::Index m = U.cols(), loads = answers.cols();
  const NodalValues nodal(mesh, constraints);
  StressStiffness sum{MatrixXd::Zero(m * (m + 1) / 2, loads), VectorXd::Zero(loads)};
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const MeshElement& element = mesh.elements[e];
    const MatrixXd of_modes = nodal.at(element, U), of_answers = nodal.at(element, answers);
    const std::vector<ElementPoint> points = integration_points(mesh, element, e);
    const auto count = static_cast<Eigen::Index>(points.size());
    MatrixXd products(sum.pairs.rows(), 6 * count), stresses(6 * count, loads);
    for (Eigen::Index i = 0; i < count; ++i) {
      const ElementPoint& point = points[static_cast<std::size_t>(i)];
      set_products(point.gradient * of_modes, products.middleCols<6>(6 * i));
      const MatrixXd gradients = point.gradient * of_answers;
      for (Eigen::Index l = 0; l < loads; ++l) {
        const Matrix3d g = gradients.middleCols<3>(3 * l);
        const Eigen::Matrix<double, 6, 1> sigma = stress(material, g);
        const Vector3d shear(g(0, 1) + g(1, 0), g(0, 2) + g(2, 0), g(1, 2) + g(2, 1));
        stresses.block<6, 1>(6 * i, l) = point.volume * sigma;
        sum.energy[l] +=
            0.5 * point.volume * (sigma.head<3>().dot(g.diagonal()) + sigma.tail<3>().dot(shear));
      }
    }
    sum.pairs.noalias() += products * stresses;
  }
  return sum;
}

// The strain energy of the answers by the material must be that by the matrix. Solvers take bricks of eight nodes for softer than their shapes are.
void require_material(const Mesh& mesh, const ElasticMaterial& material, const VectorXd& by_material,
                      const VectorXd& by_matrix) {
  const bool has_plain_bricks =
      std::any_of(mesh.elements.begin(), mesh.elements.end(), [](const MeshElement& element) {
        return element.kind != MeshElement::Kind::tetrahedron && element.midsides.empty();
      });
  const double trusted = has_plain_bricks ? 0.25 : 0.02;
  std::vector<double> ratios;
  for (Eigen::Index l = 0; l < by_matrix.size(); ++l) ratios.push_back(by_material[l] / by_matrix[l]);
  std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2),
                   ratios.end());
  const double ratio = ratios[ratios.size() / 2];
  if (std::abs(ratio - 1.0) <= trusted) return;
  throw InputError(Problem{"material",
                           "the one material of all elements, with which the stiffness matrix was made",
                           "E = " + words(material.E) + " Pa and nu = " + words(material.nu) +
                               ", which make the mesh " + words(ratio) + " times as stiff as the matrix",
                           "with this nu, E = " + words(material.E / ratio) + " Pa would fit"});
}

// (3) for every load: one column a load, rows of `forces` those of the mesh. theta: 3 x m, how far the interface turns.
MatrixXd turned_nodes(const Mesh& mesh, const std::vector<const NodeRows*>& nodes, const Vector3d& center,
                      const MatrixXd& forces, const Eigen::Matrix3Xd& theta) {
  const Eigen::Index m = theta.cols();
  MatrixXd result(m * (m + 1) / 2, forces.cols());
  for (Eigen::Index l = 0; l < forces.cols(); ++l) {
    Matrix3d R = Matrix3d::Zero();
    for (const NodeRows* node : nodes)
      R += Vector3d(forces(node->rows[0], l), forces(node->rows[1], l), forces(node->rows[2], l)) *
           (mesh.positions.col(node->node) - center).transpose();
    const Matrix3d form = 0.5 * (R + R.transpose()) - R.trace() * Matrix3d::Identity();
    const MatrixXd all = theta.transpose() * form * theta;
    for (Eigen::Index j = 0, at = 0; j < m; ++j)
      for (Eigen::Index k = 0; k <= j; ++k, ++at) result(at, l) = all(j, k);
  }
  return result;
}

// Inertia forces of a frame that accelerates along x, y, z, turns ever faster about them, or turns steadily: [w]^2 r0 is made of the last six. Lengths are counted
// in the body's own size.
MatrixXd inertia_loads(const Mesh& mesh, const MeshMatrices& matrices, const Constraints& constraints) {
  MatrixXd fields = MatrixXd::Zero(static_cast<Eigen::Index>(constraints.roles.size()), 12);
  double size = 0.0;
  for (const NodeRows& node : constraints.nodes)
    size = std::max(size, (mesh.positions.col(node.node) - constraints.root_center).norm());
  constexpr int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};  // NOLINT
  for (const NodeRows& node : constraints.nodes) {
    const Vector3d r = (mesh.positions.col(node.node) - constraints.root_center) / size;
    const auto at = [&](int axis, int load) -> double& {
      return fields(node.rows[static_cast<std::size_t>(axis)], load);
    };
    for (int i = 0; i < 3; ++i) {
      const Vector3d turning = Vector3d::Unit(i).cross(r);
      at(i, i) = 1.0;
      for (int axis = 0; axis < 3; ++axis) at(axis, 3 + i) = turning[axis];
      at(i, 6 + i) = r[i];
      at(pairs[i][0], 9 + i) = r[pairs[i][1]];
      at(pairs[i][1], 9 + i) = r[pairs[i][0]];
    }
  }
  return matrices.mass * fields;
}

}  // namespace

MatrixXd stress_shapes(const Mesh& mesh, const MeshMatrices& matrices, const Constraints& constraints,
                       const ElasticMaterial& material, const StaticAnswer& answer, const MatrixXd& U,
                       int count) {
  const MatrixXd KU = matrices.stiffness * U;
  const VectorXd stiffness = U.cwiseProduct(KU).colwise().sum().transpose();
  MatrixXd rest = answer(inertia_loads(mesh, matrices, constraints));
  rest -= U * (stiffness.cwiseInverse().asDiagonal() * (KU.transpose() * rest));
  const Eigen::Index lowest = stiffened_modes(U.cols());
  MatrixXd change = stress_stiffness(mesh, constraints, material, U.leftCols(lowest), rest).pairs;
  for (Eigen::Index j = 0, at = 0; j < lowest; ++j)
    for (Eigen::Index k = 0; k <= j; ++k, ++at) change.row(at) /= std::sqrt(stiffness[j] * stiffness[k]);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> principal(MatrixXd(change.transpose() * change));
  constexpr double counted = 1e-8;  // squared: of the largest change
  const VectorXd& changes = principal.eigenvalues();
  Eigen::Index kept = 0;
  while (kept < std::min<Eigen::Index>(count, changes.size()) &&
         changes[changes.size() - 1 - kept] > counted * changes[changes.size() - 1])
    ++kept;
  return rest * principal.eigenvectors().rightCols(kept);
}

void set_second_order(const Mesh& mesh, const MeshMatrices& matrices, const Constraints& constraints,
                      const ReductionRequest& request, const MatrixXd& U, ReducedBody& body) {
  const ElasticMaterial& material = *request.material;
  const Eigen::Index lowest = stiffened_modes(U.cols());
  const MatrixXd forces = matrices.stiffness * U;
  const StressStiffness stiffness = stress_stiffness(mesh, constraints, material, U.leftCols(lowest), U);
  require_material(mesh, material, stiffness.energy, 0.5 * body.stiffness);
  MatrixXd pairs = stiffness.pairs;

  std::vector<const NodeRows*> by_row(constraints.roles.size(), nullptr);
  for (const NodeRows& node : constraints.nodes) by_row[static_cast<std::size_t>(node.rows[0])] = &node;
  for (std::size_t i = 0; i < request.interfaces.size(); ++i) {
    if (request.interfaces[i].spider != Spider::rigid) continue;
    std::vector<const NodeRows*> nodes;
    for (const int row : constraints.all_means[i].rows)
      if (by_row[static_cast<std::size_t>(row)]) nodes.push_back(by_row[static_cast<std::size_t>(row)]);
    pairs +=
        turned_nodes(mesh, nodes, constraints.centers[i], forces, body.interfaces[i].Psi.leftCols(lowest));
  }
  body.second_order = (-body.stiffness.cwiseInverse()).asDiagonal() * pairs.transpose();
}

}  // namespace limber
