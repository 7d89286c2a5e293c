// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Workspaces in which every number that is not a constant of the model is not a number: what an algorithm reads before it has been written
// shows in its result.

#include <limits>

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/workspace.hpp"
#include "limber/math/counting.hpp"
#include "limber/math/dual.hpp"
#include "limber/model/detail/joint_kinds.hpp"

namespace limber {
namespace poison_detail {

using namespace detail;

inline void spoil(double& x) { x = std::numeric_limits<double>::quiet_NaN(); }
inline void spoil(float& x) { x = std::numeric_limits<float>::quiet_NaN(); }
inline void spoil(Counting& x) { x = Counting(std::numeric_limits<double>::quiet_NaN()); }
inline void spoil(Dual& x) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  x = Dual(nan, Dual::Derivatives::Constant(nan));
}
template <typename Scalar>
void spoil(Vec3<Scalar>& v) {
  Scalar nan;
  spoil(nan);
  v = {nan, nan, nan};
}
template <typename Scalar>
void spoil(Mat3<Scalar>& A) {
  for (int i = 0; i < 3; ++i) spoil(A[i]);
}
template <typename Scalar>
void spoil(LaneTwist<Scalar>& V) {
  spoil(V.linear);
  spoil(V.angular);
}
template <typename Scalar>
void spoil(LaneWrench<Scalar>& f) {
  spoil(f.force);
  spoil(f.moment);
}
template <typename Scalar>
void spoil(LaneInertia<Scalar>& body) {
  spoil(body.mass);
  spoil(body.moment);
  spoil(body.inertia);
}
template <typename Scalar>
void spoil(ArticulatedInertia<Scalar>& body) {
  spoil(body.vv);
  spoil(body.vw);
  spoil(body.ww);
}
template <typename Element>
void spoil(Array<Element>& all) {
  for (Element& element : all) spoil(element);
}

template <typename Scalar>
void spoil(NodeWork<Scalar>& node) {
  spoil(node.p_RN);
  spoil(node.R_RN);
  Vec3<Scalar> theta;
  spoil(theta);
  node.rotation = RotationAt<Scalar>(theta);
  spoil(node.Jl);
  if (node.second_order) spoil(node.p_eta);      // else Phi
  if (!node.constant_screws) spoil(node.w_eta);  // else Psi
  for (Vec3<Scalar>* v : {&node.v_RN, &node.w_RN}) spoil(*v);
  for (LaneTwist<Scalar>* V : {&node.V_N, &node.A_bias}) spoil(*V);
}

template <typename Scalar>
void spoil(LinkWork<Scalar>& link) {
  with_joint_kind(link.joint_type, [&](auto kind) {
    for (int j = 0; j < kind.moving_columns; ++j) spoil(link.S[j]);
  });
  for (auto* values : {&link.sections.mu, &link.sections.mu_rate, &link.sections.mu_second}) spoil(*values);
  spoil(link.sections.scratch);
  for (auto* values : {&link.field.M_ee_sum, &link.field.mu, &link.field.mu_rate, &link.field.mu_second,
                       &link.field.gram_mu, &link.field.gram_rate, &link.field.gram_second})
    spoil(*values);
  FieldCoordinates<Scalar>& own = link.field.own;
  for (auto* values : {&own.B, &own.B_rate, &own.M_B, &own.place, &own.rate, &own.second, &own.f_e})
    spoil(*values);
  spoil(own.M_re);
  for (Mat3<Scalar>* R : {&link.R_PR, &link.R_RP, &link.R_WR, &link.R_OR}) spoil(*R);
  for (Vec3<Scalar>* p : {&link.p_NR_P, &link.p_WR, &link.p_OR}) spoil(*p);
  for (LaneTwist<Scalar>* V : {&link.V_R, &link.A_bias, &link.A_R}) spoil(*V);
  for (LaneWrench<Scalar>* f : {&link.f_r, &link.wrench}) spoil(*f);
  for (NodeWork<Scalar>& node : link.nodes) spoil(node);
  for (Scalar* x : {&link.turned.sine, &link.turned.cosine}) spoil(*x);
  spoil(link.M_rr);
  spoil(link.articulated);
  for (auto* wrenches : {&link.M_re, &link.Z}) spoil(*wrenches);
  for (auto* numbers : {&link.M_ee, &link.f_e, &link.L, &link.z}) spoil(*numbers);
}

}  // namespace poison_detail

/// Every number of a workspace that algorithms write.
template <typename Scalar>
void poison(Workspace<Scalar>& work) {
  for (detail::LinkWork<Scalar>& link : work.arm().links) poison_detail::spoil(link);
  for (VectorX<Scalar>* all : {&work.arm().qdd, &work.arm().screws})
    for (Scalar& x : *all) poison_detail::spoil(x);
}

/// A workspace that nobody can read anything from before it is written.
template <typename Scalar>
class PoisonedWorkspace : public Workspace<Scalar> {
 public:
  explicit PoisonedWorkspace(const Model& model, Kernels kernels = Kernels::fixed)
      : Workspace<Scalar>(model, kernels) {
    poison(*this);
  }
};

}  // namespace limber
