// SPDX-License-Identifier: BSD-3-Clause
#include "cartesian_path.hpp"

#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/equilibrium.hpp"

namespace limber {
namespace {

Eigen::Vector3d end_effector_at_rest(const Model& model, const Eigen::VectorXd& q,
                                     const std::vector<Load>& loads, const JointNames& hold) {
  const Eigen::VectorXd settled = static_equilibrium(model, q, loads, StaticModel::exact, {}, hold).q;
  Workspace<double> work(model);
  update_positions(model, work, settled);
  update_world_poses(work);
  return frame_pose(model, work, end_effector_frame(model)).p;
}

Eigen::Matrix3Xd places_of(const trajectories::Cartesian& way, const Model& model, const Eigen::VectorXd& q,
                           const std::vector<Load>& loads, const JointNames& hold) {
  if (way.file) return way.places;
  const Eigen::Vector3d from = way.from ? *way.from : end_effector_at_rest(model, q, loads, hold);
  const Eigen::RowVectorXd parts = Eigen::RowVectorXd::LinSpaced(way.points, 0.0, 1.0);
  return from.replicate(1, way.points) + (*way.to - from) * parts;
}

}  // namespace

Eigen::MatrixXd positions_along(const trajectories::Cartesian& way, const Model& model,
                                const Eigen::VectorXd& q, const std::vector<Load>& loads,
                                const JointNames& hold) {
  const Eigen::Matrix3Xd places = places_of(way, model, q, loads, hold);
  const std::vector<Equilibrium> found = reach_along(model, q, places, way.rotations, loads, hold);
  Eigen::MatrixXd positions(model.nq(), places.cols());
  for (std::size_t k = 0; k < found.size(); ++k) positions.col(static_cast<Eigen::Index>(k)) = found[k].q;
  return positions;
}

TrajectoryPointer position_along(const trajectories::Cartesian& way, const Eigen::MatrixXd& positions,
                                 int position) {
  const Eigen::RowVectorXd row = positions.row(position);
  const std::vector<double> values(row.data(), row.data() + row.size());
  if (!way.file) return along_way(values, way.start, *way.duration);
  trajectories::Table table;
  table.times = way.times;
  table.values = values;
  return make_trajectory(table, {});
}

}  // namespace limber
