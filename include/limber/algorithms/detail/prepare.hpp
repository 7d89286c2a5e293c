// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From a Model to the numbers that kernels compute with.

#include <algorithm>
#include <cassert>
#include <map>

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/detail/kernel_table.hpp"
#include "limber/algorithms/detail/sections.hpp"
#include "limber/algorithms/detail/turn_joints.hpp"
#include "limber/model/detail/joint_kinds.hpp"

namespace limber::detail {
template <typename Scalar>
Vec3<Scalar> vec3(const Eigen::Vector3d& v) {
  return {Scalar(v[0]), Scalar(v[1]), Scalar(v[2])};
}

template <typename Scalar>
Mat3<Scalar> mat3(const Eigen::Matrix3d& A) {
  return {vec3<Scalar>(A.col(0)), vec3<Scalar>(A.col(1)), vec3<Scalar>(A.col(2))};
}

template <typename Scalar>
LaneInertia<Scalar> lane_inertia(const RigidInertia& body) {
  return {Scalar(body.mass), vec3<Scalar>(body.moment), mat3<Scalar>(body.inertia)};
}

template <typename Scalar>
void copy_columns(const Eigen::Matrix3Xd& from, Array<Vec3<Scalar>>& to) {
  for (Eigen::Index j = 0; j < from.cols(); ++j) to.push_back(vec3<Scalar>(from.col(j)));
}

template <typename Matrix, typename Scalar>
void copy_by_rows(const Matrix& from, Array<Scalar>& to) {
  for (Eigen::Index i = 0; i < from.rows(); ++i)
    for (Eigen::Index j = 0; j < from.cols(); ++j) to.push_back(Scalar(from(i, j)));
}

// Three matrices, one an axis, as one matrix of triples.
template <typename Scalar>
void copy_by_axes(const std::array<Eigen::MatrixXd, 3>& from, Array<Vec3<Scalar>>& to) {
  for (Eigen::Index i = 0; i < from[0].rows(); ++i)
    for (Eigen::Index j = 0; j < from[0].cols(); ++j)
      to.push_back(vec3<Scalar>({from[0](i, j), from[1](i, j), from[2](i, j)}));
}

template <typename Scalar>
NodeWork<Scalar> make_node_work(const BeamNode& node, Memory* memory) {
  NodeWork<Scalar> work(memory);
  work.p0_RN = vec3<Scalar>(node.r0());
  copy_columns(node.Phi, work.Phi);
  copy_columns(node.Psi, work.Psi);
  work.second_order = node.is_second_order();
  copy_by_axes(node.Phi2, work.Phi2);
  copy_by_axes(node.Psi2, work.Psi2);
  copy_columns(node.Phi, work.p_eta);
  copy_columns(node.Psi, work.w_eta);
  return work;
}

// M_ee = Sum over terms a, b of the same axis: gram_ab dmu_a/deta_j dmu_b/deta_k, sorted by the monomials that the
// derivatives are: 1, eta, or a product of two.
template <typename Scalar>
void set_elastic_mass(const FieldConstants<Scalar>& constants, int m, FieldWork<Scalar>& field) {
  struct Derivative {
    int by;      // the coordinate by which mu is differentiated
    int factor;  // what remains: -1 for 1, else eta_factor
  };
  const auto derivatives = [](const FieldTerm& term) {
    std::vector<Derivative> found;
    if (term.j >= 0) found.push_back({term.j, term.k});
    if (term.k >= 0) found.push_back({term.k, term.j});
    return found;
  };
  // act(a pair of factors, the two coordinates, Int F_a F_b) for every product of two derivatives.
  const auto for_each_product = [&](const auto& act) {
    for (std::size_t a = 0; a < constants.terms.size(); ++a)
      for (std::size_t b = 0; b < constants.terms.size(); ++b) {
        if (constants.terms[a].axis != constants.terms[b].axis) continue;
        const Scalar& gram = constants.gram(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b));
        for (const Derivative& left : derivatives(constants.terms[a]))
          for (const Derivative& right : derivatives(constants.terms[b]))
            act(std::pair<int, int>(std::minmax(left.factor, right.factor)), left.by, right.by, gram);
      }
  };
  const std::pair<int, int> one(-1, -1);
  field.M_ee.resize(static_cast<std::size_t>(m * m), Scalar(0));
  std::map<std::pair<int, int>, std::size_t> places{{one, 0}};  // of each monomial's block
  for_each_product([&](const auto& monomial, int j, int k, const Scalar& gram) {
    places.try_emplace(monomial, 0);
    if (monomial == one) field.M_ee[j * m + k] += gram;
  });
  if (!field.second_order) return;
  // Blocks are many and large: they are summed where they stay.
  const auto size = static_cast<std::size_t>(filled_up(m * (m + 1) / 2));
  std::size_t count = 0;
  for (auto& [monomial, place] : places) {
    place = size * count++;  // 1 comes first
    if (monomial.second >= 0) field.M_ee_monomials.push_back({0, monomial.second, monomial.first});
  }
  field.M_ee_blocks.resize(count * size, Scalar(0));
  for_each_product([&](const auto& monomial, int j, int k, const Scalar& gram) {
    if (k <= j)
      field.M_ee_blocks[places.at(monomial) + static_cast<std::size_t>(j * (j + 1) / 2 + k)] += gram;
  });
  field.M_ee_sum.resize(size);
}

