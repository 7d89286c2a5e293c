// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "beam_axis.hpp"
#include "build_beam.hpp"
#include "check_rules.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/check.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/detail/joint_kinds.hpp"
#include "limber/model/model.hpp"
#include "segments.hpp"
#include "telescope_geometry.hpp"

namespace limber {

using namespace detail;

namespace {

Pose make_pose(const Eigen::Vector3d& xyz, const Eigen::Vector3d& rpy) {
  return {rotation_from_rpy(rpy), xyz};
}

// Rx(alpha) Tx(a) Rz(theta) Tz(d)
Pose make_pose(const DenavitHartenberg& dh) {
  const Pose about_x{exp_rotation<double>(dh.alpha * Eigen::Vector3d::UnitX()), Eigen::Vector3d::Zero()};
  const Pose along_x{Eigen::Matrix3d::Identity(), dh.a * Eigen::Vector3d::UnitX()};
  const Pose about_z{exp_rotation<double>(dh.theta * Eigen::Vector3d::UnitZ()), Eigen::Vector3d::Zero()};
  const Pose along_z{Eigen::Matrix3d::Identity(), dh.d * Eigen::Vector3d::UnitZ()};
  return about_x * along_x * about_z * along_z;
}

Joint make_joint(const JointDescription& description, const std::string& link_name) {
  Joint joint{};
  joint.name = description.name.empty() ? link_name + "_joint" : description.name;
  joint.type = description.type;
  const auto& drive = description.drive;
  if (drive && drive->stiffness)
    joint.type =
        description.type == JointType::revolute ? JointType::geared_revolute : JointType::geared_prismatic;
  const JointFacts& facts = joint.facts();
  if (facts.axis_count == 1) joint.axes = {description.axis.value_or(Eigen::Vector3d::UnitZ()).normalized()};
  if (facts.axis_count == 2)
    for (const Eigen::Vector3d& axis : *description.axes) joint.axes.push_back(axis.normalized());
  if (facts.parameter.key) joint.parameter = *(description.*facts.parameter.value);
  joint.stiffness = description.stiffness;
  joint.rest = description.rest;
  joint.damping = description.damping;
  joint.armature = description.armature;
  if (drive) {
    const double rotor = drive->ratio * drive->ratio * drive->rotor_inertia;
    if (drive->stiffness)
      joint.gear = {*drive->stiffness, drive->damping, rotor};
    else
      joint.armature += rotor;
  }
  joint.friction = description.friction;
  joint.limits = description.limits.value_or(JointLimits{});
  joint.nq = facts.nq();
  joint.nv = facts.nv;
  return joint;
}

RigidInertia make_rigid(const auto& piece) {
  return RigidInertia::about_com(piece.mass, piece.com, inertia_tensor(piece.inertia));
}

// What is known of a link before its shapes are: enough to say what hangs on whose tip.
struct Skeleton {
  int parent;
  Pose X_NJ;
  Pose X_BR;
  Pose X_RT;              // undeformed tip
  RigidInertia rigid;     // in B
  RigidInertia tip_body;  // in the tip's frame
  std::optional<SectionProfile> profile;
  double length = 0.0;
  const ReducedBody* body = nullptr;

  // All of the link itself at rest, in B.
  RigidInertia rest_inertia() const {
    RigidInertia total = rigid;
    if (profile) {
      total += undeformed_inertia(*profile).expressed_in(X_BR);
      total += tip_body.expressed_in(X_BR * X_RT);
    }
    if (body) {
      total += body->rest_inertia().expressed_in(X_BR);
      total += tip_body.expressed_in(X_BR * X_RT);
    }
    return total;
  }

