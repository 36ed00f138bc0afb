#!/usr/bin/env bash
# Compares regions with GEOS and S2 on random outlines and places, and prints what was compared, as a table.
#
#   scripts/geometry.sh [COUNT] [SEED]   100,000 outlines unless given
#   scripts/geometry.sh --commit         writes the few that `make test` compares anew
#
# Exit codes: 0 all the same, 1 a difference, 3 a tool is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup-debian.sh libgeos-dev libs2-dev g++
judge=.build/region_judge
mkdir -p .build
[ "$judge" -nt Tests/PositioningTests/Judges/region_judge.cc ] ||
  g++ -std=c++17 -O1 Tests/PositioningTests/Judges/region_judge.cc -o "$judge" -ls2 -lgeos_c
if [ "${1:-}" = --commit ]; then
  "$judge" 300 17 >Tests/PositioningTests/Judges/judgements.txt
  exit 0
fi
file=$(mktemp)
trap 'rm -f "$file" "$file.log"' EXIT
"$judge" "${1:-100000}" "${2:-$RANDOM}" >"$file"
code=0
LEASH_TESTS=PositioningTests LEASH_GEOMETRY=$file swift test --scratch-path .build/geometry --filter RegionJudgeTests >"$file.log" 2>&1 || code=1
[ $code -eq 0 ] || cat "$file.log" >&2
sed -n '/^|/p' "$file.log"
exit $code
