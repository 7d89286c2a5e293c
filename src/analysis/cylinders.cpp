// SPDX-License-Identifier: BSD-3-Clause
#include "cylinders.hpp"

#include "closed_loops.hpp"

#include <algorithm>
#include <string>

#include "limber/core/computation_error.hpp"
#include "limber/math/detail/decompositions.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Joints that nobody holds, and that no spring of their own lets move.
std::vector<int> joints_to_take(const Model& model, const JointNames& hold) {
  const std::vector<int> positions = positions_of_coordinates(model);
  const std::vector<int> passive = passive_coordinates(model, hold);
  std::vector<int> named;
  for (const std::string& name : hold)
    for (const int c : joint_coordinates_named(model, name)) named.push_back(c);
  std::vector<int> joints;
  for (const int c : joint_coordinates_named(model, "all"))
    if (positions[static_cast<std::size_t>(c)] >= 0 && !contains(passive, c) && !contains(named, c))
      joints.push_back(c);
  return joints;
}

std::vector<bool> carriers_of(const Model& model, const Frame& place) {
  std::vector<bool> carries(model.links().size(), false);
  for (int link = place.link; link >= 0; link = model.links()[static_cast<std::size_t>(link)].parent)
    carries[static_cast<std::size_t>(link)] = true;
  return carries;
}

// Whether one of some joints stands between the places of a cylinder: it moves one of them only.
bool any_between(const Model& model, const Cylinder& cylinder, const std::vector<int>& joints) {
  const std::vector<bool> from = carriers_of(model, cylinder.from), to = carriers_of(model, cylinder.to);
  return std::any_of(joints.begin(), joints.end(), [&](int c) {
    for (std::size_t i = 0; i < model.links().size(); ++i) {
      const Joint& joint = model.links()[i].joint;
      if (c >= joint.v_index && c < joint.v_index + joint.nv) return from[i] != to[i];
    }
    return false;
  });
}

[[noreturn]] void refuse_dead_centre(const std::string& cylinder) {
  throw ComputationError("cylinder `" + cylinder +
                         "` stands where it cannot hold its joint: its line passes through the joint's axis. "
                         "Begin with another position, or name the joint in `hold`");
}

}  // namespace

CylinderRoles roles_of_cylinders(const Model& model, const Input<double>& q, const JointNames& hold) {
  constexpr double rounding = 1e-9;  // of a joint that a cylinder moves not at all, beside the others
  Struts struts(model);
  struts.update(q, VectorXd::Zero(model.nv()));
  MatrixXd J = struts.jacobian();
  std::vector<int> left = joints_to_take(model, hold);
  if (!model.loops().empty()) {
    const std::vector<int> following = joints_that_follow(model, q, hold);
    std::erase_if(left, [&](int c) { return contains(following, c); });
    J = with_what_follows(model, q, J, following);
  }
  CylinderRoles roles;
  for (int i = 0; i < struts.count(); ++i) {
    double largest = 0.0;
    for (const int c : left) largest = std::max(largest, std::abs(J(i, c)));
    const auto moved = std::find_if(left.rbegin(), left.rend(),
                                    [&](int c) { return std::abs(J(i, c)) > rounding * (1.0 + largest); });
    const Cylinder& cylinder = model.cylinders()[static_cast<std::size_t>(i)];
    if (cylinder.is_damper()) continue;  // holds nothing
    if (moved == left.rend()) {
      if (any_between(model, cylinder, left)) refuse_dead_centre(cylinder.name);
      continue;
    }
    if (cylinder.stiffness > 0.0) {
      roles.sprung.push_back(*moved);
    } else {
      roles.held.push_back(*moved);
      roles.holding.push_back(i);
    }
    left.erase(std::next(moved).base());
  }
  return roles;
}

CylinderStatics::CylinderStatics(const Model& model, const Input<double>& q, const JointNames& hold)
    : model_(model),
      struts_(model),
      stops_(model),
      roles_(roles_of_cylinders(model, q, hold)),
      drives_(VectorXd::Zero(struts_.count())) {
  struts_.update(q, VectorXd::Zero(model.nv()));
  J_ = struts_.jacobian();
}

void CylinderStatics::add_forces(const Input<double>& q, const Input<double>& v, VectorXd& r) {
  struts_.update(q, v);
  J_ = struts_.jacobian();
  r -= J_.transpose() * struts_.passive_forces();
  if (!stops_.empty()) {
    stops_.update(q, v, &struts_);
    r -= J_.transpose() * stops_.on_cylinders();
  }
  drives_.setZero();
  if (roles_.held.empty()) return;
  const MatrixXd J_S = J_(roles_.holding, roles_.held);
  const Eigen::FullPivLU<MatrixXd> factor(MatrixXd(J_S.transpose()));
  if (!factor.isInvertible())
    refuse_dead_centre(model_.cylinders()[static_cast<std::size_t>(roles_.holding.front())].name);
  const VectorXd found = factor.solve(VectorXd(r(roles_.held)));
  for (std::size_t i = 0; i < roles_.holding.size(); ++i)
    drives_[roles_.holding[i]] = found[static_cast<Index>(i)];
  r -= J_.transpose() * drives_;
}

void CylinderStatics::add_tangent(const Input<double>& q, const Input<double>& v, MatrixXd& T) {
  MatrixXd by_rates = MatrixXd::Zero(T.rows(), T.rows());
  if (stops_.empty()) return struts_.add_tangent(q, v, drives_, T, by_rates);
  stops_.update(q, v, &struts_);
  struts_.add_tangent(q, v, drives_ + stops_.on_cylinders(), T, by_rates);
  struts_.add_springs(q, v, stops_.cylinder_stiffness(), stops_.cylinder_damping(), T, by_rates);
}

MatrixXd CylinderStatics::follow(const MatrixXd& T) const {
  if (roles_.held.empty()) return T;
  const MatrixXd J_S = J_(roles_.holding, roles_.held);
  const MatrixXd of_drives = J_S.transpose().fullPivLu().solve(MatrixXd(T(roles_.held, Eigen::all)));
  return T - J_(roles_.holding, Eigen::all).transpose() * of_drives;
}

MatrixXd CylinderStatics::held_lengths(const std::vector<int>& columns) const {
  return J_(roles_.holding, columns);
}

MatrixXd motions_without(const MatrixXd& A) {
  constexpr double rounding = 1e-10;  // of a row or column beside the largest
  if (A.rows() == 0 || A.cols() == 0) return MatrixXd::Identity(A.cols(), A.cols());
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
  qr.setThreshold(rounding);
  qr.compute(A.transpose());
  const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(A.cols(), A.cols());
  return Q.rightCols(A.cols() - qr.rank());
}

}  // namespace limber
