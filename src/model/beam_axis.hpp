// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The undeformed axis of a beam, and the straight segments that stand for it where it is bent or twisted (docs/curved-beams.md).
//
// Along s, the way on the axis from the root, sections have axes R(s) in R, x along the axis. Between two stations they turn evenly, with
// the rotation vector w over the piece of length l:
//
//   R(s) = R_0 exp(w s/l),   p(s) = p_0 + Int R e_x ds = p_0 + R_0 Jl(w s/l) e_x s                                       (1)
//
// Segment k has the direction and the length of the chord from p(s_k) to p(s_k+1); its y and z are those of the section in its middle, turned the
// shortest way such that x is along the chord. It lies where the arc does in the mean, beside the chord by 2/3 of the arrow (Simpson's rule): mass and
// flexibility of a bent piece act there, and on the chord itself the error would be three times as large. The frame F at its root and the section
// at a place of it differ by
//
//   X_FS = F^-1 (R(s), p(s)) from the place of the same fraction of the segment                                          (2)
//
// which is a turn and a small shift.

#include <vector>

#include "limber/math/spatial.hpp"
#include "limber/model/description.hpp"

namespace limber {

/// The axis of one beam at rest, in its root frame R.
class BeamAxis {
 public:
  /// The description has passed check().
  explicit BeamAxis(const BeamDescription& beam);

  /// (1) at a fraction of its length.
  Pose at(double fraction) const;

 private:
  struct Piece {
    double from, length;   ///< along the axis [m]
    Pose start;            ///< (R_0, p_0)
    Eigen::Vector3d turn;  ///< w
  };
  double length_;
  std::vector<Piece> pieces_;
};

/// One of the segments that stand for a beam.
struct AxisSegment {
  Pose X_RF;     ///< frame at its root, x along its chord
  double chord;  ///< its length [m]
};
/// Segment number `segment` of so many of equal length along the axis. Of a straight beam: along x.
AxisSegment axis_segment(const BeamDescription& beam, int segment, int count);
/// (2): the section at a fraction of a segment, in the node that stands at that fraction of its chord. Of a straight beam the identity.
Pose section_in_node(const BeamDescription& beam, int segment, int count, double at);

}  // namespace limber
