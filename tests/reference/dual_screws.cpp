// SPDX-License-Identifier: BSD-3-Clause
#include "reference/dual_screws.hpp"

#include <cmath>

namespace reference {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Matrix3d cross_matrix(const Vector3d& a) {
  Matrix3d A;
  A << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return A;
}

DualVector dual(const Vector3d& real, const Vector3d& small = Vector3d::Zero()) {
  DualVector a;
  a << real, small;
  return a;
}

DualMatrix dual_matrix(const Matrix3d& real, const Matrix3d& small = Matrix3d::Zero()) {
  DualMatrix A;
  A << real, Matrix3d::Zero(), small, real;
  return A;
}

// [a]^ of (38)
DualMatrix hat(const DualVector& a) {
  return dual_matrix(cross_matrix(a.head<3>()), cross_matrix(a.tail<3>()));
}

// (100)
DualMatrix hat_below(const DualVector& a) {
  DualMatrix A;
  A << cross_matrix(a.head<3>()), cross_matrix(a.tail<3>()), Matrix3d::Zero(), cross_matrix(a.head<3>());
  return A;
}

// I^ of (99), and J^ of (107): with what a matrix has of first order, [A + A1, A; A, 0].
DualMatrix folded(const Matrix3d& A, const Matrix3d& first_order = Matrix3d::Zero()) {
  DualMatrix result;
  result << A + first_order, A, A, Matrix3d::Zero();
  return result;
}

// R^-1 of a dual rotation, (32).
DualMatrix inverse(const DualMatrix& R) {
  return dual_matrix(R.topLeftCorner<3, 3>().transpose(), R.bottomLeftCorner<3, 3>().transpose());
}

// (60): p from the new reference to the old one.
Matrix12 shifted(const DualVector& p) {
  Matrix12 U = Matrix12::Identity();
  U.bottomLeftCorner<6, 6>() = hat(p);
  return U;
}

// (63)
Matrix12 turned(const DualMatrix& R) {
  Matrix12 result = Matrix12::Zero();
  result.topLeftCorner<6, 6>() = result.bottomRightCorner<6, 6>() = R;
  return result;
}

Matrix3d about_z(double angle) {
  Matrix3d R;
  R << std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0, 0, 0, 1;
  return R;
}

// Gauss-Legendre on [0, 1], ten points.
struct GaussPoint {
  double x, weight;
};
std::vector<GaussPoint> gauss_points() {
  constexpr int n = 10;
  std::vector<GaussPoint> points;
  for (int i = 0; i < n; ++i) {
    long double x = std::cos(3.14159265358979323846L * (i + 0.75L) / (n + 0.5L)), slope = 0;
    for (int iteration = 0; iteration < 10; ++iteration) {
      long double before = 1, P = x;
      for (int k = 2; k <= n; ++k) {
        const long double next = ((2 * k - 1) * x * P - (k - 1) * before) / k;
        before = P;
        P = next;
      }
      slope = n * (x * P - before) / (x * x - 1);
      x -= P / slope;
    }
    points.push_back(
        {static_cast<double>((1 + x) / 2), static_cast<double>(1 / ((1 - x * x) * slope * slope))});
  }
  return points;
}

}  // namespace

DualScrewChain::DualScrewChain(const std::vector<ScrewLink>& links, const Vector3d& gravity,
                               const VectorXd& q, const VectorXd& u)
    : links_(links), g_(gravity), q_(q), u_(u) {
  int next = 0;
  for (const ScrewLink& link : links_) {
    first_.push_back(next);
    next += 1 + static_cast<int>(link.shapes.size());
  }
}

// Psi of (71), its theta_y row corrected to -psi_z'.
DualScrewChain::Section DualScrewChain::section(int i, double x) const {
  const ScrewLink& link = links_[i];
  const auto m = static_cast<Eigen::Index>(link.shapes.size());
  Section s;
  s.Phi = s.Psi = Eigen::Matrix3Xd::Zero(3, m);
  if (!link.is_elastic()) {
    s.p = s.v = s.theta = DualVector::Zero();
    return s;
  }
  for (Eigen::Index j = 0; j < m; ++j) {
    const ScrewShape& shape = link.shapes[j];
    const double value = std::pow(x / link.length, shape.power);
    const double slope = shape.power * std::pow(x / link.length, shape.power - 1) / link.length;
    if (shape.kind == ScrewShape::Kind::torsion) s.Psi(0, j) = value;
    if (shape.kind == ScrewShape::Kind::y) s.Phi(1, j) = value, s.Psi(2, j) = slope;
    if (shape.kind == ScrewShape::Kind::z) s.Phi(2, j) = value, s.Psi(1, j) = -slope;
  }
  const VectorXd eta = q_.segment(first_[i] + 1, m), rate = u_.segment(first_[i] + 1, m);
  s.p = dual(Vector3d(x, 0, 0), s.Phi * eta);
  s.v = dual(Vector3d::Zero(), s.Phi * rate);
  s.theta = dual(Vector3d::Zero(), s.Psi * eta);
  return s;
}

