// Radau IIA of order 5 (Hairer & Wanner, Solving Ordinary Differential Equations II, IV.8), for second-order systems.
//
// Stages i = 1, 2, 3 at t + c_i h, with displacement z_i from where the step begins and velocity v + w_i:
//
//   z = h A (z' of the stages),   w = h A (v' of the stages)                                             (1)
//
// The method is stiffly accurate (c_3 = 1: the third stage is the result) and L-stable: fast modes that nobody
// wants to see do not limit the step, and are damped away. With A^-1 = T Lambda T^-1, Lambda one real number and one
// complex pair, Newton's iteration for (1) splits into one real and one complex system of newton_matrix.hpp:
//
//   (Lambda/h - J) d(T^-1 [z; w]) = T^-1 [z'; v'] - Lambda/h T^-1 [z; w]                                 (2)
//
// Without quaternions z' is v + w itself, and z = h A (v + w) is kept to throughout: the first half of the right side is
// then zero, and the second, times M, is what forces are missing (g) for the accelerations A^-1 w/h of the stages:
//
//   M (T^-1 v' - Lambda/h T^-1 w) = T^-1 M (v' - A^-1 w/h) = T^-1 g
//
// which the recursion gives without elimination. A formulation that only knows accelerations gives g = M (v' - A^-1 w/h).
//
// J (the Tangent) is kept over many steps, and renewed when the iteration converges slowly. Error estimate, of
// order 3, with gamma the real eigenvalue of A^-1 and e = (-13 - 7 sqrt 6, -13 + 7 sqrt 6, -1)/3:
//
//   (gamma/h - J) err = [v; a] at the beginning + Sum_i e_i [z_i; w_i]/h                                (3)
//
// The estimate is of lower order than the method, so it is held to a tolerance of its own, 2.5 rtol^0.9 (0.8 would make
// global errors proportional to rtol; RADAU5 has 2/3).
//
// For the next step, stages are guessed by extrapolating the collocation polynomial.

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>

#include "limber/core/computation_error.hpp"
#include "newton_matrix.hpp"
#include "one_step.hpp"

namespace limber {
namespace {

using Complex = std::complex<double>;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct RadauCoefficients {
  Vector3d c;
  Matrix3d A;
  Vector3d b;          ///< the last row of A: weights of the quadrature
  Matrix3d A_inverse;  ///< h times the rates at the stages, from what the stages add
  double gamma;
  Complex lambda;
  Matrix3d T, T_inverse;
  Vector3d e;

  RadauCoefficients() {
    const double r = std::sqrt(6.0);
    c << (4.0 - r) / 10.0, (4.0 + r) / 10.0, 1.0;
    // a_ij = Int_0^c_i of the Lagrange polynomial j: exact for powers 0, 1, 2.
    Matrix3d powers, integrals;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        powers(i, k) = std::pow(c[i], k);
        integrals(i, k) = std::pow(c[i], k + 1) / (k + 1);
      }
    A = integrals * powers.inverse();
    b = A.row(2);
    A_inverse = A.inverse();
    const Eigen::EigenSolver<Matrix3d> eigen(A.inverse());
    for (int k = 0; k < 3; ++k) {
      const Complex value = eigen.eigenvalues()[k];
      const Eigen::Vector3cd vector = eigen.eigenvectors().col(k);
      if (std::abs(value.imag()) < 1e-8) {
        gamma = value.real();
        T.col(0) = vector.real();
      } else if (value.imag() > 0.0) {
        lambda = value;
        T.col(1) = vector.real();
        T.col(2) = -vector.imag();
      }
    }
    T_inverse = T.inverse();
    e << (-13.0 - 7.0 * r) / 3.0, (-13.0 + 7.0 * r) / 3.0, -1.0 / 3.0;
  }
};

const RadauCoefficients& radau() {
  static const RadauCoefficients coefficients;
  return coefficients;
}

class Radau : public OneStepIntegrator {
 public:
  Radau(System& system, const IntegratorDescription& description)
      : OneStepIntegrator(system),
        max_step_(description.max_step.value_or(std::numeric_limits<double>::infinity())),
        estimate_rtol_(2.5 * std::pow(description.rtol, 0.9)),
        newton_tolerance_(newton_share(description.rtol, system.has_prescribed()) * description.rtol /
                          estimate_rtol_),
        guess_coefficients_(Matrix3d::Zero()),
        stage_q_(system.nq()) {
    system.use_rtol(estimate_rtol_);
    const int n = system.nv();
    for (int i = 0; i < 3; ++i) {
      z_[i] = w_[i] = z_rate_[i] = w_rate_[i] = VectorXd::Zero(n);
      old_z_[i] = old_w_[i] = VectorXd::Zero(n);
    }
    stage_v_ = stage_a_ = VectorXd::Zero(n);
    error_q_ = error_v_ = VectorXd::Zero(n);
  }
  const char* name() const override { return "radau"; }

