// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Python's values as YAML (in its JSON form, on one line): what dictionaries are read through, so that they are checked as files are.

#include <pybind11/pybind11.h>

#include <string>

#include "limber/io/file_error.hpp"
#include "limber/io/setting.hpp"

namespace limber::python {

namespace py = pybind11;

/// None, bool, numbers, texts, paths, maps and sequences of these; arrays of numpy too. Throws InputError, with the path, for anything else.
std::string as_yaml(py::handle value);

/// `set={"links.boom.beam.length": 6.5}`; None: nothing is changed.
Settings settings_of(const py::object& set);

/// Runs `action`, which reads a text that no user has seen: problems keep their paths, and lose line and column.
template <typename Action>
auto without_places_in_text(Action&& action) {
  try {
    return action();
  } catch (const FileError& error) {
    throw InputError(without_places(error.located()));
  }
}

}  // namespace limber::python
