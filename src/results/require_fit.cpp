// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>

#include "limber/core/input_error.hpp"
#include "limber/results/result_file.hpp"
#include "limber/simulation/system.hpp"

namespace limber {
namespace {

// Beyond the first, a run ends as one that diverges; beyond the second, a position says nothing about an arm: its last
// digit is a tenth of a radian or metre. No machine does as much work [J] as the third: a quarter of a megaton.
constexpr double fastest = 1e9, farthest = 1e15, most_work = 1e15;

/// What is wrong with a checkpoint for this scenario; nothing where it fits.
class Fit {
 public:
  Fit(const StoredRun& run, const Scenario& scenario, const std::string& file)
      : run_(run), check_(run.checkpoint), scenario_(scenario), file_(file) {}

  void require() const {
    const ResultNames names = RowLayout(scenario_).names();
    require_names("links", names.links, run_.names.links);
    require_names("joints", names.joints, run_.names.joints);
    require_names("coordinates", names.coordinates, run_.names.coordinates);
    require_names("targets", names.targets, run_.names.targets);
    require_names("sensor_names", names.sensors, run_.names.sensors);
    require_names("sensor_units", names.sensor_units, run_.names.sensor_units);
    require_names("loop_names", names.loops, run_.names.loops);
    require_names("cylinder_names", names.cylinders, run_.names.cylinders);
    require_names("chamber_names", names.chambers, run_.names.chambers);
    require_names("quantities", names.quantities, run_.names.quantities);
    require_names("section_beams", names.beams, run_.names.beams);
    require_names("section_stressed", names.stressed, run_.names.stressed);
    require_names("section_places", names.places, run_.names.places);
    if (check_.rows < 1)
      throw InputError(Problem{file_, "a result with rows", "none",
                               "let `limber simulate` run until it has written some"});
    require_state();
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& expected,
                           const std::string& found) const {
    throw InputError(Problem{file_ + ": " + what, expected, found,
                             "the file was damaged or changed; run the scenario again"});
  }

  void require_names(const char* what, const std::vector<std::string>& expected,
                     const std::vector<std::string>& found) const {
    if (expected != found) refuse(what, "those of the scenario in it", "others");
  }

  void require_state() const {
    const Model& model = scenario_.model;
    const Eigen::VectorXd& y = check_.integrator.y;
    const int integrals = ledger_size + memory_size(scenario_);
    if (y.size() != model.nq() + model.nv() + integrals)
      refuse("checkpoint/y", fmt::format("{} numbers", model.nq() + model.nv() + integrals),
             fmt::format("{}", y.size()));
    const Eigen::VectorXd& samples = check_.integrator.samples;
    if (samples.size() != sample_count(scenario_) || !samples.allFinite())
      refuse("checkpoint/samples", fmt::format("{} finite numbers", sample_count(scenario_)),
             fmt::format("{}", samples.size()));
    if (!y.tail(integrals).allFinite())
      refuse("checkpoint/y", "finite works and memories of controllers", "others");
    for (int i = 0; i < model.nq(); ++i)
      if (!(std::abs(y[i]) <= farthest))
        refuse("checkpoint/y", "positions that an arm can reach", fmt::format("{}", y[i]));
    for (int i = 0; i < model.nv(); ++i)
      if (!(std::abs(y[model.nq() + i]) <= fastest))
        refuse("checkpoint/y", "speeds that a run can reach", fmt::format("{}", y[model.nq() + i]));
    for (const double work : y.segment<ledger_size>(model.nq() + model.nv()))
      if (!(std::abs(work) <= most_work))
        refuse("checkpoint/y", "works that a machine can do", fmt::format("{} J", work));
    // Rows lie 1/rate apart; the end has one of its own, and corners one on either side.
    const double t = check_.integrator.t, rows = t * scenario_.output.rate;
    if (!(t >= 0.0 && t <= scenario_.duration))
      refuse("checkpoint", fmt::format("a time from 0 to {} s", scenario_.duration), fmt::format("{} s", t));
    constexpr double corners = 2.0, rounding = 1e-9;
    if (std::abs(static_cast<double>(check_.rows) - rows) > corners + rounding * rows)
      refuse("checkpoint", fmt::format("about {:.0f} rows until t = {:g} s", rows, t),
             fmt::format("{}", check_.rows));
  }

  const StoredRun& run_;
  const Checkpoint& check_;
  const Scenario& scenario_;
  const std::string& file_;
};

}  // namespace

void require_fit(const StoredRun& run, const Scenario& scenario, const std::filesystem::path& file) {
  const std::string name = file.string();
  Fit(run, scenario, name).require();
}

}  // namespace limber
