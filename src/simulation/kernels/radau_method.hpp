// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Radau IIA methods (Hairer & Wanner, Solving Ordinary Differential Equations II, IV.8), for second-order systems. With s
// stages the order is 2 s - 1: 5 for three, 9 for five, 13 for seven.
//
// Stages i = 1 .. s at t + c_i h, with displacement z_i from where the step begins and velocity v + w_i:
//
//   z = h A (z' of the stages),   w = h A (v' of the stages)                                             (1)
//
// The methods are stiffly accurate (c_s = 1: the last stage is the result) and L-stable: fast modes that nobody wants to
// see do not limit the step, and are damped away. With A^-1 = T Lambda T^-1, Lambda one real number and (s - 1)/2
// complex pairs, Newton's iteration for (1) splits into one real and (s - 1)/2 complex systems of newton_matrix.hpp:
//
//   (Lambda/h - J) d(T^-1 [z; w]) = T^-1 [z'; v'] - Lambda/h T^-1 [z; w]                                 (2)
//
// Without quaternions z' is v + w itself, and z = h A (v + w) is kept to throughout: the first half of the right side is
// then zero, and the second, times M, is what forces are missing (g) for the accelerations A^-1 w/h of the stages:
//
//   M (T^-1 v' - Lambda/h T^-1 w) = T^-1 M (v' - A^-1 w/h) = T^-1 g
//
// which the recursion gives without elimination, and for all stages side by side (stage_forces.hpp). A formulation that only knows accelerations gives g = M (v' - A^-1 w/h).
//
// J (the Tangent) is kept over many steps, and renewed when the iteration converges slowly. Error estimate, of order s:
// the difference to a formula with a stage more at the beginning, whose weight 1/gamma (gamma the real eigenvalue of
// A^-1) makes the matrix that of (2); e follows from the conditions of order s:
//
//   (gamma/h - J) err = [v; a] at the beginning + Sum_i e_i [z_i; w_i]/h                                (3)
//
// The estimate is of lower order than the method, so it is held to a tolerance of its own (RADAU5 does that too).
//
// What controllers remember is integrated by the same formula (stage_memory.hpp), for the stages' present z and w before forces are
// asked for. So its own residual is zero, and what z and w make of it stands in the matrices of (2) (memory_elimination.hpp).
//
// For the next step, stages are guessed by extrapolating the collocation polynomial.

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <utility>

#include "../newton_matrix.hpp"
#include "../one_step.hpp"
#include "../radau_coefficients.hpp"
#include "../stage_forces.hpp"
#include "../stage_memory.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/model/friction.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

/// At which tolerances were chosen: global errors of the shipped manoeuvres are about rtol there.
constexpr double usual_rtol = 1e-6;

/// The tolerance of the error estimate, which is of the order s: the more that is below the method's own, the more it overstates. So many times as
/// much is tolerated that all orders leave about the same errors of the shipped manoeuvres at the usual rtol. Its power would have to be
/// (s + 1)/(2 s - 1) for global errors to be in proportion to rtol; this is on the safe side where rtol is small.
template <int s>
double estimate_rtol(double rtol) {
  constexpr double at_usual = s == 7 ? 1e-4 : 1e-5, power = 0.9;
  return at_usual * std::pow(rtol / usual_rtol, power);
}

/// A method of one order, as the choice among orders (variable_radau.hpp) sees it.
class RadauOrder : public OneStepIntegrator {
 public:
  using OneStepIntegrator::OneStepIntegrator;
  virtual int stages() const = 0;

  /// Contraction of Newton's iteration from which on a new tangent is worth its while.
  static constexpr double slow_convergence = 0.03;

  /// How the last step went.
  struct Course {
    double contraction = 0.0;  ///< of Newton's iteration, from one change to the next; 0: one was enough
    double growth = 1.0;       ///< of the step
    bool failed = false;       ///< the iteration, with a tangent that was new
  };
  const Course& course() const { return course_; }

