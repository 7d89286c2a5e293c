// SPDX-License-Identifier: BSD-3-Clause
#include "limber/fe/mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>

#include "limber/core/input_error.hpp"
#include "text_lines.hpp"

namespace limber {
namespace {

using Kind = MeshElement::Kind;

struct ElementType {
  const char* name;
  Kind kind;
  int corners, nodes;
  bool reduced = false;
};
constexpr std::array<ElementType, 12> solids{{{"C3D4", Kind::tetrahedron, 4, 4},
                                              {"C3D10", Kind::tetrahedron, 4, 10},
                                              {"C3D10T", Kind::tetrahedron, 4, 10},
                                              {"C3D10M", Kind::tetrahedron, 4, 10},
                                              {"C3D6", Kind::wedge, 6, 6},
                                              {"C3D15", Kind::wedge, 6, 15},
                                              {"C3D8", Kind::hexahedron, 8, 8},
                                              {"C3D8R", Kind::hexahedron, 8, 8, true},
                                              {"C3D8I", Kind::hexahedron, 8, 8},
                                              {"F3D8", Kind::hexahedron, 8, 8},
                                              {"C3D20", Kind::hexahedron, 8, 20},
                                              {"C3D20R", Kind::hexahedron, 8, 20, true}}};

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\"";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// `*ELEMENT, TYPE=C3D10, ELSET=ALL`: its word in upper case, and its parameters; values as they are written.
struct Keyword {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;

  explicit Keyword(std::string_view line) {
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t end = std::min(line.find(',', at), line.size());
      const std::string_view part = line.substr(at, end - at);
      const std::size_t equals = part.find('=');
      const std::string key = upper(trimmed(part.substr(0, equals)));
      if (at == 0)
        name = key;
      else
        parameters.emplace_back(key,
                                equals == std::string_view::npos ? "" : trimmed(part.substr(equals + 1)));
      at = end + 1;
    }
  }
  std::optional<std::string> find(const std::string& key) const {
    for (const auto& [own, value] : parameters)
      if (own == key) return value;
    return std::nullopt;
  }
};

class MeshReader {
 public:
  void read(const std::filesystem::path& file, int depth = 0) {
    const std::string text = read_large_text(file, "a mesh in an input file of CalculiX or Abaqus (.inp)");
    TextLines lines(text, file.string());
    if (depth == 0) mesh_.source = file.string();
    state_ = {};
    for (std::string_view line; lines.next(line);) {
      line = trimmed(line);
      if (line.empty() || line.starts_with("**")) continue;
      if (line.starts_with('*'))
        begin(lines, file, Keyword(line), depth);
      else
        read_data(lines, line);
    }
    require_whole_element(lines, "the end of the file");
  }

  Mesh finish() {
    if (mesh_.numbers.empty())
      throw InputError(Problem{mesh_.source, "nodes (*NODE)", "none", "is this the file with the mesh?"});
    mesh_.positions = Eigen::Map<const Eigen::Matrix3Xd>(positions_.data(), 3,
                                                         static_cast<Eigen::Index>(mesh_.numbers.size()));
    for (auto& [name, numbers] : sets_) {
      std::vector<int>& own = mesh_.sets[name];
      for (const int number : numbers)
        if (const auto found = mesh_.index.find(number); found != mesh_.index.end())
          own.push_back(found->second);
      std::sort(own.begin(), own.end());
    }
    return std::move(mesh_);
  }

 private:
  enum class Block { other, nodes, elements, set };
  struct State {
    Block block = Block::other;
    const ElementType* type = nullptr;
    std::string set = {};
    bool generate = false;
    std::vector<int> pending = {};  // an element's numbers may fill several lines
  };

  void begin(const TextLines& lines, const std::filesystem::path& file, const Keyword& keyword, int depth) {
    require_whole_element(lines, "`" + keyword.name + "`");
    state_ = {};
    if (keyword.name == "*NODE") {
      state_.block = Block::nodes;
      state_.set = upper(keyword.find("NSET").value_or(""));
    } else if (keyword.name == "*ELEMENT") {
      state_.block = Block::elements;
      const std::string type = upper(keyword.find("TYPE").value_or(""));
      const auto known =
          std::find_if(solids.begin(), solids.end(), [&](const ElementType& t) { return type == t.name; });
      state_.type = known == solids.end() ? nullptr : &*known;
    } else if (keyword.name == "*NSET") {
      const auto name = keyword.find("NSET");
      if (!name || name->empty()) lines.refuse("*NSET, NSET=name", "no name");
      state_.block = Block::set;
      state_.set = upper(*name);
      state_.generate = keyword.find("GENERATE").has_value();
      sets_[state_.set];
    } else if (keyword.name == "*INCLUDE") {
      include(lines, file, keyword, depth);
    }
  }

  void require_whole_element(const TextLines& lines, const std::string& found) const {
    if (state_.block == Block::elements && !state_.pending.empty())
      lines.refuse("the other nodes of the element before", found);
  }

