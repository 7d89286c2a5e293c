// SPDX-License-Identifier: BSD-3-Clause
// Orocos KDL. Compiled without -march=native: Debian's library was, and Eigen's alignment must be the same.

#include <algorithm>
#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>

#include "peer.hpp"

namespace limber::peers {
namespace {

KDL::Vector vector(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

KDL::Chain make_chain(const RigidChain& chain) {
  const auto I = chain.inertia();
  const auto [x, y, z] = chain.com;
  const KDL::Vector com(x - chain.length, y, z);  // KDL gives a segment's inertia in the frame at its tip
  KDL::Chain result;
  for (int i = 0; i < chain.size(); ++i) {
    const KDL::Vector axis = vector(chain.axes[static_cast<std::size_t>(i)]);
    result.addSegment(KDL::Segment(
        "link" + std::to_string(i),
        KDL::Joint("joint" + std::to_string(i), KDL::Vector::Zero(), axis, KDL::Joint::RotAxis),
        KDL::Frame(KDL::Vector(chain.length, 0.0, 0.0)),
        KDL::RigidBodyInertia(chain.mass, com, KDL::RotationalInertia(I[0], I[1], I[2], I[3], I[4], I[5]))));
  }
  return result;
}

class Kdl final : public Peer {
 public:
  explicit Kdl(const RigidChain& chain)
      : n_(static_cast<unsigned>(chain.size())),
        chain_(make_chain(chain)),
        forward_(chain_, vector(chain.gravity)),
        inverse_(chain_, vector(chain.gravity)),
        parameters_(chain_, vector(chain.gravity)),
        q_(n_),
        v_(n_),
        a_(n_),
        tau_(n_),
        M_(n_),
        external_(n_, KDL::Wrench::Zero()) {}

  void forward_dynamics(const double* q, const double* v, const double* tau, double* qdd) override {
    std::copy_n(q, n_, q_.data.data());
    std::copy_n(v, n_, v_.data.data());
    std::copy_n(tau, n_, tau_.data.data());
    forward_.CartToJnt(q_, v_, tau_, external_, a_);
    std::copy_n(a_.data.data(), n_, qdd);
  }
  void inverse_dynamics(const double* q, const double* v, const double* qdd, double* tau) override {
    std::copy_n(q, n_, q_.data.data());
    std::copy_n(v, n_, v_.data.data());
    std::copy_n(qdd, n_, a_.data.data());
    inverse_.CartToJnt(q_, v_, a_, external_, tau_);
    std::copy_n(tau_.data.data(), n_, tau);
  }
  void mass_matrix(const double* q, double* M) override {
    std::copy_n(q, n_, q_.data.data());
    parameters_.JntToMass(q_, M_);
    std::copy_n(M_.data.data(), n_ * n_, M);
  }

 private:
  unsigned n_;
  KDL::Chain chain_;
  KDL::ChainFdSolver_RNE forward_;
  KDL::ChainIdSolver_RNE inverse_;
  KDL::ChainDynParam parameters_;
  KDL::JntArray q_, v_, a_, tau_;
  KDL::JntSpaceInertiaMatrix M_;
  KDL::Wrenches external_;
};

}  // namespace

std::unique_ptr<Peer> make_kdl(const RigidChain& chain) { return std::make_unique<Kdl>(chain); }

}  // namespace limber::peers
