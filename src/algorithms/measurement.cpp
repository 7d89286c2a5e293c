// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/measurement.hpp"

#include <algorithm>
#include <variant>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/detail/jacobian.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/dual.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/friction.hpp"
#include "limber/model/lookup.hpp"
#include "limber/model/loops.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

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

// What each kind of sensor needs of the arm, once names have been looked up, and its formula: (1) to (7).

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
  int first;  ///< of the link's elastic coordinates, in q
  VectorXd row;
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

/// From descriptions to readings; the arm gets a node wherever something sits.
class Lookup {
 public:
  explicit Lookup(Model& model) : model_(model) {}

  Reading operator()(const sensors::Position& s) const {
    const int joint = sensed_position(model_, s.joint);
    return PositionReading{joint >= 0 ? joint : position_index(model_, s.joint)};
  }
  Reading operator()(const sensors::Velocity& s) const {
    const int joint = sensed_coordinate(model_, s.joint);
    return VelocityReading{joint >= 0 ? joint : coordinate_index(model_, s.joint)};
  }
  Reading operator()(const sensors::Acceleration& s) const {
    return AccelerationReading{sensed_coordinate(model_, s.joint)};
  }
  Reading operator()(const sensors::Effort& s) const { return EffortReading{sensed_effort(model_, s.joint)}; }
  Reading operator()(const sensors::Strain& s) const {
    return elastic_row(s.link, s.at,
                       [&](const BeamStrain& strain) { return strain.at_fibre(s.offset[0], s.offset[1]); });
  }
  Reading operator()(const sensors::Curvature& s) const {
    return elastic_row(s.link, s.at, [&](const BeamStrain& strain) {
      return s.axis == CurvatureAxis::x   ? strain.twist
             : s.axis == CurvatureAxis::y ? strain.kappa_y
                                          : strain.kappa_z;
    });
  }
  Reading operator()(const sensors::Accelerometer& s) const {
    return AccelerometerReading{place(s.place), s.axis.normalized(), s.gravity};
  }
  Reading operator()(const sensors::Gyroscope& s) const {
    return GyroscopeReading{place({s.link, s.at, Eigen::Vector3d::Zero(), s.interface}), s.axis.normalized()};
  }
  Reading operator()(const sensors::Point& s) const {
    return PointReading{place(s.place), s.axis.normalized(), s.relative};
  }
  Reading operator()(const sensors::Wrench& s) const {
    return WrenchReading{joint_index(model_, s.joint), static_cast<int>(s.component)};
  }

 private:
  Frame place(const sensors::Place& at) const {
    const LinkPlace there = place_on(model_, at.link, at.at, at.interface);
    model_ = with_node(model_, there);
    return {there.link, node_index(model_, there), there.X_NS * Pose{Eigen::Matrix3d::Identity(), at.offset}};
  }

  template <typename Of>
  ElasticReading elastic_row(const std::string& name, double at, Of&& of) const {
    const LinkPlace there = place_on(model_, name, at);
    const Link& link = model_.links()[static_cast<std::size_t>(there.link)];
    ElasticReading reading{link.elastic_q_index, VectorXd(link.elastic_count)};
    for (int j = 0; j < link.elastic_count; ++j)
      reading.row[j] =
          of(beam_strain(link, VectorXd::Unit(link.elastic_count, j), there.at * link.beam->basis.length()));
    return reading;
  }

  Model& model_;
};

/// What is needed to evaluate with one scalar.
template <typename Scalar>
struct Scratch {
  explicit Scratch(const Model& model)
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
    for (const Link& link : model.links()) {
      for (int i = 0; i < link.elastic_count; ++i) straight[link.elastic_q_index + i] = Scalar(0.0);
      if (link.joint.has_motor()) straight[link.joint.q_index] = q[link.joint.q_index + 1];
    }
    update_positions(model, unbent, straight);
    update_world_poses(unbent);
  }

  MeasuredArm<Scalar> arm(const Model& model) const { return {model, work, unbent, q, v, a, efforts}; }
};

