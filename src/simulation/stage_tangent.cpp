// SPDX-License-Identifier: BSD-3-Clause
// The arm at one stage of a step: (1) to (3) of step_derivatives.hpp.

#include <array>
#include <utility>
#include <vector>

#include "limber/algorithms/configuration.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/formulations/prescribed_rows.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "step_methods.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Coefficients of (3) of configuration.hpp: P(z) = Sum c_k ad_z^k.
constexpr std::array<std::pair<int, double>, 8> exponential_rate{{{0, 1.0},
                                                                  {1, 1.0 / 2},
                                                                  {2, 1.0 / 12},
                                                                  {4, -1.0 / 720},
                                                                  {6, 1.0 / 30240},
                                                                  {8, -1.0 / 1209600},
                                                                  {10, 1.0 / 47900160},
                                                                  {12, -691.0 / 1307674368000}}};

}  // namespace

StageTangent::StageTangent(System& system)
    : system_(system),
      n_(system.nv()),
      m_(system.memory_size()),
      rates_(system.integral_count()),
      has_quaternions_(system.has_quaternions()),
      work_(std::make_shared<DerivativeWorkspace>(system.model())),
      stiffness_(elastic_stiffness(system.model())),
      damping_(damping_matrix(system.model())),
      moved_q_(system.nq()),
      moved_a_(system.nv()),
      way_(system.nv()) {
  stage.q.resize(system.nq());
  stage.v.resize(n_);
  stage.a.resize(n_);
  stage.integrals.setZero(system.integral_count());
}

void StageTangent::evaluate(double t, const VectorXd& q0, const VectorXd& z, const VectorXd& v,
                            const VectorXd& x) {
  stage.t = t;
  displace(system_.model(), q0, z, stage.q);
  stage.v = v;
  stage.integrals.tail(m_) = x;
  system_.accelerate(t, stage.q, stage.v, stage.integrals, stage.a, rates_);
  memory_rate = rates_.tail(m_);
  z_rate.resize(n_);
  displacement_rate(system_.model(), z, stage.v, z_rate);
}

// What acts at a state that is displaced along one coordinate: motors, less friction.
const VectorXd& StageTangent::forces_at(double along_q, double along_v, int coordinate) {
  way_.setZero();
  way_[coordinate] = along_q;
  displace(system_.model(), stage.q, way_, moved_q_);
  moved_v_ = stage.v;
  moved_v_[coordinate] += along_v;
  forces_ = system_.applied_forces(stage.t, moved_q_, moved_v_, stage.integrals, moved_a_).tau;
  return forces_;
}

// How they change along a coordinate, to fourth order: with p_k what k steps to both sides differ by, (8 p_1 - p_2)/(12 step). The wider the steps, the less is left of rounding; p_1/(2 step)
// is a formula of second order, and what both differ by, squared, is what fourth order leaves. Where that is too much (friction that turns within 1e-3 rad/s), narrow steps.
VectorXd StageTangent::force_slope(bool by_position, int coordinate) {
  constexpr double wide = 1e-4, narrow_q = 1e-5, narrow_v = 1e-6;
  constexpr double smooth = 1e-6;     // squared it is nothing
  constexpr double rounding = 1e-11;  // 1e-16 of the forces over the wide step, and some
  const auto pair = [&](double way) {
    const VectorXd ahead = forces_at(by_position ? way : 0.0, by_position ? 0.0 : way, coordinate);
    const VectorXd& behind = forces_at(by_position ? -way : 0.0, by_position ? 0.0 : -way, coordinate);
    return VectorXd(ahead - behind);
  };
  const auto slope = [&](double step, const VectorXd& p_1) {
    return VectorXd((8.0 * p_1 - pair(2.0 * step)) / (12.0 * step));
  };
  const VectorXd p_1 = pair(wide), found = slope(wide, p_1);
  if ((p_1 / (2.0 * wide) - found).norm() <= smooth * found.norm() + rounding * forces_.norm()) return found;
  const double narrow = by_position ? narrow_q : narrow_v;
  return slope(narrow, pair(narrow));
}

// System::tangent is for iterations that converge with any: controllers need not tell it their slopes (Controller::add_gains). Here their forces are differenced, to fourth
// order; all else is exact. (Cylinders have no place among those forces: their arms keep what System knows.)
void StageTangent::find_tangent() {
  const Model& model = system_.model();
  if (!model.cylinders().empty())
    return system_.tangent(stage.t, stage.q, stage.v, stage.integrals, stage.a, tangent_);
  for (MatrixXd* matrix : {&tangent_.M, &tangent_.K, &tangent_.C}) matrix->resize(n_, n_);
  force_derivatives(model, *work_, stage.q, stage.v, stage.a, tangent_.K, tangent_.C, tangent_.M,
                    system_.active_loads());
  tangent_.K += stiffness_;
  tangent_.C += damping_;
  for (int j = 0; j < n_; ++j) {
    tangent_.K.col(j) -= force_slope(true, j);
    tangent_.C.col(j) -= force_slope(false, j);
  }
  for (const int link : system_.held_links()) {
    const int c = model.links()[static_cast<std::size_t>(link)].joint.driven_index();
    make_row_identity(tangent_.M, c);
    for (MatrixXd* matrix : {&tangent_.C, &tangent_.K}) clear_row_and_column(*matrix, c);
  }
}