  void step() override {
    const double left = end_ - state_.t;
    h_ = std::min({state_.step, max_step_, left});
    if (left - h_ < 0.1 * h_)
      h_ = left;  // no tiny last step
    else if (left < 2.0 * h_)
      h_ = 0.5 * left;  // nor a short one
    system_.note_sizes(to_.q, to_.v);
    int failures = 0;
    while (true) {
      if (failures > 30 || h_ < 1e-14 * std::max(1.0, std::abs(end_))) give_up();
      if (!tangent_is_current_ && wants_tangent_) renew_tangent();
      factor(h_);
      if (!solve_stages()) {
        ++failures;
        ++statistics_.rejected;
        has_guess_ = false;
        if (tangent_is_current_) h_ *= 0.5;
        wants_tangent_ = true;
        continue;
      }
      const double error = estimate_error(failures > 0 || is_first_);
      const double factor_by_error = 0.9 * (2.0 * max_iterations + 1.0) /
                                     (2.0 * max_iterations + iterations_) *
                                     std::pow(std::max(error, 1e-10), -0.25);
      if (!(error < 1.0)) {
        ++failures;
        ++statistics_.rejected;
        h_ *= std::isfinite(error) ? std::clamp(factor_by_error, 0.1, 0.9) : 0.1;
        if (is_first_) h_ *= 0.5;
        continue;
      }
      finish(error, factor_by_error);
      return;
    }
  }

 private:
  // How much of rtol the iteration may leave over in a step. The more steps there are to add it up, the less. Efforts that
  // move prescribed joints are only known to what is left over of the equations, and so is their work.
  static double newton_share(double rtol, bool has_prescribed) {
    const double share = has_prescribed ? 0.01 : 0.3;
    return std::max(share * std::pow(std::min(1.0, rtol / 1e-6), 0.25), 1e-15 / rtol);
  }

  static constexpr int max_iterations = 8;
  static constexpr double safe_error = 0.5;  ///< where steps aim at, in units of the tolerance

  void begin() override {
    has_guess_ = false;
    is_first_ = true;
    tangent_is_current_ = false;
    wants_tangent_ = true;
    factored_step_ = 0.0;
    if (!(state_.step > 0.0)) state_.step = first_step();
  }

  // So that the acceleration changes v, or v changes the displacement, by a small part of their tolerated sizes.
  double first_step() {
    double rate = 0.0;
    for (int i = 0; i < system_.nv(); ++i)
      rate = std::max({rate, std::abs(to_.a[i]) / system_.v_tolerance(i),
                       std::abs(to_.v[i]) / system_.displacement_tolerance(i)});
    const double interval = end_ - state_.t;
    return rate > 0.0 ? std::clamp(100.0 / rate, 1e-9 * interval, 1e-2 * interval) : 1e-3 * interval;
  }

  [[noreturn]] void give_up() {
    throw ComputationError(
        "the step of radau became too short: the motion is not smooth there, or diverges. Try a larger rtol, "
        "or "
        "look for a controller that jumps with the state");
  }

  void renew_tangent() {
    system_.tangent(to_.t, to_.q, to_.v, to_.a, tangent_);
    tangent_is_current_ = true;
    wants_tangent_ = false;
    factored_step_ = 0.0;
  }

