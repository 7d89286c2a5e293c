// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A joint with exact dry friction (model/friction.hpp), as a Switch. It sticks: then it stays where it is, held by a force that is found and watched; or it slips to one
// side: then its rate is watched.
//
//   sticks   until |force that holds it| > static (1 + overlap)       then it slips to the side to which it is pushed
//   slips    until its rate comes to zero                             then it sticks, or slips back at once if nothing could hold it (sticking.hpp)
//
// Right after it lets go it is pushed by overlap static at least, so that it moves on whatever rounding does.

#include <memory>

#include "limber/core/export.hpp"
#include "limber/formulations/sticking.hpp"
#include "limber/model/friction.hpp"
#include "limber/simulation/switch.hpp"

namespace limber LIMBER_EXPORT {

/// Of one joint: sticks, or slips to one side.
class StickSlip : public Switch {
 public:
  /// Of the joint of a link of this model; it must have friction that sticks().
  StickSlip(const Model& model, int link);

  /// Whose joint it is.
  int link() const { return link_; }
  /// On which it acts, in v.
  int coordinate() const { return coordinate_; }
  /// The same in q.
  int position() const { return position_; }
  /// What holds it at rest at most [N m or N].
  double holds() const { return static_friction(law_); }
  /// Whether it sticks.
  bool is_stuck() const { return mode_ == Mode::stuck; }
  /// The side to which it slips, 1 or -1; 0 where it does not.
  int side() const { return mode_ == Mode::forwards ? 1 : mode_ == Mode::backwards ? -1 : 0; }
  /// Where it sticks [rad or m].
  double stuck_at() const { return stuck_at_; }

  /// While it slips, or before anybody has entered a mode; 0 while it sticks: that force follows from the others.
  double force(double v) const;
  /// Its change with v.
  double slope(double v) const;
  /// From now on it sticks there, or slips to that side (1 or -1), or has the mode that its rate says.
  void stick(double at);
  /// See stick().
  void slip(int side);
  /// See stick().
  void forget() { mode_ = Mode::by_value; }

  std::unique_ptr<Switch> clone() const override { return std::make_unique<StickSlip>(*this); }
  double guard(const Situation& situation) const override;
  /// At rest it sticks; whether it can hold is seen when all have entered.
  void enter(const Situation& situation) override;
  void change(const Situation& situation) override;
  double argument(const Situation& situation) const override;

 private:
  enum class Mode { by_value, stuck, forwards, backwards };

  int link_, coordinate_, position_;
  FrictionDescription law_;
  Mode mode_ = Mode::by_value;
  double stuck_at_ = 0.0;
};

}  // namespace limber
