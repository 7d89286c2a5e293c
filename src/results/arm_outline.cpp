// SPDX-License-Identifier: BSD-3-Clause
#include "limber/results/arm_outline.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "limber/algorithms/beam_state.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/lookup.hpp"
#include "section_size.hpp"
#include "visual_mesh.hpp"

namespace limber {
namespace {

using Kind = JointStep::Kind;

// One coordinate after the other, as its kind says what it does (joint.hpp). Before a quaternion stand places along J's axes.
std::vector<JointStep> steps_of(const Joint& joint) {
  std::vector<JointStep> steps;
  const int q = joint.q_index;
  if (joint.has_quaternion()) {
    for (int i = q; i < joint.quaternion_index(); ++i)
      steps.push_back({Kind::slide, Eigen::Vector3d::Unit(i - q), i});
    steps.push_back({Kind::quaternion, Eigen::Vector3d::Zero(), joint.quaternion_index()});
    return steps;
  }
  for (int j = 0; j < joint.facts().moving(); ++j) {
    const JointFreedom& freedom = joint.facts().freedoms[static_cast<std::size_t>(j)];
    const Eigen::Vector3d axis = joint.axis_of(j);
    if (freedom.turns) steps.push_back({Kind::turn, axis, q + j});
    if (freedom.slides) steps.push_back({Kind::slide, freedom.turns ? joint.parameter * axis : axis, q + j});
  }
  return steps;
}

/// Collects terms with their numbers at all places; what is zero at all of them is no term.
class TermCollector {
 public:
  TermCollector(std::size_t places, OutlineLink& link)
      : places_(static_cast<Eigen::Index>(places)), link_(link) {}

  template <typename Number>
  void add(const ShapeTerm& term, Number&& number_at) {
    Eigen::VectorXd column(places_);
    for (Eigen::Index i = 0; i < places_; ++i) column[i] = number_at(static_cast<std::size_t>(i));
    if (column.isZero(0.0)) return;
    link_.terms.push_back(term);
    columns_.push_back(std::move(column));
  }

  void put_values() const {
    link_.values.resize(places_, static_cast<Eigen::Index>(columns_.size()));
    for (std::size_t t = 0; t < columns_.size(); ++t)
      link_.values.col(static_cast<Eigen::Index>(t)) = columns_[t];
  }

 private:
  Eigen::Index places_;
  OutlineLink& link_;
  std::vector<Eigen::VectorXd> columns_;
};

// 1/2 eta^T Q eta by its products: Q is symmetric.
double of_product(const Eigen::MatrixXd& Q, int j, int k) { return (j == k ? 0.5 : 1.0) * Q(j, k); }

void add_terms(const Link& link, const std::vector<BeamNode>& nodes, OutlineLink& outline) {
  const int m = link.elastic_count;
  if (m == 0) {
    outline.values.resize(static_cast<Eigen::Index>(nodes.size()), 0);
    return;
  }
  TermCollector collector(nodes.size(), outline);
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    for (int j = 0; j < m; ++j) {
      collector.add({axis, j}, [&](std::size_t i) { return nodes[i].Phi(axis, j); });
      collector.add({3 + axis, j}, [&](std::size_t i) { return nodes[i].Psi(axis, j); });
    }
    for (int j = 0; nodes.front().is_second_order() && j < m; ++j)
      for (int k = 0; k <= j; ++k) {
        collector.add({axis, j, k}, [&](std::size_t i) { return of_product(nodes[i].Phi2[a], j, k); });
        collector.add({3 + axis, j, k}, [&](std::size_t i) { return of_product(nodes[i].Psi2[a], j, k); });
      }
  }
  for (int j = 0; j < m && link.beam; ++j) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(m, j);
    std::vector<BeamStrain> strain;
    for (const BeamNode& node : nodes)
      strain.push_back(node.x < 0.0 ? BeamStrain{} : beam_strain(link, unit, node.x));  // none in a guide
    collector.add({6, j}, [&](std::size_t i) { return strain[i].kappa_y; });
    collector.add({7, j}, [&](std::size_t i) { return strain[i].kappa_z; });
    collector.add({8, j}, [&](std::size_t i) { return strain[i].twist; });
  }
  collector.put_values();
}

// Of a term of a component that multiplies these coordinates: extending_power(), and one more for curvatures.
int power_of(const Telescope& telescope, const ShapeTerm& term) {
  int lengths = 0;
  for (const int i : {term.j, term.k})
    if (i >= 0) lengths += telescope.lengths[static_cast<std::size_t>(i)];
  return extending_power(term.component >= 3, lengths) + (term.component >= 6 ? 1 : 0);
}