// No instrument shows an elastic coordinate, and no file may name one; outputs of a fit may.
bool shows_elastic_coordinate(const SensorDescription& sensor, const Model& model) {
  const auto* const position = std::get_if<sensors::Position>(&sensor.kind);
  const auto* const velocity = std::get_if<sensors::Velocity>(&sensor.kind);
  if (!position && !velocity) return false;
  const std::string& name = position ? position->joint : velocity->joint;
  for (const Link& link : model.links())
    for (int i = 0; i < link.elastic_count; ++i)
      if (model.coordinates()[static_cast<std::size_t>(link.elastic_v_index + i)] == name) return true;
  return false;
}

bool input_matrix_varies(const Model& model) {
  return std::any_of(model.links().begin(), model.links().end(),
                     [](const Link& link) { return link.joint.axes.size() > 1 && link.elastic_count > 0; });
}

}  // namespace

struct Measurement::Parts {
  Parts(const Model& of, const std::vector<SensorDescription>& sensors) : model(of) {
    for (const SensorDescription& sensor : sensors) {
      readings.push_back(std::visit(Lookup(model), sensor.kind));
      most = std::max(most, dependence_of(readings.back()));
      if (const auto* point = std::get_if<PointReading>(&readings.back()))
        compares = compares || point->relative == PointReference::rigid;
    }
    if (!sensors.empty()) plain = std::make_unique<Scratch<double>>(model);
  }

  static Dependence dependence_of(const Reading& reading) {
    return std::visit([](const auto& held) { return held.dependence; }, reading);
  }

  // Velocities and poses; accelerations come from a sweep that does velocities itself.
  template <typename Scalar>
  void place(Scratch<Scalar>& s) const {
    if (most == Dependence::positions)
      update_positions(model, s.work, s.q);
    else if (most != Dependence::accelerations)
      update_velocities(model, s.work, s.q, s.v);
    update_world_poses(s.work);
    if (compares) s.place_unbent(model);
  }

  // The derivative in one of all columns: along q, v and efforts, one after the other.
  void seed(int column, int direction, const VectorXd& q) {
    Scratch<Dual>& s = *dual;
    const int nv = model.nv();
    if (column < nv) {
      unit.setZero();
      unit[column] = 1.0;
      configuration_rate(model, q, unit, along);
      for (int k = 0; k < model.nq(); ++k) s.q[k].derivatives()[direction] = along[k];
    } else if (column < 2 * nv) {
      s.v[column - nv].derivatives()[direction] = 1.0;
      s.tau[column - nv].derivatives()[direction] = -slopes[column - nv];
    } else {
      const int input = column - 2 * nv;
      for (int k = 0; k < nv; ++k) s.tau[k].derivatives()[direction] = inputs(k, input);
      s.efforts[joint_rows[static_cast<std::size_t>(input)]].derivatives()[direction] = 1.0;
    }
  }

  // (8) in up to four directions at once.
  void sweep(const std::vector<Load>& loads) {
    Scratch<Dual>& s = *dual;
    if (most == Dependence::accelerations) forward_dynamics(model, s.work, s.q, s.v, s.tau, s.a, loads);
    place(s);
    const MeasuredArm<Dual> arm = s.arm(model);
    for (std::size_t i = 0; i < readings.size(); ++i)
      dual_values[static_cast<Eigen::Index>(i)] =
          std::visit([&](const auto& reading) { return reading(arm); }, readings[i]);
  }

  void prepare_derivatives() {
    if (dual) return;
    dual = std::make_unique<Scratch<Dual>>(model);
    dual_values.resize(static_cast<Eigen::Index>(readings.size()));
    unit.resize(model.nv());
    along.resize(model.nq());
    at.resize(model.nq());
    varies = input_matrix_varies(model);
    inputs = input_matrix(model);
    joint_rows = driven_coordinates(model);
  }

  Model model;  ///< with nodes where sensors sit
  std::vector<Reading> readings;
  Dependence most = Dependence::positions;
  bool compares = false;                   ///< whether any sensor asks for the arm unbent
  std::unique_ptr<Scratch<double>> plain;  ///< none where there are no sensors

  // Made when derivatives are first asked for.
  std::unique_ptr<Scratch<Dual>> dual;
  VectorX<Dual> dual_values;
  VectorXd unit, along, at;
  VectorXd moving, slopes;  ///< efforts less friction; its slopes
  bool varies = false;
  MatrixXd inputs;
  std::vector<int> joint_rows;
};

