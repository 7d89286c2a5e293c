// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What says that a file is ours, and what its words are.

#include <cstdint>
#include <string>

#include "hdf5.hpp"
#include "limber/results/result_file.hpp"

namespace limber {

inline constexpr hdf5::FileKind result_kind{.expected = "a result of `limber simulate`",
                                            .format = "limber-result",
                                            .version = 5,
                                            .advice = "run the scenario again"};

/// All that a file says besides its rows and its checkpoint, and the text of its outline.
struct ResultWords {
  StoredRun run;    ///< without its checkpoint
  std::string arm;  ///< outline_text

  /// By which damage shows. Numbers in rows, and the checkpoint, have sums of their own.
  std::uint64_t sum() const;
};

/// What never changes: written once.
void write_head(hid_t file, const ResultWords& words);
/// What changes as a run goes on.
void write_state(hid_t file, const ResultWords& words);
/// Both. The outline is left as text.
ResultWords read_words(hid_t file);

}  // namespace limber
