// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/section_loads.hpp"

#include <cmath>
#include <string>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/loops.hpp"

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// The arm with nodes at all these places of one link, and where these nodes begin.
struct Looked {
  Model model;
  int first;
};
Looked with_nodes(const Model& model, int link, const std::vector<double>& places) {
  detail::ModelParts parts = model.parts();
  Link& at = parts.links[static_cast<std::size_t>(link)];
  const int first = static_cast<int>(at.nodes.size());
  const double length = at.beam->basis.length();
  for (const BeamNode& field : make_nodes(at.beam->basis, model.kinematics(), places))
    at.nodes.push_back({field.x / length, {Matrix3d::Identity(), field.r0()}, field});
  return {Model(std::move(parts)), first};
}

// How a node moves, world axes.
struct Motion {
  Pose X_WN;
  Vector3d w, a, alpha;
};

// A force and its moment about the world's origin, at a place of the beam.
struct Attached {
  double x;
  Vector3d force, moment;
};

class Cut {
 public:
  Cut(const Model& model, int link, const Input<double>& q, const Input<double>& v, const Input<double>& a)
      : model_(model), link_(link), q_(q), v_(v), a_(a), work_(model), J_(6, model.nv()) {
    update_positions(model, work_, q);
    update_velocities(model, work_, q, v);
    update_world_poses(work_);
  }

  Motion motion(int node) {
    const Frame frame{link_, node, {}};
    Motion motion{frame_pose(model_, work_, frame), {}, {}, {}};
    motion.w = frame_twist(model_, work_, frame, MotionAxes::local_world_aligned).angular;
    frame_jacobian(model_, work_, frame, MotionAxes::local_world_aligned, J_);
    const Vector6<double> A = J_ * a_;
    motion.a = A.head<3>();
    motion.alpha = A.tail<3>();
    if (v_.isZero(0.0)) return motion;
    const TwistOf<double> bias =
        frame_bias_acceleration(model_, work_, frame, MotionAxes::local_world_aligned, q_, v_);
    motion.a += bias.linear;
    motion.alpha += bias.angular;
    return motion;
  }
  Matrix3d body_axes(int link) const {
    return root_pose(model_, work_, link).R *
           model_.links()[static_cast<std::size_t>(link)].X_BR.R.transpose();
  }
  // Of B.
  Pose body_pose(int link) const {
    return root_pose(model_, work_, link) * model_.links()[static_cast<std::size_t>(link)].X_BR.inverse();
  }

 private:
  const Model& model_;
  int link_;
  VectorXd q_, v_, a_;
  Workspace<double> work_;
  Matrix6X<double> J_;
};

// What a rigid body on a node takes, about the world's origin.
Attached body_on(const RigidInertia& body, const Motion& motion, const Vector3d& gravity, double x) {
  const Matrix3d& R = motion.X_WN.R;
  const Vector3d h = R * Vector3d(body.moment), a = motion.a - gravity;
  const Matrix3d I = R * Matrix3d(body.inertia) * R.transpose();
  const Vector3d force = body.mass * a + motion.alpha.cross(h) + motion.w.cross(motion.w.cross(h));
  const Vector3d moment = h.cross(a) + I * motion.alpha + motion.w.cross(I * motion.w);
  return {x, force, moment + motion.X_WN.p.cross(force)};
}

// Children and loads. (2) wants what the outer part takes: children as they are, loads with their sign turned.
std::vector<Attached> attached_to(const Model& model, int link, const Cut& cut, const Input<double>& q,
                                  const Input<double>& v, const Input<double>& a,
                                  const std::vector<Load>& loads) {
  const Link& own = model.links()[static_cast<std::size_t>(link)];
  const double length = own.beam->basis.length();
  std::vector<Attached> attached;
  Workspace<double> work(model);
  VectorXd tau(model.nv());
  inverse_dynamics(model, work, q, v, a, tau, loads);
  for (int i = 0; i < static_cast<int>(model.links().size()); ++i) {
    const Link& child = model.links()[static_cast<std::size_t>(i)];
    if (child.parent != link) continue;
    const Wrench wrench = joint_wrench(model, work, i);
    const Pose X_WB = cut.body_pose(i);
    const Vector3d force = X_WB.R * wrench.force;
    attached.push_back({own.nodes[static_cast<std::size_t>(child.parent_node)].at * length, force,
                        X_WB.R * wrench.moment + X_WB.p.cross(force)});
  }
  return attached;
}

Attached taken_by(const Load& load, const Pose& X_WN, const Matrix3d& R_WB, double x) {
  const Matrix3d R = load.axes == Axes::world  ? Matrix3d(Matrix3d::Identity())
                     : load.axes == Axes::body ? R_WB
                                               : X_WN.R;
  const Vector3d force = -R * load.force;
  return {x, force, -R * load.moment + (X_WN.p + X_WN.R * load.offset).cross(force)};
}

double stiffness_or_zero(double stiffness) { return std::isnan(stiffness) ? 0.0 : stiffness; }

// Int f dx by the trapezoidal rule over equal distances.
double integral(const VectorXd& f, double length) {
  const Eigen::Index last = f.size() - 1;
  return (f.sum() - 0.5 * (f[0] + f[last])) * length / static_cast<double>(last);
}

