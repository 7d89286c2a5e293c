// SPDX-License-Identifier: BSD-3-Clause
// Is the recursion more stable than Cholesky, as Mohan and Saha say? Both in single precision, where what
// double precision hides is seen at once; the truth is the recursion in double precision. Prints the tables of
// docs/single-precision.md.

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
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
    forward_dynamics(model_, work_, q, v, zero_, qdd);
  }
  /// False if the mass matrix, in this precision, is not positive definite.
  bool cholesky(const VectorX<Scalar>& q, const VectorX<Scalar>& v, VectorX<Scalar>& qdd) {
    mass_matrix(model_, work_, q, M_);
    bias_forces(model_, work_, q, v, bias_);
    elastic_and_damping_forces(model_, work_, q, v, passive_);
    factor_.compute(M_);
    if (factor_.info() != Eigen::Success) return false;
    qdd = factor_.solve(-bias_ - passive_);
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

}  // namespace

int main() {
  study_evaluations();
  const Model model = limber::benchmarks::canadarm("_spatial");
  std::printf("\n| solver | largest energy error |\n|---|---:|\n");
  study_motion<float>(model, "recursive, single", false);
  study_motion<float>(model, "Cholesky, single", true);
  study_motion<double>(model, "recursive, double", false);
  study_motion<double>(model, "Cholesky, double", true);
}
