// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm under its controllers and loads, as the differential equation that integrators see:
//
//   y = [q; v; integrals],     integrals = [work of actuators; work of loads; dissipated; by friction; x],     y' = f(t, y)
//
// Integrals go along with the motion, by the same method. The first four are the energy ledger's, and have no say in the
// choice of steps (what friction takes is part of what is dissipated); x is what controllers remember, and pressures of oil. Prescribed joints take their position, velocity and
// acceleration from their trajectory whatever y holds, and joints that stick (stick_slip.hpp) stay where they are. What sampled controllers remember is no part of y: it is constant between corners (`samples`).

#include <memory>
#include <string>
#include <vector>

#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/motion_bounds.hpp"
#include "limber/core/export.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/simulation/detail/inputs.hpp"
#include "limber/simulation/detail/joint_friction.hpp"
#include "limber/simulation/detail/stops.hpp"
#include "limber/simulation/detail/timetable.hpp"
#include "limber/simulation/detail/tolerances.hpp"
#include "limber/simulation/scenario.hpp"
#include "limber/simulation/switch.hpp"

namespace limber LIMBER_EXPORT {

/// The first of the integrals: their rates are powers [W].
inline constexpr int ledger_size = 4;

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
  int memory_size() const { return inputs_.memory_size(); }
  /// Ledger and x.
  int integral_count() const { return ledger_size + memory_size(); }
  /// Numbers in y.
  int size() const { return model_.nq() + model_.nv() + integral_count(); }
  /// y at t = 0.
  Eigen::VectorXd initial_state() const;

  /// The next time after t at which something is not smooth, or is sampled; the duration is one of them. Infinity: none.
  double next_corner(double t) const { return timetable_.next_corner(t); }
  /// Times that differ by less are one [s].
  double time_resolution() const { return timetable_.resolution(); }
  /// From now on, times lie between two neighbouring corners around `within`.
  void enter_interval(double within) { within_ = within; }
  /// How far steps from t may go without passing over a change of an input.
  Pace pace(double t) const { return timetable_.pace(t); }
  /// Whether any controller has a sample at t, or sees a new reading.
  bool is_sample(double t) const { return timetable_.is_sample(t); }
  /// Asks those sampled controllers whose sample falls on t, after enter_interval. False where there are none.
  bool sample(double t, const Input<double>& y);
  /// What sampled controllers remember and hold: all that their past means for what follows.
  const Eigen::VectorXd& samples() const { return inputs_.samples(); }
  /// Puts it back.
  void set_samples(const Eigen::VectorXd& samples) { inputs_.set_samples(samples); }
  /// Whether controllers look at sensors (Controller::sensors): whoever runs the system shows them readings then.
  bool looks_at_sensors() const { return inputs_.look_at_sensors(); }
  /// From now on controllers see these readings of all sensors of the scenario; sensors that continuous controllers see at once follow the
  /// motion by themselves.
  void show(const Input<double>& readings) { inputs_.show(readings); }
  /// Efforts from outside (nv), asked for besides those of controllers until they are set anew.
  void set_efforts(const Input<double>& efforts) { inputs_.set_from_outside(efforts); }
  /// Those that were set last.
  const Eigen::VectorXd& efforts_from_outside() const { return inputs_.from_outside(); }

  /// What has modes. Until `enter_modes` is called, each state is taken in the mode that it belongs to by itself; from
  /// then on modes change when `change_mode` says so.
  int switch_count() const {
    return static_cast<int>(inputs_.switches().size() + friction_.sticking().size() + stops_.all().size());
  }
  /// Each switch takes the mode that holds at a state.
  void enter_modes(double t, const Input<double>& y);
  /// Joints that stick let go, and stops press as the state says: somebody moves the arm.
  void forget_modes();
  /// The guard of a switch has come to zero: it takes the mode that follows.
  void change_mode(int which, double t, const Input<double>& y);
  /// Switches, and what the scenario watches.
  int guard_count() const { return switch_count() + static_cast<int>(scenario_.watches.size()); }
  /// Of all switches at a state, then the values of all watches.
  void guards(double t, const Input<double>& y, Eigen::VectorXd& values);
  /// A switch changes to and fro: softens it so that tolerances resolve it. Does nothing where they do.
  void soften(int which, double t, const Input<double>& y);

  /// Puts prescribed joints where they belong at t, and joints that stick where they stuck, at rest.
  void apply_prescribed(double t, Output<double> q, Output<double> v) const;
  /// The same in y.
  void put_in_place(double t, Output<double> y) const;

  /// Whether chains of links are closed.
  bool has_loops() const { return loops_ != nullptr; }
  /// Brings q and v to where loops are closed at t, prescribed joints where they belong. Throws ComputationError where they cannot be.
  void close_loops(double t, Output<double> q, Output<double> v);

