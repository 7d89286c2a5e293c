// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/measurement.hpp"

#include <algorithm>
#include <variant>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/lookup.hpp"
#include "limber/model/loops.hpp"
#include "reading_duals.hpp"
#include "reading_slopes.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

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
    ElasticReading reading{link.elastic_q_index, link.elastic_v_index, VectorXd(link.elastic_count)};
    for (int j = 0; j < link.elastic_count; ++j)
      reading.row[j] =
          of(beam_strain(link, VectorXd::Unit(link.elastic_count, j), there.at * link.beam->basis.length()));
    return reading;
  }

  Model& model_;
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
    if (!sensors.empty()) plain = std::make_unique<MeasuredState<double>>(model);
  }

  void prepare_derivatives() {
    if (inputs.size() > 0 || slopes || duals) return;
    varies = input_matrix_varies(model);
    inputs = input_matrix(model);
    std::vector<int> by_duals;
    Dependence most_of_others = Dependence::positions;
    for (std::size_t i = 0; i < readings.size(); ++i)
      if (model.has_telescopes() || std::holds_alternative<WrenchReading>(readings[i]))
        by_duals.push_back(static_cast<int>(i));
      else
        most_of_others = std::max(most_of_others, dependence_of(readings[i]));
    if (by_duals.size() < readings.size())
      slopes = std::make_unique<ReadingSlopes>(model, readings, most_of_others, compares);
    if (!by_duals.empty())
      duals = std::make_unique<ReadingDuals>(model, readings, std::move(by_duals), most, compares);
  }

  Model model;  ///< with nodes where sensors sit
  std::vector<Reading> readings;
  Dependence most = Dependence::positions;
  bool compares = false;                         ///< whether any sensor asks for the arm unbent
  std::unique_ptr<MeasuredState<double>> plain;  ///< none where there are no sensors

  // Made when derivatives are first asked for, as far as there are readings for them.
  std::unique_ptr<ReadingSlopes> slopes;
  std::unique_ptr<ReadingDuals> duals;
  bool varies = false;
  MatrixXd inputs;
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
  return dependence_of(parts_->readings.at(static_cast<std::size_t>(i)));
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
  MeasuredState<double>& s = *p.plain;
  s.q = q;
  s.v = v;
  s.a = acceleration;
  s.efforts = efforts;
  if (p.most == Dependence::accelerations) inverse_dynamics(p.model, s.work, s.q, s.v, s.a, s.tau, loads);
  s.place(p.model, p.most, p.compares);
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
  call.require_loads(loads);
  p.prepare_derivatives();
  if (p.varies) p.inputs = input_matrix(p.model, q);
  const int nv = p.model.nv();
  result.dq.setZero(size(), nv);
  result.dv.setZero(size(), nv);
  result.deffort.setZero(size(), p.inputs.cols());
  if (size() == 0) return;
  if (p.slopes) p.slopes->find(q, v, tau, loads, p.inputs, result);
  if (p.duals) p.duals->find(q, v, tau, loads, p.inputs, result);
}

}  // namespace limber
