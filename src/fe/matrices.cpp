// SPDX-License-Identifier: BSD-3-Clause
#include "limber/fe/matrices.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "limber/core/input_error.hpp"
#include "text_lines.hpp"

namespace limber {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

struct Entry {
  int row, column;
  double value;
};

// Lines `row column value`, of one triangle (CalculiX: the upper one) or of both.
struct Triplets {
  std::vector<Entry> entries;
  bool both_triangles = false;
  std::optional<Eigen::Index> promised;  // entries, by the header
};

// `%%MatrixMarket matrix coordinate real symmetric|general`, comments, then `rows columns entries`.
void read_header(TextLines& lines, std::string_view line, Eigen::Index size, Triplets& triplets) {
  const std::string header(line);
  const auto says = [&](const char* word) { return header.find(word) != std::string::npos; };
  if (!says("coordinate") || !says("real") || !(says("symmetric") || says("general")))
    lines.refuse("a Matrix Market file: coordinate, real, symmetric or general", shown(line));
  triplets.both_triangles = says("general");
  while (lines.next(line) && line.starts_with('%')) continue;
  Eigen::Index rows = 0, columns = 0, count = 0;
  if (!parse(next_word(line), rows) || !parse(next_word(line), columns) || !parse(next_word(line), count))
    lines.refuse("numbers of rows, columns and entries", shown(line));
  if (rows != size || columns != size)
    lines.refuse("a matrix of " + std::to_string(size) +
                     " rows and columns, one for each line of the file of freedoms",
                 std::to_string(rows) + " x " + std::to_string(columns));
  triplets.promised = count;
}

Triplets read_triplets(const std::filesystem::path& file, Eigen::Index size) {
  const std::string text =
      read_large_text(file, "a matrix: CalculiX's storage (row column value) or Matrix Market");
  TextLines lines(text, file.string());
  Triplets triplets;
  constexpr std::size_t usual_line = 24;  // bytes
  triplets.entries.reserve(text.size() / usual_line);
  bool is_begun = false;
  for (std::string_view line; lines.next(line);) {
    if (!is_begun && line.starts_with("%%MatrixMarket")) {
      read_header(lines, line, size, triplets);
      is_begun = true;
      continue;
    }
    const std::string_view whole = line;
    const std::string_view first = next_word(line);
    if (first.empty() || first.starts_with('%')) continue;
    is_begun = true;
    Entry entry{};
    if (!parse(first, entry.row) || !parse(next_word(line), entry.column) ||
        !parse(next_word(line), entry.value) || !next_word(line).empty() || !std::isfinite(entry.value))
      lines.refuse("row, column and value", shown(whole));
    if (entry.row < 1 || entry.row > size || entry.column < 1 || entry.column > size)
      lines.refuse(
          "rows and columns from 1 to " + std::to_string(size) + ", the lines of the file of freedoms",
          std::to_string(entry.row) + " " + std::to_string(entry.column));
    --entry.row;
    --entry.column;
    triplets.entries.push_back(entry);
  }
  if (triplets.entries.empty()) throw InputError(Problem{file.string(), "entries of a matrix", "none", ""});
  const auto found = static_cast<Eigen::Index>(triplets.entries.size());
  if (triplets.promised.value_or(found) != found)
    throw InputError(Problem{file.string(),
                             std::to_string(*triplets.promised) + " entries, as many as its header says",
                             std::to_string(found), "is the file whole?"});
  return triplets;
}

// Entries above and below the diagonal: is it one triangle, or both, and are both the same?
bool has_both_triangles(const Triplets& triplets) {
  bool above = false, below = false;
  for (const Entry& e : triplets.entries) {
    above = above || e.column > e.row;
    below = below || e.column < e.row;
  }
  return triplets.both_triangles || (above && below);
}

// Enough to see where two numbers part.
std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

void require_symmetry(const Sparse& A, const std::filesystem::path& file) {
  const Sparse T = A.transpose();
  const double largest = Eigen::Map<const Eigen::VectorXd>(A.valuePtr(), A.nonZeros()).cwiseAbs().maxCoeff();
  constexpr double rounding = 1e-9;  // of solvers that print few digits
  const Sparse difference = A - T;
  for (int k = 0; k < difference.outerSize(); ++k)
    for (Sparse::InnerIterator e(difference, k); e; ++e)
      if (std::abs(e.value()) > rounding * largest)
        throw InputError(
            Problem{file.string(), "a symmetric matrix",
                    "(" + std::to_string(e.row() + 1) + ", " + std::to_string(e.col() + 1) +
                        ") = " + digits(A.coeff(e.row(), e.col())) + " and (" + std::to_string(e.col() + 1) +
                        ", " + std::to_string(e.row() + 1) + ") = " + digits(A.coeff(e.col(), e.row())),
                    "contact, friction and follower loads make matrices unsymmetric: leave them out"});
}

Sparse read_matrix(const std::filesystem::path& file, Eigen::Index size) {
  Triplets triplets = read_triplets(file, size);
  const bool both = has_both_triangles(triplets);
  std::vector<Eigen::Triplet<double>> all;
  all.reserve(triplets.entries.size() * (both ? 1 : 2));
  for (const Entry& e : triplets.entries) {
    if (e.value == 0.0 && e.row != e.column) continue;
    all.emplace_back(e.row, e.column, e.value);
    if (!both && e.row != e.column) all.emplace_back(e.column, e.row, e.value);
  }
  triplets.entries = {};
  Sparse A(size, size);
  A.setFromTriplets(all.begin(), all.end());
  if (both) require_symmetry(A, file);
  return A;
}

// Lines `node.direction`.
std::vector<MeshFreedom> read_freedoms(const std::filesystem::path& file) {
  const std::string text = read_large_text(file, "degrees of freedom, one a line: node.direction (.dof)");
  TextLines lines(text, file.string());
  std::vector<MeshFreedom> freedoms;
  for (std::string_view line; lines.next(line);) {
    const std::string_view word = next_word(line);
    if (word.empty() || word.starts_with('%') || word.starts_with('#')) continue;
    const std::size_t point = word.find('.');
    MeshFreedom freedom{};
    if (point == std::string_view::npos || !parse(word.substr(0, point), freedom.node) ||
        !parse(word.substr(point + 1), freedom.direction))
      lines.refuse("node.direction, as 12.3", shown(word));
    if (freedom.direction < 1 || freedom.direction > 3)
      lines.refuse("directions 1, 2 and 3: displacements of solid elements", shown(word),
                   freedom.direction > 3 ? "shells and beams with rotations are not reduced" : "");
    freedoms.push_back(freedom);
  }
  if (freedoms.empty()) throw InputError(Problem{file.string(), "degrees of freedom", "none", ""});
  return freedoms;
}

}  // namespace

MeshMatrices read_matrices(const std::filesystem::path& stiffness, const std::filesystem::path& mass,
                           const std::filesystem::path& freedoms) {
  MeshMatrices matrices;
  matrices.freedoms = read_freedoms(freedoms);
  const auto size = static_cast<Eigen::Index>(matrices.freedoms.size());
  matrices.stiffness = read_matrix(stiffness, size);
  matrices.mass = read_matrix(mass, size);
  matrices.stiffness_file = stiffness.string();
  matrices.mass_file = mass.string();
  matrices.freedom_file = freedoms.string();
  return matrices;
}

}  // namespace limber