  // Undeformed, of the place on which a child sits.
  Pose X_RN(const LinkDescription& child) const {
    Pose X = X_RT;
    if (profile) X.p.x() = child.attach * length;
    if (!child.interface.empty()) X.p = body->find(child.interface)->p_RI;
    return X;
  }
};

// A telescoping beam as it is where its joint is at zero: R is at the guide, the beam is its free part, and what is behind the guide is rigid.
void put_into_guide(const LinkDescription& link, Skeleton& s) {
  const TelescopeGeometry geometry = telescope_geometry(link);
  const SectionProfile whole = *s.profile;
  const auto cut = [&](double length) {
    return whole.geometry_at(0.0) ? SectionProfile(length, *whole.geometry_at(0.0))
                                  : SectionProfile(length, whole.at(0.0));
  };
  s.X_BR.p += geometry.behind * s.X_BR.R.col(0);
  s.length = geometry.free_length;
  s.X_RT.p.x() = s.length;
  s.profile = cut(s.length);
  if (!(geometry.behind > 0.0)) return;
  const Pose X_RI{Eigen::Matrix3d::Identity(), Eigen::Vector3d(-geometry.behind, 0.0, 0.0)};
  s.rigid += undeformed_inertia(cut(geometry.behind)).expressed_in(s.X_BR * X_RI);
}

// `profile`: of its beam. X_NS: the section on which it sits, in the node.
Skeleton make_skeleton(const LinkDescription& link, int parent, const Pose& X_NS,
                       std::optional<SectionProfile> profile) {
  Skeleton s{parent, {}, make_pose(link.root.xyz, link.root.rpy), {}, make_rigid(link.root), {}, {}};
  if (link.dh) s.X_NJ = make_pose(*link.dh);
  if (link.origin) s.X_NJ = make_pose(link.origin->xyz, link.origin->rpy);
  s.X_NJ = X_NS * s.X_NJ;
  if (link.tip) s.tip_body = make_rigid(*link.tip);
  if (link.beam) {
    s.profile = std::move(profile);
    s.length = link.beam->length;
    s.X_RT.p = Eigen::Vector3d(s.length, 0.0, 0.0);
    if (is_telescope(link)) put_into_guide(link, s);
  } else if (link.body) {
    s.body = link.body->reduced.get();
    s.X_RT.p = s.body->interfaces.front().p_RI;
  } else {
    s.X_RT = make_pose(link.rigid->tip.xyz, link.rigid->tip.rpy);
    s.rigid += make_rigid(*link.rigid).expressed_in(s.X_BR);
    s.rigid += s.tip_body.expressed_in(s.X_BR * s.X_RT);
  }
  return s;
}

int parent_index(const ModelDescription& description, int link) {
  const std::string& parent = description.links[link].parent;
  if (parent.empty()) return link - 1;
  for (int i = 0; i < link; ++i)
    if (description.links[i].name == parent) return i;
  return -1;
}

// For every link, all that hangs on its tip when q = 0, in the tip's frame: its own tip body and the links
// whose joint sits at the tip, with everything they carry in turn.
std::vector<RigidInertia> hanging_on_tips(const ModelDescription& description,
                                          const std::vector<Skeleton>& skeletons) {
  std::vector<RigidInertia> hanging, carried;  // `carried`: the link and all its descendants, in its B
  for (const Skeleton& skeleton : skeletons) {
    hanging.push_back(skeleton.tip_body);
    carried.push_back(skeleton.rest_inertia());
  }
  for (int i = static_cast<int>(skeletons.size()) - 1; i >= 0; --i) {
    const int parent = skeletons[i].parent;
    if (parent < 0) continue;
    const LinkDescription& link = description.links[i];
    const RigidInertia in_node = carried[i].expressed_in(skeletons[i].X_NJ);
    if (link.attach == 1.0 && link.interface.empty()) hanging[parent] += in_node;
    carried[parent] += in_node.expressed_in(skeletons[parent].X_BR * skeletons[parent].X_RN(link));
  }
  return hanging;
}

// The tip first, then the other interfaces.
std::vector<Node> make_nodes_of(const ReducedBody& body, KinematicOrder order) {
  std::vector<Node> nodes;
  for (const BodyInterface& interface : body.interfaces)
    nodes.push_back({nodes.empty() ? 1.0 : std::numeric_limits<double>::quiet_NaN(),
                     {Eigen::Matrix3d::Identity(), interface.p_RI},
                     node_of(body, interface, order),
                     interface.name});
  return nodes;
}

// The tip first, then one node for every other place at which a child or the end effector sits.
std::vector<Node> make_nodes_of(const Link& link, const Pose& X_RT, const BeamNode& tip, KinematicOrder order,
                                const std::vector<double>& attachments) {
  if (link.body) return make_nodes_of(*link.body->reduced, order);
  if (!link.beam) return {{1.0, X_RT, {}}};
  const BeamBasis& basis = link.beam->basis;
  std::vector<Node> nodes{{1.0, X_RT, tip}};
  std::vector<double> places;
  for (const double at : attachments) places.push_back(at * basis.length());
  const std::vector<BeamNode> fields = make_nodes(basis, order, places);
  for (std::size_t i = 0; i < fields.size(); ++i)
    nodes.push_back({attachments[i], {Eigen::Matrix3d::Identity(), fields[i].r0()}, fields[i]});
  return nodes;
}

// Places on a telescoping beam are parts of its free length.
void let_nodes_extend(KinematicOrder order, Link& link) {
  if (!link.telescopes()) return;
  for (Node& node : link.nodes)
    node.extending =
        std::make_shared<const ExtendingNode>(link.beam->telescope->node(link.beam->basis, order, node.at));
}

std::vector<double> inner_attachments(const ModelDescription& description,
                                      const std::vector<Skeleton>& skeletons, int link) {
  std::vector<double> places;
  for (std::size_t child = 0; child < skeletons.size(); ++child)
    if (skeletons[child].parent == link && description.links[child].attach != 1.0)
      places.push_back(description.links[child].attach);
  const auto& end = description.end_effector;
  const std::string& name = description.links[static_cast<std::size_t>(link)].name;
  if (end && end->link == name && end->at != 1.0) places.push_back(end->at);
  for_each_place(description, [&](const PlaceDescription& place) {
    if (place.link == name && place.at != 1.0) places.push_back(place.at);
  });
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

// Index of the node at that place; the number of nodes if there is none.
int find_node(const Link& link, double at) {
  const auto node =
      std::find_if(link.nodes.begin(), link.nodes.end(), [at](const Node& n) { return n.at == at; });
  return static_cast<int>(node - link.nodes.begin());
}

// Of a place as descriptions have it: by name on a body, else by its fraction.
int find_node(const Link& link, double at, const std::string& interface) {
  if (interface.empty()) return find_node(link, at);
  const auto node = std::find_if(link.nodes.begin(), link.nodes.end(),
                                 [&](const Node& n) { return n.interface == interface; });
  return static_cast<int>(node - link.nodes.begin());
}

// Of its coordinate number i, counted from 1.
std::string coordinate_name(const Joint& joint, int i) {
  if (joint.has_motor()) return i == 1 ? joint.name : joint.name + ".motor";
  return joint.nv == 1 ? joint.name : joint.name + "." + std::to_string(i);
}

void number_coordinates(ModelParts& model) {
  model.nq = model.nv = 0;
  for (Link& link : model.links) {
    Joint& joint = link.joint;
    joint.q_index = model.nq;
    joint.v_index = model.nv;
    link.elastic_q_index = joint.q_index + joint.nq;
    link.elastic_v_index = joint.v_index + joint.nv;
    link.elastic_count = link.elastic ? static_cast<int>(link.elastic->integrals.stiffness.rows()) : 0;
    model.nq = link.elastic_q_index + link.elastic_count;
    model.nv = link.elastic_v_index + link.elastic_count;

    for (int i = 1; i <= joint.nv; ++i) model.coordinates.push_back(coordinate_name(joint, i));
    if (link.body)
      for (int i = 1; i <= link.elastic_count; ++i)
        model.coordinates.push_back(link.name + ".m" + std::to_string(i));
    if (!link.beam) continue;
    for (const DirectionShapes& shapes : link.beam->directions)
      for (int i = 1; i <= shapes.request.count; ++i)
        model.coordinates.push_back(link.name + "." + to_string(shapes.request.direction) +
                                    std::to_string(i));
  }
}

void require_clamped_root(const Beam& beam, const char* path, const char* expected) {
  const Eigen::Matrix3Xd turn = make_nodes(beam.basis, KinematicOrder::first, {0.0})[0].Psi;
  if (turn.isZero(0.0)) return;
  throw InputError(Problem{path, expected, "a shape with a slope there",
                           "craig-bampton and the clamped families have none; pinned ones do"});
}

// A gear turns the beam's root; were that to move against B, its spring would act on the shapes too. Between two segments such a
// shape would be a hinge.
void require_clamped_roots(const Link& link, int described) {
  if (!link.beam) return;
  within_path("links[" + std::to_string(described) + "]", [&] {
    if (link.joint.has_motor())
      require_clamped_root(*link.beam, "joint.drive.stiffness",
                           "shapes that are clamped at the root of a link on an elastic gear");
    if (link.segments > 1)
      require_clamped_root(*link.beam, "beam.segments",
                           "shapes that are clamped at the root of every segment");
  });
}

// Sections of the beam of a link of the arm in segments.
std::optional<SectionProfile> profile_of(const ModelDescription& description, const SegmentOrigin& origin) {
  const LinkDescription& whole = description.links[static_cast<std::size_t>(origin.described)];
  if (!whole.beam) return std::nullopt;
  const SectionProfile profile = make_profile(*whole.beam);
  if (origin.segments == 1) return profile;
  const SectionProfile piece = profile.piece(origin.segment, origin.segments);
  if (!whole.beam->is_bent()) return piece;
  return piece.on_chord(axis_segment(*whole.beam, origin.segment, origin.segments).chord);
}

bool has_automatic_tip(const BeamDescription& beam) {
  return std::any_of(std::begin(all_directions), std::end(all_directions), [&](Direction direction) {
    const auto& modes = beam.modes.of(direction);
    const auto is_automatic = [](const std::optional<NumberOrAuto>& number) {
      return number && number->automatic;
    };
    return modes && (is_automatic(modes->tip_mass) || is_automatic(modes->tip_static_moment) ||
                     is_automatic(modes->tip_inertia));
  });
}

// As `ratio` and `loss_factor` mean it: `hanging` and `tip_body` are those of the whole link.
void damp_segment(const LinkDescription& whole, const RigidInertia& hanging, const RigidInertia& tip_body,
                  PreparedBeams& kept, Beam& segment) {
  const auto& damping = whole.beam->damping;
  if (!damping || !damping->modal_ratio()) return;
  // Its first frequencies, whatever shapes its segments have.
  constexpr int shapes = 4;
  BeamDescription undamped = *whole.beam;
  undamped.damping.reset();
  for (const Direction direction : all_directions)
    if (auto& modes = undamped.modes.of(direction)) {
      modes = ModesDescription{};
      modes->count = shapes;
    }
  const BuiltBeam one = build_beam(undamped, KinematicOrder::first, make_profile(*whole.beam), {undamped},
                                   hanging, tip_body, kept);
  set_segment_damping(one.beam, *damping->modal_ratio(), segment);
}

// Damping is that of the beam alone, at every length.
void make_telescope_of(const LinkDescription& link, KinematicOrder order, const Pose& X_BR, Beam& beam) {
  ExtendingDamping damping;
  if (const auto& given = link.beam->damping) {
    damping.ratio = given->ratio.value_or(0.5 * given->loss_factor.value_or(0.0));
    damping.alpha = given->alpha.value_or(0.0);
    damping.beta = given->beta.value_or(0.0);
  }
  Telescope telescope =
      make_telescope(beam.basis, order, beam.integrals.stiffness, link.beam->length, damping);
  telescope.p_RB = X_BR.inverse().p;
  telescope.carriage = make_rigid(link.root).expressed_in({X_BR.R.transpose(), Eigen::Vector3d::Zero()});
  beam.damping = telescope.damping_at(telescope.free_length);
  beam.telescope = std::move(telescope);
}

// A segment like the one before it has its beam.
bool is_like(const BeamDescription& beam, const Skeleton& before, const Skeleton& here) {
  const auto is_empty = [](const RigidInertia& body) { return body.mass == 0.0 && body.inertia.isZero(0.0); };
  constexpr double rounding = 1e-12;  // of chords of one arc
  return before.profile->is_uniform() && here.profile->is_uniform() && is_empty(before.tip_body) &&
         is_empty(here.tip_body) && !has_automatic_tip(beam) &&
         std::abs(before.length - here.length) <= rounding * here.length;
}

Frame make_place(const PlaceDescription& place, const std::vector<Link>& links) {
  const Pose pose = make_pose(place.xyz, place.rpy);
  const auto link =
      std::find_if(links.begin(), links.end(), [&](const Link& one) { return one.name == place.link; });
  if (link == links.end()) return {-1, 0, pose};  // `base`
  return {static_cast<int>(link - links.begin()), find_node(*link, place.at, place.interface), pose};
}

std::vector<Loop> make_loops(const ModelDescription& description, const std::vector<Link>& links) {
  std::vector<Loop> loops;
  for (std::size_t i = 0; i < description.loops.size(); ++i) {
    const LoopDescription& given = description.loops[i];
    loops.push_back({loop_name(description, i), given.type,
                     given.axis.value_or(Eigen::Vector3d::UnitZ()).normalized(), make_place(given.a, links),
                     make_place(given.b, links)});
  }
  return loops;
}

// The root frame of a link in the world when q = 0.
Pose rest_pose(const std::vector<Link>& links, int index) {
  Pose X_WR;
  for (int i = index; i >= 0; i = links[static_cast<std::size_t>(i)].parent) {
    const Link& link = links[static_cast<std::size_t>(i)];
    Pose X = link.X_NJ * link.X_BR;
    if (link.parent >= 0)
      X = links[static_cast<std::size_t>(link.parent)]
              .nodes[static_cast<std::size_t>(link.parent_node)]
              .X_RN *
          X;
    X_WR = X * X_WR;
  }
  return X_WR;
}

std::vector<Cylinder> make_cylinders(const ModelDescription& description, const std::vector<Link>& links) {
  std::vector<Cylinder> cylinders;
  for (const CylinderDescription& given : description.cylinders)
    cylinders.push_back({given.name, make_place(given.from, links), make_place(given.to, links),
                         given.stiffness, given.rest, given.damping, given.limits.value_or(CylinderLimits{}),
                         given.hydraulics});
  for (const DamperDescription& given : description.dampers) {
    const Frame to = make_place(given.to, links);
    const Eigen::Vector3d axis = given.axis.normalized();
    // It is drawn from a point that it would stand on: a tenth of its link's length away when q = 0.
    const Link& carrier = links[static_cast<std::size_t>(to.link)];
    const Eigen::Vector3d point =
        rest_pose(links, to.link) * (carrier.nodes[static_cast<std::size_t>(to.node)].X_RN * to.X_NE.p);
    const Frame from{-1, 0, {Eigen::Matrix3d::Identity(), point - 0.1 * carrier.length() * axis}};
    cylinders.push_back({given.name, from, to, 0.0, 0.0, given.damping, {}, {}, axis});
  }
  return cylinders;
}

Frame make_end_effector(const ModelDescription& description, const std::vector<Link>& links) {
  const int last = static_cast<int>(description.links.size()) - 1;
  if (!description.end_effector) return {last, 0, {}};
  const EndEffectorDescription& given = *description.end_effector;
  const auto link =
      std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.name == given.link; });
  return {static_cast<int>(link - links.begin()), find_node(*link, given.at, given.interface),
          make_pose(given.xyz, given.rpy)};
}

}  // namespace

