#!/usr/bin/env bash
# Replaces what stands between the marks `<!-- begin scenes -->` and `<!-- end scenes -->` by what the detectors make of all scenes.
# Usage: scenes-table.sh LEASH FILE
set -euo pipefail
leash=$1 file=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
"$leash" scenes --markdown --before fixtures/scenes/before.jsonl > "$work/scenes" || failed=$?
# 1 is a scene that is not as it should be: it belongs into the table.
[ "$failed" -le 1 ] || exit "$failed"
awk -v work="$work" '
  /^<!-- end / { skipping = 0 }
  !skipping { print }
  /^<!-- begin / {
    path = work "/" $3
    while ((getline line < path) > 0) {
      skipping = 1
      print line
    }
    close(path)
  }' "$file" > "$work/file"
cat "$work/file" > "$file"
exit "$failed"
