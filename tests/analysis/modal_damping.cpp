// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/modal_damping.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>

#include "limber/algorithms/mass_matrix.hpp"
#include "limber/io/model_file.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* two_links = R"(limber: 1
gravity: [0, 0, 0]
links:
  - name: boom
    joint: {name: shoulder, axis: [0, 0, 1], stiffness: 900, damping: %JOINT%}
    beam:
      length: 2
      section: {EI_y: 900, EI_z: 700, GJ: 500, mass_per_length: 3, rotary_inertia: [0.02, 0.01, 0.01]}
      modes: {y: {count: 3}, z: {count: 2}, torsion: {count: 1}}
      damping: {%BEAM%}
  - name: forearm
    origin: {rpy: [0.3, 0, 0.8]}
    joint: {name: elbow, axis: [0, 0, 1], stiffness: 300}
    beam:
      length: 1.5
      section: {EI_y: 300, EI_z: 200, mass_per_length: 2}
      modes: {y: {count: 2}, z: {count: 2}}
    tip: {mass: 1.5}
)";

Model parse_model(const std::string& text) {
  return build_model(parse_model_description(text, "arm.yaml", "."));
}

Model arm(const std::string& joint, const std::string& beam) {
  std::string text = two_links;
  text.replace(text.find("%JOINT%"), 7, joint);
  text.replace(text.find("%BEAM%"), 6, beam);
  return parse_model(text);
}

// The damped arm's own eigenvalues: s^2 M + s C + K = 0 gives zeta = -Re s / |s|.
TEST(ModalDamping, IsThatOfTheDampedEigenvalues) {
  const Model model = arm("1e-3", "ratio: 1e-5");
  const VectorXd q = neutral_configuration(model);
  const NaturalModes modes = natural_modes(model, q, JointTreatment::as_modelled);
  const VectorXd ratios = damping_ratios(model, q, modes);
  ASSERT_EQ(ratios.size(), model.nv());

  const int n = model.nv();
  Workspace<double> work(model);
  MatrixXd M(n, n), A = MatrixXd::Zero(2 * n, 2 * n);
  mass_matrix(model, work, q, M);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -M.llt().solve(elastic_stiffness(model, true));
  A.bottomRightCorner(n, n) = -M.llt().solve(damping_matrix(model));
  const Eigen::VectorXcd eigenvalues = Eigen::EigenSolver<MatrixXd>(A).eigenvalues();
  std::vector<std::complex<double>> roots;
  for (const std::complex<double>& s : eigenvalues)
    if (s.imag() > 0.0) roots.push_back(s);
  std::sort(roots.begin(), roots.end(), [](auto a, auto b) { return std::abs(a) < std::abs(b); });
  ASSERT_EQ(roots.size(), static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) {
    const std::complex<double> s = roots[static_cast<std::size_t>(k)];
    EXPECT_NEAR(ratios[k], -s.real() / std::abs(s), 1e-4 * ratios[k] + 1e-11) << "mode " << k;
  }
}

// A cantilever whose link has a damping ratio: each of its modes has it.
TEST(ModalDamping, OfOneLinkIsItsOwnRatio) {
  const Model model = parse_model(R"(limber: 1
links:
  - name: boom
    joint: {name: shoulder, axis: [0, 0, 1]}
    beam: {length: 2, section: {EI_z: 700, mass_per_length: 3}, modes: {y: {count: 4}}, damping: {ratio: 0.02}}
    tip: {mass: 2}
)");
  const VectorXd q = neutral_configuration(model);
  const VectorXd ratios = damping_ratios(model, q, natural_modes(model, q, JointTreatment::locked));
  ASSERT_EQ(ratios.size(), 4);
  for (const double ratio : ratios) EXPECT_NEAR(ratio, 0.02, 1e-10);
}

TEST(ModalDamping, IsAbsentWhereNothingThatMovesIsDamped) {
  const Model model = arm("5", "ratio: 0");
  const VectorXd q = neutral_configuration(model);
  EXPECT_EQ(damping_ratios(model, q, natural_modes(model, q, JointTreatment::locked)).size(), 0);
  EXPECT_GT(damping_ratios(model, q, natural_modes(model, q, JointTreatment::as_modelled)).size(), 0);
}

TEST(ModalDamping, OfAMotionWithoutFrequencyIsNotANumber) {
  const Model model = arm("5", "ratio: 0.01");
  const VectorXd q = neutral_configuration(model);
  NaturalModes modes = natural_modes(model, q, JointTreatment::locked);
  modes.angular_frequencies[0] = 0.0;
  modes.angular_frequencies[1] = -2.0;
  const VectorXd ratios = damping_ratios(model, q, modes);
  EXPECT_TRUE(std::isnan(ratios[0]));
  EXPECT_TRUE(std::isnan(ratios[1]));
  EXPECT_GT(ratios[2], 0.0);
}

// What a cycle loses over 2 pi times its largest strain energy: pi c omega A^2 / (2 pi k A^2 / 2) = c omega / k in resonance.
TEST(ModalDamping, OfALossFactorLosesItInResonance) {
  const Model model = arm("0", "loss_factor: 0.04");
  const Beam& beam = *model.links()[0].beam;
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(beam.integrals.stiffness,
                                                                 beam.integrals.rest_inertia);
  for (Eigen::Index i = 0; i < 6; ++i) {
    const VectorXd shape = modes.eigenvectors().col(i);
    const double omega = std::sqrt(modes.eigenvalues()[i]), c = shape.dot(beam.damping * shape),
                 k = shape.dot(beam.integrals.stiffness * shape);
    EXPECT_NEAR(c * omega / k, 0.04, 1e-12);
  }
  EXPECT_TRUE(beam.damping.isApprox(arm("0", "ratio: 0.02").links()[0].beam->damping, 1e-14));
}

}  // namespace
}  // namespace limber
