#!/usr/bin/env bash
# Replaces the tables between the marks `<!-- begin NAME -->` and `<!-- end NAME -->` by what the program measures.
# Usage: modem-tables.sh LEASH FILE
set -euo pipefail
leash=$1 file=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$leash" modem faults --markdown > "$work/faults"
"$leash" modem cost --markdown > "$work/cost"
awk -v work="$work" '
  /^<!-- end (faults|cost) -->$/ { skipping = 0 }
  !skipping { print }
  /^<!-- begin (faults|cost) -->$/ {
    skipping = 1
    path = work "/" $3
    while ((getline line < path) > 0) print line
    close(path)
  }' "$file" > "$work/file"
cat "$work/file" > "$file"
