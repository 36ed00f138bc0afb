#!/usr/bin/env bash
# Replaces what stands between the marks `<!-- begin NAME -->` and `<!-- end NAME -->` by what the program measures:
# the tables of faults and costs, and with RUNS the summary of that many stories, failed ones included.
# Usage: modem-tables.sh LEASH FILE [RUNS]
set -euo pipefail
leash=$1 file=$2 runs=${3:-0}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$leash" modem faults --markdown > "$work/faults"
"$leash" modem cost --markdown > "$work/cost"
if [ "$runs" -gt 0 ]; then
  failed=0
  "$leash" modem soak --runs "$runs" > "$work/summary" || failed=$?
  # 1 is a story that failed: it belongs into the summary.
  [ "$failed" -le 1 ] || exit "$failed"
  { echo '```'; sed '/^seconds /d' "$work/summary"; echo '```'; } > "$work/soak"
fi
"$(dirname "$0")/put-marked.sh" "$file" "$work"