Measurement::Measurement(const Model& model, std::vector<SensorDescription> sensors)
    : sensors_(std::move(sensors)) {
  std::vector<SensorDescription> instruments = sensors_;
  std::erase_if(instruments,
                [&](const SensorDescription& one) { return shows_elastic_coordinate(one, model); });
  if (auto problems = check_sensors(instruments, model); !problems.empty())
    throw InputError(std::move(problems));
  for (const SensorDescription& sensor : sensors_) {
    names_.push_back(sensor.name);
    if (std::holds_alternative<sensors::Wrench>(sensor.kind)) require_plain_tree(model, "a wrench sensor");
  }
  parts_ = std::make_unique<Parts>(model, sensors_);
}
Measurement::~Measurement() = default;
Measurement::Measurement(Measurement&&) noexcept = default;
Measurement& Measurement::operator=(Measurement&&) noexcept = default;

int Measurement::index(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end())
    throw InputError(Problem{"sensor", "the name of a sensor", show_text(name),
                             names_.empty() ? "there are no sensors" : suggestion(name, names_, "sensors")});
  return static_cast<int>(found - names_.begin());
}

Dependence Measurement::dependence(int i) const {
  return Parts::dependence_of(parts_->readings.at(static_cast<std::size_t>(i)));
}

void Measurement::evaluate(const Input<double>& q, const Input<double>& v, const Input<double>& acceleration,
                           const Input<double>& efforts, const std::vector<Load>& loads,
                           Output<double> values) {
  Parts& p = *parts_;
  const detail::Call call{"Measurement::evaluate", p.model};
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("acceleration", acceleration);
  call.require_velocity("efforts", efforts);
  if (values.size() != size())
    detail::throw_wrong_size(call.function, "values", p.model, "sensors", size(), values.size());
  if (size() == 0) return;
  Scratch<double>& s = *p.plain;
  s.q = q;
  s.v = v;
  s.a = acceleration;
  s.efforts = efforts;
  if (p.most == Dependence::accelerations) inverse_dynamics(p.model, s.work, s.q, s.v, s.a, s.tau, loads);
  p.place(s);
  const MeasuredArm<double> arm = s.arm(p.model);
  for (std::size_t i = 0; i < p.readings.size(); ++i)
    values[static_cast<Eigen::Index>(i)] =
        std::visit([&](const auto& reading) { return reading(arm); }, p.readings[i]);
}

void Measurement::jacobian(const Input<double>& q, const Input<double>& v, const Input<double>& tau,
                           const std::vector<Load>& loads, MeasurementJacobian& result) {
  Parts& p = *parts_;
  const detail::Call call{"Measurement::jacobian", p.model};
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("tau", tau);
  p.prepare_derivatives();
  p.at = q;
  if (p.varies) p.inputs = input_matrix(p.model, q);
  const int nv = p.model.nv(), input_count = static_cast<int>(p.inputs.cols()), count = 2 * nv + input_count;
  result.dq.resize(size(), nv);
  result.dv.resize(size(), nv);
  result.deffort.resize(size(), input_count);
  Scratch<Dual>& s = *p.dual;
  p.slopes.setZero(nv);
  if (has_friction(p.model)) p.slopes = friction_slopes(p.model, v);
  p.moving = tau;
  add_friction_forces(p.model, v, -1.0, p.moving);
  for (int first = 0; first < count; first += Dual::direction_count) {
    s.q = q.cast<Dual>();
    s.v = v.cast<Dual>();
    s.tau = p.moving.cast<Dual>();
    s.efforts = tau.cast<Dual>();
    const int directions = std::min(Dual::direction_count, count - first);
    for (int d = 0; d < directions; ++d) p.seed(first + d, d, p.at);
    p.sweep(loads);
    for (int d = 0; d < directions; ++d) {
      const int column = first + d;
      MatrixXd& block = column < nv ? result.dq : column < 2 * nv ? result.dv : result.deffort;
      const int of_block = column < nv ? column : column < 2 * nv ? column - nv : column - 2 * nv;
      for (int i = 0; i < size(); ++i) block(i, of_block) = p.dual_values[i].derivatives()[d];
    }
  }
}

}  // namespace limber
