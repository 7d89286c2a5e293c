// SPDX-License-Identifier: BSD-3-Clause
// Where the mesh is that a URDF or a model file names.

#include <cstdlib>
#include <optional>
#include <sstream>
#include <variant>

#include "limber/io/mesh_file.hpp"
#include "mesh_places.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

/// The folders that an environment variable lists.
std::vector<fs::path> listed(const char* variable) {
  std::vector<fs::path> folders;
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  std::istringstream stream(text ? text : "");
  for (std::string folder; std::getline(stream, folder, ':');)
    if (!folder.empty()) folders.emplace_back(folder);
  return folders;
}

/// A file of a ROS package: `package` is found by its folder's name.
std::optional<fs::path> in_package(const std::string& package, const fs::path& rest,
                                   const fs::path& directory) {
  std::vector<fs::path> places;
  for (fs::path at = directory;; at = at.parent_path()) {
    if (at.filename() == package) places.push_back(at / rest);
    places.push_back(at / package / rest);
    if (at == at.parent_path()) break;
  }
  for (const fs::path& folder : listed("ROS_PACKAGE_PATH")) {
    if (folder.filename() == package) places.push_back(folder / rest);
    places.push_back(folder / package / rest);
  }
  for (const fs::path& folder : listed("AMENT_PREFIX_PATH"))
    places.push_back(folder / "share" / package / rest);
  for (const fs::path& place : places)
    if (is_there(place)) return place;
  return std::nullopt;
}

template <typename Rename>
void rename_meshes(ModelDescription& arm, Rename&& rename) {
  const auto rename_all = [&](std::vector<VisualDescription>& list) {
    for (VisualDescription& visual : list)
      if (auto* const mesh = std::get_if<visuals::Mesh>(&visual.kind)) mesh->file = rename(mesh->file);
  };
  rename_all(arm.visuals);
  for (LinkDescription& link : arm.links) rename_all(link.visuals);
}

bool has_scheme(const std::string& name) { return name.find("://") != name.npos; }

}  // namespace

void find_meshes(ModelDescription& arm, const fs::path& directory) {
  rename_meshes(arm, [&](const std::string& name) { return find_mesh(name, directory); });
}

ModelDescription with_mesh_names(ModelDescription arm, const fs::path& directory) {
  rename_meshes(arm, [&](const std::string& file) {
    if (has_scheme(file)) return file;
    return fs::proximate(file, directory.empty() ? fs::current_path() : directory).generic_string();
  });
  return arm;
}

std::string find_mesh(const std::string& name, const fs::path& directory) {
  std::error_code ignored;
  const fs::path around =
      fs::absolute(directory.empty() ? fs::path(".") : directory, ignored).lexically_normal();
  const fs::path folder = around.has_filename() ? around : around.parent_path();
  const std::size_t scheme_end = name.find("://");
  const std::string scheme = scheme_end == name.npos ? "" : name.substr(0, scheme_end);
  const std::string rest = scheme.empty() ? name : name.substr(scheme_end + 3);
  if (scheme == "package" || scheme == "model") {
    const std::size_t slash = rest.find('/');
    if (slash == rest.npos || slash == 0) return name;
    const auto found = in_package(rest.substr(0, slash), rest.substr(slash + 1), folder);
    return found ? found->lexically_normal().string() : name;
  }
  if (!scheme.empty() && scheme != "file") return name;
  return (folder / rest).lexically_normal().string();
}

}  // namespace limber