// The joint frame as this link sees it: fixed in P when the parent is rigid, else in the node.
inline Pose joint_frame(const Model& model, const Link& link) {
  Pose X_NJ = link.X_NJ;
  if (link.parent >= 0 && model.links()[link.parent].elastic_count == 0)
    X_NJ = model.links()[link.parent].nodes[link.parent_node].X_RN * X_NJ;
  return X_NJ;
}

template <typename Scalar>
void set_joint(const Model& model, const Link& link, LinkWork<Scalar>& work) {
  const Joint& joint = link.joint;
  const Pose X_NJ = joint_frame(model, link);
  work.joint_type = joint.type;
  work.R_NR0 = mat3<Scalar>(X_NJ.R * link.X_BR.R);
  work.p_NJ = vec3<Scalar>(X_NJ.p);
  work.p_BR_R = vec3<Scalar>(link.X_BR.R.transpose() * link.X_BR.p);
  work.R_BR = mat3<Scalar>(link.X_BR.R);
  for (std::size_t i = 0; i < joint.axes.size(); ++i)
    work.axes[i] = vec3<Scalar>(link.X_BR.R.transpose() * joint.axes[i]);
  work.parameter = Scalar(joint.parameter);
  work.stiffness = Scalar(joint.stiffness);
  work.rest = Scalar(joint.rest);
  work.damping = Scalar(joint.damping);
  for (int j = 0; j < joint.nv; ++j) work.armature[j] = Scalar(joint.armature_of(j));
  work.has_motor = joint.has_motor();
  work.gear_stiffness = Scalar(joint.gear.stiffness);
  work.gear_damping = Scalar(joint.gear.damping);
  with_joint_kind(joint.type, [&](auto kind) { kind.prepare(work); });
}

inline bool is_same(const BeamNode& a, const BeamNode& b) {
  return a.r0() == b.r0() && a.Phi == b.Phi && a.Psi == b.Psi && a.is_second_order() == b.is_second_order() &&
         (!a.is_second_order() || (a.Phi2 == b.Phi2 && a.Psi2 == b.Psi2));
}

// Nothing but inertia about the section's own axes.
inline bool is_section(const Lump& lump) {
  const Eigen::Matrix3d& I = lump.body.inertia;
  return lump.body.mass == 0.0 && lump.body.moment.isZero(0.0) &&
         I == Eigen::Matrix3d(I.diagonal().asDiagonal());
}

// F of a term of theta at a node, from (2) of field.hpp.
inline double term_value(const FieldTerm& term, const BeamNode& node) {
  if (term.k < 0) return node.Psi(term.axis, term.j);
  return node.Psi2[term.axis](term.j, term.k) * (term.j == term.k ? 0.5 : 1.0);
}

// The terms that are not zero at all of the sections, by axes.
inline std::vector<FieldTerm> rotation_terms(const std::vector<const Lump*>& sections, int m) {
  std::vector<FieldTerm> terms;
  const bool second_order = sections.front()->node.is_second_order();
  for (int axis = 0; axis < 3; ++axis)
    for (int j = 0; j < m; ++j)
      for (int k = -1; k <= (second_order ? j : -1); ++k) {
        const FieldTerm term{axis, j, k};
        if (std::any_of(sections.begin(), sections.end(),
                        [&](const Lump* lump) { return term_value(term, lump->node) != 0.0; }))
          terms.push_back(term);
      }
  return terms;
}

