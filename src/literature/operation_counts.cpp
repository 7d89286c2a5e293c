// SPDX-License-Identifier: BSD-3-Clause
#include "limber/literature/operation_counts.hpp"

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/model/loops.hpp"

namespace limber {
namespace {

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

// A bent arm that moves. Counts hardly depend on where: series have as many terms on either side of a switch.
VectorX<Counting> bent(const Model& model) {
  constexpr double angles = 0.3, deflections = 0.01;
  Eigen::VectorXd q = neutral_configuration(model);
  for (const Link& link : model.links()) {
    if (!link.joint.has_quaternion()) q.segment(link.joint.q_index, link.joint.nq).array() += angles;
    q.segment(link.elastic_q_index, link.elastic_count).array() += deflections;
  }
  return q.cast<Counting>();
}

}  // namespace

std::vector<AlgorithmCount> count_algorithms(const Model& model) {
  require_plain_tree(model, "`count`");
  const int nv = model.nv();
  Workspace<Counting> work(model);
  const VectorX<Counting> q = bent(model), v = VectorX<Counting>::Constant(nv, 0.1), tau = v,
                          zero = VectorX<Counting>::Constant(nv, 0.0);
  VectorX<Counting> result(nv);
  MatrixX<Counting> M(nv, nv);
  Matrix6X<Counting> J(6, nv);
  std::vector<AlgorithmCount> counts;
  const auto count = [&](const char* name, const char* meaning, auto&& run) {
    Counting::reset();
    run();
    counts.push_back({name, meaning, Counting::operations()});
  };
  count("recursive", "accelerations by block elimination, O(n)",
        [&] { forward_dynamics(model, work, q, v, tau, result); });
  count("dense", "accelerations by composite bodies, Newton-Euler and Cholesky", [&] {
    mass_matrix(model, work, q, M);
    inverse_dynamics(model, work, q, v, zero, result);
    for (int i = 0; i < nv; ++i) result[i] = tau[i] - result[i];
    solve_by_cholesky(M, result);
  });
  count("inverse_dynamics", "forces from accelerations, by Newton-Euler",
        [&] { inverse_dynamics(model, work, q, v, tau, result); });
  count("mass_matrix", "M, by composite bodies", [&] { mass_matrix(model, work, q, M); });
  count("bias", "C v + G", [&] { bias_forces(model, work, q, v, result); });
  count("gravity", "G", [&] { gravity_forces(model, work, q, result); });
  count("kinematics", "poses of all links", [&] {
    update_positions(model, work, q);
    update_world_poses(work);
  });
  count("jacobian", "J of the end effector, poses included", [&] {
    update_positions(model, work, q);
    update_world_poses(work);
    frame_jacobian(model, work, end_effector_frame(model), MotionAxes::local_world_aligned, J);
  });
  count("energy", "kinetic, gravity's and strain energy", [&] { energy<Counting>(model, work, q, v); });
  return counts;
}

PublishedCount mohan_saha_count(int n, int m) {
  const double h = 1 + 2 * m, k = m;  // h: their m^, coordinates of a link
  const double shared = (2 * k * k + 13 * k + 27) * h;
  return {(2 * k * k + 180 * k + 299 + h * h * h / 6 + (2 * k + 7.5) * h * h +
           (2 * k * k + 15 * k + 100.0 / 3) * h) *
                  n -
              (124 * k + 229 + shared),
          (6 * k * k + 122 * k + 220 + h * h * h / 6 + h * h / 2 + (6 * k * k + 27 * k + 82.0 / 3) * h) * n -
              (94 * k + 192 + shared)};
}

PublishedCount jain_rodriguez_count(int n, int m) {
  const double k = m;
  constexpr int first_branch = 7;
  if (n <= first_branch)
    return {(5 * k * k * k / 6 + 27 * k * k / 2 + 893 * k / 3 + 281) * n,
            (5 * k * k * k / 6 + 23 * k * k / 2 + 677 * k / 3 + 256) * n};
  return {(13 * k * k + 298 * k + 673) * n, (14 * k * k + 225 * k + 537) * n};
}

PublishedCount cyril_count(int n, int m) {
  const double h = 1 + 2 * m, k = m, k3 = k * k * k / 6;
  const double cubic = h * h * h / 6 + h * h * (1 - k / 2) + h * (k * k / 2 - 2 * k) - k3 + k * k;
  const double square_M = -1.5 * h * h + h * (3 * k + 16.5) - 1.5 * k * k - 7.5 * k + 12;
  const double square_A = -1.5 * h * h + h * (3 * k + 13) - 1.5 * k * k - 8.5 * k + 9;
  const double linear_M = 5 * h * h - h * (10 * k + 109.0 / 6) + k3 + 53 * k * k / 6 + 233 * k / 3 + 246;
  const double linear_A = 5 * h * h - h * (10 * k + 85.0 / 6) + k3 + 53 * k * k / 6 + 251 * k / 3 + 228;
  return {((cubic * n + square_M) * n + linear_M) * n - 123,
          ((cubic * n + square_A) * n + linear_A) * n - 102};
}

}  // namespace limber