  /// Goes on where a method of another order has ended its last step.
  void go_on_from(const RadauOrder& other) {
    state_ = other.state_;
    end_ = other.end_;
    stop_ = other.stop_;
    longest_seen_ = other.longest_seen_;
    from_ = to_ = other.to_;
    displacement_.setZero();
    begin();
  }
  /// What somebody who goes on from the state needs to know.
  void set_auxiliary(double number) { state_.auxiliary.setConstant(1, number); }

 protected:
  Course course_;
};

template <int s>
class Radau : public RadauOrder {
  using Matrix = Eigen::Matrix<double, s, s>;
  using Stages = Eigen::Matrix<double, Eigen::Dynamic, s>;  ///< a column for each
  static constexpr int last = s - 1;

 public:
  Radau(System& system, const IntegratorDescription& description, std::optional<double> max_step,
        std::shared_ptr<StageForces> stage_forces)
      : RadauOrder(system),
        max_step_(max_step.value_or(std::numeric_limits<double>::infinity())),
        estimate_rtol_(estimate_rtol<s>(description.rtol)),
        newton_tolerance_(newton_share(description.rtol, system.has_prescribed()) * description.rtol /
                          estimate_rtol_),
        guess_weights_(Matrix::Zero()),
        memory_(system),
        stage_forces_(std::move(stage_forces)),
        has_friction_(limber::has_friction(system.model())),
        stage_q_(system.nq()) {
    const int n = system.nv();
    for (Stages* stages : {&z_, &w_, &z_rate_, &w_rate_, &missing_, &force_, &dz_, &dw_, &old_z_, &old_w_})
      stages->setZero(n, s);
    all_q_.setZero(system.nq(), s);
    all_v_.setZero(n, s);
    stage_v_ = stage_a_ = passive_ = VectorXd::Zero(n);
    rates_.setZero(system.integral_count(), s);
    error_q_ = error_v_ = VectorXd::Zero(n);
    no_memory_ = right_x_ = VectorXd::Zero(system.memory_size());
  }
  const char* name() const override {
    return s == 3   ? integrators::Radau::type
           : s == 5 ? integrators::Radau9::type
                    : integrators::Radau13::type;
  }
  int stages() const override { return s; }

  void step() override {
    end_ = std::min(end_, stop_);
    const double left = end_ - state_.t;
    const double wanted = std::min({state_.step, max_step_, longest_seen_});
    h_ = std::min(wanted, left);
    constexpr double tiny = 0.1;  // of a step
    if (left - h_ < tiny * h_)
      h_ = left;  // no tiny last step
    else if (left < 2.0 * h_)
      h_ = 0.5 * left;  // nor a short one
    cut_from_ = h_ < wanted ? wanted : 0.0;
    system_.note_sizes(to_.q, to_.v);
    int failures = 0;
    course_ = {};
    while (true) {
      if (failures > most_failures || h_ < shortest_step * std::max(1.0, std::abs(end_))) give_up();
      if (!tangent_is_current_ && wants_tangent_) renew_tangent();
      factor(h_);
      if (!solve_stages()) {
        ++failures;
        ++statistics_.rejected;
        cut_from_ = 0.0;
        has_guess_ = false;
        if (tangent_is_current_) {
          h_ *= 0.5;
          course_.failed = true;
        }
        wants_tangent_ = true;
        continue;
      }
      const double error = estimate_error(failures > 0 || is_first_);
      // Hairer and Wanner, IV.8 (8.21): the more iterations it took, the shorter.
      const double factor_by_error = safety * (2.0 * max_iterations + 1.0) /
                                     (2.0 * max_iterations + iterations_) *
                                     std::pow(std::max(error, no_error), -1.0 / (s + 1));
      if (!(error < 1.0)) {
        ++failures;
        ++statistics_.rejected;
        cut_from_ = 0.0;
        h_ *= std::isfinite(error) ? std::clamp(factor_by_error, much_shorter, shorter) : much_shorter;
        if (is_first_) h_ *= 0.5;
        continue;
      }
      finish(error, factor_by_error);
      return;
    }
  }

