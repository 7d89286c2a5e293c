// SPDX-License-Identifier: BSD-3-Clause
// limber count MODEL: operations of each algorithm on an arm; --chains: of chains, beside the polynomials of Mohan and Saha's paper.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "limber/io/model_file.hpp"
#include "limber/literature/operation_counts.hpp"
#include "limber/model/builder.hpp"
#include "limber/symbolic/equations.hpp"
#include "paper_commands.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;
using Align = Table::Align;

struct CountOptions {
  std::string model;
  int chains = 0, modes = 2;
  bool generated = false;
};

// The block elimination in straight lines, with the arm's numbers: what is zero is not computed. Divisions are not told from products there.
AlgorithmCount generated_count(const Model& model) {
  EquationsOptions options;
  options.parameters = ParameterStyle::numbers;
  Equations equations(model, options);
  const MatrixX<Expression>& a = equations.quantity('a');
  const OperationCount count = equations.arm().graph->count({a.data(), a.data() + a.size()});
  return {"generated",
          "accelerations as derive writes them: zeros left out, common parts once",
          {count.multiplications, count.additions, count.functions}};
}

void print_arm(const CountOptions& options, const Common& common) {
  const Model model = read_model(options.model, settings(common));
  std::vector<AlgorithmCount> counts = count_algorithms(model);
  if (options.generated) counts.insert(counts.begin() + 1, generated_count(model));
  if (common.json) {
    Json algorithms = Json::object();
    for (const AlgorithmCount& c : counts)
      algorithms[c.name] = {{"multiplications", c.operations.multiplications},
                            {"divisions", c.operations.divisions},
                            {"additions", c.operations.additions},
                            {"functions", c.operations.functions},
                            {"meaning", c.meaning}};
    print_json({{"name", model.name()},
                {"links", model.links().size()},
                {"nv", model.nv()},
                {"algorithms", algorithms}});
    return;
  }
  Table table({{"algorithm", ""},
               {"multiplications", "divisions among them", Align::right},
               {"divisions", "", Align::right},
               {"additions", "", Align::right},
               {"functions", "", Align::right},
               {"gives", ""}});
  for (const AlgorithmCount& c : counts)
    table.add_row({c.name, std::to_string(c.operations.multiplications),
                   c.name == "generated" ? "" : std::to_string(c.operations.divisions),
                   std::to_string(c.operations.additions), std::to_string(c.operations.functions),
                   c.meaning});
  fmt::print("{}, {} links, {} coordinates: operations of one evaluation\n\n{}",
             styled(Style::bold, model.name()), model.links().size(), model.nv(), table.str());
}

// As in the paper's table: revolute joints, m shapes in each of two planes.
Model chain(int links, int modes) {
  ModelBuilder builder("chain");
  for (int i = 0; i < links; ++i)
    builder.kinematics(KinematicOrder::first)
        .link("link" + std::to_string(i))
        .revolute(i % 2 == 0 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY())
        .beam(1.0, {.EI_y = 1e3, .EI_z = 2e3, .mass_per_length = 3.0})
        .modes(Direction::y, modes)
        .modes(Direction::z, modes);
  return builder.build();
}

// Who needs the fewest, multiplications and additions together; ours are counted, theirs are polynomials.
void print_chains(const CountOptions& options, const Common& common) {
  struct Row {
    int n;
    PublishedCount proposed, jain, cyril, recursive, dense;
  };
  std::vector<Row> rows;
  for (int n = 1; n <= options.chains; ++n) {
    const std::vector<AlgorithmCount> counts = count_algorithms(chain(n, options.modes));
    const auto of = [&](std::size_t i) {
      return PublishedCount{static_cast<double>(counts[i].operations.multiplications),
                            static_cast<double>(counts[i].operations.additions)};
    };
    rows.push_back({n, mohan_saha_count(n, options.modes), jain_rodriguez_count(n, options.modes),
                    cyril_count(n, options.modes), of(0), of(1)});
  }
  const auto total = [](const PublishedCount& c) { return c.multiplications + c.additions; };
  const auto cheapest = [&](const Row& row) {
    const std::pair<double, const char*> all[] = {{total(row.proposed), "proposed"},
                                                  {total(row.jain), "Jain and Rodriguez"},
                                                  {total(row.cyril), "Cyril"}};
    return std::min_element(std::begin(all), std::end(all))->second;
  };
  std::string crossovers;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (i == 0 || std::string(cheapest(rows[i])) != cheapest(rows[i - 1]))
      crossovers +=
          fmt::format("{}{} from n = {}", crossovers.empty() ? "" : ", ", cheapest(rows[i]), rows[i].n);
  if (common.json) {
    Json list = Json::array();
    const auto pair = [](const PublishedCount& c) {
      return Json{{"multiplications", c.multiplications}, {"additions", c.additions}};
    };
    for (const Row& row : rows)
      list.push_back({{"n", row.n},
                      {"proposed", pair(row.proposed)},
                      {"jain_rodriguez", pair(row.jain)},
                      {"cyril", pair(row.cyril)},
                      {"recursive", pair(row.recursive)},
                      {"dense", pair(row.dense)},
                      {"cheapest_published", cheapest(row)}});
    print_json({{"modes_per_plane", options.modes}, {"chains", list}, {"crossovers", crossovers}});
    return;
  }
  Table table({{"links", "", Align::right},
               {"proposed", "paper", Align::right},
               {"Jain, Rodriguez", "paper", Align::right},
               {"Cyril", "paper, corrected", Align::right},
               {"recursive", "Limber", Align::right},
               {"dense", "Limber", Align::right}});
  const auto text = [](const PublishedCount& c) {
    return fmt::format("{:.0f} / {:.0f}", c.multiplications, c.additions);
  };
  for (const Row& row : rows)
    table.add_row({std::to_string(row.n), text(row.proposed), text(row.jain), text(row.cyril),
                   text(row.recursive), text(row.dense)});
  fmt::print(
      "chains with {} shapes in each of two planes: multiplications / additions of accelerations\n\n{}",
      options.modes, table.str());
  fmt::print("  fewest by the paper's polynomials: {}\n", crossovers);
}

}  // namespace

void add_count(CLI::App& app, Common& common) {
  auto options = std::make_shared<CountOptions>();
  CLI::App* command = add_command(
      app, common, "count", "Operations of each algorithm on an arm, or on chains beside published counts");
  auto* model = command->add_option("MODEL", options->model, "Model file (*.yaml)");
  add_set_option(*command, common);
  command->add_flag("--generated", options->generated, "Also the accelerations that `derive` writes as code")
      ->needs(model);
  constexpr int most_links = 64, most_modes = 12;
  auto* chains =
      command
          ->add_option("--chains", options->chains,
                       "Instead of a model: chains of 1 to N links, beside Mohan and Saha's Table 1")
          ->check(CLI::Range(1, most_links))
          ->excludes(model);
  command->add_option("--modes", options->modes, "Shapes of a chain's link in each of two planes (default 2)")
      ->check(CLI::Range(1, most_modes))
      ->needs(chains);
  command->callback([options, &common] {
    if (options->chains == 0 && options->model.empty()) throw CLI::RequiredError("MODEL or --chains N");
    options->chains > 0 ? print_chains(*options, common) : print_arm(*options, common);
  });
}

}  // namespace limber::app
