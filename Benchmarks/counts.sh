#!/usr/bin/env bash
# Renews the table of costs: sizes and stack from the firmware gate, instructions from callgrind, in all and by part.
#
#   Benchmarks/counts.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
"$root/scripts/setup-debian.sh" valgrind libsodium-dev rapidjson-dev
LEASH_UPDATE_COSTS=1 "$root/Firmware/gate.sh" >/dev/null
touch "$here/Package.swift"
swift build --package-path "$here" -c release -Xswiftc -cross-module-optimization --product replay-bench >&2
replay="$here/.build/release/replay-bench"
ride="$root/fixtures/rides/ardennes_edge1000_gnss.csv.gz"
# Debian 12's valgrind does not understand the debug information of a newer clang.
strip --strip-debug -o "$replay-counted" "$replay"

# instructions CASE REPEATS: total of a whole process; the difference of 2n and n is n runs.
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$replay-counted" "$ride" --count "$1" "$2" 2>&1 |
    sed -n 's/^==[0-9]*== Collected : //p'
}
counts=()
for case in memory log parked parked-slow; do
  samples=$("$replay-counted" "$ride" --count "$case" 1)
  once=$(instructions "$case" 1)
  twice=$(instructions "$case" 2)
  what="one inertial sample through \`TrackerRun\`, from $case"
  [ "$case" = parked ] && what="one inertial sample of a parked vehicle through \`TrackerRun\`, from memory"
  [ "$case" = parked-slow ] && what="one inertial sample of a parked vehicle at 12.5 a second, of which every third closes a window"
  counts+=("$what" "$(awk -v i=$((twice - once)) -v n="$samples" 'BEGIN { printf "%.1f", i / n }')")
done

# Each part of the core, riding and parked.
columns=()
for case in parts parts-parked; do
  "$here/part-counts.py" "$replay" "$replay-counted" "$root"/Firmware/parts{,-gear}.txt -- "$ride" --count "$case" >"$replay-$case.counts"
  when=riding
  [ "$case" = parts ] || when=parked
  columns+=("$when" "$("$replay-counted" "$ride" --count "$case" 1)" "$replay-$case.counts")
done
"$root/Firmware/costs.py" parts "${columns[@]}"

swift build --package-path "$here" -c release -Xswiftc -cross-module-optimization --product form-bench >&2
forms="$here/.build/release/form-bench"
strip --strip-debug -o "$forms-counted" "$forms"
while IFS=$'\t' read -r name bytes peer ours; do
  [[ $name != *RapidJSON* ]] || continue
  counts+=("a packet as $name: $bytes bytes" "$ours" "the same bytes as $name by C" "$peer")
done < <("$here/form-counts.sh" "$forms-counted")
"$root/Firmware/costs.py" count "${counts[@]}"
