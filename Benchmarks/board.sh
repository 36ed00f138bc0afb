#!/usr/bin/env bash
# Measures the program that runs on a board, as a whole: sensor and receiver in, a server on loopback, its state on a disk.
#
#   Benchmarks/board.sh LEASH [--quick] [--write FILE]
#
#   LEASH         the program, built for release
#   --quick       a tenth of the time, for a look
#   --write FILE  put the table into FILE, between the lines "<!-- board -->" and "<!-- end -->"
#
# The state lies in the folder BOARD_FOLDER (default: the build folder, on this machine's disk), and for comparison in
# /dev/shm, which is memory. Nothing here is a pass condition. Exit codes: 2 usage, 3 what the machine lacks.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

stop() { echo "bench-board: $2" >&2; exit "$1"; }

leash="" quick="" file=""
while [ $# -gt 0 ]; do
  case "$1" in
    --quick) quick=1; shift ;;
    --write) [ $# -gt 1 ] || stop 2 "--write needs a file"; file=$2; shift 2 ;;
    -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) stop 2 "unknown option $1; --help lists them" ;;
    *) leash=$1; shift ;;
  esac
done
[ -n "$leash" ] && [ -x "$leash" ] || stop 2 "expected the program leash, such as .build/release/leash (make release)"
leash=$(realpath "$leash")

touch "$here/Package.swift"
swift build --package-path "$here" -c release -Xswiftc -cross-module-optimization --product board-bench >&2
bench="$here/.build/release/board-bench"
clang -shared -fPIC -O2 "$here/slow-storage.c" -o "$here/.build/slow-storage.so" || stop 3 "slow-storage.c can't be compiled"
export SLOW_STORAGE=$here/.build/slow-storage.so
disk=${BOARD_FOLDER:-$here/.build}
memory=/dev/shm

# run FOLDER COMMAND FULL QUICK: its lines, with one of the two numbers.
run() { "$bench" "$leash" "$1" "$2" "$([ -n "$quick" ] && echo "$4" || echo "$3")" || stop 3 "'$2' failed"; }
# value LINES NAME
value() { sed -n "s/^$2: //p" <<<"$1"; }

table() {
  echo "$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -1), $(nproc) cores; $(swiftc --version 2>/dev/null | head -1 | grep -o 'Swift version [0-9.]*'); state on $(stat -f -c %T "$disk"), load $(cut -d' ' -f1 /proc/loadavg) before."
  echo
  echo "| from the sample that completes the evidence to the first byte at the server, link open | median ms | 95 % ms | largest ms | alerts |"
  echo "|---|---|---|---|---|"
  for kind in mqtt http; do
    for place in "$disk" "$memory"; do
      lines=$(run "$place" "latency-$kind" 100 12)
      echo "| $kind, state on $(stat -f -c %T "$place") | $(value "$lines" 'median ms') | $(value "$lines" '95 % ms') | $(value "$lines" 'largest ms') | $(value "$lines" alerts) |"
    done
  done
  for place in "$disk" "$memory"; do
    lines=$(run "$place" sync 200 50)
    echo "| of it one write of 12 KiB with \`fdatasync\` on $(stat -f -c %T "$place") | $(value "$lines" 'sync median ms') | $(value "$lines" 'sync 95 % ms') | | |"
  done
  lines=$(run "$disk" latency-slow 30 6)
  echo "| mqtt, each synchronisation 300 ms longer, recording | $(value "$lines" 'median ms') | $(value "$lines" '95 % ms') | $(value "$lines" 'largest ms') | $(value "$lines" alerts) |"
  slow=$lines
  echo
  echo "With that storage the longest turn of the loop was $(value "$slow" 'longest turn ms') ms, the longest change of the state took $(value "$slow" 'longest change ms') ms: only new packets wait for the storage."
  echo
  echo "| parked, 100 Hz of the sensor, 1 Hz of a serial receiver | % of one core | resident memory, KiB, before and after |"
  echo "|---|---|---|"
  for way in "cpu:idle" "cpu-recording:recording" "cpu-page:with an open page that asks every second"; do
    lines=$(run "$disk" "${way%%:*}" 60 6)
    echo "| ${way#*:}, $(value "$lines" seconds) s | $(value "$lines" 'cpu %') | $(value "$lines" 'resident KiB') |"
  done
  echo
  lines=$(run "$disk" memory 360000 36000)
  echo "| samples of an hour ($(value "$lines" samples)) | at the start | 10 % | 50 % | 100 % |"
  echo "|---|---|---|---|---|"
  echo "| resident memory, KiB | $(value "$lines" 'resident KiB at the start') | $(value "$lines" 'resident KiB at 10 %') | $(value "$lines" 'resident KiB at 50 %') | $(value "$lines" 'resident KiB at 100 %') |"
  echo
  lines=$(run "$disk" start 20 5)
  echo "From the start of the process, which was killed before, to its word to systemd that it is ready: $(value "$lines" 'ready median ms') ms at the median, $(value "$lines" 'ready 95 % ms') ms for 95 %."
}

if [ -z "$file" ]; then
  table
else
  grep -q '^<!-- board -->$' "$file" || stop 2 "$file has no line '<!-- board -->'"
  new=$(mktemp)
  trap 'rm -f "$new"' EXIT
  table >"$new"
  sed -i -e '/^<!-- board -->$/,/^<!-- end -->$/{/^<!-- board -->$/{r '"$new"'
};/^<!-- \(board\|end\) -->$/!d}' "$file"
fi
