// SPDX-License-Identifier: BSD-3-Clause
// The papers' own objects, as the program gives them.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
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
                                std::string(LIMBER_MODELS_DIR) + "/crane/crane.yaml");
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

// ---- limber jacobian ----

Json jacobian(const std::string& options) {
  const Outcome outcome = run("jacobian --json --quiet " + options);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  return Json::parse(outcome.output);
}

TEST_F(Papers, JacobianOfTheTipIsThatOfEvalAndItsBlocksMakeItUp) {
  const std::string crane = std::string(LIMBER_MODELS_DIR) + "/crane/crane.yaml --state " + state_.string();
  const Json at_tip = jacobian(crane), exact = eval("")["jacobian"];
  EXPECT_LT((matrix_of(at_tip["jacobian"]) - matrix_of(exact)).norm(), 1e-13);
  EXPECT_TRUE(at_tip["local"].is_null());  // the tool is rigid
  // link2 at half its length: no column of what comes after it, and J_e (26) from the blocks
  const Json half = jacobian(crane + " --at link2@0.5");
  const MatrixXd J = matrix_of(half["jacobian"]), first = matrix_of(half["piedboeuf"]);
  EXPECT_TRUE(J.rightCols(J.cols() - 8).isZero(0.0));
  EXPECT_LT((J - first).norm(), 1e-3 * J.norm());  // second order in deflections of 2 cm on 4 m
  const Json local = half["local"];
  EXPECT_EQ(local["coordinates"].size(), 6u);
  VectorXd eta = VectorXd::Zero(6);
  eta[0] = 0.02, eta[2] = -0.01;
  MatrixXd J_T = matrix_of(local["J_T0"]), J_R = matrix_of(local["J_R0"]);
  const char* axes[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    J_T.row(k) += eta.transpose() * matrix_of(local[std::string("J_T") + axes[k]]);
    J_R.row(k) += eta.transpose() * matrix_of(local[std::string("J_R") + axes[k]]);
  }
  // lengths do not depend on where the link stands
  for (int j = 0; j < 6; ++j) {
    EXPECT_NEAR(first.col(2 + j).head<3>().norm(), J_T.col(j).norm(), 1e-12) << j;
    EXPECT_NEAR(first.col(2 + j).tail<3>().norm(), J_R.col(j).norm(), 1e-12) << j;
  }
}

