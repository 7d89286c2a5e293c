// SPDX-License-Identifier: BSD-3-Clause
#include "plan_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/limits.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/description_fields.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/friction.hpp"

namespace limber {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

void refuse_wrong_sizes(const PlanProblem& problem) {
  for (const auto& [name, q] : {std::pair{"from", &problem.from}, std::pair{"to", &problem.to}})
    if (q->size() != problem.model.nq())
      throw InputError(Problem{name, fmt::format("{} numbers, nq of the arm", problem.model.nq()),
                               fmt::format("{}", q->size()), ""});
  for (const Model& arm : problem.payloads)
    if (arm.coordinates() != problem.model.coordinates())
      throw InputError(Problem{"plan.payloads", "an arm with the same coordinates", "another one",
                               "vary masses and stiffnesses, not joints and modes"});
  if (problem.stages < 1 || problem.stages > 3)
    throw InputError(Problem{"stages", "1, 2 or 3", fmt::format("{}", problem.stages), ""});
  if (!(problem.share > 0.0 && problem.share <= 1.0))
    throw InputError(Problem{"plan.share", "a number > 0 and <= 1", show_number(problem.share), ""});
  if (problem.intervals < 4)
    throw InputError(Problem{"plan.intervals", "4 or more", fmt::format("{}", problem.intervals), ""});
}

void refuse_what_has_no_plan(const Model& model) {
  for (const Link& link : model.links())
    if (link.joint.has_quaternion())
      throw InputError(Problem{
          "plan", "joints without quaternions",
          fmt::format("`{}`, a {} joint", link.joint.name, choice_name(described_type(link.joint.type))),
          "plans are for revolute, prismatic and universal joints and those like them"});
    else if (link.joint.friction && sticks(*link.joint.friction))
      throw InputError(Problem{"plan", "friction that is smooth where a joint comes to rest",
                               fmt::format("dry friction of `{}`", link.joint.name),
                               "give its `transition_velocity`"});
}

/// Coordinates with efforts: those of motors, without joints that nothing holds but their spring.
std::vector<int> driven_by_plan(const PlanProblem& problem) {
  const std::vector<int> passive = passive_coordinates(problem.model, problem.hold);
  std::vector<int> driven;
  for (const int c : driven_coordinates(problem.model))
    if (std::find(passive.begin(), passive.end(), c) == passive.end()) driven.push_back(c);
  return driven;
}

Eigen::MatrixXd mass_matrix_of(const Model& model, const Eigen::VectorXd& q) {
  Workspace<double> work(model);
  Eigen::MatrixXd M(model.nv(), model.nv());
  mass_matrix<double>(model, work, q, M);
  return M;
}

std::string named(const Model& model, int coordinate) {
  return model.coordinates()[static_cast<std::size_t>(coordinate)];
}

/// The joint that a coordinate belongs to; none of elastic ones.
const Joint* joint_of(const Model& model, int coordinate) {
  for (const Link& link : model.links())
    if (coordinate >= link.joint.v_index && coordinate < link.joint.v_index + link.joint.nv)
      return &link.joint;
  return nullptr;
}

void refuse_beyond_limits(const Model& model, const std::string& path, int coordinate, double position) {
  const Joint* const joint = joint_of(model, coordinate);
  if (!joint) return;
  const auto broken = broken_by_position(joint->limits, position);
  if (broken)
    throw InputError(
        Problem{path + "." + joint->name,
                fmt::format("a position from {} to {}", show_number(joint->limits.lower.value_or(-infinite)),
                            show_number(joint->limits.upper.value_or(infinite))),
                show_number(position), fmt::format("{:.6g} beyond `{}`", broken->excess, broken->name)});
}

void refuse_weak_ends(const Model& model, const std::string& path, const Equilibrium& end,
                      const std::vector<int>& driven) {
  for (const int c : driven) {
    const Joint* const joint = joint_of(model, c);
    if (const auto broken = broken_by_effort(joint->limits, end.efforts[c]))
      throw InputError(Problem{path,
                               fmt::format("a place in which `{}` can hold the arm, by at most {}",
                                           joint->name, show_number(broken->limit)),
                               fmt::format("{:.6g}", end.efforts[c]), "its effort limit"});
  }
}

/// What a motor moves: its own inertia and, behind a gear, its joint's.
double moved_inertia(const Model& model, const Eigen::MatrixXd& M, int c) {
  const Joint& joint = *joint_of(model, c);
  return M(c, c) + (joint.has_motor() ? M(joint.v_index, joint.v_index) : 0.0);
}

void set_limits(const Model& model, double share, CollocationTask& task) {
  const int n = model.nv();
  task.lower.setConstant(n, -infinite);
  task.upper.setConstant(n, infinite);
  task.speed.setConstant(n, infinite);
  task.effort.setConstant(static_cast<Eigen::Index>(task.driven.size()), infinite);
  for (const Link& link : model.links()) {
    const Joint& joint = link.joint;
    const int own = joint.has_motor() ? joint.facts().moving() : joint.nv;
    for (int i = joint.v_index; i < joint.v_index + own; ++i) {
      task.lower[i] = joint.limits.lower.value_or(-infinite);
      task.upper[i] = joint.limits.upper.value_or(infinite);
      task.speed[i] = joint.limits.velocity.value_or(infinite);
    }
  }
  for (std::size_t j = 0; j < task.driven.size(); ++j)
    task.effort[static_cast<Eigen::Index>(j)] =
        joint_of(model, task.driven[j])->limits.effort.value_or(infinite);
  task.effort *= share;
  task.speed *= share;
}

/// That beams have a strength, and that both ends can be held.
void set_utilisation(const PlanProblem& problem, const Equilibrium& start, const Equilibrium& end,
                     CollocationTask& task) {
  task.utilisation = problem.utilisation;
  if (!problem.utilisation && problem.minimise != PlanGoal::stress) return;
  const Model& model = problem.model;
  if (!Utilisation::is_known(model))
    throw InputError(Problem{problem.utilisation ? "plan.utilisation" : "plan.minimise",
                             "a beam with `strength`, and sections by geometry", "none",
                             "give `strength` of a beam in the model (docs/stress.md)"});
  if (!problem.utilisation) return;
  Utilisation utilisation(model, problem.loads);
  Eigen::VectorXd U2;
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(model.nv());
  for (const auto& [path, q] : {std::pair{"plan.from", &start.q}, std::pair{"plan.to", &end.q}}) {
    utilisation.squares({*q, still, still, 1.0}, U2);
    Eigen::Index worst = 0;
    if (const double most = std::sqrt(U2.maxCoeff(&worst)); most > *problem.utilisation)
      throw InputError(Problem{
          path,
          fmt::format("a place in which beams use at most {} of their strength",
                      show_number(*problem.utilisation)),
          fmt::format(
              "{:.4g}, of `{}`", most,
              model.links()[static_cast<std::size_t>(utilisation.link(static_cast<int>(worst)))].name),
          "at rest, in equilibrium"});
  }
}

/// w_j of (5): limits where all have one, else the root of the inertia that each moves.
void set_effort_units(const PlanProblem& problem, const Eigen::MatrixXd& M, CollocationTask& task) {
  task.effort_units = task.effort / problem.share;
  if (task.effort_units.allFinite()) return;
  for (std::size_t j = 0; j < task.driven.size(); ++j)
    task.effort_units[static_cast<Eigen::Index>(j)] =
        std::sqrt(moved_inertia(problem.model, M, task.driven[j]));
}

void set_gains(const PlanProblem& problem, const Eigen::MatrixXd& M, double period, CollocationTask& task) {
  constexpr double turn = 2.0 * std::numbers::pi;
  const PlanFeedbackDescription& feedback = problem.feedback;
  const double w =
      turn * feedback.frequency_hz.value_or(0.5 / (period > 0.0 ? period : 0.25 * task.duration));
  task.kp.resize(static_cast<Eigen::Index>(task.driven.size()));
  task.kd.resize(task.kp.size());
  for (std::size_t j = 0; j < task.driven.size(); ++j) {
    const int c = task.driven[j];
    const double inertia = moved_inertia(problem.model, M, c);
    const auto at = static_cast<Eigen::Index>(j);
    task.kp[at] = inertia * w * w;
    task.kd[at] = 2.0 * feedback.damping_ratio * inertia * w;
    for (const PlanProblem::Gain& gain : problem.gains)
      if (gain.coordinate == c) {
        task.kp[at] = gain.kp;
        task.kd[at] = gain.kd;
      }
  }
}

/// Beams, gears, and springs of joints that nothing drives.
Eigen::MatrixXd strain_matrix(const Model& model, const std::vector<int>& driven) {
  Eigen::MatrixXd K = elastic_stiffness(model, true);
  const Eigen::MatrixXd without = elastic_stiffness(model, false);
  for (const int c : driven) K(c, c) = without(c, c);
  return K;
}

/// (11) of collocation.hpp: modes of what is not driven, about the end.
void set_resting_modes(const PlanProblem& problem, CollocationTask& task) {
  const CollocatedArm& arm = task.arms.front();
  std::vector<int> others;
  for (int c = 0; c < problem.model.nv(); ++c)
    if (std::find(task.driven.begin(), task.driven.end(), c) == task.driven.end()) others.push_back(c);
  if (others.empty()) return;
  const Eigen::MatrixXd K = tangent_stiffness(problem.model, arm.end, true, problem.loads);
  const Eigen::MatrixXd symmetric = 0.5 * (K + K.transpose()), K_others = symmetric(others, others),
                        M_others = arm.M(others, others);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(K_others, M_others);
  const double h = task.duration / task.intervals;
  constexpr double resolved =
      4.0;  // w h: the collocation polynomials still follow a mode of 1.6 intervals in a period
  const auto squares = modes.eigenvalues().array();
  const auto count = static_cast<Eigen::Index>((squares <= std::pow(resolved / h, 2)).count());
  if (count == squares.size()) return;
  task.resting.setZero(count, problem.model.nv());
  task.resting_frequencies = squares.head(count).cwiseMax(1e-12 * squares[squares.size() - 1]).sqrt();
  task.resting(Eigen::indexing::all, others) = modes.eigenvectors().leftCols(count).transpose() * M_others;
}

/// Where an arm comes to rest that the plan's feedback holds with what holds another one.
Eigen::VectorXd held_by_feedback(const Model& arm, const PlanProblem& problem, const CollocationTask& task,
                                 const Eigen::VectorXd& wanted, const Eigen::VectorXd& holding) {
  Eigen::VectorXd q = wanted;
  constexpr int rounds = 20;  // each brings it nearer by as much as the feedback is stiffer than gravity
  for (int round = 0; round < rounds; ++round) {
    const Equilibrium found = static_equilibrium(arm, q, problem.loads, StaticModel::exact, {}, problem.hold);
    q = found.q;
    for (std::size_t j = 0; j < task.driven.size(); ++j) {
      const auto at = static_cast<Eigen::Index>(j);
      const int c = task.driven[j];
      q[c] = wanted[c] + (holding[at] - found.efforts[c]) / task.kp[at];
    }
  }
  return static_equilibrium(arm, q, problem.loads, StaticModel::exact, {}, problem.hold).q;
}

/// Largest share of any limit that the quintic takes in a duration; more than 1: it breaks one.
double share_of_limits(const CollocationTask& task, ScaledForces& forces, double duration) {
  constexpr int samples = 50;
  const Eigen::Index n = task.arms.front().model.nv();
  ScaledForces::Place at{Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd(n), duration};
  Eigen::VectorXd f;
  double share = 0.0;
  for (int k = 0; k <= samples; ++k) {
    for (int i = 0; i < n; ++i) {
      const Eigen::Vector3d point =
          Collocation::quintic(task, task.arms.front(), i, static_cast<double>(k) / samples);
      at.q[i] = point[0];
      at.v[i] = point[1];
      at.a[i] = point[2];
    }
    forces.force(at, f);
    share = std::max(share, (at.v / duration).cwiseQuotient(task.speed).cwiseAbs().maxCoeff());
    for (std::size_t j = 0; j < task.driven.size(); ++j)
      share = std::max(share, std::abs(f[task.driven[j]]) / task.effort[static_cast<Eigen::Index>(j)]);
  }
  return share;
}

/// How long a quintic takes that keeps to the limits, at least.
double duration_of_quintic(const PlanProblem& problem, const CollocationTask& task, double period) {
  for (std::size_t j = 0; j < task.driven.size(); ++j)
    if (!std::isfinite(task.effort[static_cast<Eigen::Index>(j)]))
      throw InputError(Problem{"plan.minimise",
                               "effort limits of all joints, without which no time is the shortest",
                               fmt::format("`{}` without one", named(problem.model, task.driven[j])),
                               "give `limits: {effort: ...}` of its joint in the model"});
  ScaledForces forces(problem.model, problem.loads);
  double T = problem.duration.value_or(period > 0.0 ? period : 1.0);
  constexpr int most = 60;
  if (problem.duration) return T;
  for (int i = 0; i < most && share_of_limits(task, forces, T) < 0.8; ++i) T *= 0.7;  // NOLINT
  for (int i = 0; i < most && share_of_limits(task, forces, T) > 1.0; ++i) T *= 1.2;  // NOLINT
  return T;
}

}  // namespace

