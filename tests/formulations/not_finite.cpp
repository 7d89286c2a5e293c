// SPDX-License-Identifier: BSD-3-Clause
// Numbers that are none are called so, and the coordinate is named: a mass matrix made of them is not singular.

#include <gtest/gtest.h>

#include <limits>

#include "limber/algorithms/finite.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/io/model_file.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();

Model canadarm() { return read_model(std::string(LIMBER_MODELS_DIR) + "/canadarm/canadarm.yaml"); }

template <typename Action>
std::string message(Action&& action) {
  try {
    action();
  } catch (const ComputationError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(NotFinite, IsNamedByEveryFormulation) {
  const Model model = canadarm();
  const VectorXd zero = VectorXd::Zero(model.nv());
  for (const char* name : {"recursive", "dense", "dual-screw", "dae"}) {
    const auto formulation = make_formulation(formulation_named(name), model);
    DynamicsOutput output;
    output.acceleration = zero;
    const std::vector<Load> none;
    VectorXd q = zero, v = zero, tau = zero;
    const auto evaluate = [&] { formulation->evaluate({q, v, tau, none}, output); };
    const auto accelerate = [&] { formulation->accelerate({q, v, tau, none}, output); };
    q[4] = nan;
    EXPECT_EQ(message(evaluate), "q is not finite: `" + model.coordinates()[4] + "` is nan") << name;
    EXPECT_EQ(message(accelerate), "q is not finite: `" + model.coordinates()[4] + "` is nan") << name;
    q[4] = -inf;
    EXPECT_EQ(message(evaluate), "q is not finite: `" + model.coordinates()[4] + "` is -inf") << name;
    q[4] = 0.0;
    v[2] = inf;
    EXPECT_EQ(message(evaluate), "v is not finite: `" + model.coordinates()[2] + "` is inf") << name;
    v[2] = 0.0;
    tau[0] = nan;
    EXPECT_EQ(message(evaluate), "tau is not finite: `" + model.coordinates()[0] + "` is nan") << name;
  }
}

TEST(NotFinite, IsNamedByEveryAnalysis) {
  const Model model = canadarm();
  VectorXd q = VectorXd::Zero(model.nv());
  const VectorXd zero = q;
  q[1] = nan;
  const std::string expected = "q is not finite: `" + model.coordinates()[1] + "` is nan";
  EXPECT_EQ(message([&] { static_equilibrium(model, q); }), expected);
  EXPECT_EQ(message([&] { critical_load(model, q, {}); }), expected);
  EXPECT_EQ(message([&] { reach(model, q, {1, 1, 0}, std::nullopt); }), expected);
  EXPECT_EQ(message([&] { natural_modes(model, q, JointTreatment::free); }), expected);
  EXPECT_EQ(message([&] { steady_rotation_modes(model, q, {{0, 1.0}}); }), expected);
  EXPECT_EQ(message([&] { linearize(model, {q, zero, zero, {}}); }), expected);
  EXPECT_EQ(message([&] { dynamics_derivatives(model, q, zero, zero); }), expected);
  EXPECT_EQ(message([&] {
              static_equilibrium(model, zero, {{.link = 0, .force = {nan, 0, 0}}});
            }),
            "a load on link `" + model.links()[0].name + "` is not finite");
}

}  // namespace
}  // namespace limber
