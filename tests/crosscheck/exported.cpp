// SPDX-License-Identifier: BSD-3-Clause
// What `limber export` writes, read by others: MuJoCo's frequencies of the arm in pieces approach ours, the rigid twin is the same
// arm for MuJoCo and, read back as URDF, for us.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "crosscheck/mujoco_file.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/io/export.hpp"
#include "limber/io/model_file.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Model arm(const std::string& file, const Settings& settings = {}) {
  return read_model(std::filesystem::path(LIMBER_MODELS_DIR) / file, settings);
}

/// Beams without modes do not bend.
Model rigid_twin(ModelDescription description) {
  for (LinkDescription& link : description.links)
    if (link.beam) link.beam->modes = {};
  return build_model(description);
}

/// Natural frequencies [rad/s] of the springs, all joints without one held.
VectorXd frequencies(const test::MujocoArm& pieces, Eigen::Index count) {
  std::vector<Eigen::Index> moving;
  for (std::size_t i = 0; i < pieces.stiffness.size(); ++i)
    if (pieces.stiffness[i] > 0.0) moving.push_back(static_cast<Eigen::Index>(i));
  const Eigen::Map<const MatrixXd> M(pieces.M.data(), pieces.nv, pieces.nv);
  const Eigen::Map<const VectorXd> k(pieces.stiffness.data(), pieces.nv);
  const MatrixXd M_moving = M(moving, moving), K = VectorXd(k(moving)).asDiagonal();
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(K, M_moving, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .head(count)
      .cwiseSqrt();
}

double largest_error(const Model& model, int pieces) {
  constexpr Eigen::Index count = 4;
  const VectorXd expected =
      natural_modes(model, neutral_configuration(model), JointTreatment::locked, count).angular_frequencies;
  const VectorXd found =
      frequencies(test::read_by_mujoco(export_arm(model, ExportFormat::mjcf, pieces).text), count);
  return ((found - expected).array() / expected.array()).abs().maxCoeff();
}

class ExportedArms : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, ExportedArms,
                         testing::Values("canadarm/canadarm_craig_bampton.yaml", "ella/ella.yaml",
                                         "ur10/ur10.yaml"),
                         [](const auto& file) {
                           const std::string name = file.param;
                           return name.substr(0, name.find('/'));
                         });

// Gravity bends MuJoCo's and our arm alike, but its frequencies are taken of the unbent one.
TEST_P(ExportedArms, InPiecesHaveOurFrequenciesAsThePiecesGrow) {
  const Model model = arm(GetParam(), {{"gravity", "[0, 0, 0]"}});
  const double coarse = largest_error(model, 4), fine = largest_error(model, 16);
  EXPECT_LT(coarse, 0.05);
  EXPECT_LT(fine, 0.004);
  EXPECT_LT(fine,
            coarse / 8.0);  // with the square of their length: 16 times, but for what our shapes leave out
}

MatrixXd mass_matrix_of(const Model& model) {
  MatrixXd M(model.nv(), model.nv());
  Workspace<double> work(model);
  mass_matrix(model, work, neutral_configuration(model), M);
  return M;
}

TEST_P(ExportedArms, AsRigidTwinsHaveTheRigidArmsMassMatrix) {
  const Model model = arm(GetParam());
  const MatrixXd expected = mass_matrix_of(rigid_twin(model.description()));
  const test::MujocoArm mujoco = test::read_by_mujoco(export_arm(model, ExportFormat::mjcf).text);
  EXPECT_NEAR(mujoco.mass, model.mass(), 1e-9 * model.mass());
  ASSERT_EQ(mujoco.nv, expected.rows());
  const Eigen::Map<const MatrixXd> M(mujoco.M.data(), mujoco.nv, mujoco.nv);
  // The smallest moments of inertia are raised for MuJoCo.
  EXPECT_LT((M - expected).norm(), 1e-5 * expected.norm());
}

TEST_P(ExportedArms, AsUrdfAreTheRigidArmAgainWithoutItsArmatures) {
  const Model model = arm(GetParam());
  ModelDescription without_armatures = model.description();
  for (LinkDescription& link : without_armatures.links) link.joint.armature = 0.0;
  const MatrixXd expected = mass_matrix_of(rigid_twin(without_armatures));
  const std::string text = export_arm(model, ExportFormat::urdf).text;
  const MatrixXd found = mass_matrix_of(build_model(parse_model_description(text, "arm.urdf", {})));
  ASSERT_EQ(found.rows(), expected.rows());
  EXPECT_LT((found - expected).norm(), 1e-12 * expected.norm());
}

TEST(ExportedArm, WithJointsThatTheFormatDoesNotKnowIsRefused) {
  const auto refusal = [](const std::string& joint, ExportFormat format) -> std::string {
    const std::string text = "limber: 1\nlinks:\n  - {name: a, joint: " + joint +
                             ", rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\n";
    try {
      export_arm(build_model(parse_model_description(text, "arm.yaml", {})), format);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("{type: spherical}", ExportFormat::urdf).find("--format mjcf"), std::string::npos);
  EXPECT_EQ(refusal("{type: spherical}", ExportFormat::mjcf), "");
  EXPECT_EQ(refusal("{type: free}", ExportFormat::mjcf), "");
  EXPECT_NE(refusal("{type: screw, pitch: 0.01}", ExportFormat::mjcf).find("a screw joint"),
            std::string::npos);
}

}  // namespace
}  // namespace limber
