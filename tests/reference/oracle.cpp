// SPDX-License-Identifier: BSD-3-Clause
#include "reference/oracle.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "reference/arm.hpp"

// Equation numbers are those of oracle.hpp.

namespace reference {
namespace {

using Matrix3X = Eigen::Matrix<Real, 3, Eigen::Dynamic>;
using Matrix6X = Eigen::Matrix<Real, 6, Eigen::Dynamic>;

/// The point masses of one link, in the world.
struct LinkPoints {
  std::vector<int> support;
  VectorX m;
  Matrix3X r, v, b;  // b: acceleration while the components of v stay as they are
  MatrixX J;         // (3 points) x support
};

/// A load in world axes at its node.
struct WorldLoad {
  int link;
  Vector3 place, force, moment;
  Matrix6X J;
};

class Evaluator {
 public:
  Evaluator(const limber::ModelDescription& description, const State& state)
      : arm_(description),
        q_(state.q.cast<Real>()),
        v_(state.v.cast<Real>()),
        tau_(state.tau.cast<Real>()),
        g_(description.gravity.cast<Real>()) {
    if (q_.size() != arm_.nq() || v_.size() != arm_.nv() || tau_.size() != arm_.nv())
      throw std::invalid_argument("reference: sizes of q, v, tau: expected " + std::to_string(arm_.nq()) +
                                  ", " + std::to_string(arm_.nv()) + ", " + std::to_string(arm_.nv()) +
                                  ", got " + std::to_string(q_.size()) + ", " + std::to_string(v_.size()) +
                                  ", " + std::to_string(tau_.size()));
    follow_the_motion(state.loads);
    follow_every_coordinate();
  }

  Evaluation evaluate() {
    Evaluation result;
    sum_inertia(result);
    sum_springs_and_dampers(result);
    solve_for_acceleration(result);
    sum_wrenches(result);
    sum_energy_and_momentum(result);
    result.end_effector_position = end_effector_.p.c0.cast<double>();
    result.end_effector_rotation = end_effector_.R.c0.cast<double>();
    result.jacobian = end_effector_jacobian_.cast<double>();
    return result;
  }

 private:
  int link_count() const { return static_cast<int>(arm_.links().size()); }

  /// Positions, velocities and accelerations along the motion with v, and the loads in the world.
  void follow_the_motion(const std::vector<Load>& loads) {
    const std::vector<Frame> frames = arm_.body_frames(q_, v_);
    for (int l = 0; l < link_count(); ++l) {
      const Body& body = arm_.links()[l].body;
      const auto places = body.points(arm_.elastic_state(l, q_, v_));
      const auto count = static_cast<Eigen::Index>(places.size());
      LinkPoints points{arm_.support(l),    Eigen::Map<const VectorX>(body.masses().data(), count),
                        Matrix3X(3, count), Matrix3X(3, count),
                        Matrix3X(3, count), {}};
      points.J.setZero(3 * count, static_cast<Eigen::Index>(points.support.size()));
      for (Eigen::Index i = 0; i < count; ++i) {
        const Jet<Vector3> r = frames[l] * places[i];
        points.r.col(i) = r.c0;
        points.v.col(i) = r.c1;
        points.b.col(i) = 2 * r.c2;
      }
      points_.push_back(std::move(points));
      body_frames_.push_back(frames[l]);
    }
    end_effector_ = arm_.follow(arm_.end_effector(), frames, q_, v_);
    end_effector_jacobian_.setZero(6, arm_.nv());
    for (const Load& load : loads) {
      const int link = arm_.index_of(load.link);
      followers_.push_back({link, load.at, {}});
      const Frame node = arm_.follow(followers_.back(), frames, q_, v_);
      Matrix3 axes = Matrix3::Identity();
      if (load.axes == LoadAxes::body) axes = frames[link].R.c0;
      if (load.axes == LoadAxes::section) axes = node.R.c0;
      loads_.push_back({link, node.p.c0, axes * load.force.cast<Real>(), axes * load.moment.cast<Real>(),
                        Matrix6X::Zero(6, arm_.nv())});
    }
  }

