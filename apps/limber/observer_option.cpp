// SPDX-License-Identifier: BSD-3-Clause
#include "observer_option.hpp"

#include "number_range.hpp"

namespace limber::app {

void add_observer_option(CLI::App& command, ObserverOption& option) {
  CLI::Option* const rate =
      command
          .add_option(
              "--observer", option.rate,
              "Samples per second of an observer: controllers see its estimate of the state, from the "
              "sensors, in place of the state (docs/measurements.md); as the scenario's key `observer`")
          ->check(above_zero());
  command.add_option("--observer-method", option.method, "ekf (default) or ukf: its Kalman filter")
      ->check(CLI::IsMember({"ekf", "ukf"}))
      ->needs(rate);
  command.add_option("--observer-sensor", option.sensors, "What it sees (repeatable; default: all sensors)")
      ->needs(rate);
  command
      .add_option("--observer-noise", option.process_noise,
                  "Spectral density of efforts in joints that it does not know of [(N m)^2 s] (default 0)")
      ->check(not_below_zero())
      ->needs(rate);
}

void choose_observer(const ObserverOption& option, ScenarioDescription& scenario) {
  if (!option.rate) return;
  if (!scenario.observer) scenario.observer.emplace();
  ObserverDescription& observer = *scenario.observer;
  observer.rate = *option.rate;
  if (!option.method.empty())
    observer.method = option.method == "ukf" ? ObserverMethod::ukf : ObserverMethod::ekf;
  if (!option.sensors.empty()) observer.sensors = option.sensors;
  if (option.process_noise) observer.process_noise = *option.process_noise;
}

}  // namespace limber::app