// How dtheta/deta depends on the terms: one of them for each coordinate at first order, else sums.
template <typename Scalar>
void set_slopes(int m, SectionWork<Scalar>& work) {
  using Number = typename SectionWork<Scalar>::Number;
  const int count = static_cast<int>(work.terms.size());
  work.linear_term.resize(m, -1);
  for (int j = 0; j < m; ++j)
    for (int axis = 0; axis < 3; ++axis) {
      work.slopes_begin.push_back(static_cast<int>(work.slopes.size()));
      for (int t = work.axis_begin[axis]; t < work.axis_begin[axis + 1]; ++t) {
        const FieldTerm& term = work.terms[t];
        if (term.j == j) work.slopes.push_back({t, term.k});
        if (term.k == j) work.slopes.push_back({t, term.j});
      }
    }
  work.slopes_begin.push_back(static_cast<int>(work.slopes.size()));
  for (int t = 0; t < count; ++t) {
    const FieldTerm& term = work.terms[t];
    if (term.k >= 0) continue;
    assert(work.linear_term[term.j] < 0);  // a coordinate turns sections about one axis
    work.linear_term[term.j] = t;
  }
  if (work.second_order) return;
  for (int j = 0; j < m; ++j)
    for (int k = 0; k <= j; ++k) {
      const int s = work.linear_term[j], t = work.linear_term[k];
      for (int i = 0; i < work.count; ++i)
        work.products.push_back(
            s < 0 || t < 0 ? Number(0) : Number(work.F[s * work.count + i] * work.F[t * work.count + i]));
    }
}

template <typename Scalar>
void set_sections(const std::vector<const Lump*>& sections, int m, SectionWork<Scalar>& work) {
  if (sections.empty()) return;
  using Number = typename SectionWork<Scalar>::Number;
  const int points = static_cast<int>(sections.size());
  work.count = filled_up(points);
  work.second_order = sections.front()->node.is_second_order();
  for (const FieldTerm& term : rotation_terms(sections, m)) {
    work.terms.push_back(term);
    for (int axis = term.axis; axis < 3; ++axis) ++work.axis_begin[axis + 1];
    for (const Lump* lump : sections) work.F.push_back(static_cast<Number>(term_value(term, lump->node)));
    work.F.resize(work.terms.size() * static_cast<std::size_t>(work.count), Number(0));
  }
  for (int axis = 0; axis < 3; ++axis) {
    for (const Lump* lump : sections)
      work.inertia.push_back(static_cast<Number>(lump->body.inertia(axis, axis)));
    work.inertia.resize(static_cast<std::size_t>((axis + 1) * work.count), Number(0));
  }
  set_slopes(m, work);
  for (auto* values : {&work.mu, &work.mu_rate, &work.mu_second})
    values->resize(work.terms.size(), Scalar(0));
  const int kept =
      section_scratch_rows(m, work.second_order) * PacketTraits<typename PacketsOf<Scalar>::Moving>::numbers;
  work.scratch.resize(static_cast<std::size_t>(kept * work.count), Number(0));
}

// A body's terms of second order are sums of its linear ones, which come first: kernels know the latter, and how z depends on eta.
template <typename Scalar>
FieldConstants<Scalar> field_constants(const Link& link) {
  const ShapeIntegrals& integrals = link.elastic->integrals;
  auto count = static_cast<Eigen::Index>(integrals.terms.size());
  FieldConstants<Scalar> constants;
  if (link.body && count > link.body->reduced->moment.size()) {
    count = link.body->reduced->moment.size();
    constants.second_order = link.body->reduced->second_order.cast<Scalar>();
  }
  constants.terms.assign(integrals.terms.begin(), integrals.terms.begin() + count);
  constants.moment = integrals.moment.head(count).cast<Scalar>();
  constants.gram = integrals.gram.topLeftCorner(count, count).cast<Scalar>();
  return constants;
}