RigidInertia Link::rest_inertia() const {
  RigidInertia total = rigid;
  if (!elastic) return total;
  total +=
      (beam ? undeformed_inertia(beam->basis.profile()) : body->reduced->rest_inertia()).expressed_in(X_BR);
  total += tip_body.expressed_in(X_BR * nodes.front().X_RN);
  return total;
}

double Link::length() const {
  if (beam) return beam->basis.length();
  if (!body) return nodes.front().X_RN.p.norm();
  // Interfaces around the root (a wheel) leave the radius of gyration.
  double farthest = std::sqrt(body->reduced->gram.topLeftCorner<3, 3>().trace() / body->reduced->mass);
  for (const Node& node : nodes) farthest = std::max(farthest, node.X_RN.p.norm());
  return farthest;
}

Model::Model(ModelParts parts) : parts_(std::make_shared<const ModelParts>(std::move(parts))) {}

double Model::mass() const {
  double total = 0.0;
  for (const Link& link : links()) total += link.rest_inertia().mass;
  return total;
}

bool Model::has_quaternions() const {
  return std::any_of(links().begin(), links().end(),
                     [](const Link& link) { return link.joint.has_quaternion(); });
}

Eigen::VectorXd neutral_configuration(const Model& model) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(model.nq());
  for (const Link& link : model.links())
    with_joint_kind(link.joint.type, [&](auto kind) { kind.set_neutral(q.data() + link.joint.q_index); });
  return q;
}

