// SPDX-License-Identifier: BSD-3-Clause
#include "reading_slopes.hpp"

#include <algorithm>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/detail/derivative_work.hpp"
#include "limber/algorithms/detail/frame_columns.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/model/coordinates.hpp"

namespace limber {

using detail::Column;
using detail::Vec3;
using Eigen::MatrixXd;

namespace {

/// The frame from which a gyroscope or an accelerometer looks; none of others.
const Frame* moving_frame(const Reading& reading) {
  if (const auto* gyroscope = std::get_if<GyroscopeReading>(&reading)) return &gyroscope->frame;
  if (const auto* accelerometer = std::get_if<AccelerometerReading>(&reading)) return &accelerometer->frame;
  return nullptr;
}

/// Number i of q as a coordinate of v, of joints without quaternions and of elastic coordinates; -1: part of a quaternion's joint, whose link is found.
int plain_coordinate(const Model& model, int i, const Link*& owner) {
  for (const Link& link : model.links()) {
    const int elastic = i - link.elastic_q_index, of_joint = i - link.joint.q_index;
    if (elastic >= 0 && elastic < link.elastic_count) return link.elastic_v_index + elastic;
    if (of_joint < 0 || of_joint >= link.joint.nq) continue;
    if (!link.joint.has_quaternion()) return link.joint.v_index + of_joint;
    owner = &link;
  }
  return -1;
}

// dq_i along v's components.
void find_position(const Model& model, const Input<double>& q, int i, MatrixXd::RowXpr row) {
  const Link* owner = nullptr;
  if (const int c = plain_coordinate(model, i, owner); c >= 0) {
    row[c] = 1.0;
    return;
  }
  const Joint& joint = owner->joint;
  double rate[7], unit[6] = {};  // NOLINT: of the largest joint
  for (int j = 0; j < joint.nv; ++j) {
    unit[j] = 1.0;
    detail::with_joint_kind(joint.type, [&](auto kind) { kind.rate(q.data() + joint.q_index, unit, rate); });
    row[joint.v_index + j] = rate[i - joint.q_index];
    unit[j] = 0.0;
  }
}

}  // namespace

ReadingSlopes::ReadingSlopes(const Model& model, const std::vector<Reading>& readings, Dependence most,
                             bool compares)
    : model_(model),
      readings_(readings),
      most_(most),
      compares_(compares),
      state_(model),
      joint_rows_(driven_coordinates(model)),
      J_(6, model.nv()) {
  if (most == Dependence::accelerations) {
    work_ = std::make_unique<DerivativeWorkspace>(model);
    by_a_.resize(static_cast<Eigen::Index>(readings.size()), model.nv());
    z_ = by_a_;
  }
  gather_places();
}

void ReadingSlopes::gather_places() {
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    const Frame* const frame = moving_frame(readings_[i]);
    if (!frame) continue;
    auto known = std::find_if(places_.begin(), places_.end(), [&](const Place& place) {
      return place.frame.link == frame->link && place.frame.node == frame->node &&
             place.frame.X_NE == frame->X_NE;
    });
    if (known == places_.end()) known = places_.insert(places_.end(), {*frame, {}});
    known->rows.push_back(static_cast<int>(i));
  }
}

const detail::ArmWork<double>& ReadingSlopes::arm() const {
  return work_ ? work_->work().arm.arm() : state_.work.arm();
}

