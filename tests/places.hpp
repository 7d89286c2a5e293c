// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Where things lie, for all tests. The paths are compiled into places.cpp alone: no other object depends on the folder of the clone, so that clones
/// share what a compiler cache has kept.
namespace limber::test {
extern const char* const models_folder;
extern const char* const tests_folder;
extern const char* const program;
}  // namespace limber::test

#define LIMBER_MODELS_DIR ::limber::test::models_folder
#define LIMBER_TESTS_DIR ::limber::test::tests_folder
#define LIMBER_PROGRAM ::limber::test::program
