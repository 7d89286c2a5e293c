// SPDX-License-Identifier: BSD-3-Clause
// State files of any text, for an arm with all kinds of coordinates.

#include "fuzz/fuzz.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/state_file.hpp"

using namespace limber;

namespace {

constexpr const char* arm = R"(limber: 1
links:
  - {name: ship, joint: {name: sea, type: free}, rigid: {mass: 10, inertia: [1, 1, 1, 0, 0, 0]}}
  - name: boom
    joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}
    beam: {length: 2, section: {EI_y: 50, EI_z: 80, GJ: 30, mass_per_length: 1.5, rotary_inertia: [0.002, 0.001, 0.001]}, modes: {y: {count: 2}, torsion: {count: 1}}}
  - {name: hand, joint: {name: wrist, type: spherical}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}
)";

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Model model = build_model(parse_model_description(arm, "arm.yaml", "/nowhere"));
  const std::string text = fuzz::text_of(data, size);
  fuzz::done_or_refused(text, [&] { parse_state(text, "fuzz.json", model); });
  return 0;
}
