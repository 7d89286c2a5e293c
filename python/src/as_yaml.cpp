// SPDX-License-Identifier: BSD-3-Clause
#include "as_yaml.hpp"

#include <pybind11/numpy.h>

#include "limber/core/input_error.hpp"

namespace limber::python {
namespace {

constexpr int deepest = 64;  // no file of ours is half as deep: a list that holds itself is deeper

std::string type_name(py::handle value) { return py::str(py::type::handle_of(value).attr("__name__")); }

class Writer {
 public:
  void write(py::handle value, const std::string& path, int depth) {
    if (depth > deepest)
      throw InputError(
          Problem{path, "maps and lists at most 64 deep", "deeper ones", "does one hold itself?"});
    if (value.is_none())
      text += "null";
    else if (py::isinstance<py::bool_>(value))
      text += value.ptr() == Py_True ? "true" : "false";
    else if (py::isinstance<py::float_>(value) || py::isinstance<py::int_>(value))
      write_number(value);
    else if (py::isinstance<py::str>(value))
      write_text(value);
    else if (PyMapping_Check(value.ptr()) != 0 && py::hasattr(value, "items"))
      write_map(value, path, depth);
    else if (py::isinstance<py::array>(value) || py::hasattr(value, "dtype"))
      write_array(value, path, depth);
    else if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value))
      write_list(value, path, depth);
    else if (py::hasattr(value, "__fspath__"))
      write_text(value.attr("__fspath__")());
    else
      throw InputError(
          Problem{path, "None, a number, a text, or maps and lists of these", type_name(value), ""});
  }

  std::string text;

 private:
  // As Python itself would read them back, to the last bit; not a number and infinite ones are refused by the reader.
  void write_number(py::handle value) {
    const auto number = py::reinterpret_borrow<py::object>(value);
    if (py::isinstance<py::float_>(value))
      text += py::str(py::repr(py::float_(number)));  // numpy's own floats show their type
    else
      text += py::str(py::repr(py::int_(number)));
  }

  void write_text(py::handle value) {
    static const py::handle quote = py::object(py::module_::import("json").attr("dumps")).release();
    text += py::str(quote(py::str(value)));
  }

  void write_map(py::handle map, const std::string& path, int depth) {
    text += "{";
    bool is_first = true;
    for (const py::handle item : map.attr("items")()) {
      const auto pair = py::reinterpret_borrow<py::tuple>(item);
      if (!py::isinstance<py::str>(pair[0]))
        throw InputError(Problem{path, "keys that are texts", py::str(py::repr(pair[0])), ""});
      if (!is_first) text += ", ";
      is_first = false;
      write_text(pair[0]);
      text += ": ";
      write(pair[1], join_path(path, py::str(pair[0])), depth + 1);
    }
    text += "}";
  }

  void write_list(py::handle list, const std::string& path, int depth) {
    text += "[";
    std::size_t index = 0;
    for (const py::handle item : list) {
      if (index > 0) text += ", ";
      write(item, join_path(path, "[" + std::to_string(index++) + "]"), depth + 1);
    }
    text += "]";
  }

  // Arrays, and numpy's scalars.
  void write_array(py::handle array, const std::string& path, int depth) {
    const std::string kind = py::str(array.attr("dtype").attr("kind"));
    if (std::string("fiubU").find(kind) == std::string::npos)
      throw InputError(Problem{path, "an array of real numbers",
                               "one of dtype " + std::string(py::str(array.attr("dtype"))), ""});
    constexpr long long most = 1000000;  // numbers that a text is made of
    if (py::hasattr(array, "size") && py::cast<long long>(array.attr("size")) > most)
      throw InputError(Problem{path, "at most 1000000 numbers", py::str(array.attr("size")), ""});
    write(array.attr("tolist")(), path, depth + 1);
  }
};

}  // namespace

std::string as_yaml(py::handle value) {
  Writer writer;
  writer.write(value, "", 0);
  return writer.text;
}

Settings settings_of(const py::object& set) {
  Settings settings;
  if (set.is_none()) return settings;
  if (PyMapping_Check(set.ptr()) == 0 || !py::hasattr(set, "items"))
    throw InputError(Problem{"set", "a map from paths to values", type_name(set), R"(set={"duration": 5})"});
  for (const py::handle item : set.attr("items")()) {
    const auto pair = py::reinterpret_borrow<py::tuple>(item);
    if (!py::isinstance<py::str>(pair[0]))
      throw InputError(
          Problem{"set", "paths that are texts", py::str(py::repr(pair[0])), R"(set={"duration": 5})"});
    settings.push_back(parse_setting(std::string(py::str(pair[0])) + "=" + as_yaml(pair[1])));
  }
  return settings;
}

}  // namespace limber::python
