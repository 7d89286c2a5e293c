// SPDX-License-Identifier: BSD-3-Clause
// The graph itself as JSON: every operation once, operands before what uses them.
//
//   {"limber_graph": 1, "name": .., "nq": .., "nv": .., "coordinates": [names of v], "parameters": {"L1": {"value": .., "unit": .., "meaning": ..}},
//    "nodes": [0.5, "q1", ["multiply", 0, 1], ["sin", 2], ...], "quantities": {"M": [[2, 3], [3, 4]], "h": [5, 6]}}

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "../equation_words.hpp"
#include "languages.hpp"

namespace limber {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      result += c;
  }
  return result + "\"";
}

std::string name_of(Operation operation) {
  constexpr const char* names[] = {"constant", "symbol", "add", "subtract", "multiply",
                                   "divide",   "negate", "sin", "cos",      "sqrt",
                                   "c1",       "c2",     "c3",  "dc2",      "dc3"};
  return names[static_cast<int>(operation)];
}

}  // namespace

std::vector<Document> write_graph(Equations& equations) {
  std::string letters;
  for (const CodeFunction& function : equations.code_functions())
    if (function.results.size() == 1) letters += function.results;
  const SymbolicArm& arm = equations.arm();
  const Graph& graph = *arm.graph;
  std::string text = fmt::format("{{\n\"limber_graph\": 1,\n\"name\": {},\n\"nq\": {},\n\"nv\": {},\n",
                                 quoted(arm.model.name()), arm.model.nq(), arm.model.nv());
  std::string list;
  const auto next = [&](const std::string& item, const char* between) {
    list += (list.empty() ? "" : between) + item;
  };
  for (const std::string& name : arm.model.coordinates()) next(quoted(name), ", ");
  text += fmt::format("\"coordinates\": [{}],\n", list);
  list.clear();
  for (const Parameter& p : equations.used_parameters())
    next(fmt::format("{}: {{\"value\": {}, \"unit\": {}, \"meaning\": {}}}", quoted(p.name),
                     code_number(p.value), quoted(p.unit), quoted(p.meaning)),
         ",\n  ");
  text += fmt::format("\"parameters\": {{{}}},\n", list);
  list.clear();
  std::unordered_map<std::int32_t, std::size_t> number;
  for (const std::int32_t node : graph.needed_for(equations.everything_derived())) {
    const std::size_t own = number.size();
    number[node] = own;
    const GraphNode& n = graph[node];
    if (n.operation == Operation::constant)
      next(code_number(n.value), ",\n");
    else if (n.operation == Operation::symbol)
      next(quoted(graph.symbol_name(n.a)), ",\n");
    else if (operand_count(n.operation) == 1)
      next(fmt::format("[\"{}\", {}]", name_of(n.operation), number.at(n.a)), ",\n");
    else
      next(fmt::format("[\"{}\", {}, {}]", name_of(n.operation), number.at(n.a), number.at(n.b)), ",\n");
  }
  text += fmt::format("\"nodes\": [\n{}\n],\n\"quantities\": {{\n", list);
  list.clear();
  for (const char letter : letters) {
    const MatrixX<Expression>& values = equations.quantity(letter);
    std::string rows;
    for (Eigen::Index i = 0; i < values.rows(); ++i) {
      std::string row;
      for (Eigen::Index j = 0; j < values.cols(); ++j)
        row += fmt::format("{}{}", j == 0 ? "" : ", ", number.at(values(i, j).node()));
      rows += (i == 0 ? "" : ", ") + (is_vector_quantity(letter) ? row : "[" + row + "]");
    }
    next(fmt::format("{}: [{}]", quoted(name_of_quantity(letter)), rows), ",\n");
  }
  return {{equations.identifier() + ".json", text + list + "\n}\n}\n"}};
}

}  // namespace limber
