// SPDX-License-Identifier: BSD-3-Clause
// Arms that Python takes along step by step: one, or many at a time.

#include "limber/simulation/simulator.hpp"

#include <pybind11/stl.h>

#include <atomic>
#include <memory>
#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "controller.hpp"
#include "docs.hpp"
#include "efforts.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/estimation/observer.hpp"
#include "limber/model/lookup.hpp"
#include "limber/simulation/simulators.hpp"
#include "limber/simulation/step_derivatives.hpp"
#include "signals.hpp"

namespace limber::python {
namespace {

using Eigen::VectorXd;

/// Steps run without the interpreter's lock, and call controllers of Python's: whoever else comes meanwhile, another thread or the controller itself, is
/// sent away.
class Turn {
 public:
  explicit Turn(std::atomic<bool>& busy) : busy_(busy) {
    if (busy_.exchange(true))
      throw ComputationError(
          "this simulator is taking a step: it serves one thread at a time, and none of its own controllers. "
          "Make another one, or wait");
  }
  ~Turn() { busy_ = false; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::atomic<bool>& busy_;
};

/// One vector, and no batch.
VectorXd vector_of(const char* name, const Numbers& numbers, py::ssize_t width) {
  const Rows rows(name, numbers, width);
  if (!rows.leading().empty())
    throw InputError(Problem{name, std::to_string(width) + " numbers", "an array with more axes", ""});
  return rows[0];
}

/// A Simulator for Python.
class ArmInMotion {
 public:
  ArmInMotion(const ScenarioFile& file, const py::object& controllers, const py::object& watches)
      : arm_(std::make_shared<Arm>(file.model)), efforts_(file.model) {
    Scenario scenario = driven_scenario(file, controllers, watches);
    const py::gil_scoped_release unlocked;
    simulator_.emplace(std::move(scenario));
    simulator_->on_step([this] { signals_.look(); });
  }

  void step(double h, const py::object& efforts) {
    const Turn turn(busy_);
    if (!efforts.is_none()) simulator_->set_efforts(efforts_.read("efforts", efforts));
    const py::gil_scoped_release unlocked;
    simulator_->step(h);
  }

  void advance_to(double t) {
    const Turn turn(busy_);
    const py::gil_scoped_release unlocked;
    simulator_->advance_to(t);
  }

  void set_efforts(const py::object& efforts) {
    const Turn turn(busy_);
    simulator_->set_efforts(efforts_.read("efforts", efforts));
  }

  void set_load(const py::object& load, const Numbers& force, const Numbers& moment) {
    const Turn turn(busy_);
    const Eigen::Vector3d F = vector_of("force", force, 3), M = vector_of("moment", moment, 3);
    if (py::isinstance<py::str>(load))
      simulator_->set_load(std::string(py::str(load)), F, M);
    else if (py::isinstance<py::int_>(load) && !py::isinstance<py::bool_>(load))
      simulator_->set_load(index_of(load), F, M);
    else
      throw InputError(Problem{"load", "the name of a link, or the index of a load of the scenario",
                               std::string(py::str(py::repr(load))).substr(0, 80), ""});
  }

  void set_state(const Numbers& q, const Numbers& v) {
    const Turn turn(busy_);
    const VectorXd position = vector_of("q", q, arm_->model().nq()),
                   velocity = vector_of("v", v, arm_->model().nv());
    simulator_->set_state(position, velocity);
  }

  Simulator::Saved save() {
    const Turn turn(busy_);
    return simulator_->save();
  }
  void restore(const Simulator::Saved& saved) {
    const Turn turn(busy_);
    simulator_->restore(saved);
  }

  double t() {
    const Turn turn(busy_);
    return simulator_->state().t;
  }
  Array q() {
    const Turn turn(busy_);
    return array_of(simulator_->state().q);
  }
  Array v() {
    const Turn turn(busy_);
    return array_of(simulator_->state().v);
  }
  py::dict readings() {
    const Turn turn(busy_);
    const VectorXd& shown = simulator_->readings();
    py::dict by_name;
    const std::vector<SensorDescription>& sensors = simulator_->scenario().sensors;
    for (std::size_t i = 0; i < sensors.size(); ++i)
      by_name[py::str(sensors[i].name)] = shown[static_cast<Eigen::Index>(i)];
    return by_name;
  }
  py::list events() {
    const Turn turn(busy_);
    py::list all;
    for (const Occurrence& occurrence : simulator_->occurrences())
      all.append(py::make_tuple(occurrence.t, occurrence.name));
    return all;
  }
  std::string method() const { return simulator_->method(); }
  const ArmPointer& arm() const { return arm_; }

 private:
  static int index_of(const py::object& load) {
    const long index = PyLong_AsLong(load.ptr());
    PyErr_Clear();
    return index < 0 || index > 1000000 ? -1 : static_cast<int>(index);
  }

