// SPDX-License-Identifier: BSD-3-Clause
// Results of any content: the bytes choose what is changed in a good one (results/crafted_result.hpp). HDF5's own bytes are
// left in order: what it makes of others is its own affair, and happens in a process of its own.

#include "fuzz/fuzz.hpp"
#include "limber/report/figure.hpp"
#include "limber/report/svg.hpp"
#include "read_result.hpp"
#include "results/crafted_result.hpp"
#include "temporary_folder.hpp"

using namespace limber;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TemporaryFolder folder;
  const auto good = folder.path() / "good.h5", file = folder.path() / "crafted.h5";
  if (!std::filesystem::exists(good)) {
    hdf5::silence();
    test::write_small_result(good, false);
  }
  std::filesystem::copy_file(good, file, std::filesystem::copy_options::overwrite_existing);
  std::size_t at = 0;
  test::Crafter(file, [&](std::size_t end) { return at < size ? data[at++] % end : 0; }).craft();
  fuzz::done_or_refused(fuzz::text_of(data, size), [&] {
    read_all_of(file);
    const RunRecord record = read_run(file);
    figures(record);
    motion_svg(record);
  });
  return 0;
}
