// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "limber/io/file_error.hpp"
#include "limber/model/field_rule.hpp"
#include "mesh_words.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_triangles = 2'000'000;  // and vertices: beyond, a file is no link of an arm
constexpr double largest_coordinate = 1e9;

constexpr std::size_t head_size = 84, facet_size = 50;  // of a binary STL

/// Collects vertices and triangles, and refuses what no mesh has.
class MeshMaker {
 public:
  explicit MeshMaker(std::string file) : file_(std::move(file)) {}

  [[noreturn]] void refuse(Mark mark, std::string expected, std::string found, std::string hint = "") const {
    throw FileError({{{"", std::move(expected), std::move(found), std::move(hint)}, file_, mark}});
  }

  void add_vertex(const std::array<double, 3>& p, Mark mark) {
    for (const double x : p)
      if (!(std::abs(x) <= largest_coordinate))
        refuse(mark, fmt::format("coordinates of magnitude at most {:g}", largest_coordinate),
               show_number(x));
    if (vertices_.size() == most_triangles)
      refuse(mark, fmt::format("at most {} vertices", most_triangles), "more");
    vertices_.push_back({p[0] + 0.0, p[1] + 0.0, p[2] + 0.0});  // no -0: it would be another vertex
  }

  void add_triangle(std::int64_t a, std::int64_t b, std::int64_t c, Mark mark) {
    if (triangles_.size() == most_triangles)
      refuse(mark, fmt::format("at most {} triangles", most_triangles), "more");
    triangles_.push_back({static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)});
  }

  /// The corners of a facet of an STL, which knows no vertices.
  void add_corners(const std::array<std::array<double, 3>, 3>& corners, Mark mark) {
    std::array<int, 3> triangle = {};
    for (std::size_t k = 0; k < 3; ++k) {
      std::array<double, 3> p = corners[k];
      for (double& x : p) x += 0.0;
      const auto [known, is_new] = index_.try_emplace(p, static_cast<int>(vertices_.size()));
      if (is_new) add_vertex(p, mark);
      triangle[k] = known->second;
    }
    add_triangle(triangle[0], triangle[1], triangle[2], mark);
  }

  std::size_t vertex_count() const { return vertices_.size(); }

  TriangleMesh mesh() const {
    if (triangles_.empty()) refuse({}, "at least one triangle", "none");
    TriangleMesh mesh;
    mesh.vertices.resize(3, static_cast<Eigen::Index>(vertices_.size()));
    mesh.triangles.resize(3, static_cast<Eigen::Index>(triangles_.size()));
    for (std::size_t i = 0; i < vertices_.size(); ++i)
      mesh.vertices.col(static_cast<Eigen::Index>(i)) << vertices_[i][0], vertices_[i][1], vertices_[i][2];
    for (std::size_t i = 0; i < triangles_.size(); ++i)
      mesh.triangles.col(static_cast<Eigen::Index>(i)) << triangles_[i][0], triangles_[i][1],
          triangles_[i][2];
    return mesh;
  }

 private:
  struct Hash {
    std::size_t operator()(const std::array<double, 3>& p) const {
      std::size_t sum = 0;
      for (const double x : p) sum = 1000003 * sum + std::hash<double>()(x);
      return sum;
    }
  };

  std::string file_;
  std::vector<std::array<double, 3>> vertices_;
  std::vector<std::array<int, 3>> triangles_;
  std::unordered_map<std::array<double, 3>, int, Hash> index_;
};

// ---- STL ----

// Both are little-endian, as all machines that we know of are.
template <typename Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

void read_binary_stl(std::string_view bytes, std::size_t count, MeshMaker& maker) {
  for (std::size_t i = 0; i < count; ++i) {
    std::array<std::array<double, 3>, 3> corners = {};
    for (std::size_t k = 0; k < 9; ++k)  // the first three numbers are a normal, which follows from the rest
      corners[k / 3][k % 3] = number_at<float>(bytes, head_size + facet_size * i + 4 * (3 + k));
    maker.add_corners(corners, {});
  }
}

void read_text_stl(std::string_view bytes, MeshMaker& maker) {
  MeshWords words(bytes);
  std::array<std::array<double, 3>, 3> corners = {};
  std::size_t count = 0;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "endsolid") return;
    if (word == "solid") words.skip_line();
    if (word == "vertex") {
      if (count == 3) maker.refuse(words.mark(), "three corners in each facet", "a fourth");
      for (double& x : corners[count]) {
        const std::string_view text = words.next();
        const auto number = MeshWords::number(text);
        if (!number)
          maker.refuse(words.mark(), "a number", text.empty() ? "the end of the file" : show_text(text));
        x = *number;
      }
      ++count;
    }
    if (word == "endloop") {
      if (count != 3) maker.refuse(words.mark(), "three corners in each facet", fmt::format("{}", count));
      maker.add_corners(corners, words.mark());
      count = 0;
    }
  }
  maker.refuse(words.mark(), "`endsolid`", "the end of the file", "the file was cut");
}