  ArmPointer arm_;
  EffortReader efforts_;
  SignalWatch signals_;
  std::optional<Simulator> simulator_;
  std::atomic<bool> busy_ = false;
};

/// Many of them, of arms with the same coordinates, that go on together on all cores (Simulators). One that cannot go on is left where it was, and says why.
class ArmsInMotion {
 public:
  explicit ArmsInMotion(const std::vector<const ScenarioFile*>& files) {
    if (files.empty()) throw InputError(Problem{"scenarios", "at least one scenario", "none", ""});
    const py::gil_scoped_release unlocked;
    nq_ = files.front()->model.nq();
    nv_ = files.front()->model.nv();
    std::vector<Scenario> scenarios;
    for (const ScenarioFile* file : files) {
      if (file->model.coordinates() != files.front()->model.coordinates())
        throw InputError(Problem{"scenarios", "arms with the same coordinates",
                                 "`" + file->model.name() + "`, which has others", ""});
      scenarios.push_back(build_observed_scenario(file->description, file->model));
    }
    arms_.emplace(std::move(scenarios));
    for (int i = 0; i < arms_->size(); ++i) starts_.push_back((*arms_)[i].save());
    efforts_.resize(nv_, arms_->size());
  }

  /// h seconds with these efforts: (nv) numbers for all, or (n, nv).
  void step(double h, const Numbers& efforts) {
    const Turn turn(busy_);
    const Rows rows("efforts", efforts, nv_);
    if (!rows.leading().empty() && rows.leading() != Shape{static_cast<py::ssize_t>(size())})
      throw InputError(Problem{"efforts",
                               "an array of shape (" + std::to_string(nv_) + ",), or (" +
                                   std::to_string(size()) + ", " + std::to_string(nv_) + ")",
                               "one with other leading axes", ""});
    if (!(h > 0.0)) throw InputError(Problem{"h", "a time > 0 [s]", std::to_string(h), ""});
    const py::gil_scoped_release unlocked;
    for (std::size_t i = 0; i < size(); ++i) efforts_.col(static_cast<Eigen::Index>(i)) = rows[i];
    for_each_run(
        static_cast<std::size_t>(arms_->group_count()),
        [&](std::size_t& group, std::size_t last) {
          for (; group < last; ++group) arms_->step_group(static_cast<int>(group), h, efforts_);
        },
        1);
  }

  /// Those of a mask (none: all) begin again, where they began or at these states.
  void restart(const std::optional<std::vector<bool>>& which, const Numbers& q, const Numbers& v) {
    const Turn turn(busy_);
    const Rows positions("q", q, nq_), rates("v", v, nv_);
    const Batch batch({&positions, &rates});
    if ((which && which->size() != size()) || (!batch.is_single() && batch.count() != size()))
      throw InputError(Problem{"which, q and v", std::to_string(size()) + " of each", "another number", ""});
    for (std::size_t i = 0; i < size(); ++i) {
      if (which && !(*which)[i]) continue;
      Simulator& arm = (*arms_)[static_cast<int>(i)];
      arm.restore(starts_[i]);
      arms_->forgive(static_cast<int>(i));
      if (!q.is_none()) arm.set_state(positions[i], rates[i]);
    }
  }

  /// One row for each.
  Array t() {
    return rows_of(0, [](const Simulator::State& state, double* out) { *out = state.t; });
  }
  Array q() {
    return rows_of(nq_,
                   [this](const Simulator::State& state, double* out) { VectorTarget(out, nq_) = state.q; });
  }
  Array v() {
    return rows_of(nv_,
                   [this](const Simulator::State& state, double* out) { VectorTarget(out, nv_) = state.v; });
  }
  /// By name, a number for each arm; sensors are those of the first one's scenario.
  py::dict readings() {
    const Turn turn(busy_);
    const std::vector<SensorDescription>& sensors = (*arms_)[0].scenario().sensors;
    Eigen::MatrixXd all(static_cast<Eigen::Index>(sensors.size()), static_cast<Eigen::Index>(size()));
    for (int i = 0; i < arms_->size(); ++i) {
      const VectorXd& shown = (*arms_)[i].readings();
      if (shown.size() != all.rows())
        throw InputError(Problem{"scenarios", "the same sensors in each",
                                 "other sensors in scenario " + std::to_string(i), ""});
      all.col(i) = shown;
    }
    py::dict by_name;
    for (std::size_t s = 0; s < sensors.size(); ++s)
      by_name[py::str(sensors[s].name)] =
          array_of(VectorXd(all.row(static_cast<Eigen::Index>(s)).transpose()));
    return by_name;
  }
  const std::vector<std::string>& failures() const { return arms_->failures(); }
  std::size_t size() const { return starts_.size(); }
  /// Arms whose accelerations are computed several at a time.
  int batched() const {
    int count = 0;
    for (int g = 0; g < arms_->group_count(); ++g)
      if (arms_->group(g).is_batch) count += arms_->group(g).count;
    return count;
  }

