// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/endpoint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/lookup.hpp"
#include "limber/model/loops.hpp"
#include "limber/model/telescopes.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// How what is not held gives way to a wrench at a point, K_t^-1 J_f^T.
struct GivingWay {
  std::vector<int> free;
  MatrixXd J_f, per_wrench;
};
GivingWay giving_way(const Model& model, const Input<double>& q, const Frame& frame,
                     const std::vector<Load>& loads, const JointNames& hold) {
  require_plain_tree(model, "compliance of the end effector");
  GivingWay result{passive_coordinates(model, hold), {}, {}};
  for (const int i : elastic_coordinates(model)) result.free.push_back(i);
  if (result.free.empty()) return result;
  Workspace<double> work(model);
  Matrix6X<double> J(6, model.nv());
  update_positions(model, work, q);
  update_world_poses(work);
  frame_jacobian(model, work, frame, MotionAxes::local_world_aligned, J);
  const MatrixXd K = tangent_stiffness(model, q, true, loads)(result.free, result.free);
  result.J_f = J(Eigen::all, result.free);
  const Eigen::FullPivLU<MatrixXd> factor(K);
  if (!factor.isInvertible())
    throw ComputationError(
        "the tangent stiffness at this state is singular: nothing holds some coordinate, or the arm buckles "
        "here");
  result.per_wrench = factor.solve(MatrixXd(result.J_f.transpose()));
  return result;
}

double strain_of(const Link& link, const VectorXd& eta, const StrainGauge& gauge) {
  const BeamStrain strain = beam_strain(link, eta, gauge.x);
  switch (gauge.strain) {
    case StrainKind::kappa_y:
      return strain.kappa_y;
    case StrainKind::kappa_z:
      return strain.kappa_z;
    case StrainKind::twist:
      return strain.twist;
    case StrainKind::stretch:
      break;
  }
  return strain.stretch;
}

void require_gauge(const detail::Call& call, const Model& model, const StrainGauge& gauge) {
  call.require_link("gauges", gauge.link);
  const Link& link = model.links()[static_cast<std::size_t>(gauge.link)];
  if (!link.beam)
    throw InputError(
        Problem{"endpoint_force: gauges", "places on links with a beam",
                "`" + link.name + (link.body ? "`, a body of finite elements" : "`, which is rigid"), ""});
  require_no_telescopes(model, "a force from strain gauges");
  if (!(gauge.x >= 0.0 && gauge.x <= link.beam->basis.length()))
    throw InputError(
        Problem{"endpoint_force: gauges",
                "places from 0 to " + show_number(link.beam->basis.length()) + " m on `" + link.name + "`",
                show_number(gauge.x), ""});
  if (!std::isfinite(gauge.reading) || !(gauge.error >= 0.0 && std::isfinite(gauge.error)))
    throw InputError(Problem{"endpoint_force: gauges", "finite readings, and errors of zero or more",
                             show_number(gauge.reading) + " +- " + show_number(gauge.error), ""});
}

}  // namespace

StrainGauge gauge_on(const Model& model, std::string_view name, double x) {
  const Link& link = model.links()[static_cast<std::size_t>(place_on(model, name, 0.0).link)];
  if (!link.beam)
    throw InputError(Problem{"link", "a link that bends", show_text(name) + ", which is rigid", ""});
  const double own = link.beam->basis.length();
  const bool is_whole = link.segments > 1 && link.name != name;
  const double length =
      is_whole ? model.description().links[static_cast<std::size_t>(link.described)].beam->axis_length()
               : own;
  if (!(x >= 0.0 && x <= length))
    throw InputError(Problem{"x", "a place from 0 to " + show_number(length) + " m", show_number(x), ""});
  StrainGauge gauge;
  const LinkPlace place = place_on(model, name, is_whole ? x / length : 0.0);
  gauge.link = place.link;
  gauge.x = is_whole ? place.at * own : x;
  return gauge;
}

EndpointCompliance endpoint_compliance(const Model& model, const Input<double>& q, const Frame& frame,
                                       const std::vector<Load>& loads, const JointNames& hold) {
  EndpointCompliance result;
  result.compliance.setZero();
  const GivingWay gives = giving_way(model, q, frame, loads, hold);
  if (gives.free.empty()) return result;
  result.compliance = gives.J_f * gives.per_wrench;  // (1)
  // Rows of metres and of radians are compared as they are scaled by what gives way: C's own diagonal.
  constexpr double rounding = 1e-12;
  const Eigen::Matrix<double, 6, 1> size = result.compliance.diagonal().cwiseAbs().cwiseSqrt();
  const Eigen::Matrix<double, 6, 1> scale =
      size.unaryExpr([&](double x) { return x > rounding * size.maxCoeff() ? 1.0 / x : 0.0; });
  const MatrixXd scaled = scale.asDiagonal() * result.compliance * scale.asDiagonal();
  Eigen::JacobiSVD<MatrixXd> svd(scaled);
  svd.setThreshold(rounding);
  result.rank = static_cast<int>(svd.rank());
  if (result.rank == 6) result.stiffness = Eigen::PartialPivLU<MatrixXd>(result.compliance).inverse();
  return result;
}

