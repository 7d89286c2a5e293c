// SPDX-License-Identifier: BSD-3-Clause
#include "observer_option.hpp"

#include "limber/core/input_error.hpp"

namespace limber::app {

void add_observer_option(CLI::App& command, ObserverOption& option) {
  const CLI::Range positive(1e-300, 1e30);
  CLI::Option* const rate =
      command
          .add_option(
              "--observer", option.how.rate,
              "Samples per second of an observer: controllers see its estimate of the state, from the "
              "sensors, in place of the state (docs/measurements.md)")
          ->check(positive);
  command.add_option("--observer-method", option.method, "ekf (default) or ukf: its Kalman filter")
      ->check(CLI::IsMember({"ekf", "ukf"}))
      ->needs(rate);
  command
      .add_option("--observer-sensor", option.how.sensors, "What it sees (repeatable; default: all sensors)")
      ->needs(rate);
  command
      .add_option("--observer-noise", option.how.arm.process_noise,
                  "Spectral density of efforts in joints that it does not know of [(N m)^2 s] (default 0)")
      ->check(CLI::Range(0.0, 1e30))
      ->needs(rate);
}

void observe_if_asked(Scenario& scenario, const ObserverOption& option, const ScenarioFile& file,
                      const std::string& name) {
  if (!(option.how.rate > 0.0)) return;
  ObserverOptions how = option.how;
  how.method = option.method == "ukf" ? ObserverMethod::ukf : ObserverMethod::ekf;
  try {
    observe(scenario, how);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems())
      if (problem.path.starts_with("observer")) throw;
    throw with_places(error, file, name);
  }
}

}  // namespace limber::app