  void factor(double h) {
    if (h == factored_step_) return;
    real_.factor(tangent_, radau().gamma / h);
    complex_.factor(tangent_, radau().lambda / h);
    factored_step_ = h;
  }

  // Stages of the new step from the collocation polynomial of the last one.
  void guess() {
    if (!has_guess_) {
      for (int i = 0; i < 3; ++i) {
        z_[i].setZero();
        w_[i].setZero();
      }
      return;
    }
    // Lagrange through (0, 0), (c_i, old_i) in units of the old step, at 1 + c_i h/h_old, less its value at 1.
    const Vector3d c = radau().c;
    const double ratio = h_ / old_h_;
    for (int i = 0; i < 3; ++i) {
      const double s = 1.0 + c[i] * ratio;
      for (int j = 0; j < 3; ++j) {
        double l = s / c[j];
        for (int k = 0; k < 3; ++k)
          if (k != j) l *= (s - c[k]) / (c[j] - c[k]);
        guess_coefficients_(i, j) = l - (j == 2 ? 1.0 : 0.0);
      }
    }
    for (int i = 0; i < 3; ++i) {
      z_[i] = guess_coefficients_(i, 0) * old_z_[0] + guess_coefficients_(i, 1) * old_z_[1] +
              guess_coefficients_(i, 2) * old_z_[2];
      w_[i] = guess_coefficients_(i, 0) * old_w_[0] + guess_coefficients_(i, 1) * old_w_[1] +
              guess_coefficients_(i, 2) * old_w_[2];
    }
  }

  // z = h A (v + w).
  void displace_stages() {
    const Matrix3d& A = radau().A;
    for (int i = 0; i < 3; ++i)
      z_[i] = (h_ * radau().c[i]) * to_.v + h_ * (A(i, 0) * w_[0] + A(i, 1) * w_[1] + A(i, 2) * w_[2]);
  }

  VectorXd collocated_acceleration(int i) const {
    const Matrix3d& B = radau().A_inverse;
    return (B(i, 0) * w_[0] + B(i, 1) * w_[1] + B(i, 2) * w_[2]) / h_;
  }

  // Rates of the stage (with quaternions), or its missing forces (without).
  void evaluate_stage(int i) {
    const double t = to_.t + radau().c[i] * h_;
    Powers powers;
    stage_v_ = to_.v + w_[i];
    if (system_.has_quaternions()) {
      displace(system_.model(), to_.q, z_[i], stage_q_);
      system_.accelerate(t, stage_q_, stage_v_, w_rate_[i], powers);
      displacement_rate(system_.model(), z_[i], stage_v_, z_rate_[i]);
    } else {
      stage_q_ = to_.q + z_[i];
      stage_a_ = collocated_acceleration(i);
      if (!system_.missing_forces(t, stage_q_, stage_v_, stage_a_, missing_[i], powers)) {
        system_.accelerate(t, stage_q_, stage_v_, w_rate_[i], powers);
        missing_[i].noalias() = tangent_.M * (w_rate_[i] - stage_a_);
      }
    }
    stage_power_[i] << powers.actuators, powers.loads, powers.dissipated;
    stage_force_[i] = system_.actuator_forces();
  }

  double norm(const VectorXd& z, const VectorXd& w) const {
    double sum = 0.0;
    for (int i = 0; i < system_.nv(); ++i) {
      const double a = z[i] / system_.displacement_tolerance(i), b = w[i] / system_.v_tolerance(i);
      sum += a * a + b * b;
    }
    return std::sqrt(sum / (2.0 * system_.nv()));
  }

