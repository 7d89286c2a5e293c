// SPDX-License-Identifier: BSD-3-Clause
// limber info MODEL: links, coordinates, mass, and the frequencies of each beam.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "command.hpp"
#include "json_numbers.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/io/mesh_file.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/model_notes.hpp"
#include "limber/math/units.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/model.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;

std::string parent_name(const Model& model, const Link& link) {
  return link.parent < 0 ? "base" : model.links()[link.parent].name;
}

std::string axis_text(const Eigen::Vector3d& axis) {
  constexpr double rounding = 1e-12;
  for (int i = 0; i < 3; ++i)
    if (std::abs(std::abs(axis[i]) - 1.0) < rounding)
      return fmt::format("{}{}", axis[i] < 0 ? "-" : "", "xyz"[i]);
  return fmt::format("[{:.3g} {:.3g} {:.3g}]", axis.x(), axis.y(), axis.z());
}

std::string joint_text(const Joint& joint) {
  std::string text = choice_name(described_type(joint.type));
  for (const Eigen::Vector3d& axis : joint.axes) text += " " + axis_text(axis);
  return text;
}

// "2 y, 2 z, 1 torsion"
std::string modes_text(const Link& link) {
  if (link.body && link.elastic_count > 0) return fmt::format("{} of a body", link.elastic_count);
  if (!link.beam || link.elastic_count == 0) return "rigid";
  std::string text;
  for (const DirectionShapes& shapes : link.beam->directions)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", shapes.request.count,
                        to_string(shapes.request.direction));
  return text;
}

Json frequencies_json(const Link& link) {
  Json by_direction = Json::object();
  if (link.body) by_direction["body"] = vector_json(link.body->reduced->frequencies * hertz);
  if (!link.beam) return by_direction;
  for (const DirectionShapes& shapes : link.beam->directions) {
    Json values = Json::array();
    for (const double omega : shapes.frequencies)
      values.push_back(std::isinf(omega) ? Json() : Json(omega * hertz));
    by_direction[to_string(shapes.request.direction)] = values;
  }
  return by_direction;
}

Json model_json(const Model& model, const BasisError& basis) {
  Json links = Json::array();
  for (const Link& link : model.links())
    links.push_back(
        {{"name", link.name},
         {"parent", parent_name(model, link)},
         {"joint", {{"name", link.joint.name}, {"type", choice_name(described_type(link.joint.type))}}},
         {"length", link.nodes.front().X_RN.p.norm()},
         {"mass", link.rest_inertia().mass},
         {"elastic_coordinates", link.elastic_count},
         {"frequencies_hz", frequencies_json(link)}});
  return {{"name", model.name()},
          {"kinematics", choice_name(model.kinematics())},
          {"gravity", {model.gravity().x(), model.gravity().y(), model.gravity().z()}},
          {"nq", model.nq()},
          {"nv", model.nv()},
          {"coordinates", model.coordinates()},
          {"mass", model.mass()},
          {"basis_error", basis.largest},
          {"arm_frequencies_hz", vector_json(basis.frequencies * hertz)},
          {"links", links},
          {"warnings", advice(model)}};
}

void print_summary(const Model& model) {
  fmt::print("{}  {} links, {} coordinates, {} kg\n", styled(Style::bold, model.name()),
             model.description().links.size(), model.nv(), number(model.mass()));
  const Eigen::Vector3d& g = model.gravity();
  fmt::print("{}\n\n", styled(Style::dim, fmt::format("kinematics {}, gravity [{:g} {:g} {:g}] m/s^2",
                                                      choice_name(model.kinematics()), g.x(), g.y(), g.z())));
}

void print_links(const Model& model) {
  using Align = Table::Align;
  Table table({{"link", ""},
               {"on", ""},
               {"joint", ""},
               {"", ""},
               {"length", "m", Align::right},
               {"mass", "kg", Align::right},
               {"modes", ""}});
  for (const Link& link : model.links())
    table.add_row({link.name, parent_name(model, link), link.joint.name, joint_text(link.joint),
                   number(link.nodes.front().X_RN.p.norm()), number(link.rest_inertia().mass),
                   modes_text(link)});
  fmt::print("{}\n", table.str());
}

struct FrequencyRow {
  std::string direction, family;
  Eigen::VectorXd frequencies;
};

std::vector<FrequencyRow> frequency_rows(const Link& link) {
  std::vector<FrequencyRow> rows;
  if (link.beam)
    for (const DirectionShapes& shapes : link.beam->directions)
      rows.push_back(
          {to_string(shapes.request.direction), choice_name(shapes.request.family), shapes.frequencies});
  if (link.body && link.elastic_count > 0)
    rows.push_back({"all", "finite elements", link.body->reduced->frequencies});
  return rows;
}

