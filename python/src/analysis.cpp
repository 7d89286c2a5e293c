// SPDX-License-Identifier: BSD-3-Clause
// Natural modes, statics and derivatives.

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "bindings.hpp"
#include "docs.hpp"
#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/limits.hpp"
#include "limber/analysis/modal_damping.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/analysis/rigid_arm.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/lookup.hpp"
#include "named.hpp"
#include "question.hpp"
#include "stack.hpp"

namespace limber::python {
namespace {

using Eigen::VectorXd;

constexpr double hertz = 1.0 / (2.0 * std::numbers::pi);

// ---- modes ----

struct Modes {
  std::vector<std::string> coordinates;
  Array q, frequencies_hz, frequencies_rad_s, shapes, participation;
  ComplexArray eigenvalues;
  py::object damping_ratios = py::none();
};

JointTreatment treatment_named(const std::string& name) {
  std::vector<std::string> names;
  for (const JointTreatment treatment : all_joint_treatments) {
    if (name_of(treatment) == name) return treatment;
    names.push_back(name_of(treatment));
  }
  throw InputError(
      Problem{"joints", expected_choice(names), show_text(name), suggestion(name, names, "words")});
}

// {"shoulder": 6.28}
using RatesByName = std::optional<std::map<std::string, double>>;

std::vector<SteadyRate> rates_of(const Model& model, const RatesByName& spin) {
  std::vector<SteadyRate> rates;
  if (!spin) return rates;
  for (const auto& [name, rate] : *spin) {
    if (!std::isfinite(rate)) throw InputError(Problem{"spin", "finite rates", show_number(rate), ""});
    rates.push_back({coordinate_index(model, name), rate});
  }
  return rates;
}

struct ModesAt {
  VectorXd q, damping;
  NaturalModes modes;
};

Modes modes(const ArmPointer& arm, const Numbers& q, const std::string& joints, int count,
            const py::object& loads, const py::object& hold, bool settle, const RatesByName& spin,
            bool gyroscopic) {
  if (count < 1) throw InputError(Problem{"count", "an integer > 0", std::to_string(count), ""});
  const Question question(arm, q, loads, hold);
  const Model& model = question.model();
  const JointTreatment treatment = treatment_named(joints);
  const std::vector<SteadyRate> rates = rates_of(model, spin);
  VectorXd spinning = VectorXd::Zero(model.nv());
  for (const SteadyRate& rate : rates) spinning[rate.coordinate] = rate.rate;
  const JointNames settled_hold = treatment == JointTreatment::locked ? JointNames{"all"} : question.hold();
  const Batch batch({&question.positions()});
  const auto results = computed<ModesAt>(batch, [&](std::size_t i) {
    ModesAt at{question.q(i), {}, {}};
    if (settle)
      at.q = static_equilibrium(model, at.q, question.loads(), StaticModel::exact, spinning, settled_hold).q;
    at.modes = rates.empty() ? natural_modes(model, at.q, treatment, count, question.loads(), question.hold())
                             : steady_rotation_modes(model, at.q, rates, treatment, count, question.loads(),
                                                     gyroscopic ? Gyroscopic::included : Gyroscopic::left_out,
                                                     question.hold());
    at.damping = damping_ratios(model, at.q, at.modes);
    return at;
  });
  Modes all;
  all.coordinates = model.coordinates();
  all.q = stacked(batch, results, [](const ModesAt& at) { return at.q; });
  all.frequencies_rad_s =
      stacked(batch, results, [](const ModesAt& at) { return at.modes.angular_frequencies; });
  all.frequencies_hz = stacked(
      batch, results, [](const ModesAt& at) { return VectorXd(at.modes.angular_frequencies * hertz); });
  all.shapes = stacked(batch, results, [](const ModesAt& at) { return at.modes.shapes; });
  all.participation = stacked(batch, results, [](const ModesAt& at) { return at.modes.participation; });
  all.eigenvalues = stacked_complex(batch, results, [](const ModesAt& at) { return at.modes.exponents; });
  const bool has_damping =
      !results.empty() && std::all_of(results.begin(), results.end(), [](const ModesAt& at) {
        return at.damping.size() == at.modes.angular_frequencies.size();
      });
  if (has_damping) all.damping_ratios = stacked(batch, results, [](const ModesAt& at) { return at.damping; });
  return all;
}

// ---- statics ----

struct Statics {
  std::vector<std::string> coordinates, cylinder_names;
  Array q, efforts, drives, sag;
  py::array_t<bool> stable;
  py::tuple end_effector;
  std::vector<std::string> warnings;
};

struct StaticsAt {
  Equilibrium equilibrium;
  Sag sag;
  PoseOf<double> end_effector;
};

Statics packed(const Model& model, const Batch& batch, const std::vector<StaticsAt>& results) {
  Statics all;
  all.coordinates = model.coordinates();
  all.q = stacked(batch, results, [](const StaticsAt& at) { return at.equilibrium.q; });
  all.efforts = stacked(batch, results, [](const StaticsAt& at) { return at.equilibrium.efforts; });
  for (const Cylinder& cylinder : model.cylinders()) all.cylinder_names.push_back(cylinder.name);
  all.drives = stacked(batch, results, [](const StaticsAt& at) { return at.equilibrium.drives; });
  all.sag = stacked(batch, results, [](const StaticsAt& at) { return at.sag.displacement; });
  all.stable = py::array_t<bool>(batch.leading());
  for (std::size_t i = 0; i < results.size(); ++i)
    all.stable.mutable_data()[i] = results[i].equilibrium.stable;
  all.end_effector = py::make_tuple(
      stacked(batch, results, [](const StaticsAt& at) { return Eigen::Vector3d(at.end_effector.p); }),
      stacked(batch, results, [](const StaticsAt& at) { return Eigen::Matrix3d(at.end_effector.R); }));
  if (batch.is_single()) {
    const Equilibrium& found = results.front().equilibrium;
    all.warnings = state_warnings(model, found.q);
    for (std::string& warning : effort_warnings(model, found.efforts))
      all.warnings.push_back(std::move(warning));
    if (!found.stable) all.warnings.emplace_back("this equilibrium is unstable");
  }
  return all;
}

StaticsAt looked_at(const Model& model, Workspace<double>& work, Equilibrium found, const VectorXd& asked) {
  StaticsAt at{std::move(found), {}, {}};
  at.sag = sag(model, at.equilibrium.q, asked);
  update_positions(model, work, at.equilibrium.q);
  update_world_poses(work);
  at.end_effector = frame_pose(model, work, model.end_effector());
  return at;
}

Statics statics(const ArmPointer& arm, const Numbers& q, const py::object& loads, const py::object& hold,
                bool linear) {
  const Question question(arm, q, loads, hold);
  const Model& model = question.model();
  const Batch batch({&question.positions()});
  return packed(model, batch, computed<StaticsAt>(batch, [&](std::size_t i) {
                  const Arm::Lease lease(question.arm());
                  const VectorXd start = question.q(i);
                  return looked_at(model, *lease,
                                   static_equilibrium(model, start, question.loads(),
                                                      linear ? StaticModel::linear : StaticModel::exact, {},
                                                      question.hold()),
                                   start);
                }));
}

Statics reached(const ArmPointer& arm, const Numbers& position, const Numbers& q, const Numbers& rotation,
                const py::object& loads, const py::object& hold) {
  const Question question(arm, q, loads, hold);
  const Model& model = question.model();
  const Rows places("position", position, 3);
  const Batch batch({&question.positions(), &places});
  std::optional<Eigen::Matrix3d> attitude;
  if (!rotation.is_none()) {
    const Rows rows("rotation", rotation, 3);
    if (rows.leading() != Shape{3})
      throw InputError(Problem{"rotation", "a matrix of shape (3, 3)", "another shape", ""});
    for (std::size_t i = 0; i < 3; ++i) attitude = attitude.value_or(Eigen::Matrix3d());
    for (std::size_t i = 0; i < 3; ++i) attitude->row(static_cast<Eigen::Index>(i)) = rows[i].transpose();
  }
  return packed(model, batch, computed<StaticsAt>(batch, [&](std::size_t i) {
                  const Arm::Lease lease(question.arm());
                  Equilibrium found =
                      reach(model, question.q(i), places[i], attitude, question.loads(), question.hold());
                  const VectorXd joints = found.q;
                  return looked_at(model, *lease, std::move(found), joints);
                }));
}

Statics reached_along(const ArmPointer& arm, const Numbers& positions, const Numbers& q,
                      const Numbers& rotations, const py::object& loads, const py::object& hold) {
  const Question question(arm, q, loads, hold);
  const Model& model = question.model();
  if (!Batch({&question.positions()}).is_single())
    throw InputError(Problem{"q", "one configuration, where the path begins", "a batch", ""});
  const Rows places("positions", positions, 3);
  if (places.leading().size() != 1)
    throw InputError(Problem{"positions", "an array of shape (n, 3)", "another shape", "places, row by row"});
  const Batch batch({&places});
  Eigen::Matrix3Xd path(3, static_cast<Eigen::Index>(batch.count()));
  for (std::size_t i = 0; i < batch.count(); ++i) path.col(static_cast<Eigen::Index>(i)) = places[i];
  std::vector<Eigen::Matrix3d> attitudes;
  if (!rotations.is_none()) {
    const Rows rows("rotations", rotations, 3);
    if (rows.leading() != Shape{places.leading().front(), 3})
      throw InputError(
          Problem{"rotations", "an array of shape (n, 3, 3), one for each place", "another shape", ""});
    attitudes.resize(batch.count());
    for (std::size_t i = 0; i < batch.count(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        attitudes[i].row(static_cast<Eigen::Index>(k)) = rows[3 * i + k].transpose();
  }
  std::vector<StaticsAt> found;
  {
    const VectorXd start = question.q(0);
    const py::gil_scoped_release unlocked;
    const Arm::Lease lease(question.arm());
    for (Equilibrium& one : reach_along(model, start, path, attitudes, question.loads(), question.hold())) {
      const VectorXd joints = one.q;
      found.push_back(looked_at(model, *lease, std::move(one), joints));
    }
  }
  return packed(model, batch, found);
}

struct Criticality {
  double factor = 0.0, frequency_hz = 0.0;
  std::string kind;
};

std::optional<Criticality> criticality(const ArmPointer& arm, const Numbers& q, const py::object& loads,
                                       double limit, const py::object& hold) {
  const Question question(arm, q, loads, hold);
  if (!Batch({&question.positions()}).is_single())
    throw InputError(Problem{"q", "one configuration", "a batch", ""});
  if (!(limit > 0.0 && std::isfinite(limit)))
    throw InputError(Problem{"limit", "a number > 0: the largest factor to try", show_number(limit), ""});
  const VectorXd start = question.q(0);
  std::optional<CriticalLoad> found;
  {
    const py::gil_scoped_release unlocked;
    found = critical_load(question.model(), start, question.loads(), limit, question.hold());
  }
  if (!found) return {};
  const bool flutters = found->kind == MotionKind::flutter;
  return Criticality{found->factor, flutters ? found->frequency * hertz : 0.0,
                     flutters ? "flutter" : "divergence"};
}

// x, kappa_y, kappa_z, twist, stretch along a link's beam
Array strains(const ArmPointer& arm, const Numbers& q, const std::string& link, int points) {
  if (points < 2 || points > 100000)
    throw InputError(Problem{"points", "an integer from 2 to 100000", std::to_string(points), ""});
  const Model& model = arm->model();
  WholeLink beam{link, 0, 1};
  const auto whole = whole_links(model);
  const auto found =
      std::find_if(whole.begin(), whole.end(), [&](const WholeLink& w) { return w.name == link; });
  if (found != whole.end())
    beam = *found;
  else
    beam.first = link_index(model, link);
  const Rows positions("q", q, model.nq());
  const Batch batch({&positions});
  Array result = batch.array({points, 5});
  for (std::size_t i = 0; i < batch.count(); ++i) {
    double length = beam_length(model, beam, positions[i]);
    if (length == 0.0)
      length = model.links()[static_cast<std::size_t>(beam.first)].nodes.front().X_RN.p.norm();
    for (int j = 0; j < points; ++j) {
      const BeamStrain s = beam_strain(model, beam, positions[i], length * j / (points - 1));
      matrix(result.mutable_data(), i, points, 5).row(j) << s.x, s.kappa_y, s.kappa_z, s.twist, s.stretch;
    }
  }
  return result;
}

// ---- derivatives ----

struct Derivatives {
  Array dacceleration_dq, dacceleration_dv, dacceleration_dtau, dforce_dq, dforce_dv;
};

Derivatives derivatives(const ArmPointer& arm, const Numbers& q, const Numbers& v, const Numbers& tau,
                        const py::object& loads, const Numbers& acceleration) {
  const Question question(arm, q, loads, py::none());
  const Model& model = question.model();
  const Rows rates("v", v, model.nv()), efforts("tau", tau, model.nv()),
      accelerations("acceleration", acceleration, model.nv());
  const Batch batch({&question.positions(), &rates, &efforts, &accelerations});
  const auto results = computed<DynamicsDerivatives>(batch, [&](std::size_t i) {
    std::optional<VectorXd> given;
    if (!acceleration.is_none()) given = accelerations[i];
    return dynamics_derivatives(model, question.q(i), VectorXd(rates[i]), VectorXd(efforts[i]),
                                question.loads(), given);
  });
  const auto all = [&](Eigen::MatrixXd DynamicsDerivatives::*member) {
    return stacked(batch, results,
                   [member](const DynamicsDerivatives& at) -> const Eigen::MatrixXd& { return at.*member; });
  };
  using D = DynamicsDerivatives;
  return {all(&D::dacceleration_dq), all(&D::dacceleration_dv), all(&D::dacceleration_dtau),
          all(&D::dforce_dq), all(&D::dforce_dv)};
}

void bind_modes(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  Named<Modes>(module, "Modes", doc::NaturalModes)
      .field("coordinates", &Modes::coordinates, "Names of the rows of shapes and participation.")
      .field("q", &Modes::q, "About which configuration.")
      .field("frequencies_hz", &Modes::frequencies_hz,
             "[Hz], ascending; an unstable mode as a negative number.")
      .field("frequencies_rad_s", &Modes::frequencies_rad_s, doc::NaturalModes_angular_frequencies)
      .field("shapes", &Modes::shapes, doc::NaturalModes_shapes)
      .field("participation", &Modes::participation, doc::NaturalModes_participation)
      .field("eigenvalues", &Modes::eigenvalues, doc::NaturalModes_exponents)
      .field("damping_ratios", &Modes::damping_ratios, "Of each mode; None where the arm is undamped.");
  module.def("modes", &modes, arg("arm").none(false), arg("q") = none, arg("joints") = "held",
             arg("count") = 10, arg("loads") = none, arg("hold") = none, arg("settle") = false,
             arg("spin") = none, arg("gyroscopic") = true, doc::natural_modes);
}

void bind_statics(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  Named<Statics>(module, "Statics", doc::Equilibrium)
      .field("coordinates", &Statics::coordinates, "Names of the efforts.")
      .field("q", &Statics::q, doc::Equilibrium_q)
      .field("efforts", &Statics::efforts, doc::Equilibrium_efforts)
      .field("cylinder_names", &Statics::cylinder_names, "Names of the drives.")
      .field("drives", &Statics::drives, doc::Equilibrium_drives)
      .field("sag", &Statics::sag, doc::Sag_displacement)
      .field("stable", &Statics::stable, doc::Equilibrium_stable)
      .field("end_effector", &Statics::end_effector, "Position and rotation matrix.")
      .field("warnings", &Statics::warnings, "Limits that are broken, as sentences; none of batches.")
      .bound()
      .def_property_readonly(
          "joint_efforts",
          [](const Statics& self) {
            py::dict named;
            const py::object by_coordinate =
                py::module_::import("numpy").attr("moveaxis")(self.efforts, -1, 0);
            for (std::size_t i = 0; i < self.coordinates.size(); ++i)
              named[py::str(self.coordinates[i])] = by_coordinate[py::int_(i)];
            return named;
          },
          "The efforts by coordinate name.");
  module.def("statics", &statics, arg("arm").none(false), arg("q") = none, arg("loads") = none,
             arg("hold") = none, arg("linear") = false, doc::static_equilibrium);
  module.def("reach", &reached, arg("arm").none(false), arg("position"), arg("q") = none,
             arg("rotation") = none, arg("loads") = none, arg("hold") = none, doc::reach);
  module.def("reach_along", &reached_along, arg("arm").none(false), arg("positions"), arg("q") = none,
             arg("rotations") = none, arg("loads") = none, arg("hold") = none, doc::reach_along);
  Named<Criticality>(module, "CriticalLoad", doc::CriticalLoad)
      .field("factor", &Criticality::factor, doc::CriticalLoad_factor)
      .field("kind", &Criticality::kind, doc::CriticalLoad_kind)
      .field("frequency_hz", &Criticality::frequency_hz, "[Hz] with which it flutters; 0 where it does not.");
  module.def("critical_load", &criticality, arg("arm").none(false), arg("q") = none, arg("loads") = none,
             arg("limit") = 10.0, arg("hold") = none, doc::critical_load);
  module.def(
      "strains", &strains, arg("arm").none(false), arg("q"), arg("link"), arg("points") = 21,
      (std::string("Along a link's beam, rows of x, kappa_y, kappa_z, twist, stretch. ") + doc::BeamStrain)
          .c_str());
}

}  // namespace

void bind_analysis(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  bind_modes(module);
  bind_statics(module);
  Named<Derivatives>(module, "Derivatives", doc::DynamicsDerivatives)
      .field("dacceleration_dq", &Derivatives::dacceleration_dq, "Of forward dynamics, along v's components.")
      .field("dacceleration_dv", &Derivatives::dacceleration_dv, "Of forward dynamics.")
      .field("dacceleration_dtau", &Derivatives::dacceleration_dtau, "Of forward dynamics: the inverse of M.")
      .field("dforce_dq", &Derivatives::dforce_dq, "Of inverse dynamics, along v's components.")
      .field("dforce_dv", &Derivatives::dforce_dv, "Of inverse dynamics.");
  module.def("derivatives", &derivatives, arg("arm").none(false), arg("q"), arg("v") = none,
             arg("tau") = none, arg("loads") = none, arg("acceleration") = none, doc::dynamics_derivatives);
}

}  // namespace limber::python
