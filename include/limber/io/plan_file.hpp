// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Plan files: which motion of an arm is looked for (docs/planning.md, docs/plan-file-reference.md). Here stands what such a file says; what is done with it is the
// layer `planning`.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/file_error.hpp"
#include "limber/scenario/description.hpp"

namespace limber LIMBER_EXPORT {

/// What a motion should have little of.
enum class PlanGoal { time, effort, vibration, deflection, stress };

/// A place on the way.
struct ViaDescription {
  double at = 0.0;            ///< when, as part of the duration
  ByName<double> q = {};      ///< positions of joints [rad or m]
  ByName<double> q_deg = {};  ///< angles of joints, in degrees
};

/// Another arm that the same motion has to leave at rest: values of the model file by path.
struct PlanPayloadDescription {
  ByName<double> set = {};  ///< `links.boom.tip.mass`
};

/// How joints are held on the planned motion: kp = J w^2, kd = 2 zeta J w, J the inertia that the joint moves.
struct PlanFeedbackDescription {
  std::optional<double> frequency_hz = {};  ///< w/2pi; none: half of the arm's first frequency
  double damping_ratio = 0.7;               ///< zeta
};

/// The motion.
struct MotionDescription {
  ByName<double> from = {};                           ///< joints [rad or m]; absent: the scenario's, or 0
  ByName<double> from_deg = {};                       ///< angles, in degrees
  ByName<double> to = {};                             ///< joints [rad or m]; absent: where they start
  ByName<double> to_deg = {};                         ///< angles, in degrees
  std::vector<ViaDescription> via = {};               ///< places on the way
  PlanGoal minimise = PlanGoal::effort;               ///< what there should be little of
  std::optional<double> duration = {};                ///< [s]; none: it is looked for
  int intervals = 40;                                 ///< in which efforts are constant
  double smoothness = 0.0;                            ///< weight of the efforts' jumps
  double share = 1.0;                                 ///< of the limits of speeds and efforts
  std::optional<double> utilisation = {};             ///< of beams' strength, at most; none: whatever it is
  std::vector<std::string> hold = {};                 ///< joints that are driven although they have a spring
  std::vector<PlanPayloadDescription> payloads = {};  ///< other arms that should rest afterwards, too
  PlanFeedbackDescription feedback = {};              ///< of the plan's scenario
  int iterations = 500;                               ///< of the solver, at most
  double tolerance = 1e-8;                            ///< of the solver
};

/// The whole file.
struct PlanDescription {
  std::string scenario = {};    ///< its file; empty: `model` is given
  std::string model = {};       ///< its file
  MotionDescription plan = {};  ///< the motion
};

/// A plan file as it was read, and where each part of it stands.
struct PlanFile {
  PlanDescription description;                       ///< what it says
  std::string file;                                  ///< its name, for messages
  std::vector<std::pair<std::string, Mark>> places;  ///< of all paths in the file

  /// Problems with their places: at the part of the file that their paths lead to.
  FileError located(const std::vector<Problem>& problems) const;
};

///@{
/// Reads and checks what can be checked without the files that it names. Throws FileError with everything that is wrong.
PlanFile read_plan(const std::filesystem::path& file);
PlanFile parse_plan(const std::string& text, const std::string& file_name);
///@}

/// Whether a file looks like a plan: it has the key `plan`. False for what cannot be read.
bool is_plan(const std::filesystem::path& file);

}  // namespace limber
