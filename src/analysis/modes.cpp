#include "limber/analysis/modes.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>
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

NaturalModes no_modes(const Model& model) {
  return {VectorXd(0), MatrixXd(model.nv, 0), MatrixXd(), MatrixXd(model.nv, 0)};
}

Eigen::Index modes_wanted(int count, const std::vector<int>& moving) {
  const auto all = static_cast<Eigen::Index>(moving.size());
  return count > 0 ? std::min(static_cast<Eigen::Index>(count), all) : all;
}

MatrixXd moving_mass(const Model& model, const VectorXd& q, const std::vector<int>& moving) {
  Workspace<double> work(model);
  MatrixXd M(model.nv, model.nv);
  mass_matrix(model, work, q, M);
  const MatrixXd M_moving = M(moving, moving);
  require_positive_definite(model, M_moving, moving);
  return M_moving;
}

// One column of the result, from a shape over the moving coordinates: real, or with a part in quadrature.
void add_mode(const std::vector<int>& moving, const MatrixXd& M, const Eigen::VectorXcd& given,
              Eigen::Index k, NaturalModes& result) {
  Eigen::Index largest = 0;
  given.cwiseAbs().maxCoeff(&largest);
  const Eigen::VectorXcd shape = given / given[largest];
  const Eigen::VectorXcd momentum = M * shape;
  const double modal_mass = shape.dot(momentum).real();
  for (std::size_t i = 0; i < moving.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    result.shapes(moving[i], k) = shape[row].real();
    if (result.quadrature.size() > 0) result.quadrature(moving[i], k) = shape[row].imag();
    result.participation(moving[i], k) = (std::conj(shape[row]) * momentum[row]).real() / modal_mass;
  }
}

NaturalModes solve(const Model& model, const VectorXd& q, const MatrixXd& K, const std::vector<int>& moving,
                   int count) {
  if (moving.empty()) return no_modes(model);
  const MatrixXd M = moving_mass(model, q, moving), K_moving = K(moving, moving);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K_moving, M);
  const Eigen::Index modes = modes_wanted(count, moving);
  NaturalModes result{VectorXd(modes), MatrixXd::Zero(model.nv, modes), MatrixXd(),
                      MatrixXd::Zero(model.nv, modes)};
  for (Eigen::Index k = 0; k < modes; ++k) {
    const double squared = solver.eigenvalues()[k];
    result.angular_frequencies[k] = squared < 0 ? -std::sqrt(-squared) : std::sqrt(squared);
    add_mode(moving, M, solver.eigenvectors().col(k).cast<std::complex<double>>(), k, result);
  }
  return result;
}

struct Root {
  double frequency;
  Eigen::VectorXcd shape;  // in modal coordinates
};

// (2) in the coordinates y of the modes without G (M = 1, K = Lambda > 0). For x = (sqrt(Lambda) y, y') it reads
// x' = S x with S skew-symmetric: i S is Hermitian, and all frequencies are real.
std::vector<Root> stable_roots(const VectorXd& squares, const MatrixXd& G) {
  const auto n = squares.size();
  const VectorXd roots = squares.cwiseSqrt();
  Eigen::MatrixXcd H = Eigen::MatrixXcd::Zero(2 * n, 2 * n);
  const std::complex<double> i(0.0, 1.0);
  H.topRightCorner(n, n) = i * roots.asDiagonal().toDenseMatrix().cast<std::complex<double>>();
  H.bottomLeftCorner(n, n) = -H.topRightCorner(n, n);
  H.bottomRightCorner(n, n) = -i * G.cast<std::complex<double>>();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> solver(H);
  std::vector<Root> found;  // eigenvalues ascend and come in pairs: the upper half is positive
  for (Eigen::Index k = n; k < 2 * n; ++k)
    found.push_back({solver.eigenvalues()[k],
                     solver.eigenvectors().col(k).head(n).cwiseQuotient(roots.cast<std::complex<double>>())});
  return found;
}

