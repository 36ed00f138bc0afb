#!/usr/bin/env bash
# Writes the table of delays from a theft to the server into a page, between its marks.
# Usage: delay-table.sh LEASH PAGE
set -euo pipefail
leash=$1 page=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$leash" simulate --delays > "$work/delays"
"$(dirname "$0")/put-marked.sh" "$page" "$work"
