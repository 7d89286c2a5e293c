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
//
// What controllers remember follows the trapezoidal rule, x_1 = x_0 + h/2 (x'_0 + x'_1), and is eliminated from Newton's systems with lambda = 2/h,
// dq = beta' da, dv = gamma' da and r = lambda (x_0 - x_1) + x'_0 + x'_1 (memory_elimination.hpp).

#include <cmath>

#include "asking.hpp"
#include "limber/core/computation_error.hpp"
#include "memory_elimination.hpp"
#include "step_methods.hpp"

#include "limber/math/detail/decompositions.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

class GeneralizedAlpha : public AskingIntegrator {
 public:
  GeneralizedAlpha(System& system, const integrators::GeneralizedAlpha& method)
      : AskingIntegrator(system), longest_(method.step), q_(system.nq()) {
    const GeneralizedAlphaNumbers numbers = generalized_alpha_numbers(method);
    alpha_m_ = numbers.alpha_m;
    alpha_f_ = numbers.alpha_f;
    gamma_ = numbers.gamma;
    beta_ = numbers.beta;
  }
  const char* name() const override { return integrators::GeneralizedAlpha::type; }

  void begin_step() override {
    next_ = fixed_step_from(state_.t, end_, longest_, longest_seen_, stop_);
    h_ = next_.h;
    system_.note_sizes(to_.q, to_.v);
    is_at_the_end_ = is_second_try_ = false;
    begin_iteration();
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
    system_.memory_slopes(to_.t, to_.q, to_.v, to_.integrals, slopes_);
    const double share = (1.0 - alpha_f_) / (1.0 - alpha_m_);
    const double gamma = h_ * gamma_ * share, beta = h_ * h_ * beta_ * share;
    matrix_ = tangent_.M + gamma * tangent_.C + beta * tangent_.K;
    memory_.factor(slopes_, 2.0 / h_, beta, gamma);
    if (!memory_.is_empty()) matrix_ -= memory_.force_by_motion();
    lu_.compute(matrix_);
    tangent_step_ = h_;
  }

  // Newton's iteration from a_ and x of integrals_; b_, z_ and v_ follow.
  void begin_iteration() {
    a_ = to_.a;
    integrals_ = to_.integrals + h_ * to_.rates;
    constexpr double same_step = 1e-3;  // but for so little, a tangent serves
    if (std::abs(tangent_step_ - h_) > same_step * h_) renew_tangent();
    iteration_ = 0;
    last_ = std::numeric_limits<double>::infinity();
    b0_ = state_.auxiliary.head(system_.nv());
    ask_again();
  }

  // At a_: (1) and (2).
  void ask_again() {
    b_ = ((1.0 - alpha_f_) * a_ + alpha_f_ * to_.a - alpha_m_ * b0_) / (1.0 - alpha_m_);
    z_ = h_ * to_.v + (h_ * h_) * ((0.5 - beta_) * b0_ + beta_ * b_);
    v_ = to_.v + h_ * ((1.0 - gamma_) * b0_ + gamma_ * b_);
    displace(system_.model(), to_.q, z_, q_);
    stage_v_ = v_;
    difference_.resize(system_.nv());
    ask(to_.t + h_, q_, stage_v_, integrals_, difference_, rates_);
  }

  void go_on() override {
    if (is_at_the_end_) {
      become_the_end();
      state_.auxiliary.head(system_.nv()) = b_;
      state_.auxiliary.tail(system_.nv()) = to_.a;
      state_.step = h_;
      return;
    }
    switch (correct()) {
      case Verdict::converged:
        is_at_the_end_ = true;
        end_at(next_.end, z_, v_, integrals_);
        return ask_there();
      case Verdict::goes_on:
        return ask_again();
      case Verdict::failed:
        break;
    }
    if (is_second_try_)
      throw ComputationError(
          "the equations of a step of generalized-alpha could not be solved. Take a shorter step");
    is_second_try_ = true;  // the tangent was one from before
    renew_tangent();
    begin_iteration();
  }

  // What is missing of x_1, and the forces that it makes.
  void begin_memory() {
    const int n = system_.memory_size();
    missing_ = (2.0 / h_) * (to_.integrals.tail(n) - integrals_.tail(n)) + to_.rates.tail(n) + rates_.tail(n);
    memory_.begin(missing_, memory_forces_);
    right_ += memory_forces_;
  }
  // dx, in units of the tolerances.
  double finish_memory() {
    const int n = system_.memory_size();
    memory_.finish(change_, missing_);
    integrals_.tail(n) += missing_;
    double size = 0.0;
    for (int k = 0; k < n; ++k)
      size = std::max(size, std::abs(missing_[k]) / system_.memory_tolerance(integrals_[ledger_size + k]));
    return size;
  }

  // (4), from the acceleration that was asked for.
  enum class Verdict { goes_on, converged, failed };
  Verdict correct() {
    constexpr int most_iterations = 12;
    constexpr double accuracy = 1e-3;  // of the tolerances
    constexpr double slowest = 0.9;    // contraction of an iteration that will come to an end
    integrals_.head<ledger_size>() = to_.integrals.head<ledger_size>() +
                                     0.5 * h_ * (to_.rates.head<ledger_size>() + rates_.head<ledger_size>());
    ++statistics_.newton_iterations;
    difference_ -= a_;
    right_.noalias() = tangent_.M * difference_;
    if (!memory_.is_empty()) begin_memory();
    change_ = lu_.solve(right_);
    a_ += change_;
    double size = memory_.is_empty() ? 0.0 : finish_memory();
    for (int k = 0; k < system_.nv(); ++k)
      size = std::max(size, std::abs(h_ * gamma_ * change_[k]) / system_.v_tolerance(k));
    if (!std::isfinite(size)) return Verdict::failed;
    if (size < accuracy) return Verdict::converged;
    if (iteration_ > 1 && size > slowest * last_) return Verdict::failed;
    last_ = size;
    return ++iteration_ < most_iterations ? Verdict::goes_on : Verdict::failed;
  }

  double longest_, alpha_m_, alpha_f_, gamma_, beta_;
  FixedStep next_{};
  double h_ = 0.0, tangent_step_ = 0.0, last_ = 0.0;
  int iteration_ = 0;
  bool is_at_the_end_ = false, is_second_try_ = false;
  System::Tangent tangent_;
  System::MemorySlopes slopes_;
  MemoryElimination<double> memory_;
  Eigen::MatrixXd matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  VectorXd missing_, memory_forces_;  ///< of what controllers remember
  VectorXd a_, b_, b0_, z_, v_, stage_v_, q_, difference_, right_, change_, integrals_, rates_;
};

}  // namespace

GeneralizedAlphaNumbers generalized_alpha_numbers(const integrators::GeneralizedAlpha& method) {
  constexpr double usual_radius =
      0.8;  // at infinite frequency: what is not resolved dies away in some twenty steps
  const double r = method.spectral_radius.value_or(usual_radius);
  GeneralizedAlphaNumbers numbers{};
  numbers.alpha_m = (2.0 * r - 1.0) / (r + 1.0);
  numbers.alpha_f = r / (r + 1.0);
  numbers.gamma = 0.5 + numbers.alpha_f - numbers.alpha_m;
  numbers.beta = 0.25 * (numbers.gamma + 0.5) * (numbers.gamma + 0.5);
  return numbers;
}

std::unique_ptr<Integrator> integrators::GeneralizedAlpha::make(System& system,
                                                                const IntegratorDescription&) const {
  return std::make_unique<limber::GeneralizedAlpha>(system, *this);
}

}  // namespace limber
