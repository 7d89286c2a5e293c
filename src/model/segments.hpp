// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Links in segments (docs/large-deflections.md): a beam that is cut into n beams of equal length, each fixed to the tip of the one before it, bends n times as
// far as one of them. The arm that is prepared has one link for each segment; what its author wrote stays the description.
//
// The first segment carries joint, root piece and visuals, the last one the body on the tip; what sits on the link sits on the segment there.

#include <vector>

#include "limber/model/model.hpp"

namespace limber {

/// A place on a link in segments.
struct SegmentPlace {
  int segment;  ///< from 0 on
  double at;    ///< fraction of its own beam
};
/// Where two segments meet, the tip of the inner one.
SegmentPlace segment_place(double at, int segments);

/// What of a link in segments one of them has; sections are still those of the whole beam.
LinkDescription segment_of(const LinkDescription& whole, int segment);

/// Where a link of an arm in segments comes from.
struct SegmentOrigin {
  int described;  ///< index into the description's links
  int segment;    ///< from 0 on
  int segments;   ///< of that link
  Pose X_NS;      ///< the section of the parent on which it sits, in the parent's node (beam_axis.hpp)
};

/// An arm with a link for each segment.
struct SegmentedArm {
  ModelDescription
      description;  ///< every parent by its name. Beams have their length; sections are still those of the whole one
  std::vector<SegmentOrigin> origins;  ///< of its links
};
/// The description has passed check().
SegmentedArm cut_into_segments(const ModelDescription& description);

/// Damping of one segment: D = Sum beta_d K_d with beta_d = 2 ratio / omega_d, omega_d the first frequency of the whole link in direction d by itself, clamped at
/// its root and with the body on its tip. `whole` is the link as one beam.
void set_segment_damping(const Beam& whole, double ratio, Beam& segment);

}  // namespace limber
