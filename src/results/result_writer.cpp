#include "limber/results/result_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>

#include "checkpoint.hpp"
#include "format.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/whole_file.hpp"
#include "quantity.hpp"
#include "read_result.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using namespace hdf5;
using Clock = std::chrono::steady_clock;

std::size_t total_width(const std::vector<Quantity>& quantities) {
  std::size_t total = 0;
  for (const Quantity& quantity : quantities) total += quantity.width();
  return total;
}

constexpr hsize_t chunk_rows = 256;

// A dataset with `rows`. One that may grow lies in chunks; one that never will lies in one piece, which takes a third of
// the time to write.
Handle make_dataset(hid_t file, const Quantity& quantity, long rows, bool may_grow) {
  std::vector<hsize_t> size = {static_cast<hsize_t>(rows)}, most = {may_grow ? H5S_UNLIMITED : size[0]},
                       chunk = {chunk_rows};
  for (const hsize_t n : quantity.shape)
    for (auto* sizes : {&size, &most, &chunk}) sizes->push_back(n);
  const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), most.data()), H5Sclose,
                     "make a dataspace");
  const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a property list");
  if (may_grow) require(H5Pset_chunk(how, static_cast<int>(chunk.size()), chunk.data()), "set a chunk size");
  require(H5Pset_fill_time(how, H5D_FILL_TIME_NEVER), "leave new rows as they are");
  Handle dataset(
      H5Dcreate2(file, quantity.path.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT),
      H5Dclose, "make a dataset");
  if (!quantity.unit.empty()) write_text(dataset, "unit", quantity.unit);
  write_texts(dataset, "columns", quantity.columns);
  return dataset;
}

