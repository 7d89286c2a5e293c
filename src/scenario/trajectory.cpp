// SPDX-License-Identifier: BSD-3-Clause
#include "limber/scenario/trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "limber/core/input_error.hpp"

namespace limber {
namespace {

using std::numbers::pi;

class Constant : public Trajectory {
 public:
  explicit Constant(double value) : value_(value) {}
  TrajectoryPoint at(double, double) const override { return {value_, 0.0, 0.0}; }
  std::vector<double> corners() const override { return {}; }
  Pace pace(double) const override { return {}; }

 private:
  double value_;
};

/// Each value holds from its time on; the first holds before, too.
class Steps : public Trajectory {
 public:
  explicit Steps(std::vector<Eigen::Vector2d> points) : points_(std::move(points)) {}
  TrajectoryPoint at(double, double within) const override { return {(*(after(within) - 1))[1], 0.0, 0.0}; }
  std::vector<double> corners() const override {
    std::vector<double> times;
    for (std::size_t i = 1; i < points_.size(); ++i) times.push_back(points_[i][0]);
    return times;
  }
  Pace pace(double t) const override {
    const auto next = after(t);
    return next == points_.end() ? Pace{} : Pace{(*next)[0]};
  }
  bool is_smooth() const override { return points_.size() == 1; }

 private:
  /// The first point but one that lies after t.
  std::vector<Eigen::Vector2d>::const_iterator after(double t) const {
    return std::upper_bound(points_.begin() + 1, points_.end(), t,
                            [](double time, const Eigen::Vector2d& point) { return time < point[0]; });
  }

  std::vector<Eigen::Vector2d> points_;
};

/// At rest, in motion from `start` to `end`, and at rest again.
Pace pace_of_one_motion(double t, double start, double end, double longest) {
  if (t < start) return {start};
  return t < end ? Pace{end, longest} : Pace{};
}

/// From one value to another with velocity and acceleration zero at both ends: 10 s^3 - 15 s^4 + 6 s^5.
class Quintic : public Trajectory {
 public:
  Quintic(double from, double to, double start, double duration)
      : from_(from), to_(to), start_(start), duration_(duration) {}
  TrajectoryPoint at(double t, double within) const override {
    if (within <= start_) return {from_, 0.0, 0.0};
    if (within >= start_ + duration_) return {to_, 0.0, 0.0};
    const double s = (t - start_) / duration_, way = to_ - from_;
    return {from_ + way * s * s * s * (10.0 + s * (-15.0 + 6.0 * s)),
            way / duration_ * 30.0 * s * s * (1.0 + s * (-2.0 + s)),
            way / (duration_ * duration_) * 60.0 * s * (1.0 + s * (-3.0 + 2.0 * s))};
  }
  std::vector<double> corners() const override { return {start_, start_ + duration_}; }
  Pace pace(double t) const override {
    return pace_of_one_motion(t, start_, start_ + duration_, 0.5 * duration_);
  }

 private:
  double from_, to_, start_, duration_;
};

double quarter_period(double w) { return 0.5 * pi / w; }

/// Mohan & Saha (44): rate (t - T/pi sin(pi t/T)), for all t.
class Cycloidal : public Trajectory {
 public:
  Cycloidal(double rate, double period) : rate_(rate), w_(pi / period) {}
  TrajectoryPoint at(double t, double) const override {
    const double s = std::sin(w_ * t), c = std::cos(w_ * t);
    return {rate_ * (t - s / w_), rate_ * (1.0 - c), rate_ * w_ * s};
  }
  std::vector<double> corners() const override { return {}; }
  Pace pace(double) const override { return {Pace{}.until, quarter_period(w_)}; }

