// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The file of a reduced body (HDF5; docs/finite-elements.md lists what it holds).

#include <filesystem>
#include <string>

#include "limber/beam/reduced_body.hpp"
#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// Writes the whole file or, where that fails, none. Throws ComputationError.
void write_body(const ReducedBody& body, const std::filesystem::path& file);

/// Throws InputError where the file is none that write_body() writes: everything is looked at first, in a process of its own.
ReducedBody read_body(const std::filesystem::path& file);

/// A body as text: what a result holds of it. Numbers are written to the last bit.
std::string body_text(const ReducedBody& body);
/// Throws InputError where a text is none that body_text() writes.
ReducedBody parse_body(const std::string& text);

}  // namespace limber
