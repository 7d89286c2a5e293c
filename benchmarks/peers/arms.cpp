// SPDX-License-Identifier: BSD-3-Clause
#include "peer.hpp"

namespace limber::peers {

std::array<double, 6> RigidChain::inertia() const {
  const auto [w, x, y, z] = principal_axes;
  const double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                          {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                          {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  const auto entry = [&](int i, int j) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) sum += R[i][k] * principal_inertia[static_cast<std::size_t>(k)] * R[j][k];
    return sum;
  };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

RigidChain make_rigid_chain(int joints) {
  RigidChain chain;
  for (int i = 0; i < joints; ++i) {
    std::array<double, 3> axis{};
    axis[static_cast<std::size_t>(i % 3)] = 1.0;
    chain.axes.push_back(axis);
  }
  chain.mass = 1.5;
  chain.com = {0.25, 0.01, 0.02};
  chain.principal_inertia = {0.01, 0.04, 0.042};
  chain.principal_axes = {0.98, 0.1, -0.1, 0.14};  // 0.9604 + 0.01 + 0.01 + 0.0196 = 1
  chain.length = 0.5;
  chain.gravity = {0.0, 0.0, -9.81};
  return chain;
}

int ChoppedArm::size() const {
  return static_cast<int>(links.size()) * (1 + elements * (both_planes ? 2 : 1));
}

std::vector<double> ChoppedArm::stiffness() const {
  std::vector<double> result;
  for (const Link& link : links) {
    result.push_back(0.0);
    for (int i = 0; i < elements * (both_planes ? 2 : 1); ++i)
      result.push_back(link.EI * elements / link.length);
  }
  return result;
}

ChoppedArm make_chopped_canadarm(int elements) {
  return {{{6.0, 140.0, 1e5}, {7.0, 85.0, 1e5}, {2.0, 95.0, 1e5}}, elements, true};
}

}  // namespace limber::peers