 private:
  double rate_, w_;
};

/// Constant acceleration, constant speed, constant deceleration; without the middle where the way is short.
class Trapezoidal : public Trajectory {
 public:
  Trapezoidal(double from, double to, double start, double velocity, double acceleration)
      : from_(from), way_(std::abs(to - from)), direction_(to < from ? -1.0 : 1.0), start_(start) {
    ramp_ = std::min(velocity / acceleration, std::sqrt(way_ / acceleration));
    acceleration_ = acceleration;
    const double speed = acceleration * ramp_;
    total_ = speed > 0.0 ? way_ / speed + ramp_ : 0.0;
  }
  TrajectoryPoint at(double t, double within) const override {
    const double s = t - start_, piece = within - start_, speed = acceleration_ * ramp_;
    TrajectoryPoint m;
    if (piece <= 0.0) {
      m = {};
    } else if (piece >= total_) {
      m = {way_, 0.0, 0.0};
    } else if (piece < ramp_) {
      m = {0.5 * acceleration_ * s * s, acceleration_ * s, acceleration_};
    } else if (piece < total_ - ramp_) {
      m = {speed * (s - 0.5 * ramp_), speed, 0.0};
    } else {
      const double left = total_ - s;
      m = {way_ - 0.5 * acceleration_ * left * left, acceleration_ * left, -acceleration_};
    }
    return {from_ + direction_ * m.position, direction_ * m.velocity, direction_ * m.acceleration};
  }
  std::vector<double> corners() const override {
    return {start_, start_ + ramp_, start_ + total_ - ramp_, start_ + total_};
  }
  // Its pieces are parabolas, and end at corners.
  Pace pace(double t) const override { return pace_of_one_motion(t, start_, start_ + total_, total_); }

 private:
  double from_, way_, direction_, start_, acceleration_, ramp_, total_;
};

/// Kane, Ryan & Banerjee: rate/T [t^2/2 + (T/2pi)^2 (cos(2 pi t/T) - 1)] until T, then at the final rate.
class SpinUp : public Trajectory {
 public:
  SpinUp(double rate, double duration) : rate_(rate), T_(duration), w_(2.0 * pi / duration) {}
  TrajectoryPoint at(double t, double within) const override {
    if (within <= 0.0) return {};
    if (within >= T_) return {rate_ * (t - 0.5 * T_), rate_, 0.0};
    const double s = std::sin(w_ * t), c = std::cos(w_ * t);
    return {rate_ / T_ * (0.5 * t * t + (c - 1.0) / (w_ * w_)), rate_ / T_ * (t - s / w_),
            rate_ / T_ * (1.0 - c)};
  }
  std::vector<double> corners() const override { return {0.0, T_}; }
  Pace pace(double t) const override { return pace_of_one_motion(t, 0.0, T_, quarter_period(w_)); }

 private:
  double rate_, T_, w_;
};

/// Cubic spline, twice continuously differentiable; the first two pieces are one cubic, and so are the last two
/// (not-a-knot). Holds its end values outside.
class Table : public Trajectory {
 public:
  Table(const std::vector<double>& times, const std::vector<double>& values)
      : t_(times), y_(values), curvature_(second_derivatives(times, values)) {
    find_stretches();
  }
  TrajectoryPoint at(double t, double within) const override {
    if (within <= t_.front()) return {y_.front(), 0.0, 0.0};
    if (within >= t_.back()) return {y_.back(), 0.0, 0.0};
    // Inside, the pieces meet smoothly: t itself finds its piece.
    const auto after = std::upper_bound(t_.begin() + 1, t_.end() - 1, t);
    const std::size_t i = static_cast<std::size_t>(after - t_.begin()) - 1;
    const auto k = static_cast<Eigen::Index>(i);
    const double h = t_[i + 1] - t_[i], a = (t_[i + 1] - t) / h, b = (t - t_[i]) / h;
    const double c0 = curvature_[k], c1 = curvature_[k + 1];
    return {a * y_[i] + b * y_[i + 1] + ((a * a * a - a) * c0 + (b * b * b - b) * c1) * h * h / 6.0,
            (y_[i + 1] - y_[i]) / h + ((1.0 - 3.0 * a * a) * c0 + (3.0 * b * b - 1.0) * c1) * h / 6.0,
            a * c0 + b * c1};
  }
  std::vector<double> corners() const override { return {t_.front(), t_.back()}; }
  Pace pace(double t) const override {
    const auto next =
        std::upper_bound(stretches_.begin(), stretches_.end(), t,
                         [](double time, const Stretch& stretch) { return time < stretch.end; });
    if (t < t_.front()) return {t_.front()};
    return next == stretches_.end() ? Pace{} : Pace{next->end, next->longest};
  }

