// SPDX-License-Identifier: BSD-3-Clause
#include "constraints.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

std::string words(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string node_words(const Mesh& mesh, int node) {
  return "node " + std::to_string(mesh.numbers[static_cast<std::size_t>(node)]);
}

// Motion of a point at r from the reference point, along `axis`, for six unit motions: u = v + w x r.
Eigen::Matrix<double, 6, 1> rigid_motion(const Vector3d& r, int axis) {
  Eigen::Matrix<double, 6, 1> motion;
  motion << Vector3d::Unit(axis), r.cross(Vector3d::Unit(axis));
  return motion;
}

std::vector<NodeRows> rows_of_nodes(const Mesh& mesh, const MeshMatrices& matrices) {
  std::vector<std::array<int, 3>> rows(mesh.numbers.size(), {-1, -1, -1});
  for (std::size_t i = 0; i < matrices.freedoms.size(); ++i) {
    const MeshFreedom& freedom = matrices.freedoms[i];
    const std::string place = matrices.freedom_file + ":" + std::to_string(i + 1);
    const auto found = mesh.index.find(freedom.node);
    if (found == mesh.index.end())
      throw InputError(
          Problem{place, "a node of the mesh " + mesh.source, "node " + std::to_string(freedom.node),
                  "CalculiX makes new nodes where shells and beams become solids: mesh them as solids"});
    int& row = rows[static_cast<std::size_t>(found->second)][static_cast<std::size_t>(freedom.direction - 1)];
    if (row >= 0)
      throw InputError(
          Problem{place, "each direction of a node once",
                  std::to_string(freedom.node) + "." + std::to_string(freedom.direction) + " again", ""});
    row = static_cast<int>(i);
  }
  std::vector<NodeRows> nodes;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto known = std::count_if(rows[i].begin(), rows[i].end(), [](int row) { return row >= 0; });
    if (known == 0) continue;
    if (known < 3)
      throw InputError(Problem{matrices.freedom_file, "a free mesh: all three directions of every node",
                               node_words(mesh, static_cast<int>(i)) + " with " + std::to_string(known),
                               "write the matrices without boundary conditions: the arm holds the root"});
    nodes.push_back({static_cast<int>(i), rows[i]});
  }
  return nodes;
}

const std::vector<int>& find_set(const Mesh& mesh, const std::string& name, const std::string& option) {
  std::string upper = name;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (const auto found = mesh.sets.find(upper); found != mesh.sets.end()) return found->second;
  std::string known;
  for (const auto& [own, nodes] : mesh.sets) known += (known.empty() ? "" : ", ") + own;
  throw InputError(Problem{option, "a set of nodes of " + mesh.source, "`" + name + "`",
                           known.empty() ? "it has none (*NSET)" : "its sets: " + known});
}

// Three directions are only defined by nodes that do not stand on one line.
void require_plane(const Mesh& mesh, const std::vector<int>& nodes, const Vector3d& center,
                   const std::string& name, const std::string& option) {
  const auto refuse = [&](const std::string& found) {
    throw InputError(Problem{option, "three nodes or more that are not on a line",
                             "`" + name + "` with " + found, "about that line its rotation is not defined"});
  };
  if (nodes.size() < 3) refuse(std::to_string(nodes.size()) + (nodes.size() == 1 ? " node" : " nodes"));
  MatrixXd spread = MatrixXd::Zero(3, 3);
  for (const int node : nodes) {
    const Vector3d r = mesh.positions.col(node) - center;
    spread += r * r.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(spread, Eigen::EigenvaluesOnly);
  constexpr double thinnest = 1e-10;  // squared: a hundred-thousandth of the length
  if (!(solver.eigenvalues()[1] > thinnest * solver.eigenvalues()[2]))
    refuse(std::to_string(nodes.size()) + " nodes on a line");
}

Vector3d center_of(const Mesh& mesh, const std::vector<int>& nodes) {
  Vector3d sum = Vector3d::Zero();
  for (const int node : nodes) sum += mesh.positions.col(node);
  return sum / static_cast<double>(std::max<std::size_t>(nodes.size(), 1));
}

// q = (G^T G)^-1 G^T u, with lengths counted in the interface's own size so that digits are kept.
Mean mean_of(const Mesh& mesh, const std::vector<const NodeRows*>& nodes, const Vector3d& center) {
  Mean mean;
  double size = 0.0;
  for (const NodeRows* node : nodes) size = std::max(size, (mesh.positions.col(node->node) - center).norm());
  MatrixXd G(3 * static_cast<Eigen::Index>(nodes.size()), 6);
  for (const NodeRows* node : nodes)
    for (int axis = 0; axis < 3; ++axis) {
      G.row(static_cast<Eigen::Index>(mean.rows.size())) =
          rigid_motion((mesh.positions.col(node->node) - center) / size, axis).transpose();
      mean.rows.push_back(node->rows[static_cast<std::size_t>(axis)]);
    }
  mean.weights = Eigen::LLT<MatrixXd>(MatrixXd(G.transpose() * G)).solve(G.transpose());
  mean.weights.bottomRows<3>() /= size;
  return mean;
}

}  // namespace