  /// a and the integrals' rates at a state (prescribed joints of q and v are put in place). Throws ComputationError.
  void accelerate(double t, Output<double> q, Output<double> v, const Input<double>& integrals,
                  Eigen::VectorXd& a, Eigen::VectorXd& rates);
  /// Forces that are missing at a state and accelerations (Formulation::missing_forces), zero in rows of prescribed
  /// joints, whose motion is put in place. False where the formulation cannot say.
  bool missing_forces(double t, Output<double> q, Output<double> v, const Input<double>& integrals,
                      Output<double> a, Eigen::VectorXd& forces, Eigen::VectorXd& rates);
  /// The rates of what controllers remember alone.
  void memory_rates(double t, Output<double> q, Output<double> v, const Input<double>& integrals,
                    Output<double> rates);
  /// What acts at a state, for methods that solve the equations of motion themselves. Prescribed joints are put in
  /// place, their accelerations into a.
  struct AppliedForces {
    const Eigen::VectorXd&
        tau;  ///< nv generalised forces of actuators and stops, less friction; zero in rows of held_links()
    const std::vector<Load>& loads;  ///< those that act at that time
  };
  /// At a state; references hold until the next call.
  AppliedForces applied_forces(double t, Output<double> q, Output<double> v, const Input<double>& integrals,
                               Output<double> a);
  /// ... and the integrals' rates; `efforts` has what moves, or holds, the joints of held_links() in their rows.
  void integral_rates(const Input<double>& q, const Input<double>& v, const Input<double>& efforts,
                      Eigen::VectorXd& rates);
  /// Links whose joints are prescribed.
  const std::vector<int>& prescribed_links() const { return prescribed_links_; }
  /// These, and those whose joints stick: their accelerations are known.
  const std::vector<int>& held_links() const { return held_links_; }
  /// Whether missing forces are applied_forces() less what springs, dampers and inverse dynamics take: formulation `recursive` of a tree without cylinders,
  /// telescoping beams, loads and prescribed joints.
  bool is_plain_tree() const;
  /// What the actuators did in the last call: generalised forces, whose power is their product with v.
  const Eigen::VectorXd& actuator_forces() const { return tau_; }
  /// f(t, y), as many numbers as y has.
  void derivative(double t, const Input<double>& y, Output<double> rate);
  /// The same equations unsolved, F(t, y, y') = 0: in rows of v minus the missing forces. False where the formulation
  /// cannot say.
  bool residual(double t, const Input<double>& y, const Input<double>& rate, Output<double> residual);

  /// M, and K, C with M da = -K dq - C dv to first order at a state and its acceleration: inertia, gravity, beams,
  /// springs, loads, controllers. Rows and columns of prescribed joints are those of the identity.
  using Tangent = limber::Tangent;
  /// `limited`: at its limit an effort does not follow what is asked for; `as_asked`: as if there were no limits.
  enum class Motors { limited, as_asked };
  /// Finds it at a state and its acceleration.
  void tangent(double t, const Input<double>& q, const Input<double>& v, const Input<double>& integrals,
               const Input<double>& a, Tangent& tangent, Motors motors = Motors::limited);

  /// What controllers remember, beside the tangent: M da = ... + force dx, dx' = dq (displacement) + dv (change of v) + dx (change of x).
  using MemorySlopes = detail::MemorySlopes;
  /// At a state. Rows and columns of prescribed joints, and of those that stick, are zero.
  void memory_slopes(double t, const Input<double>& q, const Input<double>& v, const Input<double>& integrals,
                     MemorySlopes& slopes);

  /// The same by what M^-1, C and K do to vectors: for what can be known of a large arm without its matrices. Motors as asked.
  MotionOperators motion_operators(double t, const Input<double>& q, const Input<double>& v,
                                   const Input<double>& integrals, const Input<double>& a);

  /// Efforts and wrenches of the last call to this function, for output.
  struct Forces {
    Eigen::VectorXd efforts;               ///< nv: joints' rows
    Eigen::VectorXd asked;                 ///< nv: what controllers ask for, before limits
    std::vector<Wrench> wrenches;          ///< of every joint, as DynamicsOutput's
    Eigen::VectorXd acceleration;          ///< nv
    Eigen::VectorXd power;                 ///< nv: of each motor [W], effort times how fast it turns
    Eigen::VectorXd friction;              ///< nv: against the motion; of joints that stick what holds them
    std::vector<LoopForce> loops;          ///< of every loop, by its place a on b
    std::vector<Load> loop_loads;          ///< the same as loads on links
    std::vector<CylinderState> cylinders;  ///< of every cylinder: length, rate and force
  };
  /// At a state; prescribed joints are put in place first.
  void forces(double t, Output<double> q, Output<double> v, const Input<double>& integrals, Forces& forces);
  /// Loads that acted in the last call of any of these functions.
  const std::vector<Load>& active_loads() const { return active_loads_; }
  /// [J]; fills workspace().
  Energy<double> energy(const Input<double>& q, const Input<double>& v);
  /// Poses and velocities where `energy` was last asked for.
  const Workspace<double>& workspace() const { return work_; }