  /// J, column by column: velocities with v = e_i.
  void follow_every_coordinate() {
    std::vector<std::vector<Jet<Vector3>>> at_rest;
    const VectorX zero = VectorX::Zero(arm_.nv());
    for (int l = 0; l < link_count(); ++l)
      at_rest.push_back(arm_.links()[l].body.points(arm_.elastic_state(l, q_, zero)));

    const auto twist = [](const Frame& frame) {
      Eigen::Matrix<Real, 6, 1> result;
      result << frame.p.c1, frame.angular_velocity();
      return result;
    };
    for (int i = 0; i < arm_.nv(); ++i) {
      const VectorX e = VectorX::Unit(arm_.nv(), i);
      const std::vector<Frame> frames = arm_.body_frames(q_, e);
      for (int l = 0; l < link_count(); ++l) {
        const auto& support = points_[l].support;
        const auto column = std::find(support.begin(), support.end(), i);
        if (column == support.end()) continue;
        // Seen from B, only the link's own elastic coordinates move its points.
        const bool deforms = arm_.links()[l].owns_elastic(i);
        const auto places = deforms ? arm_.links()[l].body.points(arm_.elastic_state(l, q_, e)) : at_rest[l];
        for (std::size_t k = 0; k < places.size(); ++k) {
          points_[l].J.block<3, 1>(3 * static_cast<Eigen::Index>(k), column - support.begin()) =
              (frames[l] * places[k]).c1;
        }
      }
      end_effector_jacobian_.col(i) = twist(arm_.follow(arm_.end_effector(), frames, q_, e));
      for (std::size_t k = 0; k < loads_.size(); ++k)
        loads_[k].J.col(i) = twist(arm_.follow(followers_[k], frames, q_, e));
    }
  }

  /// Eq. (3)
  void sum_inertia(Evaluation& result) {
    M_.setZero(arm_.nv(), arm_.nv());
    bias_.setZero(arm_.nv());
    VectorX gravity = VectorX::Zero(arm_.nv());
    for (const LinkPoints& points : points_) {
      const VectorX weight = points.m.replicate(1, 3).transpose().reshaped();  // each mass for x, y and z
      const MatrixX JTm = points.J.transpose() * weight.asDiagonal();
      const Matrix3X b_g = points.b.colwise() - g_;
      const Matrix3X all_g = g_.replicate(1, points.m.size());
      M_(points.support, points.support) += JTm * points.J;
      bias_(points.support) += JTm * b_g.reshaped();
      gravity(points.support) -= JTm * all_g.reshaped();
    }
    for (const ArmLink& link : arm_.links()) {
      for (int k = 0; k < link.joint_v; ++k)
        M_(link.v_index + k, link.v_index + k) += link.description.joint.armature;
    }
    result.M = M_.cast<double>();
    result.bias = bias_.cast<double>();
    result.gravity = gravity.cast<double>();
  }

  void sum_springs_and_dampers(Evaluation& result) {
    K_.setZero(arm_.nv(), arm_.nv());
    C_.setZero(arm_.nv(), arm_.nv());
    stretch_.setZero(arm_.nv());
    for (const ArmLink& link : arm_.links()) {
      const limber::JointDescription& joint = link.description.joint;
      for (int k = 0; k < link.joint_v; ++k) {
        const int i = link.v_index + k;
        C_(i, i) = joint.damping;
        if (link.joint_q != link.joint_v) continue;  // a quaternion has no spring
        K_(i, i) = joint.stiffness;
        stretch_[i] = q_[link.q_index + k] - Real{joint.rest};
      }
      const int first = link.elastic_v_index(), m = link.elastic;
      K_.block(first, first, m, m) = link.body.stiffness();
      C_.block(first, first, m, m) = link.body.damping();
      stretch_.segment(first, m) = q_.segment(link.elastic_q_index(), m);
    }
    result.stiffness = K_.cast<double>();
    result.damping = C_.cast<double>();
    result.strain = static_cast<double>(stretch_.dot(K_ * stretch_) / 2);
  }

