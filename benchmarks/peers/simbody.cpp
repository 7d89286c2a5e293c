// SPDX-License-Identifier: BSD-3-Clause
// Simbody. Compiled without NDEBUG: its headers then lay out their classes as Debian's library does.

#include <Simbody.h>

#include <algorithm>

#include "peer.hpp"

namespace limber::peers {
namespace {

SimTK::Vec3 vector(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

class Simbody final : public Peer {
 public:
  explicit Simbody(const RigidChain& chain) : matter_(system_), forces_(system_), n_(chain.size()) {
    using namespace SimTK;
    gravity_ = std::make_unique<Force::Gravity>(forces_, matter_, vector(chain.gravity));
    const auto I = chain.inertia();
    const Inertia at_com(I[0], I[1], I[2], I[3], I[4], I[5]);
    const Vec3 com = vector(chain.com);
    const Body::Rigid body(MassProperties(chain.mass, com, at_com.shiftFromMassCenter(-com, chain.mass)));
    MobilizedBody parent = matter_.Ground();
    for (int i = 0; i < n_; ++i) {
      // A pin turns about z of its frames: z along the wanted axis, the same frame on both sides.
      const UnitVec3 axis(vector(chain.axes[static_cast<std::size_t>(i)]));
      const Rotation R(axis, ZAxis);
      const Vec3 at(i == 0 ? 0.0 : chain.length, 0.0, 0.0);
      parent = MobilizedBody::Pin(parent, Transform(R, at), body, Transform(R, Vec3(0)));
    }
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
    mobility_forces_.resize(n_);
    accelerations_.resize(n_);
    residual_.resize(n_);
    body_forces_.resize(n_ + 1);
  }

  void forward_dynamics(const double* q, const double* v, const double* tau, double* qdd) override {
    set_state(q, v);
    std::copy_n(tau, n_, &mobility_forces_[0]);
    system_.realize(state_, SimTK::Stage::Dynamics);
    body_forces_ = gravity_->getBodyForces(state_);
    matter_.calcAccelerationIgnoringConstraints(state_, mobility_forces_, body_forces_, accelerations_,
                                                bodies_);
    std::copy_n(&accelerations_[0], n_, qdd);
  }
  void inverse_dynamics(const double* q, const double* v, const double* qdd, double* tau) override {
    set_state(q, v);
    std::copy_n(qdd, n_, &accelerations_[0]);
    mobility_forces_ = 0.0;
    system_.realize(state_, SimTK::Stage::Velocity);
    body_forces_ = gravity_->getBodyForces(state_);
    matter_.calcResidualForceIgnoringConstraints(state_, mobility_forces_, body_forces_, accelerations_,
                                                 residual_);
    std::copy_n(&residual_[0], n_, tau);
  }
  void mass_matrix(const double* q, double* M) override {
    std::copy_n(q, n_, &state_.updQ()[0]);
    system_.realize(state_, SimTK::Stage::Position);
    matter_.calcM(state_, M_);
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i) M[j * n_ + i] = M_(i, j);
  }

 private:
  void set_state(const double* q, const double* v) {
    std::copy_n(q, n_, &state_.updQ()[0]);
    std::copy_n(v, n_, &state_.updU()[0]);
  }

  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  std::unique_ptr<SimTK::Force::Gravity> gravity_;
  int n_;
  SimTK::State state_;
  SimTK::Vector mobility_forces_, accelerations_, residual_;
  SimTK::Vector_<SimTK::SpatialVec> body_forces_, bodies_;
  SimTK::Matrix M_;
};

}  // namespace

std::unique_ptr<Peer> make_simbody(const RigidChain& chain) { return std::make_unique<Simbody>(chain); }

}  // namespace limber::peers
