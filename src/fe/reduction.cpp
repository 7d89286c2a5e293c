// SPDX-License-Identifier: BSD-3-Clause
#include "limber/fe/reduction.hpp"

#include <algorithm>
#include <cmath>

#include "constraints.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "skin.hpp"
#include "sparse_solver.hpp"
#include "stress_stiffness.hpp"

// The nodes of the root are held. Those of a rigid interface follow its six degrees of freedom, all of them q; all others are inner ones. With
// u = T [u_i; q] the matrices are, in blocks, K_ii, K_ib, K_bb, and static shapes and modes with interfaces held are (Craig and Bampton 1968)
//
//   V_s = T [-K_ii^-1 K_ib; 1],     V_h = T [Phi; 0],  K_ii Phi = M_ii Phi Omega^2                                (1)
//
// Few modes that are held converge slowly to those of the body with a free tip, and the other way round. Of the `modes` wanted, two thirds are
// therefore modes with free interfaces, which the body shall have exactly, and a third are held ones, which it tends to with a heavy tip. They need
// no further factorisation: with S = K_bb - K_bi K_ii^-1 K_ib,
//
//   K x = f:   u = K_ii^-1 f_i,   q = S^-1 (f_b - K_bi u),   x = [u - K_ii^-1 K_ib q; q]                          (2)
//
// An averaging interface adds no stiffness, so that its nodes are inner ones; its static shapes are the answers to six unit loads, spread over its
// nodes as the mean asks: with G the rigid motions of its nodes, the mean is (G^T G)^-1 G^T u, and
//
//   V_a = K^-1 G (G^T G)^-1                                                                                       (3)
//
// Where the body shall stiffen, the third that is held gives way to shapes of its stress (stress_stiffness.hpp).
//
// The coordinates are the modes of the body in the space of all these: V^T K V x = omega^2 V^T M V x.

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

// Of one matrix, symmetric.
struct Blocks {
  Sparse inner;       // A_ii
  MatrixXd coupling;  // A_ib
  MatrixXd boundary;  // A_bb
};

Blocks blocks_of(const Sparse& A, const Constraints& constraints) {
  std::vector<Eigen::Triplet<double>> inner;
  inner.reserve(static_cast<std::size_t>(A.nonZeros()));
  const Eigen::Index n = constraints.inner_count, b = 6 * constraints.rigid_count;
  Blocks blocks{Sparse(n, n), MatrixXd::Zero(n, b), MatrixXd::Zero(b, b)};
  for (int k = 0; k < A.outerSize(); ++k)
    for (Sparse::InnerIterator e(A, k); e; ++e) {
      const RowRole &row = constraints.roles[static_cast<std::size_t>(e.row())],
                    &column = constraints.roles[static_cast<std::size_t>(e.col())];
      if (row.inner >= 0 && column.inner >= 0)
        inner.emplace_back(row.inner, column.inner, e.value());
      else if (row.inner >= 0 && column.spider >= 0)
        blocks.coupling.block<1, 6>(row.inner, 6 * column.spider) += e.value() * column.motion.transpose();
      else if (row.spider >= 0 && column.spider >= 0)
        blocks.boundary.block<6, 6>(6 * row.spider, 6 * column.spider) +=
            e.value() * row.motion * column.motion.transpose();
    }
  blocks.inner.setFromTriplets(inner.begin(), inner.end());
  return blocks;
}

// The body with its root held, unknowns [u_i; q].
class HeldBody {
 public:
  HeldBody(const MeshMatrices& matrices, const Constraints& constraints)
      : K_(blocks_of(matrices.stiffness, constraints)),
        M_(blocks_of(matrices.mass, constraints)),
        factor_(K_.inner) {
    if (boundary() == 0) return;
    statics_ = factor_.solve(K_.coupling);
    S_.compute(K_.boundary - K_.coupling.transpose() * statics_);
  }

  Eigen::Index inner() const { return K_.inner.rows(); }
  Eigen::Index boundary() const { return K_.boundary.rows(); }
  Eigen::Index size() const { return inner() + boundary(); }

