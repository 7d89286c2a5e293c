// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Results as no run writes them: edited by HDF5 itself, so that every byte is in order and only the content is not. The
// choices come from whoever asks: a random number generator, or a fuzzer's bytes.

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "check_sum.hpp"
#include "checkpoint.hpp"
#include "format.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/results/result_file.hpp"
#include "simulation/runs.hpp"

namespace limber::test {

/// A number below its argument.
using Choose = std::function<std::size_t(std::size_t)>;

inline constexpr const char* small_scenario = R"(limber: 1
model:
  name: small
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}
      beam: {length: 2, section: {EI_y: 50, EI_z: 80, GJ: 30, mass_per_length: 1.5, rotary_inertia: [0.002, 0.001, 0.001]}, modes: {y: {count: 2}, torsion: {count: 1}}}
    - name: hand
      joint: {name: wrist, type: spherical}
      rigid: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01, 0, 0, 0], tip: {xyz: [0.2, 0, 0]}}
initial: {q: {shoulder: 0.3}}
actuation: [{joint: shoulder, type: pd, kp: 50, kd: 5, target: {value: 0.2}}]
integrator: {method: radau, rtol: 1e-4}
duration: 0.4
output: {rate: 50, shape_points: 4}
)";

/// A result that ended, or one that was interrupted half-way, whose datasets lie in chunks.
inline void write_small_result(const std::filesystem::path& file, bool is_complete) {
  const ScenarioFile source = scenario(small_scenario);
  Scenario built = build_scenario(source.description, source.model);
  ResultWriter writer(file, built, {"limber test", source.sources});
  RunOptions options;
  if (!is_complete) options.progress = [](const Progress& progress) { return progress.t < 0.2; };
  const RunSummary run = simulate(built, &writer, options);
  writer.finish(run.last, is_complete ? "complete" : "interrupted");
}

