// SPDX-License-Identifier: BSD-3-Clause
// iLQR swings a hanging arm with a flexible link upright, by the exact derivatives of its dynamics. Steps: v+ = v + h a(q, v, B u),
// q+ = q + h v+. Cost: h/2 R u.u over time, Q/2 |x - goal|^2 at the end, x = (q, v). At the optimum further changes of the inputs vanish.

#include <Eigen/Cholesky>
#include <cstdio>
#include <limber/limber.hpp>

using Eigen::MatrixXd, Eigen::VectorXd;

int main() try {
  constexpr double h = 0.02, R = 0.02, Q = 1000.0, half_pi = 1.5707963267948966;
  const limber::Model arm = limber::read_model("swing.yaml");
  limber::Evaluation state(arm);
  const MatrixXd B = limber::input_matrix(arm), one = MatrixXd::Identity(B.rows(), B.rows());
  const Eigen::Index steps = 150, n = B.rows(), m = B.cols();
  const VectorXd goal = half_pi * VectorXd::Unit(2 * n, 0);
  std::vector<VectorXd> x(steps + 1, -goal), u(steps, -0.01 * VectorXd::Ones(m)), d = u, x_new = x, u_new = u;
  std::vector<MatrixXd> K(steps, MatrixXd::Zero(m, 2 * n));
  const auto trial = [&](double part) {  // of the change d of the inputs: where it leads, and what that costs
    double cost = 0.0;
    for (int k = 0; k < steps; ++k) {
      u_new[k] = u[k] - part * d[k] - K[k] * (x_new[k] - x[k]);
      if (!(x_new[k].squaredNorm() < 1e6)) return std::numeric_limits<double>::infinity();  // it diverges
      state.set(x_new[k].head(n), x_new[k].tail(n), B * u_new[k]);
      x_new[k + 1].tail(n) = x_new[k].tail(n) + h * state.acceleration();
      x_new[k + 1].head(n) = x_new[k].head(n) + h * x_new[k + 1].tail(n);
      cost += h / 2.0 * R * u_new[k].squaredNorm();
    }
    return cost + Q / 2.0 * (x_new[steps] - goal).squaredNorm();
  };
  double cost = trial(0.0), largest = 1.0;
  for (int iteration = 0; iteration < 500 && largest > 1e-3; ++iteration) {
    x = x_new, u = u_new, largest = 0.0;
    VectorXd s = Q * (x[steps] - goal);  // the cost from here on is s.dx + dx.S dx/2
    MatrixXd S = Q * MatrixXd::Identity(2 * n, 2 * n), F(2 * n, 2 * n), G(2 * n, m);
    for (Eigen::Index k = steps - 1; k >= 0; --k) {
      const auto by = limber::dynamics_derivatives(arm, x[k].head(n), x[k].tail(n), B * u[k]);
      F.bottomRows(n) << h * by.dacceleration_dq, one + h * by.dacceleration_dv;
      F.topRows(n) << one + h * F.bottomLeftCorner(n, n), h * F.bottomRightCorner(n, n);
      G << h * h * by.dacceleration_dtau * B, h * by.dacceleration_dtau * B;
      const Eigen::LDLT<MatrixXd> bend(h * R * MatrixXd::Identity(m, m) + G.transpose() * S * G);
      d[k] = bend.solve(h * R * u[k] + G.transpose() * s);
      K[k] = bend.solve(G.transpose() * S * F);
      s = F.transpose() * (s - S * G * d[k]);
      S = F.transpose() * S * (F - G * K[k]);
      largest = std::max(largest, d[k].lpNorm<Eigen::Infinity>());
    }
    double part = 1.0, reached = trial(part);
    while (!(reached <= cost) && part > 1e-9) reached = trial(part /= 2.0);
    cost = reached;
  }
  std::printf("inputs settled to %.1e N m, %.2e from upright\n", largest, (x[steps] - goal).norm());
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// Prints
//   inputs settled to <1e-3 N m, 1.64e-03 from upright