template <typename Scalar>
void set_elastic(const Link& link, Memory* memory, LinkWork<Scalar>& work) {
  const ShapeIntegrals& integrals = link.elastic->integrals;
  set_field_constants(field_constants<Scalar>(link), work.m, work.field);
  copy_by_rows(integrals.stiffness, work.K);
  copy_by_rows(link.elastic->damping, work.D);
  // Bodies share the nodes that are there anyway, such as the tip.
  std::vector<const BeamNode*> places;
  for (const Node& node : link.nodes) places.push_back(&node.field);
  std::vector<const Lump*> sections;
  work.lumps.reserve(integrals.lumps.size());
  for (const Lump& lump : integrals.lumps) {
    const auto there = std::find_if(places.begin(), places.end(),
                                    [&](const BeamNode* node) { return is_same(*node, lump.node); });
    if (there == places.end() && is_section(lump) && work.fixed_sizes) {
      sections.push_back(&lump);
      continue;
    }
    const int node = static_cast<int>(there - places.begin());
    if (there == places.end()) places.push_back(&lump.node);
    work.lumps.push_back({node, lane_inertia<Scalar>(lump.body)});
  }
  work.nodes.reserve(places.size());
  for (const BeamNode* node : places) work.nodes.push_back(make_node_work<Scalar>(*node, memory));
  set_sections(sections, work.m, work.sections);
}

// A fixed joint at the guide, a field without mass, and everything on nodes: telescope.hpp.
template <typename Scalar>
class TelescopePreparation {
 public:
  TelescopePreparation(const Link& link, Memory* memory, LinkWork<Scalar>& work)
      : telescope_(*link.beam->telescope), memory_(memory), work_(work), to_(work.telescope) {
    work_.telescopes = true;
    work_.joint_type = JointType::fixed;
    work_.joint_nq = work_.joint_nv = 0;
    work_.m = link.elastic_count + 1;
    work_.rigid = LaneInertia<Scalar>{};
    to_.free_length = Scalar(telescope_.free_length);
    to_.second_order = link.nodes.front().field.is_second_order();
    set_powers();
    set_springs();
    set_field_constants<Scalar>({{}, VectorX<Scalar>(), MatrixX<Scalar>()}, work_.m, work_.field);
    work_.nodes.reserve(link.nodes.size() + telescope_.points.size() + 5);
    for (const Node& node : link.nodes) add_place(*node.extending);
    set_masses(link);
  }

 private:
  void set_powers() {
    const auto& lengths = telescope_.lengths;
    for (const bool turns : {false, true})
      for (const int one : lengths) to_.power.push_back(extending_power(turns, one));
    for (const bool turns : {false, true})
      for (const int one : lengths)
        for (const int other : lengths)
          if (to_.second_order) to_.power.push_back(extending_power(turns, one + other));
    to_.block = static_cast<int>(to_.power.size());
  }

  void set_springs() {
    copy_by_rows(telescope_.stiffness.at_one, to_.K);
    to_.K_power.assign(telescope_.stiffness.power.begin(), telescope_.stiffness.power.end());
    for (const ExtendingMatrix& part : telescope_.damping) {
      copy_by_rows(part.at_one, to_.D.emplace_back());
      to_.D_power.emplace_back().assign(part.power.begin(), part.power.end());
    }
  }

  // A node on the free part, or in the guide: nothing bends there.
  int add_node(const Eigen::Vector3d& p0, double per_length, bool bends) {
    const auto m = static_cast<std::size_t>(work_.m);
    NodeWork<Scalar> node(memory_);
    node.p_eta.resize(m, Vec3<Scalar>::zero());
    node.w_eta.resize(m, Vec3<Scalar>::zero());
    work_.nodes.push_back(std::move(node));
    to_.nodes.push_back({vec3<Scalar>(p0), Scalar(per_length), bends});
    to_.theta_eta.resize(work_.nodes.size() * m, Vec3<Scalar>::zero());
    to_.units.resize(work_.nodes.size() * 3 * static_cast<std::size_t>(to_.block), Vec3<Scalar>::zero());
    to_.forms.resize(to_.units.size(), Vec3<Scalar>::zero());
    return static_cast<int>(work_.nodes.size()) - 1;
  }
  int add_place(const ExtendingNode& place) {
    const int index = add_node(Eigen::Vector3d::Zero(), place.x, true);
    Vec3<Scalar>* to = to_.units.data() + index * 3 * to_.block;
    for (const BeamNode& jet : place.jets) {
      for (const Eigen::Matrix3Xd* linear : {&jet.Phi, &jet.Psi})
        for (Eigen::Index j = 0; j < linear->cols(); ++j) *to++ = vec3<Scalar>(linear->col(j));
      for (const auto* forms : {&jet.Phi2, &jet.Psi2})
        for (Eigen::Index j = 0; to_.second_order && j < jet.Phi.cols(); ++j)
          for (Eigen::Index k = 0; k < jet.Phi.cols(); ++k)
            *to++ = vec3<Scalar>({(*forms)[0](j, k), (*forms)[1](j, k), (*forms)[2](j, k)});
    }
    return index;
  }
  void add_lump(int node, const RigidInertia& body, double constant, double per_length) {
    const LaneInertia<Scalar> lane = lane_inertia<Scalar>(body);
    work_.lumps.push_back({node, lane});
    to_.lumps.push_back({lane, Scalar(constant), Scalar(per_length)});
  }

