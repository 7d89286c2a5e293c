#include "limber/analysis/modes.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/core/computation_error.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int compared_frequencies = 3;

// The symmetric part of d(gravity forces - forces of loads)/dq.
MatrixXd geometric_stiffness(const Model& model, const VectorXd& q,
                             const std::vector<ExternalWrench>& loads) {
  if (model.gravity.isZero(0.0) && loads.empty()) return MatrixXd::Zero(model.nv, model.nv);
  const VectorXd rest = VectorXd::Zero(model.nv);
  const MatrixXd K = ForceDifferentiator(model).by_position(q, rest, rest, loads, all_coordinates(model));
  return 0.5 * (K + K.transpose());
}

std::vector<int> moving_coordinates(const Model& model, JointTreatment joints) {
  return joints == JointTreatment::locked ? elastic_coordinates(model) : all_coordinates(model);
}

void require_positive_definite(const Model& model, const MatrixXd& M, const std::vector<int>& moving) {
  const Eigen::LLT<MatrixXd> factor(M);
  if (factor.info() == Eigen::Success) return;
  // The first leading block that fails names the coordinate.
  for (Eigen::Index n = 1; n <= M.rows(); ++n)
    if (Eigen::LLT<MatrixXd>(M.topLeftCorner(n, n)).info() != Eigen::Success)
      throw ComputationError("the mass matrix is singular at coordinate `" +
                             model.coordinates[moving[static_cast<std::size_t>(n - 1)]] +
                             "`: nothing that it moves has mass or inertia in its direction");
}

NaturalModes solve(const Model& model, const VectorXd& q, const MatrixXd& K, JointTreatment joints,
                   int count) {
  const std::vector<int> moving = moving_coordinates(model, joints);
  Workspace<double> work(model);
  MatrixXd M(model.nv, model.nv);
  mass_matrix(model, work, q, M);
  const MatrixXd M_moving = M(moving, moving), K_moving = K(moving, moving);
  if (moving.empty()) return {VectorXd(0), MatrixXd(model.nv, 0), MatrixXd(model.nv, 0)};
  require_positive_definite(model, M_moving, moving);

  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K_moving, M_moving);
  const auto modes = static_cast<Eigen::Index>(
      count > 0 ? std::min<std::size_t>(static_cast<std::size_t>(count), moving.size()) : moving.size());
  NaturalModes result{VectorXd(modes), MatrixXd::Zero(model.nv, modes), MatrixXd::Zero(model.nv, modes)};
  for (Eigen::Index k = 0; k < modes; ++k) {
    const double squared = solver.eigenvalues()[k];
    result.angular_frequencies[k] = squared < 0 ? -std::sqrt(-squared) : std::sqrt(squared);
    VectorXd shape = solver.eigenvectors().col(k);
    Eigen::Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    shape /= shape[largest];
    const VectorXd momentum = M_moving * shape;
    const double modal_mass = shape.dot(momentum);
    for (std::size_t i = 0; i < moving.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      result.shapes(moving[i], k) = shape[row];
      result.participation(moving[i], k) = shape[row] * momentum[row] / modal_mass;
    }
  }
  return result;
}

// Every direction of every beam with so many Craig-Bampton shapes that its first frequencies have converged.
Model refined_model(const Model& model) {
  constexpr int refined_count = 10;
  ModelDescription description = model.description;
  for (LinkDescription& link : description.links) {
    if (!link.beam) continue;
    link.beam->damping.reset();
    for (const Direction direction : all_directions) {
      auto& modes = link.beam->modes.of(direction);
      if (!modes) continue;
      const int count =
          modes->count.value_or(modes->table ? static_cast<int>(modes->table->values.cols()) : 0);
      ModesDescription finer;
      finer.count = std::max(refined_count, count + 4);
      modes = finer;
    }
  }
  description.kinematics =
      KinematicOrder::first;  // straight and without gravity, the second order does not show
  return build_model(description);
}

}  // namespace

MatrixXd tangent_stiffness(const Model& model, const VectorXd& q, bool joint_springs,
                           const std::vector<ExternalWrench>& loads) {
  return elastic_stiffness(model, joint_springs) + geometric_stiffness(model, q, loads);
}

NaturalModes natural_modes(const Model& model, const VectorXd& q, JointTreatment joints, int count,
                           const std::vector<ExternalWrench>& loads) {
  const bool springs = joints == JointTreatment::as_modelled;
  return solve(model, q, tangent_stiffness(model, q, springs, loads), joints, count);
}

BasisError basis_error(const Model& model) {
  BasisError error;
  const bool bends = std::any_of(model.links.begin(), model.links.end(),
                                 [](const Link& link) { return link.elastic_count > 0; });
  if (!bends) return error;
  const auto frequencies = [](const Model& arm) {
    return solve(arm, neutral_configuration(arm), elastic_stiffness(arm, false), JointTreatment::locked,
                 compared_frequencies)
        .angular_frequencies;
  };
  error.frequencies = frequencies(model);
  error.refined = frequencies(refined_model(model)).head(error.frequencies.size());
  error.largest = ((error.frequencies - error.refined).array() / error.refined.array()).abs().maxCoeff();
  return error;
}

}  // namespace limber
