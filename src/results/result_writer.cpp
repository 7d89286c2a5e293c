// SPDX-License-Identifier: BSD-3-Clause
#include "limber/results/result_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>

#include "check_sum.hpp"
#include "checkpoint.hpp"
#include "format.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/scenario/choices.hpp"
#include "limber/simulation/run_warnings.hpp"
#include "read_result.hpp"
#include "row_buffer.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using namespace hdf5;
using Clock = std::chrono::steady_clock;

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

/// One of the quantities, and its rows that one of the copies, or both, still lack.
struct Recorded {
  RowLayout::Part part;
  std::vector<hsize_t> shape;  ///< of one row
  RowBuffer waiting = {};
  CheckSum sum = {};  ///< of all rows that were written

  std::size_t width() const { return part.width; }
  const char* path() const { return part.quantity->path; }
};

constexpr hsize_t chunk_rows = 256;

// A dataset with `rows`. One that may grow lies in chunks; one that never will lies in one piece, which takes a third of
// the time to write.
Handle make_dataset(hid_t file, const Recorded& recorded, const ResultNames& names, long rows,
                    bool may_grow) {
  std::vector<hsize_t> size = {static_cast<hsize_t>(rows)}, most = {may_grow ? H5S_UNLIMITED : size[0]},
                       chunk = {chunk_rows};
  for (const hsize_t n : recorded.shape)
    for (auto* sizes : {&size, &most, &chunk}) sizes->push_back(n);
  const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), most.data()), H5Sclose,
                     "make a dataspace");
  const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a property list");
  if (may_grow) require(H5Pset_chunk(how, static_cast<int>(chunk.size()), chunk.data()), "set a chunk size");
  require(H5Pset_fill_time(how, H5D_FILL_TIME_NEVER), "leave new rows as they are");
  Handle dataset(H5Dcreate2(file, recorded.path(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT),
                 H5Dclose, "make a dataset");
  const Quantity& quantity = *recorded.part.quantity;
  if (const std::string unit = quantity.unit_text(); !unit.empty()) write_text(dataset, "unit", unit);
  if (quantity.columns) write_texts(dataset, "columns", quantity.columns(names));
  if (quantity.places) {
    write_texts(dataset, "places", quantity.places(names));
    if (!quantity.components.empty()) write_texts(dataset, "components", quantity.components);
  }
  return dataset;
}

// Adds `count` rows behind the `first` ones.
void write_rows(hid_t dataset, const Recorded& recorded, long first, long count, const double* values) {
  if (first == 0) {  // all that there are
    require(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "write rows");
    return;
  }
  std::vector<hsize_t> size = {static_cast<hsize_t>(first + count)}, start = {static_cast<hsize_t>(first)},
                       block = {static_cast<hsize_t>(count)};
  for (const hsize_t n : recorded.shape) {
    size.push_back(n);
    start.push_back(0);
    block.push_back(n);
  }
  require(H5Dset_extent(dataset, size.data()), "extend a dataset");
  const Handle in_file(H5Dget_space(dataset), H5Sclose, "open a dataspace");
  require(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr),
          "select rows");
  const Handle in_memory(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose,
                         "make a dataspace");
  require(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, values), "write rows");
}

ResultWords words_of(const Scenario& scenario, ResultOrigin origin) {
  ResultWords words;
  const IntegratorDescription& integrator = scenario.integrator;
  words.run.info = {std::move(origin.program),
                    std::move(origin.sources),
                    name_of(scenario.formulation),
                    type_name(integrator.method),
                    "",
                    integrator.rtol,
                    integrator.atol,
                    fixed_step(integrator.method).value_or(0.0),
                    scenario.duration,
                    scenario.output.rate};
  words.run.arm = outline_of(scenario.model, scenario.output.shape_points);
  words.arm = outline_text(words.run.arm);
  return words;
}

// An attribute holds 64 KiB.
std::vector<std::string> short_enough(std::vector<std::string> warnings) {
  constexpr std::size_t most = 40, longest = 1000;
  const std::size_t count = warnings.size();
  if (count > most) {
    warnings.resize(most);
    warnings.push_back(fmt::format("... and {} more warnings", count - most));
  }
  for (std::string& warning : warnings)
    if (warning.size() > longest) warning = warning.substr(0, longest) + " ...";
  return warnings;
}

