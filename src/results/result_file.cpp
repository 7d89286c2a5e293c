#include "limber/results/result_file.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <system_error>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/scenario/check.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* format_name = "limber-result";
constexpr int format_version = 1;

// ---- HDF5 ----

/// An identifier that closes itself.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close closer, const char* what) : id_(id), close_(closer) {
    if (id < 0) throw ComputationError(fmt::format("HDF5 could not {}", what));
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }  // NOLINT
  /// Closing a file writes: it can fail.
  void close(const char* what) {
    if (close_(std::exchange(id_, -1)) < 0) throw ComputationError(fmt::format("HDF5 could not {}", what));
  }

 private:
  hid_t id_;
  Close close_;
};

void require(herr_t status, const char* what) {
  if (status < 0) throw ComputationError(fmt::format("HDF5 could not {}", what));
}

// HDF5 would print its own stack of errors on standard error; and it would try to close, when the program ends, what a
// full disk kept it from closing before, and crash. We close everything ourselves.
void silence() {
  static const bool once = [] { return H5dont_atexit() >= 0; }();
  (void)once;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

void write_attribute(hid_t object, const char* name, hid_t memory_type, hid_t space, const void* data) {
  if (H5Aexists(object, name) > 0) H5Adelete(object, name);
  const Handle attribute(H5Acreate2(object, name, memory_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "make an attribute");
  if (!data) return;
  require(H5Awrite(attribute, memory_type, data), "write an attribute");
}

Handle scalar() { return {H5Screate(H5S_SCALAR), H5Sclose, "make a dataspace"}; }

void write_text(hid_t object, const char* name, const std::string& text) {
  const char* pointer = text.c_str();
  write_attribute(object, name, text_type(), scalar(), &pointer);
}
void write_number(hid_t object, const char* name, double value) {
  write_attribute(object, name, H5T_NATIVE_DOUBLE, scalar(), &value);
}
void write_count(hid_t object, const char* name, long value) {
  write_attribute(object, name, H5T_NATIVE_LONG, scalar(), &value);
}
void write_texts(hid_t object, const char* name, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  const hsize_t size = texts.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "make a dataspace");
  write_attribute(object, name, text_type(), space, pointers.data());
}
void write_numbers(hid_t object, const char* name, const std::vector<double>& values) {
  const hsize_t size = values.size();
  const Handle space(size > 0 ? H5Screate_simple(1, &size, nullptr) : H5Screate(H5S_NULL), H5Sclose,
                     "make a dataspace");
  write_attribute(object, name, H5T_NATIVE_DOUBLE, space, size > 0 ? values.data() : nullptr);
}

Handle open_attribute(hid_t object, const char* name) {
  return {H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "read an attribute"};
}

double read_number(hid_t object, const char* name) {
  double value = 0.0;
  require(H5Aread(open_attribute(object, name), H5T_NATIVE_DOUBLE, &value), "read a number");
  return value;
}
long read_count(hid_t object, const char* name) {
  long value = 0;
  require(H5Aread(open_attribute(object, name), H5T_NATIVE_LONG, &value), "read a number");
  return value;
}
std::vector<std::string> read_texts(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  const Handle attribute = open_attribute(object, name);
  const Handle space(H5Aget_space(attribute), H5Sclose, "read an attribute");
  std::vector<char*> pointers(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)), nullptr);
  const Handle type = text_type();
  require(H5Aread(attribute, type, pointers.data()), "read a text");
  std::vector<std::string> texts;
  for (char* pointer : pointers) texts.emplace_back(pointer ? pointer : "");
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  return texts;
}
std::string read_text(hid_t object, const char* name) {
  const auto texts = read_texts(object, name);
  return texts.empty() ? "" : texts.front();
}
std::vector<double> read_numbers(hid_t object, const char* name) {
  const Handle attribute = open_attribute(object, name);
  const Handle space(H5Aget_space(attribute), H5Sclose, "read an attribute");
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  if (!values.empty()) require(H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()), "read numbers");
  return values;
}