  void set_masses(const Link& link) {
    const auto weighs = [](const RigidInertia& body) {
      return body.mass != 0.0 || !body.inertia.isZero(0.0);
    };
    for (std::size_t i = 0; i < telescope_.points.size(); ++i)
      add_lump(add_place(telescope_.points[i]), telescope_.per_length, 0.0,
               telescope_.weights[static_cast<Eigen::Index>(i)]);
    // The part in the guide, from -(L - l) to 0, by the rule of two points.
    const double L = telescope_.length;
    const GaussRule& rule = gauss_legendre(2);
    for (const double s : rule.nodes) {
      const double part = 0.5 * (1.0 + s);
      add_lump(add_node({-part * L, 0.0, 0.0}, part, false), telescope_.per_length, 0.5 * L, -0.5);
    }
    if (weighs(telescope_.carriage))
      add_lump(add_node(telescope_.p_RB - telescope_.free_length * Eigen::Vector3d::UnitX(), 1.0, false),
               telescope_.carriage, 1.0, 0.0);
    if (weighs(link.tip_body)) add_lump(0, link.tip_body, 1.0, 0.0);
    // At the guide, on the free side and inside: (5) of telescope.hpp.
    const KinematicOrder order = to_.second_order ? KinematicOrder::second : KinematicOrder::first;
    add_place(telescope_.node(link.beam->basis, order, 0.0));
    add_node(Eigen::Vector3d::Zero(), 0.0, false);
  }

  const Telescope& telescope_;
  Memory* memory_;
  LinkWork<Scalar>& work_;
  TelescopeWork<Scalar>& to_;
};

template <typename Scalar>
LinkWork<Scalar> make_link_work(const Model& model, const Link& link, Kernels kernels, Memory* memory) {
  LinkWork<Scalar> work(memory);
  const bool parent_is_flexible = link.parent >= 0 && model.links()[link.parent].elastic_count > 0;
  work.parent = link.parent;
  work.parent_node = parent_is_flexible ? link.parent_node : -1;
  work.q_index = link.joint.q_index;
  work.v_index = link.joint.v_index;
  work.joint_nq = link.joint.nq;
  work.joint_nv = link.joint.nv;
  work.has_quaternion = link.joint.has_quaternion();
  work.m = link.elastic_count;
  work.flexible = work.m > 0;
  work.fixed_sizes = kernels == Kernels::fixed;
  set_joint(model, link, work);

  // A beam without modes is a rigid body like any other.
  const RigidInertia rigid_B = work.flexible ? link.rigid : link.rest_inertia();
  work.rigid = lane_inertia<Scalar>(rigid_B.expressed_in(link.X_BR.inverse()));
  if (link.telescopes()) {
    TelescopePreparation<Scalar>(link, memory, work);
  } else if (work.flexible) {
    set_elastic(link, memory, work);
    work.rigid.mass += Scalar(link.elastic->integrals.mass);
  }

  const int m = work.m, n = work.size();
  work.M_re.resize(m);
  work.M_ee.resize(m * m);
  work.f_e.resize(m);
  work.L.resize(n * n);
  work.Z.resize(n);
  work.z.resize(n);
  return work;
}

