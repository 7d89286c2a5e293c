// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "limber/core/export.hpp"
#include "limber/simulation/switch.hpp"

namespace limber LIMBER_EXPORT {

/// To which side a valve is open: through which of its edges oil flows, (4) of model/hydraulics.hpp. What flows has a kink where it passes through its middle.
class ValveSide : public Switch {
 public:
  /// Of a cylinder's coordinate, behind those of joints.
  explicit ValveSide(int coordinate) : coordinate_(coordinate) {}

  /// 1 or -1.
  int side(double opening) const { return side_ != 0 ? side_ : opening < 0.0 ? -1 : 1; }

  std::unique_ptr<Switch> clone() const override { return std::make_unique<ValveSide>(*this); }
  double guard(const Situation& situation) const override {
    return side_ == 0 ? 1.0 : side_ * situation.asked[coordinate_] + overlap;
  }
  void enter(const Situation& situation) override { side_ = situation.asked[coordinate_] < 0.0 ? -1 : 1; }
  void change(const Situation&) override { side_ = -side_; }
  double argument(const Situation& situation) const override { return situation.asked[coordinate_]; }

 private:
  /// Sides overlap by this opening, less than anybody resolves: a closed valve does not change its side with every rounding error.
  static constexpr double overlap = 1e-9;

  int coordinate_;
  int side_ = 0;  ///< 0: nobody has entered one; each opening has its own
};

}  // namespace limber
