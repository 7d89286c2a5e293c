// SPDX-License-Identifier: BSD-3-Clause
// limber reduce MESH.inp: a link of finite elements, reduced to a few coordinates.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>

#include "json_numbers.hpp"
#include "limber/core/input_error.hpp"
#include "limber/fe/body_file.hpp"
#include "limber/fe/reduction.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "robot_commands.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr double hertz = 0.5 / std::numbers::pi;

struct ReduceOptions {
  std::string mesh, stiffness, mass, freedoms, root, tip, file;
  std::vector<std::string> interfaces, averaging;
  std::string material;
  int modes = 10;
  bool force = false;
};

ElasticMaterial material_of(const std::string& text) {
  const std::size_t comma = text.find(',');
  ElasticMaterial material{};
  const auto read = [&](std::string_view word, double& value) {
    const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), value);
    return failed == std::errc{} && end == word.data() + word.size();
  };
  const std::string_view all = text;
  if (comma == std::string::npos || !read(all.substr(0, comma), material.E) ||
      !read(all.substr(comma + 1), material.nu))
    throw InputError(Problem{"--material", "E,nu: Young's modulus in Pa and Poisson's ratio, as 2.1e11,0.3",
                             "`" + text + "`", ""});
  return material;
}

ReductionRequest request_of(const ReduceOptions& options) {
  ReductionRequest request{options.root, {{"tip", options.tip}}, options.modes, {}};
  for (const std::string& text : options.interfaces) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      throw InputError(Problem{"--interface", "NAME=SET, a name and a set of nodes", "`" + text + "`", ""});
    request.interfaces.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  for (const std::string& name : options.averaging) {
    const auto found = std::find_if(request.interfaces.begin(), request.interfaces.end(),
                                    [&](const InterfaceRequest& i) { return i.name == name; });
    if (found == request.interfaces.end())
      throw InputError(Problem{"--averaging", "`tip`, or a name that --interface gives", "`" + name + "`",
                               "the root is held"});
    found->spider = Spider::averaging;
  }
  if (!options.material.empty()) request.material = material_of(options.material);
  return request;
}

// About the centre of mass: ixx iyy izz ixy ixz iyz.
Eigen::VectorXd inertia_elements(const RigidInertia& body) {
  const Eigen::Vector3d c = body.moment / body.mass;
  const Eigen::Matrix3d I =
      body.inertia - body.mass * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
  Eigen::VectorXd elements(6);
  elements << I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2);
  return elements;
}

// Where the body's frame is in the mesh: the mean of the root's nodes, which is not the middle of its face where these are not spread evenly.
Eigen::Vector3d origin_of(const Mesh& mesh, const std::string& root) {
  std::string name = root;
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return mesh.positions(Eigen::all, mesh.sets.at(name)).rowwise().mean();
}

Json as_json(const ReducedBody& body, const ReductionRequest& request, const ReduceOptions& options,
             std::size_t freedoms, const Eigen::Vector3d& origin) {
  const RigidInertia rest = body.rest_inertia();
  Json interfaces = Json::array(), modes = Json::array();
  for (std::size_t i = 0; i < body.interfaces.size(); ++i)
    interfaces.push_back({{"name", body.interfaces[i].name},
                          {"set", request.interfaces[i].set},
                          {"spider", request.interfaces[i].spider == Spider::rigid ? "rigid" : "averaging"},
                          {"position", vector_json(body.interfaces[i].p_RI)}});
  for (int j = 0; j < body.size(); ++j)
    modes.push_back({{"name", fmt::format("m{}", j + 1)},
                     {"frequency_hz", body.frequencies[j] * hertz},
                     {"modal_mass", body.stiffness[j] / (body.frequencies[j] * body.frequencies[j])}});
  return {{"frequencies_hz", vector_json(body.frequencies * hertz)},
          {"mass", body.mass},
          {"com", vector_json(rest.moment / rest.mass)},
          {"inertia", vector_json(inertia_elements(rest))},
          {"origin", vector_json(origin)},
          {"interfaces", interfaces},
          {"modes", modes},
          {"freedoms", freedoms},
          {"coordinates", body.size()},
          {"geometric_stiffening", body.stiffens()},
          {"file", options.file}};
}

