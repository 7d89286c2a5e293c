// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/modal_damping.hpp"

#include <limits>

#include "limber/algorithms/mass_matrix.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/telescopes.hpp"

namespace limber {

Eigen::VectorXd damping_ratios(const Model& model, const Input<double>& q, const NaturalModes& modes) {
  const detail::Call call{"damping_ratios", model};
  call.require_position("q", q);
  if (modes.shapes.rows() != model.nv() || modes.angular_frequencies.size() != modes.shapes.cols())
    detail::throw_wrong_extent("damping_ratios", "modes.shapes", model.nv(), modes.angular_frequencies.size(),
                               modes.shapes.rows(), modes.shapes.cols());
  const Eigen::MatrixXd& shapes = modes.shapes;
  Eigen::MatrixXd C = damping_matrix_at(model, q);
  if (!model.cylinders().empty()) {
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(model.nv(), model.nv());
    Struts(model).add_tangent(q, Eigen::VectorXd::Zero(model.nv()), {}, K, C);
  }
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
