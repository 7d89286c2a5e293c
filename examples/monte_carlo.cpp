// SPDX-License-Identifier: BSD-3-Clause
// What an uncertain payload does to the first frequency: 1000 arms on two threads, the same numbers on any number of them.

#include <cmath>
#include <cstdio>
#include <future>
#include <limber/analysis/modes.hpp>
#include <limber/io/model_file.hpp>
#include <numeric>
#include <random>

static double first_frequency(limber::ModelDescription arm, double payload) {  // [Hz]
  arm.links[0].tip->mass = payload;
  const limber::Model model = limber::build_model(arm);
  const auto modes =
      limber::natural_modes(model, limber::neutral_configuration(model), limber::JointTreatment::locked, 1);
  return modes.angular_frequencies[0] / (2.0 * std::acos(-1.0));
}

int main() try {
  const limber::ModelDescription boom = limber::read_model_description("boom.yaml");
  const double mean_payload = 20.0, deviation = 2.0;  // kg

  std::vector<double> frequencies(1000);
  const auto sample = [&](std::size_t first, std::size_t stride) {
    for (std::size_t i = first; i < frequencies.size(); i += stride) {
      std::mt19937 engine(static_cast<unsigned>(i));  // of the sample, not of the thread
      frequencies[i] =
          first_frequency(boom, std::normal_distribution<double>(mean_payload, deviation)(engine));
    }
  };
  std::future<void> other = std::async(std::launch::async, sample, 1, 2);
  sample(0, 2);
  other.get();  // throws what the other thread threw

  const double count = static_cast<double>(frequencies.size());
  const double mean = std::accumulate(frequencies.begin(), frequencies.end(), 0.0) / count;
  double squares = 0.0;
  for (const double f : frequencies) squares += (f - mean) * (f - mean);
  // To first order in the payload's deviation.
  const double slope =
      (first_frequency(boom, mean_payload + 0.01) - first_frequency(boom, mean_payload - 0.01)) / 0.02;
  std::printf("mean %.3f Hz, at the mean payload %.3f Hz\n", mean, first_frequency(boom, mean_payload));
  std::printf("deviation %.3f Hz, to first order %.3f Hz\n", std::sqrt(squares / (count - 1.0)),
              std::abs(slope) * deviation);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// Prints
//   mean 3.203 Hz, at the mean payload 3.205 Hz
//   deviation 0.091 Hz, to first order 0.093 Hz