  // Newton's iteration for (1). False where it does not converge.
  bool solve_stages() {
    const RadauCoefficients& r = radau();
    const Matrix3d& T = r.T;
    const Matrix3d& S = r.T_inverse;
    const bool plain = !system_.has_quaternions();
    guess();
    if (plain) displace_stages();
    for (int i = 0; i < 3; ++i) {
      tz_[i] = S(i, 0) * z_[0] + S(i, 1) * z_[1] + S(i, 2) * z_[2];
      tw_[i] = S(i, 0) * w_[0] + S(i, 1) * w_[1] + S(i, 2) * w_[2];
    }
    double last = 0.0;
    double eta = std::pow(std::max(eta_, 1e-16), 0.8);
    for (iterations_ = 1; iterations_ <= max_iterations; ++iterations_) {
      for (int i = 0; i < 3; ++i) evaluate_stage(i);
      ++statistics_.newton_iterations;
      // (2)
      const auto combined = [&](int k, const VectorXd(&of)[3]) {
        return S(k, 0) * of[0] + S(k, 1) * of[1] + S(k, 2) * of[2];
      };
      if (plain) {
        right_v_ = combined(0, missing_);
        complex_v_.re = combined(1, missing_);
        complex_v_.im = combined(2, missing_);
        real_.solve_forces(right_v_, dz_[0], dw_[0]);
        complex_.solve_forces(complex_v_, complex_dz_, complex_dw_);
      } else {
        const double alpha = r.lambda.real() / h_, beta = r.lambda.imag() / h_;
        right_q_ = combined(0, z_rate_) - (r.gamma / h_) * tz_[0];
        right_v_ = combined(0, w_rate_) - (r.gamma / h_) * tw_[0];
        complex_q_.re = combined(1, z_rate_) - alpha * tz_[1] + beta * tz_[2];
        complex_q_.im = combined(2, z_rate_) - beta * tz_[1] - alpha * tz_[2];
        complex_v_.re = combined(1, w_rate_) - alpha * tw_[1] + beta * tw_[2];
        complex_v_.im = combined(2, w_rate_) - beta * tw_[1] - alpha * tw_[2];
        real_.solve(right_q_, right_v_, dz_[0], dw_[0]);
        complex_.solve(complex_q_, complex_v_, complex_dz_, complex_dw_);
      }
      dz_[1] = complex_dz_.re;
      dz_[2] = complex_dz_.im;
      dw_[1] = complex_dw_.re;
      dw_[2] = complex_dw_.im;
      double change = 0.0;
      for (int i = 0; i < 3; ++i) {
        tz_[i] += dz_[i];
        tw_[i] += dw_[i];
        const double part = norm(dz_[i], dw_[i]);
        change += part * part;
      }
      change = std::sqrt(change / 3.0);
      for (int i = 0; i < 3; ++i) {
        z_[i] = T(i, 0) * tz_[0] + T(i, 1) * tz_[1] + T(i, 2) * tz_[2];
        w_[i] = T(i, 0) * tw_[0] + T(i, 1) * tw_[1] + T(i, 2) * tw_[2];
        // Powers were those of the velocities before.
        stage_power_[i][0] += stage_force_[i].dot(T(i, 0) * dw_[0] + T(i, 1) * dw_[1] + T(i, 2) * dw_[2]);
      }
      if (!std::isfinite(change)) return false;
      if (iterations_ > 1) {
        contraction_ = iterations_ == 2 ? change / last : std::sqrt(contraction_ * change / last);
        if (contraction_ >= 0.99) return false;
        eta = contraction_ / (1.0 - contraction_);
        const double expected =
            std::pow(contraction_, max_iterations - iterations_) / (1.0 - contraction_) * change;
        if (expected > newton_tolerance_ && iterations_ < max_iterations) {
          // will not get there in time
          if (expected > 10.0 * newton_tolerance_ * max_iterations) return false;
        }
      } else {
        contraction_ = 0.0;
      }
      last = std::max(change, 1e-300);
      if (eta * change <= newton_tolerance_) {
        eta_ = eta;
        return true;
      }
    }
    return false;
  }

