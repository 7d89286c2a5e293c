// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Results with named fields: read-only attributes with the documentation of the C++ member, `repr`, and `to_dict()` and `from_dict()`, by which python/limber/pickling.py pickles them.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace limber::python {

namespace py = pybind11;

/// Binds a struct whose members are its fields. It is finished when it goes out of scope.
template <typename Result>
class Named {
 public:
  Named(py::module_& module, const char* name, const char* documentation)
      : class_(module, name, documentation), name_(name), fields_(std::make_shared<Fields>()) {}
  Named(const Named&) = delete;
  Named& operator=(const Named&) = delete;

  template <typename Member>
  Named& field(const char* name, Member Result::*member, const char* documentation) {
    class_.def_readonly(name, member, documentation);
    fields_->push_back(
        {name, [member](const Result& from) { return as_object(from.*member); },
         [member](Result& to, const py::object& value) { to.*member = py::cast<Member>(value); }});
    return *this;
  }

  py::class_<Result>& bound() { return class_; }

  ~Named() {
    const auto fields = fields_;
    const auto dictionary = [fields](const Result& self) {
      py::dict all;
      for (const Field& field : *fields) all[field.name] = field.get(self);
      return all;
    };
    class_.def("to_dict", dictionary, "All fields by name.");
    class_.def("__repr__", [dictionary, name = name_](const Result& self) {
      std::string text = name + "(";
      for (const auto& [key, value] : dictionary(self)) {
        if (text.back() != '(') text += ", ";
        text += std::string(py::str(key)) + "=";
        text += py::hasattr(value, "shape") && py::hasattr(value, "dtype")
                    ? "array" + std::string(py::str(value.attr("shape")))
                    : std::string(py::str(py::repr(value)));
      }
      return text + ")";
    });
    class_.def_static(
        "from_dict",
        [fields](const py::dict& all) {
          Result result;
          for (const Field& field : *fields) field.set(result, all[field.name]);
          return result;
        },
        py::arg("fields"), "What to_dict() gave, once more.");
  }

 private:
  struct Field {
    const char* name;
    std::function<py::object(const Result&)> get;
    std::function<void(Result&, const py::object&)> set;
  };
  using Fields = std::vector<Field>;

  template <typename Value>
  static py::object as_object(const Value& value) {
    if constexpr (std::is_base_of_v<py::object, Value>)
      return value;
    else
      return py::cast(value);
  }

  py::class_<Result> class_;
  std::string name_;
  std::shared_ptr<Fields> fields_;
};

}  // namespace limber::python
