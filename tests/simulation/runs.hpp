// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Scenarios for tests, and what came out of them.

#include <string>
#include <vector>

#include "limber/formulations/formulation.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/simulation/simulate.hpp"
#include "places.hpp"

namespace limber {

class History : public ResultSink {
 public:
  void add(const Sample& sample) override { rows.push_back(sample); }
  std::vector<Sample> rows;
};

struct TestRun {
  RunSummary summary;
  std::vector<Sample> rows;
  std::vector<std::string> log;
};

inline ScenarioFile shipped(const std::string& file) {
  return read_scenario(std::string(LIMBER_MODELS_DIR) + "/" + file);
}

inline ScenarioFile scenario(const std::string& text) {
  return parse_scenario(text, "scenario.yaml", LIMBER_MODELS_DIR);
}

inline TestRun run(const ScenarioDescription& description, const Model& model) {
  Scenario built = build_scenario(description, model);
  History history;
  TestRun result;
  RunOptions options;
  options.log = [&](const std::string& sentence) { result.log.push_back(sentence); };
  result.summary = simulate(built, &history, options);
  result.rows = std::move(history.rows);
  return result;
}
inline TestRun run(const ScenarioFile& file) { return run(file.description, file.model); }
inline TestRun run(const std::string& text) { return run(scenario(text)); }

}  // namespace limber
