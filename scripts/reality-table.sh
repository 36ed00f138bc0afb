#!/usr/bin/env bash
# Writes the families of parameters, and the comparison of simulated motions with recordings, into a page, each between its marks, and the
# picture beside it. Without recordings the comparison stays as it is.
# Usage: reality-table.sh LEASH PAGE
set -euo pipefail
leash=$1 page=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$leash" simulate --families > "$work/families"
failed=0
"$leash" simulate --compare --draw "$work/reality.svg" > "$work/reality" || failed=$?
if [ "$failed" -eq 3 ]; then
  echo "reality-table: skipped: the comparison in $page stays as it is" >&2
  rm -f "$work/reality" "$work/reality.svg"
else
  [ "$failed" -eq 0 ] || exit "$failed"
  mv "$work/reality.svg" "$(dirname "$page")/images/reality.svg"
fi
"$(dirname "$0")/put-marked.sh" "$page" "$work"
