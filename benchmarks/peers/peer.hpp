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
  std::array<double, 6> inertia;  ///< about the com: xx, yy, zz, xy, xz, yz
  double length;                  ///< along x to the next joint
  std::array<double, 3> gravity;

  int size() const { return static_cast<int>(axes.size()); }
};

/// The chain of the benchmarks: axes x, y, z, x, ...
RigidChain make_rigid_chain(int joints);

/// Canadarm's three links, each cut into rigid pieces: every one of its `elements` has a spring hinge EI/h
/// (two, crosswise, when both planes bend) at its centre; about z first. Joints come in the order
/// joint, hinges, joint, ...
struct ChoppedArm {
  struct Link {
    double length, mass, EI;
  };
  std::vector<Link> links;
  int elements;
  bool both_planes;
};

class Peer {
 public:
  virtual ~Peer() = default;
  virtual void forward_dynamics(const double* q, const double* v, const double* tau, double* qdd) = 0;
  virtual void inverse_dynamics(const double* q, const double* v, const double* qdd, double* tau) = 0;
  /// M is n x n.
  virtual void mass_matrix(const double* q, double* M) = 0;
};

std::unique_ptr<Peer> make_kdl(const RigidChain& chain);
std::unique_ptr<Peer> make_mujoco(const RigidChain& chain);
std::unique_ptr<Peer> make_mujoco(const ChoppedArm& arm);
std::unique_ptr<Peer> make_simbody(const RigidChain& chain);

}  // namespace limber::peers
