// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"

#include <string>

#include "limber/core/input_error.hpp"

namespace limber::python {
namespace {

using namespace py::literals;

constexpr int float64 = 12;  // NPY_DOUBLE

bool can_be_read_in_place(py::handle array) {
  const auto* proxy = py::detail::array_proxy(array.ptr());
  constexpr int wanted =
      py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  const auto* type = py::detail::array_descriptor_proxy(proxy->descr);
  return (proxy->flags & wanted) == wanted && type->type_num == float64 && type->byteorder == '=';
}

std::string shape_text(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

InputError wrong_kind(const char* name, const std::string& found) {
  return InputError(Problem{name, "an array of real numbers (float64)", found, ""});
}

// Anything that numpy makes real numbers of.
py::array converted(const char* name, const py::object& given) {
  static const py::handle numpy = py::module_::import("numpy").release();
  py::object any;
  try {
    any = numpy.attr("asarray")(given);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    throw wrong_kind(name,
                     std::string(py::str(py::type::handle_of(given).attr("__name__"))) + " of unequal rows");
  }
  const std::string kind = py::str(any.attr("dtype").attr("kind"));
  if (kind != "f" && kind != "i" && kind != "u")
    throw wrong_kind(name, "dtype " + std::string(py::str(any.attr("dtype"))));
  return numpy.attr("ascontiguousarray")(any, "dtype"_a = "float64");
}

}  // namespace

Rows::Rows(const char* name, const Numbers& numbers, py::ssize_t width) : name_(name), width_(width) {
  if (numbers.is_none()) {
    zeros_ = Eigen::VectorXd::Zero(width);
    data_ = zeros_.data();
    return;
  }
  const bool in_place = py::isinstance<py::array>(numbers.given) && can_be_read_in_place(numbers.given);
  const py::array array =
      in_place ? py::reinterpret_borrow<py::array>(numbers.given) : converted(name, numbers.given);
  const Shape shape(array.shape(), array.shape() + array.ndim());
  if (shape.empty() || shape.back() != width)
    throw InputError(Problem{name,
                             "an array of shape (" + std::to_string(width) + ",), or (n, " +
                                 std::to_string(width) + ") for n states",
                             "shape " + shape_text(shape), ""});
  leading_.assign(shape.begin(), shape.end() - 1);
  step_ = leading_.empty() ? 0 : static_cast<std::size_t>(width);
  data_ = static_cast<const double*>(array.data());
  keep_ = array;
}

Batch::Batch(std::initializer_list<const Rows*> arguments) {
  const Rows* first = nullptr;
  for (const Rows* argument : arguments) {
    if (argument->leading().empty()) continue;
    if (first && argument->leading() != first->leading())
      throw InputError(Problem{argument->name(),
                               "as many states as " + std::string(first->name()) + " has: leading axes " +
                                   shape_text(first->leading()),
                               shape_text(argument->leading()), "one vector alone stands for every state"});
    first = argument;
  }
  if (!first) return;
  leading_ = first->leading();
  for (const py::ssize_t size : leading_) count_ *= static_cast<std::size_t>(size);
  // Vectors without numbers take no memory, however many they are: of an arm that cannot move there is but one state.
  constexpr std::size_t most_without_numbers = 1000000;
  if ((*first)[0].size() == 0 && count_ > most_without_numbers)
    throw InputError(Problem{first->name(), "at most 1000000 states of an arm that cannot move",
                             std::to_string(count_), ""});
}

Array Batch::array(std::initializer_list<py::ssize_t> shape) const {
  Shape whole = leading_;
  whole.insert(whole.end(), shape.begin(), shape.end());
  return Array(whole);
}

}  // namespace limber::python