// Adds `count` rows behind the `first` ones.
void write_rows(hid_t dataset, const Quantity& quantity, long first, long count, const double* values) {
  if (first == 0) {  // all that there are
    require(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "write rows");
    return;
  }
  std::vector<hsize_t> size = {static_cast<hsize_t>(first + count)}, start = {static_cast<hsize_t>(first)},
                       block = {static_cast<hsize_t>(count)};
  for (const hsize_t n : quantity.shape) {
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

void write_header(hid_t file, const Scenario& scenario, const ResultInfo& info, const ResultNames& named) {
  write_text(file, "format", format_name);
  write_count(file, "format_version", format_version);
  write_text(file, "program", info.program);
  write_text(file, "model", scenario.model.name);
  write_text(file, "formulation", info.formulation);
  write_text(file, "integrator", info.integrator);
  write_number(file, "rtol", info.rtol);
  write_number(file, "atol", info.atol);
  write_number(file, "step", info.step);
  write_number(file, "duration", scenario.duration);
  write_number(file, "rate", scenario.output.rate);
  write_texts(file, "links", named.links);
  write_texts(file, "joints", named.joints);
  write_texts(file, "coordinates", named.coordinates);
  write_texts(file, "quantities", named.quantities);
  std::vector<std::string> names, texts;
  for (const SourceText& source : info.sources) {
    names.push_back(source.name);
    texts.push_back(source.text);
  }
  const Handle sources = open_group(file, "sources");
  write_texts(sources, "names", names);
  // Attributes hold 64 KiB: texts are datasets.
  const hid_t type = text_type();
  const Handle how(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "make a property list");
  require(H5Pset_buffer(how, 1024, nullptr, nullptr),
          "choose a buffer");  // of pointers; else two of a megabyte
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Handle dataset(
        H5Dcreate2(sources, std::to_string(i).c_str(), type, scalar(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose, "make a dataset");
    const char* pointer = texts[i].c_str();
    require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, how, &pointer), "write a text");
  }
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
  const Scenario& scenario;
  ResultInfo info;
  ResultNames names;
  std::vector<Quantity> quantities;
  Copy copies[2];  // NOLINT
  int next = 0;
  long first_row = 0;  ///< of those that wait
  long rows = 0;       ///< all that were added
  long summed_rows = 0;
  long most_unwritten = 0;
  std::vector<int> efforts;
  std::vector<std::string> warnings;
  Clock::time_point last_write = Clock::now();
  double interval_s = 0.5;
  double wait_s = 0.1;  ///< the first time sooner than later
  bool is_finished = false;

  Parts(ResultLock held, const Scenario& of, ResultInfo what)
      : lock(std::move(held)),
        file(lock->file()),
        scenario(of),
        info(std::move(what)),
        names(result_names(of)),
        quantities(quantities_of(of)),
        efforts(driven_coordinates(of.model)) {
    silence();
    // A row waits until both copies have it, which takes two writes.
    constexpr double most_numbers = 4e6;  // in memory at once
    const double most_rows = std::max(2.0, most_numbers / static_cast<double>(total_width(quantities)));
    most_unwritten = static_cast<long>(most_rows) / 2;
    const double expected_rows = std::min(of.duration * of.output.rate + 2.0, most_rows);
    for (Quantity& quantity : quantities)
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
    try {
      write_copy(copy, checkpoint, status);
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
    const std::chrono::duration<double> took = last_write - begin;
    wait_s = std::max(interval_s, 4.0 * took.count());
  }

  void sum_new_rows() {
    for (Quantity& quantity : quantities) {
      const std::size_t from = quantity.width() * static_cast<std::size_t>(summed_rows - first_row);
      quantity.sum.add(quantity.waiting.data() + from, quantity.waiting.size() - from);
    }
    summed_rows = rows;
  }

  ResultSums sums(const std::string& status) const {
    ResultSums all;
    for (const Quantity& quantity : quantities) all.rows.push_back(quantity.sum.value());
    all.texts = sum_of_texts(info, names, status, warnings);
    return all;
  }

  // A copy without rows.
  Handle create(const Copy& copy) const {
    const Handle how(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make a property list");
    require(H5Pset_libver_bounds(how, H5F_LIBVER_V18, H5F_LIBVER_V18), "choose a file format");
    const Handle what(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "make a property list");
    // Names side by side: indices of them are for many more.
    require(H5Pset_attr_phase_change(what, 64, 32), "keep attributes side by side");
    require(H5Pset_link_phase_change(what, 64, 32), "keep links side by side");
    Handle handle(H5Fcreate(copy.file.c_str(), H5F_ACC_TRUNC, what, how), H5Fclose, "make a file");
    write_header(handle, scenario, info, names);
    open_group(handle, "end_effector");
    open_group(handle, "energy");
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

  void write_copy(Copy& copy, const Checkpoint& checkpoint, const std::string& status) {
    const bool may_grow = status != "complete";
    Handle handle = open(copy);
    const long count = rows - copy.rows;
    for (const Quantity& quantity : quantities) {
      const Handle dataset = copy.exists ? Handle(H5Dopen2(handle, quantity.path.c_str(), H5P_DEFAULT),
                                                  H5Dclose, "open a dataset")
                                         : make_dataset(handle, quantity, count, may_grow);
      if (count > 0)
        write_rows(
            dataset, quantity, copy.rows, count,
            quantity.waiting.data() + quantity.width() * static_cast<std::size_t>(copy.rows - first_row));
    }
    write_text(handle, "status", status);
    write_texts(handle, "warnings", warnings);
    write_checkpoint(handle, checkpoint, sums(status));
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
    for (Quantity& quantity : quantities) {
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

  // Goes on with what is there: both copies begin as copies of it.
  void take_over(long count) {
    const StoredRun stored = read_stored_run(file);
    if (stored.names.quantities != names.quantities || stored.checkpoint.rows != count)
      throw InputError(limber::Problem{file.string(),
                                       fmt::format("a result with {} rows to go on with", count),
                                       fmt::format("one with {}", stored.checkpoint.rows), ""});
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

ResultWriter::ResultWriter(ResultLock file, const Scenario& scenario, ResultInfo info)
    : parts_(std::make_unique<Parts>(std::move(file), scenario, std::move(info))) {}

ResultWriter::ResultWriter(ResultLock file, const Scenario& scenario, ResultInfo info, long rows)
    : parts_(std::make_unique<Parts>(std::move(file), scenario, std::move(info))) {
  parts_->take_over(rows);
}

ResultWriter::~ResultWriter() { parts_->remove_copies(); }

void ResultWriter::set_interval(double seconds) {
  parts_->interval_s = seconds;
  parts_->wait_s = std::min(parts_->wait_s, seconds);
}

// An attribute holds 64 KiB.
void ResultWriter::set_warnings(std::vector<std::string> warnings) {
  constexpr std::size_t most = 40, longest = 1000;
  const std::size_t count = warnings.size();
  if (count > most) {
    warnings.resize(most);
    warnings.push_back(fmt::format("... and {} more warnings", count - most));
  }
  for (std::string& warning : warnings)
    if (warning.size() > longest) warning = warning.substr(0, longest) + " ...";
  parts_->warnings = std::move(warnings);
}

// In the order of quantities_of.
void ResultWriter::add(const Sample& sample) {
  Parts& p = *parts_;
  auto quantity = p.quantities.begin();
  const auto add_to_next = [&](const double* values, Eigen::Index count) {
    if (count == 0) return;
    quantity->waiting.insert(quantity->waiting.end(), values, values + count);
    ++quantity;
  };
  const auto add_vector = [&](const auto& values) { add_to_next(values.data(), values.size()); };
  add_to_next(&sample.t, 1);
  add_vector(sample.q);
  add_vector(sample.v);
  if (!p.efforts.empty()) {
    for (const int c : p.efforts) quantity->waiting.push_back(sample.efforts[c]);
    ++quantity;
  }
  add_vector(sample.end_effector_position);
  add_vector(sample.end_effector_quaternion);
  const Ledger& e = sample.ledger;
  for (const double value :
       {e.kinetic, e.gravity, e.strain, e.work_actuators, e.work_loads, e.dissipated, e.error})
    add_to_next(&value, 1);
  if (p.scenario.output.wrenches) {
    for (const auto& wrench : sample.wrenches)
      quantity->waiting.insert(quantity->waiting.end(), wrench.data(), wrench.data() + wrench.size());
    ++quantity;
  }
  if (p.scenario.output.shape_points > 0) add_vector(sample.shapes);
  ++p.rows;
}

void ResultWriter::step(const Checkpoint& checkpoint) {
  const std::chrono::duration<double> waited = Clock::now() - parts_->last_write;
  const long unwritten = parts_->rows - std::max(parts_->copies[0].rows, parts_->copies[1].rows);
  if (waited.count() > parts_->wait_s || unwritten > parts_->most_unwritten)
    parts_->write(checkpoint, "running", false);
}

void ResultWriter::finish(const Checkpoint& checkpoint, const std::string& status) {
  parts_->write(checkpoint, status, true);
  parts_->remove_copies();
  parts_->lock.reset();
}

}  // namespace limber
