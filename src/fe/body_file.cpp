// SPDX-License-Identifier: BSD-3-Clause
#include "limber/fe/body_file.hpp"

#include <system_error>
#include <vector>

#include "hdf5.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "rehearsal.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using namespace hdf5;
using Table = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr FileKind body_kind{.expected = "a body that `limber reduce` has written (HDF5)",
                             .format = "limber body",
                             .version = 1,
                             .advice = "reduce its mesh again"};

void write_matrix(hid_t file, const std::string& path, const Table& values) {
  write_table(file, path, {static_cast<hsize_t>(values.rows()), static_cast<hsize_t>(values.cols())},
              values.data());
}

void write_all(const ReducedBody& body, const fs::path& file) {
  silence();
  Handle handle(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "make the file");
  write_kind(handle, body_kind);
  write_number(handle, "mass", body.mass);
  write_matrix(handle, "frequencies", body.frequencies);
  write_matrix(handle, "stiffness", body.stiffness);
  write_matrix(handle, "moment", body.moment);
  write_matrix(handle, "gram", body.gram);
  std::vector<std::string> names;
  const auto count = static_cast<Eigen::Index>(body.interfaces.size());
  Table places(count, 3), modes(6 * count, body.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    const BodyInterface& interface = body.interfaces[static_cast<std::size_t>(i)];
    names.push_back(interface.name);
    places.row(i) = interface.p_RI.transpose();
    modes.middleRows(6 * i, 3) = interface.Phi;
    modes.middleRows(6 * i + 3, 3) = interface.Psi;
  }
  const Handle interfaces = open_group(handle, "interfaces");
  write_texts(interfaces, "names", names);
  write_matrix(interfaces, "positions", places);
  write_matrix(interfaces, "modes", modes);
  if (body.stiffens()) write_matrix(handle, "second_order", body.second_order);
  const Handle skin = open_group(handle, "skin");
  write_matrix(skin, "points", body.skin.points.transpose());
  write_matrix(skin, "triangles", body.skin.triangles.cast<double>().transpose());
  write_matrix(skin, "modes", body.skin.modes);
  handle.close("write the file");
}

Table read_matrix(hid_t file, const std::string& path, hsize_t columns) {
  const Rows rows(file, path, {columns});
  Table table(rows.count(), static_cast<Eigen::Index>(rows.width()));
  if (table.size() > 0) rows.read(0, rows.count(), table.data());
  return table;
}

// Indices were written as numbers, which readers of every language can take.
Eigen::Matrix3Xi indices(const Table& table) {
  constexpr double most = 1e9;
  if (!table.allFinite() || (table.array() < 0.0).any() || (table.array() > most).any())
    throw InputError(Problem{"skin/triangles", "indices", "a number that is none", ""});
  return table.transpose().cast<int>();
}

ReducedBody read_all(const fs::path& file) {
  const Handle handle = open_file(file, body_kind);
  ReducedBody body;
  body.source = file.string();
  body.mass = read_number(handle, "mass");
  body.frequencies = read_matrix(handle, "frequencies", 1);
  body.stiffness = read_matrix(handle, "stiffness", 1);
  body.moment = read_matrix(handle, "moment", 1);
  body.gram = read_matrix(handle, "gram", static_cast<hsize_t>(body.moment.size()));
  const Handle interfaces = existing_group(handle, "interfaces");
  const std::vector<std::string> names = read_texts(interfaces, "names");
  const Table places = read_matrix(interfaces, "positions", 3);
  const Table modes = read_matrix(interfaces, "modes", static_cast<hsize_t>(body.size()));
  if (places.rows() != static_cast<Eigen::Index>(names.size()) || modes.rows() != 6 * places.rows())
    refuse(body_kind, "one whose interfaces do not fit together");
  for (Eigen::Index i = 0; i < places.rows(); ++i)
    body.interfaces.push_back({names[static_cast<std::size_t>(i)], places.row(i).transpose(),
                               modes.middleRows(6 * i, 3), modes.middleRows(6 * i + 3, 3)});
  if (has(handle, "second_order")) body.second_order = read_matrix(handle, "second_order", 0);
  const Handle skin = existing_group(handle, "skin");
  body.skin.points = read_matrix(skin, "points", 3).transpose();
  body.skin.triangles = indices(read_matrix(skin, "triangles", 3));
  body.skin.modes = read_matrix(skin, "modes", static_cast<hsize_t>(body.size()));
  require_valid(body);
  return body;
}

}  // namespace

void write_body(const ReducedBody& body, const fs::path& file) {
  require_valid(body);
  fs::path hidden = file;
  hidden.replace_filename("." + file.filename().string() + ".unfinished");
  std::error_code failed;
  try {
    write_all(body, hidden);
    fs::rename(hidden, file, failed);
  } catch (const ComputationError&) {
    fs::remove(hidden, failed);
    throw ComputationError("could not write " + file.string());
  }
  if (!failed) return;
  const std::string reason = failed.message();
  fs::remove(hidden, failed);
  throw ComputationError("could not write " + file.string() + ": " + reason);
}

ReducedBody read_body(const fs::path& file) {
  rehearse(file, [&] { read_all(file); });
  return read_all(file);
}

}  // namespace limber
