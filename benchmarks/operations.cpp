// SPDX-License-Identifier: BSD-3-Clause
// Multiplications and additions of one evaluation, to be read beside Mohan and Saha's Table 1: a chain of n
// links with m modes in each of two planes. Reported as counters; the time means nothing here.

#include <benchmark/benchmark.h>

#include "arms.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/math/counting.hpp"

namespace {

using namespace limber;
using limber::benchmarks::bending_chain;

// L L^T = M in place, then the two triangular solutions.
void solve_by_cholesky(MatrixX<Counting>& M, VectorX<Counting>& x) {
  const Eigen::Index n = M.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index k = 0; k < j; ++k) M(j, j) -= M(j, k) * M(j, k);
    M(j, j) = sqrt(M(j, j));
    for (Eigen::Index i = j + 1; i < n; ++i) {
      for (Eigen::Index k = 0; k < j; ++k) M(i, j) -= M(i, k) * M(j, k);
      M(i, j) /= M(j, j);
    }
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index k = 0; k < i; ++k) x[i] -= M(i, k) * x[k];
    x[i] /= M(i, i);
  }
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    for (Eigen::Index k = i + 1; k < n; ++k) x[i] -= M(k, i) * x[k];
    x[i] /= M(i, i);
  }
}

void count(benchmark::State& state, bool dense) {
  const Model model = bending_chain(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  Workspace<Counting> work(model);
  const VectorX<Counting> q = VectorX<Counting>::Constant(model.nq(), 0.01), v = q, tau = q;
  const VectorX<Counting> zero = VectorX<Counting>::Constant(model.nv(), 0.0);
  VectorX<Counting> result(model.nv());
  MatrixX<Counting> M(model.nv(), model.nv());
  for (auto _ : state) {
    Counting::reset();
    if (dense) {
      mass_matrix(model, work, q, M);
      inverse_dynamics(model, work, q, v, zero, result);
      for (int i = 0; i < model.nv(); ++i) result[i] = tau[i] - result[i];
      solve_by_cholesky(M, result);
    } else {
      forward_dynamics(model, work, q, v, tau, result);
    }
  }
  state.counters["multiplications"] = static_cast<double>(Counting::operations().multiplications);
  state.counters["additions"] = static_cast<double>(Counting::operations().additions);
}

BENCHMARK_CAPTURE(count, recursive, false)
    ->Name("operations/recursive")
    ->Args({16, 2})
    ->ArgsProduct({{8}, {1, 2, 3, 4, 5, 6, 8}})
    ->Iterations(1);
BENCHMARK_CAPTURE(count, dense, true)->Name("operations/dense")->Args({8, 2})->Iterations(1);

}  // namespace
