// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "limber/io/state_file.hpp"
#include "limber/model/load.hpp"
#include "limber/model/model.hpp"

namespace limber::app {

/// A path of the end effector: a table with columns x, y, z [m], perhaps roll, pitch, yaw [rad], perhaps t [s].
struct PathOptions {
  std::string model_file, file;
  std::string folder;  ///< for tables t, joint: what a trajectory `table` reads; none where empty
  bool force = false;
};

/// limber statics MODEL --path FILE: the joints that take the end effector along it although the arm sags.
void run_path(const Model& model, const State& state, const std::vector<Load>& loads,
              const PathOptions& options, const Common& common);

}  // namespace limber::app
