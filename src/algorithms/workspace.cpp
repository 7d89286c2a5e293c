#include "limber/algorithms/workspace.hpp"

#include <limits>

#include "instantiate.hpp"

namespace limber {
namespace {

template <typename Scalar>
NodeWork<Scalar> make_node_work(const BeamNode& node) {
  const Eigen::Index m = node.Phi.cols();
  NodeWork<Scalar> work;
  work.x = Scalar(node.x);
  work.Phi = node.Phi.cast<Scalar>();
  work.Psi = node.Psi.cast<Scalar>();
  work.second_order = node.is_second_order();
  for (int axis = 0; axis < 3; ++axis) {
    work.B[axis] = node.B[axis].cast<Scalar>();
    work.C[axis] = node.C[axis].cast<Scalar>();
  }
  work.r_eta.resize(3, m);
  work.T.resize(3, m);
  return work;
}

template <typename Scalar>
void set_field(const ShapeIntegrals& integrals, FieldWork<Scalar>& field) {
  const auto terms = static_cast<Eigen::Index>(integrals.terms.size());
  field.terms = integrals.terms;
  field.moment = integrals.moment.cast<Scalar>();
  field.gram = integrals.gram.cast<Scalar>();
  for (auto* vector : {&field.mu, &field.mu_rate, &field.mu_bias}) vector->resize(terms);
  for (auto* matrix : {&field.gram_mu, &field.gram_rate, &field.gram_bias}) matrix->resize(3, terms);
}

// The joint frame as this link sees it: fixed in the parent's F when the parent is rigid, else in the node.
Pose joint_frame(const Model& model, const Link& link) {
  Pose X_NJ = link.X_NJ;
  if (link.parent >= 0 && model.links[link.parent].elastic_count == 0)
    X_NJ = model.links[link.parent].nodes[link.parent_node].X_RN * X_NJ;
  return X_NJ;
}

// F's axes are B's turned by R_BF. Turning the joint frame likewise, J' = J R_BF, the joint's rotation
// becomes R_BF^T R_J R_BF, which is the same kind of rotation about R_BF^T axis.
template <typename Scalar>
void set_joint(const Model& model, const Link& link, LinkWork<Scalar>& work) {
  const Joint& joint = link.joint;
  const Pose X_NJ = joint_frame(model, link);
  const Eigen::Matrix3d R_NJ = X_NJ.R * link.X_BR.R;
  const Eigen::Vector3d o = link.X_BR.R.transpose() * link.X_BR.p;
  work.joint_type = joint.type;
  work.R_NJ = R_NJ.cast<Scalar>();
  work.p_NJ = X_NJ.p.cast<Scalar>();
  work.p_BF = o.cast<Scalar>();
  work.R_BF = link.X_BR.R.cast<Scalar>();
  work.stiffness = Scalar(joint.stiffness);
  work.rest = Scalar(joint.rest);
  work.damping = Scalar(joint.damping);
  work.armature = Scalar(joint.armature);

  Eigen::Matrix<double, 6, Eigen::Dynamic> S = Eigen::MatrixXd::Zero(6, joint.nv);
  const auto turning_column = [&](int column, const Eigen::Vector3d& axis) {
    S.col(column) << axis.cross(o), axis;  // F's origin is carried along
  };
  const auto axis = [&](int i) -> Eigen::Vector3d { return link.X_BR.R.transpose() * joint.axes[i]; };
  for (int i = 0; i < static_cast<int>(joint.axes.size()); ++i)
    work.axes.push_back(axis(i).template cast<Scalar>());
  switch (joint.type) {
    case JointType::revolute: {
      turning_column(0, axis(0));
      // R_NJ' exp[a q] = R_NJ' (a a^T + sin q [a]x - cos q [a]x^2)
      const Eigen::Matrix3d X = skew(axis(0));
      work.revolute[0] = (R_NJ * (axis(0) * axis(0).transpose())).template cast<Scalar>();
      work.revolute[1] = (R_NJ * X).cast<Scalar>();
      work.revolute[2] = (-(R_NJ * X * X)).cast<Scalar>();
      break;
    }
    case JointType::prismatic:
      S.col(0).head<3>() = axis(0);
      break;
    case JointType::universal:
      turning_column(0, axis(0));  // at q2 = 0; kinematics() turns it
      turning_column(1, axis(1));
      break;
    case JointType::free:
      S.topLeftCorner<3, 3>() = link.X_BR.R.transpose();
      [[fallthrough]];
    case JointType::spherical:
      for (int i = 0; i < 3; ++i) turning_column(joint.nv - 3 + i, link.X_BR.R.row(i).transpose());
      break;
    case JointType::fixed:
      break;
  }
  work.S = S.cast<Scalar>();
}

template <typename Scalar>
void set_beam(const Link& link, LinkWork<Scalar>& work) {
  const Beam& beam = *link.beam;
  set_field(beam.integrals, work.field);
  work.K = beam.integrals.stiffness.cast<Scalar>();
  work.C = beam.damping.cast<Scalar>();
  for (const Lump& lump : beam.integrals.lumps)
    work.lumps.push_back({make_node_work<Scalar>(lump.node), Scalar(lump.body.mass),
                          lump.body.moment.cast<Scalar>(), lump.body.inertia.cast<Scalar>()});
  for (const Node& node : link.nodes) work.nodes.push_back(make_node_work<Scalar>(node.field));
}

template <typename Scalar>
LinkWork<Scalar> make_link_work(const Model& model, const Link& link) {
  LinkWork<Scalar> work;
  const bool parent_is_flexible = link.parent >= 0 && model.links[link.parent].elastic_count > 0;
  work.parent = link.parent;
  work.parent_node = parent_is_flexible ? link.parent_node : -1;
  work.q_index = link.joint.q_index;
  work.v_index = link.joint.v_index;
  work.joint_nq = link.joint.nq;
  work.joint_nv = link.joint.nv;
  work.m = link.elastic_count;
  work.flexible = work.m > 0;
  set_joint(model, link, work);

  // A beam without modes is a rigid body like any other.
  const RigidInertia rigid_B = work.flexible ? link.rigid : link.rest_inertia();
  const RigidInertia rigid_F = rigid_B.expressed_in(link.X_BR.inverse());
  work.rigid_mass = Scalar(rigid_F.mass);
  work.rigid_moment = rigid_F.moment.cast<Scalar>();
  work.rigid_inertia = rigid_F.inertia.cast<Scalar>();
  if (work.flexible) {
    set_beam(link, work);
    work.rigid_mass += Scalar(link.beam->integrals.mass);
  }

  const int m = work.m, n = work.size();
  work.M_re.resize(6, m);
  work.M_ee.resize(m, m);
  work.p_e.resize(m);
  work.L.resize(n, n);
  work.Zt.resize(6, n);
  work.z.resize(n);
  return work;
}

}  // namespace

template <typename Scalar>
Workspace<Scalar>::Workspace(const Model& model) : gravity(model.gravity.cast<Scalar>()), qdd(model.nv) {
  for (const Link& link : model.links) links.push_back(make_link_work<Scalar>(model, link));
}

#define LIMBER_INSTANTIATE(Scalar) template struct Workspace<Scalar>;
LIMBER_FOR_ALL_SCALARS(LIMBER_INSTANTIATE)

}  // namespace limber
