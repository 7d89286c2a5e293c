// SPDX-License-Identifier: BSD-3-Clause
// Where loops are closed, and which joints tell all others there.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/loop_rank.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string digits(double value) {
  char text[32];  // NOLINT
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Coordinates of joints that move bodies; not those of motors behind elastic gears.
std::vector<int> body_coordinates(const Model& model) {
  std::vector<int> coordinates;
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.facts().moving(); ++j) coordinates.push_back(link.joint.v_index + j);
  return coordinates;
}

// Motors behind elastic gears go along with their joints: the springs stay as they are.
void take_motors_along(const Model& model, VectorXd& step) {
  for (const Link& link : model.links())
    if (link.joint.has_motor()) step[link.joint.driven_index()] = step[link.joint.v_index];
}

double largest_gap(const VectorXd& gaps) { return gaps.lpNorm<Eigen::Infinity>(); }

// Gauss and Newton's iteration with the shortest steps of the coordinates that may move, each shortened until it closes something. Returns how far the rows stay from zero.
double close_by(const Model& model, const std::vector<int>& moving, VectorXd& q) {
  constexpr int most_iterations = 200, most_halvings = 10;
  constexpr double closed = 1e-14, longest = 0.5, good_enough = 1e-11;  // rad or m
  Workspace<double> work(model);
  LoopEquations<double> now, then;
  const VectorXd rest = VectorXd::Zero(model.nv());
  loop_equations<double>(model, work, q, rest, now);
  VectorXd next(model.nq());
  for (int i = 0; i < most_iterations && largest_gap(now.gaps) > closed && !moving.empty(); ++i) {
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
    solver.setThreshold(1e-8);
    solver.compute(MatrixXd(now.A(Eigen::all, moving)));
    VectorXd step = VectorXd::Zero(model.nv());
    const VectorXd part = solver.solve(-now.gaps);
    step(moving) = part;
    const double size = step.lpNorm<Eigen::Infinity>();
    if (size > longest) step *= longest / size;
    bool nearer = false;
    for (int k = 0; k < most_halvings && !nearer; ++k, step *= 0.5) {
      VectorXd whole = step;
      take_motors_along(model, whole);
      displace(model, q, whole, next);
      loop_equations<double>(model, work, next, rest, then);
      nearer = then.gaps.norm() < now.gaps.norm();
    }
    if (!nearer) break;
    const double before = largest_gap(now.gaps);
    q = next;
    std::swap(now, then);
    if (largest_gap(now.gaps) <= good_enough && largest_gap(now.gaps) > 0.1 * before) break;  // rounding
  }
  return largest_gap(now.gaps);
}

// Rows are zero where a part is turned over, too.
bool is_closed(const Model& model, const Input<double>& q) {
  constexpr double closed = 1e-9;
  const std::vector<LoopGap> gaps = loop_gaps(model, q);
  return std::all_of(gaps.begin(), gaps.end(),
                     [](const LoopGap& gap) { return gap.distance <= closed && gap.angle <= closed; });
}

// Beams give way to loops that are a little too tight. What would have to bend by a quarter of its length cannot meet.
bool bends_little(const Model& model, const Input<double>& q) {
  return std::all_of(model.links().begin(), model.links().end(), [&](const Link& link) {
    if (link.elastic_count == 0) return true;
    const Eigen::Vector3d deflection =
        link.nodes.front().field.Phi * q.segment(link.elastic_q_index, link.elastic_count);
    return deflection.norm() <= 0.25 * link.length();
  });
}

