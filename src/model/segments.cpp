// SPDX-License-Identifier: BSD-3-Clause
#include "segments.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "beam_axis.hpp"
#include "build_beam.hpp"
#include "check_rules.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/math/rotation.hpp"
#include "limber/math/rpy.hpp"

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

// The same body in a frame in which its own is X.
TipDescription seen_from(TipDescription tip, const Pose& X) {
  const Eigen::Matrix3d I = X.R * inertia_tensor(tip.inertia) * X.R.transpose();
  tip.com = X * tip.com;
  tip.inertia << I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2);
  return tip;
}

// Where the segment of a bent beam lies: of the first one in the root piece, of the others on the segment before.
void lay_along_axis(const LinkDescription& whole, int segment, int count, LinkDescription& piece) {
  const Pose X_RF = axis_segment(*whole.beam, segment, count).X_RF;
  if (segment == 0) {
    const Eigen::Matrix3d R_BR = rotation_from_rpy(whole.root.rpy);
    piece.root.xyz = whole.root.xyz + R_BR * X_RF.p;
    piece.root.rpy = rpy_from_rotation(R_BR * X_RF.R);
  } else {
    const AxisSegment before = axis_segment(*whole.beam, segment - 1, count);
    const Pose X_RT =
        before.X_RF * Pose{Eigen::Matrix3d::Identity(), before.chord * Eigen::Vector3d::UnitX()};
    const Pose X_TF = X_RT.inverse() * X_RF;
    piece.origin = {X_TF.p, rpy_from_rotation(X_TF.R)};
  }
  if (piece.tip) piece.tip = seen_from(*piece.tip, section_in_node(*whole.beam, segment, count, 1.0));
  piece.beam->curve.reset();
  for (StationDescription& station : piece.beam->stations) station.rpy.setZero();
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
  if (whole.beam->is_bent()) lay_along_axis(whole, segment, count, piece);
  piece.beam->length = axis_segment(*whole.beam, segment, count).chord;
  piece.beam->segments.reset();
  if (piece.beam->damping && piece.beam->damping->modal_ratio())
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
  // A place that the file names on a link; the section there in the node that stands for it.
  const auto put_on = [&](std::string& link, double& at) -> Pose {
    const LinkDescription& whole = description.links[index.at(link)];
    const int count = segments_of(whole);
    const SegmentPlace place = segment_place(at, count);
    link = segment_name(whole, place.segment);
    at = place.at;
    return whole.beam ? section_in_node(*whole.beam, place.segment, count, place.at) : Pose{};
  };
  const auto move_frame = [](const Pose& X_NS, Eigen::Vector3d& xyz, Eigen::Vector3d& rpy) {
    if (X_NS == Pose{}) return;
    xyz = X_NS.p + X_NS.R * xyz;
    rpy = rpy_from_rotation(X_NS.R * rotation_from_rpy(rpy));
  };
  for (std::size_t i = 0; i < description.links.size(); ++i) {
    LinkDescription link = description.links[i];
    if (link.parent.empty()) link.parent = i == 0 ? "base" : description.links[i - 1].name;
    index.emplace(link.name, i);
    const Pose X_NS = link.parent != "base" ? put_on(link.parent, link.attach) : Pose{};
    const int count = segments_of(link);
    for (int segment = 0; segment < count; ++segment) {
      arm.description.links.push_back(count == 1 ? link : segment_of(link, segment));
      arm.origins.push_back({static_cast<int>(i), segment, count, segment == 0 ? X_NS : Pose{}});
    }
  }
  // None means the tip of the last link, in the axes of its section.
  if (!arm.description.end_effector && !description.links.empty() && description.links.back().beam &&
      description.links.back().beam->is_bent())
    arm.description.end_effector = EndEffectorDescription{.link = description.links.back().name};
  if (auto& end = arm.description.end_effector) move_frame(put_on(end->link, end->at), end->xyz, end->rpy);
  for_each_place(arm.description, [&](PlaceDescription& place) {
    if (place.link != "base") move_frame(put_on(place.link, place.at), place.xyz, place.rpy);
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
