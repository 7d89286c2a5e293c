// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Study files of another kind: which values of a model or a scenario are to be found from measurements (`fit`), and what was measured (`data`);
// docs/measurements.md. Here stands what such a file says; what is done with it is the layer `identification`.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/file_error.hpp"
#include "limber/io/study_file.hpp"

namespace limber LIMBER_EXPORT {

/// A value that is to be found.
struct FittedDescription {
  std::optional<double> start = {};  ///< where the search begins; none: the file's value
  std::optional<double> lower = {};  ///< not less than this
  std::optional<double> upper = {};  ///< not more than this
};

/// What was measured in one experiment; exactly one of `file`, `frequencies_hz` and `readings`.
struct DataDescription {
  std::string file = {};                                          ///< CSV: a time history
  std::string time = "t";                                         ///< its column with times [s]
  std::vector<std::pair<std::string, std::string>> columns = {};  ///< of the file, by output
  std::optional<double> from = {};                                ///< rows before are left out [s]
  std::optional<double> to = {};                                  ///< rows behind are left out [s]
  std::vector<std::string> initial = {};    ///< coordinates (`.rate`) whose start is not known
  std::string scenario = {};                ///< of this experiment; empty: the study's
  std::vector<double> frequencies_hz = {};  ///< natural frequencies
  std::vector<double> modes = {};           ///< which they are, from 1; none: the first ones
  std::vector<std::pair<std::string, double>> readings = {};  ///< at rest, by output
  std::vector<std::pair<std::string, double>> sigma = {};     ///< standard deviations, by output or by index
  std::string state = {};                                     ///< frequencies, readings: a state file
  bool settle = false;                                        ///< frequencies: about the equilibrium
  std::string joints = "held";                                ///< frequencies: what joints do
};

/// An experiment that could be made.
struct CandidateDescription {
  std::string name = {};                                      ///< of it; empty: that of its file
  std::string scenario = {};                                  ///< its file; empty: the study's
  std::vector<std::pair<std::string, std::string>> set = {};  ///< values of the scenario, by path, as YAML
};

/// What an output may show during an experiment.
struct OutputLimitsDescription {
  std::optional<double> lower = {};  ///< not less than this
  std::optional<double> upper = {};  ///< not more than this
};

/// Which experiment tells most about the values of `fit` (identification/experiment_design.hpp); at most one of `candidates` and `vary`.
struct ExperimentDesignDescription {
  std::vector<std::string> outputs = {};                   ///< what is to be read
  std::optional<double> rate = {};                         ///< how often [Hz]; none: the scenario's rows
  std::optional<double> to = {};                           ///< until when [s]; none: the scenario's end
  std::vector<std::pair<std::string, double>> sigma = {};  ///< standard deviations by output; none: noise
  std::vector<CandidateDescription> candidates = {};       ///< to choose from; none: the study's scenario
  int choose = 1;                                          ///< how many of them are to be made
  std::vector<std::pair<std::string, FittedDescription>> vary = {};  ///< values of the scenario that are free
  std::vector<std::pair<std::string, OutputLimitsDescription>> limits = {};  ///< by output
  SearchMethod method = SearchMethod::automatic;                             ///< how `vary` is looked through
  int evaluations = 300;                                                     ///< at most
  int seed = 1;  ///< of what is random in `global`
};

/// The whole file.
struct FitDescription {
  std::string scenario = {};  ///< its file; empty: `model` is given
  std::string model = {};     ///< its file; frequencies and readings alone
  std::vector<std::pair<std::string, FittedDescription>> fit = {};  ///< by path
  std::vector<DataDescription> data = {};                           ///< of all experiments
  double tolerance = 1e-8;  ///< of the sum of squares, relative, at which to stop
  int iterations = 100;     ///< at most
  std::optional<ExperimentDesignDescription> design = {};  ///< what to measure (next)
};

/// A fit as it was read, and where each part of it stands.
struct FitFile {
  FitDescription description;                        ///< what it says
  std::string file;                                  ///< its name, for messages
  bool has_one_data = false;                         ///< `data` is a map, and no list of maps
  std::vector<std::pair<std::string, Mark>> places;  ///< of all paths in the file

  /// Problems with their places: at the part of the file that their paths lead to.
  FileError located(const std::vector<Problem>& problems) const;
  /// The path of experiment i: `data`, or `data[i]`.
  std::string place_of_data(std::size_t i) const;
};

///@{
/// Reads and checks what can be checked without the files that it names. Throws FileError with everything that is wrong.
FitFile read_fit(const std::filesystem::path& file);
FitFile parse_fit(const std::string& text, const std::string& file_name);
///@}

/// Whether a file looks like a fit: it has the key `fit`. False for what cannot be read.
bool is_fit(const std::filesystem::path& file);

}  // namespace limber
