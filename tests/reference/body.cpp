// SPDX-License-Identifier: BSD-3-Clause
#include "reference/body.hpp"

#include <Eigen/Eigenvalues>

namespace reference {
namespace {

std::vector<PointMass> point_masses(Real mass, const Vector3& com, const Matrix3& inertia) {
  constexpr Real h = 1;
  const Matrix3 S = inertia.trace() / 2 * Matrix3::Identity() - inertia;
  std::vector<PointMass> points;
  Real at_center = mass;
  if (!S.isZero(0)) {
    const Eigen::SelfAdjointEigenSolver<Matrix3> principal(S);
    for (int i = 0; i < 3; ++i) {
      const Real share = principal.eigenvalues()[i] / (2 * h * h);
      const Vector3 offset = h * principal.eigenvectors().col(i);
      points.push_back({share, com + offset});
      points.push_back({share, com - offset});
      at_center -= 2 * share;
    }
  }
  if (at_center != 0) points.push_back({at_center, com});
  return points;
}

/// Elements ixx iyy izz ixy ixz iyz.
std::vector<PointMass> point_masses(Real mass, const Eigen::Vector3d& com, const limber::InertiaElements& I) {
  Matrix3 inertia;
  inertia << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
  return point_masses(mass, com.cast<Real>(), inertia);
}

}  // namespace

Body::Body(const limber::LinkDescription& link, limber::KinematicOrder order)
    : X_BR_(fixed_frame(link.root.xyz, link.root.rpy)),
      in_B_(point_masses(link.root.mass, link.root.com, link.root.inertia)) {
  if (link.rigid) {
    X_RT_ = fixed_frame(link.rigid->tip.xyz, link.rigid->tip.rpy);
    in_R_ = point_masses(link.rigid->mass, link.rigid->com, link.rigid->inertia);
  } else {
    beam_.emplace(link.beam.value(), order);
    damping_ = link.beam->damping;
    for (const BeamPoint& point : beam_->points()) {
      const Matrix3 rotary = (point.weight * point.section.rotary_inertia).asDiagonal();
      in_sections_.push_back(
          point_masses(point.weight * point.section.mass_per_length, Vector3::Zero(), rotary));
    }
  }
  if (link.tip) in_T_ = point_masses(link.tip->mass, link.tip->com, link.tip->inertia);

  const auto list = [&](const std::vector<PointMass>& points) {
    for (const PointMass& point : points) masses_.push_back(point.mass);
  };
  list(in_B_);
  list(in_R_);
  for (const auto& section : in_sections_) list(section);
  list(in_T_);
}

std::vector<Jet<Vector3>> Body::points(const ElasticState& eta) const {
  std::vector<Jet<Vector3>> places;
  const auto place = [&](const Frame& frame, const std::vector<PointMass>& points) {
    for (const PointMass& point : points) places.push_back(frame * point.offset);
  };
  place(Frame{}, in_B_);
  place(X_BR_, in_R_);
  if (beam_) {
    const DeflectionField field = beam_->field(eta);
    for (std::size_t i = 0; i < in_sections_.size(); ++i)
      place(X_BR_ * field.section(beam_->points()[i].x), in_sections_[i]);
  }
  place(node(1, eta), in_T_);
  return places;
}

Frame Body::node(Real at, const ElasticState& eta) const {
  return X_BR_ * (beam_ ? beam_->node(beam_->field(eta), at) : X_RT_);
}

/// M_ee at eta = 0: B is held, and coordinate j moves a point by its velocity at etad_j = 1.
MatrixX Body::rest_inertia() const {
  const int m = elastic_count();
  const auto count = static_cast<Eigen::Index>(masses_.size());
  MatrixX J(3 * count, m);
  for (int j = 0; j < m; ++j) {
    ElasticState eta(m, constant(Real{0}));
    eta[j].c1 = 1;
    const auto places = points(eta);
    for (Eigen::Index i = 0; i < count; ++i) J.block<3, 1>(3 * i, j) = places[i].c1;
  }
  MatrixX M = MatrixX::Zero(m, m);
  for (Eigen::Index i = 0; i < count; ++i)
    M += masses_[i] * J.middleRows<3>(3 * i).transpose() * J.middleRows<3>(3 * i);
  return M;
}

/// Modal: C = M V diag(2 ratio omega) V^T M with K V = M V omega^2, V^T M V = 1. The same pairs, scaled by
/// the stiffness instead, M U = K U mu, U^T K U = 1, mu = 1 / omega^2, V = U / sqrt(mu), exist for
/// coordinates without inertia too (mu = 0), and M V = K U sqrt(mu), so
///   C = K U diag(2 ratio sqrt(mu)) U^T K.
MatrixX Body::damping() const {
  const int m = elastic_count();
  if (!damping_ || m == 0) return MatrixX::Zero(m, m);
  const MatrixX K = stiffness(), M = rest_inertia();
  if (!damping_->ratio) return Real{damping_->alpha.value_or(0)} * M + Real{damping_->beta.value_or(0)} * K;
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> pairs(M, K);
  const VectorX factor = 2 * Real{*damping_->ratio} * pairs.eigenvalues().cwiseMax(Real{0}).cwiseSqrt();
  const MatrixX KU = K * pairs.eigenvectors();
  return KU * factor.asDiagonal() * KU.transpose();
}

}  // namespace reference