// Of a scenario what findings() asks for: the writer may outlive the run.
Scenario asked_by_findings(const Scenario& scenario) {
  Scenario part(scenario.model);
  part.q = scenario.q;
  part.integrator = scenario.integrator;
  return part;
}

// What the rows themselves show.
std::vector<std::string> findings(const Scenario& scenario, const Checkpoint& reached) {
  std::vector<std::string> all = range_warnings(scenario, reached.peaks);
  if (ledger_is_off(reached)) all.push_back(ledger_warning(reached, type_name(scenario.integrator.method)));
  return short_enough(std::move(all));
}

}  // namespace

struct ResultWriter::Parts {
  /// A hidden copy.
  struct Copy {
    fs::path file;
    bool exists = false;
    long rows = 0;
  };

  std::optional<ResultLock> lock;  ///< until the end
  fs::path file;
  Scenario scenario;  ///< of it, what is asked for until the end
  ResultWords words;
  RowLayout layout;
  std::vector<Recorded> quantities;
  Copy copies[2];  // NOLINT
  int next = 0;
  long first_row = 0;  ///< of those that wait
  long rows = 0;       ///< all that were added
  long summed_rows = 0;
  long most_unwritten = 0;
  std::optional<std::vector<std::string>> warnings;  ///< where somebody said them
  Clock::time_point last_write = Clock::now();
  double interval_s = 0.5;
  double wait_s = 0.1;  ///< the first time sooner than later
  Clock::time_point last_findings = Clock::now();
  double findings_took_s = 0.0;

  Parts(ResultLock held, const Scenario& of, ResultOrigin origin)
      : lock(std::move(held)),
        file(lock->file()),
        scenario(asked_by_findings(of)),
        words(words_of(of, std::move(origin))),
        layout(of) {
    silence();
    words.run.names = layout.names();
    for (const RowLayout::Part& part : layout.parts()) {
      const std::vector<std::size_t> shape = part.quantity->shape(layout.names());
      quantities.push_back({part, {shape.begin(), shape.end()}});
    }
    // A row waits until both copies have it, which takes two writes.
    constexpr double most_numbers = 4e6;  // in memory at once
    const double most_rows = std::max(2.0, most_numbers / static_cast<double>(layout.width()));
    most_unwritten = static_cast<long>(most_rows) / 2;
    const double expected_rows = std::min(of.duration * of.output.rate + 2.0, most_rows);
    for (Recorded& quantity : quantities)
      quantity.waiting.reserve(static_cast<std::size_t>(expected_rows) * quantity.width());
    const std::string hidden = "." + file.filename().string();
    copies[0].file = file.parent_path() / (hidden + ".1");
    copies[1].file = file.parent_path() / (hidden + ".2");
    remove_copies();
    for (const Copy& copy : copies)
      for (const fs::path& hidden_file : {copy.file, second_name(copy)}) note_unfinished(hidden_file);
  }

  // Brings the older copy up to date, and gives it the result's name.
  void write(const Checkpoint& checkpoint, const std::string& status, bool last) {
    const Clock::time_point begin = Clock::now();
    Copy& copy = copies[next];
    sum_new_rows();
    set_state(checkpoint, status, last);
    try {
      write_copy(copy, checkpoint);
      publish(copy, last);
    } catch (const ComputationError& error) {
      throw ComputationError(
          fmt::format("{} could not be written at t = {:.6g} s ({}): is the disk full? What was written "
                      "before is complete{}",
                      file.string(), checkpoint.integrator.t, error.what(),
                      fs::exists(file) ? "; `--resume` goes on from there" : ""));
    }
    copy.exists = true;
    copy.rows = rows;
    next = 1 - next;
    drop_written_rows();
    last_write = Clock::now();
    // Where the disk is slow, no more than a fifth of the time is spent on it.
    wait_s = std::max(interval_s, 4.0 * seconds(last_write - begin));
  }

  // What there is to say at this moment. On the way no more than a hundredth of the time goes into it.
  void set_state(const Checkpoint& checkpoint, const std::string& status, bool last) {
    words.run.status = status;
    const Clock::time_point begin = Clock::now();
    constexpr double share = 0.01;
    const bool is_large = scenario.model.nv() > most_coordinates_of_modes;
    if (!last && (is_large || share * seconds(begin - last_findings) < findings_took_s)) return;
    words.run.warnings = warnings ? *warnings : findings(scenario, checkpoint);
    last_findings = Clock::now();
    findings_took_s = seconds(last_findings - begin);
  }

