// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "first_frequencies.hpp"
#include "limber/analysis/basis_error.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

// Those that basis_error() compares with have at least ten of a link that is one beam, and four of a segment.
int most_shapes(const BeamDescription& beam) { return beam.segment_count() > 1 ? 4 : 10; }

// An arm by how many shapes each direction of each beam has.
class Candidate {
 public:
  explicit Candidate(const Model& model)
      : description_(model.description()), reference_(basis_error(model, kept_).refined) {
    description_.kinematics =
        KinematicOrder::first;  // straight and without gravity, the second order does not show
    description_.gravity.setZero();
    for (std::size_t i = 0; i < description_.links.size(); ++i) {
      auto& beam = description_.links[i].beam;
      if (!beam) continue;
      beam->damping.reset();
      for (const Direction direction : all_directions)
        if (auto& modes = beam->modes.of(direction)) {
          modes = ModesDescription{};
          modes->count = 1;
          chosen_.emplace_back(i, direction);
        }
    }
  }

  std::size_t size() const { return chosen_.size(); }
  int& count(std::size_t i) {
    return *description_.links[chosen_[i].first].beam->modes.of(chosen_[i].second)->count;
  }
  bool can_grow(std::size_t i) { return count(i) < most_shapes(*description_.links[chosen_[i].first].beam); }
  ShapeCount named(std::size_t i) {
    return {description_.links[chosen_[i].first].name, chosen_[i].second, count(i)};
  }
  int coordinates() {
    int total = 0;
    for (std::size_t i = 0; i < size(); ++i)
      total += count(i) * description_.links[chosen_[i].first].beam->segment_count();
    return total;
  }

  // As BasisError::largest; an arm with fewer frequencies than are compared is not accurate at all.
  double error() {
    const Eigen::VectorXd found = first_frequencies(build_model(description_, kept_), kept_);
    if (found.size() < reference_.size()) return std::numeric_limits<double>::infinity();
    return ((found.head(reference_.size()) - reference_).array() / reference_.array()).abs().maxCoeff();
  }

 private:
  PreparedBeams kept_;
  ModelDescription description_;
  Eigen::VectorXd reference_;
  std::vector<std::pair<std::size_t, Direction>> chosen_;
};

}  // namespace

ShapesProposal propose_shapes(const Model& model, double accuracy) {
  constexpr double finest = 1e-6, coarsest = 0.5;
  if (!(accuracy >= finest && accuracy <= coarsest))
    throw InputError(Problem{"accuracy",
                             "a number from 1e-6 to 0.5: the largest relative error of the first frequencies",
                             show_number(accuracy), "1e-3 is a tenth of a percent"});
  Candidate arm(model);
  ShapesProposal proposal;
  if (arm.size() == 0) return proposal;
  double error = arm.error();
  while (error > accuracy) {
    // One more where it helps most. The second cubic of a plane may help only together with others, so that one that does not help is taken, too.
    double best = std::numeric_limits<double>::infinity();
    std::size_t chosen = arm.size();
    for (std::size_t i = 0; i < arm.size(); ++i) {
      if (!arm.can_grow(i)) continue;
      ++arm.count(i);
      if (const double tried = arm.error(); tried < best || chosen == arm.size()) {
        best = tried;
        chosen = i;
      }
      --arm.count(i);
    }
    if (chosen == arm.size())
      throw ComputationError(
          "no number of shapes up to ten in each direction of a beam, or four of a segment, has the "
          "accuracy " +
          show_number(accuracy) + ": " + show_number(error) + " was reached");
    ++arm.count(chosen);
    error = best;
  }
  for (std::size_t i = 0; i < arm.size(); ++i) proposal.counts.push_back(arm.named(i));
  proposal.error = error;
  proposal.elastic_coordinates = arm.coordinates();
  return proposal;
}

}  // namespace limber
