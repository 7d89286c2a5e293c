// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Constants of arms into an ArmWork of another scalar: of several arms into the lanes of one ArmWork<Batch>. The arms have one topology: the same links on the same nodes, joints of the same kinds, as many
// shapes of the same directions. Loops then run over the same terms for all of them, and only numbers differ.

#include <algorithm>
#include <optional>
#include <string>

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/detail/sections.hpp"
#include "limber/math/detail/batch_inertia.hpp"

namespace limber::detail {

// ---- what must be the same ----

/// What is another in an arm than in the first one of a batch.
struct TopologyDifference {
  int link;          ///< -1: of the arm as a whole
  std::string what;  ///< a plural
  std::string expected, found;
};

template <typename Terms>
bool same_terms(const Terms& a, const Terms& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}
inline bool same_slopes(const SectionWork<double>& a, const SectionWork<double>& b) {
  return same_terms(a.slopes_begin, b.slopes_begin) && a.slopes.size() == b.slopes.size() &&
         std::equal(a.slopes.begin(), a.slopes.end(), b.slopes.begin(),
                    [](const auto& x, const auto& y) { return x.term == y.term && x.factor == y.factor; });
}

inline std::optional<TopologyDifference> difference_of_link(const ArmWork<double>& first,
                                                            const ArmWork<double>& arm, int index) {
  const LinkWork<double>&a = first.links[index], &b = arm.links[index];
  const auto number = [&](const char* what, std::size_t x,
                          std::size_t y) -> std::optional<TopologyDifference> {
    if (x == y) return {};
    return TopologyDifference{index, what, std::to_string(x), std::to_string(y)};
  };
  const auto name_of_link = [](const ArmWork<double>& of, int link) {
    return link < 0 ? std::string("the ground") : "`" + of.model.links()[link].name + "`";
  };
  if (a.parent != b.parent)
    return TopologyDifference{index, "parents", name_of_link(first, a.parent), name_of_link(arm, b.parent)};
  if (a.joint_type != b.joint_type)
    return TopologyDifference{index, "joints", "the same kind", "another one"};
  if (auto found = number("elastic coordinates", a.m, b.m)) return found;
  if (a.parent_node != b.parent_node)
    return TopologyDifference{index, "places on their parents", "the same node", "another one"};
  if (auto found = number("nodes", a.nodes.size(), b.nodes.size())) return found;
  if (auto found = number("bodies at nodes", a.lumps.size(), b.lumps.size())) return found;
  bool same = same_terms(a.field.terms, b.field.terms) && a.sections.count == b.sections.count &&
              same_terms(a.field.M_ee_monomials, b.field.M_ee_monomials) &&
              a.field.own.stiffened == b.field.own.stiffened &&
              same_terms(a.sections.terms, b.sections.terms) && same_slopes(a.sections, b.sections);
  for (std::size_t i = 0; i < a.nodes.size(); ++i)
    same = same && a.nodes[i].second_order == b.nodes[i].second_order;
  for (std::size_t i = 0; i < a.lumps.size(); ++i) same = same && a.lumps[i].node == b.lumps[i].node;
  if (!same)
    return TopologyDifference{index, "deflection fields", "the same directions, shapes and order", "others"};
  return {};
}

/// None: both go into one batch.
inline std::optional<TopologyDifference> topology_difference(const ArmWork<double>& first,
                                                             const ArmWork<double>& arm) {
  if (first.links.size() != arm.links.size())
    return TopologyDifference{-1, "links", std::to_string(first.links.size()),
                              std::to_string(arm.links.size())};
  for (int i = 0; i < static_cast<int>(first.links.size()); ++i)
    if (auto found = difference_of_link(first, arm, i)) return found;
  return {};
}

// ---- one arm's numbers, each to its place ----
//
// A Place says what becomes of a number: the lane of a Batch into which it goes, or whatever else has an overload of the first of these functions
// (constants_adjoint.cpp).

template <int width>
void put(Batch<width>& to, const int& lane, double from) {
  to.set(lane, from);
}
template <typename Scalar, typename Place>
void put(Vec3<Scalar>& to, Place& place, const Vec3<double>& from) {
  for (int i = 0; i < 3; ++i) {
    Scalar number = to[i];
    put(number, place, from[i]);
    to.set(i, number);
  }
}
template <typename Scalar, typename Place>
void put(Mat3<Scalar>& to, Place& place, const Mat3<double>& from) {
  for (int i = 0; i < 3; ++i) put(to[i], place, from[i]);
}
template <typename Scalar, typename Place>
void put(LaneTwist<Scalar>& to, Place& place, const LaneTwist<double>& from) {
  put(to.linear, place, from.linear);
  put(to.angular, place, from.angular);
}
template <typename Scalar, typename Place>
void put(LaneInertia<Scalar>& to, Place& place, const LaneInertia<double>& from) {
  put(to.mass, place, from.mass);
  put(to.moment, place, from.moment);
  put(to.inertia, place, from.inertia);
}
template <typename To, typename Place, typename From>
void put(Array<To>& to, Place& place, const Array<From>& from) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) put(to[i], place, from[i]);
}
template <typename To, typename Place, typename From, std::size_t size>
void put(To (&to)[size], Place& place, const From (&from)[size]) {  // NOLINT
  for (std::size_t i = 0; i < size; ++i) put(to[i], place, from[i]);
}

