// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm under its controllers and loads, as the differential equation that integrators see:
//
//   y = [q; v; integrals],     integrals = [work of actuators; work of loads; dissipated; x],     y' = f(t, y)
//
// Integrals go along with the motion, by the same method. The first three are the energy ledger's, and have no say in the
// choice of steps; x is what controllers remember. Prescribed joints take their position, velocity and acceleration from their
// trajectory whatever y holds. What sampled controllers remember is no part of y: it is constant between corners (`samples`).

#include <cmath>
#include <memory>

#include "limber/algorithms/energy.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/motion_bounds.hpp"
#include "limber/core/export.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/simulation/scenario.hpp"
#include "limber/simulation/switch.hpp"

namespace limber LIMBER_EXPORT {

/// The first of the integrals: their rates are powers [W].
inline constexpr int ledger_size = 3;

/// A scenario as the differential equation y' = f(t, y).
class System {
 public:
  /// The scenario must outlive it.
  explicit System(Scenario& scenario);

  /// The arm.
  const Model& model() const { return model_; }
  /// Numbers in q.
  int nq() const { return model_.nq(); }
  /// Numbers in v.
  int nv() const { return model_.nv(); }
  /// Numbers in x.
  int memory_size() const { return memory_at_.back(); }
  /// Ledger and x.
  int integral_count() const { return ledger_size + memory_size(); }
  /// Numbers in y.
  int size() const { return model_.nq() + model_.nv() + integral_count(); }
  /// y at t = 0.
  Eigen::VectorXd initial_state() const;

  /// The next time after t at which something is not smooth, or is sampled; the duration is one of them. Infinity: none.
  double next_corner(double t) const;
  /// Times that differ by less are one [s].
  double time_resolution() const;
  /// From now on, times lie between two neighbouring corners around `within`.
  void enter_interval(double within) { within_ = within; }
  /// How far steps from t may go without passing over a change of an input.
  Pace pace(double t) const;
  /// Whether any controller has a sample at t.
  bool is_sample(double t) const;
  /// Asks those sampled controllers whose sample falls on t, after enter_interval. False where there are none.
  bool sample(double t, const Eigen::VectorXd& y);
  /// What sampled controllers remember and hold: all that their past means for what follows.
  const Eigen::VectorXd& samples() const { return samples_; }
  /// Puts it back.
  void set_samples(const Eigen::VectorXd& samples) { samples_ = samples; }
  /// Efforts from outside (nv), asked for besides those of controllers until they are set anew.
  void set_efforts(const Eigen::Ref<const Eigen::VectorXd>& efforts) { from_outside_ = efforts; }
  /// Those that were set last.
  const Eigen::VectorXd& efforts_from_outside() const { return from_outside_; }

  /// What has modes. Until `enter_modes` is called, each state is taken in the mode that it belongs to by itself; from
  /// then on modes change when `change_mode` says so.
  int switch_count() const { return static_cast<int>(effort_limits_.size()); }
  /// Each switch takes the mode that holds at a state.
  void enter_modes(double t, const Eigen::VectorXd& y);
  /// The guard of a switch has come to zero: it takes the mode that follows.
  void change_mode(int which, double t, const Eigen::VectorXd& y);
  /// Switches, and what the scenario watches.
  int guard_count() const { return switch_count() + static_cast<int>(scenario_.watches.size()); }
  /// Of all switches at a state, then the values of all watches.
  void guards(double t, const Eigen::VectorXd& y, Eigen::VectorXd& values);
  /// A switch changes to and fro: softens it so that tolerances resolve it. Does nothing where they do.
  void soften(int which, double t, const Eigen::VectorXd& y);

  /// Puts prescribed joints where they belong at t.
  void apply_prescribed(double t, Eigen::VectorXd& q, Eigen::VectorXd& v) const;

