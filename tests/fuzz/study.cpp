// SPDX-License-Identifier: BSD-3-Clause
// Study files of any text, and designs of those that are good: points, values, names of parameters. No file that they name is read.

#include <algorithm>

#include "fuzz/fuzz.hpp"
#include "limber/io/study_file.hpp"
#include "limber/study/design.hpp"

using namespace limber;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  fuzz::done_or_refused(text, [&] {
    StudyFile file = parse_study(text, "fuzz.yaml");
    if (file.description.is_search()) return;
    // As many variants as a moment allows.
    constexpr std::size_t most = 64, most_of_grids = 3;
    if (file.description.samples.value_or(0) > static_cast<int>(most) || file.description.vary.size() > most)
      return;
    for (const auto& one : file.description.vary)
      if (file.description.method == DesignMethod::grid &&
          (file.description.vary.size() > most_of_grids ||
           std::max<std::size_t>(one.second.distribution.values.size(),
                                 static_cast<std::size_t>(one.second.levels.value_or(0))) > most))
        return;
    try {
      make_design(file.description, std::vector<std::optional<double>>(file.description.vary.size(), 1.0));
    } catch (const InputError& error) {
      throw file.located(error.problems());
    }
  });
  return 0;
}