// The inner end of a beam that slides through a guide, before all other places.
BeamNode inner_end(const Link& link, KinematicOrder order) {
  const int m = link.elastic_count;
  BeamNode node;
  // Behind the guide, if only by rounding: nothing bends there.
  node.x = std::min(link.beam->telescope->free_length - link.beam->telescope->length, -1e-12);
  node.Phi = node.Psi = Eigen::Matrix3Xd::Zero(3, m);
  if (order == KinematicOrder::second) {
    node.Phi2.fill(Eigen::MatrixXd::Zero(m, m));
    node.Psi2.fill(Eigen::MatrixXd::Zero(m, m));
  }
  return node;
}

void add_beam(const Link& link, KinematicOrder order, int points, OutlineLink& outline) {
  const BeamBasis& basis = link.beam->basis;
  std::vector<double> places;
  for (int i = 0; i < points; ++i) places.push_back(basis.length() * i / (points - 1));
  std::vector<BeamNode> nodes = make_nodes(basis, order, places);
  nodes.back() = link.nodes.front().field;  // the tip may turn by its chord
  if (link.telescopes()) {
    nodes.insert(nodes.begin(), inner_end(link, order));
    places.insert(places.begin(), 0.0);
    ++points;
  }
  for (const BeamNode& node : nodes) outline.places.push_back({Eigen::Matrix3d::Identity(), node.r0()});
  for (const Node& node : link.nodes) {
    nodes.push_back(node.field);
    outline.places.push_back(node.X_RN);
  }
  outline.points = points;
  add_terms(link, nodes, outline);
  if (link.telescopes()) {
    const Telescope& telescope = *link.beam->telescope;
    outline.telescope = {link.joint.q_index, telescope.free_length, telescope.length, {}};
    for (const ShapeTerm& term : outline.terms)
      outline.telescope->powers.push_back(power_of(telescope, term));
    outline.joint.steps.clear();  // R stays at the guide
  }
  outline.stiffness.resize(3, points);
  for (int i = 0; i < points; ++i) {
    const Section section = basis.profile().at(places[static_cast<std::size_t>(i)]);
    // A stiffness that nobody gave belongs to a curvature that is zero.
    outline.stiffness.col(i) =
        Eigen::Vector3d(section.EI_y, section.EI_z, section.GJ).unaryExpr([](double value) {
          return std::isfinite(value) ? value : 0.0;
        });
  }
}

// A body's axis goes from root to tip, and on to its interfaces.
void add_body(const Link& link, OutlineLink& outline) {
  const int m = link.elastic_count;
  BeamNode root{};
  root.Phi = root.Psi = Eigen::Matrix3Xd::Zero(3, m);
  if (link.nodes.front().field.is_second_order()) {
    root.Phi2.fill(Eigen::MatrixXd::Zero(m, m));
    root.Psi2 = root.Phi2;
  }
  std::vector<BeamNode> nodes{root, link.nodes.front().field};
  outline.points = 2;
  outline.places = {Pose{}, link.nodes.front().X_RN};
  for (const Node& node : link.nodes) {
    nodes.push_back(node.field);
    outline.places.push_back(node.X_RN);
  }
  add_terms(link, nodes, outline);
}

void add_rigid(const Link& link, OutlineLink& outline) {
  outline.points = 2;
  outline.places = {Pose{}, {Eigen::Matrix3d::Identity(), link.nodes.front().X_RN.p}};
  for (const Node& node : link.nodes) outline.places.push_back(node.X_RN);
  outline.values.resize(static_cast<Eigen::Index>(outline.places.size()), 0);
}

OutlineLink link_of(const Model& model, const Link& link, const LinkSize& size, int points,
                    const std::vector<OutlineLink>& before) {
  OutlineLink outline;
  outline.name = link.name;
  outline.parent = link.parent;
  if (link.parent >= 0)
    outline.parent_place = before[static_cast<std::size_t>(link.parent)].points + link.parent_node;
  outline.X_NJ = link.X_NJ;
  outline.joint = {link.joint.name,     choice_name(described_type(link.joint.type)),
                   link.joint.q_index,  link.joint.nq,
                   link.joint.v_index,  link.joint.nv,
                   steps_of(link.joint)};
  outline.X_BR = link.X_BR;
  outline.elastic_q = link.elastic_q_index;
  outline.elastic_v = link.elastic_v_index;
  outline.elastic_count = link.elastic_count;
  if (link.beam)
    add_beam(link, model.kinematics(), points, outline);
  else if (link.body)
    add_body(link, outline);
  else
    add_rigid(link, outline);
  for (int i = 0; i < outline.points; ++i)
    outline.half_size.push_back(size.at(double(i) / (outline.points - 1)));
  outline.is_round = size.is_round;
  if (const double mass = link.tip_body.mass; mass > 0.0)
    outline.payload = Payload{mass, link.tip_body.moment / mass};
  return outline;
}

