// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/io/mesh_file.hpp"

namespace limber {

/// The surface with at most so many triangles, as it is where it has no more; triangles without area and vertices of none are left out.
TriangleMesh simplified(const TriangleMesh& mesh, int most_triangles);

}  // namespace limber
