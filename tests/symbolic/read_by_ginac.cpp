// SPDX-License-Identifier: BSD-3-Clause
// The formulas as they are printed, read and evaluated by GiNaC: nothing of ours stands between the text and the numbers.

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <sstream>

#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/io/model_file.hpp"
#include "limber/symbolic/equations.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// "M[1,2] = formula" by "M[1,2]".
std::map<std::string, std::string> formulas(const std::string& text) {
  std::map<std::string, std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto equals = line.find("] = ");
    if (!line.empty() && line[0] != '#' && equals != std::string::npos)
      found[line.substr(0, equals + 1)] = line.substr(equals + 4);
  }
  return found;
}

class ReadByGinac : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Arms, ReadByGinac,
                         testing::Values("lin_lewis_two_link", "lin_lewis_turret", "lin_lewis_rfr",
                                         "canadarm"));

TEST_P(ReadByGinac, FormulasGiveTheNumbersOfTheNumericCore) {
  const std::string name = GetParam();
  const Model model = read_model(std::string(LIMBER_MODELS_DIR) + "/" + name + "/" + name + ".yaml");
  EquationsOptions options;
  options.digits = 17;
  options.only = parse_selection("M,C,G", model);
  Equations equations(model, options);
  const auto texts = formulas(equations.text());

  const int n = model.nv();
  VectorXd q(n), v(n);
  GiNaC::symtab table;
  GiNaC::exmap values;
  const auto set = [&](const std::string& symbol_name, double value) {
    const GiNaC::symbol symbol(symbol_name);
    table[symbol_name] = symbol;
    values[symbol] = value;
  };
  for (int i = 0; i < n; ++i) {
    q[i] = 0.1 * std::sin(3.0 * i + 1.0);
    v[i] = std::cos(2.0 * i);
    set("q" + std::to_string(i + 1), q[i]);
    set("v" + std::to_string(i + 1), v[i]);
  }
  for (const Parameter& p : equations.arm().parameters) set(p.name, p.value);
  GiNaC::parser read(table, true);
  const auto value = [&](const std::string& entry) {
    const auto there = texts.find(entry);
    if (there == texts.end()) return 0.0;
    return GiNaC::ex_to<GiNaC::numeric>(read(there->second).subs(values).evalf()).to_double();
  };

  Workspace<double> work(model);
  MatrixXd M(n, n), C(n, n);
  VectorXd h(n), G(n), found_G(n);
  mass_matrix(model, work, q, M);
  bias_forces(model, work, q, v, h);
  gravity_forces(model, work, q, G);
  for (int i = 0; i < n; ++i) {
    found_G[i] = value("G[" + std::to_string(i + 1) + "]");
    for (int j = 0; j < n; ++j) {
      const std::string entry = "[" + std::to_string(i + 1) + "," + std::to_string(j + 1) + "]";
      C(i, j) = value("C" + entry);
      if (j < i) continue;  // M's lower triangle is not printed
      EXPECT_NEAR(value("M" + entry), M(i, j), 1e-12 * M.norm()) << entry;
    }
  }
  EXPECT_LT((found_G - G).norm(), 1e-12 * (1.0 + G.norm()));
  EXPECT_LT((C * v + G - h).norm(), 1e-11 * h.norm());
}

}  // namespace
}  // namespace limber
