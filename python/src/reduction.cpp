// SPDX-License-Identifier: BSD-3-Clause
// Links from finite elements.

#include "limber/fe/reduction.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "limber/core/input_error.hpp"
#include "limber/fe/body_file.hpp"

namespace limber::python {
namespace {

namespace fs = std::filesystem;

ReductionRequest request_of(const std::string& root, const std::string& tip,
                            const std::map<std::string, std::string>& interfaces,
                            const std::vector<std::string>& averaging, int modes,
                            const std::optional<std::pair<double, double>>& material) {
  ReductionRequest request{root, {{"tip", tip}}, modes, {}};
  for (const auto& [name, set] : interfaces) request.interfaces.push_back({name, set});
  for (const std::string& name : averaging) {
    const auto found = std::find_if(request.interfaces.begin(), request.interfaces.end(),
                                    [&](const InterfaceRequest& i) { return i.name == name; });
    if (found == request.interfaces.end())
      throw InputError(Problem{"averaging", "`tip`, or a name among `interfaces`", "`" + name + "`", ""});
    found->spider = Spider::averaging;
  }
  if (material) request.material = ElasticMaterial{material->first, material->second};
  return request;
}

py::dict reduced(const fs::path& mesh, const fs::path& stiffness, const fs::path& mass, const fs::path& dofs,
                 const std::string& root, const std::string& tip, const fs::path& file,
                 const std::map<std::string, std::string>& interfaces,
                 const std::vector<std::string>& averaging, int modes,
                 const std::optional<std::pair<double, double>>& material) {
  const ReductionRequest request = request_of(root, tip, interfaces, averaging, modes, material);
  ReducedBody body;
  {
    const py::gil_scoped_release unlocked;
    body = reduce(read_solid_mesh(mesh), read_matrices(stiffness, mass, dofs), request);
    write_body(body, file);
  }
  const RigidInertia rest = body.rest_inertia();
  py::dict places;
  for (const BodyInterface& interface : body.interfaces)
    places[py::str(interface.name)] = array_of(Eigen::VectorXd(interface.p_RI));
  py::dict result;
  result["frequencies_hz"] = array_of(Eigen::VectorXd(body.frequencies / (2.0 * std::numbers::pi)));
  result["mass"] = body.mass;
  result["com"] = array_of(Eigen::VectorXd(rest.moment / rest.mass));
  result["interfaces"] = places;
  result["geometric_stiffening"] = body.stiffens();
  result["file"] = file.string();
  return result;
}

}  // namespace

void bind_reduction(py::module_& module) {
  using py::arg;
  module.def("reduce", &reduced, arg("mesh"), arg("stiffness"), arg("mass"), arg("dofs"), arg("root"),
             arg("tip"), arg("file"), arg("interfaces") = std::map<std::string, std::string>{},
             arg("averaging") = std::vector<std::string>{}, arg("modes") = 10, arg("material") = py::none(),
             "A link from finite elements, reduced to a body of a few modes and written to `file` "
             "(docs/finite-elements.md).\n\n"
             "`interfaces`: sets of nodes by name, besides root and tip; `averaging`: names of those that "
             "are the mean of their nodes; "
             "`material`: (E, nu), with which the body gets geometric stiffening.");
}

}  // namespace limber::python