  // Velocities (and displacements, with quaternions) by the collocation polynomial of the last step; displacements
  // without quaternions, and integrals, by its integral.
  void interpolate(double t, VectorXd& y) override {
    if (to_.t == from_.t) return OneStepIntegrator::interpolate(t, y);
    const double x = (t - from_.t) / old_h_;
    const Weights value = weights_at(x), integral = integral_weights_at(x);
    if (system_.has_quaternions())
      stage_z_ = old_z_.lazyProduct(value.template tail<s>());
    else
      stage_z_ = old_h_ * (x * from_.v + old_w_.lazyProduct(integral.template tail<s>()));
    stage_v_ = from_.v + old_w_.lazyProduct(value.template tail<s>());
    displace(system_.model(), from_.q, stage_z_, stage_q_);
    system_.apply_prescribed(t, stage_q_, stage_v_);
    y.resize(system_.size());
    y.head(system_.nq()) = stage_q_;
    y.segment(system_.nq(), system_.nv()) = stage_v_;
    y.tail(system_.integral_count()) =
        from_.integrals +
        old_h_ * (integral[0] * from_.rates + rates_.lazyProduct(integral.template tail<s>()));
  }

 private:
  /// What the collocation polynomial takes of its value at the beginning of a step, and of those of the stages.
  using Weights = Eigen::Matrix<double, s + 1, 1>;

  static Weights weights_at(double x) {
    Weights powers;
    double power = 1.0;
    for (int k = 0; k <= s; ++k, power *= x) powers[k] = power;
    return radau<s>().between.transpose().lazyProduct(powers);
  }
  /// For its integral from 0 to x.
  static Weights integral_weights_at(double x) {
    Weights integrals;
    double power = x;
    for (int k = 0; k <= s; ++k, power *= x) integrals[k] = power / (k + 1);
    return radau<s>().between.transpose().lazyProduct(integrals);
  }

  // How much of rtol the iteration may leave over in a step: less at the highest order, where it would be more than what the method itself gets wrong. The more steps there are to add it up, the less. Efforts that
  // move prescribed joints are only known to what is left over of the equations, and so is their work.
  static double newton_share(double rtol, bool has_prescribed) {
    constexpr double of_motion = s == 7 ? 0.03 : 0.3, of_efforts = 0.01, power_of_steps = 0.25,
                     rounding = 1e-15;
    const double share = has_prescribed ? of_efforts : of_motion;
    return std::max(share * std::pow(std::min(1.0, rtol / usual_rtol), power_of_steps), rounding / rtol);
  }

  static constexpr int max_iterations = 8;
  static constexpr int most_failures = 30;  ///< of one step
  static constexpr double shortest_step =
      1e-14;                                 ///< of the time, or of a second: rounding of the time itself
  static constexpr double safe_error = 0.5;  ///< where steps aim at, in units of the tolerance
  static constexpr double safety = 0.9;      ///< less than what the error would allow
  static constexpr double no_error = 1e-10;  ///< in units of the tolerance: smaller ones say nothing
  static constexpr double much_shorter = 0.1, shorter = 0.9;      ///< after an error that was too large
  static constexpr double least_growth = 0.2, most_growth = 8.0;  ///< from step to step, as in RADAU5

  void begin() override {
    system_.use_rtol(estimate_rtol_);
    has_guess_ = false;
    is_first_ = true;
    tangent_is_current_ = false;
    wants_tangent_ = true;
    factored_step_ = 0.0;
    eta_ = 1.0;
    if (!(state_.step > 0.0)) state_.step = first_step();
  }

  // So that the acceleration changes v, or v changes the displacement, by a small part of their tolerated sizes.
  double first_step() {
    double rate = 0.0;
    for (int i = 0; i < system_.nv(); ++i)
      rate = std::max({rate, std::abs(to_.a[i]) / system_.v_tolerance(i),
                       std::abs(to_.v[i]) / system_.displacement_tolerance(i)});
    const double interval = end_ - state_.t;
    constexpr double tolerances = 100.0;                                 // that are passed in it
    constexpr double least = 1e-9, most = 1e-2, where_all_rests = 1e-3;  // of the interval
    return rate > 0.0 ? std::clamp(tolerances / rate, least * interval, most * interval)
                      : where_all_rests * interval;
  }