  // (1)
  MatrixXd static_shapes() const {
    MatrixXd V(size(), boundary());
    V << -statics_, MatrixXd::Identity(boundary(), boundary());
    return V;
  }
  MatrixXd held_modes(int count) const {
    MatrixXd V = MatrixXd::Zero(size(), count);
    if (count > 0)
      V.topRows(inner()) =
          modes([this](const VectorXd& f) -> VectorXd { return factor_.solve(f); },
                [this](const VectorXd& u) -> VectorXd { return M_.inner * u; }, inner(), count);
    return V;
  }
  MatrixXd free_modes(int count) const {
    if (count == 0) return MatrixXd(size(), 0);
    return modes([this](const VectorXd& f) -> VectorXd { return solve(f); },
                 [this](const VectorXd& x) -> VectorXd { return mass_times(x); }, size(), count);
  }

  // (2)
  MatrixXd solve(const MatrixXd& f) const {
    MatrixXd x(size(), f.cols());
    x.topRows(inner()) = factor_.solve(f.topRows(inner()));
    if (boundary() == 0) return x;
    x.bottomRows(boundary()) =
        S_.solve(MatrixXd(f.bottomRows(boundary()) - K_.coupling.transpose() * x.topRows(inner())));
    x.topRows(inner()) -= statics_ * x.bottomRows(boundary());
    return x;
  }

 private:
  VectorXd mass_times(const VectorXd& x) const {
    const auto u = x.head(inner()), q = x.tail(boundary());
    VectorXd y(size());
    y << M_.inner * u + M_.coupling * q, M_.coupling.transpose() * u + M_.boundary * q;
    return y;
  }

