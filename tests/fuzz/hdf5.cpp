// SPDX-License-Identifier: BSD-3-Clause
// Files of any bytes that are said to be results. HDF5 itself may crash or hang on them, or write where it must not: that
// happens in a process of its own, which the sanitizers may end as well. (What we make of what HDF5 has read is fuzzed in result.cpp, in
// this process.)

#include <filesystem>
#include <fstream>

#include "fuzz/fuzz.hpp"
#include "limber/report/figure.hpp"
#include "limber/report/run_record.hpp"
#include "limber/report/svg.hpp"
#include "temporary_folder.hpp"

using namespace limber;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TemporaryFolder folder;
  // Names take turns: a file of the same size that is written in the same tick of the clock looks like one that was read
  // already.
  static unsigned count = 0;
  const auto file = folder.path() / ("any" + std::to_string(count++ % 4) + ".h5");
  const std::string bytes = fuzz::text_of(data, size);
  std::ofstream(file, std::ios::binary) << bytes;
  fuzz::done_or_refused(bytes, [&] {
    const RunRecord record = read_run(file);
    figures(record);
    motion_svg(record);
  });
  return 0;
}
