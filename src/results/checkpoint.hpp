#pragma once

// How a file holds what a run needs to go on.

#include "hdf5.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber {

void write_checkpoint(hid_t file, const Checkpoint& checkpoint);
Checkpoint read_checkpoint(hid_t file);

}  // namespace limber
