// Formulation `generated`: the code of an arm gives what the recursion gives.

#include <gtest/gtest.h>

#include <cstdlib>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/io/model_file.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

class Generated : public testing::Test {
 protected:
  void SetUp() override { setenv("LIMBER_CACHE", folder_.path().c_str(), 1); }
  void TearDown() override {
    unsetenv("LIMBER_CACHE");
    unsetenv("CXX");
  }
  std::size_t kept() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }

  TemporaryFolder folder_;
  Model model_ = read_model(std::string(LIMBER_MODELS_DIR) + "/lin_lewis_turret/lin_lewis_turret.yaml");
};

TEST_F(Generated, IsTheRecursionWithLoadsAndWrenches) {
  const VectorXd q = (VectorXd(6) << 0.4, 0.5, 0.03, -0.02, 0.05, 0.01).finished(), v = 2.0 * q,
                 tau = 10.0 * q, a = 3.0 * q;
  const std::vector<ExternalWrench> loads{{.link = 1, .force = {1.0, -2.0, 3.0}, .moment = {0.1, 0.2, 0.3}}};
  const auto generated = make_formulation("generated", model_),
             recursive = make_formulation("recursive", model_);
  for (const auto& acting : {std::vector<ExternalWrench>{}, loads}) {
    const DynamicsInput input{q, v, tau, acting};
    DynamicsOutput found, expected;
    generated->evaluate(input, found);
    recursive->evaluate(input, expected);
    EXPECT_LT((found.acceleration - expected.acceleration).norm(), 1e-12 * expected.acceleration.norm());
    for (std::size_t i = 0; i < expected.wrenches.size(); ++i)
      EXPECT_LT((found.wrenches[i] - expected.wrenches[i]).norm(), 1e-11 * expected.wrenches[i].norm());
    VectorXd missing, as_recursive;
    ASSERT_TRUE(generated->missing_forces(input, a, missing));
    ASSERT_TRUE(recursive->missing_forces(input, a, as_recursive));
    EXPECT_LT((missing - as_recursive).norm(), 1e-12 * as_recursive.norm());
  }
}

TEST_F(Generated, IsCompiledOnceForAnArm) {
  make_formulation("generated", model_);
  EXPECT_EQ(kept(), 1u);
  setenv("CXX", "/no/such/compiler", 1);  // another compiler is another code
  EXPECT_THROW(make_formulation("generated", model_), ComputationError);
  unsetenv("CXX");
  make_formulation("generated", model_);
  EXPECT_EQ(kept(), 1u);
}

TEST_F(Generated, RefusesPrescribedJoints) {
  const auto generated = make_formulation("generated", model_);
  EXPECT_NO_THROW(generated->prescribe({}));
  EXPECT_THROW(generated->prescribe({0}), InputError);
}

}  // namespace
}  // namespace limber
