#!/usr/bin/env bash
# Counts the instructions of a packet in each form: a line with its name, its bytes, and what C and what ours take.
#
#   Benchmarks/form-counts.sh FORM-BENCH
set -euo pipefail
bench=$1

# count KEY WHO: the difference of 600 runs and 200, for one.
count() {
  local more fewer
  more=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" --count "$1" "$2" 600 2>&1 | sed -n 's/^==[0-9]*== Collected : //p')
  fewer=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" --count "$1" "$2" 200 2>&1 | sed -n 's/^==[0-9]*== Collected : //p')
  echo $(((more - fewer) / 400))
}

"$bench" --keys | while IFS=$'\t' read -r key bytes form packet; do
  printf '%s\t%s\t%s\t%s\n' "$form${packet:+, $packet}" "$bytes" "$(count "$key" peer </dev/null)" "$(count "$key" ours </dev/null)"
done
