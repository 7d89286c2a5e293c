// SPDX-License-Identifier: BSD-3-Clause
#include "limber/scenario/linear_law.hpp"

#include <fmt/format.h>

namespace limber {

std::vector<Problem> check_sizes(const LinearLaw& law, int inputs, int outputs) {
  std::vector<Problem> problems;
  const Eigen::Index states = law.A.rows();
  const auto require = [&](const char* name, const Eigen::MatrixXd& matrix, Eigen::Index rows,
                           Eigen::Index columns, const char* of) {
    if (matrix.size() == 0 || (matrix.rows() == rows && matrix.cols() == columns)) return;
    problems.push_back({name, fmt::format("{} x {} numbers: {}", rows, columns, of),
                        fmt::format("{} x {}", matrix.rows(), matrix.cols()), ""});
  };
  require("A", law.A, states, states, "states by states");
  require("B", law.B, states, inputs, "states (rows of A) by `inputs`");
  require("C", law.C, outputs, states, "joints that it drives by states (rows of A)");
  require("D", law.D, outputs, inputs, "joints that it drives by `inputs`");
  require("u0", law.u0, outputs, 1, "one for each joint that it drives");
  const auto needs = [&](const char* name, const Eigen::MatrixXd& matrix, const char* why) {
    if (matrix.size() == 0) problems.push_back({name, why, "none", ""});
  };
  if (states > 0) {
    needs("B", law.B, "a matrix: the law has states (A)");
    needs("C", law.C, "a matrix: the law has states (A)");
  } else {
    needs("D", law.D, "a matrix: without states (A) it is the whole law");
  }
  return problems;
}

LinearLaw completed(LinearLaw law, int inputs, int outputs) {
  const auto fill = [](Eigen::MatrixXd& matrix, Eigen::Index rows, Eigen::Index columns) {
    if (matrix.size() == 0) matrix.setZero(rows, columns);
  };
  const Eigen::Index states = law.A.rows();
  fill(law.A, states, states);
  fill(law.B, states, inputs);
  fill(law.C, outputs, states);
  fill(law.D, outputs, inputs);
  if (law.u0.size() == 0) law.u0.setZero(outputs);
  return law;
}

}  // namespace limber
