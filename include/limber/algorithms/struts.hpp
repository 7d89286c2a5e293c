// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Cylinders: struts without mass between two places of an arm (docs/cylinders.md).
//
// With p, v of the places `from` and `to` in the world's axes and J of the places,
//
//   d = p_to - p_from,   l = |d|,   e = d / l                                                                          (1)
//   l' = e . (v_to - v_from) = J v,   J = e^T (J_to - J_from) = dl/dq                                                  (2)
//
// f pushes the places apart: f e at `to`, -f e at `from`. With u what its drive does,
//
//   f = u - k (l - rest) - c l',   generalised forces J^T f,   power of the drive u l'                                 (3)
//
// How they change with u held, dJ being the change of J along dq:
//
//   d(J^T f) = dJ^T f - J^T (k J dq + c (dJ v + J dv))                                                                  (4)
//
// dJ^T f is the geometric term: a strut that pushes turns away. It is taken by the dual scalar, exact to rounding.
//
// A damper at a point (model key `dampers`) is one of them whose e stays as it is in the world, and l = e . d.

#include <string>
#include <vector>

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"
#include "limber/math/types.hpp"
#include "limber/model/load.hpp"
#include "limber/model/loops.hpp"

namespace limber LIMBER_EXPORT {

/// A cylinder at one moment.
struct CylinderState {
  std::string name;     ///< of the cylinder
  double length = 0.0;  ///< [m]
  double rate = 0.0;    ///< [m/s]
  double force = 0.0;   ///< f of (3): of drive, spring and damper [N]
  double asked = 0.0;   ///< what controllers ask of its drive, before limits [N; of a valve its opening]
  /// Of chamber a, where it has chambers (model/hydraulics.hpp) [Pa].
  double pressure_a = 0.0, pressure_b = 0.0;  ///< of chamber b [Pa]
  bool has_chambers = false;                  ///< whether it has them
};

/// All cylinders of an arm at one state after another: keeps its scratch.
class Struts {
 public:
  /// Of an arm, of which it keeps a copy.
  explicit Struts(const Model& model);

  /// How many.
  int count() const { return static_cast<int>(model_.cylinders().size()); }
  /// (1) and (2) at a state. Throws ComputationError where a cylinder has no length: its line has no direction then.
  void update(const Input<double>& q, const Input<double>& v);
  /// Of all cylinders, at the state of the last update [m].
  const Eigen::VectorXd& lengths() const { return lengths_; }
  /// [m/s]
  const Eigen::VectorXd& rates() const { return rates_; }
  /// J of (2), count x nv.
  const Eigen::MatrixXd& jacobian();
  /// Of springs and dampers alone [N].
  Eigen::VectorXd passive_forces() const;
  /// Of stops that are pressed at this state (model/stops.hpp), which are no part of (3): whoever integrates knows better when they are left [N].
  Eigen::VectorXd stop_forces() const;
  /// f of (3); `drives`: u, or empty for none.
  Eigen::VectorXd forces(const Eigen::VectorXd& drives) const;
  /// What forces f do, as loads on links.
  void add_loads(const Eigen::VectorXd& forces, std::vector<Load>& loads) const;
  /// By name; `drives` as above.
  std::vector<CylinderState> states(const Eigen::VectorXd& drives) const;
  /// What dampers take at this state [W].
  double dissipation() const;
  /// Of springs at this state [J].
  double energy() const;

  /// (4) of d(-J^T f) = K dq + C dv: added to K and C (nv x nv) at a state, u held. `springs` false: without their stiffness and force.
  void add_tangent(const Input<double>& q, const Input<double>& v, const Eigen::VectorXd& drives,
                   Eigen::MatrixXd& K, Eigen::MatrixXd& C, bool springs = true);
  /// What springs k and dampers c along the cylinders add to K and C besides, (4) without its geometric term: k J^T J + c J^T d(J v)/dq and c J^T J.
  void add_springs(const Input<double>& q, const Input<double>& v, const Eigen::VectorXd& k,
                   const Eigen::VectorXd& c, Eigen::MatrixXd& K, Eigen::MatrixXd& C);
  /// d(J v)/dq, count x nv: v held.
  Eigen::MatrixXd rate_derivative(const Input<double>& q, const Input<double>& v);

 private:
  template <typename Visitor>
  void sweep(const Input<double>& q, Visitor&& visitor);

  Model model_;
  Workspace<double> work_;
  std::vector<Eigen::Vector3d> directions_;  ///< e
  Eigen::VectorXd lengths_, rates_;
  Eigen::MatrixXd jacobian_;
  bool has_jacobian_ = false;
};

/// Of all springs at q [J]; 0 where there are no cylinders.
double cylinder_energy(const Model& model, const Input<double>& q);

/// Refuses a configuration in which a cylinder has no length: InputError with path `cylinders[i]`.
void require_cylinder_lengths(const Model& model, const Input<double>& q);

}  // namespace limber
