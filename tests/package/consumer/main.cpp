#include <cmath>
#include <cstdio>
#include <limber/io/model_file.hpp>
#include <limber/model/builder.hpp>

// Builds an arm in C++, reads one from a file, and checks one number of each.
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
  return built.nv == 3 && std::abs(built.mass() - 120.0) < 1e-9 && read.nv == 9 ? 0 : 1;
}
