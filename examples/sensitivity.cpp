// SPDX-License-Identifier: BSD-3-Clause
// Which boom to make stiffer: how an arm's first frequency changes with the bending stiffness EI of each link. For
// K phi = omega^2 M phi and a K in which link l has the part EI_l K_l,
//
//   d(log omega)/d(log EI_l) = 1/2 phi.(EI_l K_l) phi / phi.K phi,
//
// half of the link's share of the strain energy. No other stiffness: all shares add up to 1/2, for omega grows with the root of EI.

#include <cmath>
#include <cstdio>
#include <limber/analysis/modes.hpp>
#include <limber/io/model_file.hpp>

static limber::NaturalModes first_mode(const limber::Model& arm) {
  return limber::natural_modes(arm, limber::neutral_configuration(arm), limber::JointTreatment::locked, 1);
}

int main() try {
  const limber::ModelDescription description =
      limber::read_model_description("../models/canadarm/canadarm.yaml");
  const limber::Model arm = limber::build_model(description);
  const limber::NaturalModes mode = first_mode(arm);
  const Eigen::VectorXd phi = mode.shapes.col(0);
  const Eigen::MatrixXd K = limber::elastic_stiffness(arm);

  double sum = 0.0;
  for (std::size_t l = 0; l < arm.links().size(); ++l) {
    const int first = arm.links()[l].elastic_v_index, count = arm.links()[l].elastic_count;
    const Eigen::VectorXd part = phi.segment(first, count);
    const double share = 0.5 * part.dot(K.block(first, first, count, count) * part) / phi.dot(K * phi);
    sum += share;

    // The same by other arms, a little stiffer and a little softer.
    const double change = 1e-3;
    limber::ModelDescription stiffer = description, softer = description;
    *stiffer.links[l].beam->section->EI_z *= 1.0 + change;
    *softer.links[l].beam->section->EI_z *= 1.0 - change;
    const double difference = std::log(first_mode(limber::build_model(stiffer)).angular_frequencies[0] /
                                       first_mode(limber::build_model(softer)).angular_frequencies[0]) /
                              (2.0 * change);
    std::printf("%s: 1 %% of EI is %.4f %% of the frequency, by differences %.4f %%\n",
                arm.links()[l].name.c_str(), share, difference);
  }
  std::printf("first frequency %.4f rad/s, sum - 1/2 = %.1e\n", mode.angular_frequencies[0], sum - 0.5);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// Prints
//   link1: 1 % of EI is 0.4182 % of the frequency, by differences 0.4182 %
//   link2: 1 % of EI is 0.0817 % of the frequency, by differences 0.0817 %
//   link3: 1 % of EI is 0.0001 % of the frequency, by differences 0.0001 %
//   first frequency 0.9768 rad/s, sum - 1/2 = <1e-9