Handle open_group(hid_t parent, const char* name) {
  if (H5Lexists(parent, name, H5P_DEFAULT) > 0)
    return {H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose, "open a group"};
  return {H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "make a group"};
}

// ---- what a file holds ----

/// A quantity with one row per sample.
struct Quantity {
  std::string path;                  ///< "end_effector/position"
  std::vector<hsize_t> shape;        ///< of one row
  std::string unit;                  ///< of all numbers; empty where `units` has them
  std::vector<std::string> columns;  ///< names of the numbers of the first axis
  std::vector<double> rows = {};     ///< what both copies, or one of them, still lack

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

void append(Quantity& quantity, const double* values) {
  quantity.rows.insert(quantity.rows.end(), values, values + quantity.width());
}

constexpr hsize_t chunk_rows = 256;

Handle open_dataset(hid_t file, const Quantity& quantity) {
  if (H5Lexists(file, quantity.path.c_str(), H5P_DEFAULT) > 0)
    return {H5Dopen2(file, quantity.path.c_str(), H5P_DEFAULT), H5Dclose, "open a dataset"};
  std::vector<hsize_t> size = {0}, most = {H5S_UNLIMITED}, chunk = {chunk_rows};
  for (const hsize_t n : quantity.shape) {
    size.push_back(n);
    most.push_back(n);
    chunk.push_back(n);
  }
  const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), most.data()), H5Sclose,
                     "make a dataspace");
  const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a property list");
  require(H5Pset_chunk(how, static_cast<int>(chunk.size()), chunk.data()), "set a chunk size");
  Handle dataset(
      H5Dcreate2(file, quantity.path.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT),
      H5Dclose, "make a dataset");
  if (!quantity.unit.empty()) write_text(dataset, "unit", quantity.unit);
  write_texts(dataset, "columns", quantity.columns);
  return dataset;
}

// Rows [first, first + count) of the dataset from `values`; nothing behind them is kept.
void write_rows(hid_t file, const Quantity& quantity, long first, long count, const double* values) {
  const Handle dataset = open_dataset(file, quantity);
  std::vector<hsize_t> size = {static_cast<hsize_t>(first + count)}, start = {static_cast<hsize_t>(first)},
                       block = {static_cast<hsize_t>(count)};
  for (const hsize_t n : quantity.shape) {
    size.push_back(n);
    start.push_back(0);
    block.push_back(n);
  }
  require(H5Dset_extent(dataset, size.data()), "extend a dataset");
  if (count == 0) return;
  const Handle in_file(H5Dget_space(dataset), H5Sclose, "open a dataspace");
  require(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr),
          "select rows");
  const Handle in_memory(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose,
                         "make a dataspace");
  require(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, values), "write rows");
}

std::vector<double> as_list(const Eigen::VectorXd& vector) { return {vector.begin(), vector.end()}; }
Eigen::VectorXd as_vector(const std::vector<double>& list) {
  return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

std::vector<double> flat(const std::vector<Peak>& peaks) {
  std::vector<double> values;
  for (const Peak& peak : peaks) values.insert(values.end(), {peak.value, peak.time});
  return values;
}
std::vector<Peak> peaks_of(const std::vector<double>& values) {
  std::vector<Peak> peaks;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) peaks.push_back({values[i], values[i + 1]});
  return peaks;
}

void write_checkpoint(hid_t file, const Checkpoint& c) {
  const Handle group = open_group(file, "checkpoint");
  write_number(group, "t", c.integrator.t);
  write_numbers(group, "y", as_list(c.integrator.y));
  write_numbers(group, "auxiliary", as_list(c.integrator.auxiliary));
  write_number(group, "step", c.integrator.step);
  write_numbers(group, "start_energies", {c.start.kinetic, c.start.gravity, c.start.strain});
  write_number(group, "largest_error", c.largest_error);
  write_number(group, "energy_size", c.energy_size);
  write_numbers(group, "peak_deviation", flat(c.peaks.deviation));
  write_numbers(group, "peak_effort", flat(c.peaks.effort));
  write_numbers(group, "peak_rate", flat(c.peaks.rate));
  write_numbers(group, "peak_deflection", flat(c.peaks.deflection));
  write_numbers(group, "peak_slope", flat(c.peaks.slope));
  write_count(group, "rows", c.rows);
  write_count(group, "steps", c.steps);
  write_count(group, "rejected", c.rejected);
  write_count(group, "evaluations", c.evaluations);
  write_count(group, "tangents", c.tangents);
  write_number(group, "wall_s", c.wall_s);
}

