// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/modal_damping.hpp"

#include <limits>

#include "limber/algorithms/mass_matrix.hpp"

namespace limber {

Eigen::VectorXd damping_ratios(const Model& model, const Eigen::VectorXd& q, const NaturalModes& modes) {
  const Eigen::MatrixXd& shapes = modes.shapes;
  const Eigen::MatrixXd C = damping_matrix(model);
  if (shapes.cols() == 0 || modes.quadrature.size() > 0 || (C * shapes).isZero(0.0)) return {};
  Workspace<double> work(model);
  Eigen::MatrixXd M(model.nv(), model.nv());
  mass_matrix(model, work, q, M);
  Eigen::VectorXd ratios(shapes.cols());
  for (Eigen::Index k = 0; k < shapes.cols(); ++k) {
    const double omega = modes.angular_frequencies[k];
    const Eigen::VectorXd phi = shapes.col(k);
    ratios[k] = omega > 0.0 ? phi.dot(C * phi) / (2.0 * omega * phi.dot(M * phi))  // (1)
                            : std::numeric_limits<double>::quiet_NaN();
  }
  return ratios;
}

}  // namespace limber
