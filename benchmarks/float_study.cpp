// SPDX-License-Identifier: BSD-3-Clause
// Is the recursion more stable than Cholesky, as Mohan and Saha say? Both in single precision, where what
// double precision hides is seen at once; the truth is the recursion in double precision. Prints the tables of
// docs/single-precision.md.

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "arms.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"

namespace {

using namespace limber;
using limber::benchmarks::bending_chain;

template <typename Scalar>
class Solver {
 public:
  explicit Solver(const Model& model)
      : model_(model),
        work_(model),
        M_(model.nv(), model.nv()),
        bias_(model.nv()),
        passive_(model.nv()),
        zero_(model.nv()) {
    zero_.setZero();
  }
  void recursive(const VectorX<Scalar>& q, const VectorX<Scalar>& v, VectorX<Scalar>& qdd) {
    recursive(q, v, zero_, qdd);
  }
  void recursive(const VectorX<Scalar>& q, const VectorX<Scalar>& v, const VectorX<Scalar>& tau,
                 VectorX<Scalar>& qdd) {
    forward_dynamics(model_, work_, q, v, tau, qdd);
  }
  bool cholesky(const VectorX<Scalar>& q, const VectorX<Scalar>& v, VectorX<Scalar>& qdd) {
    return cholesky(q, v, zero_, qdd);
  }
  /// Without a step of refinement, as the paper's. False if the mass matrix, in this precision, is not positive definite.
  bool cholesky(const VectorX<Scalar>& q, const VectorX<Scalar>& v, const VectorX<Scalar>& tau,
                VectorX<Scalar>& qdd) {
    mass_matrix(model_, work_, q, M_);
    bias_forces(model_, work_, q, v, bias_);
    elastic_and_damping_forces(model_, work_, q, v, passive_);
    factor_.compute(M_);
    if (factor_.info() != Eigen::Success) return false;
    qdd = factor_.solve(tau - bias_ - passive_);
    return true;
  }