Checkpoint read_checkpoint(hid_t file) {
  const Handle group(H5Gopen2(file, "checkpoint", H5P_DEFAULT), H5Gclose, "open the checkpoint");
  Checkpoint c;
  c.integrator = {read_number(group, "t"), as_vector(read_numbers(group, "y")),
                  as_vector(read_numbers(group, "auxiliary")), read_number(group, "step")};
  const auto start = read_numbers(group, "start_energies");
  c.start.kinetic = start.at(0);
  c.start.gravity = start.at(1);
  c.start.strain = start.at(2);
  c.largest_error = read_number(group, "largest_error");
  c.energy_size = read_number(group, "energy_size");
  c.peaks = {peaks_of(read_numbers(group, "peak_deviation")), peaks_of(read_numbers(group, "peak_effort")),
             peaks_of(read_numbers(group, "peak_rate")), peaks_of(read_numbers(group, "peak_deflection")),
             peaks_of(read_numbers(group, "peak_slope"))};
  c.rows = read_count(group, "rows");
  c.steps = read_count(group, "steps");
  c.rejected = read_count(group, "rejected");
  c.evaluations = read_count(group, "evaluations");
  c.tangents = read_count(group, "tangents");
  c.wall_s = read_number(group, "wall_s");
  return c;
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
  const Handle type = text_type();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Handle dataset(
        H5Dcreate2(sources, std::to_string(i).c_str(), type, scalar(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose, "make a dataset");
    const char* pointer = texts[i].c_str();
    require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &pointer), "write a text");
  }
}

std::vector<SourceText> read_sources(hid_t file) {
  const Handle group(H5Gopen2(file, "sources", H5P_DEFAULT), H5Gclose, "open the sources");
  const Handle type = text_type();
  std::vector<SourceText> sources;
  for (const std::string& name : read_texts(group, "names")) {
    const Handle dataset(H5Dopen2(group, std::to_string(sources.size()).c_str(), H5P_DEFAULT), H5Dclose,
                         "open a source");
    const Handle space(H5Dget_space(dataset), H5Sclose, "open a source");
    char* pointer = nullptr;
    require(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, static_cast<void*>(&pointer)),
            "read a text");
    sources.push_back({name, pointer ? pointer : ""});
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, static_cast<void*>(&pointer));
  }
  return sources;
}

