// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// State files: one configuration of an arm, its velocity, and what acts on it, as JSON (or YAML).
//
//   {"q": {"shoulder": 0.5}, "v": [0, 0, 0], "tau": {"elbow": 10},
//    "loads": [{"link": "forearm", "at": 1.0, "frame": "world", "force": [0, 0, -5], "moment": [0, 0, 0],
//               "offset": [0.1, 0, 0]}]}
//
// q, v, tau and acceleration are lists (nq, nv, nv, nv numbers) or maps by coordinate name; what is absent is zero, an
// absent quaternion the identity. In q, a joint with several numbers is addressed as joint.1 ... joint.nq. q_deg and
// v_deg are the same in degrees, for angles of joints only: maps, or lists of as many numbers as there are such angles.
// hold names joints that are held although they have a spring: a list of names, or `all`.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/file_error.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/load.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// A force and a moment on a link.
struct StateLoad {
  int link = 0;                                      ///< index into Model::links
  double at = 1.0;                                   ///< where, as fraction of its beam
  Axes frame = Axes::world;                          ///< axes of force and moment
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< [N m]
  Eigen::Vector3d offset =
      Eigen::Vector3d::Zero();       ///< where the force acts, from `at`, in the section's axes
  std::string interface = {};        ///< `at` by name: of an interface of its body; empty: a fraction
  LoadKind kind = LoadKind::wrench;  ///< of loads from within a beam: force and moment as Load has them
};

/// A state of an arm, and what acts on it.
struct State {
  Eigen::VectorXd q;                                 ///< nq
  Eigen::VectorXd v;                                 ///< nv
  Eigen::VectorXd tau;                               ///< nv generalised forces
  std::vector<StateLoad> loads;                      ///< from outside
  JointNames hold = {};                              ///< joints that are held although they have a spring
  std::optional<Eigen::VectorXd> acceleration = {};  ///< nv, where it is given
  std::vector<std::string> given =
      {};                       ///< names of q's numbers that the file gives: closing loops, they stay
  Eigen::VectorXd drives = {};  ///< of each cylinder: the force of its drive; empty: none has any
};

/// q as the contract says for what is absent: zero, and identity for quaternions.
State neutral_state(const Model& model);

/// Loads at nodes, as algorithms take them; adds the nodes that the model does not have yet.
std::vector<Load> place_loads(const std::vector<StateLoad>& loads, Model& model);

///@{
/// Throws FileError with everything that is wrong. Quaternions must be unit to 1e-6 and are then normalised.
State read_state(const std::filesystem::path& file, const Model& model);
State parse_state(const std::string& text, const std::string& file_name, const Model& model);
///@}

}  // namespace limber