// Where an attempt begins: at q, then beside it, for where q is a dead centre (a straight arm) or a valley that does not lead to a closed loop.
constexpr int most_attempts = 9;
VectorXd set_off(const Model& model, const Input<double>& q, const std::vector<int>& moving, int attempt) {
  if (attempt == 0) return q;
  const double size = 0.05 * std::pow(1.6, attempt);  // rad or m: up to 2
  VectorXd step = VectorXd::Zero(model.nv()), result(model.nq());
  for (std::size_t i = 0; i < moving.size(); ++i) {
    const double k = static_cast<double>(i + 1) * attempt;
    step[moving[i]] = size * std::sin(1.7 * k + 0.5);
  }
  for (const Link& link : model.links()) step.segment(link.elastic_v_index, link.elastic_count).setZero();
  take_motors_along(model, step);
  displace(model, q, step, result);
  return result;
}

Problem open_loop(const Model& model, const Input<double>& q) {
  const std::vector<LoopGap> gaps = loop_gaps(model, q);
  const auto worst = std::max_element(gaps.begin(), gaps.end(), [](const LoopGap& one, const LoopGap& other) {
    return one.distance + one.angle < other.distance + other.angle;
  });
  std::string found = digits(worst->distance) + " m";
  if (worst->angle > 0.0) found += " and " + digits(worst->angle) + " rad";
  return {"loops[" + std::to_string(worst - gaps.begin()) + "]",
          "places `a` and `b` of loop `" + worst->name + "` that can meet",
          found + " apart, as near as the joints bring them",
          "start from other positions `q`, or look at lengths, places and axes"};
}

template <typename Name>
std::string listed(const std::vector<int>& all, Name&& name) {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i)
    text += (i == 0 ? "`" : i + 1 < all.size() ? ", `" : " and `") + std::string(name(all[i])) + "`";
  return text;
}

// "loops `pin` and `brace`, which lock joints `crank` and `rocker`"
std::string said_of(const Model& model, const LockedLoops& part) {
  const auto joint = [&](int c) { return model.coordinates()[static_cast<std::size_t>(c)]; };
  const auto loop = [&](int i) { return model.loops()[static_cast<std::size_t>(i)].name; };
  const bool one_loop = part.loops.size() == 1, one_joint = part.coordinates.size() == 1;
  return (one_loop ? "loop " : "loops ") + listed(part.loops, loop) +
         (one_loop ? ", which locks " : ", which lock ") + (one_joint ? "joint " : "joints ") +
         listed(part.coordinates, joint);
}

// Where loops leave nothing free there is no mechanism. What bends may be held by as many loops as there are, and so may a frame that the machine carries.
void require_freedom(const Model& model, const Input<double>& q) {
  LoopRank rank(model);
  rank.update(q);
  std::vector<Problem> problems;
  for (const LockedLoops& part : rank.locked())
    if (!part.is_carried)
      problems.push_back(
          {"loops[" + std::to_string(part.loops.back()) + "]", "loops that leave the mechanism a freedom",
           said_of(model, part) + ": nothing there can move",
           "leave a loop out, give one fewer rows (`spherical`, `point-on-line`), look at the directions of "
           "axes; or let a link bend (`beam`), if it is a frame that loops brace"});
  if (!problems.empty()) throw InputError(problems);
}

}  // namespace

VectorXd assemble(const Model& model, const Input<double>& q, const std::vector<int>& kept) {
  const detail::Call call{"assemble", model};
  call.require_position("q", q);
  call.require_coordinates("kept", kept);
  if (model.loops().empty()) return q;
  constexpr double good_enough = 1e-11;
  const std::vector<int> joints = body_coordinates(model);
  std::vector<int> others, all;
  for (const int c : joints)
    if (!contains(kept, c)) others.push_back(c);
  for (const Link& link : model.links()) {
    for (int j = 0; j < link.joint.facts().moving(); ++j) all.push_back(link.joint.v_index + j);
    for (int j = 0; j < link.elastic_count; ++j) all.push_back(link.elastic_v_index + j);
  }
  VectorXd nearest = q;
  double least = std::numeric_limits<double>::infinity();
  for (const std::vector<int>* moving : std::array<const std::vector<int>*, 3>{&others, &joints, &all})
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      if (moving->empty() && attempt > 0) break;
      VectorXd trial = set_off(model, q, *moving, attempt);
      const double gap = close_by(model, *moving, trial);
      const bool can_be = moving != &all || bends_little(model, trial);
      if (gap <= good_enough && is_closed(model, trial) && can_be) {
        require_freedom(model, trial);
        return trial;
      }
      if (moving == &all || !(gap < least)) continue;  // what bends is no measure of what can meet
      least = gap;
      nearest = trial;
    }
  throw InputError(open_loop(model, nearest));
}