 private:
  /// Points between which the table is close to one cubic polynomial.
  struct Stretch {
    double end, longest;
  };

  // Most tables are finer than what they hold: a slow motion at a thousand points a second, or rest with a pulse somewhere.
  // From each point on, as many pieces as one polynomial can stand for are one stretch, found by doubling and halving.
  void find_stretches() {
    const auto [least, most] = std::minmax_element(y_.begin(), y_.end());
    constexpr double usual_rtol = 1e-6;  // as little of its range as runs are asked to be right to
    const double tolerated = usual_rtol * (*most - *least);
    const std::size_t last = t_.size() - 1;
    for (std::size_t from = 0; from < last;) {
      std::size_t good = from + 1, width = 1;
      while (good < last && is_one_cubic(from, std::min(good + width, last), tolerated)) {
        good = std::min(good + width, last);
        width *= 2;
      }
      for (; width > 0; width /= 2)
        if (good + width <= last && is_one_cubic(from, good + width, tolerated)) good += width;
      stretches_.push_back({t_[good], longest_step(from, good, tolerated)});
      from = good;
    }
  }

  // At rest a step may be of any length: between the points, too. (Where these are alike, the spline may have a hump.)
  double longest_step(std::size_t from, std::size_t to, double tolerated) const {
    constexpr int samples = 12;
    const double h = t_[to] - t_[from];
    const auto is_alike = [&](double y) { return std::abs(y - y_[from]) <= tolerated; };
    const auto first = y_.begin() + static_cast<std::ptrdiff_t>(from);
    bool rests =
        to > from + 1 && std::all_of(first, first + static_cast<std::ptrdiff_t>(to - from) + 1, is_alike);
    for (int k = 1; k < samples && rests; ++k)
      rests = is_alike(at(t_[from] + h * k / samples, inside()).position);
    return rests ? Pace{}.longest : h;
  }

  // The cubic with the table's values and slopes at both ends, against the table at the points between and halfway.
  bool is_one_cubic(std::size_t from, std::size_t to, double tolerated) const {
    const double h = t_[to] - t_[from];
    const TrajectoryPoint a = at(t_[from], inside()), b = at(t_[to], inside());
    const auto is_close = [&](double t) {
      const double s = (t - t_[from]) / h, d = b.position - a.position - h * a.velocity,
                   e = h * (b.velocity - a.velocity);
      const double cubic = a.position + s * (h * a.velocity + s * (3.0 * d - e + s * (e - 2.0 * d)));
      return std::abs(cubic - at(t, inside()).position) <= tolerated;
    };
    for (std::size_t i = from; i < to; ++i)
      if ((i > from && !is_close(t_[i])) || !is_close(0.5 * (t_[i] + t_[i + 1]))) return false;
    return true;
  }
  double inside() const { return 0.5 * (t_.front() + t_.back()); }