  [[noreturn]] void give_up() {
    throw ComputationError(
        "the step became too short: the motion is not smooth there, or diverges. Try a larger rtol, or look "
        "for a "
        "controller that jumps with the state");
  }

  void renew_tangent() {
    system_.tangent(to_.t, to_.q, to_.v, to_.integrals, to_.a, tangent_);
    system_.memory_slopes(to_.t, to_.q, to_.v, to_.integrals, slopes_);
    tangent_is_current_ = true;
    wants_tangent_ = false;
    factored_step_ = 0.0;
  }

  void factor(double h) {
    if (h == factored_step_) return;
    real_.factor(tangent_, slopes_, radau<s>().gamma / h);
    for (std::size_t k = 0; k < complex_.size(); ++k)
      complex_[k].factor(tangent_, slopes_, radau<s>().lambda[k] / h);
    memory_.factor(slopes_.dx, radau<s>().A, h);
    factored_step_ = h;
  }

  // Stages of the new step from the collocation polynomial of the last one, in units of the old step at 1 + c_i h/h_old,
  // less its value at 1.
  void guess() {
    if (!has_guess_) {
      z_.setZero();
      w_.setZero();
    } else {
      for (int i = 0; i < s; ++i) {
        guess_weights_.row(i) =
            weights_at(1.0 + radau<s>().c[i] * h_ / old_h_).template tail<s>().transpose();
        guess_weights_(i, last) -= 1.0;
      }
      multiply_stages<s>(old_w_, guess_weights_, w_);
      if (system_.has_quaternions()) multiply_stages<s>(old_z_, guess_weights_, z_);
    }
    if (!system_.has_quaternions()) displace_stages();
    memory_.guess(to_, radau<s>().c, h_);
  }

  // z = h A (v + w).
  void displace_stages() {
    multiply_stages<s>(w_, radau<s>().A, z_);
    for (int i = 0; i < s; ++i) z_.col(i) = h_ * (z_.col(i) + radau<s>().c[i] * to_.v);
  }

  // stage_q_ and stage_v_.
  void go_to_stage(int i) {
    stage_v_ = to_.v + w_.col(i);
    if (system_.has_quaternions()) {
      stage_z_ = z_.col(i);
      displace(system_.model(), to_.q, stage_z_, stage_q_);
    } else {
      stage_q_ = to_.q + z_.col(i);
    }
  }

  bool remember_stages() {
    return memory_.solve(to_, radau<s>().A, h_, newton_tolerance_,
                         [&](int i, const VectorXd& integrals, Eigen::Ref<VectorXd> rates) {
                           go_to_stage(i);
                           system_.memory_rates(to_.t + radau<s>().c[i] * h_, stage_q_, stage_v_, integrals,
                                                rates);
                         });
  }

  // Rates were those of z and w before their last change, which may have been the only one.
  bool follow_with_memory() {
    if (system_.memory_size() == 0) return true;
    if (!remember_stages()) return false;
    rates_.bottomRows(system_.memory_size()) = memory_.rates();
    return true;
  }

  // Rates of the stage (with quaternions), or its missing forces (without).
  void evaluate_stage(int i) {
    const double t = to_.t + radau<s>().c[i] * h_;
    go_to_stage(i);
    stage_integrals_ = memory_.integrals().col(i);
    if (system_.has_quaternions()) {
      system_.accelerate(t, stage_q_, stage_v_, stage_integrals_, stage_a_, stage_rates_);
      w_rate_.col(i) = stage_a_;
      displacement_rate(system_.model(), stage_z_, stage_v_, stage_a_);
      z_rate_.col(i) = stage_a_;
    } else {
      stage_a_ = collocated_.col(i);
      if (system_.missing_forces(t, stage_q_, stage_v_, stage_integrals_, stage_a_, stage_force_,
                                 stage_rates_)) {
        missing_.col(i) = stage_force_;
      } else {
        system_.accelerate(t, stage_q_, stage_v_, stage_integrals_, stage_a_, stage_rates_);
        missing_.col(i).noalias() = tangent_.M * (stage_a_ - collocated_.col(i));
      }
    }
    rates_.col(i) = stage_rates_;
    force_.col(i) = system_.actuator_forces();
  }

