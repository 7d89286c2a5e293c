// SPDX-License-Identifier: BSD-3-Clause
// The papers' own objects, as the program gives them.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <map>
#include <nlohmann/json.hpp>

#include "run_program.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Json = nlohmann::json;
using test::Outcome;
using test::run;

VectorXd vector_of(const Json& list) {
  VectorXd vector(static_cast<Eigen::Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) vector[static_cast<Eigen::Index>(i)] = list[i];
  return vector;
}
MatrixXd matrix_of(const Json& rows) {
  MatrixXd matrix(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.at(0).size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    matrix.row(static_cast<Eigen::Index>(i)) = vector_of(rows[i]).transpose();
  return matrix;
}

class Papers : public testing::Test {
 protected:
  Json eval(const std::string& options) const {
    const Outcome outcome = run("eval --json --quiet --state " + state_.string() + " " + options + " " +
                                LIMBER_MODELS_DIR "/crane/crane.yaml");
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return Json::parse(outcome.output);
  }
  TemporaryFolder folder_;
  std::filesystem::path state_ = folder_.write(
      "state.json",
      R"({"q": {"joint2": 0.5, "joint3": -0.7, "link2.y1": 0.02, "link2.z1": -0.01, "link3.y1": 0.01},
          "v": {"joint1": 0.3, "joint2": 1, "joint3": -0.4, "link2.y1": 0.05}, "tau": {"joint2": 100}})");
};

TEST_F(Papers, DualTwistsAreProjectionsOfTheRates) {
  const Json document = eval("--formulation dual-screw");
  const std::vector<std::string> coordinates = document["coordinates"];
  VectorXd v = VectorXd::Zero(static_cast<Eigen::Index>(coordinates.size()));
  const std::map<std::string, double> rates = {
      {"joint1", 0.3}, {"joint2", 1.0}, {"joint3", -0.4}, {"link2.y1", 0.05}};
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    if (rates.count(coordinates[i])) v[static_cast<Eigen::Index>(i)] = rates.at(coordinates[i]);
  ASSERT_EQ(document["dual_twists"].size(), document["projections"].size());
  for (const auto& [link, twist] : document["dual_twists"].items()) {
    const MatrixXd P = matrix_of(document["projections"][link]["jacobian"]);
    const MatrixXd projecting = matrix_of(document["projections"][link]["projecting"]);
    ASSERT_EQ(P.rows(), 12);
    ASSERT_EQ(P.cols(), v.size());
    EXPECT_LT((P * v - vector_of(twist)).norm(), 1e-12);
    for (Eigen::Index j = 0; j < P.cols(); ++j) {
      // joints alike in both forms; what is purely dual in the first is the real part of the second
      const bool elastic = coordinates[static_cast<std::size_t>(j)].find('.') != std::string::npos;
      if (!elastic) {
        EXPECT_EQ(P.col(j), projecting.col(j));
        continue;
      }
      EXPECT_LT((P.col(j).segment<3>(3) - projecting.col(j).segment<3>(0)).norm(), 1e-13);
      EXPECT_LT((P.col(j).segment<3>(9) - projecting.col(j).segment<3>(6)).norm(), 1e-13);
      EXPECT_TRUE(P.col(j).segment<3>(0).isZero(0.0) && P.col(j).segment<3>(6).isZero(0.0));
    }
  }
  EXPECT_TRUE(eval("--formulation dual-screw --only dual_twists").contains("dual_twists"));
  EXPECT_FALSE(eval("").contains("projections"));
}

TEST_F(Papers, ConsistentScrewsAreNotThePapers) {
  const Json document = eval("--formulation dual-screw --consistent");
  EXPECT_FALSE(document.contains("dual_twists"));
  EXPECT_NE(document["absent"]["projections"].get<std::string>().find("as published"), std::string::npos);
}

TEST_F(Papers, DenocMatricesAreTheEquationsOfMotion) {
  const Json document = eval("--denoc"), denoc = document["denoc"];
  const MatrixXd M = matrix_of(document["mass_matrix"]), U = matrix_of(denoc["U"]), D = matrix_of(denoc["D"]),
                 N_l = matrix_of(denoc["N_l"]), N_d = matrix_of(denoc["N_d"]);
  const VectorXd a = vector_of(document["acceleration"]), phi = vector_of(denoc["phi"]);
  EXPECT_LT((U * D * U.transpose() - M).norm(), 1e-12 * M.norm());
  EXPECT_LT((matrix_of(denoc["I"]) - M).norm(), 1e-12 * M.norm());
  EXPECT_LT((M * a - phi).norm(), 1e-9 * phi.norm());
  EXPECT_EQ(static_cast<std::size_t>(N_l.rows()), denoc["rows"].size());
  EXPECT_EQ(static_cast<std::size_t>(N_d.cols()), denoc["columns"].size());
  EXPECT_EQ(static_cast<std::size_t>(vector_of(denoc["gamma"]).size()), denoc["rows"].size());
  EXPECT_EQ(matrix_of(denoc["N_l_rate"]).rows(), N_l.rows());
  EXPECT_FALSE(eval("").contains("denoc"));
}

}  // namespace
}  // namespace limber
