// SPDX-License-Identifier: BSD-3-Clause
#include "limber/literature/dual_screw_arm.hpp"

#include <Eigen/Geometry>

#include "limber/core/input_error.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/detail/joint_kinds.hpp"
#include "limber/model/telescopes.hpp"

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

G2 real_transformation(const Pose& X) {
  return {G1(X.R, Vector3d::Zero()), dual_vector(X.p, Vector3d::Zero())};
}

DualVector3 at_eps(const Vector3d& a) { return dual_vector(Vector3d::Zero(), a); }
DualVector3 real_vector(const Vector3d& a) { return dual_vector(a, Vector3d::Zero()); }

/// A joint where q has it: B in J, the screws of its freedoms, and their rates, in B.
struct JointAt {
  Pose X_JB;
  Matrix12X S, S_rate;
};

Vector12d as_screw(const detail::LaneTwist<double>& motion) {
  return dual_screw(real_vector(motion.angular), real_vector(motion.linear));
}

JointAt joint_at(const Joint& joint, const VectorXd& q, const VectorXd& v) {
  detail::JointWork<double> work;  // with R = B and J = N
  work.R_NR0 = work.R_BR = Matrix3d(Matrix3d::Identity());
  work.p_NJ = work.p_BR_R = Vector3d(Vector3d::Zero());
  for (std::size_t i = 0; i < joint.axes.size(); ++i) work.axes[i] = joint.axes[i];
  work.parameter = joint.parameter;
  detail::Mat3<double> R;
  detail::Vec3<double> p = Vector3d(Vector3d::Zero());
  JointAt at{{}, Matrix12X(12, joint.nv), Matrix12X::Zero(12, joint.nv)};
  detail::with_joint_kind(joint.type, [&](auto kind) {
    kind.prepare(work);
    turn(kind, work, q.data() + joint.q_index);
    kind.place(work, q.data() + joint.q_index, R, p);
    if constexpr (kind.moving_columns > 0)
      for (int j = 0; j < kind.moving_columns; ++j)
        at.S_rate.col(j) = as_screw(kind.column_rate(work, j, v.data() + joint.v_index));
  });
  at.X_JB = {R, p};
  for (int j = 0; j < joint.nv; ++j) at.S.col(j) = as_screw(work.S[j]);
  return at;
}

/// A body's mass, first moment and inertia as dual numbers: turned with a section that is turned by R^.
struct DualInertia {
  double mass;
  DualVector3 moment;
  DualMatrix3 inertia;

  DualInertia(const RigidInertia& body, const DualMatrix3& R)
      : mass(body.mass),
        moment(R * real_vector(body.moment)),
        inertia(R * dual_matrix(body.inertia, Matrix3d::Zero()) * R.transpose()) {}

  /// Momentum [linear; angular] of a twist about the body's origin.
  Vector12d momentum(const Vector12d& twist) const {
    const DualVector3 w = direction_of(twist), v = moment_of(twist);
    return dual_screw(Truncated(mass) * v + w.cross(moment), inertia * w + moment.cross(v));
  }
};

}  // namespace

DualScrewArm::DualScrewArm(const Model& model, const Input<double>& q, const Input<double>& v)
    : model_(with_kinematics(model, KinematicOrder::first)), q_(q), v_(v) {
  const detail::Call call{"DualScrewArm", model_};
  call.require_position("q", q_);
  call.require_velocity("v", v_);
  require_no_telescopes(model, "the paper's dual screws");
  for (const Link& link : model_.links())
    if (link.body)
      throw InputError(Problem{"DualScrewArm: model", "beams and rigid links, as in the paper",
                               "`" + link.name + "`, a body of finite elements", ""});
  links_.resize(model_.links().size());
  for (std::size_t i = 0; i < links_.size(); ++i) find_link(static_cast<int>(i));
}