class Crafter {
 public:
  Crafter(const std::filesystem::path& file, Choose choose)
      : choose_(std::move(choose)),
        file_(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open a file") {}

  /// Changes something, one to three times; afterwards, every other time, all sums are made anew, so that what stands
  /// behind them is met as well.
  void craft() {
    for (std::size_t i = 1 + choose_(3); i > 0; --i) change();
    if (choose_(2) == 0) sign();
  }

 private:
  using Handle = hdf5::Handle;

  void change() {
    const char* const places[] = {"/",
                                  "checkpoint",
                                  "sources",
                                  "time",
                                  "q",
                                  "v",
                                  "efforts",
                                  "energy/error",
                                  "end_effector/position",
                                  "wrenches",
                                  "references",
                                  "arm"};
    const std::string place = places[choose_(std::size(places))];
    switch (choose_(7)) {
      case 0:
        return change_attribute(place);
      case 1:
        return change_attribute(choose_(2) == 0 ? "checkpoint" : "/");
      case 2:
        return change_numbers(place);
      case 3:
        return replace(place);
      case 4:
        return resize(place);
      case 5:
        return change_outline();
      default:
        return change_number_attribute("checkpoint");
    }
  }

  /// Some characters of the arm's outline: mostly a number becomes another, or something else.
  void change_outline() {
    try {
      std::string text = hdf5::read_long_text(file_, "arm");
      const char* const words[] = {
          "-1", "7", "1e300", "null", "[]", "{}", "\"turn\"", "0.5", "99999999999999999999", ""};
      for (std::size_t i = 1 + choose_(2); i > 0 && !text.empty(); --i) {
        std::size_t at = choose_(256) * text.size() / 256;
        at = text.find_first_of("0123456789\"", at);
        if (at == std::string::npos) continue;
        const std::size_t end = text.find_first_of(",]}:", at);
        text.replace(at, end == std::string::npos ? 1 : end - at, words[choose_(std::size(words))]);
      }
      H5Ldelete(file_, "arm", H5P_DEFAULT);
      hdf5::write_long_text(file_, "arm", text);
    } catch (const std::exception&) {  // none is there any more
    }
  }

  hid_t opened(const std::string& place) { return H5Oopen(file_, place.c_str(), H5P_DEFAULT); }

  std::string attribute_name(hid_t object) {
    H5O_info_t info;
    if (H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS) < 0 || info.num_attrs == 0) return "";
    char name[64] = {};
    H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, choose_(info.num_attrs), name, sizeof name,
                       H5P_DEFAULT);
    return name;
  }

  /// Away with it, or something else under its name.
  void change_attribute(const std::string& place) {
    const hid_t object = opened(place);
    if (object < 0) return;
    const std::string name = attribute_name(object);
    if (!name.empty()) {
      H5Adelete(object, name.c_str());
      if (choose_(4) != 0) make_attribute(object, name);
    }
    H5Oclose(object);
  }

  hid_t any_type() {
    switch (choose_(6)) {
      case 0:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
      case 1:
        return H5Tcopy(H5T_NATIVE_INT);
      case 2:
        return H5Tcopy(H5T_NATIVE_LDOUBLE);
      case 3: {
        const hid_t text = H5Tcopy(H5T_C_S1);
        H5Tset_size(text, 1 + choose_(80));
        return text;
      }
      case 4: {
        const hid_t pair = H5Tcreate(H5T_COMPOUND, 16);
        H5Tinsert(pair, "a", 0, H5T_NATIVE_DOUBLE);
        H5Tinsert(pair, "b", 8, H5T_NATIVE_LONG);
        return pair;
      }
      default:
        return H5Tvlen_create(H5T_NATIVE_DOUBLE);
    }
  }

  hid_t any_space() {
    const std::size_t rank = choose_(5);
    if (rank == 0) return choose_(2) == 0 ? H5Screate(H5S_SCALAR) : H5Screate(H5S_NULL);
    hsize_t size[4];
    for (std::size_t i = 0; i < rank; ++i) size[i] = choose_(4) == 0 ? choose_(40) : 1 + choose_(8);
    return H5Screate_simple(static_cast<int>(rank), size, nullptr);
  }

  double any_number() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double numbers[] = {std::numeric_limits<double>::quiet_NaN(),
                              infinity,
                              -infinity,
                              1e18,
                              -1.0,
                              0.0,
                              1e300,
                              5e-324,
                              9.3e18,
                              21.0,
                              1e9};
    return numbers[choose_(std::size(numbers))];
  }

  void make_attribute(hid_t object, const std::string& name) {
    if (choose_(3) == 0) {  // of our own kinds
      std::vector<double> numbers(choose_(30));
      for (double& number : numbers) number = any_number();
      switch (choose_(4)) {
        case 0:
          return hdf5::write_numbers(object, name.c_str(), numbers);
        case 1:
          return hdf5::write_count(object, name.c_str(), choose_(2) == 0 ? -3 : 1L << choose_(62));
        case 2:
          return hdf5::write_text(object, name.c_str(), std::string(choose_(200), '['));
        default:
          return hdf5::write_texts(object, name.c_str(), std::vector<std::string>(choose_(12), "shoulder"));
      }
    }
    const hid_t type = any_type(), space = any_space();
    const hid_t made = H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (made >= 0) {
      if (H5Tget_class(type) != H5T_VLEN && H5Sget_simple_extent_npoints(space) > 0) {
        std::vector<char> bytes(H5Tget_size(type) *
                                static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
        for (char& byte : bytes) byte = static_cast<char>(choose_(256));
        H5Awrite(made, type, bytes.data());
      }
      H5Aclose(made);
    }
    H5Sclose(space);
    H5Tclose(type);
  }

  /// One number of a list among others.
  void change_number_attribute(const std::string& place) {
    const hid_t object = opened(place);
    if (object < 0) return;
    const std::string name = attribute_name(object);
    try {
      std::vector<double> numbers = hdf5::read_numbers(object, name.c_str());
      if (!numbers.empty()) {
        numbers[choose_(numbers.size())] = any_number();
        hdf5::write_numbers(object, name.c_str(), numbers);
      }
    } catch (const std::exception&) {  // no list of numbers
    }
    H5Oclose(object);
  }

  void change_numbers(const std::string& place) {
    const hid_t dataset = H5Dopen2(file_, place.c_str(), H5P_DEFAULT);
    if (dataset < 0) return;
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
    if (H5Tget_class(type) == H5T_FLOAT && H5Tget_size(type) == 8 && count > 0 && count < 1'000'000) {
      std::vector<double> numbers(count);
      H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
      numbers[choose_(count)] = any_number();
      H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(dataset);
  }

  /// Nothing, a group, a link, or a dataset of another kind in place of what was there.
  void replace(const std::string& place) {
    if (place == "/" || H5Ldelete(file_, place.c_str(), H5P_DEFAULT) < 0) return;
    switch (choose_(5)) {
      case 0:
        return;
      case 1:
        H5Gclose(H5Gcreate2(file_, place.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        return;
      case 2:
        H5Lcreate_soft(choose_(2) == 0 ? ("/" + place).c_str() : "/v", file_, place.c_str(), H5P_DEFAULT,
                       H5P_DEFAULT);
        return;
      case 3:
        H5Lcreate_external("another.h5", "/q", file_, place.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        return;
      default: {
        const hid_t type = any_type(), space = any_space();
        const hid_t made =
            H5Dcreate2(file_, place.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (made >= 0) H5Dclose(made);
        H5Sclose(space);
        H5Tclose(type);
      }
    }
  }

  void resize(const std::string& place) {
    const hid_t dataset = H5Dopen2(file_, place.c_str(), H5P_DEFAULT);
    if (dataset < 0) return;
    const hid_t space = H5Dget_space(dataset);
    hsize_t size[H5S_MAX_RANK] = {};
    H5Sget_simple_extent_dims(space, size, nullptr);
    // HDF5 looks at every chunk that a dataset loses: what was made a thousand billion rows long stays so.
    const bool huge = size[0] > 1'000'000;
    const hsize_t rows[] = {0, 1, size[0] + 1, size[0] + 1000, 1ULL << 40U, size[0] > 0 ? size[0] - 1 : 0};
    size[0] = rows[choose_(std::size(rows))];
    if (!huge) H5Dset_extent(dataset, size);
    H5Sclose(space);
    H5Dclose(dataset);
  }

  /// Of any size.
  static std::vector<hsize_t> row_shape(const std::string& path) {
    if (path == "time" || path.rfind("energy/", 0) == 0) return {};
    return path == "wrenches" ? std::vector<hsize_t>{0, 0} : std::vector<hsize_t>{0};
  }

  /// Sums of what is there now, as far as it can be summed.
  void sign() {
    try {
      const hdf5::Handle group = hdf5::existing_group(file_, "checkpoint");
      std::vector<std::uint64_t> sums;
      const ResultWords words = read_words(file_);
      for (const std::string& path : words.run.names.quantities) {
        CheckSum sum;
        const hdf5::Rows rows(file_, path, row_shape(path));
        if (rows.count() > 10'000) return;
        std::vector<double> numbers(static_cast<std::size_t>(rows.count()) * rows.width());
        rows.read(0, rows.count(), numbers.data());
        sum.add(numbers.data(), numbers.size());
        sums.push_back(sum.value());
      }
      sums.push_back(words.sum());
      CheckSum own;
      for (const char* part : {"y", "auxiliary", "numbers", "peaks"}) {
        const std::vector<double> numbers = hdf5::read_numbers(group, part);
        own.add(numbers.data(), numbers.size());
      }
      sums.push_back(own.value());
      hdf5::write_sums(group, "sums", sums);
    } catch (const InputError&) {  // so be it: unsigned
    } catch (const ComputationError&) {
    }
  }

  Choose choose_;
  hdf5::Handle file_;
};

}  // namespace limber::test