void ReadingSlopes::find(const Input<double>& q, const Input<double>& v, const Input<double>& tau,
                         const std::vector<Load>& loads, const MatrixXd& inputs,
                         MeasurementJacobian& result) {
  state_.q = q;
  state_.v = v;
  if (work_) {
    derivatives(model_, *work_, q, v, tau, dynamics_, loads);
    state_.a = work_->work().acceleration;
    by_a_.setZero();
    if (compares_) state_.place_unbent(model_);
  } else {
    state_.place(model_, most_, compares_);
  }
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    const auto row = static_cast<int>(i);
    const Reading& reading = readings_[i];
    if (const auto* position = std::get_if<PositionReading>(&reading))
      find_position(model_, q, position->index, result.dq.row(row));
    else if (const auto* velocity = std::get_if<VelocityReading>(&reading))
      result.dv(row, velocity->index) = 1.0;
    else if (const auto* acceleration = std::get_if<AccelerationReading>(&reading))
      by_a_(row, acceleration->index) = 1.0;
    else if (const auto* effort = std::get_if<EffortReading>(&reading))
      for (std::size_t j = 0; j < joint_rows_.size(); ++j)
        result.deffort(row, static_cast<Eigen::Index>(j)) = joint_rows_[j] == effort->index ? 1.0 : 0.0;
    else if (const auto* elastic = std::get_if<ElasticReading>(&reading))
      result.dq.row(row).segment(elastic->first_v, elastic->row.size()) = elastic->row.transpose();
    else if (const auto* point = std::get_if<PointReading>(&reading))
      find_point(row, *point, result);
  }
  for (const Place& place : places_) find_moving(place, result);
  if (!work_) return;
  // (1); lazily, for products by blocks may ask for memory. z is refined once.
  const MatrixXd& M = work_->work().mass_matrix;
  z_ = by_a_.lazyProduct(dynamics_.dacceleration_dtau);
  by_a_ -= z_.lazyProduct(M);
  z_ += by_a_.lazyProduct(dynamics_.dacceleration_dtau);
  result.dq -= z_.lazyProduct(dynamics_.dforce_dq);
  result.dv -= z_.lazyProduct(dynamics_.dforce_dv);
  result.deffort += z_.lazyProduct(inputs);
}

// (2)
void ReadingSlopes::find_point(int row, const PointReading& reading, MeasurementJacobian& result) {
  constexpr MotionAxes axes = MotionAxes::local_world_aligned;
  const Workspace<double>& bent = work_ ? work_->work().arm : state_.work;
  frame_jacobian<double>(model_, bent, reading.frame, axes, J_);
  result.dq.row(row) = reading.axis.transpose().lazyProduct(J_.topRows<3>());
  if (reading.relative != PointReference::rigid) return;
  frame_jacobian<double>(model_, state_.unbent, reading.frame, axes, J_);
  for (const Link& link : model_.links()) {
    J_.middleCols(link.elastic_v_index, link.elastic_count).setZero();
    if (!link.joint.has_motor()) continue;  // unbent, the joint is where its motor is
    J_.col(link.joint.v_index + 1) = J_.col(link.joint.v_index);
    J_.col(link.joint.v_index).setZero();
  }
  result.dq.row(row) -= reading.axis.transpose().lazyProduct(J_.topRows<3>());
}

// (2), of all that look from there.
void ReadingSlopes::find_moving(const Place& place, MeasurementJacobian& result) {
  const Workspace<double>& work = work_ ? work_->work().arm : state_.work;
  const PoseOf<double> pose = frame_pose(model_, work, place.frame);
  const Vec3<double> v(frame_twist(model_, work, place.frame, MotionAxes::local_world_aligned).linear);
  const Vec3<double> g(model_.gravity());
  const detail::SeenFrom from{arm(), pose.p, state_.q.data(), state_.v.data(), state_.a.data()};
  detail::visit_columns(from, place.frame.link, place.frame.node, [&](int c, const Column& column) {
    const Vec3<double>& J_w = column.J.angular;
    const Vec3<double> by_q = column.W_q.linear + cross(column.U_q.angular, v) * 2.0,
                       by_v = column.W_v.linear + cross(J_w, v) * 2.0;
    for (const int row : place.rows) {
      const Reading& reading = readings_[static_cast<std::size_t>(row)];
      if (const auto* gyroscope = std::get_if<GyroscopeReading>(&reading)) {
        const Vec3<double> n(Eigen::Vector3d(pose.R * gyroscope->axis));
        result.dq(row, c) = dot(n, column.U_q.angular);
        result.dv(row, c) = dot(n, J_w);
      } else if (const auto* accelerometer = std::get_if<AccelerometerReading>(&reading)) {
        const Vec3<double> n(Eigen::Vector3d(pose.R * accelerometer->axis));
        result.dq(row, c) = dot(n, accelerometer->gravity ? by_q : by_q - cross(J_w, g));
        result.dv(row, c) = dot(n, by_v);
        by_a_(row, c) = dot(n, column.J.linear);
      }
    }
  });
}

}  // namespace limber