  /// a and the integrals' rates at a state (prescribed joints of q and v are put in place). Throws ComputationError.
  void accelerate(double t, Eigen::VectorXd& q, Eigen::VectorXd& v, const Eigen::VectorXd& integrals,
                  Eigen::VectorXd& a, Eigen::VectorXd& rates);
  /// Forces that are missing at a state and accelerations (Formulation::missing_forces), zero in rows of prescribed
  /// joints, whose motion is put in place. False where the formulation cannot say.
  bool missing_forces(double t, Eigen::VectorXd& q, Eigen::VectorXd& v, const Eigen::VectorXd& integrals,
                      Eigen::VectorXd& a, Eigen::VectorXd& forces, Eigen::VectorXd& rates);
  /// The rates of what controllers remember alone.
  void memory_rates(double t, Eigen::VectorXd& q, Eigen::VectorXd& v, const Eigen::VectorXd& integrals,
                    Eigen::Ref<Eigen::VectorXd> rates);
  /// What acts at a state, for methods that solve the equations of motion themselves. Prescribed joints are put in
  /// place, their accelerations into a.
  struct AppliedForces {
    const Eigen::VectorXd& tau;      ///< nv generalised forces of actuators
    const std::vector<Load>& loads;  ///< those that act at that time
  };
  /// At a state; references hold until the next call.
  AppliedForces applied_forces(double t, Eigen::VectorXd& q, Eigen::VectorXd& v,
                               const Eigen::VectorXd& integrals, Eigen::VectorXd& a);
  /// ... and the integrals' rates; `efforts` has what moves prescribed joints in their rows.
  void integral_rates(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& efforts,
                      Eigen::VectorXd& rates);
  /// Links whose joints are prescribed.
  const std::vector<int>& prescribed_links() const { return prescribed_links_; }
  /// What the actuators did in the last call: generalised forces, whose power is their product with v.
  const Eigen::VectorXd& actuator_forces() const { return tau_; }
  /// f(t, y).
  void derivative(double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate);
  /// The same equations unsolved, F(t, y, y') = 0: in rows of v minus the missing forces. False where the formulation
  /// cannot say.
  bool residual(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& rate, Eigen::VectorXd& residual);

  /// M, and K, C with M da = -K dq - C dv to first order at a state and its acceleration: inertia, gravity, beams,
  /// springs, loads, controllers. Rows and columns of prescribed joints are those of the identity.
  using Tangent = limber::Tangent;
  /// `limited`: at its limit an effort does not follow what is asked for; `as_asked`: as if there were no limits.
  enum class Motors { limited, as_asked };
  /// Finds it at a state and its acceleration.
  void tangent(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& integrals,
               const Eigen::VectorXd& a, Tangent& tangent, Motors motors = Motors::limited);

  /// The same by what M^-1, C and K do to vectors: for what can be known of a large arm without its matrices. Motors as asked.
  MotionOperators motion_operators(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                   const Eigen::VectorXd& integrals, const Eigen::VectorXd& a);