  // (3) in units of the tolerance. `filter` sends the estimate through the equations once more: fast modes and first
  // steps would otherwise be judged too harshly.
  double estimate_error(bool filter) {
    const Vector3d& e = radau().e;
    sum_q_ = (e[0] * z_[0] + e[1] * z_[1] + e[2] * z_[2]) / h_;
    sum_v_ = (e[0] * w_[0] + e[1] * w_[1] + e[2] * w_[2]) / h_;
    right_q_ = to_.v + sum_q_;
    right_v_ = to_.a + sum_v_;
    real_.solve(right_q_, right_v_, error_q_, error_v_);
    double error = norm(error_q_, error_v_);
    if (error < 1.0 || !filter) return error;
    displace(system_.model(), to_.q, error_q_, stage_q_);
    stage_v_ = to_.v + error_v_;
    Powers powers;
    system_.accelerate(to_.t, stage_q_, stage_v_, stage_a_, powers);
    right_q_ = stage_v_ + sum_q_;
    right_v_ = stage_a_ + sum_v_;
    real_.solve(right_q_, right_v_, error_q_, error_v_);
    return norm(error_q_, error_v_);
  }

  void finish(double error, double factor_by_error) {
    // Vibration makes the error of single steps swing: steps follow a filtered one (Soderlind's H211b), but for where
    // it is far off.
    const double bounded = std::max(error, 1e-6);
    double growth = factor_by_error;
    if (!is_first_ && growth < 2.0)
      growth = std::pow(safe_error / bounded, 1.0 / 16.0) * std::pow(safe_error / old_error_, 1.0 / 16.0) *
               std::pow(h_ / old_h_, -0.25);
    growth = std::clamp(growth, 0.2, 8.0);
    old_error_ = bounded;
    old_h_ = h_;
    for (int i = 0; i < 3; ++i) {
      old_z_[i] = z_[i];
      old_w_[i] = w_[i];
    }
    has_guess_ = true;
    is_first_ = false;
    const Vector3d ledger =
        to_.ledger + h_ * (radau().b[0] * stage_power_[0] + radau().b[1] * stage_power_[1] +
                           radau().b[2] * stage_power_[2]);
    const double t =
        state_.t + h_ >= end_ * (1.0 - 1e-15) && end_ - state_.t <= h_ * (1.0 + 1e-12) ? end_ : state_.t + h_;
    // The equations hold at the end of the step: the acceleration there is that of the collocation polynomial.
    end_a_ = collocated_acceleration(2);
    accept(t, z_[2], to_.v + w_[2], ledger, &end_a_, stage_power_[2]);
    tangent_is_current_ = false;
    // Slow convergence: a new tangent. A step that would hardly change keeps its factors.
    constexpr double slow = 0.03, slight_change = 0.92, slight_growth = 1.15;
    wants_tangent_ = contraction_ > slow;
    if (!wants_tangent_ && growth >= slight_change && growth <= slight_growth) growth = 1.0;
    state_.step = h_ * growth;
  }

  double max_step_;
  double estimate_rtol_;
  double newton_tolerance_;  ///< in units of the estimate's
  double h_ = 0.0, old_h_ = 0.0, old_error_ = 0.0, factored_step_ = 0.0;
  double contraction_ = 0.0, eta_ = 1.0;
  int iterations_ = 0;
  bool has_guess_ = false, is_first_ = true, tangent_is_current_ = false, wants_tangent_ = true;

  System::Tangent tangent_;
  NewtonMatrix real_;
  ComplexNewtonMatrix complex_;
  Matrix3d guess_coefficients_;
  // Stages; t..: transformed by T^-1; old..: of the step before.
  VectorXd z_[3], w_[3], z_rate_[3], w_rate_[3], tz_[3], tw_[3], dz_[3], dw_[3], old_z_[3],
      old_w_[3];                          // NOLINT
  VectorXd stage_force_[3], missing_[3];  // NOLINT
  Vector3d stage_power_[3];               // NOLINT
  VectorXd end_a_, stage_q_, stage_v_, stage_a_, right_q_, right_v_, sum_q_, sum_v_, error_q_, error_v_;
  ComplexVector complex_q_, complex_v_, complex_dz_, complex_dw_;
};

}  // namespace

std::unique_ptr<Integrator> make_radau(System& system, const IntegratorDescription& description) {
  return std::make_unique<Radau>(system, description);
}

}  // namespace limber
