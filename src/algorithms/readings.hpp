// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What each kind of sensor needs of an arm, once names have been looked up, and its formula: (1) to (7) of measurement.hpp.

#include <variant>

#include "limber/algorithms/detail/jacobian.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/measurement.hpp"

namespace limber {

/// An arm where it is measured. Poses are there for whoever asks; velocities and accelerations where Dependence says so.
template <typename Scalar>
struct MeasuredArm {
  const Model& model;
  const Workspace<Scalar>& work;
  const Workspace<Scalar>& unbent;  ///< the same with eta = 0: poses alone
  const VectorX<Scalar>&q, &v, &a, &efforts;

  const detail::LinkWork<Scalar>& link(const Frame& frame) const {
    return work.arm().links[static_cast<std::size_t>(frame.link)];
  }
};

template <typename Scalar>
Vector3<Scalar> constant(const Eigen::Vector3d& vector) {
  return vector.cast<Scalar>();
}

struct PositionReading {
  static constexpr Dependence dependence = Dependence::positions;
  int index;
  template <typename Scalar>
  Scalar operator()(const MeasuredArm<Scalar>& arm) const {
    return arm.q[index];
  }
};

struct VelocityReading {
  static constexpr Dependence dependence = Dependence::velocities;
  int index;
  template <typename Scalar>
  Scalar operator()(const MeasuredArm<Scalar>& arm) const {
    return arm.v[index];
  }
};

struct AccelerationReading {
  static constexpr Dependence dependence = Dependence::accelerations;
  int index;
  template <typename Scalar>
  Scalar operator()(const MeasuredArm<Scalar>& arm) const {
    return arm.a[index];
  }
};

struct EffortReading {
  static constexpr Dependence dependence = Dependence::efforts;
  int index;
  template <typename Scalar>
  Scalar operator()(const MeasuredArm<Scalar>& arm) const {
    return arm.efforts[index];
  }
};

/// (2), (3): a row times eta.
struct ElasticReading {
  static constexpr Dependence dependence = Dependence::positions;
  int first;    ///< of the link's elastic coordinates, in q
  int first_v;  ///< in v
  Eigen::VectorXd row;
  template <typename Scalar>
  Scalar operator()(const MeasuredArm<Scalar>& arm) const {
    Scalar sum(0.0);
    for (Eigen::Index j = 0; j < row.size(); ++j) sum += row[j] * arm.q[first + j];
    return sum;
  }
};

/// (4). Sweeps accelerate the ground with -g: what they leave is the specific force.
struct AccelerometerReading {
  static constexpr Dependence dependence = Dependence::accelerations;
  Frame frame;
  Eigen::Vector3d axis;
  bool gravity;
  template <typename Scalar>
  Scalar operator()(const MeasuredArm<Scalar>& arm) const {
    const detail::LinkWork<Scalar>& link = arm.link(frame);
    const Matrix3<Scalar> R_WR = link.R_WR, R_RE = detail::frame_in_link(arm.model, link, frame).R;
    Vector3<Scalar> f = detail::acceleration_in_link(arm.model, link, frame, arm.a.data()).linear;
    if (!gravity) f += R_WR.transpose() * constant<Scalar>(arm.model.gravity());
    return (R_RE * constant<Scalar>(axis)).dot(f);
  }
};

/// (5)
struct GyroscopeReading {
  static constexpr Dependence dependence = Dependence::velocities;
  Frame frame;
  Eigen::Vector3d axis;
  template <typename Scalar>
  Scalar operator()(const MeasuredArm<Scalar>& arm) const {
    return constant<Scalar>(axis).dot(frame_twist(arm.model, arm.work, frame, MotionAxes::local).angular);
  }
};

/// (6)
struct PointReading {
  static constexpr Dependence dependence = Dependence::positions;
  Frame frame;
  Eigen::Vector3d axis;
  PointReference relative;
  template <typename Scalar>
  Scalar operator()(const MeasuredArm<Scalar>& arm) const {
    Vector3<Scalar> p = frame_pose(arm.model, arm.work, frame).p;
    if (relative == PointReference::rigid) p -= frame_pose(arm.model, arm.unbent, frame).p;
    return constant<Scalar>(axis).dot(p);
  }
};

/// (7)
struct WrenchReading {
  static constexpr Dependence dependence = Dependence::accelerations;
  int link, component;
  template <typename Scalar>
  Scalar operator()(const MeasuredArm<Scalar>& arm) const {
    return joint_wrench(arm.model, arm.work, link).vector()[component];
  }
};

using Reading =
    std::variant<PositionReading, VelocityReading, AccelerationReading, EffortReading, ElasticReading,
                 AccelerometerReading, GyroscopeReading, PointReading, WrenchReading>;

inline Dependence dependence_of(const Reading& reading) {
  return std::visit([](const auto& held) { return held.dependence; }, reading);
}

/// A state, and what is needed to measure there.
template <typename Scalar>
struct MeasuredState {
  explicit MeasuredState(const Model& model)
      : work(model),
        unbent(model),
        q(model.nq()),
        v(model.nv()),
        a(model.nv()),
        tau(model.nv()),
        efforts(model.nv()),
        straight(model.nq()) {
    a.setZero();
  }

  Workspace<Scalar> work, unbent;
  VectorX<Scalar> q, v, a, tau, efforts, straight;

  void place_unbent(const Model& model) {
    straight = q;
    for (const Link& link : model.links()) {  // behind a gear: as if that did not wind up
      for (int i = 0; i < link.elastic_count; ++i) straight[link.elastic_q_index + i] = Scalar(0.0);
      if (link.joint.has_motor()) straight[link.joint.q_index] = q[link.joint.q_index + 1];
    }
    update_positions(model, unbent, straight);
    update_world_poses(unbent);
  }

  /// Velocities and poses as far as `most` asks for them; accelerations come from a sweep that does velocities itself. `compares`: whether anything asks for the arm unbent.
  void place(const Model& model, Dependence most, bool compares) {
    if (most == Dependence::positions)
      update_positions(model, work, q);
    else if (most != Dependence::accelerations)
      update_velocities(model, work, q, v);
    update_world_poses(work);
    if (compares) place_unbent(model);
  }

  MeasuredArm<Scalar> arm(const Model& model) const { return {model, work, unbent, q, v, a, efforts}; }
};

}  // namespace limber
