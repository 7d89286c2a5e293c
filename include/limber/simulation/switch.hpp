// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A run is smooth pieces between events.
//
// What has a kink or a jump somewhere (a motor at its limit, a joint that sticks, a strut on its stop) is a Switch: it has
// modes, and in each of them it is smooth, also a little beyond where the mode ends, so that an integrator may look there.
// A guard says where the mode ends. After each step the run looks for guards that have fallen below zero (events.hpp in
// src/simulation), goes back to the first, lets its switch change its mode, and begins anew.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/simulation/controller.hpp"

namespace limber LIMBER_EXPORT {

/// What guards are functions of.
struct Situation {
  const Instant& now;               ///< time and state; for stops with lengths and rates of cylinders behind
  const Eigen::VectorXd& asked;     ///< nv: efforts that controllers ask for, before limits
  const Eigen::VectorXd& friction;  ///< nv: of joints that stick, what holds them; else zero
};

/// Something that has modes. Derive from it what is neither smooth nor a corner in time.
class Switch {
 public:
  virtual ~Switch() = default;
  /// A copy, in the same mode.
  virtual std::unique_ptr<Switch> clone() const = 0;

  /// Positive while the present mode holds; smooth where it comes to zero.
  virtual double guard(const Situation& situation) const = 0;
  /// Takes the mode that holds at a moment: at the start, and where inputs jump.
  virtual void enter(const Situation& situation) = 0;
  /// The guard has come to zero: takes the mode that follows.
  virtual void change(const Situation& situation) = 0;

  /// What it makes of the motors' efforts (nv), which come in as they are asked for. In the present mode.
  virtual void change_efforts(const Situation&, Eigen::VectorXd& /*efforts*/) const {}
  /// ... and of -d efforts/dq, -d efforts/dv, or any other change of what is asked for: rows of nv.
  virtual void change_gains(const Situation&, Eigen::MatrixXd& /*gains*/) const {}
  /// Efforts as they are shown: a mode is smooth a little beyond its end; what is shown is not.
  virtual void show_efforts(Eigen::VectorXd& /*efforts*/) const {}
  /// Says into a row of nv where a motor is at its limit: 1 at the upper, -1 at the lower, else 0.
  virtual void note_limit(const Situation&, Eigen::VectorXi& /*at_limit*/) const {}

  /// What decides between the modes, whatever the present one is.
  virtual double argument(const Situation& situation) const = 0;
  /// It changes its modes to and fro. `unresolved`: by how much argument() changes within the tolerances of the integration.
  virtual void soften(double /*unresolved*/) {}
  /// What its user should know, as a sentence.
  virtual std::optional<std::string> doubt(const Model&) const { return std::nullopt; }
};

/// The largest effort of a joint: what is asked for is given, or the limit.
///
/// Feedback with high gain can drive a joint to and fro between its limits over a way that is smaller than what the
/// tolerances of the integration resolve: it slides, and the mean of the effort is what moves the arm. Such a limit is
/// softened: efforts asked for up to `band` are scaled to the limit, with a band that the tolerances do resolve.
class EffortLimit : public Switch {
 public:
  /// Of a coordinate in v [N m or N].
  EffortLimit(int coordinate, double limit) : coordinate_(coordinate), limit_(limit), band_(limit) {}

  /// In v.
  int coordinate() const { return coordinate_; }
  /// The largest effort that the motor gives [N m or N].
  double limit() const { return limit_; }
  /// Efforts asked for up to here are scaled to the limit; the limit itself where it is not softened.
  double band() const { return band_; }
  /// Whether the band is wider than the limit.
  bool is_softened() const { return band_ > limit_; }
  /// The effort that is given in the present mode.
  double effort(double asked) const {
    const Mode mode = mode_ == Mode::by_value ? mode_of(asked) : mode_;
    return mode == Mode::free ? asked * slope_in_band() : mode == Mode::upper ? limit_ : -limit_;
  }
  /// How it changes with what is asked for.
  double slope(double asked) const {
    const Mode mode = mode_ == Mode::by_value ? mode_of(asked) : mode_;
    return mode == Mode::free ? slope_in_band() : 0.0;
  }

  /// 1 at the upper limit, -1 at the lower, else 0.
  int side(double asked) const {
    const Mode mode = mode_ == Mode::by_value ? mode_of(asked) : mode_;
    return mode == Mode::free ? 0 : mode == Mode::upper ? 1 : -1;
  }

  std::unique_ptr<Switch> clone() const override { return std::make_unique<EffortLimit>(*this); }
  void change_efforts(const Situation& situation, Eigen::VectorXd& efforts) const override {
    efforts[coordinate_] = effort(situation.asked[coordinate_]);
  }
  void change_gains(const Situation& situation, Eigen::MatrixXd& gains) const override {
    gains.row(coordinate_) *= slope(situation.asked[coordinate_]);
  }
  void show_efforts(Eigen::VectorXd& efforts) const override {
    efforts[coordinate_] = std::clamp(efforts[coordinate_], -limit_, limit_);
  }
  void note_limit(const Situation& situation, Eigen::VectorXi& at_limit) const override {
    at_limit[coordinate_] = side(situation.asked[coordinate_]);
  }
  double argument(const Situation& situation) const override { return situation.asked[coordinate_]; }
  /// What an error of the size of the tolerances does to the effort that is asked for must be a small part of the band, which never becomes
  /// narrower.
  void soften(double unresolved) override {
    constexpr double resolved = 10.0;
    band_ = std::max(band_, resolved * unresolved);
  }
  std::optional<std::string> doubt(const Model& model) const override;

  double guard(const Situation& situation) const override {
    const double asked = situation.asked[coordinate_];
    switch (mode_) {
      case Mode::free:
        return band_ * (1.0 + overlap) - std::abs(asked);
      case Mode::upper:
        return asked - band_ * (1.0 - overlap);
      case Mode::lower:
        return -asked - band_ * (1.0 - overlap);
      case Mode::by_value:
        break;
    }
    return 1.0;
  }
  void enter(const Situation& situation) override { mode_ = mode_of(situation.asked[coordinate_]); }
  void change(const Situation& situation) override {
    const bool was_free = mode_ == Mode::free;
    mode_ = !was_free ? Mode::free : situation.asked[coordinate_] > 0.0 ? Mode::upper : Mode::lower;
  }

 private:
  enum class Mode {
    by_value,
    free,
    upper,
    lower
  };  ///< by_value: nobody has entered one; each state has its own
  /// Modes overlap by this share of the limit, less than anybody resolves: what stands at the limit does not change its
  /// mode with every rounding error.
  static constexpr double overlap = 1e-6;

  Mode mode_of(double asked) const {
    return std::abs(asked) <= band_ ? Mode::free : asked > 0.0 ? Mode::upper : Mode::lower;
  }
  double slope_in_band() const { return band_ > limit_ ? limit_ / band_ : 1.0; }

  int coordinate_;
  double limit_, band_;
  Mode mode_ = Mode::by_value;
};

}  // namespace limber
