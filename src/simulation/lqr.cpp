#include "lqr.hpp"

#include <algorithm>

#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/analysis/riccati.hpp"

namespace limber {

std::unique_ptr<Controller> make_lqr(const Model& model, const Eigen::VectorXd& q,
                                     const std::vector<LqrJoint>& joints, const std::vector<int>& position) {
  using Eigen::MatrixXd;
  const int n = model.nv;
  const OperatingPoint point = settled_point(model, q);
  const LinearModel linear = linearize(model, point);

  // Inputs of linearize(): all joints' coordinates, in order.
  const std::vector<int> inputs = joint_coordinates(model);
  MatrixXd B(2 * n, static_cast<Eigen::Index>(joints.size()));
  MatrixXd Q = MatrixXd::Zero(2 * n, 2 * n);
  MatrixXd R = MatrixXd::Zero(B.cols(), B.cols());
  MatrixXd M(n, n);
  Workspace<double> work(model);
  mass_matrix(model, work, point.q, M);
  double energy_weight = 0.0;
  std::vector<JointTarget> driven;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    const int c = joints[i].target.coordinate;
    B.col(column) = linear.B.col(std::find(inputs.begin(), inputs.end(), c) - inputs.begin());
    Q(c, c) += joints[i].position_weight;
    R(column, column) = joints[i].effort_weight;
    energy_weight = std::max(energy_weight, joints[i].energy_weight);
    driven.push_back(joints[i].target);
  }
  Q.topLeftCorner(n, n) += energy_weight * elastic_stiffness(model);
  Q.bottomRightCorner(n, n) += energy_weight * M;
  const MatrixXd gain = lqr_gain(linear.A, B, Q, R);
  return std::make_unique<StateFeedbackController>(std::move(driven), point.tau, point.q, position,
                                                   gain.leftCols(n), gain.rightCols(n));
}

}  // namespace limber
