#include "limber/results/result_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>

#include "checkpoint.hpp"
#include "format.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/scenario/check.hpp"
#include "row_buffer.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using namespace hdf5;
using Clock = std::chrono::steady_clock;

/// A quantity with one row per sample.
struct Quantity {
  std::string path;                  ///< "end_effector/position"
  std::vector<hsize_t> shape;        ///< of one row
  std::string unit;                  ///< of all numbers; empty where `units` has them
  std::vector<std::string> columns;  ///< names of the numbers of the first axis
  RowBuffer waiting = {};            ///< rows that one of the copies, or both, still lack

  std::size_t width() const {
    std::size_t product = 1;
    for (const hsize_t size : shape) product *= size;
    return product;
  }
};

std::vector<std::string> names_of_links(const Model& model, bool joints) {
  std::vector<std::string> names;
  for (const Link& link : model.links) names.push_back(joints ? link.joint.name : link.name);
  return names;
}

/// Coordinates of joints: the efforts that are stored.
std::vector<int> driven_coordinates(const Model& model) { return actuated_coordinates(model, "all"); }

std::vector<Quantity> quantities_of(const Scenario& scenario) {
  const Model& model = scenario.model;
  std::vector<std::string> effort_names;
  for (const int c : driven_coordinates(model)) effort_names.push_back(model.coordinates[c]);
  const hsize_t links = model.links.size();
  std::vector<Quantity> all = {{"time", {}, "s", {}},
                               {"q", {static_cast<hsize_t>(model.nq)}, "rad or m", position_names(model)},
                               {"v", {static_cast<hsize_t>(model.nv)}, "rad/s or m/s", model.coordinates},
                               {"efforts", {effort_names.size()}, "N m or N", effort_names},
                               {"end_effector/position", {3}, "m", {"x", "y", "z"}},
                               {"end_effector/quaternion", {4}, "", {"x", "y", "z", "w"}},
                               {"energy/kinetic", {}, "J", {}},
                               {"energy/gravity", {}, "J", {}},
                               {"energy/strain", {}, "J", {}},
                               {"energy/work_actuators", {}, "J", {}},
                               {"energy/work_loads", {}, "J", {}},
                               {"energy/dissipated", {}, "J", {}},
                               {"energy/error", {}, "J", {}}};
  if (effort_names.empty()) std::erase_if(all, [](const Quantity& q) { return q.path == "efforts"; });
  if (scenario.output.wrenches)
    all.push_back({"wrenches", {links, 6}, "N, N m", names_of_links(model, true)});
  if (scenario.output.shape_points > 0)
    all.push_back({"shapes",
                   {links, static_cast<hsize_t>(scenario.output.shape_points), 3},
                   "m",
                   names_of_links(model, false)});
  return all;
}

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

void write_header(hid_t file, const Scenario& scenario, const ResultInfo& info) {
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
  write_texts(file, "links", names_of_links(scenario.model, false));
  write_texts(file, "joints", names_of_links(scenario.model, true));
  write_texts(file, "coordinates", scenario.model.coordinates);
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

  fs::path file;
  const Scenario& scenario;
  ResultInfo info;
  std::vector<Quantity> quantities;
  Copy copies[2];  // NOLINT
  int next = 0;
  long first_row = 0;  ///< of those that wait
  long rows = 0;       ///< all that were added
  long most_unwritten = 0;
  std::vector<int> efforts;
  Clock::time_point last_write = Clock::now();
  double interval_s = 0.5;
  double wait_s = 0.1;  ///< the first time sooner than later
  bool is_finished = false;

  Parts(fs::path path, const Scenario& of, ResultInfo what)
      : file(std::move(path)),
        scenario(of),
        info(std::move(what)),
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
    std::error_code ignored;
    fs::remove(copies[0].file, ignored);
    fs::remove(copies[1].file, ignored);
    const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
    if (!fs::is_directory(folder))
      throw InputError(
          limber::Problem{"-o", "a file in a folder that exists", file.string(), "make the folder"});
    refuse_unwritable(copies[0].file);
  }

  // What cannot be made is said before any work is done.
  static void refuse_unwritable(const fs::path& file) {
    const int made = ::open(file.c_str(), O_WRONLY | O_CREAT, 0666);
    if (made < 0)
      throw InputError(
          limber::Problem{"-o", "a folder that can be written",
                          (file.parent_path().empty() ? fs::path(".") : file.parent_path()).string() + ": " +
                              std::strerror(errno),
                          ""});
    ::close(made);
    std::error_code ignored;
    fs::remove(file, ignored);
  }

  // Brings the older copy up to date, and gives it the result's name.
  void write(const Checkpoint& checkpoint, const std::string& status, bool last) {
    Copy& copy = copies[next];
    try {
      write_copy(copy, checkpoint, status);
      publish(copy, last);
    } catch (const std::exception& error) {
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
    wait_s = interval_s;
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
    write_header(handle, scenario, info);
    open_group(handle, "end_effector");
    open_group(handle, "energy");
    return handle;
  }

  Handle open(const Copy& copy) const {
    if (!copy.exists) return create(copy);
    return {H5Fopen(copy.file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open a file"};
  }

  void write_copy(const Copy& copy, const Checkpoint& checkpoint, const std::string& status) {
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
    write_checkpoint(handle, checkpoint);
    handle.close("close a file");
  }

  void publish(const Copy& copy, bool last) const {
    if (last) {
      fs::rename(copy.file, file);
      return;
    }
    // A second name for the copy takes the place of the result; on file systems without such names, a copy does.
    const fs::path link = copy.file.string() + ".new";
    std::error_code failed;
    fs::remove(link, failed);
    fs::create_hard_link(copy.file, link, failed);
    if (failed) fs::copy_file(copy.file, link);
    fs::rename(link, file);
  }

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
    for (const Copy& copy : copies) fs::remove(copy.file, ignored);
  }
};

ResultWriter::ResultWriter(fs::path file, const Scenario& scenario, ResultInfo info)
    : parts_(std::make_unique<Parts>(std::move(file), scenario, std::move(info))) {}

// Both copies begin as copies of the result.
ResultWriter::ResultWriter(fs::path file, const Scenario& scenario, ResultInfo info, long rows)
    : parts_(std::make_unique<Parts>(std::move(file), scenario, std::move(info))) {
  for (Parts::Copy& copy : parts_->copies) {
    fs::copy_file(parts_->file, copy.file, fs::copy_options::overwrite_existing);
    copy.exists = true;
    copy.rows = rows;
  }
  parts_->first_row = parts_->rows = rows;
}

ResultWriter::~ResultWriter() { parts_->remove_copies(); }

void ResultWriter::set_interval(double seconds) {
  parts_->interval_s = seconds;
  parts_->wait_s = std::min(parts_->wait_s, seconds);
}

// In the order of quantities_of.
void ResultWriter::add(const Sample& sample) {
  Parts& p = *parts_;
  auto quantity = p.quantities.begin();
  const auto add_to_next = [&](const double* values, Eigen::Index count) {
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
}

}  // namespace limber