Handle open_result(const fs::path& file, unsigned mode) {
  silence();
  const auto refuse = [&](const std::string& found) {
    throw InputError(limber::Problem{file.string(), "a result of `limber simulate`", found, ""});
  };
  if (!fs::exists(file)) refuse("no such file");
  const hid_t id = H5Fopen(file.c_str(), mode, H5P_DEFAULT);
  if (id < 0 && H5Fis_hdf5(file.c_str()) > 0) refuse("an HDF5 file that cannot be opened: is it cut off?");
  if (id < 0) refuse("a file that is no HDF5, or cannot be opened");
  Handle handle(id, H5Fclose, "open a file");
  if (H5Aexists(handle, "format") <= 0 || read_text(handle, "format") != format_name)
    refuse("another HDF5 file");
  if (read_count(handle, "format_version") != format_version) refuse("one of another version of the format");
  return handle;
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
  long first_row = 0;  ///< of what `quantities` hold
  long rows = 0;       ///< all that were added
  std::vector<int> efforts;
  std::vector<double> effort_values;
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
    constexpr double most_numbers = 4e6;  // in memory at once, unless writing is slower than the run
    const double expected_rows = of.duration * of.output.rate + 2.0;
    for (Quantity& quantity : quantities) {
      // Touched once here, so that the run does not wait for pages.
      const double numbers = expected_rows * static_cast<double>(quantity.width());
      quantity.rows.resize(static_cast<std::size_t>(std::min(numbers, most_numbers)));
      quantity.rows.clear();
    }
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
    if (access(folder.c_str(), W_OK) != 0)
      throw InputError(limber::Problem{"-o", "a folder that can be written", folder.string(), ""});
  }

  Quantity& quantity(const char* path) {
    return *std::find_if(quantities.begin(), quantities.end(),
                         [&](const Quantity& q) { return q.path == path; });
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
  void create(const Copy& copy) const {
    Handle handle(H5Fcreate(copy.file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                  "make a file");
    write_header(handle, scenario, info);
    open_group(handle, "end_effector");
    open_group(handle, "energy");
    for (const Quantity& quantity : quantities) open_dataset(handle, quantity);
    handle.close("close a file");
  }

  void write_copy(Copy& copy, const Checkpoint& checkpoint, const std::string& status) {
    if (!copy.exists) create(copy);
    Handle handle(H5Fopen(copy.file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open a file");
    for (const Quantity& quantity : quantities)
      write_rows(handle, quantity, copy.rows, rows - copy.rows,
                 quantity.rows.data() + static_cast<std::size_t>(copy.rows - first_row) * quantity.width());
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
    for (Quantity& quantity : quantities)
      quantity.rows.erase(
          quantity.rows.begin(),
          quantity.rows.begin() +
              static_cast<std::ptrdiff_t>(static_cast<std::size_t>(oldest - first_row) * quantity.width()));
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

void ResultWriter::add(const Sample& sample) {
  Parts& p = *parts_;
  std::size_t i = 0;
  const auto next = [&](const double* values) { append(p.quantities[i++], values); };
  next(&sample.t);
  next(sample.q.data());
  next(sample.v.data());
  if (!p.efforts.empty()) {
    p.effort_values.clear();
    for (const int c : p.efforts) p.effort_values.push_back(sample.efforts[c]);
    next(p.effort_values.data());
  }
  next(sample.end_effector_position.data());
  next(sample.end_effector_quaternion.data());
  const Ledger& e = sample.ledger;
  for (const double* value :
       {&e.kinetic, &e.gravity, &e.strain, &e.work_actuators, &e.work_loads, &e.dissipated, &e.error})
    next(value);
  if (p.scenario.output.wrenches) next(sample.wrenches.front().data());
  if (p.scenario.output.shape_points > 0) next(sample.shapes.data());
  ++p.rows;
}

void ResultWriter::step(const Checkpoint& checkpoint) {
  const std::chrono::duration<double> waited = Clock::now() - parts_->last_write;
  if (waited.count() > parts_->wait_s) parts_->write(checkpoint, "running", false);
}

void ResultWriter::finish(const Checkpoint& checkpoint, const std::string& status) {
  parts_->write(checkpoint, status, true);
  parts_->remove_copies();
}

StoredRun read_stored_run(const fs::path& file) {
  const Handle handle = open_result(file, H5F_ACC_RDONLY);
  StoredRun run;
  run.info = {read_text(handle, "program"),    read_sources(handle),        read_text(handle, "formulation"),
              read_text(handle, "integrator"), read_number(handle, "rtol"), read_number(handle, "atol"),
              read_number(handle, "step")};
  run.status = read_text(handle, "status");
  run.checkpoint = read_checkpoint(handle);
  return run;
}

namespace {

// Every `stride`-th row of a dataset, from the first one.
void read_rows(hid_t dataset, hid_t space, hsize_t stride, std::vector<hsize_t> size, double* values) {
  if (size.front() == 0) return;
  const std::vector<hsize_t> start(size.size(), 0);
  std::vector<hsize_t> step(size.size(), 1);
  step.front() = stride;
  require(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), step.data(), size.data(), nullptr),
          "select rows");
  const Handle in_memory(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose,
                         "make a dataspace");
  require(H5Dread(dataset, H5T_NATIVE_DOUBLE, in_memory, space, H5P_DEFAULT, values), "read rows");
}

}  // namespace

ResultTable read_result_table(const fs::path& file, long stride) {
  const Handle handle = open_result(file, H5F_ACC_RDONLY);
  const std::vector<std::string> joints = read_texts(handle, "joints");
  struct Part {
    const char* path;
    std::string prefix;
  };
  const std::vector<Part> parts = {{"time", "time"},
                                   {"q", "q."},
                                   {"v", "v."},
                                   {"efforts", "effort."},
                                   {"end_effector/position", "end_effector."},
                                   {"end_effector/quaternion", "end_effector.q"},
                                   {"energy/kinetic", "energy.kinetic"},
                                   {"energy/gravity", "energy.gravity"},
                                   {"energy/strain", "energy.strain"},
                                   {"energy/work_actuators", "energy.work_actuators"},
                                   {"energy/work_loads", "energy.work_loads"},
                                   {"energy/dissipated", "energy.dissipated"},
                                   {"energy/error", "energy.error"},
                                   {"wrenches", "wrench."}};
  ResultTable table;
  std::vector<Eigen::MatrixXd> blocks;
  Eigen::Index rows = 0, columns = 0;
  for (const Part& part : parts) {
    if (H5Lexists(handle, part.path, H5P_DEFAULT) <= 0) continue;
    const Handle dataset(H5Dopen2(handle, part.path, H5P_DEFAULT), H5Dclose, "open a dataset");
    const Handle space(H5Dget_space(dataset), H5Sclose, "open a dataspace");
    std::vector<hsize_t> size(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space), 1)), 0);
    H5Sget_simple_extent_dims(space, size.data(), nullptr);
    const auto every = static_cast<hsize_t>(stride);
    size.front() = (size.front() + every - 1) / every;
    rows = static_cast<Eigen::Index>(size.front());
    Eigen::Index width = 1;
    for (std::size_t i = 1; i < size.size(); ++i) width *= static_cast<Eigen::Index>(size[i]);
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> values(rows, width);
    read_rows(dataset, space, every, size, values.data());
    blocks.emplace_back(values);
    columns += width;
    const auto names = read_texts(dataset, "columns");
    if (names.empty()) table.columns.push_back(part.prefix);
    for (const std::string& name : names) {
      if (std::strcmp(part.path, "wrenches") != 0) {
        table.columns.push_back(part.prefix + name);
        continue;
      }
      for (const char* component : {"fx", "fy", "fz", "mx", "my", "mz"})
        table.columns.push_back(fmt::format("{}{}.{}", part.prefix, name, component));
    }
  }
  table.values.resize(rows, columns);
  Eigen::Index at = 0;
  for (const Eigen::MatrixXd& block : blocks) {
    table.values.middleCols(at, block.cols()) = block;
    at += block.cols();
  }
  return table;
}

void write_csv(const ResultTable& table, const fs::path& file) {
  std::FILE* out = std::fopen(file.c_str(), "w");
  if (!out)
    throw ComputationError(fmt::format("{} could not be written: {}", file.string(), std::strerror(errno)));
  std::string line;
  for (std::size_t i = 0; i < table.columns.size(); ++i) line += (i ? "," : "") + table.columns[i];
  bool good = std::fprintf(out, "%s\n", line.c_str()) >= 0;
  for (Eigen::Index r = 0; r < table.values.rows() && good; ++r) {
    line.clear();
    for (Eigen::Index c = 0; c < table.values.cols(); ++c)
      fmt::format_to(std::back_inserter(line), "{}{}", c ? "," : "", table.values(r, c));
    good = std::fprintf(out, "%s\n", line.c_str()) >= 0;
  }
  if (std::fclose(out) != 0 || !good) {
    std::error_code ignored;
    fs::remove(file, ignored);
    throw ComputationError(fmt::format("{} could not be written: is the disk full?", file.string()));
  }
}

}  // namespace limber
