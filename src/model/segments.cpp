// SPDX-License-Identifier: BSD-3-Clause
#include "segments.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "check_rules.hpp"
#include "limber/math/detail/decompositions.hpp"

namespace limber {
namespace {

int segments_of(const LinkDescription& link) { return link.beam ? link.beam->segment_count() : 1; }

std::string segment_name(const LinkDescription& link, int segment) {
  return segments_of(link) == 1 ? link.name : link.name + "." + std::to_string(segment + 1);
}

template <typename Use>
void for_directions(const Beam& beam, Use&& use) {
  int first = 0;
  for (const DirectionShapes& shapes : beam.directions) {
    use(shapes.request.direction, first, shapes.request.count);
    first += shapes.request.count;
  }
}

}  // namespace

LinkDescription segment_of(const LinkDescription& whole, int segment) {
  const int count = segments_of(whole);
  LinkDescription piece = whole;
  piece.name = segment_name(whole, segment);
  if (segment == 0) {
    if (piece.joint.name.empty()) piece.joint.name = whole.name + "_joint";
  } else {
    piece.parent = segment_name(whole, segment - 1);
    piece.attach = 1.0;
    piece.origin.reset();
    piece.dh.reset();
    piece.joint = {};
    piece.joint.type = JointType::fixed;
    piece.root = {};
    piece.visuals.clear();
    piece.beam->sn_curve.reset();  // of the link's root
  }
  if (segment + 1 < count) piece.tip.reset();
  piece.beam->length = whole.beam->length / count;
  piece.beam->segments.reset();
  if (piece.beam->damping && piece.beam->damping->ratio)
    piece.beam->damping.reset();  // set_segment_damping()
  return piece;
}

SegmentPlace segment_place(double at, int segments) {
  if (segments == 1 || !(at >= 0.0 && at <= 1.0)) return {0, at};
  constexpr double rounding = 1e-9;  // of a segment: 0.3 * 10 is 3
  double counted = at * segments;
  if (std::abs(counted - std::round(counted)) < rounding) counted = std::round(counted);
  const int segment = std::clamp(static_cast<int>(std::ceil(counted)) - 1, 0, segments - 1);
  return {segment, counted - segment};
}

SegmentedArm cut_into_segments(const ModelDescription& description) {
  SegmentedArm arm{description, {}};
  arm.description.links.clear();
  std::map<std::string, std::size_t> index;
  // A place that the file names on a link.
  const auto put_on = [&](std::string& link, double& at) {
    const LinkDescription& whole = description.links[index.at(link)];
    const SegmentPlace place = segment_place(at, segments_of(whole));
    link = segment_name(whole, place.segment);
    at = place.at;
  };
  for (std::size_t i = 0; i < description.links.size(); ++i) {
    LinkDescription link = description.links[i];
    if (link.parent.empty()) link.parent = i == 0 ? "base" : description.links[i - 1].name;
    index.emplace(link.name, i);
    if (link.parent != "base") put_on(link.parent, link.attach);
    const int count = segments_of(link);
    for (int segment = 0; segment < count; ++segment) {
      arm.description.links.push_back(count == 1 ? link : segment_of(link, segment));
      arm.origins.push_back({static_cast<int>(i), segment, count});
    }
  }
  if (auto& end = arm.description.end_effector) put_on(end->link, end->at);
  for_each_place(arm.description, [&](PlaceDescription& place) {
    if (place.link != "base") put_on(place.link, place.at);
  });
  return arm;
}

void set_segment_damping(const Beam& whole, double ratio, Beam& segment) {
  std::map<Direction, double> beta;
  for_directions(whole, [&](Direction direction, int first, int count) {
    const Eigen::MatrixXd K = whole.integrals.stiffness.block(first, first, count, count);
    const Eigen::MatrixXd M = whole.integrals.rest_inertia.block(first, first, count, count);
    // The largest 1/omega^2; 0 where nothing moves.
    const double largest =
        Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(M, K, Eigen::EigenvaluesOnly)
            .eigenvalues()[count - 1];
    beta[direction] = 2.0 * ratio * std::sqrt(std::max(largest, 0.0));
  });
  for_directions(segment, [&](Direction direction, int first, int count) {
    segment.damping.block(first, first, count, count) =
        beta.at(direction) * segment.integrals.stiffness.block(first, first, count, count);
  });
}

}  // namespace limber