  // All of them. Without quaternions inertial forces are found last, side by side.
  void evaluate_stages(bool plain) {
    if (!plain || !stage_forces_->pays(s)) {
      for (int i = 0; i < s; ++i) evaluate_stage(i);
      return;
    }
    for (int i = 0; i < s; ++i) {
      go_to_stage(i);
      stage_integrals_ = memory_.integrals().col(i);
      stage_a_ = collocated_.col(i);
      const double t = to_.t + radau<s>().c[i] * h_;
      missing_.col(i) = system_.applied_forces(t, stage_q_, stage_v_, stage_integrals_, stage_a_).tau;
      elastic_and_damping_forces<double>(system_.model(), system_.workspace(), stage_q_, stage_v_, passive_);
      missing_.col(i) -= passive_;
      force_.col(i) = system_.actuator_forces();
      system_.integral_rates(stage_q_, stage_v_, passive_, stage_rates_);
      rates_.col(i) = stage_rates_;
      all_q_.col(i) = stage_q_;
      all_v_.col(i) = stage_v_;
    }
    stage_forces_->subtract(all_q_, all_v_, collocated_, missing_);
  }

  template <typename Vector>
  double norm(const Vector& z, const Vector& w) const {
    double sum = 0.0;
    for (int i = 0; i < system_.nv(); ++i) {
      const double a = z[i] / system_.displacement_tolerance(i), b = w[i] / system_.v_tolerance(i);
      sum += a * a + b * b;
    }
    return std::sqrt(sum / (2.0 * std::max(system_.nv(), 1)));
  }

  // Newton's iteration for (1). False where it does not converge.
  bool solve_stages() {
    const RadauCoefficients<s>& r = radau<s>();
    const bool plain = !system_.has_quaternions();
    guess();
    if (!plain) {
      multiply_stages<s>(z_, r.T_inverse, tz_);
      multiply_stages<s>(w_, r.T_inverse, tw_);
    }
    double before = 0.0;
    // What the last step knew of its contraction serves for the first iteration (IV.8.10 and its remark). But powers are those of the stages before the last
    // correction: friction's does not get small with the velocity, and a guess is not good enough for it.
    constexpr double trust = 0.8;
    double eta =
        has_friction_ ? 1.0 : std::pow(std::max(eta_, std::numeric_limits<double>::epsilon()), trust);
    for (iterations_ = 1; iterations_ <= max_iterations; ++iterations_) {
      multiply_stages<s>(w_, r.A_inverse, collocated_);
      collocated_ *= 1.0 / h_;
      ++statistics_.newton_iterations;
      try {
        if (!remember_stages()) return false;
        evaluate_stages(plain);
      } catch (
          const ComputationError&) {  // far away from any sensible state: a shorter step may not go there
        return false;
      }
      // (2)
      if (plain) {
        multiply_stages<s>(missing_, r.T_inverse, right_v_all_);
      } else {
        multiply_stages<s>(z_rate_, r.T_inverse, right_q_all_);
        multiply_stages<s>(w_rate_, r.T_inverse, right_v_all_);
      }
      solve_real(plain);
      for (int k = 0; k < r.pairs; ++k) solve_complex(k, plain);
      double change = 0.0;
      for (int i = 0; i < s; ++i) {
        const double part = norm(dz_.col(i), dw_.col(i));
        change += part * part;
      }
      change = std::sqrt(change / s);
      multiply_stages<s>(dw_, r.T, change_);
      w_ += change_;
      // Powers were those of the velocities before.
      rates_.row(0) += force_.cwiseProduct(change_).colwise().sum();
      if (plain) {
        displace_stages();
      } else {
        tz_ += dz_;
        tw_ += dw_;
        multiply_stages<s>(dz_, r.T, change_);
        z_ += change_;
      }
      if (!std::isfinite(change)) return false;
      if (iterations_ > 1) {
        contraction_ = iterations_ == 2 ? change / before : std::sqrt(contraction_ * change / before);
        constexpr double diverges = 0.99;
        if (contraction_ >= diverges) return false;
        eta = contraction_ / (1.0 - contraction_);
        const double expected =
            std::pow(contraction_, max_iterations - iterations_) / (1.0 - contraction_) * change;
        if (expected > newton_tolerance_ && iterations_ < max_iterations) {
          // will not get there in time, nor anywhere near
          constexpr double near = 10.0 * max_iterations;
          if (expected > near * newton_tolerance_) return false;
        }
      } else {
        contraction_ = 0.0;
      }
      before = std::max(change, std::numeric_limits<double>::min());
      if (eta * change <= newton_tolerance_) {
        eta_ = eta;
        // What changed by less than that need not be followed.
        return change <= newton_tolerance_ || follow_with_memory();
      }
    }
    return false;
  }

