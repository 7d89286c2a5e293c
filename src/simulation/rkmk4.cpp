// SPDX-License-Identifier: BSD-3-Clause
// The classical Runge-Kutta method on SE(3) (Munthe-Kaas): every link has a pose and a twist of its own, and the joints
// are constraints on the accelerations (free_bodies.hpp, docs/dae.md). A step works in displacements from where it began,
// so that a rotation stays one; what it gets wrong shows as joints that come apart, by the fifth power of the step.
//
// Against that: projection after every step, onto the positions and velocities that the joints allow; or Baumgarte's
// terms, which ask constrained directions for the acceleration -2 rate slip - rate^2 gap; or nothing.

#include "limber/algorithms/free_bodies.hpp"
#include "limber/core/input_error.hpp"
#include "one_step.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

class Rkmk4 : public Integrator {
 public:
  Rkmk4(System& system, const integrators::Rkmk4& method)
      : system_(system),
        correction_(method.constraints),
        longest_(method.step),
        bodies_(system.model()),
        a_(VectorXd::Zero(system.nv())),
        efforts_(VectorXd::Zero(system.nv())),
        Q_(bodies_.apart().nq()),
        z_(bodies_.apart().nv()),
        V_(bodies_.apart().nv()) {
    for (Rates& k : k_) k.z = k.v = VectorXd(bodies_.apart().nv());
  }
  const char* name() const override { return integrators::Rkmk4::type; }

  void start(const IntegratorState& state, double end) override {
    state_ = state;
    bodies_.arm().prescribe(system_.held_links());
    limit_steps(end, std::numeric_limits<double>::infinity(), end);
    to_.t = state.t;
    to_.q = state.y.head(system_.nq());
    to_.v = state.y.segment(system_.nq(), system_.nv());
    to_.integrals = state.y.tail(system_.integral_count());
    const Model& apart = bodies_.apart();
    if (state.auxiliary.size() == apart.nq() + apart.nv()) {  // poses that are there already
      to_.Q = state.auxiliary.head(apart.nq());
      to_.V = state.auxiliary.tail(apart.nv());
    } else {
      system_.apply_prescribed(to_.t, to_.q, to_.v);
      bodies_.from_joints(to_.q, to_.v, to_.Q, to_.V);
    }
    evaluate_end();
    from_ = to_;
    displacement_ = VectorXd::Zero(apart.nv());
  }

  using Integrator::limit_steps;
  void limit_steps(double end, double longest, double stop) override {
    end_ = end;
    longest_seen_ = longest;
    stop_ = stop;
  }

  void step() override {
    const auto [h, end] = fixed_step_from(state_.t, end_, longest_, longest_seen_, stop_);
    step_length_ = h;
    from_ = to_;
    k_[0].z = to_.V;
    k_[0].v = to_.V_rate;
    k_[0].integrals = to_.rates;
    evaluate_at(0.5 * h, k_[0], k_[1]);
    evaluate_at(0.5 * h, k_[1], k_[2]);
    evaluate_at(h, k_[2], k_[3]);
    displacement_ = h / 6.0 * (k_[0].z + 2.0 * k_[1].z + 2.0 * k_[2].z + k_[3].z);
    to_.V = from_.V + h / 6.0 * (k_[0].v + 2.0 * k_[1].v + 2.0 * k_[2].v + k_[3].v);
    to_.integrals =
        from_.integrals +
        h / 6.0 * (k_[0].integrals + 2.0 * k_[1].integrals + 2.0 * k_[2].integrals + k_[3].integrals);
    displace(bodies_.apart(), from_.Q, displacement_, to_.Q);
    to_.t = end;
    if (correction_ == ConstraintCorrection::projection) project();
    evaluate_end();
    ++statistics_.steps;
  }

  const IntegratorState& state() const override { return state_; }
  IntegratorStatistics statistics() const override { return statistics_; }

  // Between the ends every link moves on its own; joint coordinates are measured there.
  void interpolate(double t, VectorXd& y) override {
    const double h = to_.t - from_.t, s = h > 0.0 ? (t - from_.t) / h : 1.0;
    if (h <= 0.0 || s >= 1.0) {
      y = state_.y;
      return;
    }
    displacement_rate(bodies_.apart(), displacement_, to_.V, z_);
    for (int i = 0; i < bodies_.apart().nv(); ++i) {
      V_[i] = cubic_hermite(h, s, from_.V[i], from_.V_rate[i], to_.V[i], to_.V_rate[i]);
      z_[i] = cubic_hermite(h, s, 0.0, from_.V[i], displacement_[i], z_[i]);
    }
    displace(bodies_.apart(), from_.Q, z_, Q_);
    q_ = to_.q;
    v_ = to_.v;
    bodies_.measure(Q_, V_, q_, v_);
    system_.apply_prescribed(t, q_, v_);
    y.resize(system_.size());
    y.head(system_.nq()) = q_;
    y.segment(system_.nq(), system_.nv()) = v_;
    for (int i = 0; i < system_.integral_count(); ++i)
      y[system_.nq() + system_.nv() + i] =
          cubic_hermite(h, s, from_.integrals[i], from_.rates[i], to_.integrals[i], to_.rates[i]);
  }