// One row for each direction of each beam, one for each body; at most six frequencies are shown.
void print_frequencies(const Model& model) {
  constexpr Eigen::Index most_shown = 6;
  Eigen::Index most = 0;
  for (const Link& link : model.links())
    for (const FrequencyRow& row : frequency_rows(link)) most = std::max(most, row.frequencies.size());
  if (most == 0) return;

  std::vector<Table::Column> columns{{"beam", ""}, {"direction", ""}, {"shapes", ""}};
  for (Eigen::Index i = 1; i <= std::min(most, most_shown); ++i)
    columns.push_back({fmt::format("f{}", i), "Hz", Table::Align::right});
  if (most > most_shown) columns.push_back({"", ""});
  Table table(columns);
  for (const Link& link : model.links()) {
    for (const FrequencyRow& shapes : frequency_rows(link)) {
      std::vector<std::string> row{link.name, shapes.direction, shapes.family};
      for (Eigen::Index i = 0; i < std::min(shapes.frequencies.size(), most_shown); ++i)
        row.push_back(std::isinf(shapes.frequencies[i]) ? "-" : number(shapes.frequencies[i] * hertz));
      row.resize(columns.size());
      if (shapes.frequencies.size() > most_shown)
        row.back() = fmt::format("and {} more", shapes.frequencies.size() - most_shown);
      table.add_row(row);
    }
  }
  fmt::print("{}{}\n\n", table.str(),
             styled(Style::dim,
                    "  Each beam alone, held and loaded as its shapes assume; not the arm's frequencies."));
}

// The arm's own first frequencies, and whether the shapes are good enough for them.
void print_basis_error(const BasisError& basis) {
  if (basis.frequencies.size() == 0) return;
  std::string text;
  for (const double omega : basis.frequencies) text += (text.empty() ? "" : ", ") + number(omega * hertz);
  fmt::print("{}\n  {} Hz (joints locked, q = 0); error of the chosen shapes {:.2g} %\n\n",
             styled(Style::bold, "  arm"), text, 100.0 * basis.largest);
}

Json proposal_json(const ShapesProposal& proposal, double accuracy) {
  Json links = Json::object();
  for (const ShapeCount& shapes : proposal.counts)
    links[shapes.link][to_string(shapes.direction)] = {{"shape", "craig-bampton"}, {"count", shapes.count}};
  return {{"accuracy", accuracy},
          {"basis_error", proposal.error},
          {"elastic_coordinates", proposal.elastic_coordinates},
          {"links", links}};
}

// How many shapes do.
void print_proposal(const ShapesProposal& proposal, double accuracy) {
  using Align = Table::Align;
  Table table({{"link", ""}, {"modes", ""}, {"craig-bampton", "count", Align::right}});
  for (const ShapeCount& shapes : proposal.counts)
    table.add_row({shapes.link, to_string(shapes.direction), std::to_string(shapes.count)});
  fmt::print("{}\n{}  {} elastic coordinates; error {:.2g} %, {:.2g} % was asked for\n\n",
             styled(Style::bold, "  shapes for that accuracy"), table.str(), proposal.elastic_coordinates,
             100.0 * proposal.error, 100.0 * accuracy);
}

void print_coordinates(const Model& model) {
  constexpr std::size_t longest_line = 96;
  fmt::print("{}\n", styled(Style::bold, "  coordinates"));
  std::string line = " ";
  for (const std::string& name : model.coordinates()) {
    if (line.size() + 1 + name.size() > longest_line) {
      fmt::print("{}\n", line);
      line = " ";
    }
    line += " " + name;
  }
  fmt::print("{}\n", line);
}

void show_model(const std::string& file, const std::optional<double>& accuracy, const Common& common) {
  ModelNotes notes;
  const Model model = read_model(file, settings(common), notes);
  for (std::string& sentence : undrawn_meshes(model.description()))
    notes.sentences.push_back(std::move(sentence));
  if (common.json) {
    for (const std::string& sentence : notes.sentences) note_warning(sentence);
    Json document = model_json(model, basis_error(model));
    if (accuracy) document["proposal"] = proposal_json(propose_shapes(model, *accuracy), *accuracy);
    print_json(document);
    return;
  }
  print_summary(model);
  print_links(model);
  print_frequencies(model);
  print_basis_error(basis_error(model));
  if (accuracy) print_proposal(propose_shapes(model, *accuracy), *accuracy);
  print_coordinates(model);
  warn(common, notes.sentences);
  warn(common, advice(model));
}

}  // namespace

void add_info(CLI::App& app, Common& common) {
  CLI::App* command =
      add_command(app, common, "info", "Show a model: links, coordinates, mass, beam frequencies");
  auto file = std::make_shared<std::string>();
  command->add_option("MODEL", *file, "Model file (*.yaml, *.urdf)")->required();
  add_set_option(*command, common);
  auto accuracy = std::make_shared<std::optional<double>>();
  command->add_option("--accuracy", *accuracy,
                      "Propose how many shapes each link needs for this relative error of the arm's first "
                      "frequencies, e.g. 1e-3");
  command->callback([file, accuracy, &common] { show_model(*file, *accuracy, common); });
}

}  // namespace limber::app
