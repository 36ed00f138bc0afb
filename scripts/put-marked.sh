#!/usr/bin/env bash
# Replaces what stands between the marks `<!-- begin NAME -->` and `<!-- end NAME -->` of a page by the file NAME of a folder, for each
# file that is there.
# Usage: put-marked.sh PAGE FOLDER
set -euo pipefail
page=$1 folder=$2
new=$(mktemp)
trap 'rm -f "$new"' EXIT
awk -v folder="$folder" '
  /^<!-- end / { skipping = 0 }
  !skipping { print }
  /^<!-- begin / {
    path = folder "/" $3
    while ((getline line < path) > 0) {
      skipping = 1
      print line
    }
    close(path)
  }' "$page" > "$new"
cat "$new" > "$page"
