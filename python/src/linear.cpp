// SPDX-License-Identifier: BSD-3-Clause
// Linear models about a state, their poles, zeros and optimal feedback.

#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <cmath>

#include "bindings.hpp"
#include "docs.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/analysis/riccati.hpp"
#include "limber/analysis/zero_motion.hpp"
#include "limber/analysis/zeros.hpp"
#include "limber/core/input_error.hpp"
#include "named.hpp"
#include "question.hpp"
#include "sensors.hpp"
#include "stack.hpp"

namespace limber::python {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Names = std::vector<std::string>;

struct Linear {
  Array A, B, C, D, q, v, tau;
  Names states, inputs, outputs;
};

struct LinearAt {
  OperatingPoint point;
  LinearModel model;
};

Linear packed(const Batch& batch, const std::vector<LinearAt>& results) {
  Linear all;
  const auto matrices = [&](MatrixXd LinearModel::*member) {
    return stacked(batch, results,
                   [member](const LinearAt& at) -> const MatrixXd& { return at.model.*member; });
  };
  const auto vectors = [&](VectorXd OperatingPoint::*member) {
    return stacked(batch, results,
                   [member](const LinearAt& at) -> const VectorXd& { return at.point.*member; });
  };
  all.A = matrices(&LinearModel::A);
  all.B = matrices(&LinearModel::B);
  all.C = matrices(&LinearModel::C);
  all.D = matrices(&LinearModel::D);
  all.q = vectors(&OperatingPoint::q);
  all.v = vectors(&OperatingPoint::v);
  all.tau = vectors(&OperatingPoint::tau);
  if (results.empty()) return all;
  all.states = results.front().model.states;
  all.inputs = results.front().model.inputs;
  all.outputs = results.front().model.outputs;
  return all;
}

/// The states about which to linearize.
struct Points {
  Question question;
  Rows rates, efforts;
  Batch batch;
  bool settle;

  Points(const ArmPointer& arm, const Numbers& q, const Numbers& v, const Numbers& tau,
         const py::object& loads, const py::object& hold, bool is_settled)
      : question(arm, q, loads, hold),
        rates("v", by_name(*arm, "v", v), arm->model().nv()),
        efforts("tau", by_name(*arm, "tau", tau), arm->model().nv()),
        batch({&question.positions(), &rates, &efforts}),
        settle(is_settled) {}

