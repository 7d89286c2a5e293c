// SPDX-License-Identifier: BSD-3-Clause
// The papers' own objects, for their readers: Piedboeuf's Jacobians, DeNOC matrices, dual screws, counts of operations.

#include <pybind11/stl.h>

#include <optional>

#include "bindings.hpp"
#include "docs.hpp"
#include "limber/core/input_error.hpp"
#include "limber/literature/denoc.hpp"
#include "limber/literature/dual_screw_arm.hpp"
#include "limber/literature/operation_counts.hpp"
#include "limber/literature/piedboeuf.hpp"
#include "named.hpp"
#include "question.hpp"
#include "stack.hpp"

namespace limber::python {
namespace {

using MaybeLink = std::optional<std::string>;
using Names = std::vector<std::string>;

// ---- Piedboeuf ----

struct Blocks {
  std::string link;
  Names coordinates;
  Array J_T0, J_R0, J_Tx, J_Ty, J_Tz, J_Rx, J_Ry, J_Rz;
};

Blocks blocks(const ArmPointer& arm, const MaybeLink& name, double at) {
  const PlacedFrame place = place_frame(arm, name, at);
  const Model& model = place.arm->model();
  const Link& link = model.links()[static_cast<std::size_t>(place.frame.link)];
  if (link.elastic_count == 0)
    throw InputError(Problem{"link", "a link that bends", "`" + link.name + "`, which is rigid", ""});
  const LocalJacobians local = local_jacobians(link.nodes[static_cast<std::size_t>(place.frame.node)].field);
  Blocks all;
  all.link = link.name;
  for (int j = 0; j < link.elastic_count; ++j)
    all.coordinates.push_back(model.coordinates()[static_cast<std::size_t>(link.elastic_v_index + j)]);
  all.J_T0 = array_of(local.J_T0);
  all.J_R0 = array_of(local.J_R0);
  all.J_Tx = array_of(local.J_T[0]);
  all.J_Ty = array_of(local.J_T[1]);
  all.J_Tz = array_of(local.J_T[2]);
  all.J_Rx = array_of(local.J_R[0]);
  all.J_Ry = array_of(local.J_R[1]);
  all.J_Rz = array_of(local.J_R[2]);
  return all;
}

Array piedboeuf(const ArmPointer& arm, const Numbers& q, const MaybeLink& link, double at) {
  const PlacedFrame place = place_frame(arm, link, at);
  const Question question(place.arm, q, py::none(), py::none());
  const Batch batch({&question.positions()});
  const auto results = computed<Matrix6X<double>>(
      batch, [&](std::size_t i) { return piedboeuf_jacobian(question.model(), question.q(i), place.frame); });
  return stacked(batch, results, [](const Matrix6X<double>& J) -> const Matrix6X<double>& { return J; });
}

// ---- Mohan and Saha ----

struct Orthogonal {
  Names rows, columns;
  Array N_l, N_d, N_l_rate, N_d_rate, I, U, D, gamma, phi;
  py::dict M;
};

/// One state of an arm with its loads; all of them may be given by name.
struct OneState {
  Question question;
  Rows rates, efforts;

