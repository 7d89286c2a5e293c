#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# scripts/fuzz.sh [SECONDS] [NAME...]   fuzzes every reader of files (tests/fuzz/) for so long each, by default a minute, beginning with
# the kept corpus. What is new goes to build/sanitize/corpus/NAME; a finding ends it with exit 1 and the file that shows it.
# scripts/fuzz.sh merge [NAME...]       keeps in tests/fuzz/corpus the fewest inputs that reach all that was reached, and those with a name
# of their own (findings).
# scripts/fuzz.sh fixed [NAME...]       about as much, but always the same inputs for the same sources: what CI does, so that red speaks of the
# change and not of luck or of a machine's speed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
cd "$limber_root"
seconds=${1:-60}
shift || true
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(yaml state study table mesh result hdf5)
limber_install_missing packages.txt packages-ci.txt
limber_build_preset sanitize "${names[@]/#/fuzz_}"

build=build/sanitize
# About a minute's on two cores that do nothing else.
declare -A inputs=([state]=300000 [yaml]=60000 [study]=140000 [table]=80000 [mesh]=1000000 [result]=4500 [hdf5]=120)
# All keys and choices of model and scenario files, and of study files.
grep -ho '"[A-Za-z][A-Za-z_-]*"' docs/model.schema.json docs/scenario.schema.json | sort -u >$build/yaml.dict
grep -ho '"[A-Za-z][A-Za-z_-]*"' docs/study.schema.json | sort -u >$build/study.dict

# choose NAME: sets kept, new, seeds, options and bound.
choose() {
  kept=tests/fuzz/corpus/$1
  new=$build/corpus/$1
  seeds=()
  options=(-max_len=4096 -timeout=30 -rss_limit_mb=3000)
  bound=(-max_total_time="$seconds")
  if [ "$seconds" = fixed ]; then
    bound=(-seed=1 "-runs=${inputs[$1]}")
    new=$build/corpus-fixed/$1  # begins empty
    rm -rf "$new"
  fi
  case $1 in
    yaml)
      seeds=(tests/io/good tests/io/bad models)
      options+=("-dict=$build/yaml.dict")
      ;;
    study)
      seeds=(studies)
      options+=("-dict=$build/study.dict")
      ;;
    hdf5) options+=(-max_len=100000) ;;
  esac
  mkdir -p "$kept" "$new"
}

fuzz() {
  local kept new seeds options bound log=$build/fuzz-$1.log
  choose "$1"
  if ! "$build/tests/fuzz/fuzz_$1" "${bound[@]}" "${options[@]}" -artifact_prefix="$build/finding-$1-" \
    -print_final_stats=1 "$new" "$kept" "${seeds[@]}" >"$log" 2>&1; then
    tail -n 80 "$log"
    echo "fuzz_$1: a finding" >&2
    return 1
  fi
  echo "fuzz_$1: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, none that it cannot take"
}

merge() {
  local kept new seeds options bound all
  choose "$1"
  all=$(mktemp -d)
  mkdir "$all/seeds" "$all/merged"
  # What libFuzzer has named by its sum may go, where others reach the same.
  find "$kept" -type f -regextype posix-extended -regex '.*/[0-9a-f]{40}' -exec mv -t "$all/seeds" {} +
  for folder in "$kept" "${seeds[@]}"; do find "$folder" -type f -exec cp --backup=numbered -t "$all/merged" {} +; done
  # Whether code is reached, not how often, is what is worth a file.
  "$build/tests/fuzz/fuzz_$1" -set_cover_merge=1 -use_counters=0 "${options[@]}" "$all/merged" "$all/seeds" "$new" >"$build/fuzz-$1.log" 2>&1
  find "$all/merged" -type f -regextype posix-extended -regex '.*/[0-9a-f]{40}' -exec cp -t "$kept" {} +
  echo "fuzz_$1: $(find "$kept" -type f | wc -l) inputs kept, $(du -sb "$kept" | cut -f1) bytes"
  rm -r "$all"
}

work=fuzz
[ "$seconds" != merge ] || work=merge
failed=0
running=()
for name in "${names[@]}"; do
  "$work" "$name" &
  running+=($!)
  if [ ${#running[@]} -ge 2 ]; then  # two at a time
    wait "${running[0]}" || failed=1
    running=("${running[@]:1}")
  fi
done
for process in "${running[@]}"; do wait "$process" || failed=1; done
exit $failed
