#include "limber/algorithms/configuration.hpp"

#include <cassert>

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

}  // namespace limber
