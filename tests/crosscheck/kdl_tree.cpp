// SPDX-License-Identifier: BSD-3-Clause
#include "kdl_tree.hpp"

#include <algorithm>
#include <kdl/tree.hpp>
#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <kdl_parser/kdl_parser.hpp>
#include <stdexcept>

namespace limber::test {

struct KdlTree::Parts {
  KDL::Tree tree;
  std::vector<std::string> joints;
  std::unique_ptr<KDL::TreeIdSolver_RNE> inverse;
  std::unique_ptr<KDL::TreeFkSolverPos_recursive> forward;
};

namespace {

KDL::JntArray array_of(const double* values, std::size_t n) {
  KDL::JntArray array(static_cast<unsigned>(n));
  std::copy_n(values, n, array.data.data());
  return array;
}

}  // namespace

KdlTree::KdlTree(const std::string& urdf, const double* gravity) : parts_(std::make_unique<Parts>()) {
  if (!kdl_parser::treeFromString(urdf, parts_->tree)) throw std::runtime_error("kdl_parser gave up");
  parts_->joints.resize(parts_->tree.getNrOfJoints());
  for (const auto& [name, element] : parts_->tree.getSegments()) {
    const KDL::Joint& joint = GetTreeElementSegment(element).getJoint();
    if (joint.getType() != KDL::Joint::None) parts_->joints[GetTreeElementQNr(element)] = joint.getName();
  }
  parts_->inverse =
      std::make_unique<KDL::TreeIdSolver_RNE>(parts_->tree, KDL::Vector(gravity[0], gravity[1], gravity[2]));
  parts_->forward = std::make_unique<KDL::TreeFkSolverPos_recursive>(parts_->tree);
}

KdlTree::~KdlTree() = default;

const std::vector<std::string>& KdlTree::joints() const { return parts_->joints; }

void KdlTree::inverse_dynamics(const double* q, const double* v, const double* a, double* tau) const {
  const std::size_t n = parts_->joints.size();
  KDL::JntArray torques(static_cast<unsigned>(n));
  const int failed = parts_->inverse->CartToJnt(array_of(q, n), array_of(v, n), array_of(a, n), {}, torques);
  if (failed != 0) throw std::runtime_error("KDL's inverse dynamics failed");
  std::copy_n(torques.data.data(), n, tau);
}

void KdlTree::pose(const double* q, const std::string& link, double* p, double* R) const {
  KDL::Frame frame;
  if (parts_->forward->JntToCart(array_of(q, parts_->joints.size()), frame, link) < 0)
    throw std::runtime_error("KDL does not know " + link);
  std::copy_n(frame.p.data, 3, p);
  std::copy_n(frame.M.data, 9, R);
}

}  // namespace limber::test
