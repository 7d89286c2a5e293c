#pragma once

// Results in HDF5 (docs/simulation.md lists what is in a file).
//
// A run may be killed at any moment, so no file is ever changed where a reader may look for it. The writer keeps two
// hidden copies beside the result, brings one of them up to date every now and then, closes it, and puts its name in
// place of the result's; then it goes on with the other. What stands under the result's name is always complete up
// to that moment, and on the disk: a loss of power loses no more than a kill.
//
// A file that is read may have been damaged, or written by anybody. Kinds, ranks and lengths of everything in it are checked,
// sums of the numbers and texts are compared with those that were written, and a first reading takes place in a
// process of its own. What does not pass is an InputError.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "limber/io/source_text.hpp"
#include "limber/results/result_lock.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber {

/// What a file says about the run that made it.
struct ResultInfo {
  std::string program;  ///< "limber 0.1.0"
  std::vector<SourceText> sources;
  std::string formulation;
  std::string integrator;
  double rtol = 0.0, atol = 0.0, step = 0.0;
};

/// Names of what the numbers of a result belong to.
struct ResultNames {
  std::vector<std::string> links, joints, coordinates;
  std::vector<std::string> quantities;  ///< paths of the datasets with rows
};

class ResultWriter : public ResultSink {
 public:
  /// Throws InputError where the file cannot be made. Whether it may be replaced is the caller's to ask.
  ResultWriter(ResultLock file, const Scenario& scenario, ResultInfo info);
  /// Goes on with a result; `rows` of it are kept: all that it has.
  ResultWriter(ResultLock file, const Scenario& scenario, ResultInfo info, long rows);
  ~ResultWriter() override;
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  /// Seconds between writes; half a second where nobody says otherwise.
  void set_interval(double seconds);
  void add(const Sample& sample) override;
  /// Writes when it is time, or when many rows wait. Throws ComputationError where the disk is full.
  void step(const Checkpoint& checkpoint) override;
  /// What a reader of the result should know (run_warnings); written with what is written next.
  void set_warnings(std::vector<std::string> warnings);
  /// Writes all that is left. `status`: "complete", or why the run ended before.
  void finish(const Checkpoint& checkpoint, const std::string& status);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// What is needed to go on with a result.
struct StoredRun {
  ResultInfo info;
  Checkpoint checkpoint;
  std::string status;
  ResultNames names = {};
  std::vector<std::string> warnings = {};  ///< ResultWriter::set_warnings
};
/// Throws InputError where the file is none of ours, or damaged.
StoredRun read_stored_run(const std::filesystem::path& file);

/// Throws InputError where a result cannot have been made by this scenario: other names, other lengths, a state that no run
/// reaches. `file` is for the message.
void require_fit(const StoredRun& run, const Scenario& scenario, const std::filesystem::path& file);

/// A table of numbers of a result, with the names of its columns.
struct ResultTable {
  std::vector<std::string> columns;
  Eigen::MatrixXd values;  ///< rows x columns
};
/// Time, positions, velocities, efforts, wrenches, end effector, energies: all rows, or every `stride`-th.
ResultTable read_result_table(const std::filesystem::path& file, long stride = 1);

/// Writes a table as CSV, 17 digits, under its name only once it is complete. Throws InputError where the file cannot be
/// made, ComputationError where the disk is full.
void write_csv(const ResultTable& table, const std::filesystem::path& file);

}  // namespace limber