  /// Tolerances of error control: rtol times the size of what a number is compared with, plus atol (detail/tolerances.hpp).
  /// A method whose error estimate is not of its own order sets an rtol of its own.
  void use_rtol(double rtol) { tolerances_.use_rtol(rtol); }
  /// The relative tolerance in use.
  double rtol() const { return tolerances_.rtol(); }
  /// What the past means besides: in which modes switches are, what sensors showed last, and how large motions have been.
  struct Past {
    std::vector<std::shared_ptr<const Switch>> switches;  ///< in their modes
    std::vector<StickSlip> sticking;                      ///< likewise
    std::vector<StopSwitch> stops;                        ///< likewise
    Eigen::VectorXd shown;                                ///< of sensors
    detail::Tolerances::State sizes;                      ///< that tolerances follow
  };
  /// Up to now.
  Past past() const;
  /// Puts it back.
  void set_past(const Past& past);
  /// Tolerances follow the largest positions, velocities and energies that were noted.
  void note_sizes(const Input<double>& q, const Input<double>& v);
  /// Of number i of q.
  double q_tolerance(int i) const {
    detail::require_index("System::q_tolerance", "i", nq(), i);
    return tolerances_.state().q[i];
  }
  /// Of number i of v.
  double v_tolerance(int i) const {
    detail::require_index("System::v_tolerance", "i", nv(), i);
    return tolerances_.state().v[i];
  }
  /// Along v's components.
  double displacement_tolerance(int i) const {
    detail::require_index("System::displacement_tolerance", "i", nv(), i);
    return tolerances_.state().displacement[i];
  }
  /// Of a remembered number of this size.
  double memory_tolerance(double x) const { return tolerances_.of(x); }

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
  void require_state(const char* function, const Input<double>& q, const Input<double>& v,
                     const Input<double>& integrals) const;
  void set_input_matrix();
  Instant instant(double t, const Input<double>& q, const Input<double>& v,
                  const Input<double>& integrals) const;
  Instant instant_at(double t, const Input<double>& y);
  void find_applied_forces(double t, Output<double> q, Output<double> v, const Input<double>& integrals,
                           Output<double> a);
  void find_actuator_forces();
  void find_friction(const Input<double>& v);
  void note_held_efforts();
  void hold_stuck_joints();
  void settle_friction(double t, int changed);
  Situation situation(const Instant& now);
  Switch& switch_at(int which);
  void find_loads(double t);
  void position_rate(const Input<double>& y);
  void find_rates(const Input<double>& q, const Input<double>& v, Eigen::VectorXd& rates);
  double load_power(const Input<double>& q, const Input<double>& v);
  void find_strut_forces();
  Instant with_cylinders(const Instant& now);
  const Eigen::VectorXd* pushed() const { return struts_ ? &pushed_ : nullptr; }

  Scenario& scenario_;
  const Model& model_;
  bool has_quaternions_;
  std::unique_ptr<Formulation> formulation_;
  std::unique_ptr<LoopSolver> loops_;  ///< none where there are no loops
  std::unique_ptr<Struts> struts_;     ///< none where there are no cylinders
  detail::Inputs inputs_;
  detail::JointFriction friction_;
  detail::Stops stops_;
  detail::Timetable timetable_;
  std::vector<int> prescribed_links_, held_links_, held_coordinates_;
  double within_ = 0.0;

  // Scratch.
  Eigen::VectorXd tau_, q_, v_, integrals_, rates_, a_, q_rate_, missing_;
  Eigen::VectorXd resisted_;  ///< nv: friction, of joints that stick what holds them
  Eigen::VectorXd applied_;   ///< nv: tau_ and stops less friction, as formulations see it
  Eigen::VectorXd drives_;    ///< of cylinders: forces of their drives
  Eigen::VectorXd pushed_;    ///< ... and of their stops
  Eigen::VectorXd held_;  ///< nv: what moves prescribed joints and holds those that stick, without friction
  std::vector<Load> active_loads_;
  DynamicsOutput output_;
  Workspace<double> work_;
  Eigen::MatrixXd input_;  ///< from efforts to forces on elastic coordinates; empty where there are none
  std::unique_ptr<DerivativeWorkspace> derivative_work_;
  Eigen::MatrixXd damping_, stiffness_;
  detail::Tolerances tolerances_;

  long evaluations_ = 0, tangents_ = 0;
};

}  // namespace limber
