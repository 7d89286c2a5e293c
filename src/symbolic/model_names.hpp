// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Names from a model file, which may hold anything, in the languages of documents and code.

#include <string>

namespace limber {

/// For files and namespaces: letters, digits and underscores, and nothing that C++ or the C library means something by. `crane` stays
/// `crane`; `double`, `main`, `sin`, `NAN` and `2nd arm` become `arm_double`, ..., `arm_2nd_arm`.
std::string identifier_of(const std::string& name);

/// For one line of a comment: no line ends in it, and no sign that reverses the direction of reading.
std::string comment_text(const std::string& text);

/// For the text of a LaTeX document: signs stand for themselves, `m^2` has its exponent raised, and letters that TeX's usual fonts lack are
/// written as U+.... .
std::string latex_text(const std::string& text);

}  // namespace limber