template <typename Scalar, typename Place>
void put_constants(NodeWork<Scalar>& to, Place& place, const NodeWork<double>& from) {
  put(to.p0_RN, place, from.p0_RN);
  put(to.Phi, place, from.Phi);
  put(to.Psi, place, from.Psi);
  put(to.Phi2, place, from.Phi2);
  put(to.Psi2, place, from.Psi2);
  put(to.p_eta, place, from.Phi);
  put(to.w_eta, place, from.Psi);
}

template <typename Scalar, typename Place>
void put_constants(LinkWork<Scalar>& to, Place& place, const LinkWork<double>& from) {
  put(to.R_NR0, place, from.R_NR0);
  put(to.p_NJ, place, from.p_NJ);
  put(to.p_BR_R, place, from.p_BR_R);
  put(to.R_BR, place, from.R_BR);
  put(to.axes, place, from.axes);
  put(to.parameter, place, from.parameter);
  put(to.turning, place, from.turning);
  put(to.S, place, from.S);
  put(to.stiffness, place, from.stiffness);
  put(to.rest, place, from.rest);
  put(to.damping, place, from.damping);
  put(to.armature, place, from.armature);
  put(to.gear_stiffness, place, from.gear_stiffness);
  put(to.gear_damping, place, from.gear_damping);
  put(to.rigid, place, from.rigid);
  put(to.K, place, from.K);
  put(to.D, place, from.D);
  put(to.field.moment, place, from.field.moment);
  put(to.field.gram, place, from.field.gram);
  put(to.field.M_re_linear, place, from.field.M_re_linear);
  put(to.field.M_ee, place, from.field.M_ee);
  put(to.field.M_ee_blocks, place, from.field.M_ee_blocks);
  put(to.field.own.A, place, from.field.own.A);
  put(to.sections.F, place, from.sections.F);
  put(to.sections.inertia, place, from.sections.inertia);
  put(to.sections.products, place, from.sections.products);
  for (std::size_t i = 0; i < from.lumps.size(); ++i) put(to.lumps[i].body, place, from.lumps[i].body);
  for (std::size_t i = 0; i < from.nodes.size(); ++i) put_constants(to.nodes[i], place, from.nodes[i]);
}

template <typename Scalar, typename Place>
void put_constants(ArmWork<Scalar>& to, Place& place, const ArmWork<double>& from) {
  put(to.gravity, place, from.gravity);
  for (std::size_t i = 0; i < to.links.size(); ++i) put_constants(to.links[i], place, from.links[i]);
}

// ---- what has no lanes ----

template <typename Element>
void copy_all(Array<Element>& to, const Array<Element>& from) {
  to.assign(from.begin(), from.end());
}
/// As many, without values.
template <typename To, typename From>
void make_as_many(Array<To>& to, const Array<From>& from) {
  to.resize(from.size());
}