  void sum_new_rows() {
    for (Recorded& quantity : quantities) {
      const std::size_t from = quantity.width() * static_cast<std::size_t>(summed_rows - first_row);
      quantity.sum.add(quantity.waiting.data() + from, quantity.waiting.size() - from);
    }
    summed_rows = rows;
  }

  ResultSums sums() const {
    ResultSums all;
    for (const Recorded& quantity : quantities) all.rows.push_back(quantity.sum.value());
    all.texts = words.sum();
    return all;
  }

  // A copy without rows.
  Handle create(const Copy& copy) const {
    const Handle how(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make a property list");
    require(H5Pset_libver_bounds(how, H5F_LIBVER_V18, H5F_LIBVER_V18), "choose a file format");
    const Handle what(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "make a property list");
    // Names side by side: indices of them are for many more.
    constexpr unsigned most_names = 64, fewest_in_index = 32;
    require(H5Pset_attr_phase_change(what, most_names, fewest_in_index), "keep attributes side by side");
    require(H5Pset_link_phase_change(what, most_names, fewest_in_index), "keep links side by side");
    Handle handle(H5Fcreate(copy.file.c_str(), H5F_ACC_TRUNC, what, how), H5Fclose, "make a file");
    write_head(handle, words);
    open_group(handle, "end_effector");
    open_group(handle, "energy");
    if (!layout.names().cylinders.empty()) open_group(handle, "cylinders");
    return handle;
  }

  // Somebody may still read what this copy was published as, and HDF5 keeps it locked for them: then it is left to them,
  // and a copy of the other one takes its place.
  Handle open(Copy& copy) const {
    if (!copy.exists) return create(copy);
    const Copy& other = copies[1 - next];
    if (const hid_t id = H5Fopen(copy.file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT); id >= 0 || !other.exists)
      return {id, H5Fclose, "open a file"};
    std::error_code ignored;
    fs::remove(copy.file, ignored);
    copy_file(other.file, copy.file);
    copy.rows = other.rows;
    return {H5Fopen(copy.file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open a file"};
  }

  void write_copy(Copy& copy, const Checkpoint& checkpoint) {
    const bool may_grow = words.run.status != "complete";
    Handle handle = open(copy);
    const long count = rows - copy.rows;
    for (const Recorded& quantity : quantities) {
      const Handle dataset =
          copy.exists ? Handle(H5Dopen2(handle, quantity.path(), H5P_DEFAULT), H5Dclose, "open a dataset")
                      : make_dataset(handle, quantity, layout.names(), count, may_grow);
      if (count > 0)
        write_rows(
            dataset, quantity, copy.rows, count,
            quantity.waiting.data() + quantity.width() * static_cast<std::size_t>(copy.rows - first_row));
    }
    write_state(handle, words);
    write_checkpoint(handle, checkpoint, sums());
    handle.close("close a file");
    if (!synchronise(copy.file)) throw ComputationError("it cannot be brought onto the disk");
  }

  void publish(const Copy& copy, bool last) const {
    if (last) return rename(copy.file);
    // A second name for the copy takes the place of the result; on file systems without such names, a copy does.
    const fs::path link = second_name(copy);
    std::error_code failed;
    fs::remove(link, failed);
    fs::create_hard_link(copy.file, link, failed);
    if (failed) copy_file(copy.file, link);
    rename(link);
  }

  void rename(const fs::path& hidden) const {
    std::error_code failed;
    fs::rename(hidden, file, failed);
    if (failed) throw ComputationError(failed.message());
    synchronise(folder());
  }
  static void copy_file(const fs::path& from, const fs::path& to) {
    std::error_code failed;
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, failed);
    if (failed)
      throw ComputationError(fmt::format("{} could not be copied: {}", from.string(), failed.message()));
  }

  static fs::path second_name(const Copy& copy) { return copy.file.string() + ".new"; }
  fs::path folder() const { return file.parent_path().empty() ? fs::path(".") : file.parent_path(); }

  // Rows that both copies have are needed no longer.
  void drop_written_rows() {
    const long oldest = std::min(copies[0].rows, copies[1].rows);
    if (oldest <= first_row) return;
    for (Recorded& quantity : quantities) {
      const std::size_t written = quantity.width() * static_cast<std::size_t>(oldest - first_row);
      quantity.waiting.erase(quantity.waiting.begin(),
                             quantity.waiting.begin() + static_cast<std::ptrdiff_t>(written));
    }
    first_row = oldest;
  }

  void remove_copies() {
    std::error_code ignored;
    for (const Copy& copy : copies)
      for (const fs::path& hidden : {copy.file, second_name(copy)}) {
        fs::remove(hidden, ignored);
        forget_unfinished(hidden);
      }
  }

  // Goes on with what is there: both copies begin as copies of it. Its head stays as it is, whatever this program would have
  // written there.
  void take_over(long count) {
    const StoredRun stored = read_stored_run(file);
    if (stored.names != words.run.names || stored.checkpoint.rows != count)
      throw InputError(limber::Problem{file.string(),
                                       fmt::format("a result with {} rows to go on with", count),
                                       fmt::format("one with {}", stored.checkpoint.rows), ""});
    words = stored_words(file);
    words.run.frequencies = {};  // of a row that is not the last one any more
    const std::vector<std::uint64_t> sums_so_far = row_sums(file);
    for (std::size_t i = 0; i < quantities.size(); ++i) quantities[i].sum = CheckSum(sums_so_far[i]);
    for (Copy& copy : copies) {
      copy_file(file, copy.file);
      copy.exists = true;
      copy.rows = count;
    }
    first_row = rows = summed_rows = count;
  }
};

ResultWriter::ResultWriter(ResultLock file, const Scenario& scenario, ResultOrigin origin)
    : parts_(std::make_unique<Parts>(std::move(file), scenario, std::move(origin))) {}

ResultWriter::ResultWriter(ResultLock file, const Scenario& scenario, ResultOrigin origin, long rows)
    : parts_(std::make_unique<Parts>(std::move(file), scenario, std::move(origin))) {
  parts_->take_over(rows);
}

ResultWriter::~ResultWriter() { parts_->remove_copies(); }

void ResultWriter::set_interval(double seconds) {
  parts_->interval_s = seconds;
  parts_->wait_s = std::min(parts_->wait_s, seconds);
}

void ResultWriter::set_warnings(std::vector<std::string> warnings) {
  parts_->warnings = short_enough(std::move(warnings));
}

void ResultWriter::set_frequencies(EndFrequencies frequencies) {
  parts_->words.run.frequencies = std::move(frequencies);
}

void ResultWriter::set_metrics(std::vector<std::pair<std::string, double>> metrics,
                               std::vector<Occurrence> occurrences) {
  constexpr std::size_t most = 500;  // names of an attribute, which holds 64 KiB
  metrics.resize(std::min(metrics.size(), most));
  occurrences.resize(std::min(occurrences.size(), most));
  parts_->words.run.metrics = std::move(metrics);
  parts_->words.run.occurrences = std::move(occurrences);
}

void ResultWriter::begin(const MethodChoice& choice) {
  parts_->words.run.info.method = type_name(choice.method);
}

void ResultWriter::add(const Sample& sample) {
  Parts& p = *parts_;
  p.layout.require_fit("ResultWriter::add", sample);
  for (Recorded& quantity : p.quantities) {
    RowBuffer& waiting = quantity.waiting;
    waiting.resize(waiting.size() + quantity.width());
    p.layout.fill(quantity.part, sample, waiting.data() + waiting.size() - quantity.width());
  }
  ++p.rows;
}

void ResultWriter::step(const Checkpoint& checkpoint) {
  const double waited = seconds(Clock::now() - parts_->last_write);
  const long unwritten = parts_->rows - std::max(parts_->copies[0].rows, parts_->copies[1].rows);
  if (waited > parts_->wait_s || unwritten > parts_->most_unwritten)
    parts_->write(checkpoint, "running", false);
}

void ResultWriter::finish(const Checkpoint& checkpoint, const std::string& status) {
  parts_->write(checkpoint, status, true);
  parts_->remove_copies();
  parts_->lock.reset();
}

}  // namespace limber