// (49), and (90) link by link.
void DualScrewArm::find_link(int link) {
  const Link& at = model_.links()[static_cast<std::size_t>(link)];
  LinkState& state = links_[static_cast<std::size_t>(link)];
  JointAt joint = joint_at(at.joint, q_, v_);
  state.S = std::move(joint.S);
  state.S_rate = std::move(joint.S_rate);
  state.twist = state.S * v_.segment(at.joint.v_index, at.joint.nv);
  const G2 X_NB = real_transformation(at.X_NJ * joint.X_JB);
  state.X_WB = state.X_pB = X_NB;
  if (at.parent < 0) return;
  const Place node = node_place(at.parent, at.parent_node);
  state.X_pB = node.X_Be * X_NB;
  state.X_WB = links_[static_cast<std::size_t>(at.parent)].X_WB * state.X_pB;
  // The section carries the joint: from its origin, in the parent's axes, to B.
  state.twist += screw_transformation(state.X_pB.rotation().inverse(),
                                      DualVector3(node.p_Be() - state.X_pB.translation())) *
                 section_twist(node);
}

// (24), (45): of a section at r0 with these shapes, all in R.
DualScrewArm::Place DualScrewArm::place_with(int link, const Vector3d& r0, const Matrix3Xd& Phi,
                                             const Matrix3Xd& Psi) const {
  const Link& at = model_.links()[static_cast<std::size_t>(link)];
  const VectorXd eta = q_.segment(at.elastic_q_index, at.elastic_count),
                 eta_rate = v_.segment(at.elastic_v_index, at.elastic_count);
  Place place;
  place.link = link;
  place.X_Be =
      real_transformation(at.X_BR) * G2(G1(Matrix3d::Identity(), Psi * eta), dual_vector(r0, Phi * eta));
  place.p_Bn = place.p_Be();
  place.Psi = at.X_BR.R * Psi;
  place.Phi = at.X_BR.R * Phi;
  place.w_rate = at_eps(place.Psi * eta_rate);
  place.v_rate = at_eps(place.Phi * eta_rate);
  return place;
}

DualScrewArm::Place DualScrewArm::node_place(int link, int node) const {
  const Link& at = model_.links()[static_cast<std::size_t>(link)];
  const Node& there = at.nodes[static_cast<std::size_t>(node)];
  if (at.elastic_count > 0) return place_with(link, there.field.r0(), there.field.Phi, there.field.Psi);
  Place place = place_with(link, Vector3d::Zero(), Matrix3Xd::Zero(3, 0), Matrix3Xd::Zero(3, 0));
  place.X_Be = place.X_Be * real_transformation(there.X_RN);
  place.p_Bn = place.p_Be();
  return place;
}

// A place beside the axis turns with its section.
DualScrewArm::Place DualScrewArm::place_of(const char* function, const Frame& frame) const {
  detail::Call{function, model_}.require_node("place", frame.link, frame.node);
  Place place = node_place(frame.link, frame.node);
  place.X_Be = place.X_Be * real_transformation(frame.X_NE);
  place.v_rate += place.w_rate.cross(DualVector3(place.p_Be() - place.p_Bn));
  return place;
}

/// Of the frame with the link's axes that goes with the point: angular velocity of the link.
Vector12d DualScrewArm::point_twist(const Place& at) const {
  const Vector12d& link = links_[static_cast<std::size_t>(at.link)].twist;
  const DualVector3 w = direction_of(link);
  return dual_screw(w, moment_of(link) + w.cross(at.p_Be()) + at.v_rate);
}
/// Of the section itself, at the point.
Vector12d DualScrewArm::section_twist(const Place& at) const {
  return point_twist(at) + dual_screw(at.w_rate, DualVector3::Zero());
}
/// As point_twist, of the section's origin.
Vector12d DualScrewArm::node_twist(const Place& at) const {
  const Vector12d& link = links_[static_cast<std::size_t>(at.link)].twist;
  const DualVector3 w = direction_of(link), offset = at.p_Be() - at.p_Bn;
  return dual_screw(w, moment_of(link) + w.cross(at.p_Bn) + at.v_rate - at.w_rate.cross(offset));
}

