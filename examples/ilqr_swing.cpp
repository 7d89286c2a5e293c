// SPDX-License-Identifier: BSD-3-Clause
// iLQR swings a hanging arm with a flexible link upright, by the exact derivatives of its dynamics. Steps: v+ = v + h a(q, v, B u),
// q+ = q + h v+. Cost: h/2 R u.u over time, Q/2 |x - goal|^2 at the end, x = (q, v).

#include <limber/algorithms/input_matrix.hpp>
#include <limber/analysis/derivatives.hpp>
#include <limber/io/model_file.hpp>

#include <Eigen/Cholesky>
#include <cstdio>

using Eigen::MatrixXd, Eigen::VectorXd;

int main() try {
  constexpr double h = 0.02, R = 0.02, Q = 1000.0, half_pi = 1.5707963267948966;
  constexpr int steps = 150;
  const limber::Model arm = limber::read_model("swing.yaml");
  limber::Workspace<double> work(arm);
  const MatrixXd B = limber::input_matrix(arm), one = MatrixXd::Identity(arm.nv(), arm.nv());
  const auto n = B.rows(), m = B.cols();
  const VectorXd goal = half_pi * VectorXd::Unit(2 * n, 0);

  // A trial: inputs u - part d - K (x - their x), where they lead, and what that costs.
  std::vector<VectorXd> x(steps + 1, -goal), u(steps, VectorXd::Zero(m)),
      d(steps, VectorXd::Constant(m, 0.01)), x_new = x, u_new = u;
  std::vector<MatrixXd> K(steps, MatrixXd::Zero(m, 2 * n));
  const auto trial = [&](double part) {
    VectorXd a(n);
    double cost = 0.0;
    for (int k = 0; k < steps; ++k) {
      u_new[k] = u[k] - part * d[k] - K[k] * (x_new[k] - x[k]);
      if (!(x_new[k].squaredNorm() < 1e6)) return std::numeric_limits<double>::infinity();  // it diverges
      limber::forward_dynamics(arm, work, x_new[k].head(n), x_new[k].tail(n), B * u_new[k], a);
      x_new[k + 1].tail(n) = x_new[k].tail(n) + h * a;
      x_new[k + 1].head(n) = x_new[k].head(n) + h * x_new[k + 1].tail(n);
      cost += h / 2.0 * R * u_new[k].squaredNorm();
    }
    return cost + Q / 2.0 * (x_new[steps] - goal).squaredNorm();
  };

  double cost = trial(1.0), largest = 1.0;
  for (int iteration = 0; iteration < 500 && largest > 1e-3; ++iteration) {
    x = x_new, u = u_new, largest = 0.0;
    VectorXd s = Q * (x[steps] - goal);  // the cost from here on is s.dx + dx.S dx/2
    MatrixXd S = Q * MatrixXd::Identity(2 * n, 2 * n), F(2 * n, 2 * n), G(2 * n, m);
    for (int k = steps - 1; k >= 0; --k) {
      const auto by = limber::dynamics_derivatives(arm, x[k].head(n), x[k].tail(n), B * u[k]);
      F.bottomRows(n) << h * by.dacceleration_dq, one + h * by.dacceleration_dv;
      F.topRows(n) << one + h * F.bottomLeftCorner(n, n), h * F.bottomRightCorner(n, n);
      G << h * h * by.dacceleration_dtau * B, h * by.dacceleration_dtau * B;
      const MatrixXd mixed = G.transpose() * S * F;
      const Eigen::LDLT<MatrixXd> bend(h * R * MatrixXd::Identity(m, m) + G.transpose() * S * G);
      d[k] = bend.solve(h * R * u[k] + G.transpose() * s);
      K[k] = bend.solve(mixed);
      s = F.transpose() * s - mixed.transpose() * d[k];
      S = F.transpose() * S * F - mixed.transpose() * K[k];
      largest = std::max(largest, d[k].lpNorm<Eigen::Infinity>());
    }
    double part = 1.0, reached = trial(part);
    while (!(reached <= cost) && part > 1e-9) reached = trial(part /= 2.0);
    cost = reached;
  }
  std::printf("cost %.4f, inputs settled to %.1e N m\n", cost, largest);
  std::printf("shoulder from %.3f to %.3f rad, %.2e away from rest and upright\n", x[0][0], x[steps][0],
              (x[steps] - goal).norm());
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// Prints
//   cost 2.0511, inputs settled to <1e-3 N m
//   shoulder from -1.571 to 1.569 rad, 1.64e-03 away from rest and upright
