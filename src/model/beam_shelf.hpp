// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What is kept of beams between one arm and the next (limber/model/prepared_beams.hpp), and the name under which it is.

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "limber/beam/detail/own_integrals.hpp"
#include "limber/model/prepared_beams.hpp"

namespace limber {

/// All of a beam in which what hangs on it, its damping and its strength have no part.
struct PreparedBeam {
  BeamBasis basis;
  std::vector<DirectionShapes> directions;
  BeamNode tip_node;
  detail::OwnIntegrals integrals;
  InnerShapes inner;
};

/// A beam of an arm: piece `segment` of so many of `whole`.
struct BeamOrigin {
  const BeamDescription& whole;
  int segment = 0, segments = 1;
};

/// Everything that prepares a beam, byte by byte: the description without what is not of PreparedBeam, which piece of it, the length that it has been cut
/// to, and the bodies that shapes with `auto` imagine on the tip.
std::string content_of(const BeamOrigin& origin, KinematicOrder order, double length,
                       const std::vector<ShapeRequest>& requests);

/// Beams under what they are made of. The last used is the first.
struct BeamStore {
  using Entry = std::pair<std::string, std::shared_ptr<const PreparedBeam>>;

  std::shared_ptr<const PreparedBeam> find_or_make(const std::string& content,
                                                   const std::function<PreparedBeam()>& make);

  std::size_t most = 0;
  mutable std::mutex guard = {};
  std::list<Entry> entries = {};
  std::unordered_map<std::string, std::list<Entry>::iterator> places = {};
  long made = 0, found = 0;
};

struct PreparedBeams::Shelf {
  BeamStore beams;  ///< of arms
  BeamStore units;  ///< from which uniform ones follow (unit_beam.hpp)
};

}  // namespace limber