// The triangles of a mesh in R whose middle lies on one of so many pieces of a beam, in that piece's own root frame. A corner beyond its ends moves with the
// section there (4), which it shares with the neighbour.
TriangleMesh piece_of(const TriangleMesh& mesh, int piece, int count, double piece_length) {
  std::vector<int> own;
  for (int t = 0; t < static_cast<int>(mesh.triangles.cols()); ++t) {
    const double x = mesh.vertices(0, mesh.triangles.col(t).array()).mean();
    if (std::clamp(static_cast<int>(std::floor(x / piece_length)), 0, count - 1) == piece) own.push_back(t);
  }
  TriangleMesh part;
  part.triangles.resize(3, static_cast<Eigen::Index>(own.size()));
  std::vector<int> number(static_cast<std::size_t>(mesh.vertices.cols()), -1), kept;
  for (std::size_t t = 0; t < own.size(); ++t)
    for (int corner = 0; corner < 3; ++corner) {
      const int vertex = mesh.triangles(corner, own[t]);
      int& as = number[static_cast<std::size_t>(vertex)];
      if (as < 0) {
        as = static_cast<int>(kept.size());
        kept.push_back(vertex);
      }
      part.triangles(corner, static_cast<Eigen::Index>(t)) = as;
    }
  part.vertices = mesh.vertices(Eigen::all, kept);
  part.vertices.row(0).array() -= piece * piece_length;
  return part;
}

// What a body looks like unless somebody says otherwise.
void put_skin(const BodySkin& skin, OutlineLink& link) {
  if (skin.triangles.cols() == 0) return;
  // As exactly as anybody sees: digits are most of a page's size.
  constexpr double seen = 1e5;
  OutlineVisual visual;
  visual.mesh = {skin.points, skin.triangles};
  if (link.elastic_count > 0)
    visual.modes = skin.modes.unaryExpr([](double x) { return std::round(seen * x) / seen; });
  link.visuals.push_back(std::move(visual));
}

void put_visuals(const Model& model, const WholeLink& link, int most_triangles, ArmOutline& arm) {
  const auto first = static_cast<std::size_t>(link.first);
  const auto described = static_cast<std::size_t>(model.links()[first].described);
  const auto whole = outline_visuals(model.description().links[described].visuals, most_triangles);
  if (link.count == 1) {
    arm.links[first].visuals = whole;
    if (const auto& body = model.links()[first].body; body && whole.empty())
      put_skin(body->reduced->skin, arm.links[first]);
    return;
  }
  const double length = model.links()[first].beam->basis.length();
  for (int i = 0; i < link.count; ++i)
    for (const OutlineVisual& visual : whole) {
      OutlineVisual part{visual.color, piece_of(visual.mesh, i, link.count, length)};
      if (part.mesh.triangles.cols() > 0)
        arm.links[first + static_cast<std::size_t>(i)].visuals.push_back(std::move(part));
    }
}

// (2)
Pose joint_motion(const OutlineJoint& joint, const Input<double>& q) {
  Pose X_JB;
  for (const JointStep& step : joint.steps) switch (step.kind) {
      case Kind::turn:
        X_JB.R = X_JB.R * exp_rotation<double>(step.axis * q[step.q]);
        break;
      case Kind::slide:
        X_JB.p += X_JB.R * step.axis * q[step.q];
        break;
      case Kind::quaternion:
        X_JB.R =
            X_JB.R * Eigen::Quaterniond(q[step.q + 3], q[step.q], q[step.q + 1], q[step.q + 2]).normalized();
        break;
    }
  return X_JB;
}

}  // namespace

bool OutlineJoint::has_quaternion() const {
  return std::any_of(steps.begin(), steps.end(),
                     [](const JointStep& step) { return step.kind == Kind::quaternion; });
}

bool OutlineJoint::turns(int i) const {
  if (has_quaternion()) return i >= nv - 3;  // what slides comes first
  bool moves = false;
  for (const JointStep& step : steps) {
    if (step.q == q + i && step.kind == Kind::turn) return true;
    moves = moves || step.q == q + i;
  }
  return !moves && i > 0 && turns(i - 1);  // the motor behind an elastic gear is counted like its joint
}

bool OutlineLink::has_any(int component) const {
  return std::any_of(terms.begin(), terms.end(),
                     [&](const ShapeTerm& t) { return t.component == component; });
}
bool OutlineLink::has_linear(int component) const {
  return std::any_of(terms.begin(), terms.end(),
                     [&](const ShapeTerm& t) { return t.component == component && t.k < 0; });
}

Eigen::VectorXd OutlineLink::eta(const Input<double>& q) const {
  if (q.size() < elastic_q + elastic_count)
    detail::throw_wrong_extent("OutlineLink::eta", "q", elastic_q + elastic_count, 1, q.size(), 1);
  if (!telescope) return q.segment(elastic_q, elastic_count);
  Eigen::VectorXd all(elastic_count + 1);
  all << q.segment(elastic_q, elastic_count), telescope->free_length + q[telescope->q];
  return all;
}