EndpointForce endpoint_force(const Model& model, const Input<double>& q, const Frame& frame,
                             const std::vector<StrainGauge>& gauges, const std::vector<int>& components,
                             const std::vector<Load>& loads, const JointNames& hold) {
  const detail::Call call{"endpoint_force", model};
  call.require_position("q", q);
  call.require_frame("frame", frame);
  call.require_loads(loads);
  for (const StrainGauge& gauge : gauges) require_gauge(call, model, gauge);
  const bool are_components =
      std::all_of(components.begin(), components.end(), [](int c) { return c >= 0 && c < 6; });
  if (components.empty() || !are_components || gauges.size() < components.size())
    throw InputError(Problem{
        "endpoint_force: components", "one to six of 0 to 5, at most as many as gauges",
        std::to_string(components.size()) + " with " + std::to_string(gauges.size()) + " gauges", ""});
  const auto count = static_cast<Index>(gauges.size());
  EndpointForce result{Eigen::Matrix<double, 6, 1>::Zero(), Eigen::Matrix<double, 6, 1>::Zero(),
                       VectorXd::Zero(count), 0};
  constexpr int most_iterations = 50;
  constexpr double converged = 1e-10, rounding = 1e-9;
  while (result.iterations++ < most_iterations) {
    std::vector<Load> pushed = loads;
    pushed.push_back({frame.link, frame.node, Axes::world, result.wrench.head<3>(), result.wrench.tail<3>(),
                      frame.X_NE.p});
    const VectorXd at = static_equilibrium(model, q, pushed, StaticModel::exact, {}, hold).q;
    const GivingWay gives = giving_way(model, at, frame, pushed, hold);
    // (2)
    MatrixXd S = MatrixXd::Zero(count, static_cast<Index>(gives.free.size()));
    for (Index j = 0; j < count; ++j) {
      const StrainGauge& gauge = gauges[static_cast<std::size_t>(j)];
      const Link& link = model.links()[static_cast<std::size_t>(gauge.link)];
      result.left_over[j] =
          gauge.reading - strain_of(link, at.segment(link.elastic_q_index, link.elastic_count), gauge);
      for (std::size_t k = 0; k < gives.free.size(); ++k) {
        const int i = gives.free[k] - link.elastic_v_index;
        if (i >= 0 && i < link.elastic_count)
          S(j, static_cast<Index>(k)) = strain_of(link, VectorXd::Unit(link.elastic_count, i), gauge);
      }
    }
    const MatrixXd A = (S * gives.per_wrench)(Eigen::all, components);
    // Components of newtons and of newton metres, and gauges of any kind: each by its own size.
    const VectorXd size = A.colwise().norm().cwiseMax(std::numeric_limits<double>::min());
    const Eigen::ColPivHouseholderQR<MatrixXd> factor(A * size.cwiseInverse().asDiagonal());
    const VectorXd pivots = factor.matrixQR().diagonal().cwiseAbs();
    if (!(pivots.minCoeff() > rounding * pivots.maxCoeff()))
      throw ComputationError(
          "the gauges cannot tell these components of the wrench apart: they show the same for some of them, "
          "or "
          "nothing. Ask for fewer components, or put gauges elsewhere");
    const MatrixXd inverse =
        size.cwiseInverse().asDiagonal() * MatrixXd(factor.solve(MatrixXd::Identity(count, count)));
    const VectorXd step = inverse * result.left_over;
    double change = 0.0, whole = 0.0;
    for (std::size_t i = 0; i < components.size(); ++i) {
      const auto row = static_cast<Index>(i);
      result.wrench[components[i]] += step[row];
      result.bound[components[i]] = 0.0;
      for (Index j = 0; j < count; ++j)
        result.bound[components[i]] +=
            std::abs(inverse(row, j)) * gauges[static_cast<std::size_t>(j)].error;  // (3)
      change = std::max(change, std::abs(step[row]) * size[row]);
      whole = std::max(whole, std::abs(result.wrench[components[i]]) * size[row]);
    }
    if (change <= converged * whole || whole == 0.0) return result;
  }
  throw ComputationError("the force at the point was not found: no equilibrium shows what the gauges show");
}

}  // namespace limber
