// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a file holds what a run needs to go on.

#include "hdf5.hpp"
#include "limber/results/result_file.hpp"

namespace limber {

/// Sums by which damage to a file shows (check_sum.hpp).
struct ResultSums {
  std::vector<std::uint64_t> rows;  ///< of each of ResultNames::quantities
  std::uint64_t texts = 0;          ///< sum_of_texts
};

void write_checkpoint(hid_t file, const Checkpoint& checkpoint, const ResultSums& sums);

/// Throws InputError where something is missing, of another length, not finite, or not what was written.
Checkpoint read_checkpoint(hid_t file, const ResultNames& names);
ResultSums read_result_sums(hid_t file, const ResultNames& names);

}  // namespace limber