  OperatingPoint at(std::size_t i) const {
    if (!settle) return {question.q(i), VectorXd(rates[i]), VectorXd(efforts[i]), question.loads()};
    VectorXd joint_rates = rates[i];
    joint_rates(elastic_coordinates(question.model())).setZero();
    return settled_point(question.model(), question.q(i), question.loads(), joint_rates, question.hold());
  }
};

Linear linearized(const ArmPointer& arm, const Numbers& q, const Numbers& v, const Numbers& tau,
                  const py::object& loads, const Names& outputs, const Names& inputs, bool settle,
                  const py::object& hold, const py::object& sensors) {
  const Points points(arm, q, v, tau, loads, hold, settle);
  const std::vector<SensorDescription> instruments = sensors_of(*arm, sensors);
  return packed(points.batch, computed<LinearAt>(points.batch, [&](std::size_t i) {
                  LinearAt at{points.at(i), {}};
                  at.model =
                      linearize_at_points(points.question.model(), at.point, outputs, inputs, instruments);
                  return at;
                }));
}

Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> matrix_in(
    const Array& array) {
  return {array.data(), array.shape(0), array.shape(1)};
}

LinearModel model_of(const Linear& linear) {
  if (linear.A.ndim() != 2)
    throw InputError(
        Problem{"self", "the linear model of one state", "a batch of them", "linearize one state"});
  return {matrix_in(linear.A), matrix_in(linear.B), matrix_in(linear.C), matrix_in(linear.D),
          linear.states,       linear.inputs,       linear.outputs};
}

// outputs x inputs for each frequency
ComplexArray responses(const Linear& linear, const Numbers& frequencies_hz) {
  const LinearModel model = model_of(linear);
  Numbers numbers = frequencies_hz;
  const auto numpy = py::module_::import("numpy");
  numbers.given = numpy.attr("atleast_1d")(numbers.given);
  const auto width = static_cast<py::ssize_t>(py::len(numbers.given));
  const Rows rows("frequencies_hz", numbers, width);
  if (!rows.leading().empty())
    throw InputError(Problem{"frequencies_hz", "a list of frequencies", "an array with more axes", ""});
  const VectorXd values = rows[0];
  const FrequencyResponse response(model);
  const py::ssize_t p = model.C.rows(), m = model.B.cols();
  ComplexArray all({width, p, m});
  using Target =
      Eigen::Map<Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  for (py::ssize_t k = 0; k < width; ++k)
    Target(all.mutable_data() + k * p * m, p, m) = response.at(2.0 * M_PI * values[k]);
  return all;
}

struct Zeros {
  Eigen::VectorXcd zeros;
  std::string phase, verdict;
  Names inputs, outputs, states, sides;
  MatrixXd matrix, basis;
  int chain_at_zero = 0, surplus_inputs = 0;
};

Zeros zeros(const ArmPointer& arm, const Numbers& q, const Names& outputs, const Names& inputs,
            const py::object& loads, bool settle, const py::object& hold, const py::object& sensors) {
  const Points points(arm, q, {}, {}, loads, hold, settle);
  if (!points.batch.is_single()) throw InputError(Problem{"q", "one configuration", "a batch", ""});
  const Model& model = points.question.model();
  const std::vector<SensorDescription> instruments = sensors_of(*arm, sensors);
  const py::gil_scoped_release unlocked;
  const OperatingPoint point = points.at(0);
  const HeldOutputs held = held_outputs(model, outputs, inputs, point.q);
  const LinearModel linear = linearize_at_points(model, point, held.outputs, held.inputs, instruments);
  const ZeroDynamics found = zero_dynamics(linear);
  Zeros all{found.zeros,
            name_of(found.phase),
            verdict(found),
            linear.inputs,
            linear.outputs,
            linear.states,
            {},
            found.matrix,
            found.basis,
            found.chain_at_zero,
            found.surplus_inputs};
  for (const Side side : found.sides) all.sides.emplace_back(name_of(side));
  return all;
}

struct HeldMotion {
  std::complex<double> zero;
  VectorXd times, size;
  MatrixXd q, efforts;
  double rate = 0.0, largest_drift = 0.0;
  bool ended_early = false;
};

HeldMotion held_motion(const ArmPointer& arm, const Numbers& q, const Names& outputs, const Names& inputs,
                       const py::object& loads, bool settle, const py::object& hold, double kick,
                       double duration, int samples) {
  const Points points(arm, q, {}, {}, loads, hold, settle);
  if (!points.batch.is_single()) throw InputError(Problem{"q", "one configuration", "a batch", ""});
  ZeroMotionOptions options;
  options.kick = kick;
  options.duration = duration;
  options.samples = samples;
  const py::gil_scoped_release unlocked;
  const Model& model = points.question.model();
  const OperatingPoint point = points.at(0);
  const HeldOutputs held = held_outputs(model, outputs, inputs, point.q);
  const ZeroMotion found = zero_motion(model, point, held.outputs, held.inputs, options);
  return {found.zero, found.times,         found.size,       found.q.transpose(), found.efforts.transpose(),
          found.rate, found.largest_drift, found.ended_early};
}

using Matrix = Eigen::Ref<const MatrixXd>;

void need_shapes(const Matrix& A, const Matrix& B, const Matrix& Q, const Matrix& R) {
  const auto need = [](const char* name, const Matrix& matrix, Eigen::Index rows, Eigen::Index columns) {
    if (matrix.rows() == rows && matrix.cols() == columns) return;
    const auto shape = [](Eigen::Index r, Eigen::Index c) {
      return "(" + std::to_string(r) + ", " + std::to_string(c) + ")";
    };
    throw InputError(Problem{name, "an array of shape " + shape(rows, columns),
                             "shape " + shape(matrix.rows(), matrix.cols()), ""});
  };
  need("A", A, A.rows(), A.rows());
  need("B", B, A.rows(), B.cols());
  need("Q", Q, A.rows(), A.rows());
  need("R", R, B.cols(), B.cols());
}

void bind_zero_motion(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  const Names nobody;
  Named<HeldMotion>(module, "ZeroMotion", doc::ZeroMotion)
      .field("zero", &HeldMotion::zero, doc::ZeroMotion_zero)
      .field("times", &HeldMotion::times, doc::ZeroMotion_times)
      .field("q", &HeldMotion::q, "samples x nq.")
      .field("efforts", &HeldMotion::efforts,
             "samples x inputs: what holds the outputs, beyond what the state had.")
      .field("size", &HeldMotion::size, "In the sense of the inertia, in parts of the first.")
      .field("rate", &HeldMotion::rate, doc::ZeroMotion_rate)
      .field("largest_drift", &HeldMotion::largest_drift, doc::ZeroMotion_largest_drift)
      .field("ended_early", &HeldMotion::ended_early, "It grew too large, or could not be held any longer.");
  const ZeroMotionOptions usual;
  module.def("zero_motion", &held_motion, arg("arm").none(false), arg("q") = none, arg("outputs") = nobody,
             arg("inputs") = nobody, arg("loads") = none, arg("settle") = false, arg("hold") = none,
             arg("kick") = usual.kick, arg("duration") = usual.duration, arg("samples") = usual.samples,
             doc::zero_motion);
}

}  // namespace

