// SPDX-License-Identifier: BSD-3-Clause
#include "limber/beam/reduced_body.hpp"

#include <algorithm>
#include <set>

#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"

namespace limber {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& expected, const std::string& found) {
  throw InputError(Problem{what, expected, found, ""});
}

std::string size_words(Eigen::Index rows, Eigen::Index columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

template <typename Matrix>
void require_matrix(const std::string& what, const Matrix& matrix, Eigen::Index rows, Eigen::Index columns) {
  if (matrix.rows() != rows || matrix.cols() != columns)
    refuse(what, size_words(rows, columns) + " numbers", size_words(matrix.rows(), matrix.cols()));
  if (!matrix.allFinite()) refuse(what, "finite numbers", "one that is not");
}

void require_symmetric(const std::string& what, const Eigen::MatrixXd& matrix) {
  if (matrix.size() == 0) return;
  constexpr double rounding = 1e-9;
  if (!((matrix - matrix.transpose()).cwiseAbs().maxCoeff() <= rounding * matrix.cwiseAbs().maxCoeff()))
    refuse(what, "a symmetric matrix", "one that is not");
}

void require_interfaces(const ReducedBody& body) {
  if (body.interfaces.empty() || body.interfaces.front().name != "tip")
    refuse("interfaces", "`tip` as the first interface",
           body.interfaces.empty() ? "none" : "`" + body.interfaces.front().name + "`");
  std::set<std::string> names;
  for (const BodyInterface& interface : body.interfaces) {
    if (!names.insert(interface.name).second)
      refuse("interfaces", "a name for each", "`" + interface.name + "` twice");
    require_matrix("interfaces." + interface.name + ".position", interface.p_RI, 3, 1);
    require_matrix("interfaces." + interface.name + ".Phi", interface.Phi, 3, body.size());
    require_matrix("interfaces." + interface.name + ".Psi", interface.Psi, 3, body.size());
  }
}

}  // namespace

RigidInertia ReducedBody::rest_inertia() const {
  const Eigen::Matrix3d second = gram.topLeftCorner<3, 3>();
  return {mass, moment.head<3>(), second.trace() * Eigen::Matrix3d::Identity() - second};
}

const BodyInterface* ReducedBody::find(const std::string& name) const {
  const auto found = std::find_if(interfaces.begin(), interfaces.end(),
                                  [&](const BodyInterface& interface) { return interface.name == name; });
  return found == interfaces.end() ? nullptr : &*found;
}

BeamNode node_of(const ReducedBody& body, const BodyInterface& interface, KinematicOrder order) {
  BeamNode node{interface.p_RI.x(), interface.Phi,     interface.Psi, {}, {},
                interface.p_RI.y(), interface.p_RI.z()};
  if (order == KinematicOrder::first || !body.stiffens()) return node;
  const Eigen::MatrixXd moved = interface.Phi * body.second_order, turned = interface.Psi * body.second_order;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    node.Phi2[axis] = node.Psi2[axis] = Eigen::MatrixXd::Zero(body.size(), body.size());
    Eigen::Index pair = 0;
    for (int j = 0; j < stiffened_modes(body.size()); ++j)
      for (int k = 0; k <= j; ++k, ++pair) {
        const auto a = static_cast<Eigen::Index>(axis);
        node.Phi2[axis](j, k) = node.Phi2[axis](k, j) = moved(a, pair);
        node.Psi2[axis](j, k) = node.Psi2[axis](k, j) = turned(a, pair);
      }
  }
  return node;
}

