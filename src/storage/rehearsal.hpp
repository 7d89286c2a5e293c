// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Damaged bytes can bring HDF5 itself to crash, or to read for ever. What is read from a file that came from anywhere is
// therefore read in a child process first, where that harms nobody.

#include <filesystem>
#include <functional>

namespace limber {

/// Calls `read` in a child process, and there only. Throws the InputError that it throws; where the child ends otherwise,
/// one that calls the file damaged. A file that was read through once, and has not changed since, is not read again.
void rehearse(const std::filesystem::path& file, const std::function<void()>& read);

}  // namespace limber
