// SPDX-License-Identifier: BSD-3-Clause
#include "limber/literature/dual_screws.hpp"

#include <Eigen/Geometry>

namespace limber {

using Eigen::Vector3d;

Vector12d dual_screw(const DualVector3& direction, const DualVector3& moment) {
  Vector12d screw;
  screw << real_form(direction), real_form(moment);
  return screw;
}
DualVector3 direction_of(const Vector12d& screw) { return dual_form(Vector6d(screw.head<6>())); }
DualVector3 moment_of(const Vector12d& screw) { return dual_form(Vector6d(screw.tail<6>())); }
Vector12d dual_line(const DualVector3& axis, const DualVector3& point) {
  return dual_screw(axis, point.cross(axis));
}

Matrix12d reference_change(const DualVector3& p) { return G2(G1(), p).Ad(); }
Matrix12d coordinate_change(const G1& R_ij) { return G2(R_ij, DualVector3::Zero()).Ad(); }
Matrix12d screw_transformation(const G1& R_ij, const DualVector3& p) {
  return G2(R_ij, R_ij.dual() * p).Ad();
}

Vector12d jacobian_screw(const Vector3d& Psi, const Vector3d& Phi) {
  return dual_screw(dual_vector(Vector3d::Zero(), Psi), dual_vector(Vector3d::Zero(), Phi));
}
Vector12d projecting_screw(const Vector3d& Psi, const Vector3d& Phi) {
  return dual_screw(dual_vector(Psi, Vector3d::Zero()), dual_vector(Phi, Vector3d::Zero()));
}

Truncated power(const Vector12d& wrench, const Vector12d& twist) {
  return direction_of(wrench).dot(moment_of(twist)) + moment_of(wrench).dot(direction_of(twist));
}

Vector12d folded(const Vector12d& wrench) {
  const auto f_r = wrench.segment<3>(0), f_d = wrench.segment<3>(3);
  const auto n_r = wrench.segment<3>(6), n_d = wrench.segment<3>(9);
  Vector12d result;
  result << n_r + n_d, n_r, f_r + f_d, f_r;
  return result;
}

}  // namespace limber
