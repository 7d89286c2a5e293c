// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Many arms that differ in a few numbers, and beams that are prepared once for all of them. Most of the work of building an arm is shapes and
// integrals of its beams, and these follow from sections, shapes and the order of kinematics alone: payloads, hubs, joints, damping and places have no
// part in them.

#include <cstddef>
#include <memory>

#include "limber/core/export.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// Shapes and integrals of beams, each under all that it was made of. What is found here is what would be made anew, to the last bit. Threads may share
/// it.
class PreparedBeams {
 public:
  /// Keeps the `most` that were used last.
  explicit PreparedBeams(std::size_t most = 256);
  ~PreparedBeams();
  PreparedBeams(const PreparedBeams&) = delete;             ///< nobody else's
  PreparedBeams& operator=(const PreparedBeams&) = delete;  ///< likewise

  /// How many are kept.
  std::size_t size() const;
  /// How many had to be made so far.
  long made() const;
  /// How often one was found.
  long found() const;

  struct Shelf;  ///< what is kept; of build_model alone
  /// Of build_model alone.
  Shelf& shelf() { return *shelf_; }

 private:
  std::unique_ptr<Shelf> shelf_;
};

/// build_model(description), which shares beams that are alike within one arm, with those that are in `kept` already.
Model build_model(const ModelDescription& description, PreparedBeams& kept);

}  // namespace limber
