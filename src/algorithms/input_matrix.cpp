#include "limber/algorithms/input_matrix.hpp"

#include <Eigen/Geometry>
#include <cassert>

namespace limber {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Matrix3Xd root_rotation(const Beam& beam) {
  return make_nodes(beam.basis, KinematicOrder::first, {0.0})[0].Psi;
}

// The axis of each of the joint's moments, in B's axes; zero for its forces.
Matrix3Xd moment_axes(const Joint& joint, const VectorXd& q) {
  Matrix3Xd axes = Matrix3Xd::Zero(3, joint.nv);
  switch (joint.type) {
    case JointType::revolute:
      axes.col(0) = joint.axes[0];
      break;
    case JointType::universal:
      axes.col(0) = Eigen::AngleAxisd(-q[joint.q_index + 1], joint.axes[1]) * joint.axes[0];
      axes.col(1) = joint.axes[1];
      break;
    case JointType::spherical:
    case JointType::free:
      axes.rightCols<3>().setIdentity();
      break;
    case JointType::prismatic:
    case JointType::fixed:
      break;
  }
  return axes;
}

}  // namespace

MatrixXd input_matrix(const Model& model, const VectorXd& q) {
  assert(q.size() == model.nq);
  int inputs = 0;
  for (const Link& link : model.links) inputs += link.joint.nv;
  MatrixXd B = MatrixXd::Zero(model.nv, inputs);
  int input = 0;
  for (const Link& link : model.links) {
    const int count = link.joint.nv;
    B.block(link.joint.v_index, input, count, count).setIdentity();
    if (link.elastic_count > 0)  // (1)
      B.block(link.elastic_v_index, input, link.elastic_count, count) =
          (link.X_BR.R * root_rotation(*link.beam)).transpose() * moment_axes(link.joint, q);
    input += count;
  }
  return B;
}

MatrixXd input_matrix(const Model& model) { return input_matrix(model, neutral_configuration(model)); }

}  // namespace limber
