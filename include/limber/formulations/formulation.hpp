#pragma once

// One interface to all formulations of the equations of motion: a state goes in, accelerations and joint
// wrenches come out. What differs is how: which unknowns, which approximations, which cost. Simulation and
// comparison see only this.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/model/model.hpp"

namespace limber {

/// What acts on the arm at one moment. Sizes: nq, nv, nv.
struct DynamicsInput {
  const Eigen::VectorXd& q;
  const Eigen::VectorXd& v;
  const Eigen::VectorXd& tau;
  const std::vector<ExternalWrench>& loads;
};

struct DynamicsOutput {
  /// nv: the rate of v's components. Rows of prescribed joints are handed in, and kept.
  Eigen::VectorXd acceleration;
  std::vector<Eigen::Matrix<double, 6, 1>>
      wrenches;  ///< of every joint, by the parent on the child, about B's
                 ///< origin, in B's axes, force first; in the order of links
};

/// Keeps the scratch that it needs, so one object serves one thread. The model must outlive it.
class Formulation {
 public:
  virtual ~Formulation() = default;
  virtual const char* name() const = 0;
  /// Joints of these links move as they are told from now on: their accelerations are given, and their efforts
  /// found. Throws InputError where the formulation cannot do this.
  virtual void prescribe(const std::vector<int>& links) = 0;
  /// What moves the prescribed joints, after evaluate: into their rows of `efforts` (nv).
  virtual void prescribed_efforts(const DynamicsInput& input, const DynamicsOutput& output,
                                  Eigen::VectorXd& efforts) const = 0;
  /// Accelerations alone, for integrators: wrenches are left as they are.
  virtual void accelerate(const DynamicsInput& input, DynamicsOutput& output) = 0;
  /// What is missing for the equations of motion to hold with these accelerations: tau + loads - M a - bias - springs -
  /// dampers (nv). Implicit integrators need nothing else, and it may cost less than accelerations. In rows of
  /// prescribed joints: minus what moves them (their tau being zero). False: this formulation has no such short cut.
  virtual bool missing_forces(const DynamicsInput&, const Eigen::VectorXd&, Eigen::VectorXd&) {
    return false;
  }
  /// Accelerations and wrenches. Throws ComputationError where the equations have no unique solution.
  virtual void evaluate(const DynamicsInput& input, DynamicsOutput& output) = 0;
};

/// The names that make_formulation knows.
std::vector<std::string> formulation_names();

/// `recursive`: block elimination in O(n). `dense`: mass matrix by composite bodies, then Cholesky (refined once).
/// `generated`: code made for this arm, compiled when it is first asked for.
/// Throws InputError for a name that is none.
std::unique_ptr<Formulation> make_formulation(const std::string& name, const Model& model);

}  // namespace limber
