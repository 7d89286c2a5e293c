// SPDX-License-Identifier: BSD-3-Clause
// How fast the shipped scenarios run, and what ledger, sampling and files cost: one JSON document on standard output.
//   limber_simulation_benchmark [REPETITIONS]
// "bare": integration alone. "sampled": with rows, wrenches and the ledger at every row. "written": and with the
// HDF5 file. Each is the fastest of the repetitions, taken in turns, in time of the processor: other work on the machine does not count.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/results/result_file.hpp"
#include "limber/scenario/choices.hpp"
#include "limber/simulation/simulate.hpp"
#include "limber/simulation/simulator.hpp"

namespace {

using namespace limber;

struct Timing {
  double bare = 1e300, sampled = 1e300, written = 1e300;
  RunSummary summary;
};

double seconds(const auto& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Of the processor.
double processor_seconds(const auto& action) {
  const std::clock_t start = std::clock();
  action();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

Timing measure(const ScenarioDescription& description, const ScenarioFile& file, int repetitions) {
  const std::filesystem::path result = std::filesystem::temp_directory_path() / "limber_benchmark.h5";
  Timing timing;
  for (int i = 0; i < repetitions; ++i) {
    Scenario scenario = build_scenario(description, file.model);
    RunOptions bare;
    bare.sample = false;
    timing.bare = std::min(timing.bare, processor_seconds([&] { simulate(scenario, nullptr, bare); }));
    timing.sampled =
        std::min(timing.sampled, processor_seconds([&] { timing.summary = simulate(scenario); }));
    timing.written = std::min(timing.written, processor_seconds([&] {
                                ResultWriter writer(result, scenario, {"benchmark", file.sources});
                                writer.finish(simulate(scenario, &writer).last, "complete");
                              }));
  }
  std::filesystem::remove(result);
  return timing;
}

Eigen::Vector3d tip_at_end(const ScenarioDescription& description, const Model& model) {
  Scenario scenario = build_scenario(description, model);
  Workspace<double> work(model);
  update_positions(model, work, simulate(scenario).q);
  update_world_poses(work);
  return frame_pose(model, work, end_effector_frame(model)).p;
}

// Where it is at much smaller tolerances.
Eigen::Vector3d exact_tip_at_end(ScenarioDescription description, const Model& model) {
  description.integrator = {integrators::Radau13{}, 1e-11, 1e-14};
  return tip_at_end(description, model);
}

void print(const char* name, const ScenarioDescription& description, const Timing& t, bool last) {
  const Checkpoint& c = t.summary.last;
  std::printf(
      "  {\"name\": \"%s\", \"duration\": %g, \"coordinates\": %d, \"method\": \"%s\", \"rtol\": %g, "
      "\"steps\": %ld, "
      "\"evaluations\": %ld, \"jacobians\": %ld, \"bare_s\": %.6g, \"sampled_s\": %.6g, \"written_s\": %.6g, "
      "\"energy_error\": %.3g, \"energy\": %.4g, \"peak_deviation\": %.6g}%s\n",
      name, description.duration, static_cast<int>(t.summary.v.size()), t.summary.integrator.c_str(),
      description.integrator.rtol, c.steps, c.evaluations, c.tangents, t.bare, t.sampled, t.written,
      c.largest_error, c.energy_size,
      [&] {
        double largest = 0.0;
        for (const Peak& peak : c.peaks.deviation) largest = std::max(largest, peak.value);
        return largest;
      }(),
      last ? "" : ",");
}

// One millisecond after another, with an effort from outside that changes every time: as in a loop with a clock. Each tick's time is its shortest of
// the repetitions: what the machine did besides is not ours.
void print_ticks(const char* name, const ScenarioFile& file, const IntegrationMethod& method, int repetitions,
                 bool last) {
  ScenarioDescription description = file.description;
  description.integrator.method = method;
  constexpr int count = 2000;
  std::vector<double> shortest(count, 1e300);
  for (int i = 0; i < repetitions; ++i) {
    Simulator arm(build_scenario(description, file.model));
    Eigen::VectorXd efforts = Eigen::VectorXd::Zero(arm.state().v.size());
    for (int k = 0; k < count; ++k) {
      efforts[0] = k % 2 == 0 ? 1.0 : -1.0;
      double& tick = shortest[static_cast<std::size_t>(k)];
      tick = std::min(tick, seconds([&] { arm.step(1e-3, efforts); }));
    }
  }
  std::sort(shortest.begin(), shortest.end());
  std::printf("  {\"name\": \"%s\", \"method\": \"%s\", \"median_us\": %.1f, \"worst_us\": %.1f}%s\n", name,
              type_name(method), 1e6 * shortest[count / 2], 1e6 * shortest.back(), last ? "" : ",");
}

}  // namespace

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 5;
  const std::string models = LIMBER_MODELS_DIR;
  const auto read = [&](const std::string& name) { return read_scenario(models + "/" + name); };
  std::printf("{\"scenarios\": [\n");
  if (argc > 2) {  // this one alone
    const ScenarioFile file = read(argv[2]);
    print(argv[2], file.description, measure(file.description, file, repetitions), true);
    std::printf("]}\n");
    return 0;
  }
  const char* shipped[] = {"canadarm/manoeuvre.yaml", "crane/manoeuvre.yaml", "ella/reach.yaml",  // NOLINT
                           "spin_up_beam/spin_up.yaml"};
  for (const char* name : shipped) {
    const ScenarioFile file = read(name);
    print(name, file.description, measure(file.description, file, repetitions), name == shipped[3]);
  }
  // The Canadarm's manoeuvre with other shapes, and what looser tolerances do to the tip.
  std::printf("], \"canadarms\": [\n");
  const std::vector<std::string> variants = {"canadarm", "canadarm_spatial", "canadarm_craig_bampton"};
  const std::vector<double> tolerances = {1e-6, 1e-5, 1e-4};
  for (const std::string& variant : variants) {
    ScenarioFile file = read("canadarm/manoeuvre.yaml");
    file.model = read_model(models + "/canadarm/" + variant + ".yaml");
    file.description.model = file.model.description();
    const Eigen::Vector3d exact = exact_tip_at_end(file.description, file.model);
    for (const double rtol : tolerances) {
      file.description.integrator.rtol = rtol;
      file.description.integrator.atol = 1e-3 * rtol;
      std::printf("  {\"tip_error_m\": %.3g, \"run\":\n",
                  (tip_at_end(file.description, file.model) - exact).norm());
      print(variant.c_str(), file.description, measure(file.description, file, repetitions), true);
      std::printf("  }%s\n", variant == variants.back() && rtol == tolerances.back() ? "" : ",");
    }
  }
  // Every method on the Canadarm's manoeuvre.
  std::printf("], \"methods\": [\n");
  const ScenarioFile canadarm = read("canadarm/manoeuvre.yaml");
  const std::vector<IntegrationMethod> methods = {
      integrators::Radau{},         integrators::Radau9{},
      integrators::VariableRadau{}, integrators::Bdf{},
      integrators::Adams{},         integrators::Erk{},
      integrators::Rk4{1e-3},       integrators::GeneralizedAlpha{1e-3},
      integrators::Euler{1e-5}};
  for (const IntegrationMethod& method : methods) {
    ScenarioDescription description = canadarm.description;
    description.integrator.method = method;
    print(type_name(method), description, measure(description, canadarm, std::min(repetitions, 3)),
          &method == &methods.back());
  }
  // A tick of 1 kHz, efforts from outside.
  std::printf("], \"ticks\": [\n");
  const std::vector<IntegrationMethod> of_ticks = {integrators::Rk4{1e-3},
                                                   integrators::GeneralizedAlpha{1e-3}, integrators::Radau{},
                                                   integrators::Radau9{}};
  for (const char* name : {"canadarm/manoeuvre.yaml", "crane/manoeuvre.yaml", "ella/reach.yaml"}) {
    const ScenarioFile file = read(name);
    // A step of 1 ms is too long for explicit methods on arms with faster modes than the Canadarm's.
    const bool is_slow = std::string(name).starts_with("canadarm");
    for (std::size_t i = is_slow ? 0 : 1; i < of_ticks.size(); ++i)
      print_ticks(name, file, of_ticks[i], std::min(repetitions, 3),
                  std::string(name).starts_with("ella") && i + 1 == of_ticks.size());
  }
  // More shapes per link: where joint 2's deviation goes.
  for (const ShapeFamily shape : {ShapeFamily::clamped_free, ShapeFamily::craig_bampton}) {
    const bool clamped = shape == ShapeFamily::clamped_free;
    std::printf("], \"%s\": [\n", clamped ? "clamped_free" : "craig_bampton");
    for (int modes = clamped ? 1 : 2; modes <= 8; ++modes) {
      ScenarioFile file = canadarm;
      for (LinkDescription& link : file.description.model.links) {
        link.beam->modes.y->shape = shape;
        link.beam->modes.y->count = modes;
      }
      file.model = build_model(file.description.model);
      print(std::to_string(modes).c_str(), file.description, measure(file.description, file, 1), modes == 8);
    }
  }
  std::printf("]}\n");
}