 private:
  struct Rates {
    VectorXd z, v, integrals;
  };
  struct End {
    double t = 0.0;
    VectorXd Q, V, V_rate;  ///< of the bodies
    VectorXd q, v;          ///< of the joints, measured
    VectorXd integrals, rates;
  };

  // q, v: measured here; q says near which angles.
  void evaluate(double t, const VectorXd& Q, const VectorXd& V, const VectorXd& integrals, VectorXd& q,
                VectorXd& v, VectorXd& V_rate, VectorXd& rates) {
    LinkByLink& arm = bodies_.arm();
    bodies_.measure(Q, V, q, v);
    const System::AppliedForces applied = system_.applied_forces(t, q, v, integrals, a_);
    arm.assemble(q, v, applied.tau, a_, applied.loads);
    bodies_.find_gaps(q, v);
    if (correction_ == ConstraintCorrection::baumgarte) add_baumgarte();
    arm.solve();
    bodies_.rates(V_rate);
    if (!system_.held_links().empty()) arm.prescribed_efforts(applied.tau, a_, efforts_);
    system_.integral_rates(q, v, efforts_, rates);
  }

  void evaluate_at(double dt, const Rates& slope, Rates& rates) {
    z_ = dt * slope.z;
    V_ = from_.V + dt * slope.v;
    displace(bodies_.apart(), from_.Q, z_, Q_);
    q_ = from_.q;
    v_ = from_.v;
    integrals_ = from_.integrals + dt * slope.integrals;
    evaluate(from_.t + dt, Q_, V_, integrals_, q_, v_, rates.v, rates.integrals);
    displacement_rate(bodies_.apart(), z_, V_, rates.z);
  }

  // The new end, and what is seen of it.
  void evaluate_end() {
    evaluate(to_.t, to_.Q, to_.V, to_.integrals, to_.q, to_.v, to_.V_rate, to_.rates);
    const FreeBodies::ConstraintViolation violation = bodies_.largest_violation();
    statistics_.largest_gap = std::max(statistics_.largest_gap, violation.position);
    statistics_.largest_turn = std::max(statistics_.largest_turn, violation.rotation);
    state_.t = to_.t;
    state_.y.head(system_.nq()) = to_.q;
    state_.y.segment(system_.nq(), system_.nv()) = to_.v;
    state_.y.tail(system_.integral_count()) = to_.integrals;
    state_.auxiliary.resize(to_.Q.size() + to_.V.size());
    state_.auxiliary << to_.Q, to_.V;
  }

  // A tenth of what the step could just follow: the terms must be slow beside it, and fast beside the drift.
  void add_baumgarte() {
    constexpr double tenth = 0.1;
    const double rate = tenth / (step_length_ > 0.0 ? step_length_ : longest_);
    for (int i = 0; i < bodies_.arm().system().link_count(); ++i)
      bodies_.arm().add_to_constraints(i, bodies_.slip(i) * (-2.0 * rate) - bodies_.gap(i) * (rate * rate));
  }

  // What a step of the fourth order gets wrong is so small that one matrix serves for two corrections of the poses, and
  // for the twists.
  void project() {
    q_ = from_.q;
    v_ = from_.v;
    const auto look = [&] {
      bodies_.measure(to_.Q, to_.V, q_, v_);
      system_.apply_prescribed(to_.t, q_, v_);
      bodies_.find_gaps(q_, v_);
    };
    look();
    bodies_.arm().assemble(q_, v_, efforts_, a_, {});
    for (int pass = 0; pass < 2; ++pass) {
      bodies_.project_poses(to_.Q);
      look();
    }
    bodies_.project_twists(to_.V);
  }

  System& system_;
  ConstraintCorrection correction_;
  double longest_, step_length_ = 0.0;
  FreeBodies bodies_;
  End from_, to_;
  IntegratorState state_;
  IntegratorStatistics statistics_;
  double end_ = 0.0, longest_seen_ = 0.0, stop_ = 0.0;
  Rates k_[4];                              // NOLINT
  VectorXd displacement_;                   ///< of the last step
  VectorXd a_, efforts_;                    ///< of joints
  VectorXd Q_, z_, V_, q_, v_, integrals_;  ///< scratch
};

}  // namespace

std::unique_ptr<Integrator> integrators::Rkmk4::make(System& system, const IntegratorDescription&) const {
  // The state of this method is that of the links, in which a motor behind an elastic gear has no place.
  for (const Link& link : system.model().links())
    if (link.joint.has_motor())
      throw InputError(Problem{"integrator.method", "another method than rkmk4 for an arm with elastic gears",
                               "`" + link.joint.name + "`, whose drive has a `stiffness`",
                               "auto takes one that knows motors"});
  return std::make_unique<limber::Rkmk4>(system, *this);
}

}  // namespace limber