std::vector<std::string> braced_frames(const Model& model, const Input<double>& q) {
  detail::Call{"braced_frames", model}.require_position("q", q);
  if (model.loops().empty()) return {};
  LoopRank rank(model);
  rank.update(q);
  std::vector<std::string> sentences;
  for (const LockedLoops& part : rank.locked())
    if (part.is_carried)
      sentences.push_back("there are " + said_of(model, part) +
                          ": what they brace moves as one rigid frame. If it should be a mechanism, look at "
                          "the directions of axes");
  return sentences;
}

void require_closed_loops(const char* function, const Model& model, const Input<double>& q) {
  constexpr double seen = 1e-6;
  if (model.loops().empty()) return;
  for (const LoopGap& gap : loop_gaps(model, q))
    if (!(gap.distance <= seen && gap.angle <= seen))
      throw InputError(Problem{std::string(function) + ": q",
                               "a configuration in which loop `" + gap.name + "` is closed",
                               digits(gap.distance) + " m and " + digits(gap.angle) + " rad of gap",
                               "assemble(model, q) closes it"});
}

// Joints follow if their columns of A stand on their own beside those that were taken before: looked at from the last joint on, then, where that leaves out too many
// (a dead centre is near), by how far they do.
std::vector<int> dependent_joints(const Model& model, const Input<double>& q,
                                  const std::vector<int>& preferred) {
  const detail::Call call{"dependent_joints", model};
  call.require_position("q", q);
  call.require_coordinates("preferred", preferred);
  if (model.loops().empty()) return {};
  constexpr double rounding = 1e-8, far_from_dead_centre = 1e-3;
  Workspace<double> work(model);
  LoopEquations<double> equations;
  const VectorXd rest = VectorXd::Zero(model.nv());
  loop_equations<double>(model, work, q, rest, equations);
  std::vector<int> candidates = body_coordinates(model);
  std::reverse(candidates.begin(), candidates.end());
  std::stable_partition(candidates.begin(), candidates.end(), [&](int c) { return !contains(preferred, c); });
  MatrixXd left = equations.A(Eigen::all, candidates);  // what stands on its own
  const VectorXd sizes = left.colwise().norm();
  const double largest = sizes.size() > 0 ? sizes.maxCoeff() : 0.0;
  std::vector<int> dependent;
  const auto take = [&](Eigen::Index k) {
    const VectorXd direction = left.col(k).normalized();
    dependent.push_back(candidates[static_cast<std::size_t>(k)]);
    for (int again = 0; again < 2; ++again) left -= direction * (direction.transpose() * left);
    left.col(k).setZero();
  };
  for (Eigen::Index k = 0; k < left.cols(); ++k)
    if (sizes[k] > rounding * largest && left.col(k).norm() > far_from_dead_centre * sizes[k]) take(k);
  while (left.cols() > 0) {
    Eigen::Index k = 0;
    if (!(left.colwise().norm().maxCoeff(&k) > rounding * largest)) break;
    take(k);
  }
  std::sort(dependent.begin(), dependent.end());
  return dependent;
}

std::vector<int> independent_joints(const Model& model, const Input<double>& q,
                                    const std::vector<int>& preferred) {
  const std::vector<int> dependent = dependent_joints(model, q, preferred);
  std::vector<int> independent;
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv; ++j)
      if (!contains(dependent, link.joint.v_index + j)) independent.push_back(link.joint.v_index + j);
  return independent;
}

}  // namespace limber