  /// Eq. (4)
  void solve_for_acceleration(Evaluation& result) {
    VectorX of_loads = VectorX::Zero(arm_.nv());
    for (const WorldLoad& load : loads_) {
      of_loads += load.J.topRows<3>().transpose() * load.force;
      of_loads += load.J.bottomRows<3>().transpose() * load.moment;
    }
    acceleration_.setZero(arm_.nv());
    if (arm_.nv() > 0) {
      const Eigen::LLT<MatrixX> factors(M_);
      if (factors.info() != Eigen::Success)
        throw std::domain_error("reference: the mass matrix is not positive definite");
      acceleration_ = factors.solve(tau_ + of_loads - bias_ - C_ * v_ - K_ * stretch_);
    }
    result.load_forces = of_loads.cast<double>();
    result.acceleration = acceleration_.cast<double>();
  }

  void sum_wrenches(Evaluation& result) {
    for (int joint = 0; joint < link_count(); ++joint) {
      const Frame& X_WB = body_frames_[joint];
      Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
      const auto add = [&](const Vector3& place, const Vector3& f) {
        force += f;
        moment += (place - X_WB.p.c0).cross(f);
      };
      for (int l = joint; l < link_count(); ++l) {
        if (!arm_.is_beyond(l, joint)) continue;
        const LinkPoints& points = points_[l];
        const VectorX Jvd = points.J * acceleration_(points.support);
        for (Eigen::Index i = 0; i < points.m.size(); ++i)
          add(points.r.col(i), points.m[i] * (Jvd.segment<3>(3 * i) + points.b.col(i) - g_));
      }
      for (const WorldLoad& load : loads_) {
        if (!arm_.is_beyond(load.link, joint)) continue;
        add(load.place, -load.force);
        moment -= load.moment;
      }
      Eigen::Matrix<Real, 6, 1> wrench;
      wrench << X_WB.R.c0.transpose() * force, X_WB.R.c0.transpose() * moment;
      result.wrenches.push_back(wrench.cast<double>());
    }
  }

  void sum_energy_and_momentum(Evaluation& result) {
    Real mass = 0, twice_kinetic = 0;
    Vector3 first_moment = Vector3::Zero(), linear = Vector3::Zero(), angular = Vector3::Zero();
    for (const LinkPoints& points : points_) {
      for (Eigen::Index i = 0; i < points.m.size(); ++i) {
        const Vector3 r = points.r.col(i), momentum = points.m[i] * points.v.col(i);
        mass += points.m[i];
        first_moment += points.m[i] * r;
        linear += momentum;
        angular += r.cross(momentum);
        twice_kinetic += momentum.dot(points.v.col(i));
      }
    }
    for (const ArmLink& link : arm_.links())
      twice_kinetic += link.description.joint.armature * v_.segment(link.v_index, link.joint_v).squaredNorm();
    result.kinetic = static_cast<double>(twice_kinetic / 2);
    result.gravity_energy = static_cast<double>(-g_.dot(first_moment));
    result.mass = static_cast<double>(mass);
    result.center_of_mass = (first_moment / mass).cast<double>();
    result.linear_momentum = linear.cast<double>();
    result.angular_momentum = angular.cast<double>();
  }

  Arm arm_;
  VectorX q_, v_, tau_;
  Vector3 g_;
  std::vector<Frame> body_frames_;
  std::vector<LinkPoints> points_;
  Frame end_effector_;
  Matrix6X end_effector_jacobian_;
  std::vector<Follower> followers_;  // of the loads
  std::vector<WorldLoad> loads_;
  MatrixX M_, K_, C_;
  VectorX bias_, stretch_, acceleration_;
};

}  // namespace

Evaluation evaluate(const limber::ModelDescription& description, const State& state) {
  return Evaluator(description, state).evaluate();
}

}  // namespace reference
