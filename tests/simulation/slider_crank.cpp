// SPDX-License-Identifier: BSD-3-Clause
// A flexible slider-crank against its published motion: B. Simeon, Modelling a flexible slider crank mechanism by a mixed system of DAEs and PDEs, Math. Modelling of Systems 2
// (1996) 1-18, as problem "slider crank" of the test set for IVP solvers (Bari), which prints the solution at t = 0.1 s.
//
// The test set's mass matrix of the stretching rod has the numbers 8, 1, 2 where a quadratic element has 8/15, 1/15, 2/15: fifteen times the mass. An integration of its own
// equations, written anew here, has both: with the printed matrix it finds the printed solution, with the right one ours.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "simulation/runs.hpp"

namespace limber {
namespace {

using Eigen::Matrix4d;
using Eigen::MatrixXd;
using Eigen::Vector4d;
using Eigen::VectorXd;

constexpr double pi = std::numbers::pi;
constexpr double l1 = 0.15, l2 = 0.3, mass = 0.151104, block = 0.075552, rate = 150.0;
constexpr double area = 0.008 * 0.008, E = 2e11, I = area * 0.008 * 0.008 / 12.0;

// x: angle of the rod, its two lateral and two axial coordinates (stretch of its middle and of its end), place of the block; then their rates.
using State = Eigen::Matrix<double, 12, 1>;

// The rod's points are at (x + u, w) in axes that turn with its ends: w = q1 sin(pi x/l) + q2 sin(2 pi x/l), u by the two quadratics that are one at the middle and at the end.
class Oracle {
 public:
  explicit Oracle(double axial_mass_factor) {
    M_.setZero();
    M_(0, 0) = M_(1, 1) = 0.5 * mass;
    M_.bottomRightCorner<2, 2>() << 8.0, 1.0, 1.0, 2.0;
    M_.bottomRightCorner<2, 2>() *= axial_mass_factor * mass / 15.0;
    K_.setZero();
    K_(0, 0) = 0.5 * E * I * std::pow(pi, 4) / std::pow(l2, 3);
    K_(1, 1) = 16.0 * K_(0, 0);
    K_.bottomRightCorner<2, 2>() << 16.0, -8.0, -8.0, 7.0;
    K_.bottomRightCorner<2, 2>() *= E * area / (3.0 * l2);
    // Int (w_i u_j - u_i w_j), Int u, Int w, Int x u, Int x w, times the mass
    B_.setZero();
    B_(0, 2) = -16.0 / std::pow(pi, 3);
    B_(0, 3) = 8.0 / std::pow(pi, 3) - 1.0 / pi;
    B_(1, 3) = 0.5 / pi;
    B_ = (mass * (B_ - B_.transpose())).eval();
    u_ = mass * Vector4d(0, 0, 2.0 / 3.0, 1.0 / 6.0);
    w_ = mass * Vector4d(2.0 / pi, 0, 0, 0);
    xu_ = mass * l2 * Vector4d(0, 0, 1.0 / 3.0, 1.0 / 6.0);
    xw_ = mass * l2 * Vector4d(1.0 / pi, -0.5 / pi, 0, 0);
  }

