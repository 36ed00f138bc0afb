#!/usr/bin/env bash
# Prints tables in Markdown: speed against C in the same process, then instructions and heap allocations.
#
#   Benchmarks/run.sh [ROUNDS]   rounds of the speed tables (15)
#
# Nothing here is a pass condition. Counting needs valgrind, which is installed when it is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")

data="$root/fixtures/nmea"
ls "$data"/*.log >/dev/null 2>&1 || data="${LEASH_DATA:-$root/../shared/data}/nmea"
ls "$data"/*.log >/dev/null 2>&1 || { echo "bench: no NMEA logs in fixtures/nmea or \$LEASH_DATA/nmea" >&2; exit 3; }

"$root/scripts/setup-debian.sh" libgeos-dev libsodium-dev rapidjson-dev
"$root/scripts/setup-debian.sh" valgrind || echo "bench: going on without valgrind" >&2
# The build plan of a package does not notice files that came or went in the package it depends on.
touch "$here/Package.swift"
swift build --package-path "$here" -c release -Xswiftc -cross-module-optimization >&2
bench="$here/.build/release/bench"
replay="$here/.build/release/replay-bench"
ride="$root/fixtures/rides/ardennes_edge1000_gnss.csv.gz"

echo "Machine: $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -1), $(nproc) cores;" \
  "$(swiftc --version 2>/dev/null | head -1); $(LC_ALL=C date '+%B %Y'), ${1:-15} rounds."
echo
"$bench" "$data" "${1:-15}"
echo
"$replay" "$ride" "${1:-15}"
echo
"$here/.build/release/region-bench" "${1:-15}"
echo
"$here/.build/release/form-bench" "${1:-15}"
if [ -x "$root/.build/release/leash" ]; then
  echo
  "$here/world.py" "$root/.build/release/leash"
  echo
  "$here/world.py" "$root/.build/release/leash" --memory
fi

command -v valgrind >/dev/null || exit 0
# Debian 12's valgrind does not understand the debug information of a newer clang.
strip --strip-debug -o "$bench-counted" "$bench"
bench="$bench-counted"

# instructions CASE REPEATS, allocations CASE REPEATS: totals of a whole process; the difference of 2n and n is n runs.
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" "$data" --count "$1" "$2" 2>&1 |
    sed -n 's/^==[0-9]*== Collected : //p'
}
allocations() {
  valgrind --tool=dhat --dhat-out-file=/dev/null "$bench" "$data" --count "$1" "$2" 2>&1 |
    sed -n 's/^==[0-9]*== Total:.* in \([0-9,]*\) blocks.*/\1/p' | tr -d ,
}

printf '\n| counted, 2n runs less n | instructions per byte | allocations in n runs |\n|---|---:|---:|\n'
for case in nmea-c nmea-swift nmea-fixes write-c write-swift; do
  bytes=$("$bench" "$data" --count "$case" 1)
  once=$(instructions "$case" 2)
  twice=$(instructions "$case" 4)
  fewer=$(allocations "$case" 2)
  more=$(allocations "$case" 4)
  awk -v name="$case" -v i=$((twice - once)) -v b="$bytes" -v a=$((more - fewer)) \
    'BEGIN { printf "| `%s` | %.1f | %d |\n", name, i / 2 / b, a }'
done

strip --strip-debug -o "$replay-counted" "$replay"
printf '\n| counted, 2n runs less n | instructions per sample | allocations in n runs |\n|---|---:|---:|\n'
bench="$replay-counted" data="$ride"
for case in memory csv log; do
  samples=$("$bench" "$data" --count "$case" 1)
  once=$(instructions "$case" 1)
  twice=$(instructions "$case" 2)
  fewer=$(allocations "$case" 1)
  more=$(allocations "$case" 2)
  awk -v name="replay-$case" -v i=$((twice - once)) -v n="$samples" -v a=$((more - fewer)) \
    'BEGIN { printf "| `%s` | %.1f | %d |\n", name, i / n, a }'
done

# A packet in each form, ours and C's with the same bytes.
forms="$here/.build/release/form-bench"
strip --strip-debug -o "$forms-counted" "$forms"
printf '\n| counted, 2n runs less n | bytes | C | ours | ours / C |\n|---|---:|---:|---:|---:|\n'
"$here/form-counts.sh" "$forms-counted" | while IFS=$'\t' read -r name bytes peer ours; do
  awk -v name="$name" -v b="$bytes" -v c="$peer" -v o="$ours" \
    'BEGIN { printf "| %s | %d | %.0f | %.0f | %.2f |\n", name, b, c, o, o / c }'
done