// (1), and the matrices of (2) and (3) at z.
void StageTangent::differentiate(const VectorXd& z) {
  find_tangent();
  M_.compute(tangent_.M);
  a_d.noalias() = -M_.solve(tangent_.K);
  a_v.noalias() = -M_.solve(tangent_.C);
  if (m_ > 0) {
    system_.memory_slopes(stage.t, stage.q, stage.v, stage.integrals, slopes_);
    a_x = M_.solve(slopes_.force);
  } else {
    a_x.resize(n_, 0);
  }
  if (has_quaternions_) find_maps(z);
}

void StageTangent::find_maps(const VectorXd& z) {
  const MatrixXd ad = displacement_coupling(system_.model(), z);
  std::vector<MatrixXd> powers = {MatrixXd::Identity(n_, n_)};
  for (int k = 1; k <= exponential_rate.back().first; ++k) powers.push_back(powers.back() * ad);
  P_.setZero(n_, n_);
  P_back_.setZero(n_, n_);
  by_z_.setZero(n_, n_);
  for (const auto& [k, c] : exponential_rate) {
    const MatrixXd& power = powers[static_cast<std::size_t>(k)];
    P_ += c * power;
    P_back_ += (k % 2 == 0 ? c : -c) * power;
    // d(ad^k v) = Sum ad^i (dz x) ad^(k-1-i) v, and (dz x) w = -(w x) dz.
    for (int i = 0; i < k; ++i) {
      const VectorXd w = powers[static_cast<std::size_t>(k - 1 - i)] * stage.v;
      by_z_ -= c * powers[static_cast<std::size_t>(i)] * displacement_coupling(system_.model(), w);
    }
  }
  P_inverse_ = P_.inverse();
}

MatrixXd StageTangent::stage_displacement(const Eigen::Ref<const MatrixXd>& d0, const MatrixXd& dz) const {
  if (!has_quaternions_) return d0 + dz;
  return P_inverse_ * (P_back_ * d0 + dz);
}

MatrixXd StageTangent::z_rate_change(const MatrixXd& dz, const MatrixXd& dv) const {
  if (!has_quaternions_) return dv;
  return by_z_ * dz + P_ * dv;
}

MatrixXd StageTangent::acceleration_change(const MatrixXd& d, const MatrixXd& dv, const MatrixXd& dx) const {
  MatrixXd change = a_d * d + a_v * dv;
  if (m_ > 0) change += a_x * dx;
  return change;
}

MatrixXd StageTangent::memory_change(const MatrixXd& d, const MatrixXd& dv, const MatrixXd& dx) const {
  if (m_ == 0) return MatrixXd::Zero(0, d.cols());
  return slopes_.dq * d + slopes_.dv * dv + slopes_.dx * dx;
}

void StageTangent::find_sources(const StepSource& source, Index columns) {
  force.setZero(n_, columns);
  rates.setZero(m_, columns);
  if (!source) return;
  source(stage, force, rates);
  for (const int link : system_.held_links()) {
    const Joint& joint = system_.model().links()[static_cast<std::size_t>(link)].joint;
    force.row(joint.driven_index()).setZero();
  }
  force = M_.solve(force);
}

MatrixXd StageTangent::jacobian() const {
  const Index N = 2 * n_ + m_;
  MatrixXd J = MatrixXd::Zero(N, N);
  const MatrixXd one = MatrixXd::Identity(n_, n_);
  const MatrixXd& P_inverse = has_quaternions_ ? P_inverse_ : one;
  if (has_quaternions_) J.topLeftCorner(n_, n_) = by_z_;
  J.block(0, n_, n_, n_) = has_quaternions_ ? P_ : one;
  J.block(n_, 0, n_, n_) = has_quaternions_ ? MatrixXd(a_d * P_inverse) : a_d;
  J.block(n_, n_, n_, n_) = a_v;
  if (m_ > 0) {
    J.block(n_, 2 * n_, n_, m_) = a_x;
    J.block(2 * n_, 0, m_, n_) = slopes_.dq * P_inverse;
    J.block(2 * n_, n_, m_, n_) = slopes_.dv;
    J.bottomRightCorner(m_, m_) = slopes_.dx;
  }
  return J;
}

}  // namespace limber
