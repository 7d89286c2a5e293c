#include "limber/algorithms/configuration.hpp"

#include <Eigen/Geometry>
#include <cassert>

#include "limber/math/rotation.hpp"

namespace limber {

void configuration_rate(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                        Eigen::VectorXd& rate) {
  assert(q.size() == model.nq && v.size() == model.nv && rate.size() == model.nq);
  for (const Link& link : model.links) {
    const Joint& joint = link.joint;
    rate.segment(link.elastic_q_index, link.elastic_count) =
        v.segment(link.elastic_v_index, link.elastic_count);
    if (joint.nq == joint.nv) {
      rate.segment(joint.q_index, joint.nq) = v.segment(joint.v_index, joint.nv);
      continue;
    }
    const int quaternion = joint.q_index + joint.nq - 4;
    const Eigen::Vector3d u = q.segment<3>(quaternion), w = v.segment<3>(joint.v_index + joint.nv - 3);
    const double s = q[quaternion + 3];
    rate.segment<3>(quaternion) = 0.5 * (s * w + u.cross(w));
    rate[quaternion + 3] = -0.5 * u.dot(w);
    if (joint.type != JointType::free) continue;
    const Eigen::Vector3d e = v.segment<3>(joint.v_index);  // R e = e + 2 s u x e + 2 u x (u x e)
    rate.segment<3>(joint.q_index) = e + 2.0 * u.cross(s * e + u.cross(e));
  }
}

void velocity_from_rate(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& rate,
                        Eigen::VectorXd& v) {
  for (const Link& link : model.links) {
    const Joint& joint = link.joint;
    v.segment(link.elastic_v_index, link.elastic_count) =
        rate.segment(link.elastic_q_index, link.elastic_count);
    if (joint.nq == joint.nv) {
      v.segment(joint.v_index, joint.nv) = rate.segment(joint.q_index, joint.nq);
      continue;
    }
    const int u = joint.q_index + joint.nq - 4;
    const Eigen::Vector3d vector = q.segment<3>(u), part = rate.segment<3>(u);
    const double s = q[u + 3];
    v.segment<3>(joint.v_index + joint.nv - 3) = 2.0 * (s * part - vector.cross(part) - rate[u + 3] * vector);
    if (joint.type != JointType::free) continue;
    const Eigen::Vector3d e = rate.segment<3>(joint.q_index);  // R^T e
    v.segment<3>(joint.v_index) = e - 2.0 * vector.cross(s * e - vector.cross(e));
  }
}

void displace(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& delta,
              Eigen::VectorXd& result) {
  assert(q.size() == model.nq && delta.size() == model.nv && result.size() == model.nq);
  for (const Link& link : model.links) {
    const Joint& joint = link.joint;
    result.segment(link.elastic_q_index, link.elastic_count) =
        q.segment(link.elastic_q_index, link.elastic_count) +
        delta.segment(link.elastic_v_index, link.elastic_count);
    if (joint.nq == joint.nv) {
      result.segment(joint.q_index, joint.nq) =
          q.segment(joint.q_index, joint.nq) + delta.segment(joint.v_index, joint.nv);
      continue;
    }
    const int u = joint.q_index + joint.nq - 4;
    const Eigen::Vector3d turn = delta.segment<3>(joint.v_index + joint.nv - 3);
    const Eigen::Quaterniond R(q.segment<4>(u));
    const double angle = turn.norm();
    // sin(angle/2)/angle, at small angles by its series
    const double s = angle > 1e-4 ? std::sin(0.5 * angle) / angle : 0.5 - angle * angle / 48.0;
    Eigen::Quaterniond step;
    step.vec() = s * turn;
    step.w() = std::cos(0.5 * angle);
    result.segment<4>(u) = (R * step).normalized().coeffs();
    if (joint.type == JointType::free)
      result.segment<3>(joint.q_index) =
          q.segment<3>(joint.q_index) + R * (left_jacobian<double>(turn) * delta.segment<3>(joint.v_index));
  }
}

void displacement_rate(const Model& model, const Eigen::VectorXd& delta, const Eigen::VectorXd& v,
                       Eigen::VectorXd& rate) {
  rate = v;
  for (const Link& link : model.links) {
    const Joint& joint = link.joint;
    if (joint.nq == joint.nv) continue;
    const bool moves = joint.type == JointType::free;
    const int angular = joint.v_index + joint.nv - 3;
    const Eigen::Vector3d f = delta.segment<3>(angular);
    const Eigen::Vector3d r =
        moves ? Eigen::Vector3d(delta.segment<3>(joint.v_index)) : Eigen::Vector3d::Zero();
    Eigen::Vector3d w = v.segment<3>(angular);
    Eigen::Vector3d e = moves ? Eigen::Vector3d(v.segment<3>(joint.v_index)) : Eigen::Vector3d::Zero();
    constexpr double coefficients[] = {0.5, 1.0 / 12.0, 0.0, -1.0 / 720.0, 0.0, 1.0 / 30240.0};  // NOLINT
    for (const double coefficient : coefficients) {
      e = f.cross(e) + r.cross(w);
      w = f.cross(w).eval();
      rate.segment<3>(angular) += coefficient * w;
      if (moves) rate.segment<3>(joint.v_index) += coefficient * e;
    }
  }
}

void normalize_quaternions(const Model& model, Eigen::VectorXd& q) {
  for (const Link& link : model.links)
    if (link.joint.nq != link.joint.nv) q.segment<4>(link.joint.q_index + link.joint.nq - 4).normalize();
}

}  // namespace limber
