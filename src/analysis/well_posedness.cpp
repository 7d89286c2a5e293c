// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/well_posedness.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "limber/algorithms/link_by_link.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/loops.hpp"
#include "limber/model/telescopes.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double negligible = 1e-12;  ///< an inertia beside the largest one

// All that accelerates, without the wrenches: where link i's y begins; last the total.
std::vector<int> motion_offsets(const StackedSystem& system) {
  std::vector<int> offsets{0};
  for (int i = 0; i < system.link_count(); ++i) offsets.push_back(offsets.back() + system.block(i).size());
  return offsets;
}

// rows (G y_i - H y_p), for rows in B's axes.
MatrixXd relative_motion(const StackedSystem& system, const std::vector<int>& offsets, int i,
                         const MatrixXd& rows) {
  const LinkBlock& block = system.block(i);
  const auto at = [&](int link) { return offsets[static_cast<std::size_t>(link)]; };
  MatrixXd result = MatrixXd::Zero(rows.rows(), offsets.back());
  result.middleCols(at(i), block.size()) = rows * block.G;
  if (block.parent >= 0) result.middleCols(at(block.parent), block.H.cols()) -= rows * block.H;
  return result;
}

// Rows and columns scaled so that the largest entry of each is one, or nearly: what is left of the condition number is
// not a matter of units.
double scaled_condition(MatrixXd A) {
  for (int pass = 0; pass < 3; ++pass) {
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double largest = A.row(i).cwiseAbs().maxCoeff();
      if (largest > 0.0) A.row(i) /= largest;
    }
    for (Eigen::Index i = 0; i < A.cols(); ++i) {
      const double largest = A.col(i).cwiseAbs().maxCoeff();
      if (largest > 0.0) A.col(i) /= largest;
    }
  }
  return 1.0 / Eigen::PartialPivLU<MatrixXd>(A).rcond();
}

// What Runge-Kutta's method of order 4 multiplies a vibration by in one step.
double growth(const std::complex<double>& z) {
  return std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0))));
}

// The longest step up to which nothing grows. On the imaginary axis growth is 1 - z^6/144 + z^8/1152: rounding is not
// taken for it.
double longest_runge_kutta_step(const std::complex<double>& lambda) {
  constexpr double rounding = 1e-12, within = 0.1,
                   beyond = 4.0;  // the step times |lambda|: surely stable, surely not
  constexpr double grows = 1e-9, resolution = 1e-6;
  const double size = std::abs(lambda);
  if (growth(lambda * (within / size)) > 1.0 + grows) return 0.0;  // the motion itself grows
  double low = within, high = beyond;
  while (high - low > resolution) {
    const double middle = 0.5 * (low + high);
    (growth(lambda * (middle / size)) <= 1.0 + rounding ? low : high) = middle;
  }
  return low / size;
}

// |1 + h lambda| <= 1 for h up to -2 Re(lambda) / |lambda|^2.
double longest_euler_step(const std::complex<double>& lambda) {
  constexpr double undamped = 1e-9;
  return -lambda.real() > undamped * std::abs(lambda) ? -2.0 * lambda.real() / std::norm(lambda) : 0.0;
}

}  // namespace

std::vector<int> dependent_rows(const MatrixXd& A, double tolerance) {
  std::vector<int> dependent;
  MatrixXd basis(A.cols(), std::min(A.rows(), A.cols()));
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    VectorXd row = A.row(i).transpose();
    const double size = row.norm();
    for (int pass = 0; pass < 2; ++pass)  // once more, for what rounding left over
      row -= basis.leftCols(count) * (basis.leftCols(count).transpose() * row);
    if (row.norm() <= tolerance * size || count == basis.cols())
      dependent.push_back(static_cast<int>(i));
    else
      basis.col(count++) = row.normalized();
  }
  return dependent;
}

