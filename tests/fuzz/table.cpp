// SPDX-License-Identifier: BSD-3-Clause
// CSV tables of any text: of a trajectory, or of mode shapes, as the first byte says.

#include "fuzz/fuzz.hpp"
#include "fuzz/trajectories.hpp"
#include "limber/io/scenario_file.hpp"

using namespace limber;

namespace {

constexpr const char* with_trajectory = R"(limber: 1
model: {links: [{name: a, joint: {name: j, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}]}
trajectories: {way: {type: table, file: table.csv}}
actuation: [{joint: j, type: pd, kp: 1, kd: 1, target: {trajectory: way}}]
duration: 1
)";
constexpr const char* with_shapes = R"(limber: 1
model:
  links:
    - name: a
      joint: {name: j, type: revolute, axis: [0, 0, 1]}
      beam:
        length: 2
        section: {EI_y: 1, EI_z: 1, GJ: 1, mass_per_length: 1}
        modes: {y: {shape: {table: table.csv}}}
duration: 1
)";

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char* scenario = data[0] % 2 == 0 ? with_trajectory : with_shapes;
  const std::string text = fuzz::text_of(data + 1, size - 1);
  fuzz::done_or_refused(text, [&] {
    fuzz::follow_trajectories(
        parse_scenario(std::vector<SourceText>{{"scenario.yaml", scenario}, {"table.csv", text}}));
  });
  return 0;
}
