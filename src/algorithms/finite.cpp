#include "limber/algorithms/finite.hpp"

#include <cmath>
#include <string>

#include "limber/core/computation_error.hpp"
#include "limber/model/coordinates.hpp"

namespace limber {
namespace {

std::string words(double value) { return std::isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf"; }

void require(const char* what, const Eigen::VectorXd& values, const std::vector<std::string>& names) {
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw ComputationError(std::string(what) + " is not finite: `" + names[static_cast<std::size_t>(i)] +
                             "` is " + words(values[i]));
}

}  // namespace

void require_finite(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                    const Eigen::VectorXd& tau, const std::vector<ExternalWrench>& loads) {
  if (!q.allFinite()) require("q", q, position_names(model));
  if (!v.allFinite()) require("v", v, model.coordinates);
  if (!tau.allFinite()) require("tau", tau, model.coordinates);
  for (const ExternalWrench& load : loads)
    if (!load.force.allFinite() || !load.moment.allFinite() || !load.offset.allFinite())
      throw ComputationError("a load on link `" + model.links[static_cast<std::size_t>(load.link)].name +
                             "` is not finite");
}

}  // namespace limber
