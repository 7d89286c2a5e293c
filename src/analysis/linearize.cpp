// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/linearize.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "closed_loops.hpp"
#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/finite.hpp"
#include "limber/algorithms/frame_derivatives.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/friction.hpp"
#include "pressed_stops.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Names = std::vector<std::string>;

// Rows of (4), (5) and (6) by name.
constexpr std::array place_names{"x", "y", "z", "rx", "ry", "rz"};
constexpr std::array velocity_names{"vx", "vy", "vz", "wx", "wy", "wz"};
constexpr std::array acceleration_names{"ax", "ay", "az"};

template <std::size_t count>
void append(Names& names, const std::array<const char*, count>& what) {
  for (const char* name : what) names.push_back(std::string("end_effector.") + name);
}

Names rate_names(const Model& model) {
  Names names;
  for (const std::string& name : model.coordinates()) names.push_back(name + ".rate");
  return names;
}

Names input_names(const Model& model) {
  Names names;
  for (const int i : joint_coordinates(model)) names.push_back(model.coordinates()[i]);
  for (const Cylinder& cylinder : model.cylinders()) names.push_back(cylinder.name);
  return names;
}

// In which the state's own v and a stand.
FrameDerivatives end_effector_derivatives(const Model& model, const Input<double>& q, const Input<double>& v,
                                          const Input<double>& a) {
  Workspace<double> work(model);
  FrameDerivatives result;
  frame_derivatives(model, work, end_effector_frame(model), MotionAxes::local_world_aligned, q, v, a, result);
  return result;
}

// All output rows in the order of output_names().
void add_every_output(const Model& model, const FrameDerivatives& e, LinearModel& linear) {
  const int nv = model.nv();
  const auto rows = static_cast<Eigen::Index>(output_names(model).size());
  MatrixXd& C = linear.C = MatrixXd::Zero(rows, 2 * nv);
  MatrixXd& D = linear.D = MatrixXd::Zero(rows, linear.B.cols());
  C.topRows(2 * nv).setIdentity();
  const int places = 2 * nv, velocities = places + 6, accelerations = velocities + 6;
  C.block(places, 0, 6, nv) = e.J;             // (4)
  C.block(velocities, 0, 6, nv) = e.twist_dq;  // (5)
  C.block(velocities, nv, 6, nv) = e.J;
  const auto J = e.J.topRows<3>();  // (6)
  C.block(accelerations, 0, 3, nv) = e.acceleration_dq.topRows<3>() + J * linear.A.bottomLeftCorner(nv, nv);
  C.block(accelerations, nv, 3, nv) = e.acceleration_dv.topRows<3>() + J * linear.A.bottomRightCorner(nv, nv);
  D.middleRows(accelerations, 3) = J * linear.B.bottomRows(nv);
}

// Lengths, then rates, below what output_names() has before them: J d, and (d(J v)/dq) d + J w.
void add_cylinders(const Model& model, const OperatingPoint& about, LinearModel& linear) {
  if (model.cylinders().empty()) return;
  Struts struts(model);
  struts.update(about.q, about.v);
  const MatrixXd& J = struts.jacobian();
  const Eigen::Index nv = model.nv(), m = J.rows(), rows = linear.C.rows() - 2 * m;
  linear.C.block(rows, 0, m, nv) = J;
  linear.C.block(rows + m, 0, m, nv) = struts.rate_derivative(about.q, about.v);
  linear.C.block(rows + m, nv, m, nv) = J;
}

// Their rows below all others.
void add_sensors(Measurement& measurement, const OperatingPoint& about, LinearModel& linear) {
  if (measurement.size() == 0) return;
  MeasurementJacobian J;
  measurement.jacobian(about.q, about.v, about.tau, about.loads, J);
  const Eigen::Index rows = linear.C.rows();
  linear.C.conservativeResize(rows + measurement.size(), Eigen::NoChange);
  linear.D.conservativeResize(rows + measurement.size(), Eigen::NoChange);
  linear.C.bottomRows(measurement.size()) << J.dq, J.dv;
  linear.D.bottomRows(measurement.size()) = J.deffort;
}

std::vector<int> chosen_rows(const Names& known, const Names& wanted) {
  std::vector<int> rows;
  std::vector<Problem> problems;
  for (const std::string& name : wanted) {
    const auto place = std::find(known.begin(), known.end(), name);
    const int row = static_cast<int>(place - known.begin());
    if (place == known.end())
      problems.push_back(
          {"outputs", "the name of an output", show_text(name), suggestion(name, known, "outputs")});
    else if (std::find(rows.begin(), rows.end(), row) != rows.end())
      problems.push_back({"outputs", "each output once", show_text(name) + " again", ""});
    else
      rows.push_back(row);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return rows;
}

}  // namespace

OperatingPoint settled_point(const Model& model, const Input<double>& q, const std::vector<Load>& loads,
                             const VectorXd& joint_rates, const JointNames& hold) {
  const detail::Call call{"settled_point", model};
  call.require_position("q", q);
  call.require_velocity_or_none("joint_rates", joint_rates);
  call.require_loads(loads);
  const VectorXd rates = joint_rates.size() > 0 ? joint_rates : VectorXd::Zero(model.nv());
  const Equilibrium found = static_equilibrium(model, q, loads, StaticModel::exact, rates, hold);
  return {found.q, rates, found.efforts, loads, found.drives};
}

