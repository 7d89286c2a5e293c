// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From finite elements to a body of a few coordinates (Craig-Bampton; derivation and sources: docs/finite-elements.md).

#include <optional>
#include <string>
#include <vector>

#include "limber/beam/reduced_body.hpp"
#include "limber/core/export.hpp"
#include "limber/fe/matrices.hpp"
#include "limber/fe/mesh.hpp"

namespace limber LIMBER_EXPORT {

/// How the nodes of an interface hang on its six degrees of freedom.
enum class Spider {
  rigid,     ///< they move as one rigid piece (RBE2): a flange that is stiffer than the body
  averaging  ///< its motion is their mean, its loads are spread over them (RBE3): adds no stiffness
};

/// A set of nodes that becomes an interface.
struct InterfaceRequest {
  std::string name;               ///< as `attach` will name it
  std::string set;                ///< of nodes, in the mesh
  Spider spider = Spider::rigid;  ///< how it holds them
};

/// Hooke's law, the same everywhere in the body.
struct ElasticMaterial {
  double E;   ///< Young's modulus [Pa]
  double nu;  ///< Poisson's ratio
};

/// What shall be left of a mesh.
struct ReductionRequest {
  std::string root;                          ///< set of nodes that is held: the body's frame
  std::vector<InterfaceRequest> interfaces;  ///< `tip` first
  int modes = 10;                            ///< besides six static shapes for each interface
  std::optional<ElasticMaterial> material =
      {};  ///< with it the body gets a field of second order: geometric stiffening
};

/// Whether this library was built with a sparse solver: without it, reduce() throws.
bool can_reduce();

/// Throws InputError where a set is not in the mesh, holds a node of another one or lies on a line, the mesh is not free, the mass matrix is not one
/// of solids, the density is none that a material has, or `material` is not that of the stiffness matrix; with what was found.
ReducedBody reduce(const Mesh& mesh, const MeshMatrices& matrices, const ReductionRequest& request);

}  // namespace limber