void print(const ReducedBody& body, const ReduceOptions& options, std::size_t freedoms,
           const Eigen::Vector3d& origin) {
  const RigidInertia rest = body.rest_inertia();
  const Eigen::Vector3d c = rest.moment / rest.mass;
  fmt::print("{}  {} freedoms become {} coordinates, {} kg, centre of mass at [{:.4g} {:.4g} {:.4g}] m\n\n",
             styled(Style::bold, options.file), freedoms, body.size(), number(body.mass), c.x(), c.y(),
             c.z());
  Table places({{"interface", ""},
                {"x", "m", Table::Align::right},
                {"y", "m", Table::Align::right},
                {"z", "m", Table::Align::right}});
  for (const BodyInterface& interface : body.interfaces)
    places.add_row(
        {interface.name, number(interface.p_RI.x()), number(interface.p_RI.y()), number(interface.p_RI.z())});
  fmt::print(
      "{}{}\n", places.str(),
      styled(Style::dim, fmt::format("  From the body's frame, which is at [{:.5g} {:.5g} {:.5g}] m of the "
                                     "mesh, the mean of the root's nodes.\n",
                                     origin.x(), origin.y(), origin.z())));
  Table modes({{"mode", ""}, {"frequency", "Hz", Table::Align::right}});
  for (int j = 0; j < body.size(); ++j)
    modes.add_row({fmt::format("m{}", j + 1), number(body.frequencies[j] * hertz)});
  fmt::print("{}{}\n", modes.str(), styled(Style::dim, "  With the root held and all else free."));
  fmt::print("{}\n", styled(Style::dim, body.stiffens()
                                            ? "  Its field is of second order: it stiffens under tension."
                                            : "  Its field is of first order, without geometric stiffening: "
                                              "--material E,nu would give it."));
}

void run_reduce(const ReduceOptions& options, const Common& common) {
  const ReductionRequest request = request_of(options);
  check_output({"-o", options.file, {".h5", ".hdf5"}},
               {options.mesh, options.stiffness, options.mass, options.freedoms}, options.force);
  StageDisplay progress("reduce", common.quiet);
  progress.show("reading the mesh", 0.0);
  const Mesh mesh = read_solid_mesh(options.mesh);
  progress.show("reading the matrices", 0.05);
  const MeshMatrices matrices = read_matrices(options.stiffness, options.mass, options.freedoms);
  progress.show("static shapes and modes", 0.4);
  const ReducedBody body = reduce(mesh, matrices, request);
  progress.clear();
  write_body(body, options.file);
  if (common.json)
    print_json(as_json(body, request, options, matrices.freedoms.size(), origin_of(mesh, options.root)));
  else
    print(body, options, matrices.freedoms.size(), origin_of(mesh, options.root));
}

}  // namespace

void add_reduce(CLI::App& app, Common& common) {
  auto options = std::make_shared<ReduceOptions>();
  CLI::App* command = add_command(app, common, "reduce",
                                  "A link from finite elements: mesh and matrices to a body of a few modes");
  command
      ->add_option("MESH", options->mesh,
                   "Input file of CalculiX or Abaqus, with nodes, solid elements and sets")
      ->required();
  command
      ->add_option("--stiffness", options->stiffness, "Stiffness matrix: CalculiX's .sti, or Matrix Market")
      ->required();
  command->add_option("--mass", options->mass, "Mass matrix: CalculiX's .mas, or Matrix Market")->required();
  command->add_option("--dofs", options->freedoms, "What each row is, as node.direction: CalculiX's .dof")
      ->required();
  command->add_option("--root", options->root, "Set of nodes that the joint holds: the body's frame")
      ->required();
  command->add_option("--tip", options->tip, "Set of nodes of the tip, rigid as a flange")->required();
  command
      ->add_option("--interface", options->interfaces,
                   "NAME=SET: a further place on which links can sit (repeatable)")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--averaging", options->averaging,
          "Name of an interface that is the mean of its nodes (RBE3), not a rigid piece (repeatable)")
      ->allow_extra_args(false);
  command
      ->add_option("--modes", options->modes,
                   "Modes besides the six static shapes of each interface (default 10)")
      ->check(CLI::Range(0, 500));
  command->add_option(
      "--material", options->material,
      "E,nu of all elements (Pa): the body then stiffens under tension and softens under pressure");
  command->add_option("-o,--output", options->file, "Body to write (HDF5)")->required();
  command->add_flag("--force", options->force, "Write over an existing file");
  command->callback([options, &common] { run_reduce(*options, common); });
}

}  // namespace limber::app