// (4), and what the deflection carries.
void add_elastic(const Link& link, const VectorXd& eta, SectionLoads& loads) {
  const Eigen::Index count = loads.x.size();
  bool has[4] = {};  // NOLINT: twist, about y, about z, stretching
  for (const BeamBasis::Coordinate& coordinate : link.beam->basis.coordinates())
    has[coordinate.direction == Direction::torsion ? 0
        : coordinate.direction == Direction::z     ? 1
        : coordinate.direction == Direction::y     ? 2
                                                   : 3] = true;
  VectorXd error = VectorXd::Zero(count), size = VectorXd::Zero(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Section section = link.beam->basis.profile().at(loads.x[i]);
    const BeamStrain strain = beam_strain(link, eta, loads.x[i]);
    const double S[] = {stiffness_or_zero(section.GJ), stiffness_or_zero(section.EI_y),  // NOLINT
                        stiffness_or_zero(section.EI_z), stiffness_or_zero(section.EA)};
    loads.elastic_moment.col(i) = Vector3d(S[0] * strain.twist, S[1] * strain.kappa_y, S[2] * strain.kappa_z);
    loads.elastic_force[i] = S[3] * strain.stretch;
    for (int k = 0; k < 4; ++k) {
      if (!has[k]) continue;
      const double carried = k < 3 ? loads.elastic_moment(k, i) : loads.elastic_force[i];
      const double balance = k < 3 ? loads.moment(k, i) : loads.force(0, i);
      error[i] += (carried - balance) * (carried - balance) / S[k];
      size[i] += balance * balance / S[k];
    }
  }
  const double length = link.beam->basis.length(), whole = integral(size, length);
  loads.residual = whole > 0.0 ? std::sqrt(integral(error, length) / whole) : 0.0;
}

}  // namespace

SectionLoads section_loads(const Model& model, int link, const Input<double>& q, const Input<double>& v,
                           const Input<double>& a, const std::vector<Load>& loads, int points) {
  require_no_loops(model, "forces in sections");
  const detail::Call call{"section_loads", model};
  call.require_link("link", link);
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("a", a);
  call.require_loads(loads);
  const Link& own = model.links()[static_cast<std::size_t>(link)];
  if (!own.beam)
    throw InputError(
        Problem{"section_loads: link", "a link with a beam", "`" + own.name + "`, which is rigid", ""});
  if (points < 2)
    throw InputError(Problem{"section_loads: points", "at least 2", std::to_string(points), ""});

  // Places that were asked for are panel ends; integrals run over the points between them, of which few are enough where panels are short.
  constexpr int least_panels = 40, points_per_panel = 8;
  const double length = own.beam->basis.length();
  SectionLoads result;
  result.x = VectorXd::LinSpaced(points, 0.0, length);
  const int parts = (least_panels + points - 2) / (points - 1);
  const VectorXd ends = VectorXd::LinSpaced(parts * (points - 1) + 1, 0.0, length);
  const PanelGrid grid = own.beam->basis.grid({ends.data(), ends.data() + ends.size()}, points_per_panel);
  std::vector<double> places(grid.points().data(), grid.points().data() + grid.points().size());
  const auto inner = static_cast<Eigen::Index>(places.size());
  places.insert(places.end(), grid.ends().begin(), grid.ends().end());
  const Looked looked = with_nodes(model, link, places);
  const Link& seen = looked.model.links()[static_cast<std::size_t>(link)];
  Cut cut(looked.model, link, q, v, a);

  std::vector<Motion> motions;
  for (std::size_t i = 0; i < places.size(); ++i)
    motions.push_back(cut.motion(looked.first + static_cast<int>(i)));
  std::vector<Attached> attached = attached_to(model, link, cut, q, v, a, loads);
  for (const Load& load : loads) {
    if (load.link != link) continue;
    const Motion at = cut.motion(load.node);
    attached.push_back(taken_by(load, at.X_WN, cut.body_axes(link),
                                seen.nodes[static_cast<std::size_t>(load.node)].at * length));
  }
  attached.push_back(body_on(own.tip_body, cut.motion(0), model.gravity(), length));

  // Force and moment about the world's origin that each length of beam takes.
  MatrixXd taken(inner, 6);
  for (Eigen::Index i = 0; i < inner; ++i) {
    const Section section = own.beam->basis.profile().at(places[static_cast<std::size_t>(i)]);
    RigidInertia piece;
    piece.mass = section.mass_per_length;
    piece.inertia = Matrix3d(section.rotary_inertia.asDiagonal());
    const Attached all = body_on(piece, motions[static_cast<std::size_t>(i)], model.gravity(), 0.0);
    taken.row(i) << all.force.transpose(), all.moment.transpose();
  }
  const MatrixXd from_root = grid.running_integral(taken).at_ends;

  result.force.resize(3, points);
  result.moment.resize(3, points);
  result.elastic_moment = Eigen::Matrix3Xd::Zero(3, points);
  result.elastic_force = Eigen::RowVectorXd::Zero(points);
  constexpr double rounding = 1e-12;
  for (int k = 0; k < points; ++k) {
    const int end = grid.nearest_end(result.x[k]);
    Vector6<double> outer = (from_root.row(from_root.rows() - 1) - from_root.row(end)).transpose();
    for (const Attached& one : attached) {
      if (one.x < result.x[k] - rounding * length) continue;
      outer.head<3>() += one.force;
      outer.tail<3>() += one.moment;
    }
    const Pose& X_WN = motions[static_cast<std::size_t>(inner + end)].X_WN;
    const Vector3d force = -outer.head<3>(), moment = -outer.tail<3>() - X_WN.p.cross(force);  // (1), (2)
    result.force.col(k) = X_WN.R.transpose() * force;
    result.moment.col(k) = X_WN.R.transpose() * moment;
  }
  add_elastic(own, q.segment(own.elastic_q_index, own.elastic_count), result);
  return result;
}

}  // namespace limber