// (68), (95), in the link's axes, referenced to the section's origin.
Matrix12X DualScrewArm::shape_screws(const Place& at, Form form) const {
  Matrix12X E(12, at.Phi.cols());
  for (Eigen::Index j = 0; j < E.cols(); ++j)
    E.col(j) = form == Form::projecting ? projecting_screw(at.Psi.col(j), at.Phi.col(j))
                                        : jacobian_screw(at.Psi.col(j), at.Phi.col(j));
  return E;
}

// (92), (93), or the rate of (92).
Matrix12X DualScrewArm::columns(const Place& at, Form form) const {
  Matrix12X P = Matrix12X::Zero(12, model_.nv());
  const Vector12d own = point_twist(at);
  const auto seen = [&](const Matrix12d& V, const Vector12d& twist, const Matrix12X& screws) -> Matrix12X {
    if (form != Form::rate) return V * screws;
    return G2::ad(V * twist - own) * (V * screws);  // (77)
  };
  G2 X_ej(G1(), -at.p_Be());  // B of link j in the frame with the link's axes and the point's origin
  Place through = at;
  for (int j = at.link; j >= 0;) {
    const Link& link = model_.links()[static_cast<std::size_t>(j)];
    const LinkState& state = links_[static_cast<std::size_t>(j)];
    const Matrix12d V = X_ej.Ad();
    Matrix12X S = seen(V, state.twist, state.S);
    if (form == Form::rate) S += V * state.S_rate;
    P.middleCols(link.joint.v_index, link.joint.nv) = S;
    if (link.elastic_count > 0)
      P.middleCols(link.elastic_v_index, link.elastic_count) =
          seen(V * reference_change(through.p_Bn), node_twist(through), shape_screws(through, form));
    if (link.parent >= 0) through = node_place(link.parent, link.parent_node);
    X_ej = X_ej * state.X_pB.inverse();
    j = link.parent;
  }
  return P;
}

const G2& DualScrewArm::frame(int link) const {
  detail::Call{"DualScrewArm::frame", model_}.require_link("link", link);
  return links_[static_cast<std::size_t>(link)].X_WB;
}
G2 DualScrewArm::section(const Frame& place) const { return place_of("DualScrewArm::section", place).X_Be; }
const Vector12d& DualScrewArm::twist(int link) const {
  detail::Call{"DualScrewArm::twist", model_}.require_link("link", link);
  return links_[static_cast<std::size_t>(link)].twist;
}
Vector12d DualScrewArm::twist(const Frame& place) const {
  return section_twist(place_of("DualScrewArm::twist", place));
}
Matrix12X DualScrewArm::joint_screws(int link) const {
  detail::Call{"DualScrewArm::joint_screws", model_}.require_link("link", link);
  return links_[static_cast<std::size_t>(link)].S;
}
Matrix12X DualScrewArm::jacobian_form(const Frame& place) const {
  return columns(place_of("DualScrewArm::jacobian_form", place), Form::jacobian);
}
Matrix12X DualScrewArm::projecting_form(const Frame& place) const {
  return columns(place_of("DualScrewArm::projecting_form", place), Form::projecting);
}
Matrix12X DualScrewArm::jacobian_rate(const Frame& place) const {
  return columns(place_of("DualScrewArm::jacobian_rate", place), Form::rate);
}
VectorXd DualScrewArm::project(const Frame& place, const Vector12d& wrench) const {
  return columns(place_of("DualScrewArm::project", place), Form::projecting).transpose() * folded(wrench);
}

