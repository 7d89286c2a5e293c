#include <cmath>
#include <cstdio>
#include <limber/io/model_file.hpp>
#include <limber/model/builder.hpp>
#include <limber/simulation/simulate.hpp>

// Builds an arm in C++, reads one from a file, and checks one number of each; then lets the first one fall.
int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const limber::Model built = limber::ModelBuilder("boom")
                                  .link("boom", "base")
                                  .revolute({0, 0, 1}, "shoulder")
                                  .beam(6.0, {.EI_z = 1e5, .mass_per_length = 20.0})
                                  .modes(limber::Direction::y, 2)
                                  .build();
  const limber::Model read = limber::read_model(argv[1]);
  std::printf("%s: %d coordinates, %g kg; %s: %d coordinates\n", built.name.c_str(), built.nv, built.mass(),
              read.name.c_str(), read.nv);
  limber::ScenarioDescription description;
  description.initial.q = {{"shoulder", 0.1}};
  description.duration = 0.1;
  limber::Scenario scenario = limber::build_scenario(description, built);
  const limber::RunSummary fall = limber::simulate(scenario);
  std::printf("%ld steps by %s, ledger error %g J\n", fall.last.steps, fall.integrator.c_str(),
              fall.last.largest_error);
  if (fall.end != 0.1 || fall.last.largest_error > 1e-4) return 1;
  return built.nv == 3 && std::abs(built.mass() - 120.0) < 1e-9 && read.nv == 9 ? 0 : 1;
}