  void include(const TextLines& lines, const std::filesystem::path& file, const Keyword& keyword, int depth) {
    constexpr int deepest = 10;
    const auto name = keyword.find("INPUT");
    if (!name || name->empty()) lines.refuse("*INCLUDE, INPUT=file", "no file");
    if (depth >= deepest) lines.refuse("files that do not include each other", shown(*name));
    read(file.parent_path() / *name, depth + 1);
    state_ = {};
  }

  void read_data(const TextLines& lines, std::string_view line) {
    if (state_.block == Block::nodes) read_node(lines, line);
    if (state_.block == Block::elements && state_.type) read_element(lines, line);
    if (state_.block == Block::set) read_set(lines, line);
  }

  static int number_of(const TextLines& lines, std::string_view word) {
    int number = 0;
    if (!parse(word, number) || number <= 0) lines.refuse("a number of a node or element", shown(word));
    return number;
  }

  void read_node(const TextLines& lines, std::string_view line) {
    const int number = number_of(lines, next_word(line));
    std::array<double, 3> place{};
    for (double& coordinate : place) {
      const std::string_view word = next_word(line);
      if (!word.empty() && (!parse(word, coordinate) || !std::isfinite(coordinate)))
        lines.refuse("a coordinate", shown(word));
    }
    if (!mesh_.index.emplace(number, static_cast<int>(mesh_.numbers.size())).second)
      lines.refuse("a number for each node", std::to_string(number) + " twice");
    mesh_.numbers.push_back(number);
    positions_.insert(positions_.end(), place.begin(), place.end());
    if (!state_.set.empty()) sets_[state_.set].insert(number);
  }

  void read_element(const TextLines& lines, std::string_view line) {
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line))
      state_.pending.push_back(number_of(lines, word));
    const auto wanted = static_cast<std::size_t>(state_.type->nodes) + 1;
    if (state_.pending.size() < wanted) return;  // it goes on in the next line
    if (state_.pending.size() > wanted)
      lines.refuse(std::to_string(state_.type->nodes) + " nodes of an element " + state_.type->name,
                   std::to_string(state_.pending.size() - 1));
    MeshElement element{state_.type->kind, {}, {}, state_.type->reduced};
    for (int i = 1; i <= state_.type->nodes; ++i) {
      const int number = state_.pending[static_cast<std::size_t>(i)];
      const auto found = mesh_.index.find(number);
      if (found == mesh_.index.end())
        lines.refuse("nodes that stand before the elements",
                     "node " + std::to_string(number) + ", which does not");
      (i <= state_.type->corners ? element.corners : element.midsides).push_back(found->second);
    }
    mesh_.elements.push_back(std::move(element));
    state_.pending.clear();
  }

  void read_set(const TextLines& lines, std::string_view line) {
    std::set<int>& set = sets_[state_.set];
    std::vector<int> numbers;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
      const auto other = sets_.find(upper(word));
      if (!state_.generate && other != sets_.end())
        set.insert(other->second.begin(), other->second.end());
      else
        numbers.push_back(number_of(lines, word));
    }
    if (!state_.generate) {
      set.insert(numbers.begin(), numbers.end());
      return;
    }
    if (numbers.size() < 2 || numbers.size() > 3 || numbers[1] < numbers[0])
      lines.refuse("first, last and step of a set that is generated",
                   std::to_string(numbers.size()) + " numbers");
    generate(set, numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 1);
  }

  // Of a range far wider than the mesh its nodes are asked one by one, not the range.
  void generate(std::set<int>& set, long first, long last, long step) const {
    if ((last - first) / step <= static_cast<long>(mesh_.numbers.size())) {
      for (long number = first; number <= last; number += step)
        if (mesh_.index.contains(static_cast<int>(number))) set.insert(static_cast<int>(number));
    } else {
      for (const int number : mesh_.numbers)
        if (number >= first && number <= last && (number - first) % step == 0) set.insert(number);
    }
  }

  Mesh mesh_;
  std::vector<double> positions_;
  std::map<std::string, std::set<int>> sets_;
  State state_;
};

// Corners in the order of CalculiX (the bottom, then the top above it), cut into tetrahedra.
using Tetrahedron = std::array<int, 4>;
const std::vector<Tetrahedron>& tetrahedra_of(Kind kind) {
  static const std::vector<Tetrahedron> one{{0, 1, 2, 3}}, three{{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}},
      six{{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  return kind == Kind::tetrahedron ? one : kind == Kind::wedge ? three : six;
}

}  // namespace

double Mesh::volume() const {
  double total = 0.0;
  for (const MeshElement& element : elements)
    for (const Tetrahedron& t : tetrahedra_of(element.kind)) {
      const auto p = [&](int i) -> Eigen::Vector3d {
        return positions.col(element.corners[static_cast<std::size_t>(t[static_cast<std::size_t>(i)])]);
      };
      total += std::abs((p(1) - p(0)).cross(p(2) - p(0)).dot(p(3) - p(0))) / 6.0;
    }
  return total;
}

Mesh read_solid_mesh(const std::filesystem::path& file) {
  MeshReader reader;
  reader.read(file);
  return reader.finish();
}

}  // namespace limber