void read_stl(std::string_view bytes, MeshMaker& maker) {
  const bool has_head = bytes.size() >= head_size;
  const std::size_t count = has_head ? number_at<std::uint32_t>(bytes, head_size - 4) : 0;
  const std::size_t size = head_size + facet_size * count;
  const bool says_solid = bytes.starts_with("solid");
  if (has_head && count > 0 && (bytes.size() == size || (!says_solid && bytes.size() > size)))
    read_binary_stl(bytes, count, maker);
  else if (says_solid || !has_head)
    read_text_stl(bytes, maker);
  else
    maker.refuse({}, fmt::format("{} bytes, for {} triangles", size, count), fmt::format("{}", bytes.size()),
                 "the file was cut, or is no STL");
}

// ---- OBJ ----

/// The vertex that `7`, `7/1/2` or `-1` means.
std::int64_t vertex_of(std::string_view word, const MeshWords& words, const MeshMaker& maker) {
  const auto number = MeshWords::integer(word.substr(0, word.find('/')));
  const auto count = static_cast<std::int64_t>(maker.vertex_count());
  const std::int64_t index = !number ? -1 : *number < 0 ? count + *number : *number - 1;
  if (index < 0 || index >= count)
    maker.refuse(words.mark(), fmt::format("one of the {} vertices above it", count), show_text(word));
  return index;
}

void read_obj(std::string_view bytes, MeshMaker& maker) {
  MeshWords words(bytes);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "v") {
      std::array<double, 3> p = {};
      for (double& x : p) {
        const std::string_view text = words.next_in_line();
        const auto number = MeshWords::number(text);
        if (!number) maker.refuse(words.mark(), "three numbers", text.empty() ? "fewer" : show_text(text));
        x = *number;
      }
      maker.add_vertex(p, words.mark());
    } else if (word == "f") {
      std::array<std::int64_t, 2> last = {};
      std::int64_t first = 0, corners = 0;
      for (std::string_view corner = words.next_in_line(); !corner.empty(); corner = words.next_in_line()) {
        const std::int64_t vertex = vertex_of(corner, words, maker);
        if (corners == 0) first = vertex;
        if (corners >= 2) maker.add_triangle(first, last[1], vertex, words.mark());
        last = {last[1], vertex};
        ++corners;
      }
      if (corners < 3) maker.refuse(words.mark(), "three corners or more", fmt::format("{}", corners));
    }
    words.skip_line();
  }
}

// ---- files ----

std::string ending_of(const std::string& file) {
  std::string ending = fs::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

template <typename Action>
void for_each_mesh(const ModelDescription& arm, Action&& action) {
  const auto look = [&](const std::vector<VisualDescription>& list) {
    for (const VisualDescription& visual : list)
      if (const auto* const mesh = std::get_if<visuals::Mesh>(&visual.kind)) action(mesh->file);
  };
  look(arm.visuals);
  for (const LinkDescription& link : arm.links) look(link.visuals);
}

std::string why_not_read(const std::string& file) {
  if (std::string reason = why_not_drawn(file); !reason.empty()) return reason;
  try {
    read_mesh(file);
  } catch (const FileError& error) {
    const LocatedProblem& first = error.located().front();
    return fmt::format("{}expected {}, found {}",
                       first.mark.line > 0 ? fmt::format("line {}: ", first.mark.line) : "",
                       first.problem.expected, first.problem.found);
  }
  return "";
}

}  // namespace

std::string why_not_drawn(const std::string& file) {
  const std::string ending = ending_of(file);
  if (ending != ".stl" && ending != ".obj")
    return ending == ".dae" ? "Collada; STL and OBJ are read" : "neither STL nor OBJ";
  if (file.find("://") != file.npos) return "no such package";
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return "no such file";
  if (!fs::is_regular_file(status)) return "no file";
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) return "cannot be read";
  return size > largest_mesh_file ? fmt::format("{} bytes, more than 64 MiB", size) : "";
}

TriangleMesh read_mesh(const fs::path& file) {
  const std::string name = file.string();
  if (const std::string reason = why_not_drawn(name); !reason.empty())
    throw FileError({{{"", "an STL or OBJ file, at most 64 MiB", reason, ""}, name, {}}});
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(fs::file_size(file), '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream) throw FileError({{{"", "an STL or OBJ file", "a file that cannot be read", ""}, name, {}}});
  return parse_mesh(bytes, name);
}

TriangleMesh parse_mesh(std::string_view bytes, const std::string& file_name) {
  MeshMaker maker(file_name);
  if (ending_of(file_name) == ".obj")
    read_obj(bytes, maker);
  else
    read_stl(bytes, maker);
  return maker.mesh();
}

std::vector<std::string> undrawn_meshes(const ModelDescription& arm) {
  constexpr std::size_t most_named = 4;
  std::vector<std::string> named;
  std::size_t count = 0;
  for_each_mesh(arm, [&](const std::string& file) {
    const std::string reason = why_not_read(file);
    if (reason.empty()) return;
    if (count++ < most_named) named.push_back(fmt::format("{} ({})", file, reason));
  });
  if (count == 0) return {};
  return {fmt::format("meshes that are not drawn: {}{}", fmt::join(named, ", "),
                      count > most_named ? fmt::format(" and {} more", count - most_named) : "")};
}

}  // namespace limber
