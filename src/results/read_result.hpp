// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "format.hpp"
#include "limber/results/result_file.hpp"

namespace limber {

/// Reads everything that a result holds, in this process, and compares it with its sums. Throws InputError. For
/// tests, and for what read_stored_run does first in a process of its own.
void read_all_of(const std::filesystem::path& file);

/// What a result says, for a writer that goes on with it.
ResultWords stored_words(const std::filesystem::path& file);
/// Sums of the rows of each quantity, likewise.
std::vector<std::uint64_t> row_sums(const std::filesystem::path& file);

}  // namespace limber
