// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/struts.hpp"

#include <algorithm>

#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/stops.hpp"
#include "places.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using std::size_t;

constexpr double shortest = 1e-9;  // [m]: below, a line has no direction
constexpr MotionAxes axes = MotionAxes::local_world_aligned;

}  // namespace

Struts::Struts(const Model& model)
    : model_(model),
      work_(model),
      directions_(model.cylinders().size()),
      lengths_(VectorXd::Zero(static_cast<Eigen::Index>(model.cylinders().size()))),
      rates_(lengths_),
      jacobian_(lengths_.size(), model.nv()) {}

void Struts::update(const Input<double>& q, const Input<double>& v) {
  const detail::Call call{"Struts::update", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  update_velocities(model_, work_, q, v);
  update_world_poses(work_);
  has_jacobian_ = false;
  for (int i = 0; i < count(); ++i) {
    const Cylinder& cylinder = model_.cylinders()[static_cast<size_t>(i)];
    const Vector3d line = detail::strut_line(model_, work_, cylinder);
    lengths_[i] = cylinder.is_damper() ? cylinder.axis->dot(line) : line.norm();
    if (!cylinder.is_damper() && lengths_[i] < shortest)
      throw ComputationError(
          "cylinder `" + cylinder.name +
          "` has come to no length: its two places coincide, and its force has no direction");
    directions_[static_cast<size_t>(i)] =
        cylinder.is_damper() ? *cylinder.axis : Vector3d(line / lengths_[i]);
    rates_[i] = 0.0;
    const auto add = [&](const Frame& place, double sign) {
      if (is_ground(place)) return;
      rates_[i] += sign * directions_[static_cast<size_t>(i)].dot(
                              Vector3d(frame_twist(model_, work_, place, axes).vector().head<3>()));
    };
    add(cylinder.to, 1.0);
    add(cylinder.from, -1.0);
  }
}

const MatrixXd& Struts::jacobian() {
  if (!has_jacobian_)
    for (int i = 0; i < count(); ++i)
      detail::fill_strut_row<double>(model_, work_, model_.cylinders()[static_cast<size_t>(i)],
                                     directions_[static_cast<size_t>(i)], i, jacobian_);
  has_jacobian_ = true;
  return jacobian_;
}

VectorXd Struts::passive_forces() const {
  VectorXd forces(count());
  for (int i = 0; i < count(); ++i) {
    const Cylinder& cylinder = model_.cylinders()[static_cast<size_t>(i)];
    forces[i] = 0.0 - cylinder.stiffness * (lengths_[i] - cylinder.rest) - cylinder.damping * rates_[i];
  }
  return forces;
}

VectorXd Struts::stop_forces() const {
  VectorXd forces = VectorXd::Zero(count());
  for (const Stop& stop : stops_of(model_)) {
    const int i = stop.coordinate - model_.nv();
    if (i >= 0) forces[i] += stop.force(lengths_[i], rates_[i]);
  }
  return forces;
}

VectorXd Struts::forces(const VectorXd& drives) const {
  VectorXd forces = passive_forces();
  if (drives.size() == 0) return forces;
  detail::require_extent("Struts::forces", "drives", drives, count(), 1);
  return forces + drives;
}

void Struts::add_loads(const VectorXd& forces, std::vector<Load>& loads) const {
  detail::require_extent("Struts::add_loads", "forces", forces, count(), 1);
  for (int i = 0; i < count(); ++i) {
    const Cylinder& cylinder = model_.cylinders()[static_cast<size_t>(i)];
    const Vector3d force = forces[i] * directions_[static_cast<size_t>(i)];
    const auto add = [&](const Frame& place, const Vector3d& on_it) {
      if (is_ground(place)) return;
      loads.push_back({place.link, place.node, Axes::world, on_it, Vector3d::Zero(), place.X_NE.p});
    };
    add(cylinder.to, force);
    add(cylinder.from, -force);
  }
}

std::vector<CylinderState> Struts::states(const VectorXd& drives) const {
  const VectorXd all = forces(drives);
  std::vector<CylinderState> states;
  for (int i = 0; i < count(); ++i)
    states.push_back({model_.cylinders()[static_cast<size_t>(i)].name, lengths_[i], rates_[i], all[i],
                      drives.size() > 0 ? drives[i] : 0.0});
  return states;
}

double Struts::dissipation() const {
  double power = 0.0;
  for (int i = 0; i < count(); ++i)
    power += model_.cylinders()[static_cast<size_t>(i)].damping * rates_[i] * rates_[i];
  return power;
}

double Struts::energy() const {
  double energy = 0.0;
  for (int i = 0; i < count(); ++i) {
    const Cylinder& cylinder = model_.cylinders()[static_cast<size_t>(i)];
    const double stretch = lengths_[i] - cylinder.rest;
    energy += 0.5 * cylinder.stiffness * stretch * stretch;
  }
  return energy;
}

// J with its derivatives along the coordinates first, first + 1, ..., all in turn: visitor(J, first, directions).
template <typename Visitor>
void Struts::sweep(const Input<double>& q, Visitor&& visitor) {
  Workspace<Dual> work(model_);
  MatrixX<Dual> J(count(), model_.nv());
  for (int first = 0; first < model_.nv(); first += Dual::direction_count) {
    const int directions = std::min(Dual::direction_count, model_.nv() - first);
    const VectorX<Dual> moved = moved_along(model_, q, first, directions);
    update_positions<Dual>(model_, work, moved);
    update_world_poses(work);
    for (int i = 0; i < count(); ++i) {
      const Cylinder& cylinder = model_.cylinders()[static_cast<size_t>(i)];
      if (cylinder.is_damper()) {
        detail::fill_strut_row<Dual>(model_, work, cylinder, cylinder.axis->cast<Dual>(), i, J);
        continue;
      }
      const Vector3<Dual> line = detail::strut_line(model_, work, cylinder);
      const Dual length = sqrt(line.dot(line));
      detail::fill_strut_row<Dual>(model_, work, cylinder, Vector3<Dual>(line / length), i, J);
    }
    visitor(J, first, directions);
  }
}

void Struts::add_tangent(const Input<double>& q, const Input<double>& v, const VectorXd& drives, MatrixXd& K,
                         MatrixXd& C, bool springs) {
  const detail::Call call{"Struts::add_tangent", model_};
  call.require_matrix("K", K, model_.nv());
  call.require_matrix("C", C, model_.nv());
  update(q, v);
  const MatrixXd J = jacobian();
  VectorXd held = forces(drives), stiffness(count()), damping(count());
  for (int i = 0; i < count(); ++i) {
    const Cylinder& cylinder = model_.cylinders()[static_cast<size_t>(i)];
    stiffness[i] = springs ? cylinder.stiffness : 0.0;
    damping[i] = cylinder.damping;
    if (!springs) held[i] += cylinder.stiffness * (lengths_[i] - cylinder.rest);
  }
  MatrixXd geometric(model_.nv(), model_.nv()), of_rates(count(), model_.nv());
  const VectorX<Dual> held_dual = held.cast<Dual>(), v_dual = v.cast<Dual>();
  sweep(q, [&](const MatrixX<Dual>& moved, int first, int directions) {
    read_derivatives(moved.transpose() * held_dual, first, directions, geometric);
    read_derivatives(moved * v_dual, first, directions, of_rates);
  });
  K += J.transpose() * (stiffness.asDiagonal() * J + damping.asDiagonal() * of_rates) - geometric;
  C += J.transpose() * damping.asDiagonal() * J;
}

void Struts::add_springs(const Input<double>& q, const Input<double>& v, const VectorXd& k, const VectorXd& c,
                         MatrixXd& K, MatrixXd& C) {
  const detail::Call call{"Struts::add_springs", model_};
  call.require_matrix("K", K, model_.nv());
  call.require_matrix("C", C, model_.nv());
  detail::require_extent("Struts::add_springs", "k", k, count(), 1);
  detail::require_extent("Struts::add_springs", "c", c, count(), 1);
  if (k.isZero(0.0) && c.isZero(0.0)) return;
  update(q, v);
  const MatrixXd J = jacobian();
  K += J.transpose() * (k.asDiagonal() * J + c.asDiagonal() * rate_derivative(q, v));
  C += J.transpose() * c.asDiagonal() * J;
}

MatrixXd Struts::rate_derivative(const Input<double>& q, const Input<double>& v) {
  const detail::Call call{"Struts::rate_derivative", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  MatrixXd result(count(), model_.nv());
  const VectorX<Dual> v_dual = v.cast<Dual>();
  sweep(q, [&](const MatrixX<Dual>& moved, int first, int directions) {
    read_derivatives(moved * v_dual, first, directions, result);
  });
  return result;
}

double cylinder_energy(const Model& model, const Input<double>& q) {
  if (model.cylinders().empty()) return 0.0;
  Struts struts(model);
  struts.update(q, VectorXd::Zero(model.nv()));
  return struts.energy();
}

void require_cylinder_lengths(const Model& model, const Input<double>& q) {
  if (model.cylinders().empty()) return;
  detail::Call{"require_cylinder_lengths", model}.require_position("q", q);
  Workspace<double> work(model);
  update_positions(model, work, q);
  update_world_poses(work);
  for (size_t i = 0; i < model.cylinders().size(); ++i) {
    const Cylinder& cylinder = model.cylinders()[i];
    if (!cylinder.is_damper() && detail::strut_line(model, work, cylinder).norm() < shortest)
      throw InputError(Problem{"cylinders[" + std::to_string(i) + "]",
                               "two places that are apart: a cylinder's force acts along their line",
                               "no length, where the arm begins",
                               "move `from` or `to`, or begin with other joint positions"});
  }
}

}  // namespace limber
