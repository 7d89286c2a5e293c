// SPDX-License-Identifier: BSD-3-Clause
// Forces, accelerations and energies, of one state or of many.

#include "arrays.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/algorithms/coriolis_matrix.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "named.hpp"

namespace limber::python {
namespace {

using Eigen::VectorXd;

Array accelerations(const ArmPointer& arm, const Numbers& q, const Numbers& v, const Numbers& tau,
                    const py::object& loads) {
  const PlacedLoads on = place_loads(arm, loads);
  const Model& model = on.arm->model();
  const Rows positions("q", q, model.nq()), rates("v", v, model.nv()), efforts("tau", tau, model.nv());
  const Batch batch({&positions, &rates, &efforts});
  Array result = batch.array({model.nv()});
  double* const out = result.mutable_data();
  batch.run(*on.arm, [&](Workspace<double>& work, std::size_t i) {
    forward_dynamics(model, work, positions[i], rates[i], efforts[i], row(out, i, model.nv()), on.loads);
  });
  return result;
}

Array forces(const ArmPointer& arm, const Numbers& q, const Numbers& v, const Numbers& a,
             const py::object& loads, bool passive) {
  const PlacedLoads on = place_loads(arm, loads);
  const Model& model = on.arm->model();
  const Rows positions("q", q, model.nq()), rates("v", v, model.nv()), accelerations("a", a, model.nv());
  const Batch batch({&positions, &rates, &accelerations});
  Array result = batch.array({model.nv()});
  double* const out = result.mutable_data();
  batch.run(*on.arm, [&](Workspace<double>& work, std::size_t i) {
    VectorTarget tau = row(out, i, model.nv());
    inverse_dynamics(model, work, positions[i], rates[i], accelerations[i], tau, on.loads);
    if (!passive) return;
    VectorXd springs(model.nv());
    elastic_and_damping_forces(model, work, positions[i], rates[i], springs);
    tau += springs;
  });
  return result;
}

Array mass_matrices(const ArmPointer& arm, const Numbers& q) {
  const Model& model = arm->model();
  const Rows positions("q", q, model.nq());
  const Batch batch({&positions});
  Array result = batch.array({model.nv(), model.nv()});
  double* const out = result.mutable_data();
  batch.run(*arm, [&](Workspace<double>& work, std::size_t i) {
    // symmetric: by rows it is what it is by columns
    Eigen::Map<Eigen::MatrixXd> M(matrix(out, i, model.nv(), model.nv()).data(), model.nv(), model.nv());
    mass_matrix(model, work, positions[i], M);
  });
  return result;
}

Array coriolis_matrices(const ArmPointer& arm, const Numbers& q, const Numbers& v) {
  const Model& model = arm->model();
  const Rows positions("q", q, model.nq()), rates("v", v, model.nv());
  const Batch batch({&positions, &rates});
  Array result = batch.array({model.nv(), model.nv()});
  double* const out = result.mutable_data();
  batch.run(*arm, [&](Workspace<double>& work, std::size_t i) {
    Eigen::MatrixXd C(model.nv(), model.nv());
    coriolis_matrix(model, work, positions[i], rates[i], C);
    matrix(out, i, model.nv(), model.nv()) = C;
  });
  return result;
}

Array biases(const ArmPointer& arm, const Numbers& q, const Numbers& v) {
  const Model& model = arm->model();
  const Rows positions("q", q, model.nq()), rates("v", v, model.nv());
  const Batch batch({&positions, &rates});
  Array result = batch.array({model.nv()});
  double* const out = result.mutable_data();
  batch.run(*arm, [&](Workspace<double>& work, std::size_t i) {
    bias_forces(model, work, positions[i], rates[i], row(out, i, model.nv()));
  });
  return result;
}

Array gravities(const ArmPointer& arm, const Numbers& q) {
  const Model& model = arm->model();
  const Rows positions("q", q, model.nq());
  const Batch batch({&positions});
  Array result = batch.array({model.nv()});
  double* const out = result.mutable_data();
  batch.run(*arm, [&](Workspace<double>& work, std::size_t i) {
    gravity_forces(model, work, positions[i], row(out, i, model.nv()));
  });
  return result;
}

Array passive_forces(const ArmPointer& arm, const Numbers& q, const Numbers& v) {
  const Model& model = arm->model();
  const Rows positions("q", q, model.nq()), rates("v", v, model.nv());
  const Batch batch({&positions, &rates});
  Array result = batch.array({model.nv()});
  double* const out = result.mutable_data();
  batch.run(*arm, [&](Workspace<double>& work, std::size_t i) {
    elastic_and_damping_forces(model, work, positions[i], rates[i], row(out, i, model.nv()));
  });
  return result;
}

Array wrenches(const ArmPointer& arm, const Numbers& q, const Numbers& v, const Numbers& tau,
               const py::object& loads) {
  const PlacedLoads on = place_loads(arm, loads);
  const Model& model = on.arm->model();
  const auto links = static_cast<py::ssize_t>(model.links().size());
  const Rows positions("q", q, model.nq()), rates("v", v, model.nv()), efforts("tau", tau, model.nv());
  const Batch batch({&positions, &rates, &efforts});
  Array result = batch.array({links, 6});
  double* const out = result.mutable_data();
  batch.run(*on.arm, [&](Workspace<double>& work, std::size_t i) {
    VectorXd a(model.nv());
    forward_dynamics(model, work, positions[i], rates[i], efforts[i], a, on.loads);
    for (py::ssize_t link = 0; link < links; ++link)
      matrix(out, i, links, 6).row(link) =
          joint_wrench(model, work, static_cast<int>(link)).vector().transpose();
  });
  return result;
}

struct Energies {
  Array kinetic, gravity, strain;
};

Energies energies(const ArmPointer& arm, const Numbers& q, const Numbers& v) {
  const Model& model = arm->model();
  const Rows positions("q", q, model.nq()), rates("v", v, model.nv());
  const Batch batch({&positions, &rates});
  Energies result{batch.array({}), batch.array({}), batch.array({})};
  double *const kinetic = result.kinetic.mutable_data(), *const gravity = result.gravity.mutable_data(),
                *const strain = result.strain.mutable_data();
  batch.run(*arm, [&](Workspace<double>& work, std::size_t i) {
    const Energy<double> e = energy(model, work, positions[i], rates[i]);
    kinetic[i] = e.kinetic;
    gravity[i] = e.gravity;
    strain[i] = e.strain;
  });
  return result;
}

struct Momenta {
  Array center_of_mass, linear, angular;
};

Momenta momenta(const ArmPointer& arm, const Numbers& q, const Numbers& v) {
  const Model& model = arm->model();
  const Rows positions("q", q, model.nq()), rates("v", v, model.nv());
  const Batch batch({&positions, &rates});
  Momenta result{batch.array({3}), batch.array({3}), batch.array({3})};
  double *const center = result.center_of_mass.mutable_data(), *const linear = result.linear.mutable_data(),
                *const angular = result.angular.mutable_data();
  batch.run(*arm, [&](Workspace<double>& work, std::size_t i) {
    const Momentum<double> m = momentum(model, work, positions[i], rates[i]);
    row(center, i, 3) = m.center_of_mass;
    row(linear, i, 3) = m.linear;
    row(angular, i, 3) = m.angular;
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
  module.def("get_threads", &thread_count, "How many threads a batch uses.");
  module.def("set_threads", &set_thread_count, arg("count"),
             "Threads that a batch may use. 0: as many as the machine has cores, or as LIMBER_THREADS says.");
}

}  // namespace limber::python