// (24)
DualMatrix DualScrewChain::to_end(int j) const {
  if (!links_[j].is_elastic()) return dual_matrix(Matrix3d::Identity());
  const Vector3d theta = section(j, links_[j].length).theta.tail<3>();
  return dual_matrix(Matrix3d::Identity(), cross_matrix(theta));
}
DualMatrix DualScrewChain::joint(int i) const { return dual_matrix(links_[i].R * about_z(q_[first_[i]])); }

DualMatrix DualScrewChain::rotation(int j, int i) const {
  DualMatrix R = DualMatrix::Identity();
  for (int k = i; k > j; --k) R = to_end(k - 1) * joint(k) * R;
  return R;
}

// The ways along the chain: from a_i to i, from i to (i-1)', from (i-1)' to i-1, in the coordinates where they stand.
Matrix12 DualScrewChain::transformation(int i, double x, int j, bool from_end) const {
  const auto along = [&](int k) {
    return links_[k].is_elastic() ? section(k, links_[k].length).p : dual(links_[k].end);
  };
  const DualVector to_point = links_[i].is_elastic() ? section(i, x).p : dual(links_[i].com);
  Matrix12 V = shifted(-to_point);
  for (int k = i; k > j; --k) {
    V = V * turned(inverse(joint(k)));       // coordinates k -> (k-1)'
    V = V * shifted(-dual(links_[k].p));     // from k to (k-1)'
    V = V * turned(inverse(to_end(k - 1)));  // coordinates (k-1)' -> k-1
    if (k - 1 > j || !from_end) V = V * shifted(-along(k - 1));
  }
  return V;
}

// Sum of the relative velocities of Algorithm 2. `from` is i or inboard of it, or the end of link `from`.
DualVector DualScrewChain::omega(int i, int from, bool from_end, int to) const {
  DualVector w = DualVector::Zero();
  for (int k = from; k >= to; --k) {
    const bool passes_beam = k < from || from_end;  // from k' to k
    if (passes_beam && links_[k].is_elastic()) {
      const Section end = section(k, links_[k].length);
      const VectorXd rate = u_.segment(first_[k] + 1, end.Psi.cols());
      w -= inverse(rotation(k, i)) * dual(Vector3d::Zero(), end.Psi * rate);
    }
    if (k > to) w -= inverse(rotation(k, i)) * dual(Vector3d::UnitZ() * u_[first_[k]]);
  }
  return w;
}

Matrix12 DualScrewChain::differentiation(int i, double x, int j, bool of_screw) const {
  const bool elastic_point = links_[i].is_elastic();
  const Section point = section(i, x);
  const DualVector w = omega(i, i, false, j);
  // (78)
  DualVector auxiliary = elastic_point ? point.v : DualVector::Zero();
  if (i > j) auxiliary += hat(w) * -(elastic_point ? point.p : dual(links_[i].com));
  for (int k = i - 1; k >= j; --k) {
    const DualMatrix to_i = inverse(rotation(k, i));
    const DualMatrix end_to_i = to_i * to_end(k);
    auxiliary += hat(omega(i, k, true, j)) * (end_to_i * -dual(links_[k + 1].p));
    if (!links_[k].is_elastic()) {
      if (k > j) auxiliary += hat(omega(i, k, false, j)) * (to_i * -dual(links_[k].end));
      continue;
    }
    const Section end = section(k, links_[k].length);
    if (k > j) auxiliary += hat(omega(i, k, false, j)) * (to_i * -end.p) + to_i * end.v;
    if (k == j && !of_screw) auxiliary += to_i * end.v;
  }
  // (77)
  Matrix12 d = turned(hat(w));
  d.bottomLeftCorner<6, 6>() = -hat(auxiliary);
  return d;
}

Matrix12X DualScrewChain::columns(int i, double x, Form form) const {
  Matrix12X P = Matrix12X::Zero(12, size());
  for (int j = 0; j <= i; ++j) {
    // (58), (65)
    Vector12 line = Vector12::Zero();
    line[2] = 1.0;
    line = transformation(i, x, j, false) * line;
    P.col(first_[j]) = form == Form::rate ? Vector12(differentiation(i, x, j, false) * line) : line;
    if (!links_[j].is_elastic()) continue;
    // (67) to (75), (94), (95): real in the projecting form, dual in the Jacobian form
    const Section at = section(j, j == i ? x : links_[j].length);
    const int part = form == Form::projecting ? 0 : 3;
    Matrix12X S = Matrix12X::Zero(12, at.Phi.cols());
    S.middleRows<3>(part) = at.Psi;
    S.middleRows<3>(6 + part) = at.Phi;
    if (j < i) {
      S = transformation(i, x, j, true) * S;
      if (form == Form::rate) S = differentiation(i, x, j, true) * S;
    } else if (form == Form::rate) {
      S.setZero();
    }
    P.middleCols(first_[j] + 1, S.cols()) = S;
  }
  return P;
}

