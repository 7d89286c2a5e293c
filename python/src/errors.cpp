// SPDX-License-Identifier: BSD-3-Clause
// The library's exceptions as Python's: InputError is a ValueError, ComputationError a RuntimeError, and somebody who asked to stop is a
// KeyboardInterrupt. Messages are those of the program.

#include "bindings.hpp"
#include "docs.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/io/file_error.hpp"

namespace limber::python {
namespace {

PyObject* input_error = nullptr;        // alive as long as the interpreter
PyObject* computation_error = nullptr;  // likewise

py::dict entry_of(const Problem& problem) {
  py::dict entry;
  entry["path"] = problem.path;
  entry["expected"] = problem.expected;
  entry["found"] = problem.found;
  entry["hint"] = problem.hint;
  return entry;
}

py::list entries_of(const InputError& error) {
  py::list list;
  if (const auto* file = dynamic_cast<const FileError*>(&error)) {
    for (const LocatedProblem& located : file->located()) {
      py::dict entry = entry_of(located.problem);
      entry["file"] = located.file;
      entry["line"] = located.mark.line;
      entry["column"] = located.mark.column;
      list.append(entry);
    }
    return list;
  }
  for (const Problem& problem : error.problems()) list.append(entry_of(problem));
  return list;
}

// Texts come from files as well, and need not be UTF-8.
py::str text_of(const char* text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::char_traits<char>::length(text)), "replace"));
}

void raise(const InputError& error) {
  const py::object instance = py::reinterpret_borrow<py::object>(input_error)(text_of(error.what()));
  instance.attr("problems") = entries_of(error);
  PyErr_SetObject(input_error, instance.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise(error);
  } catch (const ComputationError& error) {
    PyErr_SetObject(computation_error, text_of(error.what()).ptr());
  } catch (const Interrupted&) {
    forget_stop();
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  }
}

}  // namespace

void bind_errors(py::module_& module) {
  input_error = PyErr_NewExceptionWithDoc("limber.InputError", doc::InputError, PyExc_ValueError, nullptr);
  computation_error = PyErr_NewExceptionWithDoc("limber.ComputationError", doc::ComputationError,
                                                PyExc_RuntimeError, nullptr);
  module.attr("InputError") = py::handle(input_error);
  module.attr("ComputationError") = py::handle(computation_error);
  py::register_exception_translator(translate);
}

}  // namespace limber::python
