// SPDX-License-Identifier: BSD-3-Clause
// Meshes of any bytes: STL or OBJ, as the first byte says.

#include <cstdlib>

#include "fuzz/fuzz.hpp"
#include "limber/io/mesh_file.hpp"

using namespace limber;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes = fuzz::text_of(data + 1, size - 1);
  fuzz::done_or_refused(bytes, [&] {
    const TriangleMesh mesh = parse_mesh(bytes, data[0] % 2 == 0 ? "mesh.stl" : "mesh.obj");
    const bool is_good = mesh.vertices.allFinite() && mesh.triangles.cols() > 0 &&
                         mesh.triangles.minCoeff() >= 0 && mesh.triangles.maxCoeff() < mesh.vertices.cols();
    if (!is_good) std::abort();
  });
  return 0;
}
