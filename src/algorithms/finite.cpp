// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/finite.hpp"

#include <cmath>
#include <string>

#include "limber/core/computation_error.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {
namespace {

std::string words(double value) { return std::isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf"; }

void require(const char* what, const Input<double>& values, const std::vector<std::string>& names) {
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw ComputationError(std::string(what) + " is not finite: `" + names[static_cast<std::size_t>(i)] +
                             "` is " + words(values[i]));
}

}  // namespace

void require_finite(const Model& model, const Input<double>& q, const Input<double>& v,
                    const Input<double>& tau, const std::vector<Load>& loads) {
  // Who is called once looks here first, so sizes are looked at, too.
  const detail::Call call{"state", model};
  call.require_position("q", q);
  if (v.size() > 0) call.require_velocity("v", v);
  if (tau.size() > 0) call.require_velocity("tau", tau);
  call.require_loads(loads);
  if (!q.allFinite()) require("q", q, position_names(model));
  if (!v.allFinite()) require("v", v, model.coordinates());
  if (!tau.allFinite()) require("tau", tau, model.coordinates());
  for (const Load& load : loads)
    if (!load.force.allFinite() || !load.moment.allFinite() || !load.offset.allFinite())
      throw ComputationError("a load on link `" + model.links()[static_cast<std::size_t>(load.link)].name +
                             "` is not finite");
}

}  // namespace limber
