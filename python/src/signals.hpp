// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>

namespace limber::python {

/// Lets Python answer Ctrl-C during long work that holds no lock of the interpreter.
class SignalWatch {
 public:
  /// Throws what Python's handler of signals raises. Cheap: looks ten times a second.
  void look() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    const pybind11::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Long work without the interpreter's lock, which is handed a function to call now and then: Ctrl-C ends it with KeyboardInterrupt there.
template <typename Work>
auto watched(Work&& work) {
  const pybind11::gil_scoped_release unlocked;
  SignalWatch signals;
  return work([&](const auto&...) { signals.look(); });
}

}  // namespace limber::python