template <typename Scalar>
void set_structure(FieldCoordinates<Scalar>& to, const FieldCoordinates<double>& from) {
  to.stiffened = from.stiffened;
  to.stride = from.stride;
  for (auto* rows : {&to.B, &to.B_rate, &to.M_B}) make_as_many(*rows, from.B);
  for (auto* values : {&to.place, &to.rate, &to.second, &to.f_e}) make_as_many(*values, from.place);
  make_as_many(to.M_re, from.M_re);
}

template <typename Scalar>
void set_structure(FieldWork<Scalar>& to, const FieldWork<double>& from) {
  copy_all(to.terms, from.terms);
  copy_all(to.M_ee_monomials, from.M_ee_monomials);
  std::copy(std::begin(from.axis_begin), std::end(from.axis_begin), to.axis_begin);
  to.stride = from.stride;
  to.second_order = from.second_order;
  make_as_many(to.M_ee_sum, from.M_ee_sum);
  for (auto* values : {&to.mu, &to.mu_rate, &to.mu_second}) make_as_many(*values, from.mu);
  for (auto* values : {&to.gram_mu, &to.gram_rate, &to.gram_second}) make_as_many(*values, from.gram_mu);
  set_structure(to.own, from.own);
}

template <typename Scalar>
void set_structure(SectionWork<Scalar>& to, const SectionWork<double>& from, int m) {
  copy_all(to.terms, from.terms);
  copy_all(to.linear_term, from.linear_term);
  copy_all(to.slopes_begin, from.slopes_begin);
  for (const auto& slope : from.slopes) to.slopes.push_back({slope.term, slope.factor});
  std::copy(std::begin(from.axis_begin), std::end(from.axis_begin), to.axis_begin);
  to.count = from.count;
  to.second_order = from.second_order;
  for (auto* values : {&to.mu, &to.mu_rate, &to.mu_second}) make_as_many(*values, from.mu);
  if (to.count > 0)
    to.scratch.resize(static_cast<std::size_t>(section_scratch_rows(m, to.second_order) * to.count));
}

template <typename Scalar>
void set_structure(LinkWork<Scalar>& to, const LinkWork<double>& from, Memory* memory) {
  to.parent = from.parent;
  to.parent_node = from.parent_node;
  to.joint_type = from.joint_type;
  to.q_index = from.q_index;
  to.v_index = from.v_index;
  to.joint_nq = from.joint_nq;
  to.joint_nv = from.joint_nv;
  to.has_quaternion = from.has_quaternion;
  to.m = from.m;
  to.flexible = from.flexible;
  to.fixed_sizes = from.fixed_sizes;
  to.has_motor = from.has_motor;
  set_structure(to.field, from.field);
  set_structure(to.sections, from.sections, from.m);
  to.lumps.reserve(from.lumps.size());
  for (const LumpWork<double>& lump : from.lumps) to.lumps.push_back({lump.node, {}});
  to.nodes.reserve(from.nodes.size());
  for (const NodeWork<double>& node : from.nodes) {
    to.nodes.emplace_back(memory);
    to.nodes.back().second_order = node.second_order;
  }
  make_as_many(to.M_re, from.M_re);
  make_as_many(to.M_ee, from.M_ee);
  make_as_many(to.f_e, from.f_e);
  make_as_many(to.L, from.L);
  make_as_many(to.Z, from.Z);
  make_as_many(to.z, from.z);
}

/// All links, without numbers.
template <typename Scalar>
void set_structure(ArmWork<Scalar>& to, const ArmWork<double>& from) {
  to.links.reserve(from.links.size());
  for (const LinkWork<double>& link : from.links) {
    to.links.emplace_back(to.memory.get());
    set_structure(to.links.back(), link, to.memory.get());
  }
}

/// `arms`: as many as there are lanes, of one topology.
template <typename Scalar>
ArmWork<Scalar>::ArmWork(const std::vector<const ArmWork<double>*>& arms)
    : kernels(nullptr),
      model(arms.front()->model),
      memory(std::make_shared<std::pmr::monotonic_buffer_resource>()),
      turning(arms.front()->turning),
      is_chain(arms.front()->is_chain),
      has_many_ancestors(false) {
  set_structure(*this, *arms.front());
  for (int lane = 0; lane < static_cast<int>(arms.size()); ++lane)
    put_constants(*this, lane, *arms[static_cast<std::size_t>(lane)]);
}

}  // namespace limber::detail
