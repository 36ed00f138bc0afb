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
"$(dirname "$0")/put-marked.sh" "$file" "$work"
exit "$failed"