PlanTask plan_task(const PlanProblem& problem) {
  const Model& model = problem.model;
  refuse_wrong_sizes(problem);
  refuse_what_has_no_plan(model);
  PlanTask all;
  CollocationTask& task = all.collocation;
  task.loads = problem.loads;
  task.driven = driven_by_plan(problem);
  if (task.driven.empty())
    throw InputError(Problem{"plan", "a joint that can be driven", "none",
                             "`hold` names joints that are driven although they have a spring"});
  task.intervals = problem.intervals;
  task.stages = problem.stages;
  task.smoothness = problem.smoothness;
  const Eigen::MatrixXd inputs = input_matrix(model, problem.from);
  const std::vector<int> columns = driven_coordinates(model);
  if (!inputs.isApprox(
          input_matrix(model, Eigen::VectorXd::Constant(model.nq(), 0.3))))  // NOLINT: any other place
    throw InputError(Problem{"plan", "motors whose effort does not depend on where the arm is",
                             "a universal joint on a beam of a pinned family", "take clamped shapes"});
  task.inputs.resize(model.nv(), static_cast<Eigen::Index>(task.driven.size()));
  for (std::size_t j = 0; j < task.driven.size(); ++j)
    task.inputs.col(static_cast<Eigen::Index>(j)) =
        inputs.col(std::find(columns.begin(), columns.end(), task.driven[j]) - columns.begin());
  set_limits(model, problem.share, task);

  // Both ends.
  for (int c = 0; c < model.nv(); ++c) {
    refuse_beyond_limits(model, "plan.from", c, problem.from[c]);
    refuse_beyond_limits(model, "plan.to", c, problem.to[c]);
  }
  constexpr double somewhere_else = 1e-9;  // rad or m
  if (problem.minimise == PlanGoal::time && problem.via.empty() &&
      (problem.to - problem.from).cwiseAbs().maxCoeff() < somewhere_else)
    throw InputError(Problem{"plan.to", "another place than that where the arm starts", "the same",
                             "the shortest time for no way is none"});
  const Equilibrium start =
      static_equilibrium(model, problem.from, problem.loads, StaticModel::exact, {}, problem.hold);
  const Equilibrium end =
      static_equilibrium(model, problem.to, problem.loads, StaticModel::exact, {}, problem.hold);
  refuse_weak_ends(model, "plan.from", start, task.driven);
  refuse_weak_ends(model, "plan.to", end, task.driven);
  all.holding.resize(static_cast<Eigen::Index>(task.driven.size()));
  for (std::size_t j = 0; j < task.driven.size(); ++j)
    all.holding[static_cast<Eigen::Index>(j)] = end.efforts[task.driven[j]];
  for (std::size_t i = 0; i < problem.via.size(); ++i)
    for (const auto& [coordinate, position] : problem.via[i].positions) {
      refuse_beyond_limits(model, fmt::format("plan.via[{}].q", i), coordinate, position);
      const int node = std::clamp(static_cast<int>(std::lround(problem.via[i].at * task.intervals)), 1,
                                  task.intervals - 1);
      task.via.push_back({node, coordinate, position});
    }

  // What it has of its own.
  task.strain = strain_matrix(model, task.driven);
  const bool is_elastic = task.strain.cwiseAbs().maxCoeff() > 0.0;
  if (is_elastic) {
    const NaturalModes modes =
        natural_modes(model, start.q, JointTreatment::held, 1, problem.loads, problem.hold);
    if (modes.angular_frequencies.size() > 0 && modes.angular_frequencies[0] > 0.0)
      all.slowest_period = 2.0 * std::numbers::pi / modes.angular_frequencies[0];
  }
  if (!is_elastic && (problem.minimise == PlanGoal::vibration || problem.minimise == PlanGoal::deflection))
    throw InputError(Problem{"plan.minimise", "`time` or `effort`, of an arm in which nothing is elastic",
                             problem.minimise == PlanGoal::vibration ? "vibration" : "deflection", ""});
  task.goal = problem.minimise == PlanGoal::time        ? CollocationGoal::time
              : problem.minimise == PlanGoal::effort    ? CollocationGoal::effort
              : problem.minimise == PlanGoal::vibration ? CollocationGoal::vibration
              : problem.minimise == PlanGoal::stress    ? CollocationGoal::stress
                                                        : CollocationGoal::deflection;
  set_utilisation(problem, start, end, task);
  task.arms.push_back({model, start.q, end.q, mass_matrix_of(model, end.q), {}});
  task.is_free = problem.minimise == PlanGoal::time;
  if (!task.is_free && !problem.duration)
    throw InputError(Problem{"plan", "`duration`", "nothing", "only `minimise: time` can do without"});
  task.duration = task.is_free ? duration_of_quintic(problem, task, all.slowest_period) : *problem.duration;
  set_resting_modes(problem, task);
  set_effort_units(problem, task.arms.front().M, task);
  set_gains(problem, task.arms.front().M, all.slowest_period, task);

  // Other payloads. Their swinging counts a hundred thousand times as much as the motion's own energy.
  constexpr double payload_weight = 1e5;
  task.payload_weight = payload_weight / std::max<std::size_t>(1, problem.payloads.size());
  for (const Model& arm : problem.payloads) {
    const Eigen::VectorXd begin =
        static_equilibrium(arm, problem.from, problem.loads, StaticModel::exact, {}, problem.hold).q;
    const Eigen::VectorXd rest = held_by_feedback(arm, problem, task, problem.to, all.holding);
    Eigen::MatrixXd K = tangent_stiffness(arm, rest, true, problem.loads);
    K = 0.5 * (K + K.transpose()).eval();
    for (std::size_t j = 0; j < task.driven.size(); ++j)
      K(task.driven[j], task.driven[j]) += task.kp[static_cast<Eigen::Index>(j)];
    task.arms.push_back({arm, begin, rest, mass_matrix_of(arm, rest), K});
  }
  return all;
}

}  // namespace limber
