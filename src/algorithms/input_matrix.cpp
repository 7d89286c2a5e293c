// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/input_matrix.hpp"

#include "limber/model/detail/arguments.hpp"
#include "limber/model/detail/joint_kinds.hpp"

namespace limber {

using namespace detail;

namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Matrix3Xd root_rotation(const Beam& beam) {
  return make_nodes(beam.basis, KinematicOrder::first, {0.0})[0].Psi;
}

// The axis of each of the moments on the joint's own coordinates, in B's axes; zero for its forces: the turning part of S where R is B.
Matrix3Xd moment_axes(const Joint& joint, const Input<double>& q) {
  JointWork<double> work;
  work.R_NR0 = work.R_BR = Mat3<double>::scaled_identity(1.0);
  work.p_NJ = work.p_BR_R = Vec3<double>::zero();
  work.parameter = joint.parameter;
  for (std::size_t i = 0; i < joint.axes.size(); ++i) work.axes[i] = joint.axes[i];
  with_joint_kind(joint.type, [&](auto kind) {
    Mat3<double> R;
    Vec3<double> p = Vec3<double>::zero();
    kind.prepare(work);
    kind.place(work, q.data() + joint.q_index, R, p);  // S at q
  });
  Matrix3Xd axes(3, joint.driven_count());
  for (int j = 0; j < joint.driven_count(); ++j) axes.col(j) = Eigen::Vector3d(work.S[j].angular);
  return axes;
}

}  // namespace

MatrixXd input_matrix(const Model& model, const Input<double>& q) {
  Call{"input_matrix", model}.require_position("q", q);
  int inputs = 0;
  for (const Link& link : model.links()) inputs += link.joint.driven_count();
  MatrixXd B = MatrixXd::Zero(model.nv(), inputs);
  int input = 0;
  for (const Link& link : model.links()) {
    const int count = link.joint.driven_count();
    B.block(link.joint.driven_index(), input, count, count).setIdentity();
    if (link.beam && link.elastic_count > 0 && !link.joint.has_motor())  // (1); bodies are held at their root
      B.block(link.elastic_v_index, input, link.elastic_count, count) =
          (link.X_BR.R * root_rotation(*link.beam)).transpose() * moment_axes(link.joint, q);
    input += count;
  }
  return B;
}

MatrixXd input_matrix(const Model& model) { return input_matrix(model, neutral_configuration(model)); }

}  // namespace limber