Matrix12X DualScrewChain::jacobian_form(int i, double x) const { return columns(i, x, Form::jacobian); }
Matrix12X DualScrewChain::projecting_form(int i, double x) const { return columns(i, x, Form::projecting); }
Matrix12X DualScrewChain::jacobian_rate(int i, double x) const { return columns(i, x, Form::rate); }

// Of frame i.
DualVector DualScrewChain::angular_velocity(int i) const {
  DualVector w = inverse(rotation(0, i)) * dual(Vector3d::UnitZ() * u_[first_[0]]);
  return w - omega(i, i, false, 0);
}

// visit(x, D, w_frame, w_section): a section, or the whole of a rigid link. D of (102), (107).
template <typename Visit>
void DualScrewChain::for_each_point(int i, Visit&& visit) const {
  static const std::vector<GaussPoint> points = gauss_points();
  const ScrewLink& link = links_[i];
  const DualVector w = angular_velocity(i);
  Matrix12 D = Matrix12::Zero();
  if (!link.is_elastic()) {
    D.topLeftCorner<6, 6>() = folded(link.inertia);
    D.bottomRightCorner<6, 6>() = folded(link.mass * Matrix3d::Identity());
    visit(0.0, D, w, w);
    return;
  }
  for (const GaussPoint& point : points) {
    const double x = point.x * link.length, weight = point.weight * link.length;
    const Section s = section(i, x);
    const Matrix3d J = (weight * link.rotary_inertia).asDiagonal();
    const Matrix3d turn = cross_matrix(s.theta.tail<3>());
    D.topLeftCorner<6, 6>() = folded(J, turn * J - J * turn);  // the inertia turns with its section
    D.bottomRightCorner<6, 6>() = folded(weight * link.mass_per_length * Matrix3d::Identity());
    const VectorXd rate = u_.segment(first_[i] + 1, s.Psi.cols());
    visit(x, D, w, DualVector(w + dual(Vector3d::Zero(), s.Psi * rate)));
  }
}

MatrixXd DualScrewChain::M() const {
  MatrixXd M = MatrixXd::Zero(size(), size());
  for (int i = 0; i < static_cast<int>(links_.size()); ++i)
    for_each_point(i, [&](double x, const Matrix12& D, const DualVector&, const DualVector&) {
      const Matrix12X P = projecting_form(i, x);
      M += P.transpose() * D * P;
    });
  return M;
}

// Rigid links by (101); sections by (106), where W^I turns with frame i, in whose coordinates all is, and W^II with the
// section. In D^ W^I the inertia's own first order meets W^I's as it should: [A + A1, A; A, 0] [w].
MatrixXd DualScrewChain::C() const {
  MatrixXd C = MatrixXd::Zero(size(), size());
  for (int i = 0; i < static_cast<int>(links_.size()); ++i)
    for_each_point(i, [&](double x, const Matrix12& D, const DualVector& w, const DualVector& w_section) {
      const Matrix12X P = jacobian_form(i, x);
      Matrix12 W = Matrix12::Zero(), D_W = Matrix12::Zero();
      if (links_[i].is_elastic()) {
        W.topLeftCorner<6, 6>() = hat_below(w_section);
        D_W = D * turned(hat(w));
      } else {
        W.topLeftCorner<6, 6>() = W.bottomRightCorner<6, 6>() = hat_below(w);
      }
      C += projecting_form(i, x).transpose() * (D * jacobian_rate(i, x) + D_W * P + W * D * P);
    });
  return C;
}

// (123), (124): in the coordinates of i, folded.
VectorXd DualScrewChain::gravity() const {
  VectorXd tau = VectorXd::Zero(size());
  for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
    const DualVector g = inverse(joint(0) * rotation(0, i)) * dual(g_);
    for_each_point(i, [&](double x, const Matrix12& D, const DualVector&, const DualVector&) {
      tau += projecting_form(i, x).bottomRows<6>().transpose() * D.bottomRightCorner<6, 6>() * g;
    });
  }
  return tau;
}

// On link i about its z axis; on the link before, at its end, about the same axis: as the end is turned.
VectorXd DualScrewChain::torques(const VectorXd& T) const {
  VectorXd tau = VectorXd::Zero(size());
  const DualMatrix fold = folded(Matrix3d::Identity());
  const auto add = [&](int i, double x, const DualVector& moment) {
    tau += projecting_form(i, x).topRows<6>().transpose() * fold * moment;
  };
  for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
    const DualVector moment = dual(Vector3d::UnitZ() * T[i]);
    add(i, 0.0, moment);
    if (i > 0) add(i - 1, links_[i - 1].length, -(to_end(i - 1) * joint(i) * moment));
  }
  return tau;
}

}  // namespace reference
