// SPDX-License-Identifier: BSD-3-Clause
#include "state.hpp"

#include "as_yaml.hpp"

namespace limber::python {

State read_state(const Arm& arm, const StateArguments& arguments) {
  py::dict given;
  const auto add = [&](const char* key, const py::object& value) {
    if (!value.is_none()) given[key] = value;
  };
  add("q", arguments.q);
  add("v", arguments.v);
  add("tau", arguments.tau);
  add("acceleration", arguments.acceleration);
  add("loads", arguments.loads);
  add("hold", arguments.hold);
  const std::string text = as_yaml(given);
  return without_places_in_text([&] { return parse_state(text, "state", arm.model()); });
}

}  // namespace limber::python
