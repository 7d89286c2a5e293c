// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/controller.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "arrays.hpp"
#include "controller.hpp"
#include "efforts.hpp"
#include "limber/core/input_error.hpp"
#include "limber/estimation/observer.hpp"
#include "limber/scenario/feedback.hpp"

namespace limber::python {
namespace {

// An object of Python's that may be let go of wherever the run is: the interpreter's lock is taken for it.
using Held = std::shared_ptr<PyObject>;

Held held(const py::object& object) {
  return {object.inc_ref().ptr(), [](PyObject* pointer) {
            const py::gil_scoped_acquire locked;
            Py_XDECREF(pointer);
          }};
}

std::string class_name(const py::object& object) {
  return py::str(py::type::handle_of(object).attr("__name__"));
}

// rate = None: asked all the time, which the library calls 0.
double rate_of(const py::object& controller, const std::string& name) {
  const py::object rate = py::getattr(controller, "rate", py::none());
  if (rate.is_none()) return 0.0;
  const double value = PyFloat_AsDouble(rate.ptr());
  PyErr_Clear();
  if (!(value > 0.0) || !std::isfinite(value))
    throw InputError(Problem{name + ".rate", "None (asked all the time) or a number > 0 [samples per second]",
                             std::string(py::str(py::repr(rate))).substr(0, 80), ""});
  return value;
}

/// Asks an object of Python's for efforts: efforts(t, measured).
class PythonController : public Controller {
 public:
  PythonController(const Scenario& scenario, const py::object& controller)
      : object_(held(controller)),
        efforts_(held(controller.attr("efforts"))),
        name_(class_name(controller)),
        rate_(rate_of(controller, name_)),
        reader_(scenario.model) {
    // One that is asked all the time is shown what it can be shown; of others there is nothing in `measured`.
    for (std::size_t i = 0; i < scenario.sensors.size(); ++i) {
      if (rate_ == 0.0 && !why_not_seen_all_the_time(scenario.sensors[i]).empty()) continue;
      seen_.push_back(static_cast<int>(i));
      names_.push_back(held(py::str(scenario.sensors[i].name)));
    }
  }

  double rate() const override { return rate_; }
  std::vector<int> sensors() const override { return seen_; }

  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override {
    const py::gil_scoped_acquire locked;
    py::dict measured;
    measured["q"] = array_of(now.q);
    measured["v"] = array_of(now.v);
    for (std::size_t k = 0; k < seen_.size(); ++k)
      measured[py::handle(names_[k].get())] = py::float_(now.measured[seen_[k]]);
    const py::object asked =
        py::reinterpret_borrow<py::object>(efforts_.get())(py::float_(now.t), std::move(measured));
    try {
      reader_.add("efforts", asked, efforts);
    } catch (const InputError&) {
      within_path(fmt::format("{} at t = {:.6g} s", name_, now.t), [] { throw; });
    }
  }

 private:
  Held object_, efforts_;
  std::string name_;
  double rate_;
  EffortReader reader_;
  std::vector<int> seen_;    ///< sensors of the scenario
  std::vector<Held> names_;  ///< of these
};

/// A watch whose value Python finds: value(t, q, v).
Watch watch_of(const py::handle& given, std::size_t index) {
  const std::string path = "watches[" + std::to_string(index) + "]";
  if (!py::hasattr(given, "value") || !py::hasattr(given, "name"))
    throw InputError(Problem{path, "a limber.Watch", py::str(py::repr(given)), ""});
  Watch watch;
  watch.name = py::str(given.attr("name"));
  watch.stops = py::hasattr(given, "stops") && py::bool_(given.attr("stops"));
  watch.value = [function = held(given.attr("value")), path](const Instant& now) {
    const py::gil_scoped_acquire locked;
    const py::object value = py::reinterpret_borrow<py::object>(function.get())(
        py::float_(now.t), array_of(now.q), array_of(now.v));
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred()) throw py::error_already_set();
    if (std::isnan(number))
      throw InputError(Problem{path + ".value", "a number", "nan", "positive while nothing has happened"});
    return number;
  };
  return watch;
}

py::iterator items_of(const char* name, const py::object& list) {
  if (!py::isinstance<py::list>(list) && !py::isinstance<py::tuple>(list))
    throw InputError(Problem{name, "a list", class_name(list), ""});
  return py::iter(list);
}

}  // namespace

Scenario driven_scenario(const ScenarioFile& file, const py::object& controllers, const py::object& watches) {
  std::optional<Scenario> built;
  {
    const py::gil_scoped_release unlocked;
    built.emplace(build_observed_scenario(file.description, file.model));
  }
  Scenario& scenario = *built;
  if (!controllers.is_none()) {
    const auto arm = std::make_shared<Arm>(scenario.model);
    std::size_t index = 0;
    for (const py::handle item : items_of("controllers", controllers)) {
      const auto controller = py::reinterpret_borrow<py::object>(item);
      if (!py::hasattr(controller, "efforts"))
        throw InputError(Problem{"controllers[" + std::to_string(index) + "]",
                                 "an object with a method efforts(t, measured)",
                                 py::isinstance<py::type>(controller)
                                     ? "the class " + std::string(py::str(controller.attr("__name__")))
                                     : class_name(controller),
                                 "derive yours from limber.Controller"});
      if (py::isinstance<py::type>(controller))
        throw InputError(
            Problem{"controllers[" + std::to_string(index) + "]", "an object",
                    "the class " + std::string(py::str(controller.attr("__name__"))),
                    "make one of it: " + std::string(py::str(controller.attr("__name__"))) + "()"});
      if (py::hasattr(controller, "start")) controller.attr("start")(arm);
      add_controller(scenario, std::make_unique<PythonController>(scenario, controller));
      ++index;
    }
  }
  if (!watches.is_none()) {
    std::size_t index = 0;
    for (const py::handle item : items_of("watches", watches))
      scenario.watches.push_back(watch_of(item, index++));
  }
  return std::move(scenario);
}

void forget_python(Scenario& scenario) {
  std::erase_if(scenario.controllers, [](const std::unique_ptr<Controller>& controller) {
    return dynamic_cast<const PythonController*>(controller.get()) != nullptr;
  });
  scenario.watches.clear();
}

}  // namespace limber::python
