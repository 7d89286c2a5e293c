// SPDX-License-Identifier: BSD-3-Clause
// Where the axes of links are: what pictures are drawn of.

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/core/input_error.hpp"
#include "limber/results/arm_outline.hpp"

namespace limber::python {
namespace {

py::dict shapes(const ArmPointer& arm, const Numbers& q, int points) {
  if (points < 2 || points > 10000)
    throw InputError(Problem{"points", "an integer from 2 to 10000", std::to_string(points), ""});
  const Model& model = arm->model();
  const Rows positions("q", q, model.nq());
  const Batch batch({&positions});
  const ArmOutline outline = outline_of(model, points);
  std::vector<Array> lines;
  for (const OutlineLink& link : outline.links) lines.push_back(batch.array({link.points, 3}));
  for (std::size_t i = 0; i < batch.count(); ++i) {
    const Eigen::VectorXd at = positions[i];
    const std::vector<Pose> roots = outline.root_poses(at);
    for (std::size_t l = 0; l < roots.size(); ++l) {
      const OutlineLink& link = outline.links[l];
      const Eigen::VectorXd eta = link.eta(at);
      for (int k = 0; k < link.points; ++k)
        matrix(lines[l].mutable_data(), i, link.points, 3).row(k) =
            (roots[l].p + roots[l].R * link.place(k, eta).p).transpose();
    }
  }
  py::dict named;
  for (std::size_t l = 0; l < lines.size(); ++l) named[py::str(outline.links[l].name)] = lines[l];
  return named;
}

}  // namespace

void bind_outline(py::module_& module) {
  using py::arg;
  module.def(
      "shapes", &shapes, arg("arm").none(false), arg("q"), arg("points") = 20,
      "Points along the axis of each link, from root to tip, in the world: by the link's name, an array "
      "(points, 3); rigid links have their ends.");
}

}  // namespace limber::python