  // Where the space of Lanczos would be all there is, all of it is looked at.
  static MatrixXd modes(const LinearMap& inverse, const LinearMap& mass, Eigen::Index size, int count) {
    const Eigen::Index small = 4 * static_cast<Eigen::Index>(count) + 40;
    if (size > small) return lowest_modes(inverse, mass, size, count);
    MatrixXd flexibility(size, size), M(size, size);
    for (Eigen::Index j = 0; j < size; ++j) {
      flexibility.col(j) = inverse(VectorXd::Unit(size, j));
      M.col(j) = mass(VectorXd::Unit(size, j));
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(MatrixXd(flexibility.inverse()), M);
    return solver.eigenvectors().leftCols(count);
  }

  Blocks K_, M_;
  SparseFactor factor_;
  MatrixXd statics_;  // K_ii^-1 K_ib
  Eigen::LLT<MatrixXd> S_;
};

// T x: from [u_i; q] to all freedoms of the mesh.
MatrixXd spread(const Constraints& constraints, const MatrixXd& x) {
  MatrixXd u = MatrixXd::Zero(static_cast<Eigen::Index>(constraints.roles.size()), x.cols());
  for (std::size_t row = 0; row < constraints.roles.size(); ++row) {
    const RowRole& role = constraints.roles[row];
    const auto i = static_cast<Eigen::Index>(row);
    if (role.inner >= 0) u.row(i) = x.row(role.inner);
    if (role.spider >= 0)
      u.row(i) = role.motion.transpose() * x.middleRows<6>(constraints.inner_count + 6 * role.spider);
  }
  return u;
}

// T^T f: loads on all freedoms as [u_i; q] feel them.
MatrixXd gathered(const Constraints& constraints, const MatrixXd& f) {
  MatrixXd x = MatrixXd::Zero(constraints.inner_count + 6 * constraints.rigid_count, f.cols());
  for (std::size_t row = 0; row < constraints.roles.size(); ++row) {
    const RowRole& role = constraints.roles[row];
    const auto i = static_cast<Eigen::Index>(row);
    if (role.inner >= 0) x.row(role.inner) += f.row(i);
    if (role.spider >= 0)
      x.middleRows<6>(constraints.inner_count + 6 * role.spider) += role.motion * f.row(i);
  }
  return x;
}

// One column a shape, one row a freedom of the mesh.
MatrixXd basis_of(const HeldBody& body, const Constraints& constraints, int free, int held) {
  const auto averaging = static_cast<Eigen::Index>(constraints.means.size());
  MatrixXd loads = MatrixXd::Zero(body.size(), 6 * averaging);
  for (Eigen::Index a = 0; a < averaging; ++a) {
    const Mean& mean = constraints.means[static_cast<std::size_t>(a)];
    for (std::size_t i = 0; i < mean.rows.size(); ++i)
      loads.block<1, 6>(constraints.roles[static_cast<std::size_t>(mean.rows[i])].inner, 6 * a) =
          mean.weights.col(static_cast<Eigen::Index>(i)).transpose();
  }
  const int modes = free + held;
  if (modes > body.inner())
    throw InputError(Problem{"modes",
                             "at most " + std::to_string(body.inner()) + ", the inner freedoms of the mesh",
                             std::to_string(modes), ""});
  MatrixXd x(body.size(), body.boundary() + loads.cols() + modes);
  x << body.static_shapes(), body.solve(loads), body.free_modes(free), body.held_modes(held);
  return spread(constraints, x);
}

// The modes in the space of V; columns that the others can make are left out.
MatrixXd modes_within(const MatrixXd& V, const Sparse& K, const Sparse& M) {
  MatrixXd K_r = V.transpose() * (K * V), M_r = V.transpose() * (M * V);
  K_r = (0.5 * (K_r + K_r.transpose())).eval();
  M_r = (0.5 * (M_r + M_r.transpose())).eval();
  const VectorXd scale = M_r.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> inertia(
      MatrixXd(scale.asDiagonal() * M_r * scale.asDiagonal()));
  constexpr double fewest_digits = 1e-11;
  Eigen::Index dropped = 0;
  while (inertia.eigenvalues()[dropped] < fewest_digits * inertia.eigenvalues().tail<1>()[0]) ++dropped;
  const Eigen::Index kept = V.cols() - dropped;
  const MatrixXd W = scale.asDiagonal() * inertia.eigenvectors().rightCols(kept) *
                     inertia.eigenvalues().tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> motion(MatrixXd(W.transpose() * K_r * W));
  return W * motion.eigenvectors();
}

// Each column as large as its farthest node moves by 1, along the positive axis where it moves most.
void normalize(const Constraints& constraints, MatrixXd& U) {
  for (Eigen::Index j = 0; j < U.cols(); ++j) {
    Eigen::Vector3d farthest = Eigen::Vector3d::Zero();
    for (const NodeRows& node : constraints.nodes) {
      const Eigen::Vector3d moved(U(node.rows[0], j), U(node.rows[1], j), U(node.rows[2], j));
      if (moved.squaredNorm() > farthest.squaredNorm()) farthest = moved;
    }
    Eigen::Index axis = 0;
    farthest.cwiseAbs().maxCoeff(&axis);
    const double factor = (farthest[axis] < 0.0 ? -1.0 : 1.0) / farthest.norm();
    U.col(j) *= factor;
  }
}

// moment and gram of the field: with the same mass M_s in all directions, Int F_a F_b dm = f_a^T M_s f_b on the nodes' values.
void set_integrals(const Mesh& mesh, const MeshMatrices& matrices, const Constraints& constraints,
                   const MatrixXd& U, ReducedBody& body) {
  const Sparse M_s = scalar_mass(mesh, matrices, constraints);
  const auto nodes = static_cast<Eigen::Index>(constraints.nodes.size());
  MatrixXd F(nodes, 3 + 3 * U.cols());
  for (Eigen::Index i = 0; i < nodes; ++i) {
    const NodeRows& node = constraints.nodes[static_cast<std::size_t>(i)];
    F.row(i).head<3>() = (mesh.positions.col(node.node) - constraints.root_center).transpose();
    for (int axis = 0; axis < 3; ++axis)
      for (Eigen::Index j = 0; j < U.cols(); ++j)
        F(i, 3 + 3 * j + axis) = U(node.rows[static_cast<std::size_t>(axis)], j);
  }
  const MatrixXd MF = M_s * F;
  body.mass = VectorXd::Ones(nodes).dot(M_s * VectorXd::Ones(nodes));
  body.moment = MF.colwise().sum().transpose();
  body.gram = F.transpose() * MF;
  body.gram = (0.5 * (body.gram + body.gram.transpose())).eval();
}

// How an interface moves: the mean of its nodes, which of a rigid one is its motion.
void set_interfaces(const ReductionRequest& request, const Constraints& constraints, const MatrixXd& U,
                    ReducedBody& body) {
  for (std::size_t i = 0; i < request.interfaces.size(); ++i) {
    const Mean& mean = constraints.all_means[i];
    MatrixXd q = MatrixXd::Zero(6, U.cols());
    for (std::size_t k = 0; k < mean.rows.size(); ++k)
      q += mean.weights.col(static_cast<Eigen::Index>(k)) * U.row(mean.rows[k]);
    body.interfaces.push_back({request.interfaces[i].name, constraints.centers[i] - constraints.root_center,
                               q.topRows(3), q.bottomRows(3)});
  }
}

void set_skin(const Mesh& mesh, const Constraints& constraints, const MatrixXd& U, ReducedBody& body) {
  constexpr int most_nodes = 1500;  // a page draws several such links
  const MeshSkin skin = skin_of(mesh, most_nodes);
  std::vector<int> place(mesh.numbers.size(), -1);
  for (std::size_t i = 0; i < constraints.nodes.size(); ++i)
    place[static_cast<std::size_t>(constraints.nodes[i].node)] = static_cast<int>(i);
  const auto count = static_cast<Eigen::Index>(skin.nodes.size());
  body.skin = {Eigen::Matrix3Xd(3, count), skin.triangles, MatrixXd::Zero(3 * count, U.cols())};
  for (Eigen::Index i = 0; i < count; ++i) {
    const int node = skin.nodes[static_cast<std::size_t>(i)];
    body.skin.points.col(i) = mesh.positions.col(node) - constraints.root_center;
    if (place[static_cast<std::size_t>(node)] < 0) continue;
    const NodeRows& rows = constraints.nodes[static_cast<std::size_t>(place[static_cast<std::size_t>(node)])];
    for (int axis = 0; axis < 3; ++axis)
      body.skin.modes.row(3 * i + axis) = U.row(rows.rows[static_cast<std::size_t>(axis)]);
  }
}

void require_material(const ReductionRequest& request) {
  if (!request.material) return;
  const auto& [E, nu] = *request.material;
  if (!(E > 0.0) || !std::isfinite(E))
    throw InputError(Problem{"material", "Young's modulus > 0 in Pa", std::to_string(E), ""});
  if (!(nu > -1.0 && nu < 0.5))
    throw InputError(Problem{"material", "Poisson's ratio above -1 and below 0.5", std::to_string(nu), ""});
}

}  // namespace