  State at_end(double end, double step) const {
    State y;
    y << 0, 0, 0, .103339863e-4, .169327969e-4, .450016933, -.749957670e2, .444896105, .463434311e-2,
        -.178591076e-5, -.268938672e-5, -.268938672e-5;
    const int steps = static_cast<int>(std::lround(end / step));
    for (int i = 0; i < steps; ++i) {
      const double t = i * step;
      const State k1 = slope(t, y), k2 = slope(t + 0.5 * step, y + 0.5 * step * k1),
                  k3 = slope(t + 0.5 * step, y + 0.5 * step * k2), k4 = slope(t + step, y + step * k3);
      y += step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    return y;
  }

 private:
  State slope(double t, const State& y) const {
    const double crank = rate * t, rod = y[0], rod_rate = y[6], d = crank - rod;
    const double C = std::cos(d), S = std::sin(d), c = std::cos(rod), s = std::sin(rod);
    const Vector4d q = y.segment<4>(1), v = y.segment<4>(7);
    Eigen::Matrix<double, 8, 8> whole = Eigen::Matrix<double, 8, 8>::Zero();
    Eigen::Matrix<double, 8, 1> right;
    whole(0, 0) = mass * l2 * l2 / 3.0 + q.dot(M_ * q) + 2.0 * xu_.dot(q);
    whole.block<1, 4>(0, 1) = (xw_ + B_.transpose() * q).transpose();
    whole.block<4, 1>(1, 0) = whole.block<1, 4>(0, 1).transpose();
    whole.block<4, 4>(1, 1) = M_;
    whole(5, 5) = block;
    right[0] = l1 * rate * rate * (0.5 * mass * l2 * S + S * u_.dot(q) - C * w_.dot(q)) -
               2.0 * rod_rate * (xu_.dot(v) + v.dot(M_ * q)) - v.dot(B_ * v);
    right.segment<4>(1) = rod_rate * rod_rate * (M_ * q + xu_) + l1 * rate * rate * (C * u_ + S * w_) +
                          2.0 * rod_rate * (B_ * v) - K_ * q;
    right[5] = 0.0;
    // Its end meets the block, which slides: l1 sin + (l2 + u) sin = 0, x = l1 cos + (l2 + u) cos.
    const double length = l2 + q[3];
    Eigen::Matrix<double, 2, 8> G = Eigen::Matrix<double, 2, 8>::Zero();
    G.row(0) << length * c, 0, 0, 0, s, 0, 0, 0;
    G.row(1) << length * s, 0, 0, 0, -c, 1, 0, 0;
    whole.bottomRows<2>() = G;
    whole.rightCols<2>() += G.transpose();
    right[6] =
        l1 * std::sin(crank) * rate * rate + length * s * rod_rate * rod_rate - 2.0 * rod_rate * c * v[3];
    right[7] =
        -l1 * std::cos(crank) * rate * rate - length * c * rod_rate * rod_rate - 2.0 * rod_rate * s * v[3];
    State result;
    result.head<6>() = y.tail<6>();
    result.tail<6>() = whole.partialPivLu().solve(right).eval().head<6>();
    return result;
  }

  Matrix4d M_, K_, B_;
  Vector4d u_, w_, xu_, xw_;
};

constexpr double step = 2e-6;

TEST(SliderCrank, ThePublishedMotionIsThatOfFifteenTimesTheAxialMass) {
  State published;
  published << -3.311734987910881e-01, 1.893192460247178e-04, 2.375751865617931e-05, -5.323907988763734e-06,
      -8.363283141616840e-06, 1.697373326718410e-01, 6.025346682645789e+01, -3.005536801092212e-02,
      -5.500488291932075e-03, 4.978243404809343e-04, 1.104933470696396e-03, -8.753116989887888e+00;
  const State found = Oracle(15.0).at_end(0.1, step);
  // The test set has the rod's turning inertia with its thickness, pi with eight digits and initial values with nine.
  const double bars[] = {1e-7, 1e-5, 1e-4, 1e-3, 1e-3, 1e-7};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(found[i], published[i], bars[i] * std::abs(published[i])) << i;
  const State right = Oracle(1.0).at_end(0.1, step);
  EXPECT_GT(std::abs(right[3] - published[3]), 5e-3 * std::abs(published[3]));
}

TEST(SliderCrank, TheShippedOneMovesAsTheSameEquationsWithTheRightMass) {
  const Sample last = run(shipped("slider_crank/turn.yaml")).rows.back();
  const VectorXd &q = last.q, &v = last.v;
  const State expected = Oracle(1.0).at_end(0.1, step);
  const double stretch_middle = 0.5 * l2 * q[4] + 0.25 * l2 * l2 * q[5],
               stretch_end = l2 * q[4] + l2 * l2 * q[5];
  // Initial values of nine digits open the loop by 1e-10 m; ours closes it, the oracle does not.
  EXPECT_NEAR(q[0] + q[1], expected[0], 1e-8);
  EXPECT_NEAR(q[2], expected[1], 1e-6 * std::abs(expected[1]));
  EXPECT_NEAR(q[3], expected[2], 1e-6 * std::abs(expected[2]));
  EXPECT_NEAR(stretch_middle, expected[3], 1e-4 * std::abs(expected[3]));
  EXPECT_NEAR(stretch_end, expected[4], 1e-4 * std::abs(expected[4]));
  EXPECT_NEAR(q[6], expected[5], 1e-8);
  EXPECT_NEAR(v[0] + v[1], expected[6], 1e-6 * std::abs(expected[6]));
  EXPECT_NEAR(v[6], expected[11], 1e-6 * std::abs(expected[11]));
}

}  // namespace
}  // namespace limber
