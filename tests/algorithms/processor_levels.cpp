// SPDX-License-Identifier: BSD-3-Clause
// Whatever level of processors the kernels are compiled for, they compute the same.

#include "limber/core/processor_level.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/dual.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Results {
  VectorXd a, tau, da;
  MatrixXd M;
  double energy;
};

Results computed(const Model& model, const reference::State& state) {
  Results r{VectorXd(model.nv()), VectorXd(model.nv()), VectorXd(model.nv()),
            MatrixXd(model.nv(), model.nv()), 0.0};
  Workspace<double> work(model);
  forward_dynamics(model, work, state.q, state.v, state.tau, r.a);
  inverse_dynamics(model, work, state.q, state.v, state.tau, r.tau);
  mass_matrix(model, work, state.q, r.M);
  r.energy = energy(model, work, state.q, state.v).kinetic;
  Workspace<Dual> duals(model);
  VectorX<Dual> q = state.q.cast<Dual>(), v = state.v.cast<Dual>(), tau = state.tau.cast<Dual>(),
                f(model.nv());
  for (int i = 0; i < model.nv(); ++i) v[i] = Dual::variable(state.v[i], i % Dual::direction_count);
  for (const Link& link : model.links())
    for (int j = 0; j < link.elastic_count; ++j)
      q[link.elastic_q_index + j] = Dual::variable(state.q[link.elastic_q_index + j], 1);
  inverse_dynamics(model, duals, q, v, tau, f);
  for (int i = 0; i < model.nv(); ++i) r.da[i] = f[i].derivatives().sum();
  return r;
}

double distance(const VectorXd& a, const VectorXd& b) { return (a - b).norm() / (1.0 + b.norm()); }

class ProcessorLevels : public ::testing::TestWithParam<ProcessorLevel> {
 protected:
  void TearDown() override { use_processor_level(before_); }
  ProcessorLevel before_ = processor_level();
};

TEST_P(ProcessorLevels, ComputeTheSame) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
    const ModelDescription description = reference::random_arm(seed, 1 + static_cast<int>(seed % 6), order);
    const Model model = build_model(description);
    const reference::State state = reference::random_state(description, seed, 0.03);
    use_processor_level(ProcessorLevel::plain);
    const Results plain = computed(model, state);
    use_processor_level(GetParam());
    const Results here = computed(model, state);
    EXPECT_LT(distance(here.a, plain.a), 1e-9) << seed;
    EXPECT_LT(distance(here.tau, plain.tau), 1e-12) << seed;
    EXPECT_LT(distance(here.da, plain.da), 1e-12) << seed;
    EXPECT_LT((here.M - plain.M).norm(), 1e-13 * (1.0 + plain.M.norm())) << seed;
    EXPECT_NEAR(here.energy, plain.energy, 1e-13 * (1.0 + plain.energy)) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ProcessorLevels, ::testing::ValuesIn(available_processor_levels()),
                         [](const auto& tested) {
                           std::string name = name_of(tested.param);
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

TEST(ProcessorLevel, IsOneThatIsThere) {
  const std::vector<ProcessorLevel> available = available_processor_levels();
  ASSERT_FALSE(available.empty());
  EXPECT_EQ(available.front(), ProcessorLevel::plain);
  if (available.back() == ProcessorLevel::x86_64_v4)
    GTEST_SUCCEED();
  else
    EXPECT_THROW(use_processor_level(ProcessorLevel::x86_64_v4), InputError);
}

}  // namespace
}  // namespace limber