Model with_node(const Model& model, int link, double at) {
  detail::Call{"with_node", model}.require_link("link", link);
  const Link& place = model.links().at(static_cast<std::size_t>(link));
  if (find_node(place, at) < static_cast<int>(place.nodes.size())) return model;
  if (!place.beam || !(at >= 0.0 && at <= 1.0))
    throw InputError(Problem{"at",
                             place.beam   ? "a fraction of the beam from 0 to 1"
                             : place.body ? "1: the tip of the body, or an interface by its name"
                                          : "1: the link is rigid",
                             std::to_string(at), "link " + place.name});
  const BeamNode field =
      make_nodes(place.beam->basis, model.kinematics(), {at * place.beam->basis.length()}).front();
  ModelParts parts = model.parts();
  Link& with = parts.links[static_cast<std::size_t>(link)];
  with.nodes.push_back({at, {Eigen::Matrix3d::Identity(), field.r0()}, field});
  let_nodes_extend(model.kinematics(), with);
  return Model(std::move(parts));
}

Model with_end_effector(const Model& model, const Frame& end_effector) {
  detail::Call{"with_end_effector", model}.require_frame("end_effector", end_effector);
  ModelParts parts = model.parts();
  parts.end_effector = end_effector;
  return Model(std::move(parts));
}

