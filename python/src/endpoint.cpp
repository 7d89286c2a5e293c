// SPDX-License-Identifier: BSD-3-Clause
// How points of an arm give way, what pushes there by strain gauges, and what passes through the sections of its beams.

#include "limber/analysis/endpoint.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "bindings.hpp"
#include "docs.hpp"
#include "limber/analysis/fatigue.hpp"
#include "limber/analysis/section_loads.hpp"
#include "limber/analysis/stress.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/lookup.hpp"
#include "named.hpp"
#include "question.hpp"
#include "stack.hpp"

namespace limber::python {
namespace {

using MaybeLink = std::optional<std::string>;
using Names = std::vector<std::string>;

// ---- compliance ----

struct Compliance {
  Array compliance;
  py::object stiffness = py::none();
  py::array_t<int> rank;
};

Compliance compliances(const ArmPointer& arm, const Numbers& q, const MaybeLink& link, double at,
                       const py::object& loads, const py::object& hold) {
  const PlacedFrame place = place_frame(arm, link, at);
  const Question question(place.arm, q, loads, hold);
  const Batch batch({&question.positions()});
  const auto results = computed<EndpointCompliance>(batch, [&](std::size_t i) {
    return endpoint_compliance(question.model(), question.q(i), place.frame, question.loads(),
                               question.hold());
  });
  Compliance all;
  all.compliance = stacked(batch, results, [](const EndpointCompliance& one) { return one.compliance; });
  all.rank = py::array_t<int>(batch.leading());
  for (std::size_t i = 0; i < results.size(); ++i) all.rank.mutable_data()[i] = results[i].rank;
  if (std::all_of(results.begin(), results.end(),
                  [](const EndpointCompliance& one) { return one.stiffness.has_value(); }))
    all.stiffness = stacked(batch, results, [](const EndpointCompliance& one) { return *one.stiffness; });
  return all;
}

// ---- forces from gauges ----

struct Gauge {
  std::string link;
  double x = 0.0;
  std::string strain;
  double reading = 0.0, error = 0.0;
};

int component_named(const std::string& name) {
  const Names names = {"fx", "fy", "fz", "mx", "my", "mz"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError(Problem{"components", expected_choice(names), show_text(name),
                             suggestion(name, names, "components")});
  return static_cast<int>(found - names.begin());
}

StrainKind strain_named(const std::string& name) {
  constexpr std::pair<const char*, StrainKind> kinds[] = {{"kappa_y", StrainKind::kappa_y},
                                                          {"kappa_z", StrainKind::kappa_z},
                                                          {"twist", StrainKind::twist},
                                                          {"stretch", StrainKind::stretch}};
  Names names;
  for (const auto& [word, kind] : kinds) {
    if (name == word) return kind;
    names.emplace_back(word);
  }
  throw InputError(
      Problem{"gauges", expected_choice(names), show_text(name), suggestion(name, names, "strains")});
}

struct Force {
  Array wrench, bound, left_over;
  int iterations = 0;
};

Force forces(const ArmPointer& arm, const std::vector<Gauge>& gauges, const Names& components,
             const Numbers& q, const MaybeLink& link, double at, const py::object& loads,
             const py::object& hold) {
  const PlacedFrame place = place_frame(arm, link, at);
  const Question question(place.arm, q, loads, hold);
  if (!Batch({&question.positions()}).is_single())
    throw InputError(Problem{"q", "one configuration", "a batch", ""});
  std::vector<StrainGauge> shown;
  for (const Gauge& gauge : gauges) {
    const StrainGauge there = gauge_on(question.model(), gauge.link, gauge.x);
    shown.push_back({there.link, there.x, strain_named(gauge.strain), gauge.reading, gauge.error});
  }
  std::vector<int> wanted;
  for (const std::string& name : components) wanted.push_back(component_named(name));
  EndpointForce found;
  {
    const py::gil_scoped_release unlocked;
    found = endpoint_force(question.model(), question.q(0), place.frame, shown, wanted, question.loads(),
                           question.hold());
  }
  return {array_of(found.wrench), array_of(found.bound), array_of(found.left_over), found.iterations};
}

// ---- sections ----

struct Sections {
  Array x, force, moment, elastic_force, elastic_moment, residual;
  py::object stress = py::none();
};

// Von Mises at the places of a link whose sections are given by geometry.
Eigen::VectorXd stress_along(const Link& link, const SectionLoads& at) {
  Eigen::VectorXd stress(at.x.size());
  for (Eigen::Index i = 0; i < stress.size(); ++i) {
    Vector6<double> forces;
    forces << at.force.col(i), at.moment.col(i);
    stress[i] = section_stress(stress_factors(*link.beam->basis.profile().geometry_at(at.x[i], true)), forces)
                    .von_mises;
  }
  return stress;
}

// Rows: range, mean, count.
Array counted(const std::vector<double>& series) {
  const std::vector<StressCycle> cycles = rainflow(series);
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(cycles.size()), 3);
  for (std::size_t i = 0; i < cycles.size(); ++i)
    rows.row(static_cast<Eigen::Index>(i)) << cycles[i].range, cycles[i].mean, cycles[i].count;
  return array_of(rows);
}

double damage_of(const std::vector<double>& series, double stress, double cycles, double slope) {
  return miner_damage(rainflow(series), {stress, cycles, slope});
}

Sections sections(const ArmPointer& arm, const std::string& link, const Numbers& q, const Numbers& v,
                  const Numbers& a, const py::object& loads, int points) {
  constexpr int most_points = 10000;
  if (points < 2 || points > most_points)
    throw InputError(
        Problem{"points", "an integer from 2 to " + std::to_string(most_points), std::to_string(points), ""});
  const Question question(arm, q, loads, py::none());
  const Model& model = question.model();
  const int index = link_index(model, link);
  const Rows rates("v", by_name(*arm, "v", v), model.nv()), accelerations("a", a, model.nv());
  const Batch batch({&question.positions(), &rates, &accelerations});
  const auto results = computed<SectionLoads>(batch, [&](std::size_t i) {
    return section_loads(model, index, question.q(i), rates[i], accelerations[i], question.loads(), points);
  });
  const auto rows = [&](Eigen::Matrix3Xd SectionLoads::*member) {
    return stacked(batch, results,
                   [member](const SectionLoads& at) { return Eigen::MatrixXd((at.*member).transpose()); });
  };
  Sections all;
  if (!results.empty()) all.x = array_of(results.front().x);
  all.force = rows(&SectionLoads::force);
  all.moment = rows(&SectionLoads::moment);
  all.elastic_moment = rows(&SectionLoads::elastic_moment);
  all.elastic_force = stacked(
      batch, results, [](const SectionLoads& at) { return Eigen::VectorXd(at.elastic_force.transpose()); });
  const Link& own = model.links()[static_cast<std::size_t>(index)];
  if (has_stress(own))
    all.stress = stacked(batch, results, [&own](const SectionLoads& at) { return stress_along(own, at); });
  all.residual = batch.array({});
  for (std::size_t i = 0; i < results.size(); ++i) all.residual.mutable_data()[i] = results[i].residual;
  return all;
}

void bind_gauges(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  Named<Gauge>(module, "StrainGauge", doc::StrainGauge)
      .field("link", &Gauge::link, "The link's name.")
      .field("x", &Gauge::x, doc::StrainGauge_x)
      .field("strain", &Gauge::strain, "kappa_y, kappa_z, twist or stretch.")
      .field("reading", &Gauge::reading, doc::StrainGauge_reading)
      .field("error", &Gauge::error, doc::StrainGauge_error)
      .bound()
      .def(py::init([](std::string link, double x, std::string strain, double reading, double error) {
             return Gauge{std::move(link), x, std::move(strain), reading, error};
           }),
           arg("link"), arg("x"), arg("strain"), arg("reading"), arg("error") = 0.0, doc::StrainGauge);
  Named<Force>(module, "EndpointForce", doc::EndpointForce)
      .field("wrench", &Force::wrench, "Force and moment about the point, world axes [N, N m].")
      .field("bound", &Force::bound, "By how much each may be wrong: what the gauges' errors leave open.")
      .field("left_over", &Force::left_over, doc::EndpointForce_left_over)
      .field("iterations", &Force::iterations, doc::EndpointForce_iterations);
  module.def(
      "endpoint_force", &forces, arg("arm").none(false), arg("gauges"), arg("components"), arg("q") = none,
      arg("link") = none, arg("at") = 1.0, arg("loads") = none, arg("hold") = none,
      (std::string("What pushes at a point, by strain gauges. components: of fx, fy, fz, mx, my, mz. ") +
       doc::endpoint_force)
          .c_str());
}

}  // namespace

void bind_endpoint(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  Named<Compliance>(module, "EndpointCompliance", doc::EndpointCompliance)
      .field("compliance", &Compliance::compliance,
             "6 x 6, linear rows and columns first, world axes: m/N, m/(N m), rad/N, rad/(N m).")
      .field("stiffness", &Compliance::stiffness, "Its inverse; None where some direction is rigid.")
      .field("rank", &Compliance::rank, doc::EndpointCompliance_rank);
  module.def("endpoint_compliance", &compliances, arg("arm").none(false), arg("q") = none, arg("link") = none,
             arg("at") = 1.0, arg("loads") = none, arg("hold") = none,
             (std::string("How a point gives way to a small wrench. ") + doc::endpoint_compliance).c_str());
  bind_gauges(module);
  Named<Sections>(
      module, "SectionLoads",
      "Along one link; rows are places. Axes of the turned sections, x along the beam; by the outer "
      "part on the inner one, so that tension is positive.")
      .field("x", &Sections::x, doc::SectionLoads_x)
      .field("force", &Sections::force, "[N], from the balance of the outer part.")
      .field("moment", &Sections::moment, "[N m], from the balance of the outer part.")
      .field("elastic_force", &Sections::elastic_force, doc::SectionLoads_elastic_force)
      .field("elastic_moment", &Sections::elastic_moment, doc::SectionLoads_elastic_moment)
      .field("residual", &Sections::residual,
             "How far the deflection is from the beam's equation of motion, of the whole; zero where nothing "
             "bends.")
      .field("stress", &Sections::stress,
             "Von Mises at the outer fibres [Pa]; None where the section is not given by geometry.");
  module.def("rainflow", &counted, arg("series"),
             (std::string("Rows of range, mean and count. ") + doc::rainflow).c_str());
  module.def(
      "miner_damage", &damage_of, arg("series"), arg("stress"), arg("cycles") = 2e6, arg("slope") = 3.0,
      "Miner's sum of a series' rainflow cycles: a range is endured cycles (stress / range)^slope times.");
  module.def("section_loads", &sections, arg("arm").none(false), arg("link"), arg("q") = none,
             arg("v") = none, arg("a") = none, arg("loads") = none, arg("points") = 41, doc::section_loads);
}

}  // namespace limber::python