// visit(place, body): what does not deform of every link; then the sections of a beam, as the mass of a piece of it at each point of a
// quadrature, and the body on its tip.
template <typename Visit>
void DualScrewArm::for_each_body(Visit&& visit) const {
  for (int i = 0; i < static_cast<int>(model_.links().size()); ++i) {
    const Link& link = model_.links()[static_cast<std::size_t>(i)];
    Place root;
    root.link = i;
    root.p_Bn = root.w_rate = root.v_rate = DualVector3::Zero();
    root.Psi = root.Phi = Matrix3Xd::Zero(3, link.elastic_count);
    visit(root, link.rigid);
    if (!link.beam) continue;
    const PanelGrid grid = link.beam->basis.grid();
    const SampledField field = sample_field(link.beam->basis, KinematicOrder::first, grid);
    for (Eigen::Index k = 0; k < grid.points().size(); ++k) {
      const auto shapes = [&](const SampledTerms& terms) {
        Matrix3Xd at = Matrix3Xd::Zero(3, link.elastic_count);
        for (std::size_t t = 0; t < terms.terms.size(); ++t)
          if (terms.terms[t].j >= 0)
            at(terms.terms[t].axis, terms.terms[t].j) += terms.at_points(k, static_cast<Eigen::Index>(t));
        return at;
      };
      const double x = grid.points()[k], dx = grid.weights()[k];
      const Section section = link.beam->basis.profile().at(x);
      RigidInertia piece;
      piece.mass = section.mass_per_length * dx;
      piece.inertia = (section.rotary_inertia * dx).asDiagonal();
      visit(place_with(i, {x, 0.0, 0.0}, shapes(field.position), shapes(field.rotation)), piece);
    }
    visit(node_place(i, 0), link.tip_body);
  }
}

MatrixXd DualScrewArm::mass_matrix() const {
  MatrixXd M = MatrixXd::Zero(model_.nv(), model_.nv());
  for_each_body([&](const Place& at, const RigidInertia& body) {
    const DualInertia D(body, at.X_Be.rotation().dual());
    const Matrix12X P = columns(at, Form::projecting);
    for (int j = 0; j < model_.nv(); ++j) M.col(j) += P.transpose() * folded(D.momentum(P.col(j)));
  });
  for (const Link& link : model_.links())
    for (int j = 0; j < link.joint.nv; ++j) {
      const int i = link.joint.v_index + j;
      M(i, i) += link.joint.armature_of(j);
    }
  return M;
}

VectorXd DualScrewArm::coriolis_forces() const {
  VectorXd forces = VectorXd::Zero(model_.nv());
  for_each_body([&](const Place& at, const RigidInertia& body) {
    const DualInertia D(body, at.X_Be.rotation().dual());
    const Vector12d t = section_twist(at), t_rate = columns(at, Form::rate) * v_;
    // d/dt of the momentum's components in the link's axes: the body's own turn w_rate changes D.
    const DualVector3 w = direction_of(t), w_link = w - at.w_rate, v = moment_of(t);
    const Vector12d h = D.momentum(t);
    const DualVector3 linear = direction_of(h), angular = moment_of(h);
    const Vector12d turned =
        dual_screw(DualVector3(at.w_rate.cross(linear)), DualVector3(at.w_rate.cross(angular)));
    const Vector12d back = D.momentum(dual_screw(at.w_rate.cross(w), at.w_rate.cross(v)));
    const Vector12d frame =
        dual_screw(w_link.cross(linear), DualVector3(w_link.cross(angular) + v.cross(linear)));
    forces += columns(at, Form::projecting).transpose() * folded(D.momentum(t_rate) + turned - back + frame);
  });
  return forces;
}

VectorXd DualScrewArm::gravity_forces() const {
  VectorXd forces = VectorXd::Zero(model_.nv());
  for_each_body([&](const Place& at, const RigidInertia& body) {
    const DualInertia D(body, at.X_Be.rotation().dual());
    const G1 R_iW = links_[static_cast<std::size_t>(at.link)].X_WB.rotation().inverse();
    const DualVector3 g = R_iW.dual() * real_vector(model_.gravity());
    const Vector12d weight = dual_screw(Truncated(body.mass) * g, D.moment.cross(g));
    forces += columns(at, Form::projecting).transpose() * folded(weight);
  });
  return forces;
}

}  // namespace limber
