// SPDX-License-Identifier: BSD-3-Clause
// Models and scenarios of any text.

#include "fuzz/fuzz.hpp"
#include "fuzz/trajectories.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/scenario_file.hpp"

using namespace limber;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  fuzz::done_or_refused(text, [&] { build_model(parse_model_description(text, "fuzz.yaml", "/nowhere")); });
  // From memory: no file that the text names is read.
  fuzz::done_or_refused(text, [&] {
    fuzz::follow_trajectories(parse_scenario(std::vector<SourceText>{{"fuzz.yaml", text}}));
  });
  return 0;
}
