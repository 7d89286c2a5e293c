// SPDX-License-Identifier: BSD-3-Clause
// A Kalman filter for the tip of a flexible boom: an encoder on the joint, a strain gauge at the root, and a motor with noise. The error
// that Riccati's equation foretells is found in the motion of the nonlinear boom.

#include <Eigen/LU>
#include <cmath>
#include <cstdio>
#include <limber/algorithms/beam_state.hpp>
#include <limber/limber.hpp>
#include <random>

using Eigen::MatrixXd, Eigen::VectorXd;

int main() try {
  const limber::Model boom = limber::read_model("boom.yaml", {{"links.boom.joint.stiffness", "2e4"}});
  const limber::OperatingPoint rest =
      limber::settled_point(boom, limber::neutral_configuration(boom), {}, {}, {"shoulder"});
  const limber::LinearModel linear = limber::linearize(boom, rest, {"shoulder", "end_effector.z"});
  const MatrixXd &A = linear.A, &B = linear.B, tip = linear.C.row(1);
  const int n = boom.nv();

  // Encoder, and strain of the upper fibre at the root, 0.1 m above the axis: rows on x, the change of (q, v).
  MatrixXd C = linear.C;
  C.row(1).setZero();
  for (int j = 1; j < n; ++j)
    C(1, j) = limber::beam_strain(boom.links()[0], VectorXd::Unit(n - 1, j - 1), 0.0).at_fibre(0.0, 0.1);

  // Densities of white noise: of the effort [(N m)^2 s], the encoder [rad^2 s] and the gauge [s].
  const double motor = 100.0, encoder = 1e-10, gauge = 1e-14;
  const MatrixXd W = motor * B * B.transpose(), V = Eigen::Vector2d(encoder, gauge).asDiagonal();
  const MatrixXd P = limber::solve_riccati(A.transpose(), C.transpose(), W, V);

  // The filter: (1 - h/2 F) x+ = (1 + h/2 F) x + h L y with F = A - L C.
  const double h = 5e-4, duration = 200.0;
  const MatrixXd L = P * C.transpose() * V.inverse(), F = A - L * C, one = MatrixXd::Identity(2 * n, 2 * n);
  const Eigen::PartialPivLU<MatrixXd> implicit(one - h / 2.0 * F);
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  limber::Evaluation state(boom);
  VectorXd q = rest.q, v = rest.v, x(2 * n), estimate = VectorXd::Zero(2 * n);
  double squares = 0.0;
  for (double t = 0.0; t < duration; t += h) {
    state.set(q, v, rest.tau + std::sqrt(motor / h) * normal(engine) * VectorXd::Unit(n, 0));
    v += h * state.acceleration();
    q += h * v;
    x << q - rest.q, v;
    const double angle_noise = std::sqrt(encoder / h) * normal(engine);
    const Eigen::Vector2d y = C * x + Eigen::Vector2d(angle_noise, std::sqrt(gauge / h) * normal(engine));
    estimate = implicit.solve(estimate + h / 2.0 * F * estimate + h * L * y);
    squares += h / duration * (tip * (estimate - x)).squaredNorm();
  }
  const double foretold = std::sqrt((tip * P * tip.transpose()).value()), found = std::sqrt(squares);
  std::printf("tip known to %.3f mm, foretold %.3f mm\n", 1e3 * found, 1e3 * foretold);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// Prints
//   tip known to 0.207 mm, foretold 0.204 mm
