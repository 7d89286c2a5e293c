// SPDX-License-Identifier: BSD-3-Clause
#include "sections_in_run.hpp"

#include <algorithm>

#include "limber/model/telescopes.hpp"

namespace limber {

bool SectionsInRun::are_asked_for(const Scenario& scenario) {
  if (scenario.output.section_forces) return true;
  const std::vector<Link>& links = scenario.model.links();
  return std::any_of(links.begin(), links.end(),
                     [](const Link& link) { return link.beam && link.beam->strength; });
}

SectionsInRun::SectionsInRun(const Scenario& scenario)
    : forces_(scenario.model, scenario.output.section_points),
      links_(scenario.model.links().size()),
      recorded_(scenario.output.section_forces) {
  if (recorded_) require_no_telescopes(scenario.model, "output.section_forces");
  for (const BeamSections& beam : forces_.beams()) stress_.push_back(BeamStress::of(scenario.model, beam));
}

void SectionsInRun::fill(const std::vector<Load>& loads, const std::vector<Load>& loops, Sample& sample) {
  Eigen::VectorXd cylinders(static_cast<Eigen::Index>(sample.cylinders.size()));
  for (std::size_t i = 0; i < sample.cylinders.size(); ++i)
    cylinders[static_cast<Eigen::Index>(i)] = sample.cylinders[i].force;
  forces_.update(sample.q, sample.v, sample.acceleration, loads, cylinders, loops);
  const std::vector<BeamSections>& beams = forces_.beams();
  for (std::size_t b = 0; b < beams.size(); ++b)
    if (stress_[b]) stress_[b]->update(beams[b]);
  if (!recorded_ || beams.empty()) return;
  const auto points = static_cast<Eigen::Index>(beams.front().regular.size());
  const auto stressed =
      std::count_if(stress_.begin(), stress_.end(), [](const auto& one) { return one.has_value(); });
  sample.section_forces.resize(static_cast<Eigen::Index>(beams.size()) * points * 6);
  sample.stress.resize(stressed * points);
  Eigen::Index force = 0, stress = 0;
  for (std::size_t b = 0; b < beams.size(); ++b)
    for (const int place : beams[b].regular) {
      sample.section_forces.segment<6>(force) = beams[b].forces.col(place);
      force += 6;
      if (stress_[b]) sample.stress[stress++] = stress_[b]->at()[static_cast<std::size_t>(place)].von_mises;
    }
}

void SectionsInRun::note_peaks(double t, RunPeaks& peaks) const {
  if (peaks.stress.size() != links_) {  // the first row
    peaks.section_forces.assign(6 * links_, {});
    peaks.stress.assign(links_, {});
  }
  const std::vector<BeamSections>& beams = forces_.beams();
  for (std::size_t b = 0; b < beams.size(); ++b) {
    const auto link = static_cast<std::size_t>(beams[b].link);
    const std::array<int, 6> places = largest_forces(beams[b]);
    for (std::size_t i = 0; i < 6; ++i)
      peaks.section_forces[6 * link + i].note_magnitude(
          beams[b].forces(static_cast<Eigen::Index>(i), places[i]), t);
    if (!stress_[b]) continue;
    peaks.stress[link].note(stress_[b]->at()[static_cast<std::size_t>(stress_[b]->worst())].von_mises, t);
  }
}

}  // namespace limber
