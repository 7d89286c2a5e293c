#include "sampler.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "limber/algorithms/kinematics.hpp"

namespace limber {

using Eigen::VectorXd;

namespace {

// 1/2 eta^T B eta by its values: B is only known through the node's position.
void add_quadratic(const BeamNode& node, int m, int i, Eigen::MatrixXd& map) {
  const auto bent = [&](const VectorXd& eta) -> Eigen::Vector3d {
    return node.position<double>(eta) - node.r0() - node.Phi * eta;
  };
  VectorXd eta = VectorXd::Zero(m);
  std::vector<Eigen::Vector3d> squares;
  for (int j = 0; j < m; ++j) {
    eta.setZero();
    eta[j] = 1.0;
    squares.push_back(bent(eta));
  }
  for (int j = 0, at = m; j < m; ++j)
    for (int k = 0; k <= j; ++k, ++at) {
      eta.setZero();
      eta[j] = 1.0;
      eta[k] = 1.0;
      map.block<3, 1>(3 * i, at) = j == k ? squares[static_cast<std::size_t>(j)]
                                          : Eigen::Vector3d(bent(eta) - squares[static_cast<std::size_t>(j)] -
                                                            squares[static_cast<std::size_t>(k)]);
    }
}

}  // namespace

ShapeSampler::ShapeSampler(const Model& model, int points) : points_(points) {
  for (const Link& link : model.links) {
    LinkShape shape;
    const int m = link.elastic_count;
    const int products = model.kinematics == KinematicOrder::second ? m * (m + 1) / 2 : 0;
    shape.at_rest.resize(3, points);
    shape.map = Eigen::MatrixXd::Zero(3 * points, m + products);
    shape.monomials.resize(m + products);
    std::vector<double> places;
    for (int i = 0; i < points; ++i) places.push_back(points > 1 ? double(i) / (points - 1) : 1.0);
    if (!link.beam) {
      const Eigen::Vector3d tip = link.nodes.front().X_RN.p;
      for (int i = 0; i < points; ++i) shape.at_rest.col(i) = places[static_cast<std::size_t>(i)] * tip;
    } else {
      for (double& place : places) place *= link.beam->basis.length();
      const std::vector<BeamNode> nodes = make_nodes(link.beam->basis, model.kinematics, places);
      for (int i = 0; i < points; ++i) {
        const BeamNode& node = nodes[static_cast<std::size_t>(i)];
        shape.at_rest.col(i) = node.r0();
        if (m == 0) continue;
        shape.map.block(3 * i, 0, 3, m) = node.Phi;
        if (products > 0) add_quadratic(node, m, i, shape.map);
      }
    }
    links_.push_back(std::move(shape));
  }
}

void ShapeSampler::sample(const Model& model, const Workspace<double>& work, const VectorXd& q,
                          VectorXd& shapes) {
  shapes.resize(static_cast<Eigen::Index>(links_.size()) * points_ * 3);
  for (std::size_t l = 0; l < links_.size(); ++l) {
    LinkShape& shape = links_[l];
    const Link& link = model.links[l];
    const int m = link.elastic_count;
    const auto eta = q.segment(link.elastic_q_index, m);
    shape.monomials.head(m) = eta;
    if (shape.monomials.size() > m)
      for (int j = 0, at = m; j < m; ++j)
        for (int k = 0; k <= j; ++k) shape.monomials[at++] = eta[j] * eta[k];
    Eigen::Map<Eigen::Matrix3Xd> out(shapes.data() + static_cast<Eigen::Index>(l) * points_ * 3, 3, points_);
    local_ = shape.at_rest;
    if (m > 0) Eigen::Map<VectorXd>(local_.data(), local_.size()).noalias() += shape.map * shape.monomials;
    const Eigen::Matrix3d R = Matrix3<double>(work.links[l].R_W);
    const Eigen::Vector3d p = Vector3<double>(work.links[l].p_W);
    out = (R * local_).colwise() + p;
  }
}

Sampler::Sampler(Scenario& scenario, System& system)
    : scenario_(scenario),
      system_(system),
      end_effector_(end_effector_frame(scenario.model)),
      shapes_(scenario.model, std::max(scenario.output.shape_points, 0)) {}

const Sample& Sampler::at(double t, const VectorXd& y, const Ledger& start) {
  const Model& model = scenario_.model;
  sample_.t = t;
  sample_.q = y.head(model.nq);
  sample_.v = y.segment(model.nq, model.nv);
  integrals_ = y.tail(system_.integral_count());
  system_.forces(t, sample_.q, sample_.v, integrals_, forces_);
  sample_.efforts = forces_.efforts;
  sample_.asked = forces_.asked;
  if (scenario_.output.wrenches) sample_.wrenches = forces_.wrenches;
  fill_ledger(start);
  const Workspace<double>& work = system_.workspace();
  const FramePose<double> pose = frame_pose(model, work, end_effector_);
  sample_.end_effector_position = pose.p;
  sample_.end_effector_quaternion = Eigen::Quaterniond(pose.R).coeffs();
  if (scenario_.output.shape_points > 0) shapes_.sample(model, work, sample_.q, sample_.shapes);
  return sample_;
}

void Sampler::fill_ledger(const Ledger& start) {
  const Energy<double> energy = system_.energy(sample_.q, sample_.v);
  Ledger& ledger = sample_.ledger;
  ledger.kinetic = energy.kinetic;
  ledger.gravity = energy.gravity;
  ledger.strain = energy.strain;
  ledger.work_actuators = integrals_[0];
  ledger.work_loads = integrals_[1];
  ledger.dissipated = integrals_[2];
  // Differences of each kind first: gravity's zero is arbitrary, and may be large.
  ledger.error = (ledger.kinetic - start.kinetic) + (ledger.gravity - start.gravity) +
                 (ledger.strain - start.strain) - ledger.work_actuators - ledger.work_loads +
                 ledger.dissipated;
}

}  // namespace limber
