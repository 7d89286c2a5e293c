// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/holding_path.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/detail/arguments.hpp"
#include "valid_scenario.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int highest_degree = 64;

// The settled arm at one time: value() of HoldingPath.
class SettledArm {
 public:
  SettledArm(const Model& model, const VectorXd& q, const std::vector<JointTarget>& moving)
      : model_(model), q_(q), moving_(moving), position_(positions_of_coordinates(model)) {
    for (const JointTarget& joint : moving)
      held_.push_back(model.coordinates()[static_cast<std::size_t>(joint.coordinate)]);
    placed = elastic_coordinates(model);
    for (const int c : passive_coordinates(model, held_)) placed.push_back(c);
  }
  std::vector<int> placed;  ///< what finds its place by itself

  VectorXd at(double t, double within) {
    for (const JointTarget& joint : moving_) q_[joint.position] = joint.trajectory->at(t, within).position;
    const Equilibrium found = static_equilibrium(model_, q_, {}, StaticModel::exact, {}, held_);
    VectorXd result = found.efforts;
    for (const int c : placed) result[c] = found.q[position_[static_cast<std::size_t>(c)]];
    return result;
  }

  // Nothing moves between two corners, as far as some places in between can tell.
  bool rests(double begin, double end) const {
    constexpr double places[] = {0.0, 0.12, 0.37, 0.61, 0.88, 1.0};  // NOLINT
    const double within = 0.5 * (begin + end);
    return std::all_of(moving_.begin(), moving_.end(), [&](const JointTarget& joint) {
      const double first = joint.trajectory->at(begin, within).position;
      return std::all_of(std::begin(places), std::end(places), [&](double x) {
        return joint.trajectory->at(begin + x * (end - begin), within).position == first;
      });
    });
  }

 private:
  const Model& model_;
  VectorXd q_;
  const std::vector<JointTarget>& moving_;
  std::vector<int> position_;
  JointNames held_;
};

// (1) from values in columns.
MatrixXd chebyshev_coefficients(const MatrixXd& values) {
  const Index n = values.cols() - 1;
  MatrixXd weights(n + 1, n + 1);
  for (Index j = 0; j <= n; ++j)
    for (Index k = 0; k <= n; ++k) {
      double weight = 2.0 / static_cast<double>(n) *
                      std::cos(std::numbers::pi * static_cast<double>(j * k) / static_cast<double>(n));
      if (k == 0 || k == n) weight *= 0.5;
      if (j == 0 || j == n) weight *= 0.5;
      weights(k, j) = weight;
    }
  return values * weights;
}

// The last coefficients beside the largest of their kind (efforts, places).
bool has_converged(const MatrixXd& c, const std::vector<int>& rows) {
  constexpr double small = 1e-7;
  if (rows.empty()) return true;
  const MatrixXd kind = c(rows, Eigen::all);
  return kind.rightCols(2).cwiseAbs().maxCoeff() <= small * kind.cwiseAbs().maxCoeff();
}

std::vector<double> corners_of(const std::vector<JointTarget>& moving, double duration) {
  std::vector<double> corners = {0.0, duration};
  for (const JointTarget& joint : moving)
    for (const double corner : joint.trajectory->corners())
      if (corner > 0.0 && corner < duration) corners.push_back(corner);
  std::sort(corners.begin(), corners.end());
  constexpr double rounding = 1e-12;
  const auto same = [&](double a, double b) { return b - a <= rounding * duration; };
  corners.erase(std::unique(corners.begin(), corners.end(), same), corners.end());
  corners.back() = duration;
  return corners;
}

}  // namespace

HoldingPath::HoldingPath(const Model& model, const VectorXd& q, const std::vector<JointTarget>& moving,
                         double duration)
    : value_(model.nv()), rate_(model.nv()), T_(highest_degree + 1), T_rate_(highest_degree + 1) {
  detail::Call{"HoldingPath", model}.require_position("q", q);
  for (const JointTarget& target : moving) require_target("HoldingPath", "moving", model, target);
  if (!(std::isfinite(duration) && duration > 0.0))
    throw InputError(Problem{"HoldingPath: duration", "a number > 0 [s]", std::to_string(duration), ""});
  SettledArm arm(model, q, moving);
  placed_ = arm.placed;
  std::vector<int> efforts = all_coordinates(model);
  for (const int c : placed_) std::erase(efforts, c);
  const std::vector<double> corners = corners_of(moving, duration);
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    const double begin = corners[i], end = corners[i + 1], within = 0.5 * (begin + end);
    Piece piece{begin, end, {}};
    if (arm.rests(begin, end)) {
      piece.c = arm.at(within, within);
    } else {
      for (int n = 4; n <= highest_degree; n *= 2) {
        MatrixXd values(model.nv(), n + 1);
        for (int k = 0; k <= n; ++k) {
          const double x = std::cos(std::numbers::pi * k / n);
          values.col(k) = arm.at(0.5 * (begin + end) + 0.5 * (end - begin) * x, within);
        }
        piece.c = chebyshev_coefficients(values);
        if (has_converged(piece.c, efforts) && has_converged(piece.c, placed_)) break;
      }
    }
    pieces_.push_back(std::move(piece));
  }
}

// T_(j+1) = 2 x T_j - T_(j-1), and its derivative.
void HoldingPath::go_to(double t, double within) {
  const Piece& piece =
      *std::upper_bound(pieces_.begin(), pieces_.end() - 1, within,
                        [](double time, const Piece& candidate) { return time < candidate.end; });
  const double scale = 2.0 / (piece.end - piece.begin);
  const double x = std::clamp((t - piece.begin) * scale - 1.0, -1.0, 1.0);
  const Index n = piece.c.cols();
  T_[0] = 1.0;
  T_rate_[0] = 0.0;
  T_[1] = x;
  T_rate_[1] = scale;
  for (Index j = 2; j < n; ++j) {
    T_[j] = 2.0 * x * T_[j - 1] - T_[j - 2];
    T_rate_[j] = 2.0 * (scale * T_[j - 1] + x * T_rate_[j - 1]) - T_rate_[j - 2];
  }
  value_.noalias() = piece.c.lazyProduct(T_.head(n));
  rate_.noalias() = piece.c.lazyProduct(T_rate_.head(n));
}

}  // namespace limber
