// SPDX-License-Identifier: BSD-3-Clause
// An arm at a state, and everything that can be asked about it there.

#include "limber/algorithms/evaluation.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "axes.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/lookup.hpp"

namespace limber::python {
namespace {

/// An Evaluation for Python. A place at which the arm has no node yet gets one, and the state is kept.
class StateOfArm {
 public:
  explicit StateOfArm(ArmPointer arm) : arm_(std::move(arm)), evaluation_(arm_->model()) {}

  void set(const Numbers& q, const Numbers& v, const Numbers& tau, const py::object& loads) {
    const PlacedLoads placed = place_loads(arm_, loads);
    const Model& model = placed.arm->model();
    const Rows positions("q", q, model.nq()), rates("v", v, model.nv()), efforts("tau", tau, model.nv());
    if (!Batch({&positions, &rates, &efforts}).is_single())
      throw InputError(
          Problem{"q", "one state", "a batch", "limber.forward_dynamics and its kin take batches"});
    if (q.is_none())
      throw InputError(
          Problem{"q", std::to_string(model.nq()) + " numbers", "None", "arm.neutral() is a start"});
    move_to(placed.arm);
    loads_ = placed.loads;
    evaluation_.set(positions[0], rates[0], efforts[0], loads_);
  }

  Evaluation& at() { return evaluation_; }
  const ArmPointer& arm() const { return arm_; }

  Frame frame_on(const std::optional<std::string>& link, double at) {
    const PlacedFrame placed = place_frame(arm_, link, at);
    if (placed.arm != arm_) {
      const Eigen::VectorXd q = evaluation_.q(), v = evaluation_.v(), tau = evaluation_.tau();
      move_to(placed.arm);
      evaluation_.set(q, v, tau, loads_);
    }
    return placed.frame;
  }

 private:
  void move_to(const ArmPointer& arm) {
    if (arm == arm_) return;
    arm_ = arm;
    evaluation_ = Evaluation(arm_->model());
  }

  ArmPointer arm_;
  Evaluation evaluation_;
  std::vector<Load> loads_;
};

py::dict energy_of(StateOfArm& self) {
  const Energy<double>& energy = self.at().energy();
  py::dict named;
  named["kinetic"] = energy.kinetic;
  named["gravity"] = energy.gravity;
  named["strain"] = energy.strain;
  return named;
}

}  // namespace

void bind_evaluation(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  py::class_<StateOfArm>(module, "Evaluation", doc::Evaluation)
      .def(py::init([](const ArmPointer& model, const Numbers& q, const Numbers& v, const Numbers& tau,
                       const py::object& loads) {
             auto state = std::make_unique<StateOfArm>(model);
             if (!q.is_none() || !v.is_none() || !tau.is_none() || !loads.is_none())
               state->set(q.is_none() ? Numbers{array_of(neutral_configuration(model->model()))} : q, v, tau,
                          loads);
             return state;
           }),
           arg("arm").none(false), arg("q") = none, arg("v") = none, arg("tau") = none, arg("loads") = none,
           doc::Evaluation_Evaluation)
      .def("set", &StateOfArm::set, arg("q"), arg("v") = none, arg("tau") = none, arg("loads") = none,
           doc::Evaluation_set)
      .def_property_readonly("arm", &StateOfArm::arm, doc::Evaluation_model)
      .def_property_readonly(
          "q", [](StateOfArm& self) { return array_of(self.at().q()); }, doc::Evaluation_q)
      .def_property_readonly(
          "v", [](StateOfArm& self) { return array_of(self.at().v()); }, doc::Evaluation_q)
      .def_property_readonly(
          "tau", [](StateOfArm& self) { return array_of(self.at().tau()); }, doc::Evaluation_q)
      .def_property_readonly(
          "acceleration", [](StateOfArm& self) { return array_of(self.at().acceleration()); },
          doc::Evaluation_acceleration)
      .def_property_readonly(
          "mass_matrix", [](StateOfArm& self) { return array_of(self.at().mass_matrix()); },
          doc::Evaluation_mass_matrix)
      .def_property_readonly(
          "bias", [](StateOfArm& self) { return array_of(self.at().bias()); }, doc::Evaluation_bias)
      .def_property_readonly(
          "gravity", [](StateOfArm& self) { return array_of(self.at().gravity()); }, doc::Evaluation_gravity)
      .def_property_readonly(
          "elastic_and_damping_forces",
          [](StateOfArm& self) { return array_of(self.at().elastic_and_damping_forces()); },
          doc::Evaluation_elastic_and_damping_forces)
      .def_property_readonly("energy", &energy_of, doc::Evaluation_energy)
      .def(
          "wrench",
          [](StateOfArm& self, const std::string& joint) {
            return array_of(self.at().wrench(joint_index(self.arm()->model(), joint)).vector());
          },
          arg("joint"), doc::Evaluation_wrench)
      .def(
          "required_forces",
          [](StateOfArm& self, const Numbers& a) {
            const Rows accelerations("a", a, self.arm()->model().nv());
            return array_of(self.at().required_forces(accelerations[0]));
          },
          arg("a"), doc::Evaluation_required_forces)
      .def(
          "pose",
          [](StateOfArm& self, const std::optional<std::string>& link, double at) {
            const Frame frame = self.frame_on(link, at);
            const PoseOf<double> pose = self.at().pose(frame);
            return std::pair(array_of(pose.p), array_of(pose.R));
          },
          arg("link") = none, arg("at") = 1.0, doc::Evaluation_pose)
      .def(
          "twist",
          [](StateOfArm& self, const std::optional<std::string>& link, double at, const std::string& axes) {
            const Frame frame = self.frame_on(link, at);
            return array_of(self.at().twist(frame, axes_named(axes)).vector());
          },
          arg("link") = none, arg("at") = 1.0, arg("axes") = "world", doc::Evaluation_twist)
      .def(
          "jacobian",
          [](StateOfArm& self, const std::optional<std::string>& link, double at, const std::string& axes) {
            const Frame frame = self.frame_on(link, at);
            return array_of(self.at().jacobian(frame, axes_named(axes)));
          },
          arg("link") = none, arg("at") = 1.0, arg("axes") = "world", doc::Evaluation_jacobian);
}

}  // namespace limber::python
