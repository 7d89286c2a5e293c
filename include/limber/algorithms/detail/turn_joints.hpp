// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sines and cosines of the joints' angles, before anything is placed. Four at a time where registers hold four: one by one they took 40 ns of the 260 ns of
// inverse dynamics of seven rigid joints.

#include <algorithm>

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/model/detail/joint_kinds.hpp"

#if defined(__AVX__)
#include "limber/math/detail/batch.hpp"
#endif

namespace limber::detail {

template <typename Scalar>
std::vector<int> turning_links(const std::vector<LinkWork<Scalar>>& links) {
  std::vector<int> found;
  for (std::size_t i = 0; i < links.size(); ++i)
    with_joint_kind(links[i].joint_type, [&](auto kind) {
      if constexpr (kind.facts.turns_about_axis()) found.push_back(static_cast<int>(i));
    });
  return found;
}

/// Of one joint.
template <typename Scalar>
void turn_joint(LinkWork<Scalar>& link, const Scalar* q) {
  with_joint_kind(link.joint_type, [&](auto kind) { turn(kind, link, q + link.q_index); });
}

#if defined(__AVX__)
LIMBER_INLINE void turn_joints_by_four(ArmWork<double>& work, const double* q) {
  LinkWork<double>* const links = work.links.data();
  const int* const turning = work.turning.data();
  const int count = static_cast<int>(work.turning.size());
  int first = 0;
  // Three are worth a register, too: its last lane then has what the lane before it has.
  for (; first + 3 <= count; first += 4) {
    const int in_use = std::min(count - first, 4);
    Batch<4> angles;
    for (int i = 0; i < 4; ++i) angles.set(i, q[links[turning[first + std::min(i, in_use - 1)]].q_index]);
    const auto [sines, cosines] = sine_and_cosine(angles);
    for (int i = 0; i < in_use; ++i) links[turning[first + i]].turned = {sines[i], cosines[i]};
  }
  for (; first < count; ++first) {
    LinkWork<double>& link = links[turning[first]];
    link.turned = sine_and_cosine(q[link.q_index]);
  }
}
#endif

/// Of all.
template <typename Scalar>
LIMBER_INLINE void turn_joints(ArmWork<Scalar>& work, const Scalar* q) {
#if defined(__AVX__)
  if constexpr (std::is_same_v<Scalar, double>) return turn_joints_by_four(work, q);
#endif
  for (const int i : work.turning) {
    LinkWork<Scalar>& link = work.links[static_cast<std::size_t>(i)];
    link.turned = sine_and_cosine(q[link.q_index]);
  }
}

}  // namespace limber::detail
