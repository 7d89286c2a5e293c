#include "limber/analysis/modes.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/math/dual.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int compared_frequencies = 3;

// dq along a unit velocity in coordinate `i` of v: q's own unit vector, or for a quaternion half its product
// with the unit rate, and for a free joint's translation the turned unit vector.
void add_direction(const Model& model, const VectorXd& q, int i, int direction, VectorX<Dual>& q_dual) {
  for (const Link& link : model.links) {
    const Joint& joint = link.joint;
    if (i >= link.elastic_v_index && i < link.elastic_v_index + link.elastic_count) {
      q_dual[link.elastic_q_index + i - link.elastic_v_index].derivatives()[direction] = 1.0;
      return;
    }
    if (i < joint.v_index || i >= joint.v_index + joint.nv) continue;
    const int local = i - joint.v_index;
    if (joint.nq == joint.nv) {
      q_dual[joint.q_index + local].derivatives()[direction] = 1.0;
      return;
    }
    const bool moves = joint.type == JointType::free;
    const int first = joint.q_index + (moves ? 3 : 0);
    const Eigen::Vector3d u = q.segment<3>(first);
    const double s = q[first + 3];
    if (moves && local < 3) {  // R e = e + 2 s u x e + 2 u x (u x e)
      const Eigen::Vector3d e = Eigen::Vector3d::Unit(local);
      const Eigen::Vector3d turned = e + 2.0 * s * u.cross(e) + 2.0 * u.cross(u.cross(e));
      for (int k = 0; k < 3; ++k) q_dual[joint.q_index + k].derivatives()[direction] = turned[k];
      return;
    }
    const Eigen::Vector3d e = Eigen::Vector3d::Unit(moves ? local - 3 : local);
    const Eigen::Vector3d vector_rate = 0.5 * (s * e + u.cross(e));
    for (int k = 0; k < 3; ++k) q_dual[first + k].derivatives()[direction] = vector_rate[k];
    q_dual[first + 3].derivatives()[direction] = -0.5 * u.dot(e);
    return;
  }
}

// d(gravity forces - forces of loads)/dq
MatrixXd geometric_stiffness(const Model& model, const VectorXd& q,
                             const std::vector<ExternalWrench>& loads) {
  MatrixXd K = MatrixXd::Zero(model.nv, model.nv);
  if (model.gravity.isZero(0.0) && loads.empty()) return K;
  Workspace<Dual> work(model);
  VectorX<Dual> forces(model.nv);
  const VectorX<Dual> rest = VectorX<Dual>::Zero(model.nv);
  for (int first = 0; first < model.nv; first += Dual::direction_count) {
    VectorX<Dual> q_dual = q.cast<Dual>();
    const int directions = std::min(Dual::direction_count, model.nv - first);
    for (int d = 0; d < directions; ++d) add_direction(model, q, first + d, d, q_dual);
    inverse_dynamics(model, work, q_dual, rest, rest, forces, loads);
    for (int i = 0; i < model.nv; ++i)
      for (int d = 0; d < directions; ++d) K(i, first + d) = forces[i].derivatives()[d];
  }
  return 0.5 * (K + K.transpose());
}

std::vector<int> moving_coordinates(const Model& model, JointTreatment joints) {
  std::vector<int> moving;
  for (const Link& link : model.links) {
    if (joints != JointTreatment::locked)
      for (int j = 0; j < link.joint.nv; ++j) moving.push_back(link.joint.v_index + j);
    for (int j = 0; j < link.elastic_count; ++j) moving.push_back(link.elastic_v_index + j);
  }
  return moving;
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