Constraints make_constraints(const Mesh& mesh, const MeshMatrices& matrices,
                             const ReductionRequest& request) {
  Constraints constraints;
  constraints.nodes = rows_of_nodes(mesh, matrices);
  constraints.roles.resize(matrices.freedoms.size());
  if (request.interfaces.empty() || request.interfaces.front().name != "tip")
    throw InputError(
        Problem{"interfaces", "`tip` as the first interface",
                request.interfaces.empty() ? "none" : "`" + request.interfaces.front().name + "`", ""});
  std::vector<const NodeRows*> by_node(mesh.numbers.size(), nullptr);
  for (const NodeRows& node : constraints.nodes) by_node[static_cast<std::size_t>(node.node)] = &node;

  std::map<int, std::string> owner;
  const auto take = [&](const std::string& set, const std::string& option) {
    const std::vector<int>& nodes = find_set(mesh, set, option);
    for (const int node : nodes) {
      if (!by_node[static_cast<std::size_t>(node)])
        throw InputError(
            Problem{option, "nodes that the matrices have", "`" + set + "` with " + node_words(mesh, node),
                    "no element has it, or boundary conditions took its freedoms: write the matrices "
                    "of the free mesh, the arm holds the root"});
      if (const auto [other, is_new] = owner.try_emplace(node, set); !is_new)
        throw InputError(Problem{option, "interfaces without common nodes",
                                 "`" + set + "` and `" + other->second + "` with " + node_words(mesh, node),
                                 ""});
    }
    require_plane(mesh, nodes, center_of(mesh, nodes), set, option);
    return nodes;
  };

  constexpr int held = -2;
  for (RowRole& role : constraints.roles) role.inner = 0;
  const std::vector<int> root = take(request.root, "root");
  constraints.root_center = center_of(mesh, root);
  for (const int node : root)
    for (const int row : by_node[static_cast<std::size_t>(node)]->rows)
      constraints.roles[static_cast<std::size_t>(row)].inner = held;

  std::set<std::string> names{"root"};
  for (const InterfaceRequest& interface : request.interfaces) {
    if (!names.insert(interface.name).second)
      throw InputError(
          Problem{"interface", "a name for each, and not `root`", "`" + interface.name + "` twice", ""});
    const std::vector<int> nodes = take(interface.set, interface.name == "tip" ? "tip" : "interface");
    constraints.centers.push_back(center_of(mesh, nodes));
    const Vector3d& center = constraints.centers.back();
    std::vector<const NodeRows*> own;
    for (const int node : nodes) own.push_back(by_node[static_cast<std::size_t>(node)]);
    constraints.all_means.push_back(mean_of(mesh, own, center));
    if (interface.spider == Spider::averaging) {
      constraints.means.push_back(constraints.all_means.back());
      continue;
    }
    for (const int node : nodes)
      for (int axis = 0; axis < 3; ++axis) {
        RowRole& role = constraints.roles[static_cast<std::size_t>(
            by_node[static_cast<std::size_t>(node)]->rows[static_cast<std::size_t>(axis)])];
        role = {held, constraints.rigid_count, rigid_motion(mesh.positions.col(node) - center, axis)};
      }
    ++constraints.rigid_count;
  }
  for (RowRole& role : constraints.roles) role.inner = role.inner == held ? -1 : constraints.inner_count++;
  if (constraints.inner_count == 0)
    throw InputError(Problem{"interface", "nodes between root and interfaces", "none", ""});
  return constraints;
}