  /// Efforts and wrenches of the last call to this function, for output.
  struct Forces {
    Eigen::VectorXd efforts;       ///< nv: joints' rows
    Eigen::VectorXd asked;         ///< nv: what controllers ask for, before limits
    std::vector<Wrench> wrenches;  ///< of every joint, as DynamicsOutput's
    Eigen::VectorXd acceleration;  ///< nv
    Eigen::VectorXd power;         ///< nv: of each motor [W], effort times how fast it turns
  };
  /// At a state; prescribed joints are put in place first.
  void forces(double t, Eigen::VectorXd& q, Eigen::VectorXd& v, const Eigen::VectorXd& integrals,
              Forces& forces);
  /// Loads that acted in the last call of any of these functions.
  const std::vector<Load>& active_loads() const { return active_loads_; }
  /// [J]; fills workspace().
  Energy<double> energy(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  /// Poses and velocities where `energy` was last asked for.
  const Workspace<double>& workspace() const { return work_; }

  /// Tolerances of error control: rtol times the size of what a number is compared with, plus atol. See system.cpp.
  /// A method whose error estimate is not of its own order sets an rtol of its own.
  void use_rtol(double rtol) { rtol_ = rtol; }
  /// The relative tolerance in use.
  double rtol() const { return rtol_; }
  /// What the past means besides: in which modes switches are, and how large motions have been.
  struct Past {
    std::vector<EffortLimit> effort_limits;                            ///< with their modes
    double energy_size = 0.0, angle_size = 0.0, length_size = 0.0;     ///< that tolerances follow
    Eigen::VectorXd q_tolerance, v_tolerance, displacement_tolerance;  ///< as they are
  };
  /// Up to now.
  Past past() const {
    return {effort_limits_, energy_size_,           angle_size_, length_size_, q_tolerance_,
            v_tolerance_,   displacement_tolerance_};
  }
  /// Puts it back.
  void set_past(const Past& past);
  /// Tolerances follow the largest positions, velocities and energies that were noted.
  void note_sizes(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  /// Of number i of q.
  double q_tolerance(int i) const {
    detail::require_index("System::q_tolerance", "i", nq(), i);
    return q_tolerance_[i];
  }
  /// Of number i of v.
  double v_tolerance(int i) const {
    detail::require_index("System::v_tolerance", "i", nv(), i);
    return v_tolerance_[i];
  }
  /// Along v's components.
  double displacement_tolerance(int i) const {
    detail::require_index("System::displacement_tolerance", "i", nv(), i);
    return displacement_tolerance_[i];
  }
  /// Of a remembered number of this size.
  double memory_tolerance(double x) const { return scenario_.integrator.atol + rtol_ * std::abs(x); }

  /// What the formulation has to say about the states that `forces` saw, and which limits were softened.
  std::vector<std::string> doubts() const;

  /// Whether any joint moves as it is told.
  bool has_prescribed() const { return !scenario_.prescribed.empty(); }
  /// Whether any joint has one.
  bool has_quaternions() const { return has_quaternions_; }
  /// How often accelerations or missing forces were computed.
  long evaluations() const { return evaluations_; }
  /// How often tangent() was.
  long tangents() const { return tangents_; }

 private:
  void require_state(const char* function, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                     const Eigen::VectorXd& integrals) const;
  void set_input_matrix();
  void find_applied_forces(double t, Eigen::VectorXd& q, Eigen::VectorXd& v, const Eigen::VectorXd& integrals,
                           Eigen::VectorXd& a);
  template <typename Visitor>
  void each_controller(const Instant& now, Visitor&& visitor);
  void find_sampled();
  Situation ask_controllers(const Instant& now);
  Instant instant(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                  const Eigen::VectorXd& integrals) const;
  Instant instant_at(double t, const Eigen::VectorXd& y);
  void find_memory_rate(const Instant& now);
  void find_gains(const Instant& now);
  void find_efforts(const Instant& now);
  void find_actuator_forces();
  void find_loads(double t);
  void position_rate(const Eigen::VectorXd& y);
  void find_rates(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& rates);
  double load_power(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  void set_tolerances();

  Scenario& scenario_;
  const Model& model_;
  bool has_quaternions_;
  std::unique_ptr<Formulation> formulation_;
  std::vector<TrajectoryPointer> signals_;  ///< all that inputs follow, each once
  std::vector<double> corners_;
  std::vector<EffortLimit> effort_limits_;
  std::vector<int> memory_at_;  ///< of each controller: where its part of x begins; last the size of x
  /// A controller that is asked at its samples only.
  struct Sampled {
    Controller* controller;
    double rate;      ///< samples per second
    int at;           ///< in samples_: what it remembers, then nv efforts that it holds
    int memory_size;  ///< of what it remembers
    bool is_due;      ///< at the sample that is being taken
    int efforts() const { return at + memory_size; }
  };
  std::vector<Sampled> sampled_;
  std::vector<std::size_t> continuous_;  ///< controllers that are asked all the time
  Eigen::VectorXd samples_, from_outside_;
  std::vector<char> is_prescribed_;  ///< of nv
  std::vector<int> prescribed_links_;
  double within_ = 0.0;

  // Scratch.
  Eigen::VectorXd asked_, held_, next_, efforts_, tau_, q_, v_, integrals_, rates_, a_, q_rate_, missing_,
      memory_rate_;
  Eigen::VectorXi at_limit_;
  std::vector<Load> active_loads_;
  DynamicsOutput output_;
  Workspace<double> work_;
  Eigen::MatrixXd input_;  ///< from efforts to forces on elastic coordinates; empty where there are none
  std::unique_ptr<ForceDifferentiator> differentiator_;
  Eigen::MatrixXd damping_, stiffness_, gains_q_, gains_v_;
  std::vector<int> all_;

  // Error control.
  Eigen::VectorXd sqrt_M_, sqrt_K_;  ///< of the diagonals at the start
  double rtol_;
  double energy_size_ = 0.0, angle_size_ = 0.0, length_size_ = 0.0;
  Eigen::VectorXd q_tolerance_, v_tolerance_, displacement_tolerance_;

  long evaluations_ = 0, tangents_ = 0;
};

}  // namespace limber
