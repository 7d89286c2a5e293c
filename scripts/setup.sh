# SPDX-License-Identifier: BSD-3-Clause
# Sourced by ./run, ./test and scripts/*.sh: installs what is missing, configures and builds a preset.
# Everything it says goes to standard error; it says nothing, and takes a fraction of a second, when there is
# nothing to do.

limber_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

limber_say() { printf 'limber: %s\n' "$*" >&2; }

# Prints the packages of the lists, by default scripts/packages.txt, that are not installed. What is there as a command of that name is not
# asked for: Node.js from elsewhere, say, brings its own npm, and cannot stand beside Debian's.
limber_missing_packages() {
  local wanted installed
  [ $# -gt 0 ] || set -- packages.txt
  wanted=$(cd "$limber_root/scripts" && sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@")
  # shellcheck disable=SC2086
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^installed //p')
  comm -23 <(sort <<<"$wanted") <(sort <<<"$installed") |
    while read -r package; do command -v "$package" >/dev/null || echo "$package"; done
}

# limber_install_missing [LIST...]: lists of packages in scripts/, packages.txt where none is named.
limber_install_missing() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    limber_say "this is not a Debian system: install what scripts/packages.txt lists in your system's way;"
    limber_say "building with what is there."
    return
  fi
  local missing as_root=()
  missing=$(limber_missing_packages "$@")
  [ -n "$missing" ] || return 0
  limber_say "installing from Debian: ${missing//$'\n'/ }"
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      limber_say "these packages are missing, and there is no sudo to install them with. As root, run:"
      limber_say "  apt-get install ${missing//$'\n'/ }"
      exit 1
    fi
    as_root=(sudo)
  fi
  # shellcheck disable=SC2086
  if ! { "${as_root[@]}" apt-get update -qq && DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install \
    -y -qq --no-install-recommends $missing; } >&2; then
    limber_say "apt-get could not install: ${missing//$'\n'/ }"
    exit 1
  fi
}

# limber_build [TARGET...]: of the release preset; all targets when none is named.
limber_build() { limber_build_preset release "$@"; }

# limber_build_preset PRESET [TARGET...]
limber_build_preset() {
  local preset=$1 build="$limber_root/build/$1" targets=("${@:2}")
  # Configure anew when the presets are newer; changes of CMake files are seen by the build itself.
  if [ ! -f "$build/build.ninja" ] || [ "$limber_root/CMakePresets.json" -nt "$build/build.ninja" ]; then
    limber_say "configuring build/$preset"
    (cd "$limber_root" && cmake --preset "$preset") >&2
    touch "$build/build.ninja"
  fi
  [ ${#targets[@]} -gt 0 ] || targets=(all)
  if ! ninja -C "$build" -n "${targets[@]}" 2>/dev/null | grep -q 'no work to do'; then
    limber_say "building build/$preset (the first time takes ten to twenty minutes on two cores)"
    ninja -C "$build" "${targets[@]}" >&2
  fi
}