  void solve_real(bool plain) {
    right_v_ = right_v_all_.col(0);
    if (plain) {
      real_.solve_forces(right_v_, stage_z_, stage_v_);
    } else {
      const double gamma = radau<s>().gamma / h_;
      right_q_ = right_q_all_.col(0) - gamma * tz_.col(0);
      right_v_ -= gamma * tw_.col(0);
      real_.solve(right_q_, right_v_, no_memory_, stage_z_, stage_v_);
    }
    dz_.col(0) = stage_z_;
    dw_.col(0) = stage_v_;
  }

  void solve_complex(int k, bool plain) {
    const auto pair = static_cast<std::size_t>(k);
    const int re = 1 + 2 * k, im = re + 1;
    complex_v_.re = right_v_all_.col(re);
    complex_v_.im = right_v_all_.col(im);
    if (plain) {
      complex_[pair].solve_forces(complex_v_, complex_dz_, complex_dw_);
    } else {
      const double alpha = radau<s>().lambda[pair].real() / h_, beta = radau<s>().lambda[pair].imag() / h_;
      complex_q_.re = right_q_all_.col(re) - alpha * tz_.col(re) + beta * tz_.col(im);
      complex_q_.im = right_q_all_.col(im) - beta * tz_.col(re) - alpha * tz_.col(im);
      complex_v_.re += beta * tw_.col(im) - alpha * tw_.col(re);
      complex_v_.im -= beta * tw_.col(re) + alpha * tw_.col(im);
      complex_[pair].solve(complex_q_, complex_v_, complex_dz_, complex_dw_);
    }
    dz_.col(re) = complex_dz_.re;
    dz_.col(im) = complex_dz_.im;
    dw_.col(re) = complex_dw_.re;
    dw_.col(im) = complex_dw_.im;
  }

  // (3) in units of the tolerance. `filter` sends the estimate through the equations once more: fast modes and first
  // steps would otherwise be judged too harshly.
  double estimate_error(bool filter) {
    sum_q_.noalias() = z_.lazyProduct(radau<s>().e / h_);
    sum_v_.noalias() = w_.lazyProduct(radau<s>().e / h_);
    right_q_ = to_.v + sum_q_;
    right_v_ = to_.a + sum_v_;
    const int n = system_.memory_size();
    if (n > 0) {
      right_x_ = to_.rates.tail(n);
      right_x_.noalias() += memory_.integrals().bottomRows(n).lazyProduct(radau<s>().e / h_);
      right_x_ -= (radau<s>().e.sum() / h_) * to_.integrals.tail(n);
    }
    real_.solve(right_q_, right_v_, right_x_, error_q_, error_v_);
    double error = norm(error_q_, error_v_);
    if (error < 1.0 || !filter) return error;
    displace(system_.model(), to_.q, error_q_, stage_q_);
    stage_v_ = to_.v + error_v_;
    system_.accelerate(to_.t, stage_q_, stage_v_, to_.integrals, stage_a_, stage_rates_);
    right_q_ = stage_v_ + sum_q_;
    right_v_ = stage_a_ + sum_v_;
    if (n > 0) right_x_ += stage_rates_.tail(n) - to_.rates.tail(n);
    real_.solve(right_q_, right_v_, right_x_, error_q_, error_v_);
    return norm(error_q_, error_v_);
  }