  OneState(const ArmPointer& arm, const Numbers& q, const Numbers& v, const Numbers& tau,
           const py::object& loads)
      : question(arm, q, loads, py::none()),
        rates("v", by_name(*arm, "v", v), arm->model().nv()),
        efforts("tau", by_name(*arm, "tau", tau), arm->model().nv()) {
    if (!Batch({&question.positions(), &rates, &efforts}).is_single())
      throw InputError(Problem{"q", "one state", "a batch", ""});
  }
};

Orthogonal denoc(const ArmPointer& arm, const Numbers& q, const Numbers& v, const Numbers& tau,
                 const py::object& loads) {
  const OneState at(arm, q, v, tau, loads);
  const Model& model = at.question.model();
  const Arm::Lease lease(at.question.arm());
  const DeNoc found = make_denoc(model, *lease, at.question.q(0));
  const DeNocMotion motion = make_denoc_motion(model, *lease, found, at.question.q(0), at.rates[0],
                                               at.efforts[0], at.question.loads());
  Orthogonal all;
  all.rows = denoc_rows(model);
  all.columns = model.coordinates();
  all.N_l = array_of(found.N_l);
  all.N_d = array_of(found.N_d);
  all.N_l_rate = array_of(motion.N_l_rate);
  all.N_d_rate = array_of(motion.N_d_rate);
  all.I = array_of(found.inertia);
  all.U = array_of(found.U);
  all.D = array_of(found.D);
  all.gamma = array_of(motion.gamma);
  all.phi = array_of(motion.phi);
  for (std::size_t i = 0; i < found.M.size(); ++i)
    all.M[py::str(model.links()[i].name)] = array_of(found.M[i]);
  return all;
}

// Of algorithms on an arm, by their names.
py::dict counts(const ArmPointer& arm) {
  py::dict all;
  for (const AlgorithmCount& count : count_algorithms(arm->model())) {
    py::dict one;
    one["multiplications"] = count.operations.multiplications;
    one["divisions"] = count.operations.divisions;
    one["additions"] = count.operations.additions;
    one["functions"] = count.operations.functions;
    one["meaning"] = count.meaning;
    all[py::str(count.name)] = one;
  }
  return all;
}

py::dict published(int n, int m) {
  if (n < 1) throw InputError(Problem{"n", "an integer > 0", std::to_string(n), ""});
  if (m < 1) throw InputError(Problem{"m", "an integer > 0", std::to_string(m), ""});
  py::dict all;
  const auto add = [&](const char* name, const PublishedCount& count) {
    py::dict one;
    one["multiplications"] = count.multiplications;
    one["additions"] = count.additions;
    all[name] = one;
  };
  add("mohan_saha", mohan_saha_count(n, m));
  add("jain_rodriguez", jain_rodriguez_count(n, m));
  add("cyril", cyril_count(n, m));
  return all;
}

// ---- Cibicik and Egeland ----

struct Screws {
  Array twist, jacobian, projecting, jacobian_rate, mass_matrix, coriolis, gravity;
};

Screws screws(const ArmPointer& arm, const Numbers& q, const Numbers& v, const MaybeLink& link, double at) {
  const PlacedFrame place = place_frame(arm, link, at);
  const OneState state(place.arm, q, v, {}, py::none());
  const DualScrewArm dual(state.question.model(), state.question.q(0), state.rates[0]);
  return {array_of(dual.twist(place.frame)),
          array_of(dual.jacobian_form(place.frame)),
          array_of(dual.projecting_form(place.frame)),
          array_of(dual.jacobian_rate(place.frame)),
          array_of(dual.mass_matrix()),
          array_of(dual.coriolis_forces()),
          array_of(dual.gravity_forces())};
}

void bind_piedboeuf(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  const char* const linear = "The part of that row which is linear in eta, m x m.";
  Named<Blocks>(module, "LocalJacobians", doc::LocalJacobians)
      .field("link", &Blocks::link, "That carries the point.")
      .field("coordinates", &Blocks::coordinates, "Its elastic ones: names of the columns.")
      .field("J_T0", &Blocks::J_T0, "Of the place at eta = 0: 3 x m.")
      .field("J_R0", &Blocks::J_R0, "Of the rotation at eta = 0: 3 x m.")
      .field("J_Tx", &Blocks::J_Tx, linear)
      .field("J_Ty", &Blocks::J_Ty, linear)
      .field("J_Tz", &Blocks::J_Tz, linear)
      .field("J_Rx", &Blocks::J_Rx, linear)
      .field("J_Ry", &Blocks::J_Ry, linear)
      .field("J_Rz", &Blocks::J_Rz, linear);
  module.def("local_jacobians", &blocks, arg("arm").none(false), arg("link") = none, arg("at") = 1.0,
             doc::LocalJacobians);
  module.def("piedboeuf_jacobian", &piedboeuf, arg("arm").none(false), arg("q"), arg("link") = none,
             arg("at") = 1.0, doc::piedboeuf_jacobian);
}

void bind_counts(py::module_& module) {
  using py::arg;
  module.def("count_operations", &counts, arg("arm").none(false), doc::count_algorithms);
  module.def("published_counts", &published, arg("n"), arg("m"),
             (std::string("Of a chain of n revolute links with m shapes in each of two planes. ") +
              doc::PublishedCount + " " + doc::mohan_saha_count)
                 .c_str());
}

}  // namespace

void bind_literature(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  bind_piedboeuf(module);
  Named<Orthogonal>(module, "DeNoc", doc::DeNoc)
      .field("rows", &Orthogonal::rows, doc::denoc_rows)
      .field("columns", &Orthogonal::columns, "Of N_d: the arm's coordinates.")
      .field("N_l", &Orthogonal::N_l, doc::DeNoc_N_l)
      .field("N_d", &Orthogonal::N_d, doc::DeNoc_N_d)
      .field("N_l_rate", &Orthogonal::N_l_rate, doc::DeNocMotion_N_l_rate)
      .field("N_d_rate", &Orthogonal::N_d_rate, doc::DeNocMotion_N_d_rate)
      .field("M", &Orthogonal::M, doc::DeNoc_M)
      .field("I", &Orthogonal::I, doc::DeNoc_inertia)
      .field("U", &Orthogonal::U, doc::DeNoc_U)
      .field("D", &Orthogonal::D, doc::DeNoc_D)
      .field("gamma", &Orthogonal::gamma, doc::DeNocMotion_gamma)
      .field("phi", &Orthogonal::phi, doc::DeNocMotion_phi);
  module.def("denoc", &denoc, arg("arm").none(false), arg("q") = none, arg("v") = none, arg("tau") = none,
             arg("loads") = none, doc::DeNoc);
  Named<Screws>(module, "DualScrews", doc::DualScrewArm)
      .field("twist", &Screws::twist, "Of the place, in the coordinates of its link: 12 numbers.")
      .field("jacobian", &Screws::jacobian, doc::DualScrewArm_jacobian_form)
      .field("projecting", &Screws::projecting, doc::DualScrewArm_projecting_form)
      .field("jacobian_rate", &Screws::jacobian_rate, doc::DualScrewArm_jacobian_rate)
      .field("mass_matrix", &Screws::mass_matrix, doc::DualScrewArm_mass_matrix)
      .field("coriolis", &Screws::coriolis, doc::DualScrewArm_coriolis_forces)
      .field("gravity", &Screws::gravity, doc::DualScrewArm_gravity_forces);
  module.def("dual_screws", &screws, arg("arm").none(false), arg("q") = none, arg("v") = none,
             arg("link") = none, arg("at") = 1.0, doc::DualScrewArm);
  bind_counts(module);
}

}  // namespace limber::python
