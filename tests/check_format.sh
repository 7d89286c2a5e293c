#!/usr/bin/env bash
# Every C++ file is as clang-format writes it. `clang-format -i FILE` mends it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
git ls-files '*.cpp' '*.hpp' | xargs clang-format --dry-run --Werror