Eigen::Vector3d OutlineLink::sum(int first, int place, const Input<double>& eta) const {
  detail::require_extent("OutlineLink::sum", "eta", eta, elastic_count + (telescope ? 1 : 0), 1);
  if (!terms.empty())
    detail::require_index("OutlineLink::sum", "place", static_cast<int>(values.rows()), place);
  Eigen::Vector3d total = Eigen::Vector3d::Zero();
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const ShapeTerm& term = terms[t];
    if (term.component < first || term.component >= first + 3) continue;
    const double scale =
        telescope ? std::pow(telescope->free_length / eta[elastic_count], telescope->powers[t]) : 1.0;
    total[term.component - first] +=
        scale * values(place, static_cast<Eigen::Index>(t)) * eta[term.j] * (term.k < 0 ? 1.0 : eta[term.k]);
  }
  return total;
}

Pose OutlineLink::place(int place, const Input<double>& eta, double bend) const {
  detail::require_index("OutlineLink::place", "place", static_cast<int>(places.size()), place);
  detail::require_extent("OutlineLink::place", "eta", eta, elastic_count + (telescope ? 1 : 0), 1);
  Pose rest = places[static_cast<std::size_t>(place)];
  if (telescope) {
    const double l = eta[elastic_count];
    rest.p.x() = place == 0 ? l - telescope->length : rest.p.x() * l / telescope->free_length;
  }
  if (terms.empty() || bend == 0.0) return rest;
  return {exp_rotation<double>(bend * sum(3, place, eta)) * rest.R, rest.p + bend * sum(0, place, eta)};
}

std::vector<Pose> ArmOutline::root_poses(const Input<double>& q, double bend) const {
  detail::require_extent("ArmOutline::root_poses", "q", q, nq, 1);
  std::vector<Pose> X_WR;
  for (const OutlineLink& link : links) {
    Pose X_WN;
    if (link.parent >= 0) {
      const auto parent = static_cast<std::size_t>(link.parent);
      X_WN = X_WR[parent] * links[parent].place(link.parent_place, links[parent].eta(q), bend);
    }
    X_WR.push_back(X_WN * link.X_NJ * joint_motion(link.joint, q) * link.X_BR);
  }
  return X_WR;
}

Pose ArmOutline::end_effector(const Input<double>& q, double bend) const {
  detail::require_extent("ArmOutline::end_effector", "q", q, nq, 1);
  const auto l = static_cast<std::size_t>(end_effector_link);
  return root_poses(q, bend)[l] * links[l].place(end_effector_place, links[l].eta(q), bend) * X_NE;
}

ArmOutline outline_of(const Model& model, int points) {
  ArmOutline arm;
  arm.name = model.name();
  arm.gravity = model.gravity();
  arm.kinematics = model.kinematics();
  arm.mass = model.mass();
  arm.reach = reach(model);
  arm.nq = model.nq();
  arm.nv = model.nv();
  arm.positions = position_names(model);
  arm.coordinates = model.coordinates();
  const std::vector<LinkSize> sizes = link_sizes(model);
  for (std::size_t i = 0; i < model.links().size(); ++i)
    arm.links.push_back(link_of(model, model.links()[i], sizes[i], std::max(points, 2), arm.links));
  const ModelDescription& given = model.description();
  const int most_triangles = triangles_per_mesh(count_meshes(given));
  for (const WholeLink& link : whole_links(model)) put_visuals(model, link, most_triangles, arm);
  arm.visuals = outline_visuals(given.visuals, most_triangles);
  const Frame& end = model.end_effector();
  arm.end_effector_link = end.link;
  arm.end_effector_place = arm.links[static_cast<std::size_t>(end.link)].points + end.node;
  arm.X_NE = end.X_NE;
  const auto place = [&](const Frame& at) {
    if (at.link < 0) return OutlinePlace{-1, 0, at.X_NE.p};
    return OutlinePlace{at.link, arm.links[static_cast<std::size_t>(at.link)].points + at.node, at.X_NE.p};
  };
  for (const Cylinder& cylinder : model.cylinders())
    arm.cylinders.push_back({cylinder.name, place(cylinder.from), place(cylinder.to)});
  for (const Loop& loop : model.loops()) {
    const bool has_axis = loop.type == LoopType::revolute || loop.type == LoopType::point_on_line;
    const Eigen::Vector3d axis =
        has_axis ? (loop.a.X_NE.R * loop.axis).eval() : Eigen::Vector3d::Zero().eval();
    arm.loops.push_back({loop.name, choice_name(loop.type), axis, place(loop.a), place(loop.b)});
  }
  return arm;
}

}  // namespace limber
