#!/usr/bin/env bash
# Makes paths of all rides and prints, as a table, how far the rides lie from them at most and how many points they have, beside those
# of Douglas and Peucker. GeographicLib measures.
#
#   scripts/paths.sh    the rides of fixtures/, and of LEASH_DATA or ../shared/data where they are
#
# Exit codes: 0 all bounds hold, with 1.3 times the points of Douglas and Peucker at most; 1 they do not; 3 a tool is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup-debian.sh libgeographiclib-dev g++
judge=.build/path_judge
mkdir -p .build
[ "$judge" -nt Tests/PositioningTests/Judges/path_judge.cc ] ||
  g++ -std=c++17 -O2 Tests/PositioningTests/Judges/path_judge.cc -o "$judge" -lGeographicLib
folder=${LEASH_DATA:-../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What is in fixtures/ is in the folder of recordings, too.
{
  for file in fixtures/rides/*_gnss.csv.gz "$folder"/rides/*_gnss.csv.gz "$folder"/rides_dublin/*_gnss.csv.gz; do
    [ -e "$file" ] || continue
    echo "ride $(basename "$file" _gnss.csv.gz)"
    gzip -dc "$file" | awk -F, '
      NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
      $column["lat_deg"] != "" && $column["lon_deg"] != "" { print $column["lat_deg"], $column["lon_deg"] }'
  done
  for file in "$folder"/nmea_long/*.log.gz; do
    [ -e "$file" ] || continue
    echo "ride $(basename "$file" .log.gz)"
    gzip -dc "$file" | awk -F, '
      function degrees(text, side,   whole) {
        whole = int(text / 100)
        return sprintf("%.9f", (side == "S" || side == "W" ? -1 : 1) * (whole + (text - 100 * whole) / 60))
      }
      /^\$GPRMC/ && $3 == "A" { print degrees($4, $5), degrees($6, $7) }'
  done
} >"$work/rides"
LEASH_TESTS=PositioningTests LEASH_PATHS=$work/rides swift test -c release --scratch-path .build/paths --filter PathCampaignTests \
  >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
"$judge" "$work/rides" "$work/rides.told"
