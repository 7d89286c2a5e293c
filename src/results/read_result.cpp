#include <fmt/format.h>

#include <cstring>

#include "checkpoint.hpp"
#include "format.hpp"
#include "limber/core/input_error.hpp"
#include "limber/results/result_file.hpp"

namespace limber {

namespace fs = std::filesystem;
using namespace hdf5;

namespace {

std::vector<SourceText> read_sources(hid_t file) {
  const Handle group(H5Gopen2(file, "sources", H5P_DEFAULT), H5Gclose, "open the sources");
  const hid_t type = text_type();
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

}  // namespace limber