// The same where Lambda is not positive. Eigenvalues s come with -s and with their conjugates.
std::vector<Root> general_roots(const VectorXd& squares, const MatrixXd& G) {
  const auto n = squares.size();
  MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -squares.asDiagonal().toDenseMatrix();
  A.bottomRightCorner(n, n) = -G;
  const Eigen::EigenSolver<MatrixXd> solver(A);
  const double scale = solver.eigenvalues().cwiseAbs().maxCoeff();
  std::vector<Root> found;
  int zeros = 0;
  for (Eigen::Index i = 0; i < 2 * n; ++i) {
    const std::complex<double> s = solver.eigenvalues()[i];
    const Eigen::VectorXcd shape = solver.eigenvectors().col(i).head(n);
    if (std::abs(s) <= 1e-7 * scale) {  // a motion without stiffness: a double zero, known to half the digits
      if (++zeros % 2 == 0) found.push_back({0.0, shape});
    } else if (std::abs(s.real()) <= 1e-7 * std::abs(s)) {
      if (s.imag() > 0.0) found.push_back({s.imag(), shape});  // swings
    } else if (s.real() > 0.0 && s.imag() > -1e-12 * scale) {
      found.push_back({-std::abs(s), shape});                                // grows
      if (s.imag() > 1e-12 * scale) found.push_back({-std::abs(s), shape});  // flutter: two modes have met
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Root& a, const Root& b) { return a.frequency < b.frequency; });
  return found;
}

NaturalModes solve_gyroscopic(const Model& model, const VectorXd& q, const MatrixXd& K, const MatrixXd& G,
                              const std::vector<int>& moving, int count) {
  if (moving.empty()) return no_modes(model);
  const MatrixXd M = moving_mass(model, q, moving);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modal(MatrixXd(K(moving, moving)), M);
  const MatrixXd& Phi = modal.eigenvectors();
  const MatrixXd G_modal = Phi.transpose() * G(moving, moving) * Phi;
  const bool stable = modal.eigenvalues()[0] > 1e-14 * modal.eigenvalues().cwiseAbs().maxCoeff();
  const std::vector<Root> found =
      stable ? stable_roots(modal.eigenvalues(), G_modal) : general_roots(modal.eigenvalues(), G_modal);
  const Eigen::Index modes = std::min(modes_wanted(count, moving), static_cast<Eigen::Index>(found.size()));
  NaturalModes result{VectorXd(modes), MatrixXd::Zero(model.nv, modes), MatrixXd::Zero(model.nv, modes),
                      MatrixXd::Zero(model.nv, modes)};
  for (Eigen::Index k = 0; k < modes; ++k) {
    const Root& root = found[static_cast<std::size_t>(k)];
    result.angular_frequencies[k] = root.frequency;
    add_mode(moving, M, Phi * root.shape, k, result);
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
  return solve(model, q, tangent_stiffness(model, q, springs, loads), moving_coordinates(model, joints),
               count);
}

NaturalModes steady_rotation_modes(const Model& model, const VectorXd& q, const std::vector<SteadyRate>& spin,
                                   JointTreatment joints, int count, const std::vector<ExternalWrench>& loads,
                                   Gyroscopic gyroscopic) {
  std::vector<int> moving = moving_coordinates(model, joints);
  VectorXd v = VectorXd::Zero(model.nv);
  for (const SteadyRate& steady : spin) {
    v[steady.coordinate] = steady.rate;
    std::erase(moving, steady.coordinate);
  }
  ForceDifferentiator differentiator(model);
  const MatrixXd dq = differentiator.by_position(q, v, VectorXd::Zero(model.nv), loads, moving);
  const MatrixXd K =
      elastic_stiffness(model, joints == JointTreatment::as_modelled) + 0.5 * (dq + dq.transpose());
  if (gyroscopic == Gyroscopic::left_out) return solve(model, q, K, moving, count);
  const MatrixXd dv = differentiator.by_velocity(q, v, moving);
  return solve_gyroscopic(model, q, K, 0.5 * (dv - dv.transpose()), moving, count);
}

BasisError basis_error(const Model& model) {
  BasisError error;
  const bool bends = std::any_of(model.links.begin(), model.links.end(),
                                 [](const Link& link) { return link.elastic_count > 0; });
  if (!bends) return error;
  const auto frequencies = [](const Model& arm) {
    return solve(arm, neutral_configuration(arm), elastic_stiffness(arm, false), elastic_coordinates(arm),
                 compared_frequencies)
        .angular_frequencies;
  };
  error.frequencies = frequencies(model);
  error.refined = frequencies(refined_model(model)).head(error.frequencies.size());
  error.largest = ((error.frequencies - error.refined).array() / error.refined.array()).abs().maxCoeff();
  return error;
}

}  // namespace limber
