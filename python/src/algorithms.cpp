// SPDX-License-Identifier: BSD-3-Clause
// Forces, accelerations and energies, of one state or of many.

#include "arrays.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/coriolis_matrix.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/model/friction.hpp"
#include "limber/model/lookup.hpp"
#include "limber/model/loops.hpp"
#include "named.hpp"

namespace limber::python {
namespace {

using Eigen::VectorXd;

/// What a function of q takes.
struct Positions {
  Positions(const ArmPointer& arm, const Numbers& positions)
      : model(arm->model()), q("q", positions, model.nq()), batch({&q}) {}
  const Model& model;
  Rows q;
  Batch batch;
};

/// What a function of q and v takes.
struct Motions {
  Motions(const ArmPointer& arm, const Numbers& positions, const Numbers& rates)
      : model(arm->model()), q("q", positions, model.nq()), v("v", rates, model.nv()), batch({&q, &v}) {}
  const Model& model;
  Rows q, v;
  Batch batch;
};

/// The same with loads, and with efforts or accelerations: `name` is what the user calls them.
struct DrivenMotions {
  DrivenMotions(const ArmPointer& arm, const Numbers& positions, const Numbers& rates, const char* name,
                const Numbers& drives, const py::object& loads)
      : on(place_loads(arm, loads)),
        model(on.arm->model()),
        q("q", positions, model.nq()),
        v("v", rates, model.nv()),
        drive(name, drives, model.nv()),
        batch({&q, &v, &drive}),
        has_friction(limber::has_friction(model)) {}
  /// Accelerations by efforts less friction.
  void accelerate(Workspace<double>& work, std::size_t i, Output<double> a) const {
    require_plain_tree(model, "forward_dynamics");
    if (!has_friction) return forward_dynamics(model, work, q[i], v[i], drive[i], a, on.loads);
    VectorXd tau = drive[i];
    add_friction_forces(model, v[i], -1.0, tau);
    forward_dynamics(model, work, q[i], v[i], tau, a, on.loads);
  }
  PlacedLoads on;
  const Model& model;
  Rows q, v, drive;
  Batch batch;
  bool has_friction;
};

/// An array of `shape` for each state: work(workspace, i, where its numbers begin).
template <typename States, typename Work>
Array filled(Arm& arm, const States& states, std::initializer_list<py::ssize_t> shape, Work&& work) {
  Array result = states.batch.array(shape);
  double* const out = result.mutable_data();
  std::size_t size = 1;
  for (const py::ssize_t length : shape) size *= static_cast<std::size_t>(length);
  states.batch.run(arm, [&](Workspace<double>& work_at, std::size_t i) { work(work_at, i, out + i * size); });
  return result;
}

Array accelerations(const ArmPointer& arm, const Numbers& q, const Numbers& v, const Numbers& tau,
                    const py::object& loads) {
  const DrivenMotions states(arm, q, v, "tau", tau, loads);
  const int nv = states.model.nv();
  return filled(*states.on.arm, states, {nv}, [&](Workspace<double>& work, std::size_t i, double* out) {
    states.accelerate(work, i, VectorTarget(out, nv));
  });
}

Array forces(const ArmPointer& arm, const Numbers& q, const Numbers& v, const Numbers& a,
             const py::object& loads, bool passive) {
  const DrivenMotions states(arm, q, v, "a", a, loads);
  const int nv = states.model.nv();
  return filled(*states.on.arm, states, {nv}, [&](Workspace<double>& work, std::size_t i, double* out) {
    VectorTarget tau(out, nv);
    require_no_cylinders(states.model, "inverse_dynamics");
    inverse_dynamics(states.model, work, states.q[i], states.v[i], states.drive[i], tau, states.on.loads);
    if (!passive) return;
    VectorXd springs(nv);
    elastic_and_damping_forces(states.model, work, states.q[i], states.v[i], springs);
    add_friction_forces(states.model, states.v[i], 1.0, springs);
    tau += springs;
  });
}

Array wrenches(const ArmPointer& arm, const Numbers& q, const Numbers& v, const Numbers& tau,
               const py::object& loads) {
  const DrivenMotions states(arm, q, v, "tau", tau, loads);
  const auto links = static_cast<py::ssize_t>(states.model.links().size());
  return filled(*states.on.arm, states, {links, 6}, [&](Workspace<double>& work, std::size_t i, double* out) {
    VectorXd a(states.model.nv());
    states.accelerate(work, i, a);
    for (py::ssize_t link = 0; link < links; ++link)
      VectorTarget(out + 6 * link, 6) = joint_wrench(states.model, work, static_cast<int>(link)).vector();
  });
}

Array mass_matrices(const ArmPointer& arm, const Numbers& q) {
  const Positions states(arm, q);
  const int nv = states.model.nv();
  return filled(*arm, states, {nv, nv}, [&](Workspace<double>& work, std::size_t i, double* out) {
    // symmetric: by rows it is what it is by columns
    mass_matrix(states.model, work, states.q[i], Eigen::Map<Eigen::MatrixXd>(out, nv, nv));
  });
}

Array gravities(const ArmPointer& arm, const Numbers& q) {
  const Positions states(arm, q);
  const int nv = states.model.nv();
  return filled(*arm, states, {nv}, [&](Workspace<double>& work, std::size_t i, double* out) {
    gravity_forces(states.model, work, states.q[i], VectorTarget(out, nv));
  });
}

Array coriolis_matrices(const ArmPointer& arm, const Numbers& q, const Numbers& v) {
  const Motions states(arm, q, v);
  const int nv = states.model.nv();
  return filled(*arm, states, {nv, nv}, [&](Workspace<double>& work, std::size_t i, double* out) {
    Eigen::MatrixXd C(nv, nv);
    coriolis_matrix(states.model, work, states.q[i], states.v[i], C);
    MatrixTarget(out, nv, nv) = C;
  });
}

// Forces on all coordinates that follow from q and v: find(model, workspace, q, v, forces).
template <typename Find>
Array forces_of(const ArmPointer& arm, const Numbers& q, const Numbers& v, Find&& find) {
  const Motions states(arm, q, v);
  const int nv = states.model.nv();
  return filled(*arm, states, {nv}, [&](Workspace<double>& work, std::size_t i, double* out) {
    find(states.model, work, states.q[i], states.v[i], VectorTarget(out, nv));
  });
}

Array biases(const ArmPointer& arm, const Numbers& q, const Numbers& v) {
  return forces_of(
      arm, q, v,
      [](const Model& model, Workspace<double>& work, const VectorView& position, const VectorView& rate,
         VectorTarget out) { bias_forces(model, work, position, rate, out); });
}

Array passive_forces(const ArmPointer& arm, const Numbers& q, const Numbers& v) {
  return forces_of(
      arm, q, v,
      [](const Model& model, Workspace<double>& work, const VectorView& position, const VectorView& rate,
         VectorTarget out) { elastic_and_damping_forces(model, work, position, rate, out); });
}

Array frictions(const ArmPointer& arm, const Numbers& v) {
  const Model& model = arm->model();
  const Rows rates("v", v, model.nv());
  const Batch batch({&rates});
  Array result = batch.array({model.nv()});
  double* const out = result.mutable_data();
  const auto nv = static_cast<std::size_t>(model.nv());
  batch.run(*arm, [&](Workspace<double>&, std::size_t i) {
    VectorTarget(out + i * nv, model.nv()) = friction_forces(model, rates[i]);
  });
  return result;
}

struct Energies {
  Array kinetic, gravity, strain;
};

Energies energies(const ArmPointer& arm, const Numbers& q, const Numbers& v) {
  const Motions states(arm, q, v);
  const auto number = [&] { return states.batch.array({}); };
  Energies result{number(), number(), number()};
  double *const kinetic = result.kinetic.mutable_data(), *const gravity = result.gravity.mutable_data(),
                *const strain = result.strain.mutable_data();
  states.batch.run(*arm, [&](Workspace<double>& work, std::size_t i) {
    const Energy<double> e = energy(states.model, work, states.q[i], states.v[i]);
    kinetic[i] = e.kinetic;
    gravity[i] = e.gravity;
    strain[i] = e.strain + cylinder_energy(states.model, states.q[i]);
  });
  return result;
}

struct Momenta {
  Array center_of_mass, linear, angular;
};

Momenta momenta(const ArmPointer& arm, const Numbers& q, const Numbers& v) {
  const Motions states(arm, q, v);
  const auto vectors = [&] { return states.batch.array({3}); };
  Momenta result{vectors(), vectors(), vectors()};
  double *const center = result.center_of_mass.mutable_data(), *const linear = result.linear.mutable_data(),
                *const angular = result.angular.mutable_data();
  states.batch.run(*arm, [&](Workspace<double>& work, std::size_t i) {
    const Momentum<double> m = momentum(states.model, work, states.q[i], states.v[i]);
    row(center, i, 3) = m.center_of_mass;
    row(linear, i, 3) = m.linear;
    row(angular, i, 3) = m.angular;
  });
  return result;
}

struct Cylinders {
  std::vector<std::string> names;
  Array length, rate, force, jacobian;
};

Cylinders cylinders(const ArmPointer& arm, const Numbers& q, const Numbers& v) {
  const Motions states(arm, q, v);
  const auto count = static_cast<py::ssize_t>(states.model.cylinders().size());
  const auto nv = static_cast<py::ssize_t>(states.model.nv());
  const auto numbers = [&] { return states.batch.array({count}); };
  Cylinders result{{}, numbers(), numbers(), numbers(), states.batch.array({count, nv})};
  for (const Cylinder& cylinder : states.model.cylinders()) result.names.push_back(cylinder.name);
  double *const length = result.length.mutable_data(), *const rate = result.rate.mutable_data(),
                *const force = result.force.mutable_data(), *const jacobian = result.jacobian.mutable_data();
  states.batch.run(*arm, [&](Workspace<double>&, std::size_t i) {
    Struts struts(states.model);
    struts.update(states.q[i], states.v[i]);
    row(length, i, count) = struts.lengths();
    row(rate, i, count) = struts.rates();
    row(force, i, count) = struts.passive_forces();
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<Rows>(jacobian + i * static_cast<std::size_t>(count * nv), count, nv) = struts.jacobian();
  });
  return result;
}

struct Loops {
  std::vector<std::string> names, rows;
  Array gaps, jacobian, bias;
};

Loops loops(const ArmPointer& arm, const Numbers& q, const Numbers& v) {
  const Motions states(arm, q, v);
  const auto count = static_cast<py::ssize_t>(loop_row_count(states.model));
  const auto nv = static_cast<py::ssize_t>(states.model.nv());
  Loops result{{},
               loop_row_names(states.model),
               states.batch.array({count}),
               states.batch.array({count, nv}),
               states.batch.array({count})};
  for (const Loop& loop : states.model.loops()) result.names.push_back(loop.name);
  double *const gaps = result.gaps.mutable_data(), *const jacobian = result.jacobian.mutable_data(),
                *const bias = result.bias.mutable_data();
  states.batch.run(*arm, [&](Workspace<double>& work, std::size_t i) {
    LoopEquations<double> equations;
    loop_equations<double>(states.model, work, states.q[i], states.v[i], equations);
    row(gaps, i, count) = equations.gaps;
    row(bias, i, count) = equations.bias;
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<Matrix>(jacobian + i * static_cast<std::size_t>(count * nv), count, nv) = equations.A;
  });
  return result;
}

Array assembled(const ArmPointer& arm, const Numbers& q, const std::vector<std::string>& kept) {
  const Positions states(arm, q);
  std::vector<int> places;
  for (const std::string& name : kept) places.push_back(coordinate_index(states.model, name));
  const int nq = states.model.nq();
  Array result = states.batch.array({nq});
  double* const closed = result.mutable_data();
  states.batch.run(*arm, [&](Workspace<double>&, std::size_t i) {
    row(closed, i, nq) = assemble(states.model, states.q[i], places);
  });
  return result;
}

}  // namespace

void bind_algorithms(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  module.def("forward_dynamics", &accelerations, arg("arm").none(false), arg("q"), arg("v"), arg("tau"),
             arg("loads") = none, doc::forward_dynamics);
  module.def("inverse_dynamics", &forces, arg("arm").none(false), arg("q"), arg("v"), arg("a"),
             arg("loads") = none, arg("passive") = true,
             (std::string(doc::required_forces) + " passive=False: " + doc::inverse_dynamics).c_str());
  module.def("mass_matrix", &mass_matrices, arg("arm").none(false), arg("q"), doc::mass_matrix);
  module.def("coriolis_matrix", &coriolis_matrices, arg("arm").none(false), arg("q"), arg("v"),
             doc::coriolis_matrix);
  module.def("bias", &biases, arg("arm").none(false), arg("q"), arg("v"), doc::bias_forces);
  module.def("gravity", &gravities, arg("arm").none(false), arg("q"), doc::gravity_forces);
  module.def("elastic_and_damping_forces", &passive_forces, arg("arm").none(false), arg("q"), arg("v"),
             doc::elastic_and_damping_forces);
  module.def("friction_forces", &frictions, arg("arm").none(false), arg("v"), doc::friction_forces);
  module.def("joint_wrenches", &wrenches, arg("arm").none(false), arg("q"), arg("v"), arg("tau"),
             arg("loads") = none, doc::joint_wrench);
  Named<Energies>(module, "Energy", doc::Energy)
      .field("kinetic", &Energies::kinetic, doc::Energy_kinetic)
      .field("gravity", &Energies::gravity, doc::Energy_gravity)
      .field("strain", &Energies::strain, doc::Energy_strain);
  module.def("energy", &energies, arg("arm").none(false), arg("q"), arg("v"), doc::Energy);
  Named<Momenta>(module, "Momentum", doc::Momentum)
      .field("center_of_mass", &Momenta::center_of_mass, doc::Momentum_center_of_mass)
      .field("linear", &Momenta::linear, doc::Momentum_linear)
      .field("angular", &Momenta::angular, doc::Momentum_angular);
  module.def("momentum", &momenta, arg("arm").none(false), arg("q"), arg("v"), doc::Momentum);
  Named<Cylinders>(module, "Cylinders", doc::Struts)
      .field("names", &Cylinders::names, doc::CylinderState_name)
      .field("length", &Cylinders::length, doc::CylinderState_length)
      .field("rate", &Cylinders::rate, doc::CylinderState_rate)
      .field("force", &Cylinders::force, doc::Struts_passive_forces)
      .field("jacobian", &Cylinders::jacobian, doc::Struts_jacobian);
  module.def("cylinders", &cylinders, arg("arm").none(false), arg("q"), arg("v"), doc::Struts);
  Named<Loops>(module, "Loops", doc::LoopEquations)
      .field("names", &Loops::names, doc::LoopForce_name)
      .field("rows", &Loops::rows, doc::loop_row_names)
      .field("gaps", &Loops::gaps, doc::LoopEquations_gaps)
      .field("jacobian", &Loops::jacobian, "A, rows x nv: A v are the rates of the gaps.")
      .field("bias", &Loops::bias, doc::LoopEquations_bias);
  module.def("loops", &loops, arg("arm").none(false), arg("q"), arg("v"), doc::LoopEquations);
  module.def("assemble", &assembled, arg("arm").none(false), arg("q"),
             arg("kept") = std::vector<std::string>{},
             (std::string(doc::assemble) + " `kept`: names of coordinates.").c_str());
  module.def("get_threads", &thread_count, "How many threads a batch uses.");
  module.def("set_threads", &set_thread_count, arg("count"),
             "Threads that a batch may use. 0: as many as the machine has cores, or as LIMBER_THREADS says.");
}

}  // namespace limber::python