// A of field_coordinates.hpp, from its pairs k <= j.
template <typename Scalar>
void set_field_coordinates(const MatrixX<Scalar>& second_order, int m, FieldCoordinates<Scalar>& own) {
  own.stiffened = second_order.size() > 0 ? stiffened_modes(m) : 0;
  own.stride = filled_up(own.stiffened);
  const int n = own.stiffened, stride = own.stride;
  own.A.assign(static_cast<std::size_t>(n * m * stride), Scalar(0));
  Eigen::Index pair = 0;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k <= j; ++k, ++pair)
      for (int i = 0; i < m; ++i)
        own.A[(k * m + i) * stride + j] = own.A[(j * m + i) * stride + k] = second_order(i, pair);
  for (auto* rows : {&own.B, &own.B_rate, &own.M_B})
    rows->resize(static_cast<std::size_t>(m * stride), Scalar(0));
  const auto count = static_cast<std::size_t>(n > 0 ? m : 0);
  for (auto* values : {&own.place, &own.rate, &own.second, &own.f_e}) values->resize(count, Scalar(0));
  own.M_re.resize(count);
}

template <typename Scalar>
void set_field_constants(const FieldConstants<Scalar>& constants, int m, FieldWork<Scalar>& field) {
  std::vector<Eigen::Index> order;
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t a = 0; a < constants.terms.size(); ++a)
      if (constants.terms[a].axis == axis) order.push_back(static_cast<Eigen::Index>(a));
    field.axis_begin[axis + 1] = static_cast<int>(order.size());
  }
  field.second_order = std::any_of(constants.terms.begin(), constants.terms.end(),
                                   [](const FieldTerm& term) { return term.k >= 0; });
  field.stride = filled_up(static_cast<int>(order.size()));
  for (auto* values : {&field.moment, &field.gram, &field.M_ee, &field.M_ee_blocks}) values->clear();
  for (auto* terms : {&field.terms, &field.M_ee_monomials}) terms->clear();
  set_elastic_mass(constants, m, field);
  field.M_re_linear.assign(static_cast<std::size_t>(m), Vec3<Scalar>::zero());
  field.gram.reserve(order.size() * static_cast<std::size_t>(field.stride));
  for (const Eigen::Index b : order) {
    const FieldTerm& term = constants.terms[static_cast<std::size_t>(b)];
    const Scalar& moment = constants.moment[b];
    const Scalar zero(0);
    field.terms.push_back(term);
    field.moment.push_back(moment);
    if (term.j >= 0 && term.k < 0)
      field.M_re_linear[term.j] += Vec3<Scalar>(
          term.axis == 0 ? moment : zero, term.axis == 1 ? moment : zero, term.axis == 2 ? moment : zero);
    for (const Eigen::Index a : order) field.gram.push_back(constants.gram(b, a));
    field.gram.resize(field.terms.size() * static_cast<std::size_t>(field.stride), Scalar(0));
  }
  for (auto* values : {&field.mu, &field.mu_rate, &field.mu_second}) values->resize(order.size(), Scalar(0));
  for (auto* values : {&field.gram_mu, &field.gram_rate, &field.gram_second})
    values->resize(3 * static_cast<std::size_t>(field.stride), Scalar(0));
  set_field_coordinates(constants.second_order, m, field.own);
}

template <typename Scalar>
ArmWork<Scalar>::ArmWork(const Model& arm, Kernels choice)
    : kernels(&chosen_kernels<Scalar>()),
      model(arm),
      memory(std::make_shared<std::pmr::monotonic_buffer_resource>()),
      gravity(vec3<Scalar>(model.gravity())),
      is_chain(true),
      has_many_ancestors(false),
      qdd(model.nv()),
      screws(VectorX<Scalar>::Zero(Eigen::Index(6) * filled_up(model.nv()))) {
  links.reserve(model.links().size());
  std::size_t turns = 0;  // of momenta by (3): one for each coordinate and ancestor
  for (const Link& link : model.links()) {
    is_chain = is_chain && link.parent == static_cast<int>(links.size()) - 1;
    links.push_back(make_link_work<Scalar>(model, link, choice, memory.get()));
    for (int at = link.parent; at >= 0; at = links[static_cast<std::size_t>(at)].parent)
      turns += static_cast<std::size_t>(links.back().size());
  }
  turning = turning_links(links);
  // Measured: with 3 turns for each coordinate (seven rigid joints) (4) takes 0.95 of the time of (3), with 7 (15 joints) 0.7; with as many as links of several shapes have beyond 5 for each link 0.84.
  has_many_ancestors = turns > 5 * links.size() || 2 * turns >= 5 * static_cast<std::size_t>(model.nv());
}

}  // namespace limber::detail
