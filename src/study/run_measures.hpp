// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Measures and histories of a run: what has to be followed, and the numbers at its end.

#include <string>
#include <vector>

#include "limber/io/study_file.hpp"
#include "limber/simulation/scenario.hpp"

namespace limber {

/// Which channels a study needs, and which of them each measure and history is about.
class RunMeasures {
 public:
  explicit RunMeasures(const StudyDescription& study);

  /// Problems, with paths of the study file, where a scenario has nothing of such a name.
  std::vector<Problem> problems(const Scenario& scenario) const;
  /// Only what is asked for is recorded.
  bool needs_wrenches() const;
  /// Whether anything is asked of a run.
  bool needs_run() const { return !measures_.empty() || !histories_.empty(); }
  /// Runs the scenario. Measures, then histories; of measures of other tasks NaN. Throws ComputationError where the run fails, Interrupted where somebody asks to stop.
  std::vector<double> run(Scenario& scenario) const;

 private:
  struct Source {
    std::string path;    ///< in the study file
    std::string metric;  ///< empty: a channel
    std::size_t channel = 0;
    std::size_t measure = 0;  ///< which of the study's
  };
  Source source_of(const std::string& name, std::string path);

  StudyDescription study_;
  std::vector<std::string> channels_;
  std::vector<Source> measures_, histories_;
};

}  // namespace limber
