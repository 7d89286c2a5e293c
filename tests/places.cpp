// SPDX-License-Identifier: BSD-3-Clause
#include "places.hpp"

namespace limber::test {
const char* const models_folder = LIMBER_SOURCE_FOLDER "/models";
const char* const tests_folder = LIMBER_SOURCE_FOLDER "/tests";
const char* const program = LIMBER_PROGRAM_FILE;
}  // namespace limber::test
