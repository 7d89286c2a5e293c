#include "peer.hpp"

namespace limber::peers {

RigidChain make_rigid_chain(int joints) {
  RigidChain chain;
  for (int i = 0; i < joints; ++i) {
    std::array<double, 3> axis{};
    axis[static_cast<std::size_t>(i % 3)] = 1.0;
    chain.axes.push_back(axis);
  }
  chain.mass = 1.5;
  chain.com = {0.25, 0.01, 0.02};
  chain.inertia = {0.01, 0.04, 0.04, 0.001, 0.002, 0.001};
  chain.length = 0.5;
  chain.gravity = {0.0, 0.0, -9.81};
  return chain;
}

}  // namespace limber::peers