Names output_names(const Model& model) {
  Names names = model.coordinates();
  const Names rates = rate_names(model);
  names.insert(names.end(), rates.begin(), rates.end());
  append(names, place_names);
  append(names, velocity_names);
  append(names, acceleration_names);
  for (const Cylinder& cylinder : model.cylinders()) names.push_back(cylinder.name);
  for (const Cylinder& cylinder : model.cylinders()) names.push_back(cylinder.name + ".rate");
  return names;
}

Names default_output_names(const Model& model) {
  Names names = input_names(model);
  append(names, place_names);
  return names;
}

LinearModel linearize(const Model& model, const OperatingPoint& about, const Names& outputs,
                      const std::vector<SensorDescription>& sensors) {
  const int nv = model.nv();
  const detail::Call call{"linearize", model};
  call.require_position("about.q", about.q);
  call.require_velocity("about.v", about.v);
  call.require_velocity("about.tau", about.tau);
  call.require_loads(about.loads);
  LinearModel linear;
  linear.inputs = input_names(model);
  if (linear.inputs.empty())
    throw InputError(Problem{"links", "a joint that moves: its effort is an input", "fixed joints only", ""});
  Measurement measurement(model, sensors);
  const Names& sensor_names = measurement.names();
  linear.outputs = !outputs.empty() ? outputs : sensors.empty() ? default_output_names(model) : sensor_names;
  Names known = output_names(model);
  known.insert(known.end(), sensor_names.begin(), sensor_names.end());
  const std::vector<int> rows = chosen_rows(known, linear.outputs);
  linear.states = model.coordinates();
  const Names rates = rate_names(model);
  linear.states.insert(linear.states.end(), rates.begin(), rates.end());

  require_finite(model, about.q, about.v, about.tau, about.loads);

  // The state's own acceleration; it also tells a singular mass matrix.
  Workspace<double> work(model);
  VectorXd a(nv);
  VectorXd moving = about.tau;
  add_friction_forces(model, about.v, -1.0, moving);
  std::unique_ptr<Struts> struts;
  std::vector<Load> loads = about.loads;
  if (!model.cylinders().empty()) {
    require_cylinder_lengths(model, about.q);
    if (!sensors.empty()) require_no_cylinders(model, "the linear model of sensors");
    struts = std::make_unique<Struts>(model);
    struts->update(about.q, about.v);
  }
  PressedStops stops(model);
  stops.update(about.q, about.v, struts.get());
  moving += stops.on_joints();
  VectorXd pushed = about.drives;
  if (struts && !stops.empty()) {
    if (pushed.size() == 0) pushed.setZero(struts->count());
    pushed += stops.on_cylinders();
  }
  if (struts) struts->add_loads(struts->forces(pushed), loads);
  forward_dynamics(model, work, about.q, about.v, moving, a, loads);
  std::unique_ptr<LoopSolver> loops;
  VectorXd multipliers;
  if (!model.loops().empty()) {
    require_closed_loops("linearize", model, about.q);
    if (!sensors.empty()) require_no_loops(model, "the linear model of sensors");
    loops = std::make_unique<LoopSolver>(model);
    loops->update(about.q, about.v);
    multipliers = loops->multipliers(a);
    a += loops->acceleration_of(multipliers);
  }

  // (1), and (2) with N(v) by (3)
  MatrixXd M(nv, nv);
  mass_matrix(model, work, about.q, M);
  const Eigen::LLT<MatrixXd> M_factor(M);
  const ForceDerivatives force = force_derivatives(model, about.q, about.v, a, about.loads);
  MatrixXd stiffness = elastic_stiffness(model) + force.dq;
  MatrixXd damping = damping_matrix(model) + force.dv;
  damping.diagonal() += friction_slopes(model, about.v);
  stops.add_tangent(about.q, about.v, struts.get(), stiffness, damping);
  MatrixXd inputs = input_matrix(model, about.q);
  if (struts) {
    struts->add_tangent(about.q, about.v, pushed, stiffness, damping);
    const MatrixXd& J = struts->jacobian();
    inputs.conservativeResize(Eigen::NoChange, inputs.cols() + J.rows());
    inputs.rightCols(J.rows()) = J.transpose();
  }
  if (loops) {
    loops->constrain_tangent(about.q, about.v, a, multipliers, damping, stiffness);
    inputs = loops->moving_part(inputs);
  }
  linear.A.resize(2 * nv, 2 * nv);
  linear.A << -displacement_coupling(model, about.v), MatrixXd::Identity(nv, nv), -M_factor.solve(stiffness),
      -M_factor.solve(damping);
  linear.A.array() += 0.0;  // no -0, which readers would see
  linear.B = MatrixXd::Zero(2 * nv, static_cast<Eigen::Index>(linear.inputs.size()));
  linear.B.bottomRows(nv) = M_factor.solve(inputs);

  add_every_output(model, end_effector_derivatives(model, about.q, about.v, a), linear);
  add_cylinders(model, about, linear);
  add_sensors(measurement, about, linear);
  linear.C = MatrixXd(linear.C(rows, Eigen::all));
  linear.D = MatrixXd(linear.D(rows, Eigen::all));
  if (loops) keep_independent(model, about, linear);
  return linear;
}

}  // namespace limber
