// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm that another program takes along: a real-time loop, a simulator of something else, an optimiser that tries what would be if.
// simulate() goes the same steps by itself (docs/simulation.md).
//
//   Simulator arm(build_scenario(...));
//   while (arm.state().t < 2.0) arm.step(1e-3, my_efforts(arm.state()));

#include <functional>
#include <memory>
#include <string_view>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/simulation/scenario.hpp"

namespace limber LIMBER_EXPORT {

/// A scenario that goes on as far as it is told, by its own method of integration and under its own controllers, trajectories and loads.
///
/// Steps end exactly where they are told to. A method with a fixed step whose steps come there anyway takes the steps of simulate(), to the last
/// bit; others agree to their tolerances. Neither fixed-step methods nor radau use the heap in step() and advance_to().
class Simulator {
 public:
  /// At the scenario's start. It may go on beyond the scenario's duration. Throws what simulate() throws.
  explicit Simulator(Scenario scenario);
  ///@{
  /// Moved, not copied: save() and restore() are for that.
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;
  ///@}
  ~Simulator();

  /// What it runs.
  const Scenario& scenario() const;
  /// The arm.
  const Model& model() const { return scenario().model; }
  /// The method of integration: what `auto` took.
  const char* method() const;

  /// Where the arm is.
  struct State {
    double t = 0.0;        ///< [s]; of fixed steps, what was asked for to rounding
    Eigen::VectorXd q, v;  ///< nq numbers, nv numbers
  };
  /// Now.
  const State& state() const;

  /// Goes on for h seconds.
  void step(double h);
  /// The same with efforts from outside: set_efforts, step.
  void step(double h, const Eigen::Ref<const Eigen::VectorXd>& efforts);
  /// Goes on to a time, which is not before the present one. Throws ComputationError where the motion diverges or the method gives up; the
  /// state is then the last one that was reached. Where a Watch of the scenario stops the run, it ends there, before t; the next call
  /// goes on.
  void advance_to(double t);
  /// What the scenario's sensors show now, in their order: sampled, late, noisy and rounded as they are. One with a delay needs a `rate`: throws
  /// InputError otherwise. The reference holds until the next call.
  const Eigen::VectorXd& readings();
  /// What the scenario watches, and has happened up to now.
  const std::vector<Occurrence>& occurrences() const;
  /// Called after every step of the method, of which step() and advance_to() may take many: it may throw to stop there. None: nobody is.
  void on_step(std::function<void()> listener);

  /// Puts the arm there (nq numbers, nv numbers), at the time that it is: all else stays as it was, and the method begins anew. Prescribed joints are where
  /// they are told to be. A sampled controller whose sample falls on this time looks again.
  void set_state(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v);

  /// From now on these act besides what controllers ask for, and under the same limits: nv numbers [N m or N], zero for elastic coordinates.
  /// At first all are zero.
  void set_efforts(const Eigen::Ref<const Eigen::VectorXd>& efforts);
  /// From now on a load of the scenario, counted as in Scenario::loads, is of this force [N] and moment [N m], in its own axes.
  void set_load(int load, const Eigen::Vector3d& force,
                const Eigen::Vector3d& moment = Eigen::Vector3d::Zero());
  /// The same of a load on the tip of a link, in world axes, which comes besides those of the scenario.
  void set_load(std::string_view link, const Eigen::Vector3d& force,
                const Eigen::Vector3d& moment = Eigen::Vector3d::Zero());

  /// All that it takes to go on from a moment, here or in another simulator of the same scenario.
  class Saved {
   public:
    ~Saved();
    Saved(const Saved&) = default;             ///< cheap: what was saved is shared
    Saved& operator=(const Saved&) = default;  ///< cheap, too

   private:
    friend class Simulator;
    struct All;
    explicit Saved(std::shared_ptr<const All> all);
    std::shared_ptr<const All> all_;
  };
  /// The method begins anew here (its tolerances hold, its last bits may be others than without): from here on, and wherever it is restored,
  /// all goes on the same to the last bit.
  Saved save();
  /// Throws InputError where it was saved by a simulator of something else.
  void restore(const Saved& saved);

 private:
  friend class Simulators;
  friend class Lockstep;
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace limber