  void finish(double error, double factor_by_error) {
    // Vibration makes the error of single steps swing: steps follow a filtered one (Soderlind's H211b), but for where
    // it is far off.
    constexpr double least_error = 1e-6, far_off = 2.0, b = 4.0;  // b of H211b
    const double bounded = std::max(error, least_error);
    double growth = factor_by_error;
    if (!is_first_ && growth < far_off)
      growth = std::pow(safe_error / bounded, 1.0 / (b * (s + 1))) *
               std::pow(safe_error / old_error_, 1.0 / (b * (s + 1))) * std::pow(h_ / old_h_, -1.0 / b);
    growth = std::clamp(growth, least_growth, most_growth);
    course_.contraction = contraction_;
    course_.growth = growth;
    old_error_ = bounded;
    old_h_ = h_;
    has_guess_ = true;
    is_first_ = false;
    stage_integrals_ = to_.integrals + h_ * rates_.lazyProduct(radau<s>().b);
    stage_rates_ = rates_.col(last);
    constexpr double last_digit = 1e-15, rounding = 1e-12;
    const bool is_last =
        state_.t + h_ >= end_ * (1.0 - last_digit) && end_ - state_.t <= h_ * (1.0 + rounding);
    const double t = is_last ? end_ : state_.t + h_;
    // The equations hold at the end of the step: the acceleration there is that of the collocation polynomial.
    end_a_ = w_.lazyProduct(radau<s>().A_inverse.row(last).transpose()) / h_;
    stage_z_ = z_.col(last);
    stage_v_ = to_.v + w_.col(last);
    accept(t, stage_z_, stage_v_, stage_integrals_, end_a_, stage_rates_);
    z_.swap(old_z_);
    w_.swap(old_w_);
    tangent_is_current_ = false;
    // Slow convergence: a new tangent. A step that would hardly change keeps its factors.
    constexpr double slight_change = 0.92, slight_growth = 1.15;
    wants_tangent_ = contraction_ > slow_convergence;
    if (!wants_tangent_ && growth >= slight_change && growth <= slight_growth) growth = 1.0;
    // What was cut short because something ends there goes on as it was meant to.
    state_.step = std::max(h_ * growth, cut_from_);
  }

  double max_step_;
  double estimate_rtol_;
  double newton_tolerance_;  ///< in units of the estimate's
  double cut_from_ = 0.0;    ///< the step that would have been taken, had there been room; 0: there was
  double h_ = 0.0, old_h_ = 0.0, old_error_ = 0.0, factored_step_ = 0.0;
  double contraction_ = 0.0, eta_ = 1.0;
  int iterations_ = 0;
  bool has_guess_ = false, is_first_ = true, tangent_is_current_ = false, wants_tangent_ = true;

  System::Tangent tangent_;
  System::MemorySlopes slopes_;
  NewtonMatrix real_;
  std::array<ComplexNewtonMatrix, RadauCoefficients<s>::pairs> complex_;
  Matrix guess_weights_;
  // t..: transformed by T^-1; old..: of the step before.
  Stages z_, w_, z_rate_, w_rate_, missing_, force_, collocated_, tz_, tw_, dz_, dw_, change_, old_z_, old_w_;
  Stages right_q_all_, right_v_all_;
  Stages rates_;  ///< of the integrals
  StageMemory<s> memory_;
  std::shared_ptr<StageForces> stage_forces_;  ///< of all orders
  Stages all_q_, all_v_;
  bool has_friction_;
  VectorXd end_a_, stage_q_, stage_z_, stage_v_, stage_a_, stage_force_, stage_integrals_, stage_rates_,
      passive_, right_q_, right_v_, right_x_, sum_q_, sum_v_;
  VectorXd no_memory_;  ///< zero
  VectorXd error_q_, error_v_;
  ComplexVector complex_q_, complex_v_, complex_dz_, complex_dw_;
};

}  // namespace
}  // namespace limber
