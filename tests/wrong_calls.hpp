// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Public functions called with one argument wrong: each must say which, what it should be and what it is; never a crash.

#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "limber/core/input_error.hpp"
#include "limber/model/builder.hpp"

namespace limber {

/// A boom that bends in one plane: nq = nv = 3.
inline Model one_boom(const std::string& name) {
  return ModelBuilder(name)
      .link("boom", "base")
      .revolute({0, 0, 1}, "shoulder")
      .beam(6.0, {.EI_z = 1e5, .mass_per_length = 20.0})
      .modes(Direction::y, 2)
      .build();
}

/// A call and what its message must begin with: `function: argument`.
struct WrongCall {
  std::string said;
  std::function<void()> call;
};

inline std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("no InputError, but: ") + error.what();
  }
  return "no error";
}

inline void expect_said(const std::vector<WrongCall>& calls) {
  for (const WrongCall& wrong_call : calls) {
    const std::string message = message_of(wrong_call.call);
    EXPECT_EQ(message.rfind(wrong_call.said + ": expected ", 0), 0U)
        << wrong_call.said << " got: " << message;
    EXPECT_NE(message.find(", found "), std::string::npos) << message;
  }
}

}  // namespace limber
