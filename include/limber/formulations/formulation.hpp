// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One interface to all formulations of the equations of motion: a state goes in, accelerations and joint
// wrenches come out. What differs is how: which unknowns, which approximations, which cost. Simulation and
// comparison see only this.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/model/formulation_kind.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// What acts on the arm at one moment. Sizes: nq, nv, nv.
struct DynamicsInput {
  Input<double> q;                 ///< nq
  Input<double> v;                 ///< nv
  Input<double> tau;               ///< nv generalised forces of actuators
  const std::vector<Load>& loads;  ///< from outside
  /// Of each cylinder: the force of its drive (algorithms/struts.hpp). None: springs and dampers alone.
  const Eigen::VectorXd* drives = nullptr;
};

/// What a formulation finds.
struct DynamicsOutput {
  /// nv: the rate of v's components. Rows of prescribed joints are handed in, and kept.
  Eigen::VectorXd acceleration;
  /// Of every joint, by the parent on the child, about B's origin, in B's axes; in the order of links.
  std::vector<Wrench> wrenches;
};

/// M a + bias = forces without springs, beams and dampers, at one state.
struct EquationTerms {
  Eigen::MatrixXd mass_matrix;    ///< M, nv x nv
  Eigen::VectorXd bias, gravity;  ///< nv each; bias contains gravity
};

/// Where the end effector is, how it moves, and the energies, at one state.
struct MotionTerms {
  PoseOf<double> end_effector;  ///< X_WE: of the frame in the world
  Matrix6X<double> jacobian;    ///< 6 x nv, linear rows first, world axes
  Energy<double> energy;        ///< [J]
};

/// Of the forces at a state and its accelerations, nv x nv each.
struct Tangent {
  Eigen::MatrixXd M, C, K;  ///< changes of forces with a, v and q
};

/// Keeps the scratch that it needs, so one object serves one thread. It keeps a copy of the model, whose beams all
/// copies share. Arguments of the wrong size are an InputError. Own ones: derive, and override what begins with `do_`.
class Formulation {
 public:
  virtual ~Formulation() = default;
  /// The word of scenario files: "recursive".
  virtual const char* name() const = 0;
  /// The arm.
  virtual const Model& model() const = 0;
  /// Joints of these links move as they are told from now on: their accelerations are given, and their efforts
  /// found. Throws InputError where the formulation cannot do this.
  void prescribe(const std::vector<int>& links);
  /// What moves the prescribed joints, after evaluate: into their rows of `efforts` (nv).
  void prescribed_efforts(const DynamicsInput& input, const DynamicsOutput& output,
                          Output<double> efforts) const;
  /// Accelerations alone, for integrators: wrenches are left as they are.
  void accelerate(const DynamicsInput& input, DynamicsOutput& output);
  /// What is missing for the equations of motion to hold with these accelerations: tau + loads - M a - bias - springs -
  /// dampers (nv). Implicit integrators need nothing else, and it may cost less than accelerations. In rows of
  /// prescribed joints: minus what moves them (their tau being zero). False: this formulation has no such short cut.
  bool missing_forces(const DynamicsInput& input, const Input<double>& a, Eigen::VectorXd& forces);
  /// Accelerations and wrenches. Throws ComputationError where the equations have no unique solution.
  void evaluate(const DynamicsInput& input, DynamicsOutput& output);
  /// The terms of its equations at q and v. False: they are those of the nonlinear model.
  bool equation_terms(const Input<double>& q, const Input<double>& v, EquationTerms& terms);
  /// Pose, Jacobian and energies at q and v. False: they are those of the nonlinear model.
  bool motion_terms(const Input<double>& q, const Input<double>& v, MotionTerms& terms);
  /// Why there is no matrix C with C v = bias - gravity and dM/dt - 2 C skew-symmetric. Empty: there is one, that of the nonlinear
  /// model (coriolis_matrix.hpp).
  virtual std::string why_no_coriolis_matrix() const { return ""; }
  /// How -missing_forces changes with a (M), with q along v's components (K) and with v (C), without springs, beams and
  /// dampers: for implicit integrators. False: like those of the nonlinear model.
  bool tangent(const DynamicsInput& input, const Input<double>& a, Tangent& tangent);
  /// Of an arm with closed loops: the multipliers of the last accelerate or evaluate, in the rows of algorithms/constraints.hpp. Empty for others.
  virtual Eigen::VectorXd loop_multipliers() const { return {}; }
  /// What its user should know about the states that `evaluate` saw, as sentences.
  virtual std::vector<std::string> doubts() const { return {}; }

 protected:
  ///@{
  /// The same, with arguments of the right sizes; a tangent's matrices are nv x nv.
  virtual void do_prescribe(const std::vector<int>& links) = 0;
  virtual void do_prescribed_efforts(const DynamicsInput& input, const DynamicsOutput& output,
                                     Output<double> efforts) const = 0;
  virtual void do_accelerate(const DynamicsInput& input, DynamicsOutput& output) = 0;
  virtual bool do_missing_forces(const DynamicsInput&, const Input<double>&, Eigen::VectorXd&) {
    return false;
  }
  virtual void do_evaluate(const DynamicsInput& input, DynamicsOutput& output) = 0;
  virtual bool do_equation_terms(const Input<double>&, const Input<double>&, EquationTerms&) { return false; }
  virtual bool do_motion_terms(const Input<double>&, const Input<double>&, MotionTerms&) { return false; }
  virtual bool do_tangent(const DynamicsInput&, const Input<double>&, Tangent&) { return false; }
  ///@}

 private:
  void require(const char* function, const DynamicsInput& input) const;
  void require_known_accelerations(const char* function, const DynamicsOutput& output) const;

  bool has_prescribed_ = false;
};

/// What a formulation can be asked for besides.
struct FormulationOptions {
  bool consistent = false;                ///< dual-screw: with the local second-order screw (dual_screw.hpp)
  std::vector<int> nonlinear_links = {};  ///< dual-screw: links whose elastic states are not truncated
  std::vector<int> nonlinear_coordinates = {};  ///< dual-screw: single elastic states that are not, in v
  bool definite = false;   ///< dual-screw: with the square that keeps M positive definite (truncated_arm.hpp)
  bool generated = false;  ///< dual-screw: as code made for this arm, compiled when it is first asked for
  double body_frame = 0.0;  ///< dae: where the frames of links that bend ride, as fraction of each beam
  /// Code: told before it compiles how long that will take, as a sentence.
  std::function<void(const std::string& sentence)> note = [](const std::string&) {};
  /// Code: told while it compiles what is being done, and how far it is (0 to 1), often. May throw to stop.
  std::function<void(const std::string& what, double part)> progress = [](const std::string&, double) {};
};

/// All names: "recursive, dense or ...".
std::string formulation_choices();
/// The formulation of that name. Throws InputError for a name that is none.
FormulationKind formulation_named(const std::string& name);
/// Its name.
const char* name_of(FormulationKind kind);

/// `recursive`: block elimination in O(n). `dense`: mass matrix by composite bodies, then Cholesky (refined once).
/// `dual-screw`: first order in the elastic states (dual_screw.hpp). `dae`: links as free bodies, joints as constraints,
/// the wrenches between them unknown (docs/dae.md), in O(n) too. `generated`: code made for
/// this arm, compiled when it is first asked for. Throws InputError for an arm too large for `generated`, and for an arm with closed
/// loops or cylinders where the formulation has none: `recursive`, `dense` and `dae` have.
std::unique_ptr<Formulation> make_formulation(FormulationKind kind, const Model& model,
                                              const FormulationOptions& options = {});

}  // namespace limber