int node_index(const Model& model, int link, double at) {
  detail::Call{"node_index", model}.require_link("link", link);
  const Link& place = model.links().at(static_cast<std::size_t>(link));
  const int index = find_node(place, at);
  if (index < static_cast<int>(place.nodes.size())) return index;
  std::string known;
  for (const Node& node : place.nodes) known += (known.empty() ? "" : ", ") + std::to_string(node.at);
  throw InputError(Problem{"at", "a node of link `" + place.name + "`: " + known, std::to_string(at),
                           "with_node(model, link, at) gives the arm with one more"});
}

int node_index(const Model& model, int link, const std::string& interface) {
  detail::Call{"node_index", model}.require_link("link", link);
  const Link& place = model.links().at(static_cast<std::size_t>(link));
  const int index = find_node(place, 1.0, interface);
  if (!interface.empty() && index < static_cast<int>(place.nodes.size())) return index;
  std::string known;
  for (const Node& node : place.nodes) known += (known.empty() ? "" : ", ") + node.interface;
  throw InputError(Problem{"interface",
                           place.body ? "an interface of the body `" + place.name + "`: " + known
                                      : "a link with a body: `" + place.name + "` has none",
                           "`" + interface + "`", ""});
}

// Links that are alike share what is prepared.
Model build_model(const ModelDescription& description) {
  PreparedBeams kept;
  return build_model(description, kept);
}

