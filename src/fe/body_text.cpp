// SPDX-License-Identifier: BSD-3-Clause
// A body as text: one line for each matrix, `name rows columns numbers`.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "limber/core/input_error.hpp"
#include "limber/fe/body_file.hpp"

namespace limber {
namespace {

constexpr std::string_view first_line = "limber body 1\n";

void add(std::string& text, double value) {
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  text += ' ';
  text.append(std::begin(digits), end);
}

void add(std::string& text, const std::string& name, const Eigen::MatrixXd& values) {
  text += name + ' ' + std::to_string(values.rows()) + ' ' + std::to_string(values.cols());
  for (const double value : values.reshaped()) add(text, value);
  text += '\n';
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {
    if (!text.starts_with(first_line)) refuse("another text");
    rest_.remove_prefix(first_line.size());
  }

  std::string word() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
    const std::size_t end = std::min(rest_.find_first_of(" \n"), rest_.size());
    const std::string found(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return found;
  }

  template <typename Number>
  Number number() {
    const std::string text = word();
    Number value{};
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc{} || end != text.data() + text.size()) refuse("`" + text.substr(0, 40) + "`");
    return value;
  }

  Eigen::MatrixXd matrix(const std::string& name) {
    if (const std::string found = word(); found != name)
      refuse("`" + found.substr(0, 40) + "` in place of " + name);
    return matrix();
  }
  Eigen::MatrixXd matrix() {
    const auto rows = number<std::int32_t>(), columns = number<std::int32_t>();
    // Every number takes two bytes or more: a size that the text cannot hold is not asked for.
    if (rows < 0 || columns < 0 ||
        static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns) > rest_.size())
      refuse("a matrix of " + std::to_string(rows) + " x " + std::to_string(columns));
    Eigen::MatrixXd values(rows, columns);
    for (double& value : values.reshaped()) value = number<double>();
    return values;
  }

  [[noreturn]] static void refuse(const std::string& found) {
    throw InputError(Problem{"", "the text of a reduced body", found, ""});
  }

 private:
  std::string_view rest_;
};

Eigen::Matrix3Xi indices(const Eigen::MatrixXd& table) {
  constexpr double most = 1e9;
  if (table.rows() != 3 || !table.allFinite() || (table.array() < 0.0).any() || (table.array() > most).any())
    Reader::refuse("triangles that are none");
  return table.cast<int>();
}

template <typename Matrix>
Matrix sized(const Eigen::MatrixXd& table, Eigen::Index rows) {
  if (table.rows() != rows) Reader::refuse("a matrix with " + std::to_string(table.rows()) + " rows");
  return table;
}

Eigen::VectorXd column(const Eigen::MatrixXd& table) {
  if (table.cols() != 1) Reader::refuse("a matrix in place of a list");
  return table;
}

}  // namespace

std::string body_text(const ReducedBody& body) {
  std::string text(first_line);
  add(text, "mass", Eigen::MatrixXd::Constant(1, 1, body.mass));
  add(text, "frequencies", body.frequencies);
  add(text, "stiffness", body.stiffness);
  add(text, "moment", body.moment);
  add(text, "gram", body.gram);
  text += "interfaces " + std::to_string(body.interfaces.size()) + "\n";
  for (const BodyInterface& interface : body.interfaces) {
    text += interface.name + "\n";
    add(text, "position", interface.p_RI);
    add(text, "Phi", interface.Phi);
    add(text, "Psi", interface.Psi);
  }
  add(text, "points", body.skin.points);
  add(text, "triangles", body.skin.triangles.cast<double>());
  add(text, "modes", body.skin.modes);
  if (body.stiffens()) add(text, "second_order", body.second_order);
  return text + "end\n";
}

ReducedBody parse_body(const std::string& text) {
  Reader reader(text);
  ReducedBody body;
  body.mass = column(sized<Eigen::MatrixXd>(reader.matrix("mass"), 1))[0];
  body.frequencies = column(reader.matrix("frequencies"));
  body.stiffness = column(reader.matrix("stiffness"));
  body.moment = column(reader.matrix("moment"));
  body.gram = reader.matrix("gram");
  if (reader.word() != "interfaces") Reader::refuse("no interfaces");
  const auto count = reader.number<std::int32_t>();
  for (std::int32_t i = 0; i < count; ++i) {
    BodyInterface interface;
    interface.name = reader.word();
    interface.p_RI = column(sized<Eigen::MatrixXd>(reader.matrix("position"), 3));
    interface.Phi = sized<Eigen::Matrix3Xd>(reader.matrix("Phi"), 3);
    interface.Psi = sized<Eigen::Matrix3Xd>(reader.matrix("Psi"), 3);
    body.interfaces.push_back(std::move(interface));
  }
  body.skin.points = sized<Eigen::Matrix3Xd>(reader.matrix("points"), 3);
  body.skin.triangles = indices(reader.matrix("triangles"));
  body.skin.modes = reader.matrix("modes");
  std::string last = reader.word();
  if (last == "second_order") {
    body.second_order = reader.matrix();
    last = reader.word();
  }
  if (last != "end") Reader::refuse("more than one body");
  require_valid(body);
  return body;
}

}  // namespace limber