  static Eigen::VectorXd second_derivatives(const std::vector<double>& t, const std::vector<double>& y) {
    const auto n = static_cast<Eigen::Index>(t.size());
    if (n == 2) return Eigen::VectorXd::Zero(2);
    const auto T = [&](Eigen::Index i) { return t[static_cast<std::size_t>(i)]; };
    const auto Y = [&](Eigen::Index i) { return y[static_cast<std::size_t>(i)]; };
    const auto slope = [&](Eigen::Index i) { return (Y(i + 1) - Y(i)) / (T(i + 1) - T(i)); };
    if (n == 3) {  // one parabola
      const double c = 2.0 * (slope(1) - slope(0)) / (T(2) - T(0));
      return Eigen::VectorXd::Constant(3, c);
    }
    // Unknowns: curvatures at the inner points, with those at the ends extrapolated linearly. Thomas' algorithm.
    Eigen::VectorXd lower(n), diagonal(n), upper(n), right(n);
    for (Eigen::Index i = 1; i < n - 1; ++i) {
      lower[i] = T(i) - T(i - 1);
      diagonal[i] = 2.0 * (T(i + 1) - T(i - 1));
      upper[i] = T(i + 1) - T(i);
      right[i] = 6.0 * (slope(i) - slope(i - 1));
    }
    const double first = (T(1) - T(0)) / (T(2) - T(1)), last = (T(n - 1) - T(n - 2)) / (T(n - 2) - T(n - 3));
    diagonal[1] += lower[1] * (1.0 + first);
    upper[1] -= lower[1] * first;
    diagonal[n - 2] += upper[n - 2] * (1.0 + last);
    lower[n - 2] -= upper[n - 2] * last;
    for (Eigen::Index i = 2; i < n - 1; ++i) {
      const double factor = lower[i] / diagonal[i - 1];
      diagonal[i] -= factor * upper[i - 1];
      right[i] -= factor * right[i - 1];
    }
    Eigen::VectorXd c(n);
    c[n - 2] = right[n - 2] / diagonal[n - 2];
    for (Eigen::Index i = n - 3; i >= 1; --i) c[i] = (right[i] - upper[i] * c[i + 1]) / diagonal[i];
    c[0] = c[1] + first * (c[1] - c[2]);
    c[n - 1] = c[n - 2] + last * (c[n - 2] - c[n - 3]);
    return c;
  }

  std::vector<double> t_, y_;
  Eigen::VectorXd curvature_;
  std::vector<Stretch> stretches_;
};

/// f(s(t)): f along a way, s from 0 to 1.
class AlongWay : public Trajectory {
 public:
  AlongWay(TrajectoryPointer f, TrajectoryPointer s) : f_(std::move(f)), s_(std::move(s)) {}
  TrajectoryPoint at(double t, double within) const override {
    constexpr double inside = 0.5;
    const TrajectoryPoint s = s_->at(t, within), f = f_->at(s.position, inside);
    return {f.position, f.velocity * s.velocity,
            f.acceleration * s.velocity * s.velocity + f.velocity * s.acceleration};
  }
  std::vector<double> corners() const override { return s_->corners(); }
  Pace pace(double t) const override { return s_->pace(t); }

 private:
  TrajectoryPointer f_, s_;
};

/// Sum of amplitude * part(t - delay). Before its own time zero a delayed part is what it was then.
class Sum : public Trajectory {
 public:
  struct Part {
    TrajectoryPointer of;
    double delay;
    double amplitude;
  };
  explicit Sum(std::vector<Part> parts) : parts_(std::move(parts)) {}
  TrajectoryPoint at(double t, double within) const override {
    TrajectoryPoint sum;
    for (const Part& part : parts_) {
      TrajectoryPoint m;
      if (part.delay == 0.0)
        m = part.of->at(t, within);
      else if (within > part.delay)
        m = part.of->at(t - part.delay, within - part.delay);
      else
        m = {part.of->at(0.0).position, 0.0, 0.0};
      sum.position += part.amplitude * m.position;
      sum.velocity += part.amplitude * m.velocity;
      sum.acceleration += part.amplitude * m.acceleration;
    }
    return sum;
  }
  std::vector<double> corners() const override {
    std::vector<double> times;
    for (const Part& part : parts_) {
      if (part.delay > 0.0) times.push_back(part.delay);
      for (const double time : part.of->corners())
        if (part.delay == 0.0 || time > 0.0) times.push_back(time + part.delay);
    }
    return times;
  }
  Pace pace(double t) const override {
    Pace sum;
    for (const Part& part : parts_) {
      Pace own{part.delay};
      if (t >= part.delay) {
        own = part.of->pace(t - part.delay);
        own.until += part.delay;
      }
      sum = sum.together_with(own);
    }
    return sum;
  }
  bool is_smooth() const override {
    return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.of->is_smooth(); });
  }

 private:
  std::vector<Part> parts_;
};

}  // namespace