ReducedBody reduce(const Mesh& mesh, const MeshMatrices& matrices, const ReductionRequest& request) {
  constexpr int most_modes = 500;
  if (request.modes < 0 || request.modes > most_modes)
    throw InputError(Problem{"modes", "a number from 0 to " + std::to_string(most_modes),
                             std::to_string(request.modes), ""});
  const Constraints constraints = make_constraints(mesh, matrices, request);
  require_free(mesh, matrices, constraints);
  require_density(mesh, matrices, constraints);
  require_speed_of_sound(mesh, matrices, constraints);
  require_material(request);
  const HeldBody held(matrices, constraints);
  const int third = request.material || held.boundary() > 0 ? request.modes / 3 : 0;
  MatrixXd V = basis_of(held, constraints, request.modes - third, request.material ? 0 : third);
  if (request.material && third > 0) {
    const MatrixXd lacking = stress_shapes(
        mesh, matrices, constraints, *request.material,
        [&](const MatrixXd& f) { return spread(constraints, held.solve(gathered(constraints, f))); },
        V * modes_within(V, matrices.stiffness, matrices.mass), third);
    V.conservativeResize(Eigen::NoChange, V.cols() + lacking.cols());
    V.rightCols(lacking.cols()) = lacking;
  }
  MatrixXd U = V * modes_within(V, matrices.stiffness, matrices.mass);
  normalize(constraints, U);

  ReducedBody body;
  set_integrals(mesh, matrices, constraints, U, body);
  body.stiffness = (U.cwiseProduct(matrices.stiffness * U)).colwise().sum().transpose();
  body.frequencies.resize(U.cols());
  for (Eigen::Index j = 0; j < U.cols(); ++j)
    body.frequencies[j] = std::sqrt(body.stiffness[j] / body.gram.block<3, 3>(3 + 3 * j, 3 + 3 * j).trace());
  set_interfaces(request, constraints, U, body);
  set_skin(mesh, constraints, U, body);
  if (request.material) set_second_order(mesh, matrices, constraints, request, U, body);
  require_valid(body);
  return body;
}

}  // namespace limber