void require_free(const Mesh& mesh, const MeshMatrices& matrices, const Constraints& constraints) {
  const Vector3d low = mesh.positions.rowwise().minCoeff(), high = mesh.positions.rowwise().maxCoeff();
  const Vector3d center = 0.5 * (low + high);
  const double size = std::max((high - low).norm(), 1e-300);
  MatrixXd S(static_cast<Eigen::Index>(constraints.roles.size()), 6);
  for (const NodeRows& node : constraints.nodes)
    for (int axis = 0; axis < 3; ++axis)
      S.row(node.rows[static_cast<std::size_t>(axis)]) =
          rigid_motion((mesh.positions.col(node.node) - center) / size, axis).transpose();
  // Beside what each row could give: a single flat element is thousands of times as stiff as the others.
  VectorXd own = VectorXd::Zero(S.rows());
  for (int k = 0; k < matrices.stiffness.outerSize(); ++k)
    for (Sparse::InnerIterator e(matrices.stiffness, k); e; ++e) own[e.row()] += std::abs(e.value());
  const MatrixXd forces = (matrices.stiffness * S).cwiseAbs().array().colwise() /
                          own.array().max(std::numeric_limits<double>::min());
  constexpr double rounding = 1e-6;  // of solvers that print few digits
  Eigen::Index row = 0, motion = 0;
  const double worst = forces.maxCoeff(&row, &motion);
  if (worst <= rounding) return;
  static constexpr std::array<const char*, 6> motions{"moved along x",  "moved along y",  "moved along z",
                                                      "turned about x", "turned about y", "turned about z"};
  const MeshFreedom& freedom = matrices.freedoms[static_cast<std::size_t>(row)];
  const bool only_turns = forces.leftCols<3>().maxCoeff() <= rounding;
  throw InputError(Problem{
      matrices.stiffness_file, "a free mesh, which rigid motions do not strain",
      "forces of " + words(worst) + " of its stiffness at " + std::to_string(freedom.node) + "." +
          std::to_string(freedom.direction) + " when it is " + motions[static_cast<std::size_t>(motion)],
      only_turns ? "are these the matrices of this mesh, with its nodes where they are?"
                 : "write the matrices without boundary conditions, springs to the ground and "
                   "preload: the arm holds the root"});
}

void require_density(const Mesh& mesh, const MeshMatrices& matrices, const Constraints& constraints) {
  double mass = 0.0;
  VectorXd along_x = VectorXd::Zero(matrices.mass.rows());
  for (const NodeRows& node : constraints.nodes) along_x[node.rows[0]] = 1.0;
  mass = along_x.dot(matrices.mass * along_x);
  if (!(mass > 0.0))
    throw InputError(
        Problem{matrices.mass_file, "a mass > 0", words(mass) + " kg", "is a *DENSITY missing?"});
  const double volume = mesh.volume();
  if (!(volume > 0.0)) return;
  constexpr double lightest = 10.0, densest = 23000.0;  // a foam, osmium [kg/m^3]; steel in t/m^3 has 7.85
  const double density = mass / volume;
  if (density >= lightest && density <= densest) return;
  throw InputError(
      Problem{matrices.mass_file,
              "a density from " + words(lightest) + " to " + words(densest) + " kg/m^3, as materials have",
              words(density) + " (" + words(mass) + " kg in " + words(volume) + " m^3)",
              "mesh and matrices must be in m, kg, s; not in mm or t"});
}

