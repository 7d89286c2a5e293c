// SPDX-License-Identifier: BSD-3-Clause
// How long it takes from a model file to a prepared Model.

#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>
#include <string>

#include "limber/io/model_file.hpp"
#include "limber/model/model.hpp"
#include "limber/model/prepared_beams.hpp"

namespace {

// A chain of beams, each with `modes` elastic coordinates: two fifths y, two fifths z, one fifth torsion; each is longer than the one before.
std::string chain_text(int links, int modes, const std::string& shape, double longer = 0.0) {
  std::ostringstream text;
  text << "limber: 1\nname: chain\nlinks:\n";
  for (int i = 0; i < links; ++i)
    text << "  - name: link" << i << "\n    joint: {type: revolute, axis: [0, " << i % 2 << ", "
         << (i + 1) % 2 << "]}\n    beam:\n      length: " << 1.5 + longer * i
         << "\n      section: {shape: tube, outer_diameter: 0.05, thickness: "
            "0.002, "
            "material: {E: 70e9, nu: 0.33, density: 2700}}\n      modes:\n        y: {shape: "
         << shape << ", count: " << 2 * modes / 5 << "}\n        z: {shape: " << shape
         << ", count: " << 2 * modes / 5 << "}\n        torsion: {shape: " << shape
         << ", count: " << modes / 5 << "}\n";
  return text.str();
}

void prepare_chain(benchmark::State& state, const std::string& shape) {
  const std::string text = chain_text(static_cast<int>(state.range(0)), 10, shape);
  for (auto _ : state) {
    const auto description = limber::parse_model_description(text, "chain.yaml", ".");
    const limber::Model model = limber::build_model(description);
    benchmark::DoNotOptimize(model.nv());
  }
}

// Links of as many lengths: all beams from one of unit length, or each from one of its own.
void prepare_lengths(benchmark::State& state, std::size_t kept_beams) {
  const auto description = limber::parse_model_description(
      chain_text(static_cast<int>(state.range(0)), 10, "craig-bampton", 0.02), "chain.yaml", ".");
  for (auto _ : state) {
    limber::PreparedBeams kept(kept_beams);
    benchmark::DoNotOptimize(limber::build_model(description, kept).nv());
  }
}

void read_description(benchmark::State& state) {
  const std::string text = chain_text(static_cast<int>(state.range(0)), 10, "craig-bampton");
  for (auto _ : state)
    benchmark::DoNotOptimize(limber::parse_model_description(text, "chain.yaml", ".").links.size());
}

// One variant of a sweep after the other, whose payloads differ: every beam made anew, or found.
void build_variant(benchmark::State& state, std::size_t kept_beams) {
  limber::ModelDescription arm =
      limber::read_model_description(LIMBER_MODELS_DIR "/canadarm/canadarm_spatial.yaml");
  limber::PreparedBeams kept(kept_beams);
  for (auto _ : state) {
    arm.links.back().root.mass += 1e-6;
    benchmark::DoNotOptimize(limber::build_model(arm, kept).nv());
  }
}

BENCHMARK_CAPTURE(prepare_lengths, of_one_unit_beam, 256)->Arg(50)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(prepare_lengths, each_by_itself, 0)->Arg(50)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build_variant, beams_made, 0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(build_variant, beams_found, 256)->Unit(benchmark::kMicrosecond);
BENCHMARK(read_description)->Arg(50)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(prepare_chain, craig_bampton, "craig-bampton")->Arg(50)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(prepare_chain, clamped_free, "clamped-free")->Arg(50)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(prepare_chain, finite_element, "finite-element")->Arg(50)->Unit(benchmark::kMillisecond);

}  // namespace