// A clamped beam whose shapes are the exact ones of tip loads: L^3/3EI, L^2/2EI, L/EI, L/GJ, L/EA.
TEST_F(Papers, ComplianceOfACantileverIsTheTextbooks) {
  const auto file = folder_.write("cantilever.yaml", R"(
limber: 1
name: cantilever
gravity: [0, 0, 0]
links:
  - name: beam
    joint: {name: joint, type: revolute, axis: [0, 0, 1]}
    beam:
      length: 2
      section: {EI_y: 500, EI_z: 1000, GJ: 300, EA: 1.0e6, mass_per_length: 3, rotary_inertia: [0.01, 0.005, 0.005]}
      modes:
        y: {shape: polynomial, count: 2}
        z: {shape: polynomial, count: 2}
        torsion: {shape: polynomial, count: 1}
        axial: {shape: polynomial, count: 1}
)");
  const Json document = jacobian(file.string());
  const MatrixXd C = matrix_of(document["compliance"]);
  MatrixXd expected = MatrixXd::Zero(6, 6);
  expected.diagonal() << 2.0 / 1e6, 8.0 / 3000.0, 8.0 / 1500.0, 2.0 / 300.0, 2.0 / 500.0, 2.0 / 1000.0;
  expected(1, 5) = expected(5, 1) = 4.0 / 2000.0;
  expected(2, 4) = expected(4, 2) = -4.0 / 1000.0;
  EXPECT_LT((C - expected).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((matrix_of(document["stiffness"]) * expected - MatrixXd::Identity(6, 6)).norm(), 1e-9);
}

// Interfaces of bodies are places, too.
TEST_F(Papers, JacobianOfAnInterfaceIsThatOfAnEndEffectorThere) {
  const std::string arm = std::string(LIMBER_MODELS_DIR) + "/../examples/finite_elements/arm.yaml";
  const MatrixXd there = matrix_of(jacobian("--at boom@lug " + arm)["jacobian"]),
                 moved = matrix_of(jacobian("--set 'end_effector={link: boom, at: lug}' " + arm)["jacobian"]);
  EXPECT_LT((there - moved).norm(), 1e-14);
  EXPECT_GT(moved.norm(), 1.0);
}

TEST_F(Papers, JacobianSaysWhatIsWrongWithAPoint) {
  const std::string crane = " " + std::string(LIMBER_MODELS_DIR) + "/crane/crane.yaml";
  for (const char* wrong : {"link2@1.5", "link2@", "link2@x", "lnk2", "@0.5"}) {
    const Outcome outcome = run("jacobian --at " + std::string(wrong) + crane, true);
    EXPECT_EQ(outcome.code, 2) << wrong;
    EXPECT_NE(outcome.output.find("--at: expected"), std::string::npos) << outcome.output;
  }
}

// What a gauge shows may be more than the deflection field is right for, and more numbers may be asked for than there are gauges.
TEST_F(Papers, JacobianSaysWhatGaugesCannotTell) {
  const std::string strip =
      "jacobian " + std::string(LIMBER_MODELS_DIR) + "/lab_link/lab_link.yaml --gauge strip@0.05.kappa_z=";
  const Outcome little = run(strip + "0.01 --components fy", true),
                far = run(strip + "5 --components fy", true);
  EXPECT_EQ(little.code, 0);
  EXPECT_EQ(little.output.find("warning"), std::string::npos) << little.output;
  EXPECT_NE(far.output.find("warning: link `strip` bends by"), std::string::npos) << far.output;
  const Outcome many = run(strip + "0.01 --components fy,mz", true);
  EXPECT_EQ(many.code, 2);
  EXPECT_NE(many.output.find("--components: expected at most as many as gauges, found fy,mz, with 1 --gauge"),
            std::string::npos)
      << many.output;
  const Outcome negative = run(strip + "0.01+--1 --components fy", true);
  EXPECT_EQ(negative.code, 2);
  EXPECT_NE(negative.output.find("--gauge: expected an error of zero or more"), std::string::npos)
      << negative.output;
}

// ---- limber count ----

TEST_F(Papers, CountGivesTableOneAndItsCrossovers) {
  const Outcome outcome = run("count --json --chains 9");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const Json document = Json::parse(outcome.output), eight = document["chains"][7];
  // the numbers that the paper prints, rounded as it does
  const auto printed = [&](const char* name) {
    return std::pair{std::lround(eight[name]["multiplications"].get<double>()),
                     std::lround(eight[name]["additions"].get<double>())};
  };
  EXPECT_EQ(printed("proposed"), (std::pair{9874L, 7699L}));
  EXPECT_EQ(printed("jain_rodriguez"), (std::pair{10568L, 8344L}));
  EXPECT_EQ(printed("cyril"), (std::pair{13990L, 12683L}));
  EXPECT_EQ(document["crossovers"], "Cyril from n = 1, Jain and Rodriguez from n = 5, proposed from n = 8");
  // O(n): each link costs the same
  const auto recursive = [&](int n) {
    return document["chains"][n - 1]["recursive"]["multiplications"].get<double>();
  };
  for (int n = 3; n <= 9; ++n) EXPECT_EQ(recursive(n) - recursive(n - 1), recursive(3) - recursive(2)) << n;
}

TEST_F(Papers, CountKnowsEveryAlgorithmOfAnArm) {
  const Outcome outcome =
      run("count --json --generated " + std::string(LIMBER_MODELS_DIR) + "/canadarm/canadarm.yaml");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const Json algorithms = Json::parse(outcome.output)["algorithms"];
  for (const char* name : {"recursive", "generated", "dense", "inverse_dynamics", "mass_matrix", "bias",
                           "gravity", "kinematics", "jacobian", "energy"})
    EXPECT_GT(algorithms.at(name)["multiplications"], 0) << name;
  EXPECT_LT(algorithms["generated"]["multiplications"], algorithms["recursive"]["multiplications"]);
  // 9 coordinates: one division by each pivot; Cholesky's and its solutions' n (n - 1) / 2 + 2 n
  EXPECT_EQ(algorithms["recursive"]["divisions"], 9);
  EXPECT_EQ(algorithms["dense"]["divisions"], 54);
  EXPECT_EQ(run("count", true).code, 2);
  EXPECT_EQ(run("count --chains 0", true).code, 2);
}

// Lin and Lewis, 4.3: elastic rates matter in C, deflections little in M (models/lin_lewis_turret/README.md).
TEST(LinAndLewis, FlexibilityMattersInTheCoriolisForcesAndLittleInTheMassMatrix) {
  const std::string folder = std::string(LIMBER_MODELS_DIR) + "/lin_lewis_turret/";
  const auto at = [&](const std::string& state) {
    const Outcome outcome = run("eval --json --quiet --only mass_matrix,coriolis --state " + folder + state +
                                " " + folder + "lin_lewis_turret.yaml");
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return Json::parse(outcome.output);
  };
  const Json straight = at("straight.json"), bent = at("bent.json"), vibrating = at("vibrating.json");
  const auto change = [](const MatrixXd& value, const MatrixXd& reference) {
    return (value - reference).cwiseAbs().maxCoeff() / reference.cwiseAbs().maxCoeff();
  };
  const auto M = [](const Json& state) {
    return MatrixXd(matrix_of(state["mass_matrix"]).topLeftCorner(2, 2));
  };
  const auto c = [](const Json& state) { return MatrixXd(vector_of(state["coriolis"]).head(2)); };
  EXPECT_NEAR(change(M(bent), M(straight)), 0.01477, 1e-4);
  EXPECT_NEAR(change(c(bent), c(straight)), 0.0114, 1e-4);
  EXPECT_NEAR(change(c(vibrating), c(straight)), 0.323, 1e-3);
}

}  // namespace
}  // namespace limber
