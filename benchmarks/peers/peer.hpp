// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Other libraries' rigid-body dynamics behind one small interface, for benchmarks and for checks of the rigid
// limit. Only plain doubles cross it: each peer is compiled in a source file of its own with the flags it
// needs, so nothing whose layout depends on flags (Eigen) may pass through here.

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace limber::peers {

/// A chain of equal rigid links, each turning about an axis of its own at the end of the one before.
struct RigidChain {
  std::vector<std::array<double, 3>> axes;  ///< one per joint, in the link's axes; unit vectors
  double mass;
  std::array<double, 3> com;
  std::array<double, 3> principal_inertia;  ///< about the com ...
  std::array<double, 4> principal_axes;     ///< ... in axes turned by this unit quaternion (w, x, y, z)
  double length;                            ///< along x to the next joint
  std::array<double, 3> gravity;

  int size() const { return static_cast<int>(axes.size()); }
  /// The same about the com in the link's axes: xx, yy, zz, xy, xz, yz.
  std::array<double, 6> inertia() const;
};

/// The chain of the benchmarks: axes x, y, z, x, ...
RigidChain make_rigid_chain(int joints);

/// A straight arm without gravity whose joints all turn about z, each link cut into rigid pieces: every one of
/// its elements has a spring hinge EI/h at its centre (about z; when both planes bend, a second one about y).
/// Coordinates: for each link its joint, then its hinges.
struct ChoppedArm {
  struct Link {
    double length, mass, EI;
  };
  std::vector<Link> links;
  int elements;  ///< per link
  bool both_planes;

  int size() const;
  /// Of every coordinate; zero for the joints.
  std::vector<double> stiffness() const;
};

/// The Canadarm of models/canadarm, bending in both planes.
ChoppedArm make_chopped_canadarm(int elements);

class Peer {
 public:
  virtual ~Peer() = default;
  virtual void forward_dynamics(const double* q, const double* v, const double* tau, double* qdd) = 0;
  virtual void inverse_dynamics(const double* q, const double* v, const double* qdd, double* tau) = 0;
  /// M is n x n.
  virtual void mass_matrix(const double* q, double* M) = 0;
};

/// Steps of a library's own method of integration, without efforts.
class Roller {
 public:
  virtual ~Roller() = default;
  /// From q and v, in place.
  virtual void roll(double* q, double* v, int steps) = 0;
};
/// MuJoCo's methods that take springs as forces (it has none that solves for them): the classical Runge-Kutta method, and velocities first, then positions.
enum class RollerMethod { rk4, euler };
std::unique_ptr<Roller> make_mujoco_roller(const ChoppedArm& arm, double step,
                                           RollerMethod method = RollerMethod::rk4);

std::unique_ptr<Peer> make_kdl(const RigidChain& chain);
std::unique_ptr<Peer> make_mujoco(const RigidChain& chain);
std::unique_ptr<Peer> make_mujoco(const ChoppedArm& arm);
std::unique_ptr<Peer> make_simbody(const RigidChain& chain);

}  // namespace limber::peers
