// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The equations of an arm as files: formulas, or code in one of several languages (docs/symbolic.md).

#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/symbolic/equations.hpp"

namespace limber LIMBER_EXPORT {

/// A form in which equations are written.
struct DocumentFormat {
  std::string name;           ///< text, latex, cpp, c, python, sympy, octave, julia, json
  std::string meaning;        ///< in a few words
  ParameterStyle parameters;  ///< as a rule: code that runs wants numbers, people want names
};

/// All of them, formulas first.
const std::vector<DocumentFormat>& document_formats();
/// What parameters become where nobody says. Throws InputError for a name that is no form.
ParameterStyle default_style(const std::string& format);

/// The numbers with which code of C computes.
enum class CodeReal { double_precision, single_precision };

/// A file: its name, and what stands in it.
struct Document {
  std::string name;  ///< canadarm.hpp
  std::string text;  ///< the whole file
};

/// The equations in a form, the file that matters first; then, of code, a program that compares it with numbers of the numeric core (of Julia
/// and JSON, and of linear equations, there is none). Throws InputError for a name that is no form.
std::vector<Document> write_documents(Equations& equations, const std::string& format,
                                      CodeReal real = CodeReal::double_precision);

}  // namespace limber
