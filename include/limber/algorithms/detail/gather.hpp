// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Constants of several arms into the lanes of one ArmWork<Batch>. The arms have one topology: the same links on the same nodes, joints of the same kinds, as many
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

// ---- one arm's numbers into a lane ----

template <int width>
void put(Batch<width>& to, int lane, double from) {
  to.set(lane, from);
}
template <int width>
void put(Vec3<Batch<width>>& to, int lane, const Vec3<double>& from) {
  for (int i = 0; i < 3; ++i) {
    Batch<width> number = to[i];
    number.set(lane, from[i]);
    to.set(i, number);
  }
}
template <int width>
void put(Mat3<Batch<width>>& to, int lane, const Mat3<double>& from) {
  for (int i = 0; i < 3; ++i) put(to[i], lane, from[i]);
}
template <int width>
void put(LaneTwist<Batch<width>>& to, int lane, const LaneTwist<double>& from) {
  put(to.linear, lane, from.linear);
  put(to.angular, lane, from.angular);
}
template <int width>
void put(LaneInertia<Batch<width>>& to, int lane, const LaneInertia<double>& from) {
  put(to.mass, lane, from.mass);
  put(to.moment, lane, from.moment);
  put(to.inertia, lane, from.inertia);
}
template <typename To, typename From>
void put(Array<To>& to, int lane, const Array<From>& from) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) put(to[i], lane, from[i]);
}
template <typename To, typename From, std::size_t size>
void put(To (&to)[size], int lane, const From (&from)[size]) {  // NOLINT
  for (std::size_t i = 0; i < size; ++i) put(to[i], lane, from[i]);
}

template <typename Scalar>
void put_constants(NodeWork<Scalar>& to, int lane, const NodeWork<double>& from) {
  put(to.p0_RN, lane, from.p0_RN);
  put(to.Phi, lane, from.Phi);
  put(to.Psi, lane, from.Psi);
  put(to.Phi2, lane, from.Phi2);
  put(to.Psi2, lane, from.Psi2);
  put(to.p_eta, lane, from.Phi);
  put(to.w_eta, lane, from.Psi);
}

template <typename Scalar>
void put_constants(LinkWork<Scalar>& to, int lane, const LinkWork<double>& from) {
  put(to.R_NR0, lane, from.R_NR0);
  put(to.p_NJ, lane, from.p_NJ);
  put(to.p_BR_R, lane, from.p_BR_R);
  put(to.R_BR, lane, from.R_BR);
  put(to.axes, lane, from.axes);
  put(to.parameter, lane, from.parameter);
  put(to.turning, lane, from.turning);
  put(to.S, lane, from.S);
  put(to.stiffness, lane, from.stiffness);
  put(to.rest, lane, from.rest);
  put(to.damping, lane, from.damping);
  put(to.armature, lane, from.armature);
  put(to.gear_stiffness, lane, from.gear_stiffness);
  put(to.gear_damping, lane, from.gear_damping);
  put(to.rigid, lane, from.rigid);
  put(to.K, lane, from.K);
  put(to.D, lane, from.D);
  put(to.field.moment, lane, from.field.moment);
  put(to.field.gram, lane, from.field.gram);
  put(to.field.M_re_linear, lane, from.field.M_re_linear);
  put(to.field.M_ee, lane, from.field.M_ee);
  put(to.field.M_ee_blocks, lane, from.field.M_ee_blocks);
  put(to.field.own.A, lane, from.field.own.A);
  put(to.sections.F, lane, from.sections.F);
  put(to.sections.inertia, lane, from.sections.inertia);
  put(to.sections.products, lane, from.sections.products);
  for (std::size_t i = 0; i < from.lumps.size(); ++i) put(to.lumps[i].body, lane, from.lumps[i].body);
  for (std::size_t i = 0; i < from.nodes.size(); ++i) put_constants(to.nodes[i], lane, from.nodes[i]);
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

/// `arms`: as many as there are lanes, of one topology.
template <typename Scalar>
ArmWork<Scalar>::ArmWork(const std::vector<const ArmWork<double>*>& arms)
    : kernels(nullptr),
      model(arms.front()->model),
      memory(std::make_shared<std::pmr::monotonic_buffer_resource>()),
      turning(arms.front()->turning),
      is_chain(arms.front()->is_chain),
      has_many_ancestors(false) {
  links.reserve(arms.front()->links.size());
  for (const LinkWork<double>& link : arms.front()->links) {
    links.emplace_back(memory.get());
    set_structure(links.back(), link, memory.get());
  }
  for (int lane = 0; lane < static_cast<int>(arms.size()); ++lane) {
    put(gravity, lane, arms[static_cast<std::size_t>(lane)]->gravity);
    for (std::size_t i = 0; i < links.size(); ++i)
      put_constants(links[i], lane, arms[static_cast<std::size_t>(lane)]->links[i]);
  }
}

}  // namespace limber::detail
