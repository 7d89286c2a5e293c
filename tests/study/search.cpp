// SPDX-License-Identifier: BSD-3-Clause
// Problems with known solutions: W. Hock and K. Schittkowski, Test Examples for Nonlinear Programming Codes (1981), problem 43; the six-hump camel of
// L. C. W. Dixon and G. P. Szego, Towards Global Optimization 2 (1978).

#include "limber/study/search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/core/interruption.hpp"

namespace limber {
namespace {

using Point = Eigen::VectorXd;

/// f and g of one point, of numbers from `lower` to `upper`.
template <typename Function>
SearchProblem problem(double lower, double upper, const Point& start, Eigen::Index constraints, Function f) {
  SearchProblem all;
  all.start = (start.array() - lower) / (upper - lower);
  all.constraints = constraints;
  all.evaluate = [=](const std::vector<Point>& points) {
    std::vector<std::optional<SearchValue>> values;
    for (const Point& x : points) {
      EXPECT_TRUE((x.array() >= 0.0).all() && (x.array() <= 1.0).all()) << x.transpose();
      values.push_back(f(Point(lower + (upper - lower) * x.array())));
    }
    return values;
  };
  return all;
}

Point numbers(std::initializer_list<double> list) {
  return Eigen::Map<const Point>(list.begin(), static_cast<Eigen::Index>(list.size()));
}

SearchValue rosen_suzuki(const Point& x) {
  const double a = x[0], b = x[1], c = x[2], d = x[3];
  SearchValue value;
  value.objective = a * a + b * b + 2 * c * c + d * d - 5 * a - 5 * b - 21 * c + 7 * d;
  value.constraints = numbers({a * a + b * b + c * c + d * d + a - b + c - d - 8,
                               a * a + 2 * b * b + c * c + 2 * d * d - a - d - 10,
                               2 * a * a + b * b + c * c + 2 * a - b - d - 5});
  return value;
}

double camel(double x, double y) {
  return (4 - 2.1 * x * x + x * x * x * x / 3) * x * x + x * y + 4 * (y * y - 1) * y * y;
}

class Search : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto problem = why_no_search()) GTEST_SKIP() << "built without NLopt";
  }
};

TEST_F(Search, FindsTheSolutionOfRosenAndSuzuki) {
  const SearchProblem asked = problem(-3.0, 3.0, numbers({-1, -1, 1, 1}), 3, rosen_suzuki);
  for (const SearchMethod method : {SearchMethod::gradient, SearchMethod::derivative_free}) {
    const SearchOutcome found = search(asked, {method, 1e-7, 4000, 1});
    ASSERT_TRUE(found.value) << found.end;
    EXPECT_TRUE(found.is_feasible) << found.end;
    // At the solution f is as flat as the constraints let it: errors of g (1e-7) times multipliers (2 and 1).
    EXPECT_NEAR(found.value->objective, -44.0, 1e-5) << found.end;
    const Point x = -3.0 + 6.0 * found.x.array();
    EXPECT_LT((x - numbers({0, 1, 2, -1})).norm(), 1e-2) << x.transpose();
    EXPECT_GT(found.evaluations, 10);
  }
}

TEST_F(Search, EverywhereLeavesALocalMinimum) {
  const auto value = [](const Point& x) { return SearchValue{camel(x[0], x[1]), Eigen::VectorXd()}; };
  const SearchProblem asked = problem(-2.0, 2.0, numbers({1.7, -0.8}), 0, value);
  const SearchOutcome here = search(asked, {SearchMethod::gradient, 1e-8, 2000, 1});
  EXPECT_NEAR(here.value->objective, -0.215464, 1e-6) << here.end;
  const SearchOutcome best = search(asked, {SearchMethod::global, 1e-8, 4000, 1});
  EXPECT_NEAR(best.value->objective, -1.031628453, 1e-6) << best.end;
  // The same once more, whatever was random before.
  const SearchOutcome other = search(asked, {SearchMethod::global, 1e-8, 4000, 2});
  const SearchOutcome again = search(asked, {SearchMethod::global, 1e-8, 4000, 1});
  EXPECT_EQ(again.x, best.x);
  EXPECT_NE(again.evaluations == other.evaluations && again.x == other.x, true);
}

TEST_F(Search, EndsAtABoundWhereTheSmallestLies) {
  // Both smallest values lie outside; at the upper bound the gradient is a difference to one side.
  const auto value = [](const Point& x) {
    return SearchValue{std::pow(x[0] + 0.2, 2) + std::pow(x[1] - 1.5, 2), Eigen::VectorXd()};
  };
  const SearchOutcome found =
      search(problem(0.0, 1.0, numbers({0.5, 1.0}), 0, value), {SearchMethod::gradient});
  EXPECT_EQ(found.x[0], 0.0);
  EXPECT_EQ(found.x[1], 1.0);
}

TEST_F(Search, GoesRoundWhatCannotBeComputed) {
  // Smallest at 0.9; beyond 0.6 nothing can be computed.
  const auto value = [](const Point& x) {
    return x[0] > 0.6 ? std::nullopt
                      : std::optional<SearchValue>({std::pow(x[0] - 0.9, 2), Eigen::VectorXd()});
  };
  for (const SearchMethod method : {SearchMethod::derivative_free, SearchMethod::global}) {
    const SearchOutcome found = search(problem(0.0, 1.0, numbers({0.1}), 0, value), {method, 1e-6, 1000, 1});
    ASSERT_TRUE(found.value);
    EXPECT_NEAR(found.x[0], 0.6, 1e-2) << found.end;
  }
  // And does not stay there: smallest at 0.3, begun at the edge.
  const auto inside = [](const Point& x) {
    return x[0] > 0.6 ? std::nullopt
                      : std::optional<SearchValue>({std::pow(x[0] - 0.3, 2), Eigen::VectorXd()});
  };
  const SearchOutcome away =
      search(problem(0.0, 1.0, numbers({0.55}), 0, inside), {SearchMethod::derivative_free, 1e-6, 1000, 1});
  EXPECT_NEAR(away.x[0], 0.3, 1e-3) << away.end;
  const auto never = [](const Point&) { return std::optional<SearchValue>(); };
  const SearchOutcome none = search(problem(0.0, 1.0, numbers({0.1}), 0, never), {SearchMethod::gradient});
  EXPECT_FALSE(none.value);
  EXPECT_FALSE(none.is_feasible);
}

TEST_F(Search, IsEndedByWhatIsThrown) {
  int count = 0;
  const auto value = [&count](const Point& x) -> SearchValue {
    if (++count > 7) throw Interrupted();
    return {x.squaredNorm(), Eigen::VectorXd()};
  };
  for (const SearchMethod method :
       {SearchMethod::gradient, SearchMethod::derivative_free, SearchMethod::global}) {
    count = 0;
    EXPECT_THROW(search(problem(0.0, 1.0, numbers({0.5, 0.5}), 0, value), {method}), Interrupted);
    EXPECT_EQ(count, 8);
  }
}

}  // namespace
}  // namespace limber