void bind_linear(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  const Names nobody;
  const char* const matrices = doc::LinearModel;
  Named<Linear> linear(module, "LinearModel", doc::LinearModel);
  linear.field("A", &Linear::A, matrices)
      .field("B", &Linear::B, matrices)
      .field("C", &Linear::C, matrices)
      .field("D", &Linear::D, matrices)
      .field("states", &Linear::states, doc::LinearModel_states)
      .field("inputs", &Linear::inputs, doc::LinearModel_inputs)
      .field("outputs", &Linear::outputs, doc::LinearModel_outputs)
      .field("q", &Linear::q, doc::OperatingPoint_q)
      .field("v", &Linear::v, doc::OperatingPoint_v)
      .field("tau", &Linear::tau, doc::OperatingPoint_tau);
  linear.bound()
      .def_property_readonly(
          "poles", [](const Linear& self) { return poles(model_of(self)); }, doc::poles)
      .def("frequency_response", &responses, arg("frequencies_hz"),
           "G(i omega) of every frequency: an array (frequencies, outputs, inputs).");
  module.def("linearize", &linearized, arg("arm").none(false), arg("q") = none, arg("v") = none,
             arg("tau") = none, arg("loads") = none, arg("outputs") = nobody, arg("inputs") = nobody,
             arg("settle") = false, arg("hold") = none, arg("sensors") = none, doc::linearize_at_points);
  Named<Zeros>(module, "Zeros", doc::ZeroDynamics)
      .field("zeros", &Zeros::zeros, doc::ZeroDynamics_zeros)
      .field("phase", &Zeros::phase, doc::ZeroDynamics_phase)
      .field("verdict", &Zeros::verdict, doc::verdict)
      .field("inputs", &Zeros::inputs, doc::ZeroDynamics_inputs)
      .field("outputs", &Zeros::outputs, doc::LinearModel_outputs)
      .field("states", &Zeros::states, doc::LinearModel_states)
      .field("sides", &Zeros::sides, doc::ZeroDynamics_sides)
      .field("matrix", &Zeros::matrix, "Of the zero dynamics.")
      .field("basis", &Zeros::basis, doc::ZeroDynamics_basis)
      .field("chain_at_zero", &Zeros::chain_at_zero, doc::ZeroDynamics_chain_at_zero)
      .field("surplus_inputs", &Zeros::surplus_inputs, doc::ZeroDynamics_surplus_inputs);
  module.def("zeros", &zeros, arg("arm").none(false), arg("q") = none, arg("outputs") = nobody,
             arg("inputs") = nobody, arg("loads") = none, arg("settle") = false, arg("hold") = none,
             arg("sensors") = none, doc::zero_dynamics);
  bind_zero_motion(module);
  module.def(
      "lqr_gain",
      [](const Matrix& A, const Matrix& B, const Matrix& Q, const Matrix& R) {
        need_shapes(A, B, Q, R);
        return lqr_gain(A, B, Q, R);
      },
      arg("A"), arg("B"), arg("Q"), arg("R"), doc::lqr_gain);
  module.def(
      "solve_riccati",
      [](const Matrix& A, const Matrix& B, const Matrix& Q, const Matrix& R) {
        need_shapes(A, B, Q, R);
        return solve_riccati(A, B, Q, R);
      },
      arg("A"), arg("B"), arg("Q"), arg("R"), doc::solve_riccati);
}

}  // namespace limber::python
