// SPDX-License-Identifier: BSD-3-Clause
#include "question.hpp"

#include <string>

namespace limber::python {

Numbers by_name(const Arm& arm, const char* key, const Numbers& numbers) {
  if (!py::isinstance<py::dict>(numbers.given)) return numbers;
  StateArguments given;
  const std::string name = key;
  (name == "q" ? given.q : name == "v" ? given.v : given.tau) = numbers.given;
  const State state = read_state(arm, given);
  return {array_of(name == "q" ? state.q : name == "v" ? state.v : state.tau)};
}

Question::Question(const ArmPointer& arm, const Numbers& q, const py::object& loads, const py::object& hold) {
  const PlacedLoads placed = place_loads(arm, loads);
  arm_ = placed.arm;
  loads_ = placed.loads;
  if (!hold.is_none()) {
    StateArguments given;
    given.hold = hold;
    hold_ = read_state(*arm, given).hold;
  }
  const Numbers numbers =
      q.is_none() ? Numbers{array_of(neutral_configuration(model()))} : by_name(*arm, "q", q);
  positions_.emplace("q", numbers, model().nq());
}

}  // namespace limber::python