 private:
  template <typename Fill>
  Array rows_of(py::ssize_t width, Fill&& fill) {
    const Turn turn(busy_);
    const auto count = static_cast<py::ssize_t>(size());
    Array all(width == 0 ? Shape{count} : Shape{count, width});
    double* out = all.mutable_data();
    for (int i = 0; i < arms_->size(); ++i) {
      fill((*arms_)[i].state(), out);
      out += std::max<py::ssize_t>(width, 1);
    }
    return all;
  }

  int nq_ = 0, nv_ = 0;
  std::optional<Simulators> arms_;
  std::vector<Simulator::Saved> starts_;
  Eigen::MatrixXd efforts_;
  std::atomic<bool> busy_ = false;
};

/// DiscreteDerivatives with its names.
py::dict step_slopes(const ScenarioFile& file, const Numbers& q, const Numbers& v, const Numbers& efforts,
                     double h, double t) {
  const int nq = file.model.nq(), nv = file.model.nv();
  const VectorXd position = vector_of("q", q, nq), velocity = vector_of("v", v, nv),
                 given = vector_of("efforts", efforts, nv);
  const DiscreteDerivatives found = [&] {
    const py::gil_scoped_release unlocked;
    Scenario scenario = build_observed_scenario(file.description, file.model);
    return discrete_derivatives(scenario, position, velocity, given, h, t);
  }();
  py::dict all;
  all["q"] = array_of(found.q);
  all["v"] = array_of(found.v);
  all["x"] = array_of(found.x);
  all["A"] = array_of(found.A);
  all["B"] = array_of(found.B);
  return all;
}

}  // namespace

void bind_simulator(py::module_& module) {
  module.def("discrete_derivatives", &step_slopes, py::arg("scenario"), py::arg("q"), py::arg("v"),
             py::arg("efforts"), py::arg("h"), py::arg("t") = 0.0, doc::discrete_derivatives);
  using py::arg;
  const auto none = py::none();
  py::class_<Simulator::Saved>(module, "Saved", doc::Simulator_Saved);
  py::class_<ArmInMotion>(module, "Simulator", doc::Simulator)
      .def(py::init<const ScenarioFile&, const py::object&, const py::object&>(), arg("scenario"),
           arg("controllers") = none, arg("watches") = none, doc::Simulator_Simulator)
      .def("step", &ArmInMotion::step, arg("h"), arg("efforts") = none, doc::Simulator_step)
      .def("advance_to", &ArmInMotion::advance_to, arg("t"), doc::Simulator_advance_to)
      .def("set_efforts", &ArmInMotion::set_efforts, arg("efforts"), doc::Simulator_set_efforts)
      .def("set_load", &ArmInMotion::set_load, arg("load"), arg("force"), arg("moment") = none,
           doc::Simulator_set_load)
      .def("set_state", &ArmInMotion::set_state, arg("q"), arg("v") = none, doc::Simulator_set_state)
      .def("save", &ArmInMotion::save, doc::Simulator_save)
      .def("restore", &ArmInMotion::restore, arg("saved"), doc::Simulator_restore)
      .def_property_readonly("t", &ArmInMotion::t, doc::Simulator_State_t)
      .def_property_readonly("q", &ArmInMotion::q, "Positions now (nq).")
      .def_property_readonly("v", &ArmInMotion::v, "Velocities now (nv).")
      .def_property_readonly("readings", &ArmInMotion::readings, doc::Simulator_readings)
      .def_property_readonly("events", &ArmInMotion::events, doc::Simulator_occurrences)
      .def_property_readonly("method", &ArmInMotion::method, doc::Simulator_method)
      .def_property_readonly("arm", &ArmInMotion::arm, doc::Simulator_model);
  py::class_<ArmsInMotion>(module, "Simulators",
                           "Many simulators of arms with the same coordinates, that go on together on all "
                           "cores. Neighbours of one topology that are integrated by rk4, euler or "
                           "generalized-alpha share vector registers.")
      .def(py::init<const std::vector<const ScenarioFile*>&>(), arg("scenarios"), doc::Simulator_Simulator)
      .def("step", &ArmsInMotion::step, arg("h"), arg("efforts") = none,
           "All go on for h seconds, with efforts (nv) or (n, nv). One that cannot is left where it was: "
           "`failures` says why.")
      .def("restart", &ArmsInMotion::restart, arg("which") = none, arg("q") = none, arg("v") = none,
           "Those of a mask (None: all) begin again, where they began or at these states.")
      .def_property_readonly("t", &ArmsInMotion::t, "[s] of each.")
      .def_property_readonly("q", &ArmsInMotion::q, "Positions of each (n, nq).")
      .def_property_readonly("v", &ArmsInMotion::v, "Velocities of each (n, nv).")
      .def_property_readonly("readings", &ArmsInMotion::readings,
                             "What the sensors of each show, by name: (n) numbers.")
      .def_property_readonly("batched", &ArmsInMotion::batched,
                             "How many of them share vector registers with others.")
      .def_property_readonly("failures", &ArmsInMotion::failures,
                             "Of each, why it cannot go on; empty where it can.")
      .def("__len__", &ArmsInMotion::size);
}

}  // namespace limber::python