// The mesh stretched evenly along an axis, u = x: every element has the strain 1 there, so that u^T K u is the integral of Hooke's coefficient c_11, whatever the material.
void require_speed_of_sound(const Mesh& mesh, const MeshMatrices& matrices, const Constraints& constraints) {
  MatrixXd stretched = MatrixXd::Zero(matrices.stiffness.rows(), 3);
  VectorXd along_x = VectorXd::Zero(matrices.mass.rows());
  for (const NodeRows& node : constraints.nodes) {
    along_x[node.rows[0]] = 1.0;
    for (int axis = 0; axis < 3; ++axis)
      stretched(node.rows[static_cast<std::size_t>(axis)], axis) =
          mesh.positions(axis, node.node) - constraints.root_center[axis];
  }
  const double stiffness = stretched.cwiseProduct(matrices.stiffness * stretched).colwise().sum().maxCoeff();
  if (!(stiffness > 0.0)) return;  // its factorisation refuses it
  const double speed = std::sqrt(stiffness / along_x.dot(matrices.mass * along_x));
  constexpr double slowest = 20.0;  // a soft foam [m/s]; steel has 5900, with E in MPa 5.9
  if (speed >= slowest) return;
  throw InputError(
      Problem{matrices.stiffness_file,
              "the stiffness of a material, in which sound runs at " + words(slowest) + " m/s or more",
              words(speed) + " m/s", "matrices must be in N/m and kg: *ELASTIC in Pa, not in MPa"});
}

Sparse scalar_mass(const Mesh& mesh, const MeshMatrices& matrices, const Constraints& constraints) {
  struct Place {
    int node, axis;
  };
  std::vector<Place> places(constraints.roles.size());
  for (std::size_t i = 0; i < constraints.nodes.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      places[static_cast<std::size_t>(constraints.nodes[i].rows[static_cast<std::size_t>(axis)])] = {
          static_cast<int>(i), axis};

  const Sparse& M = matrices.mass;
  const double largest = M.diagonal().cwiseAbs().maxCoeff();
  constexpr double rounding = 1e-8;
  std::array<std::vector<Eigen::Triplet<double>>, 3> entries;
  for (int k = 0; k < M.outerSize(); ++k)
    for (Sparse::InnerIterator e(M, k); e; ++e) {
      const Place &row = places[static_cast<std::size_t>(e.row())],
                  &column = places[static_cast<std::size_t>(e.col())];
      if (row.axis == column.axis)
        entries[static_cast<std::size_t>(row.axis)].emplace_back(row.node, column.node, e.value());
      else if (std::abs(e.value()) > rounding * largest)
        throw InputError(
            Problem{matrices.mass_file, "the mass matrix of solid elements, which couples no two directions",
                    words(e.value()) + " kg between two directions of " +
                        node_words(mesh, constraints.nodes[static_cast<std::size_t>(row.node)].node),
                    ""});
    }
  std::array<Sparse, 3> M_s;
  const auto size = static_cast<Eigen::Index>(constraints.nodes.size());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    M_s[axis].resize(size, size);
    M_s[axis].setFromTriplets(entries[axis].begin(), entries[axis].end());
    entries[axis] = {};
    const Sparse difference = M_s[axis] - M_s[0];
    for (int k = 0; k < difference.outerSize(); ++k)
      for (Sparse::InnerIterator e(difference, k); e; ++e)
        if (std::abs(e.value()) > rounding * largest)
          throw InputError(Problem{
              matrices.mass_file, "the mass matrix of solid elements, the same along x, y and z",
              words(M_s[0].coeff(e.row(), e.col())) + " and " + words(M_s[axis].coeff(e.row(), e.col())) +
                  " kg at " + node_words(mesh, constraints.nodes[static_cast<std::size_t>(e.row())].node),
              ""});
  }
  return M_s[0];
}

}  // namespace limber
