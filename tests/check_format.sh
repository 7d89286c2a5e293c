#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every C++ file is as clang-format writes it. `clang-format -i FILE` mends it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
git ls-files '*.cpp' '*.hpp' | xargs clang-format --dry-run --Werror
# And every source says under which licence it stands.
missing=$(git ls-files '*.cpp' '*.hpp' '*.ts' '*.py' '*.sh' '*.cmake' '*CMakeLists.txt' | grep -v /corpus/ | xargs grep -L 'SPDX-License-Identifier: BSD-3-Clause' || true)
if [ -n "$missing" ]; then
  printf 'no line `SPDX-License-Identifier: BSD-3-Clause` in:\n%s\n' "$missing"
  exit 1
fi
