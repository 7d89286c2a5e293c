#!/usr/bin/env bash
# scripts/fuzz.sh [SECONDS] [NAME...]   fuzzes every reader of files (tests/fuzz/) for so long each, by default a minute,
# beginning with the kept corpus. What is new goes to build/fuzz/corpus/NAME; a finding stops with the file that shows it.
# scripts/fuzz.sh merge                 adds to tests/fuzz/corpus what reaches code that the kept corpus does not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-60}
shift || true
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(yaml state table result)
[ -f build/fuzz/build.ninja ] || cmake --preset fuzz
ninja -C build/fuzz "${names[@]/#/fuzz_}"

fuzz() {
  local name=$1 new=build/fuzz/corpus/$1
  mkdir -p "$new"
  local seeds=("tests/fuzz/corpus/$name")
  [ "$name" != yaml ] || seeds+=(tests/io/good tests/io/bad models)
  if [ "$seconds" = merge ]; then
    "build/fuzz/tests/fuzz_$name" -merge=1 -max_len=4096 "tests/fuzz/corpus/$name" "$new"
  elif ! "build/fuzz/tests/fuzz_$name" -max_total_time="$seconds" -timeout=60 -max_len=4096 -rss_limit_mb=4096 \
    -artifact_prefix="build/fuzz/finding-$name-" -print_final_stats=1 "$new" "${seeds[@]}" >"build/fuzz/$name.log" 2>&1; then
    tail -n 60 "build/fuzz/$name.log"
    echo "fuzz_$name: a finding" >&2
    return 1
  else
    echo "fuzz_$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$name.log") inputs, none that it cannot take"
  fi
}

failed=0
pids=()
for name in "${names[@]}"; do
  fuzz "$name" &
  pids+=($!)
  # Two at a time.
  if [ ${#pids[@]} -ge 2 ]; then
    wait "${pids[0]}" || failed=1
    pids=("${pids[@]:1}")
  fi
done
for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
exit $failed
