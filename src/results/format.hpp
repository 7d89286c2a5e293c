#pragma once

// What says that a file is ours, and how its parts belong together.

#include <cstdint>
#include <string>
#include <vector>

#include "hdf5.hpp"
#include "limber/results/result_file.hpp"

namespace limber {

inline constexpr const char* format_name = "limber-result";
inline constexpr int format_version = 3;

/// The shape of one row of the dataset at `path`; 0 stands for a size that names do not tell. Throws InputError for a
/// dataset that we do not know.
std::vector<hsize_t> row_shape(const std::string& path, const ResultNames& names);

/// Over everything that a file says in words, and its tolerances. Numbers in rows have sums of their own.
std::uint64_t sum_of_texts(const ResultInfo& info, const ResultNames& names, const std::string& status,
                           const std::vector<std::string>& warnings);

}  // namespace limber
