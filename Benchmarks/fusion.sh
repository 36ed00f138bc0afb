#!/usr/bin/env bash
# Compares the attitude filters with others, in one run: accuracy, time, memory, and what faults of a sensor do to each.
#
#   Benchmarks/fusion.sh [--trials DIR] [--rounds N] [--speed] [--drives] [--json] [--count]
#
#   --trials DIR  trials with a known orientation ($LEASH_DATA/broad, or ../shared/data/broad)
#   --rounds N    rounds of the timing (25)
#   --speed       only the timing
#   --drives      only the drives with other sensors, from the folder rides beside that of the trials
#   --json        one JSON object in place of the tables
#   --count       only the instructions of AttitudeFilter per sample, by valgrind: 6D and 9D with attitude, bias and deviations read
#
# The sources of the peers come from PyPI into Benchmarks/.build/fusion-peers, once. Progress goes to standard error.
# Nothing here is a pass condition. Exit codes: 2 usage, 3 no trials, no network or no compiler.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
vqf=2.1.2 imufusion=1.3.3
peers="$here/.build/fusion-peers"

stop() { echo "bench-fusion: $2" >&2; exit "$1"; }

trials="${LEASH_DATA:-$root/../shared/data}/broad"
options=()
counts=
while [ $# -gt 0 ]; do
  case "$1" in
    --trials | --rounds) [ $# -gt 1 ] || stop 2 "$1 needs a value" ;;&
    --trials) trials=$2; shift 2 ;;
    --rounds) options+=("$1" "$2"); shift 2 ;;
    --count) counts=yes; shift ;;
    --json | --speed | --drives) options+=("$1"); shift ;;
    -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) stop 2 "unknown option $1; --help lists them" ;;
  esac
done
ls "$trials"/*.csv.gz >/dev/null 2>&1 ||
  stop 3 "no trials (*.csv.gz) in $trials; give their folder with --trials or set LEASH_DATA"

# The build plan of a package does not notice files that came or went in the package it depends on.
build() {
  touch "$here/Package.swift"
  swift build --package-path "$here" -c release -Xswiftc -cross-module-optimization --product fusion-bench >&2
}

if [ -n "$counts" ]; then
  "$root/scripts/setup-debian.sh" valgrind >&2
  build
  # Debian 12's valgrind does not understand the debug information of a newer clang.
  bench="$here/.build/release/fusion-bench-counted"
  strip --strip-debug -o "$bench" "$here/.build/release/fusion-bench"
  # instructions AXES REPEATS: total of a whole process; the difference of two runs and one is one run.
  instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" --trials "$trials" --count "$1" "$2" 2>&1 |
      sed -n 's/^==[0-9]*== Collected : //p'
  }
  for axes in 6 9; do
    samples=$("$bench" --trials "$trials" --count "$axes" 1)
    echo "AttitudeFilter, ${axes}D: $((($(instructions "$axes" 2) - $(instructions "$axes" 1)) / samples)) instructions per sample"
  done
  exit
fi

# The toolchain's own clang, so that both sides have the same optimiser behind them.
tools=$(dirname "$(command -v swift)")
clang="$tools/clang"
[ -x "$clang" ] || clang=$(command -v clang) || stop 3 "no clang beside swift nor on the path"

mkdir -p "$peers"
if ! [ -d "$peers/vqf-$vqf" ] || ! [ -d "$peers/imufusion-$imufusion" ]; then
  echo "bench-fusion: fetching the sources of vqf $vqf and imufusion $imufusion from PyPI" >&2
  python3 -m venv "$peers/venv" >&2 || stop 3 "python3 can't make a virtual environment; on Debian: apt install python3-venv"
  # One by one: the way pip asks for a source archive is by package.
  for package in "vqf==$vqf" "imufusion==$imufusion"; do
    "$peers/venv/bin/pip" download --quiet --disable-pip-version-check --retries 1 --no-deps \
      --no-binary vqf,imufusion --dest "$peers" "$package" >"$peers/pip.log" 2>&1 ||
      stop 3 "PyPI did not give $package: $(grep -m1 ERROR "$peers/pip.log" || tail -n 1 "$peers/pip.log")"
  done
  tar -xzf "$peers/vqf-$vqf.tar.gz" -C "$peers"
  tar -xzf "$peers/imufusion-$imufusion.tar.gz" -C "$peers"
fi

echo "bench-fusion: compiling" >&2
flags=(-O3 -march=native -fPIC -shared -fvisibility=hidden)
cpp="$peers/vqf-$vqf/vqf/cpp"
"$clang++" "${flags[@]}" -std=c++17 -DVQF_SINGLE_PRECISION -I"$cpp" -o "$peers/vqf_float.so" \
  "$here/FusionPeers/vqf_peer.cpp" "$cpp/vqf.cpp" "$cpp/basicvqf.cpp" "$cpp/offline_vqf.cpp" >&2 ||
  stop 3 "vqf did not compile"
c="$peers/imufusion-$imufusion/Fusion"
"$clang" "${flags[@]}" -I"$c" -o "$peers/fusion.so" "$here/FusionPeers/fusion_peer.c" "$c"/*.c -lm >&2 ||
  stop 3 "imufusion did not compile"

build

processor=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -1)
machine="Machine: $processor, $(nproc) cores; $(swift --version 2>/dev/null | head -1); $("$clang" --version | head -1 |
  sed 's/ (http.*//'); vqf $vqf, imufusion $imufusion"
exec "$here/.build/release/fusion-bench" --trials "$trials" --machine "$machine" \
  --peer "$peers/vqf_float.so" --peer "$peers/fusion.so" ${options[@]+"${options[@]}"}
