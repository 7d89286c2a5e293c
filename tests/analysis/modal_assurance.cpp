// SPDX-License-Identifier: BSD-3-Clause
// The criterion against numbers by hand, and shapes of a cantilever against their closed form.

#include "limber/analysis/modal_assurance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/analysis/modes.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;

TEST(ModalAssurance, IsTheSquaredCosineOfTwoShapes) {
  MatrixXd a(2, 2), b(2, 3);
  a << 1, 0, 0, -2;
  b << 3, 1, 0, 0, 1, 5;
  MatrixXd expected(2, 3);
  expected << 1, 0.5, 0, 0, 0.5, 1;
  EXPECT_LE((modal_assurance(a, b) - expected).norm(), 1e-15);
  EXPECT_THROW(modal_assurance(a, MatrixXd(3, 1)), InputError);
}

TEST(ModalAssurance, PairsTheMostAlikeFirst) {
  MatrixXd table(3, 2);
  table << 0.9, 0.8, 0.95, 0.1, 0.2, 0.3;
  EXPECT_EQ(paired_modes(table), (std::vector<int>{1, 0, -1}));
}

// phi = cosh x - cos x - s (sinh x - sin x) of the clamped-free beam at three points; a table that names modes in another order finds them.
TEST(ModalAssurance, KnowsTheModesOfACantilever) {
  const Model model = build_model(parse_model_description(R"(
limber: 1
gravity: [0, 0, 0]
links:
  - name: beam
    joint: {type: fixed}
    beam:
      length: 2
      section: {EI_y: 1000, EI_z: 500, GJ: 100, EA: 1e7, mass_per_length: 3}
      modes: {y: {shape: craig-bampton, count: 5}}
)",
                                                          "beam.yaml", "."));
  const Eigen::VectorXd q = Eigen::VectorXd::Zero(model.nq());
  const NaturalModes modes = natural_modes(model, q);
  const MatrixXd seen =
      seen_shapes(model, q, modes.shapes, {"beam@0.3.y", "beam@0.6.y", "beam@0.8.y", "beam@1.0.y"});
  MatrixXd measured(4, 2);
  int column = 0;
  for (const double root : {4.6940911329741746, 1.8751040687119611}) {
    const double s = (std::cosh(root) + std::cos(root)) / (std::sinh(root) + std::sin(root));
    int row = 0;
    for (const double at : {0.3, 0.6, 0.8, 1.0}) {
      const double x = root * at;
      measured(row++, column) = std::cosh(x) - std::cos(x) - s * (std::sinh(x) - std::sin(x));
    }
    ++column;
  }
  const MatrixXd table = modal_assurance(measured, seen);
  EXPECT_EQ(paired_modes(table), (std::vector<int>{1, 0}));
  EXPECT_NEAR(table(0, 1), 1.0, 1e-5);
  EXPECT_NEAR(table(1, 0), 1.0, 1e-8);
  EXPECT_THROW(seen_shapes(model, q, modes.shapes, {"beam@1.5.y"}), InputError);
  EXPECT_THROW(seen_shapes(model, q, modes.shapes, {"bem.y1"}), InputError);
}

// A whole link by its name, whatever it is cut into: the same cantilever in two segments.
TEST(ModalAssurance, SeesPlacesOfLinksInSegments) {
  const auto shapes_at = [](const std::string& more, const std::vector<std::string>& points) {
    const Model model =
        build_model(parse_model_description("limber: 1\ngravity: [0, 0, 0]\nlinks: [{name: beam, joint: "
                                            "{type: fixed}, beam: {length: 2, section: "
                                            "{EI_z: 500, mass_per_length: 3}, modes: {y: {count: 5}}" +
                                                more + "}}]",
                                            "beam.yaml", "."));
    const Eigen::VectorXd q = Eigen::VectorXd::Zero(model.nq());
    return seen_shapes(model, q, natural_modes(model, q, JointTreatment::locked, 2).shapes, points);
  };
  const std::vector<std::string> points = {"beam@0.3.y", "beam@0.75.y", "beam@1.y"};
  const MatrixXd table = modal_assurance(shapes_at("", points), shapes_at(", segments: 2", points));
  EXPECT_NEAR(table(0, 0), 1.0, 1e-6);
  EXPECT_NEAR(table(1, 1), 1.0, 1e-6);
}

}  // namespace
}  // namespace limber
