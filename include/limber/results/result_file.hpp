// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Results in HDF5 (docs/simulation.md lists what is in a file).
//
// A run may be killed at any moment, so no file is ever changed where a reader may look for it. The writer keeps two
// hidden copies beside the result, brings one of them up to date every now and then, closes it, and puts its name in
// place of the result's; then it goes on with the other. What stands under the result's name is always complete up
// to that moment, and on the disk: a loss of power loses no more than a kill.
//
// A result owns its facts: what was chosen when it was run, where the joints should have been, what there was to warn of, and the arm's
// outline. Whoever reads one builds neither scenario nor arm.
//
// A file that is read may have been damaged, or written by anybody. Kinds, ranks and lengths of everything in it are checked,
// sums of the numbers and texts are compared with those that were written, and a first reading takes place in a
// process of its own. What does not pass is an InputError.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "limber/core/comparison.hpp"
#include "limber/core/export.hpp"
#include "limber/io/source_text.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/results/arm_outline.hpp"
#include "limber/results/quantity.hpp"
#include "limber/results/result_lock.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber LIMBER_EXPORT {

/// Where a result comes from.
struct ResultOrigin {
  std::string program;              ///< "limber 0.1.0"
  std::vector<SourceText> sources;  ///< texts of scenario, model and tables
};

/// What a file says about the run that made it.
struct ResultInfo {
  std::string program;                        ///< that made it: "limber 0.1.0"
  std::vector<SourceText> sources;            ///< texts of scenario, model and tables
  std::string formulation;                    ///< its word in files
  std::string integrator;                     ///< as it was asked for
  std::string method;                         ///< the one that was taken; empty while nobody has chosen
  double rtol = 0.0, atol = 0.0, step = 0.0;  ///< as asked for; step [s]: 0 where it is not fixed
  double duration = 0.0, rate = 0.0;          ///< of the scenario [s], and rows per second

  /// "radau9 (auto)".
  std::string method_text() const;
};

/// The arm's first natural frequencies [Hz], about the last row: joints held but for those on springs (prescribed ones are
/// held, too), and all joints as modelled. What stands still is left out.
struct EndFrequencies {
  std::vector<double> held, as_modelled;  ///< [Hz], ascending
  LIMBER_COMPARES(EndFrequencies)
};
/// Of each at most.
inline constexpr std::size_t most_end_frequencies = 8;
/// Eigenvalues of arms with more coordinates take seconds.
inline constexpr int most_coordinates_of_modes = 300;
/// As `limber modes` finds them; none for larger arms.
EndFrequencies end_frequencies(const Scenario& scenario, const Eigen::VectorXd& q);

/// Writes a result while its run goes on. What stands under its name is always complete up to the last write.
class ResultWriter : public ResultSink {
 public:
  /// Throws InputError where the file cannot be made. Whether it may be replaced is the caller's to ask.
  ResultWriter(ResultLock file, const Scenario& scenario, ResultOrigin origin);
  /// Goes on with a result; `rows` of it are kept: all that it has.
  ResultWriter(ResultLock file, const Scenario& scenario, ResultOrigin origin, long rows);
  ~ResultWriter() override;
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  /// Seconds between writes; half a second where nobody says otherwise.
  void set_interval(double seconds);
  void begin(const MethodChoice& choice) override;
  void add(const Sample& sample) override;
  /// Writes when it is time, or when many rows wait. Throws ComputationError where the disk is full.
  void step(const Checkpoint& checkpoint) override;
  /// What a reader of the result should know (run_warnings); written with what is written next. While nobody says
  /// anything, it is what the rows show: the range of the model and the energy ledger.
  void set_warnings(std::vector<std::string> warnings);
  /// What spectra are marked with; likewise. Nobody says it: there are none.
  void set_frequencies(EndFrequencies frequencies);
  /// What the motion was worth (RunMetrics::named), and what has happened; likewise.
  void set_metrics(std::vector<std::pair<std::string, double>> metrics, std::vector<Occurrence> occurrences);
  /// Writes all that is left. `status`: "complete", or why the run ended before.
  void finish(const Checkpoint& checkpoint, const std::string& status);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// All that a result holds but its rows.
struct StoredRun {
  ResultInfo info;                    ///< how it was made
  ArmOutline arm;                     ///< its outline
  ResultNames names;                  ///< of what its numbers belong to
  std::string status;                 ///< "complete", "running", or why the run ended before
  std::vector<std::string> warnings;  ///< ResultWriter::set_warnings
  EndFrequencies frequencies;         ///< ResultWriter::set_frequencies
  std::vector<std::pair<std::string, double>> metrics;  ///< ResultWriter::set_metrics
  std::vector<Occurrence> occurrences;                  ///< ResultWriter::set_metrics
  Checkpoint checkpoint;                                ///< to go on from; it counts the rows
};
/// Throws InputError where the file is none of ours, or damaged.
StoredRun read_stored_run(const std::filesystem::path& file);

/// Throws InputError where a result cannot have been made by this scenario: other names, other lengths, a state that no run
/// reaches. `file` is for the message.
void require_fit(const StoredRun& run, const Scenario& scenario, const std::filesystem::path& file);

/// A table of numbers of a result, with the names of its columns.
struct ResultTable {
  std::vector<std::string> columns;  ///< their names, as Quantity::column_names gives them
  Eigen::MatrixXd values;            ///< rows x columns
  /// Columns of one quantity.
  struct Part {
    std::string path;           ///< of the quantity
    Eigen::Index first, count;  ///< its first column, and how many
  };
  std::vector<Part> parts;  ///< in the order of the columns

  /// Whether the quantity of that path was recorded.
  bool has(std::string_view path) const { return find(path) != nullptr; }
  /// Its columns; none where it was not recorded.
  Eigen::Block<const Eigen::MatrixXd, Eigen::Dynamic, Eigen::Dynamic, true> of(std::string_view path) const;

 private:
  const Part* find(std::string_view path) const;
};
/// Everything that was recorded: all rows, or every `stride`-th.
ResultTable read_result_table(const std::filesystem::path& file, long stride = 1);

/// Rows as CSV, 17 digits at most: the file has its name only once it is complete.
class CsvWriter : public ResultSink {
 public:
  /// Throws InputError where the file cannot be made.
  CsvWriter(const std::filesystem::path& file, const Scenario& scenario);
  void add(const Sample& sample) override;
  /// Rows that a result has already.
  void add(const ResultTable& table);
  /// Throws ComputationError where the disk is full.
  void finish();

 private:
  void write_waiting();

  RowLayout layout_;
  WholeFile file_;
  std::vector<double> waiting_;  ///< rows: to make a text of one takes longer than to compute it
};

}  // namespace limber
