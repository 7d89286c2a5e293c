// SPDX-License-Identifier: BSD-3-Clause
#include "beam_axis.hpp"

#include <algorithm>
#include <cmath>

#include "limber/math/rotation.hpp"

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The shortest turn that takes one direction into another; they are less than half a turn apart.
Matrix3d shortest_turn(const Vector3d& from, const Vector3d& to) {
  const Vector3d across = from.cross(to);
  const double size = across.norm();
  if (size == 0.0) return Matrix3d::Identity();
  return exp_rotation<double>(std::atan2(size, from.dot(to)) / size * across);
}

Pose on_chord(const AxisSegment& segment, double at) {
  return segment.X_RF * Pose{Matrix3d::Identity(), at * segment.chord * Vector3d::UnitX()};
}

}  // namespace

BeamAxis::BeamAxis(const BeamDescription& beam) : length_(beam.axis_length()) {
  if (beam.curve) {
    pieces_.push_back({0.0, length_, {}, beam.curve->angle * beam.curve->axis.normalized()});
    return;
  }
  for (std::size_t i = 1; i < beam.stations.size(); ++i) {
    const StationDescription &from = beam.stations[i - 1], &to = beam.stations[i];
    const Pose start = pieces_.empty() ? Pose{rotation_from_rpy(from.rpy), Vector3d::Zero()}
                                       : at(std::min(from.x / length_, 1.0));
    pieces_.push_back(
        {from.x, to.x - from.x, start, log_rotation(start.R.transpose() * rotation_from_rpy(to.rpy))});
  }
  if (pieces_.empty()) pieces_.push_back({0.0, length_, {}, Vector3d::Zero()});
}

Pose BeamAxis::at(double fraction) const {
  const double s = fraction * length_;
  const auto beyond = std::upper_bound(pieces_.begin() + 1, pieces_.end(), s,
                                       [](double place, const Piece& piece) { return place < piece.from; });
  const Piece& piece = *(beyond - 1);
  const double way = s - piece.from;
  const Vector3d turned = way / piece.length * piece.turn;
  return piece.start *
         Pose{exp_rotation<double>(turned), way * (left_jacobian<double>(turned) * Vector3d::UnitX())};
}

AxisSegment axis_segment(const BeamDescription& beam, int segment, int count) {
  const double length = beam.axis_length();
  if (!beam.is_bent())
    return {{Matrix3d::Identity(), length * segment / count * Vector3d::UnitX()}, length / count};
  const BeamAxis axis(beam);
  const auto fraction = [&](double k) { return k / count; };
  const Pose root = axis.at(fraction(segment)), tip = axis.at(fraction(segment + 1.0));
  const Pose middle = axis.at(fraction(segment + 0.5));
  const Vector3d way = tip.p - root.p, arrow = middle.p - 0.5 * (root.p + tip.p);
  return {{shortest_turn(middle.R.col(0), way) * middle.R, root.p + 2.0 / 3.0 * arrow}, way.norm()};
}

Pose section_in_node(const BeamDescription& beam, int segment, int count, double at) {
  if (!beam.is_bent()) return {};
  const Pose section = BeamAxis(beam).at((segment + at) / count);
  return on_chord(axis_segment(beam, segment, count), at).inverse() * section;
}

}  // namespace limber
