#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# scripts/sanitize.sh [ARGS...]   builds the preset sanitize (clang, installed where it is missing) and runs its tests: those of CMakePresets.json's
# LIMBER_TESTS under AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer. ARGS go to ctest, e.g. -R DamagedFiles.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
limber_install_missing packages.txt packages-ci.txt
limber_build_preset sanitize all
cd "$limber_root"
exec ctest --preset sanitize -j "$(nproc)" "$@"
