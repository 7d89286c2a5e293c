// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Efforts as Python gives them: a map by joint, or an array with a number for each of v's.

#include <pybind11/pybind11.h>

#include <map>
#include <string>
#include <vector>

#include "limber/math/eigen.hpp"
#include "limber/model/model.hpp"

namespace limber::python {

namespace py = pybind11;

/// Reads efforts on an arm, again and again.
class EffortReader {
 public:
  explicit EffortReader(const Model& model);
  /// Adds what was given. Throws InputError for what are no efforts of this arm: other names, numbers that are not finite, elastic coordinates.
  /// `name`: of the argument, for messages.
  void add(const char* name, const py::object& given, Eigen::VectorXd& efforts) const;
  /// The same from nothing.
  Eigen::VectorXd read(const char* name, const py::object& given) const;

 private:
  void add_map(const char* name, const py::object& map, Eigen::VectorXd& efforts) const;
  void add_array(const char* name, const py::object& array, Eigen::VectorXd& efforts) const;

  Model model_;
  std::map<std::string, int, std::less<>> joints_;  ///< coordinates of joints by name
  std::vector<int> elastic_;                        ///< coordinates that no motor moves
};

}  // namespace limber::python