Model build_model(const ModelDescription& description, PreparedBeams& kept) {
  if (auto problems = check(description); !problems.empty()) throw InputError(std::move(problems));

  const SegmentedArm arm = cut_into_segments(description);
  const int link_count = static_cast<int>(arm.description.links.size());
  std::vector<Skeleton> skeletons;
  for (int i = 0; i < link_count; ++i)
    skeletons.push_back(make_skeleton(arm.description.links[i], parent_index(arm.description, i),
                                      arm.origins[i].X_NS, profile_of(description, arm.origins[i])));
  const std::vector<RigidInertia> hanging = hanging_on_tips(arm.description, skeletons);

  ModelParts model{
      description.name, description.gravity, description.kinematics, {}, {}, 0, 0, {}, description, {}, {}};
  for (int i = 0; i < link_count; ++i) {
    const LinkDescription& given = arm.description.links[i];
    const SegmentOrigin& origin = arm.origins[i];
    const Skeleton& skeleton = skeletons[i];
    Link link{};
    link.name = given.name;
    link.parent = skeleton.parent;
    link.X_NJ = skeleton.X_NJ;
    link.X_BR = skeleton.X_BR;
    link.rigid = skeleton.rigid;
    link.tip_body = skeleton.tip_body;
    link.described = origin.described;
    link.segment = origin.segment;
    link.segments = origin.segments;
    link.joint = make_joint(given.joint, given.name);
    BeamNode tip;
    if (origin.segment > 0 && is_like(*given.beam, skeletons[i - 1], skeleton)) {
      link.beam = model.links.back().beam;
      tip = model.links.back().nodes.front().field;
    } else if (given.beam) {
      within_path("links[" + std::to_string(origin.described) + "].beam", [&] {
        const LinkDescription& whole = description.links[origin.described];
        auto [beam, at_tip] =
            build_beam(*given.beam, description.kinematics, *skeleton.profile,
                       {*whole.beam, origin.segment, origin.segments}, hanging[i], skeleton.tip_body, kept);
        if (is_telescope(given)) make_telescope_of(given, description.kinematics, skeleton.X_BR, beam);
        const int last = i + origin.segments - 1 - origin.segment;
        if (origin.segments > 1) damp_segment(whole, hanging[last], skeletons[last].tip_body, kept, beam);
        link.beam = std::make_shared<const Beam>(std::move(beam));
        tip = std::move(at_tip);
      });
    }
    if (given.body)
      within_path("links[" + std::to_string(origin.described) + "].body", [&] {
        link.body = std::make_shared<const ElasticBody>(
            build_body(*given.body, description.kinematics, skeleton.tip_body));
      });
    link.elastic = link.beam ? std::shared_ptr<const Elastic>(link.beam) : link.body;
    require_clamped_roots(link, origin.described);
    link.nodes = make_nodes_of(link, skeleton.X_RT, tip, description.kinematics,
                               inner_attachments(arm.description, skeletons, i));
    let_nodes_extend(description.kinematics, link);
    link.parent_node =
        link.parent < 0 ? 0 : find_node(model.links[link.parent], given.attach, given.interface);
    model.links.push_back(std::move(link));
  }
  model.end_effector = make_end_effector(arm.description, model.links);
  model.loops = make_loops(arm.description, model.links);
  model.cylinders = make_cylinders(arm.description, model.links);
  number_coordinates(model);
  return Model(std::move(model));
}

Model with_kinematics(const Model& model, KinematicOrder order) {
  if (model.kinematics() == order) return model;
  ModelDescription description = model.description();
  description.kinematics = order;
  Model other = build_model(description);
  for (std::size_t i = 0; i < model.links().size(); ++i)
    if (!model.links()[i].body)  // bodies have all of theirs
      for (const Node& node : model.links()[i].nodes) other = with_node(other, static_cast<int>(i), node.at);
  return with_end_effector(other, model.end_effector());
}

}  // namespace limber
