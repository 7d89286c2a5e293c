// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A stop (model/stops.hpp) as a Switch: in each mode its force is smooth.
//
//   apart     until d > 0 and it is being met, d' > 0                then it presses
//   presses   until k d + c d' < 0, while it is being left           then it is left; without a damper it is apart at once
//   left      until d < 0: then it is apart; or k d + c d' > 0: then it presses again

#include <memory>

#include "limber/core/export.hpp"
#include "limber/model/stops.hpp"
#include "limber/simulation/switch.hpp"

namespace limber LIMBER_EXPORT {

/// Whether a stop presses, by events. Situations have lengths of cylinders behind q, and rates behind v.
class StopSwitch : public Switch {
 public:
  /// Of this stop.
  explicit StopSwitch(const Stop& stop) : stop_(stop) {}

  /// Where it stands, and how hard it is.
  const Stop& stop() const { return stop_; }
  /// In the present mode, or, before anybody has entered one, by the state itself.
  bool presses(double x, double rate) const {
    return mode_ == Mode::by_value ? stop_.presses(x, rate) : mode_ == Mode::presses;
  }
  /// What it does to x.
  double force(double x, double rate) const {
    return presses(x, rate) ? -stop_.side * stop_.push(x, rate) : 0.0;
  }
  /// (3) of model/stops.hpp [W].
  double dissipation(double x, double rate) const;
  /// From now on it has the mode that the state says.
  void forget() { mode_ = Mode::by_value; }

  std::unique_ptr<Switch> clone() const override { return std::make_unique<StopSwitch>(*this); }
  double guard(const Situation& situation) const override;
  void enter(const Situation& situation) override;
  void change(const Situation& situation) override;
  double argument(const Situation& situation) const override;

 private:
  enum class Mode { by_value, apart, presses, left };

  Stop stop_;
  Mode mode_ = Mode::by_value;
};

}  // namespace limber
