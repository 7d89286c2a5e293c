// SPDX-License-Identifier: BSD-3-Clause
// From an `nmpc` of a scenario to its controller. Weights are those of lqr_design.hpp, in natural modes y = Y x of the settled arm where targets end:
//
//   Q = diag(Y, Y)^T Q_modes diag(Y, Y)                                                                    (1)
//
// P and K are those of samples (sampled_design.hpp), of the step that the controller takes, about that arm, with lqr's design damping: Y^T diag(2 zeta w) Y.
//
// A state beyond its limit costs ten thousand times what it costs at its target. A speed for which nothing is asked otherwise is counted as the way it takes in 1/omega.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "controllers.hpp"
#include "held_step.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/loops.hpp"
#include "limber/simulation/predictive_control.hpp"
#include "lqr_design.hpp"
#include "sampled_design.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double beyond_a_limit = 1e4;  // times the weight at the target
constexpr double usual_horizon = 2.0;   // slowest periods
constexpr int most_intervals = 2000;

// (1)
MatrixXd of_coordinates(const LqrDesign& design, const MatrixXd& Q_modes) {
  const Index p = design.to_modes.rows(), n = design.to_modes.cols();
  MatrixXd Y = MatrixXd::Zero(2 * p, 2 * n);
  Y.topLeftCorner(p, n) = Y.bottomRightCorner(p, n) = design.to_modes;
  return Y.transpose() * Q_modes.topLeftCorner(2 * p, 2 * p) * Y;
}

VectorXd softness_of(const MatrixXd& Q, double omega) {
  const Index n = Q.rows() / 2;
  VectorXd s = Q.diagonal();
  s.tail(n) = s.tail(n).cwiseMax(s.head(n) / (omega * omega));
  return beyond_a_limit * s;
}

// How the controller is asked; the same in all entries (check()).
struct Settings {
  double rate, horizon;
  int intervals;
};
Settings settings_of(const Driven<actuations::Nmpc>& first, double period) {
  const double horizon = first.how.horizon.value_or(usual_horizon * period);
  const double wanted = std::ceil(horizon * first.how.rate - 1e-9);
  if (wanted > most_intervals)
    throw InputError(
        Problem{fmt::format("actuation[{}].{}", first.entry, first.how.horizon ? "horizon" : "rate"),
                fmt::format("at most {} samples in the horizon", most_intervals),
                fmt::format("{:.0f}: {:.4g} s, {:.4g} samples per second", wanted, horizon, first.how.rate),
                "take a shorter `horizon`, or a lower `rate`"});
  return {first.how.rate, horizon, std::max(1, static_cast<int>(wanted))};
}

}  // namespace

void actuations::Nmpc::add_controllers(ControllerSite& site, const std::vector<Driven<Nmpc>>& driven) {
  require_plain_tree(site.model, "model predictive control");
  const std::string path = fmt::format("actuation[{}]", driven.front().entry);
  if (!site.prescribed.empty())
    throw InputError(Problem{
        path, "an arm none of whose joints is prescribed, for nmpc",
        "`" + site.model.coordinates()[static_cast<std::size_t>(site.prescribed.front().coordinate)] + "`",
        "let nmpc drive it, too, or take lqr"});
  std::vector<LqrJoint> joints;
  for (const auto& joint : driven) {
    const Nmpc& how = joint.how;
    TrajectoryPointer wanted =
        how.target ? site.follow(*how.target, joint.position) : constant_trajectory(site.q[joint.position]);
    joints.push_back({{joint.coordinate, joint.position, std::move(wanted)},
                      how.position_weight,
                      how.energy_weight,
                      how.effort_weight,
                      false});
  }
  const LqrDesign design = design_lqr(site.model, site.q, joints, site.prescribed, site.duration);
  const double period = faster_than_first * 2.0 * std::numbers::pi / design.omega;
  const Settings settings = settings_of(driven.front(), period);
  const bool bends = !elastic_coordinates(site.model).empty();
  if (bends && settings.horizon < (1.0 - 1e-9) * period)
    site.doubts.push_back(fmt::format(
        "the horizon of nmpc, {:.4g} s, is shorter than the period of the arm's slowest vibration, "
        "{:.4g} s: what it would have to avoid lies beyond what it sees. Beyond the horizon it counts on "
        "lqr's feedback, which knows of no limits",
        settings.horizon, period));

  PredictiveDesign result;
  result.driven = design.driven;
  result.rate = settings.rate;
  result.intervals = settings.intervals;
  result.iterations = driven.front().how.iterations;
  result.Q = of_coordinates(design, design.Q);
  result.R = design.R;
  result.softness = softness_of(result.Q, design.omega);

  const Index p = design.to_modes.rows();
  const VectorXd added = (design.A - design.A_design).bottomRightCorner(p, p).diagonal();
  const std::vector<int> inputs = joint_coordinates(site.model);
  const MatrixXd all_inputs = input_matrix(site.model);
  MatrixXd B(site.model.nv(), static_cast<Index>(joints.size()));
  VectorXd u(B.cols()), start(2 * site.model.nv());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const int c = joints[i].target.coordinate;
    B.col(static_cast<Index>(i)) =
        all_inputs.col(std::find(inputs.begin(), inputs.end(), c) - inputs.begin());
    u[static_cast<Index>(i)] = design.point.tau[c];
  }
  const double T = 1.0 / settings.rate;
  HeldStep step(site.model, B, T, design.to_modes.transpose() * added.asDiagonal() * design.to_modes);
  HeldStep::Linearised end;
  start << design.point.q, VectorXd::Zero(site.model.nv());
  step.linearise(start, u, VectorXd::Zero(HeldStep::stages * site.model.nv()), end);
  SampledRegulator beyond = sampled_regulator(end.A, end.B, T * result.Q, T * result.R);
  result.P = std::move(beyond.X);
  result.K = std::move(beyond.K);
  site.controllers.push_back(std::make_unique<PredictiveController>(
      site.model, site.q,
      HoldingPath(site.model, site.q, design.moving, site.duration + (settings.intervals + 1) * T),
      std::move(result)));
}

}  // namespace limber
