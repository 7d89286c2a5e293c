// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "map_reader.hpp"

namespace limber {

/// What the columns are called in messages.
struct TableWords {
  const char* first = "x";
  const char* other = "shape";
};

/// Reads shapes from a CSV file: first column x [m], then one column per shape; commas or blanks in between;
/// an optional header line; comments after `#`. Problems inside the file get their place there; where it
/// cannot be read, the problem is that of `slot`, which names it.
std::optional<ModeTable> read_mode_table(ReadContext& context, const Slot& slot, const std::string& name,
                                         const TableWords& words = {});

}  // namespace limber
