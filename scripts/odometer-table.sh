#!/usr/bin/env bash
# Replaces what stands between the marks `<!-- begin odometer -->` and `<!-- end odometer -->` by what the odometer makes of recorded rides.
# Usage: odometer-table.sh LEASH FILE
set -euo pipefail
leash=$1 file=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
"$leash" odometer --draw "$work/rides.svg" > "$work/odometer" || failed=$?
# Without recordings the table stays as it is.
if [ "$failed" -eq 3 ]; then
  echo "odometer-table: skipped: $file stays as it is" >&2
  exit 0
fi
# 1 is a ride that does not hold: it belongs into the table.
[ "$failed" -le 1 ] || exit "$failed"
# The rides that do not hold, beside the page.
mv "$work/rides.svg" "$(dirname "$file")/images/odometer.svg"
"$(dirname "$0")/put-marked.sh" "$file" "$work"
exit "$failed"