 private:
  const Model& model_;
  Workspace<Scalar> work_;
  MatrixX<Scalar> M_;
  VectorX<Scalar> bias_, passive_, zero_;
  Eigen::LLT<MatrixX<Scalar>> factor_;
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

// Relative errors of the accelerations at random states.
void study_evaluations() {
  constexpr int states = 50;
  std::printf("| links | coordinates | condition of M | recursive | Cholesky | Cholesky failed |\n");
  std::printf("|---:|---:|---:|---:|---:|---:|\n");
  for (const int links : {1, 2, 3, 5, 8, 12, 20, 30, 50}) {
    const Model model = bending_chain(links, 2);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    Solver<double> exact(model);
    Solver<float> rounded(model);
    Workspace<double> work(model);
    MatrixX<double> M(model.nv(), model.nv());
    std::vector<double> recursive_errors, cholesky_errors, conditions;
    int failures = 0;
    for (int i = 0; i < states; ++i) {
      VectorX<float> q(model.nv()), v(model.nv()), found(model.nv());
      for (int k = 0; k < model.nv(); ++k) {
        const bool elastic = k % 5 != 0;
        q[k] = static_cast<float>((elastic ? 0.01 : 1.0) * uniform(random));
        v[k] = static_cast<float>((elastic ? 0.02 : 0.2) * uniform(random));
      }
      const VectorX<double> q_exact = q.cast<double>(), v_exact = v.cast<double>();
      VectorX<double> truth(model.nv());
      exact.recursive(q_exact, v_exact, truth);
      const auto error = [&] { return (found.cast<double>() - truth).norm() / truth.norm(); };
      rounded.recursive(q, v, found);
      recursive_errors.push_back(error());
      if (rounded.cholesky(q, v, found))
        cholesky_errors.push_back(error());
      else
        ++failures;
      mass_matrix(model, work, q_exact, M);
      const auto values =
          Eigen::SelfAdjointEigenSolver<MatrixX<double>>(M, Eigen::EigenvaluesOnly).eigenvalues();
      conditions.push_back(values.maxCoeff() / values.minCoeff());
    }
    std::printf("| %d | %d | %.1e | %.1e | ", links, model.nv(), median(conditions),
                median(recursive_errors));
    if (cholesky_errors.empty())
      std::printf("- | ");
    else
      std::printf("%.1e | ", median(cholesky_errors));
    std::printf("%d of %d |\n", failures, states);
  }
}

// The Canadarm set in motion and left alone for 10 s: what energy it loses or gains, in parts of the first.
template <typename Scalar>
void study_motion(const Model& model, const char* name, bool by_cholesky) {
  constexpr double step = 1e-3, duration = 10.0;
  Solver<Scalar> solver(model);
  VectorX<Scalar> q = VectorX<Scalar>::Zero(model.nv()), v = q, a(model.nv());
  for (const Link& link : model.links()) v[link.joint.v_index] = Scalar(0.5);
  Workspace<double> work(model);
  const auto total = [&] {
    const Energy<double> e =
        energy<double>(model, work, q.template cast<double>(), v.template cast<double>());
    return e.kinetic + e.strain;
  };
  const auto derivative = [&](const VectorX<Scalar>& at_q, const VectorX<Scalar>& at_v) {
    if (by_cholesky)
      solver.cholesky(at_q, at_v, a);
    else
      solver.recursive(at_q, at_v, a);
    return a;
  };
  const double first = total();
  double largest = 0.0;
  const Scalar h(step), half(0.5), sixth(1.0 / 6.0), two(2);
  for (double t = 0.0; t < duration; t += step) {
    const VectorX<Scalar> a1 = derivative(q, v), v2 = v + half * h * a1;
    const VectorX<Scalar> a2 = derivative(q + half * h * v, v2), v3 = v + half * h * a2;
    const VectorX<Scalar> a3 = derivative(q + half * h * v2, v3), v4 = v + h * a3;
    const VectorX<Scalar> a4 = derivative(q + h * v3, v4);
    q += h * sixth * (v + two * v2 + two * v3 + v4);
    v += h * sixth * (a1 + two * a2 + two * a3 + a4);
    largest = std::max(largest, std::abs(total() / first - 1.0));
  }
  std::printf("| %s | %.1e |\n", name, largest);
}

// The paper's forced manoeuvre: what moves the rigid arm along (44), rate (t - T/pi sin(pi t/T)), in the three joints.
class ForcedManoeuvre {
 public:
  explicit ForcedManoeuvre(const Model& model)
      : model_(model), work_(model), q_(VectorX<double>::Zero(model.nv())), v_(q_), a_(q_), tau_(q_) {}
  const VectorX<double>& efforts(double t) {
    constexpr double rates[] = {0.075, 0.05, 0.1}, periods[] = {10.0, 5.0, 5.0};
    for (std::size_t i = 0; i < 3; ++i) {
      const int c = model_.links()[i].joint.v_index;
      const double w = M_PI / periods[i];
      q_[c] = rates[i] * (t - std::sin(w * t) / w);
      v_[c] = rates[i] * (1.0 - std::cos(w * t));
      a_[c] = rates[i] * w * std::sin(w * t);
    }
    inverse_dynamics(model_, work_, q_, v_, a_, tau_);
    VectorX<double> joints = VectorX<double>::Zero(model_.nv());
    for (std::size_t i = 0; i < 3; ++i)
      joints[model_.links()[i].joint.v_index] = tau_[model_.links()[i].joint.v_index];
    return tau_ = joints;
  }

