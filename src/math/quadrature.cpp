// SPDX-License-Identifier: BSD-3-Clause
#include "limber/math/quadrature.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <mutex>
#include <numbers>

namespace limber {
namespace {

constexpr int largest_rule = 64;

// Something of every rule, found when it is first asked for: all of them are a third of what a short command computes, and it needs a few.
template <typename Value>
class OfEveryRule {
 public:
  explicit OfEveryRule(Value (*compute)(int)) : compute_(compute) {}

  const Value& operator[](int n) {
    const auto i = static_cast<std::size_t>(n);
    std::call_once(once_.at(i), [&] { values_[i] = compute_(n); });
    return values_[i];
  }

 private:
  Value (*compute_)(int);
  std::array<std::once_flag, largest_rule + 1> once_;
  std::array<Value, largest_rule + 1> values_;
};

// P_0(x) ... P_n(x) by Bonnet's recursion.
template <typename Real>
std::vector<Real> legendre_values(int n, Real x) {
  std::vector<Real> values(n + 1, Real(1));
  if (n >= 1) values[1] = x;
  for (int k = 2; k <= n; ++k) values[k] = ((2 * k - 1) * x * values[k - 1] - (k - 1) * values[k - 2]) / k;
  return values;
}

GaussRule compute_rule(int n) {
  GaussRule rule{Eigen::VectorXd(n), Eigen::VectorXd(n)};
  for (int i = 0; i < n; ++i) {
    // Newton's method in extended precision from Tricomi's estimate; it converges in three or four steps, to ten units in the last place:
    // the rest is lost when the node becomes a double.
    constexpr int most_steps = 10;
    constexpr long double converged = 1e-18L;
    long double x = -std::cos(std::numbers::pi_v<long double> * (i + 0.75L) / (n + 0.5L));
    long double derivative = 0;
    for (int step = 0; step < most_steps; ++step) {
      const auto P = legendre_values<long double>(n, x);
      derivative = n * (x * P[n] - P[n - 1]) / (x * x - 1);
      const long double correction = P[n] / derivative;
      x -= correction;
      if (std::abs(correction) < converged) break;
    }
    if (2 * i + 1 == n) x = 0;
    const auto P = legendre_values<long double>(n, x);
    derivative = n * (x * P[n] - P[n - 1]) / (x * x - 1);
    rule.nodes[i] = static_cast<double>(x);
    rule.weights[i] = static_cast<double>(2 / ((1 - x * x) * derivative * derivative));
  }
  return rule;
}

// Row i: the weights that integrate the polynomial through the rule's nodes from -1 to node i.
//
//   l_j(t) = w_j Sum_k (2k + 1)/2 P_k(t_j) P_k(t),    Int_-1^x P_k = (P_{k+1}(x) - P_{k-1}(x)) / (2k + 1)
Eigen::MatrixXd compute_running_weights(const GaussRule& rule) {
  const int n = static_cast<int>(rule.nodes.size());
  Eigen::MatrixXd integrated(n, n);  // (i, k): Int_-1^{t_i} P_k * (2k + 1)/2
  Eigen::MatrixXd values(n, n);      // (j, k): P_k(t_j)
  for (int i = 0; i < n; ++i) {
    const auto P = legendre_values<double>(n, rule.nodes[i]);
    integrated(i, 0) = 0.5 * (rule.nodes[i] + 1.0);
    for (int k = 1; k < n; ++k) integrated(i, k) = 0.5 * (P[k + 1] - P[k - 1]);
    for (int k = 0; k < n; ++k) values(i, k) = P[k];
  }
  return integrated * values.transpose() * rule.weights.asDiagonal();
}

const Eigen::MatrixXd& running_weights(int n) {
  static OfEveryRule<Eigen::MatrixXd> table([](int k) { return compute_running_weights(gauss_legendre(k)); });
  return table[n];
}

}  // namespace

const GaussRule& gauss_legendre(int n) {
  assert(n >= 1 && n <= largest_rule);
  static OfEveryRule<GaussRule> table(compute_rule);
  return table[n];
}

PanelGrid::PanelGrid(const std::vector<double>& breakpoints, double longest_panel, int points_per_panel)
    : points_per_panel_(points_per_panel) {
  assert(breakpoints.size() >= 2 && longest_panel > 0);
  constexpr double rounding = 1e-9;  // of a width that is meant to be a whole number of panels
  ends_.push_back(breakpoints.front());
  for (std::size_t i = 1; i < breakpoints.size(); ++i) {
    const double left = breakpoints[i - 1];
    const double width = breakpoints[i] - left;
    assert(width > 0);
    const int pieces = std::max(1, static_cast<int>(std::ceil(width / longest_panel - rounding)));
    for (int piece = 1; piece < pieces; ++piece) ends_.push_back(left + width * piece / pieces);
    ends_.push_back(breakpoints[i]);
  }

  const GaussRule& rule = gauss_legendre(points_per_panel);
  points_.resize(panel_count() * points_per_panel);
  weights_.resize(points_.size());
  for (int panel = 0; panel < panel_count(); ++panel) {
    const double half = 0.5 * (ends_[panel + 1] - ends_[panel]);
    const double middle = 0.5 * (ends_[panel + 1] + ends_[panel]);
    points_.segment(panel * points_per_panel, points_per_panel) =
        (middle + half * rule.nodes.array()).matrix();
    weights_.segment(panel * points_per_panel, points_per_panel) = half * rule.weights;
  }
}

int PanelGrid::nearest_end(double x) const {
  const auto above = std::lower_bound(ends_.begin(), ends_.end(), x);
  if (above == ends_.begin()) return 0;
  if (above == ends_.end()) return panel_count();
  const int index = static_cast<int>(above - ends_.begin());
  return x - ends_[index - 1] < ends_[index] - x ? index - 1 : index;
}

PanelGrid::Running PanelGrid::running_integral(const Eigen::Ref<const Eigen::MatrixXd>& samples) const {
  assert(samples.rows() == points_.size());
  const int n = points_per_panel_;
  const Eigen::MatrixXd& from_left = running_weights(n);
  Running running{Eigen::MatrixXd(samples.rows(), samples.cols()),
                  Eigen::MatrixXd(panel_count() + 1, samples.cols())};
  running.at_ends.row(0).setZero();
  for (int panel = 0; panel < panel_count(); ++panel) {
    const auto values = samples.middleRows(panel * n, n);
    const double half = 0.5 * (ends_[panel + 1] - ends_[panel]);
    running.at_points.middleRows(panel * n, n).noalias() = half * from_left * values;
    running.at_points.middleRows(panel * n, n).rowwise() += running.at_ends.row(panel);
    running.at_ends.row(panel + 1) =
        running.at_ends.row(panel) + weights_.segment(panel * n, n).transpose() * values;
  }
  return running;
}

}  // namespace limber