WellPosedness well_posedness(const Model& model, const Input<double>& q, const Input<double>& v) {
  require_plain_tree(model, "the test of the dae's equations");
  require_no_telescopes(model, "the test of the dae's equations");
  const detail::Call call{"well_posedness", model};
  call.require_position("q", q);
  call.require_velocity("v", v);
  LinkByLink arm(model);
  const VectorXd zero = VectorXd::Zero(model.nv());
  arm.update(q, v);
  arm.assemble(q, v, zero, zero, {});
  const StackedSystem& system = arm.system();
  const std::vector<int> offsets = motion_offsets(system);
  WellPosedness report;
  report.unknowns = system.size();

  std::vector<std::string> owners;
  for (const Link& link : model.links())
    for (int row = link.joint.facts().moving(); row < 6; ++row) owners.push_back(link.joint.name);
  report.constraints = static_cast<int>(owners.size());
  MatrixXd Gc(report.constraints, offsets.back()), M = MatrixXd::Zero(offsets.back(), offsets.back());
  MatrixXd to_joints = MatrixXd::Zero(model.nv(), offsets.back());  // the coordinates' own accelerations
  int row = 0;
  for (int i = 0; i < system.link_count(); ++i) {
    const Link& link = model.links()[static_cast<std::size_t>(i)];
    const int at = offsets[static_cast<std::size_t>(i)], n = system.block(i).size();
    const MatrixXd N = arm.constrained_directions(i);
    Gc.middleRows(row, N.rows()) = relative_motion(system, offsets, i, N);
    row += static_cast<int>(N.rows());
    const MatrixXd rates = relative_motion(system, offsets, i, arm.rate_rows(i));
    to_joints.middleRows(link.joint.v_index, rates.rows()) = rates;  // a motor stands alone, with its rotor
    to_joints.block(link.elastic_v_index, at + 6, n - 6, n - 6).setIdentity();
    M.block(at, at, n, n) += system.block(i).M;
    M += link.joint.armature * rates.transpose() * rates;
    const VectorXd own =
        Eigen::SelfAdjointEigenSolver<MatrixXd>(MatrixXd(system.block(i).M.topLeftCorner(6, 6)))
            .eigenvalues();
    if (own[0] <= negligible * own[5]) report.needles.push_back(link.name);
  }

  for (const int dependent : dependent_rows(Gc)) {
    const std::string& joint = owners[static_cast<std::size_t>(dependent)];
    if (report.redundant.empty() || report.redundant.back() != joint) report.redundant.push_back(joint);
    ++report.rank;
  }
  report.rank = report.constraints - report.rank;
  MatrixXd Z = MatrixXd::Identity(offsets.back(), offsets.back());
  if (report.constraints > 0) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> squares(MatrixXd(Gc * Gc.transpose()),
                                                          Eigen::EigenvaluesOnly);
    report.constraint_condition =
        std::sqrt(squares.eigenvalues()[report.constraints - 1] / std::max(0.0, squares.eigenvalues()[0]));
    const Eigen::HouseholderQR<MatrixXd> qr(Gc.transpose());
    Z = MatrixXd(qr.householderQ()).rightCols(offsets.back() - report.rank);
  }
  if (Z.cols() > 0) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> on_null_space(MatrixXd(Z.transpose() * M * Z));
    report.smallest_inertia = on_null_space.eigenvalues()[0];
    report.largest_inertia = on_null_space.eigenvalues()[Z.cols() - 1];
    Eigen::Index most = 0;
    (to_joints * (Z * on_null_space.eigenvectors().col(0))).cwiseAbs().maxCoeff(&most);
    report.lightest = model.coordinates()[static_cast<std::size_t>(most)];
  }
  report.solvable = report.rank == report.constraints &&
                    (Z.cols() == 0 || report.smallest_inertia > negligible * report.largest_inertia);
  report.system_condition = scaled_condition(system.matrix());
  return report;
}

Eigen::VectorXcd motion_eigenvalues(const MatrixXd& M, const MatrixXd& C, const MatrixXd& K) {
  detail::require_square("motion_eigenvalues", "M", M);
  detail::require_extent("motion_eigenvalues", "C", C, M.rows(), M.rows());
  detail::require_extent("motion_eigenvalues", "K", K, M.rows(), M.rows());
  const Eigen::Index n = M.rows();
  if (n == 0) return {};  // fixed joints and rigid links only
  const Eigen::PartialPivLU<MatrixXd> lu(M);
  MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -lu.solve(K);
  A.bottomRightCorner(n, n) = -lu.solve(C);
  return A.eigenvalues();
}

Eigen::VectorXcd motion_eigenvalues(const Model& model, const Input<double>& q) {
  detail::Call{"motion_eigenvalues", model}.require_position("q", q);
  const VectorXd zero = VectorXd::Zero(model.nv());
  Workspace<double> work(model);
  MatrixXd M(model.nv(), model.nv());
  mass_matrix(model, work, q, M);
  return motion_eigenvalues(M, damping_matrix(model),
                            elastic_stiffness(model) + force_derivatives(model, q, zero, zero).dq);
}

StepBounds step_bounds(const Eigen::VectorXcd& eigenvalues) {
  StepBounds bounds;
  for (const auto& value : eigenvalues) bounds.fastest = std::max(bounds.fastest, std::abs(value));
  if (bounds.fastest == 0.0) return bounds;
  constexpr double slow = 1e-6;  // of the fastest: rigid motion, and rounding
  bool is_first = true;
  for (const auto& value : eigenvalues) {
    if (std::abs(value) <= slow * bounds.fastest) continue;
    const double euler = longest_euler_step(value), runge_kutta = longest_runge_kutta_step(value);
    bounds.euler = is_first ? euler : std::min(bounds.euler, euler);
    bounds.runge_kutta = is_first ? runge_kutta : std::min(bounds.runge_kutta, runge_kutta);
    is_first = false;
  }
  bounds.central_differences = 2.0 / bounds.fastest;
  return bounds;
}

}  // namespace limber