 private:
  const Model& model_;
  Workspace<double> work_;
  VectorX<double> q_, v_, a_, tau_;
};

enum class Method { runge_kutta, euler };

// Joint angles at every 10 ms, and when it was lost: a deflection beyond a metre, where links are six long.
struct Course {
  std::vector<VectorX<double>> rows;
  double lost = 0.0;  ///< [s]; 0: never
};

template <typename Scalar>
Course forced_motion(const Model& model, bool by_cholesky, Method method, double step) {
  constexpr double duration = 10.0, between = 0.01, too_far = 1.0;
  const int per_row = static_cast<int>(std::lround(between / step));
  Solver<Scalar> solver(model);
  ForcedManoeuvre forced(model);
  VectorX<Scalar> q = VectorX<Scalar>::Zero(model.nv()), v = q, a(model.nv());
  const auto derivative = [&](double t, const VectorX<Scalar>& at_q, const VectorX<Scalar>& at_v) {
    const VectorX<Scalar> tau = forced.efforts(t).cast<Scalar>();
    if (by_cholesky)
      solver.cholesky(at_q, at_v, tau, a);
    else
      solver.recursive(at_q, at_v, tau, a);
    return a;
  };
  const Scalar h = static_cast<Scalar>(step), half(0.5), sixth(1.0 / 6.0), two(2);
  Course course;
  for (int k = 0; k < static_cast<int>(std::lround(duration / step)); ++k) {
    const double t = k * step;
    if (k % per_row == 0) course.rows.push_back(q.template cast<double>());
    const VectorX<Scalar> a1 = derivative(t, q, v);
    if (method == Method::euler) {
      q += h * v;
      v += h * a1;
    } else {
      const VectorX<Scalar> v2 = v + half * h * a1;
      const VectorX<Scalar> a2 = derivative(t + 0.5 * step, q + half * h * v, v2), v3 = v + half * h * a2;
      const VectorX<Scalar> a3 = derivative(t + 0.5 * step, q + half * h * v2, v3), v4 = v + h * a3;
      const VectorX<Scalar> a4 = derivative(t + step, q + h * v3, v4);
      q += h * sixth * (v + two * v2 + two * v3 + v4);
      v += h * sixth * (a1 + two * a2 + two * a3 + a4);
    }
    for (const Link& link : model.links())
      if (!(q.segment(link.elastic_q_index, link.elastic_count).cwiseAbs().maxCoeff() <= Scalar(too_far))) {
        course.lost = t + step;
        return course;
      }
  }
  return course;
}

void study_forced_motion(const Model& model) {
  const Course truth = forced_motion<double>(model, false, Method::runge_kutta, 2.5e-4);
  std::printf(
      "\n| method | step | solver | largest error of a joint angle | lost at |\n|---|---:|---|---:|---:|\n");
  const auto row = [&](const char* method, double step, const char* solver, const Course& course) {
    double largest = 0.0;
    for (std::size_t k = 0; k < course.rows.size(); ++k)
      for (const Link& link : model.links())
        largest = std::max(largest,
                           std::abs(course.rows[k][link.joint.q_index] - truth.rows[k][link.joint.q_index]));
    std::printf("| %s | %g ms | %s | ", method, 1e3 * step, solver);
    if (course.lost > 0.0)
      std::printf("| %.2f s |\n", course.lost);
    else
      std::printf("%.1e rad | never |\n", largest);
  };
  const auto all = [&](const char* name, Method method, double step) {
    row(name, step, "recursive, single", forced_motion<float>(model, false, method, step));
    row(name, step, "Cholesky, single", forced_motion<float>(model, true, method, step));
    row(name, step, "recursive, double", forced_motion<double>(model, false, method, step));
    row(name, step, "Cholesky, double", forced_motion<double>(model, true, method, step));
  };
  all("Runge-Kutta", Method::runge_kutta, 1e-3);
  for (const double step : {1e-3, 1e-4, 1e-5}) all("Euler", Method::euler, step);
}

}  // namespace

int main() {
  study_evaluations();
  const Model model = limber::benchmarks::canadarm("_spatial");
  std::printf("\n| solver | largest energy error |\n|---|---:|\n");
  study_motion<float>(model, "recursive, single", false);
  study_motion<float>(model, "Cholesky, single", true);
  study_motion<double>(model, "recursive, double", false);
  study_motion<double>(model, "Cholesky, double", true);
  study_forced_motion(limber::benchmarks::canadarm(""));
}
