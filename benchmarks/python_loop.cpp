// SPDX-License-Identifier: BSD-3-Clause
// The loop that benchmarks/python_calls.py compares a batch with: forward dynamics of 10,000 states, the best of several runs, as JSON.

#include <chrono>
#include <cstdio>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/io/model_file.hpp"

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const limber::Model model = limber::read_model(arguments[1]);
  limber::Workspace<double> work(model);
  constexpr int states = 10000, repetitions = 9;
  const Eigen::MatrixXd q = 0.01 * Eigen::MatrixXd::Random(model.nq(), states),
                        v = 0.01 * Eigen::MatrixXd::Random(model.nv(), states),
                        tau = 0.01 * Eigen::MatrixXd::Random(model.nv(), states);
  Eigen::MatrixXd a(model.nv(), states);
  double best = 1e9;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < states; ++i)
      limber::forward_dynamics(model, work, q.col(i), v.col(i), tau.col(i), a.col(i));
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / states);
  }
  std::printf("{\"us\": %.4f, \"sum\": %g}\n", best, a.sum());
}
