// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A peers' chain as one of ours. Apart from peer.hpp, because it needs our headers, and those our flags.

#include "limber/model/builder.hpp"
#include "peer.hpp"

namespace limber::peers {

inline Model limber_model(const RigidChain& chain) {
  RigidDescription rod;
  rod.mass = chain.mass;
  rod.com = Eigen::Vector3d(chain.com.data());
  rod.inertia = Eigen::Matrix<double, 6, 1>(chain.inertia().data());
  rod.tip.xyz = {chain.length, 0.0, 0.0};
  ModelBuilder builder("chain");
  builder.gravity(Eigen::Vector3d(chain.gravity.data()));
  for (int i = 0; i < chain.size(); ++i)
    builder.link("link" + std::to_string(i))
        .revolute(Eigen::Vector3d(chain.axes[static_cast<std::size_t>(i)].data()))
        .rigid(rod);
  return builder.build();
}

}  // namespace limber::peers
