// SPDX-License-Identifier: BSD-3-Clause
// The generalized-alpha method (Chung & Hulbert 1993), in the form for rotations of Arnold & Bruls 2007.
//
// With a_n the acceleration that the equations of motion give, and b_n an auxiliary one,
//
//   (1 - alpha_m) b_1 + alpha_m b_0 = (1 - alpha_f) a_1 + alpha_f a_0                                    (1)
//   z = h v_0 + h^2 ((1/2 - beta) b_0 + beta b_1),   v_1 = v_0 + h ((1 - gamma) b_0 + gamma b_1)         (2)
//   alpha_m = (2 r - 1)/(r + 1),  alpha_f = r/(r + 1),  gamma = 1/2 + alpha_f - alpha_m,
//   beta = (gamma + 1/2)^2 / 4                                                                           (3)
//
// r is the spectral radius of infinitely fast modes: how much of them one step leaves. Order 2; stable for every
// step of a linear system. a_1 is found by Newton's iteration,
//
//   (M + gamma' C + beta' K) da = M (acceleration at (z, v_1) - a_1),
//   gamma' = h gamma (1 - alpha_f)/(1 - alpha_m),  beta' = h^2 beta (1 - alpha_f)/(1 - alpha_m)          (4)

#include <Eigen/LU>
#include <cmath>

#include "limber/core/computation_error.hpp"
#include "one_step.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

class GeneralizedAlpha : public OneStepIntegrator {
 public:
  GeneralizedAlpha(System& system, const integrators::GeneralizedAlpha& method)
      : OneStepIntegrator(system), longest_(method.step), q_(system.nq()) {
    constexpr double usual_radius =
        0.8;  // at infinite frequency: what is not resolved dies away in some twenty steps
    const double r = method.spectral_radius.value_or(usual_radius);
    alpha_m_ = (2.0 * r - 1.0) / (r + 1.0);
    alpha_f_ = r / (r + 1.0);
    gamma_ = 0.5 + alpha_f_ - alpha_m_;
    beta_ = 0.25 * (gamma_ + 0.5) * (gamma_ + 0.5);
  }
  const char* name() const override { return integrators::GeneralizedAlpha::type; }

  void step() override {
    const FixedStep next = fixed_step_from(state_.t, end_, longest_, longest_seen_, stop_);
    h_ = next.h;
    system_.note_sizes(to_.q, to_.v);
    begin_iteration();
    if (!solve()) {  // with a tangent from before
      renew_tangent();
      begin_iteration();
      if (!solve())
        throw ComputationError(
            "the equations of a step of generalized-alpha could not be solved. Take a shorter step");
    }
    accept(next.end, z_, v_, integrals_);
    state_.auxiliary.head(system_.nv()) = b_;
    state_.auxiliary.tail(system_.nv()) = to_.a;
    state_.step = h_;
  }

 private:
  void begin() override {
    // Where a has jumped, at the start or because inputs did, b begins as a. Elsewhere (a run that was interrupted, or that changed its mode
    // without a jump) it goes on with what it had.
    const int n = system_.nv();
    if (state_.auxiliary.size() != 2 * n || state_.auxiliary.tail(n) != to_.a) {
      state_.auxiliary.resize(2 * n);
      state_.auxiliary << to_.a, to_.a;
    }
    tangent_step_ = 0.0;
  }

  void renew_tangent() {
    system_.tangent(to_.t, to_.q, to_.v, to_.integrals, to_.a, tangent_);
    const double share = (1.0 - alpha_f_) / (1.0 - alpha_m_);
    lu_.compute(tangent_.M + (h_ * gamma_ * share) * tangent_.C + (h_ * h_ * beta_ * share) * tangent_.K);
    tangent_step_ = h_;
  }

  void begin_iteration() {
    a_ = to_.a;
    rates_ = to_.rates;
    integrate();
  }

  // Trapezoidal rule for the integrals: of order 2, like the method.
  void integrate() { integrals_ = to_.integrals + 0.5 * h_ * (to_.rates + rates_); }

  // Newton's iteration from a_; b_, z_ and v_ follow.
  bool solve() {
    constexpr double same_step = 1e-3;  // but for so little, a tangent serves
    if (std::abs(tangent_step_ - h_) > same_step * h_) renew_tangent();
    constexpr int most_iterations = 12;
    constexpr double accuracy = 1e-3;  // of the tolerances
    constexpr double slowest = 0.9;    // contraction of an iteration that will come to an end
    double last = std::numeric_limits<double>::infinity();
    b0_ = state_.auxiliary.head(system_.nv());
    for (int i = 0; i < most_iterations; ++i) {
      b_ = ((1.0 - alpha_f_) * a_ + alpha_f_ * to_.a - alpha_m_ * b0_) / (1.0 - alpha_m_);
      z_ = h_ * to_.v + (h_ * h_) * ((0.5 - beta_) * b0_ + beta_ * b_);
      v_ = to_.v + h_ * ((1.0 - gamma_) * b0_ + gamma_ * b_);
      displace(system_.model(), to_.q, z_, q_);
      stage_v_ = v_;
      if (system_.memory_size() > 0) {
        system_.memory_rates(to_.t + h_, q_, stage_v_, integrals_, rates_.tail(system_.memory_size()));
        integrate();
      }
      system_.accelerate(to_.t + h_, q_, stage_v_, integrals_, difference_, rates_);
      integrate();
      ++statistics_.newton_iterations;
      difference_ -= a_;
      right_.noalias() = tangent_.M * difference_;
      change_ = lu_.solve(right_);
      a_ += change_;
      double size = 0.0;
      for (int k = 0; k < system_.nv(); ++k)
        size = std::max(size, std::abs(h_ * gamma_ * change_[k]) / system_.v_tolerance(k));
      if (!std::isfinite(size)) return false;
      if (size < accuracy) return true;
      if (i > 1 && size > slowest * last) return false;
      last = size;
    }
    return false;
  }

  double longest_, alpha_m_, alpha_f_, gamma_, beta_;
  double h_ = 0.0, tangent_step_ = 0.0;
  System::Tangent tangent_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  VectorXd a_, b_, b0_, z_, v_, stage_v_, q_, difference_, right_, change_, integrals_, rates_;
};

}  // namespace

std::unique_ptr<Integrator> integrators::GeneralizedAlpha::make(System& system,
                                                                const IntegratorDescription&) const {
  return std::make_unique<limber::GeneralizedAlpha>(system, *this);
}

}  // namespace limber