// Terms of second order are sums of modes, F_(axis, j, k) = Sum_i Phi_(axis, i) (A_i)_jk (half of it where j = k): with T these factors beside the identity of
// the other terms, moment and gram are T^T moment and T^T gram T.
ShapeIntegrals make_shape_integrals(const ReducedBody& body, KinematicOrder order,
                                    const RigidInertia& tip_body) {
  const bool second = order == KinematicOrder::second && body.stiffens();
  const Eigen::Index linear = body.moment.size(), pairs = second ? body.second_order.cols() : 0;
  ShapeIntegrals integrals;
  integrals.mass = body.mass;
  for (int axis = 0; axis < 3; ++axis) integrals.terms.push_back({axis});
  for (int j = 0; j < body.size(); ++j)
    for (int axis = 0; axis < 3; ++axis) integrals.terms.push_back({axis, j});
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(linear, linear + 3 * pairs);
  T.leftCols(linear).setIdentity();
  Eigen::Index pair = 0;
  for (int j = 0; second && j < stiffened_modes(body.size()); ++j)
    for (int k = 0; k <= j; ++k, ++pair)
      for (int axis = 0; axis < 3; ++axis) {
        integrals.terms.push_back({axis, j, k});
        for (Eigen::Index i = 0; i < body.size(); ++i)
          T(3 + 3 * i + axis, linear + 3 * pair + axis) = (j == k ? 0.5 : 1.0) * body.second_order(i, pair);
      }
  integrals.moment = T.transpose() * body.moment;
  integrals.gram = T.transpose() * body.gram * T;
  integrals.stiffness = body.stiffness.asDiagonal();
  add_body(node_of(body, body.interfaces.front(), order), tip_body, integrals);
  return integrals;
}

ReducedBody without_modes(const ReducedBody& body) {
  ReducedBody rigid = body;
  rigid.frequencies.resize(0);
  rigid.stiffness.resize(0);
  rigid.moment = body.moment.head<3>();
  rigid.gram = body.gram.topLeftCorner<3, 3>();
  rigid.skin.modes.resize(rigid.skin.modes.rows(), 0);
  for (BodyInterface& interface : rigid.interfaces) {
    interface.Phi.resize(3, 0);
    interface.Psi.resize(3, 0);
  }
  rigid.second_order.resize(0, 0);
  return rigid;
}

void require_valid(const ReducedBody& body) {
  const Eigen::Index m = body.stiffness.size(), terms = 3 + 3 * m;
  if (!(body.mass > 0.0)) refuse("mass", "a number > 0", std::to_string(body.mass));
  require_matrix("stiffness", body.stiffness, m, 1);
  require_matrix("frequencies", body.frequencies, m, 1);
  require_matrix("moment", body.moment, terms, 1);
  require_matrix("gram", body.gram, terms, terms);
  if (m > 0 && !(body.stiffness.minCoeff() > 0.0)) refuse("stiffness", "numbers > 0", "one that is not");
  require_symmetric("gram", body.gram);
  if (body.stiffens()) {
    const Eigen::Index lowest = stiffened_modes(m);
    require_matrix("second_order", body.second_order, m, lowest * (lowest + 1) / 2);
  }
  require_interfaces(body);

  // A coordinate without inertia, or two of them that move alike, leave no digits in the dynamics.
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(m, m);
  for (Eigen::Index j = 0; j < m; ++j)
    for (Eigen::Index k = 0; k < m; ++k) M(j, k) = body.gram.block<3, 3>(3 + 3 * j, 3 + 3 * k).trace();
  const Eigen::VectorXd scale = M.diagonal().cwiseMax(0.0).cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * M * scale.asDiagonal();
  constexpr double fewest_digits = 1e-13;
  if (m > 0 &&
      (!scaled.allFinite() ||
       !(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0] >
         fewest_digits)))
    refuse("gram", "modes with an inertia of their own", "one without, or one that repeats the others");

  const BodySkin& skin = body.skin;
  require_matrix("skin.points", skin.points, 3, skin.points.cols());
  require_matrix("skin.modes", skin.modes, 3 * skin.points.cols(),
                 skin.points.cols() > 0 ? m : skin.modes.cols());
  if (skin.triangles.size() > 0 &&
      (skin.triangles.minCoeff() < 0 || skin.triangles.maxCoeff() >= skin.points.cols()))
    refuse("skin.triangles", "points of the skin", "one that is not there");
}

}  // namespace limber
