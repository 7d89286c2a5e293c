#!/usr/bin/env bash
# Configures the asan preset and builds the named targets in it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ -f build/asan/build.ninja ] || cmake --preset asan
ninja -C build/asan "$@"
