// SPDX-License-Identifier: BSD-3-Clause
// URDFs as we read them, and as KDL and its parser do: mass matrix, inverse and forward dynamics, gravity and the places of all
// links. Those of tests/io/urdf and models/, and every one in the folder that LIMBER_URDF_DIR names.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cstdlib>
#include <iostream>
#include <regex>

#include "crosscheck/kdl_tree.hpp"
#include "io/files.hpp"
#include "limber/algorithms/evaluation.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/model_writer.hpp"
#include "limber/model/lookup.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<std::filesystem::path> all_urdfs() {
  std::vector<std::filesystem::path> files =
      test::files_in(std::string(LIMBER_TESTS_DIR) + "/io/urdf", ".urdf");
  files.emplace_back(std::string(LIMBER_MODELS_DIR) + "/ur10/ur10.urdf");
  if (const char* const folder = std::getenv("LIMBER_URDF_DIR"))
    for (const auto& file : test::files_in(folder, ".urdf")) files.push_back(file);
  return files;
}

std::string refusal(const std::string& text) {
  try {
    parse_model_description(text, "robot.urdf", {});
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

/// Joints that follow others are refused; without `mimic` they move by themselves, for KDL as well.
std::string without_mimic(const std::string& text) {
  static const std::regex mimic("<mimic[^>]*/>");
  if (!std::regex_search(text, mimic)) return text;
  EXPECT_NE(refusal(text).find("mimic"), std::string::npos);
  return std::regex_replace(text, mimic, "");
}

/// KDL has no dampers.
ModelDescription without_damping(ModelDescription description) {
  for (LinkDescription& link : description.links) link.joint.damping = 0.0;
  return description;
}

struct Numbers {
  MatrixXd M;
  VectorXd inverse, gravity, bias;
};

Numbers limber_numbers(const Model& model, const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  const int n = model.nv();
  Numbers found{MatrixXd(n, n), VectorXd(n), VectorXd(n), VectorXd(n)};
  Workspace<double> work(model);
  mass_matrix(model, work, q, found.M);
  inverse_dynamics(model, work, q, v, a, found.inverse);
  gravity_forces(model, work, q, found.gravity);
  bias_forces(model, work, q, v, found.bias);
  return found;
}

/// In KDL's order. M by inverse dynamics, column by column.
Numbers kdl_numbers(const test::KdlTree& kdl, const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  const Eigen::Index n = q.size();
  const VectorXd zero = VectorXd::Zero(n);
  Numbers found{MatrixXd(n, n), VectorXd(n), VectorXd(n), VectorXd(n)};
  kdl.inverse_dynamics(q.data(), v.data(), a.data(), found.inverse.data());
  kdl.inverse_dynamics(q.data(), zero.data(), zero.data(), found.gravity.data());
  kdl.inverse_dynamics(q.data(), v.data(), zero.data(), found.bias.data());
  for (Eigen::Index j = 0; j < n; ++j) {
    VectorXd column(n);
    kdl.inverse_dynamics(q.data(), zero.data(), VectorXd::Unit(n, j).eval().data(), column.data());
    found.M.col(j) = column - found.gravity;
  }
  return found;
}

class Urdf : public testing::TestWithParam<std::filesystem::path> {
 protected:
  const std::string text_ = without_mimic(test::read_all(GetParam()));
  const ModelDescription description_ =
      without_damping(parse_model_description(text_, GetParam().filename().string(), {}));
  const Model model_ = build_model(description_);
};
INSTANTIATE_TEST_SUITE_P(Files, Urdf, testing::ValuesIn(all_urdfs()),
                         [](const auto& file) { return test::name_of(file.param); });

double difference(const auto& a, const auto& b) { return (a - b).norm() / std::max(1.0, b.norm()); }

TEST_P(Urdf, HasTheDynamicsAndPlacesThatKdlFinds) {
  const test::KdlTree kdl(text_, model_.gravity().data());
  const int n = model_.nv();
  ASSERT_EQ(kdl.joints().size(), static_cast<std::size_t>(n));
  // Row i of P: which of our coordinates KDL's coordinate i is.
  MatrixXd P = MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) P(i, coordinate_index(model_, kdl.joints()[static_cast<std::size_t>(i)])) = 1.0;

  constexpr double tolerance = 1e-10;
  double largest = 0.0;
  const auto compare = [&](const auto& found, const auto& expected, const char* what) {
    const double error = difference(found, expected);
    EXPECT_LT(error, tolerance) << what;
    largest = std::max(largest, error);
  };
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::srand(seed);
    const VectorXd q = 2.0 * VectorXd::Random(n), v = VectorXd::Random(n), a = VectorXd::Random(n);
    const Numbers ours = limber_numbers(model_, q, v, a);
    const Numbers theirs = kdl_numbers(kdl, P * q, P * v, P * a);
    compare(MatrixXd(P * ours.M * P.transpose()), theirs.M, "mass matrix");
    compare(VectorXd(P * ours.inverse), theirs.inverse, "inverse dynamics");
    compare(VectorXd(P * ours.gravity), theirs.gravity, "gravity");

    // Forward dynamics: accelerations are known as well as M's condition allows, the forces that they need as well as forces are.
    const VectorXd tau = VectorXd::Random(n);
    VectorXd found(n);
    Workspace<double> work(model_);
    forward_dynamics(model_, work, q, v, tau, found);
    const VectorXd expected = theirs.M.ldlt().solve(P * tau - theirs.bias);
    compare(VectorXd(theirs.M * (P * found)), VectorXd(theirs.M * expected), "forward dynamics");

    Evaluation evaluation(model_);
    evaluation.set(q, v, VectorXd::Zero(n));
    for (const LinkDescription& link : description_.links) {
      if (link.name == "base_") continue;  // it has another name in the URDF
      const Pose X = evaluation.pose(frame(model_, link.name));
      Eigen::Vector3d p;
      Eigen::Matrix<double, 3, 3, Eigen::RowMajor> R;
      kdl.pose(VectorXd(P * q).data(), link.name, p.data(), R.data());
      compare(X.p, p, link.name.c_str());
      compare(X.R, Eigen::Matrix3d(R), link.name.c_str());
    }
  }
  std::cout << GetParam().filename().string() << ": " << n << " coordinates, largest difference from KDL "
            << largest << "\n";
}

TEST_P(Urdf, IsTheSameArmAsTheModelFileThatImportWrites) {
  const Model again = build_model(parse_model_description(model_file_text(description_), "again.yaml", {}));
  ASSERT_EQ(again.coordinates(), model_.coordinates());
  const int n = model_.nv();
  std::srand(1);
  const VectorXd q = 2.0 * VectorXd::Random(n), v = VectorXd::Random(n), a = VectorXd::Random(n);
  const Numbers one = limber_numbers(model_, q, v, a), other = limber_numbers(again, q, v, a);
  constexpr double tolerance = 1e-13;
  EXPECT_LT(difference(other.M, one.M), tolerance);
  EXPECT_LT(difference(other.inverse, one.inverse), tolerance);
}

}  // namespace
}  // namespace limber
