#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs every command of a Markdown file: the lines that begin with `./run` in its ```sh blocks. A line
# `# exits with N` before a command says that N is right.
#   run_commands.sh FILE.md   (from the root of the repository)
set -uo pipefail
file=$1
commands=0 failures=0 expected=0
while IFS= read -r line; do
  case $line in
    '```sh'*) inside=1 ;;
    '```'*) inside=0 ;;
    '# exits with '*) expected=${line#'# exits with '} ;;
    './run'*)
      [ "${inside:-0}" = 1 ] || continue
      commands=$((commands + 1))
      printf '$ %s\n' "$line"
      bash -c "$line" </dev/null
      code=$?
      if [ "$code" -ne "$expected" ]; then
        printf 'FAILED: %s: exit code %s, expected %s\n' "$line" "$code" "$expected"
        failures=$((failures + 1))
      fi
      expected=0
      ;;
  esac
done <"$file"
if [ "$commands" -eq 0 ]; then
  echo "FAILED: no command found in $file"
  exit 1
fi
echo "$commands commands, $failures failures"
[ "$failures" -eq 0 ]