TrajectoryPoint Trajectory::at(double t) const {
  return at(t, std::nextafter(t, std::numeric_limits<double>::infinity()));
}

std::vector<Impulse> shaper_impulses(Shaper shaper, double frequency_hz, double damping_ratio) {
  const double root = std::sqrt(1.0 - damping_ratio * damping_ratio);
  const double K = std::exp(-damping_ratio * pi / root), half_period = 0.5 / (frequency_hz * root);
  const std::vector<Impulse> zv = {{0.0, 1.0 / (1.0 + K)}, {half_period, K / (1.0 + K)}};
  if (shaper == Shaper::zv) return zv;
  const double whole = (1.0 + K) * (1.0 + K);
  return {{0.0, 1.0 / whole}, {half_period, 2.0 * K / whole}, {2.0 * half_period, K * K / whole}};
}

std::vector<Impulse> convolve(const std::vector<Impulse>& first, const std::vector<Impulse>& second) {
  std::vector<Impulse> product;
  for (const Impulse& a : first)
    for (const Impulse& b : second) product.push_back({a.time + b.time, a.amplitude * b.amplitude});
  return product;
}

TrajectoryPointer along_way(const std::vector<double>& values, double start, double duration) {
  std::vector<double> parts(values.size());
  for (std::size_t i = 0; i < parts.size(); ++i)
    parts[i] = static_cast<double>(i) / static_cast<double>(parts.size() - 1);
  return std::make_shared<AlongWay>(std::make_shared<Table>(parts, values),
                                    std::make_shared<Quintic>(0.0, 1.0, start, duration));
}

TrajectoryPointer constant_trajectory(double value) { return std::make_shared<Constant>(value); }

namespace {

using Find = std::function<TrajectoryPointer(const std::string&)>;

TrajectoryPointer make(const trajectories::Constant& d, const Find&) { return constant_trajectory(d.value); }
TrajectoryPointer make(const trajectories::Steps& d, const Find&) {
  return std::make_shared<Steps>(d.points);
}
TrajectoryPointer make(const trajectories::Quintic& d, const Find&) {
  return std::make_shared<Quintic>(d.from, d.to, d.start, d.duration);
}
TrajectoryPointer make(const trajectories::Cycloidal& d, const Find&) {
  return std::make_shared<Cycloidal>(d.rate, d.period);
}
TrajectoryPointer make(const trajectories::Trapezoidal& d, const Find&) {
  return std::make_shared<Trapezoidal>(d.from, d.to, d.start, d.velocity, d.acceleration);
}
TrajectoryPointer make(const trajectories::SpinUp& d, const Find&) {
  return std::make_shared<SpinUp>(d.rate, d.duration);
}
TrajectoryPointer make(const trajectories::Table& d, const Find&) {
  return std::make_shared<Table>(d.times, d.values);
}
TrajectoryPointer make(const trajectories::Sum& d, const Find& find) {
  std::vector<Sum::Part> parts;
  for (const std::string& name : d.of) parts.push_back({find(name), 0.0, 1.0});
  return std::make_shared<Sum>(std::move(parts));
}
TrajectoryPointer make(const trajectories::Shaped& d, const Find& find) {
  std::vector<Impulse> impulses = {{0.0, 1.0}};
  for (const double frequency : d.frequencies_hz)
    impulses = convolve(impulses, shaper_impulses(d.shaper, frequency, d.damping_ratio));
  std::vector<Sum::Part> parts;
  for (const Impulse& impulse : impulses) parts.push_back({find(d.of), impulse.time, impulse.amplitude});
  return std::make_shared<Sum>(std::move(parts));
}

TrajectoryPointer make(const trajectories::Cartesian&, const Find&) {
  throw InputError(Problem{"trajectories", "a trajectory of one number",
                           "`cartesian`, which has one for each joint", "make_scenario finds these"});
}

}  // namespace

TrajectoryPointer make_trajectory(const TrajectoryDescription& description, const Find& find) {
  return std::visit([&](const auto& held) { return make(held, find); }, description);
}

}  // namespace limber
