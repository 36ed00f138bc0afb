#!/usr/bin/env bash
# Checks the files of the local page, and of the page that replays logs, with the tools of their kind: types, rules and format of the
# scripts, the style sheets, the documents, the tests.
#
#   scripts/page.sh         check
#   scripts/page.sh --fix   mend the format of the scripts where that can be done, and check
#
# Exit codes: 0 all is right, 1 something is not, 3 a tool is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
page=Sources/StatusPage/Page
replay=Firmware/Page

scripts/setup-debian.sh eslint node-css-tree node-typescript nodejs tidy
# Debian's tools look for their parts here, also where node itself came from elsewhere.
export NODE_PATH=/usr/share/nodejs
fix=()
[ "${1:-}" != --fix ] || fix=(--fix)

tsc --project "$page"
tsc --project "$replay"
eslint --format unix --config "$page/.eslintrc.json" "${fix[@]}" "$page" "$replay" --ext .js,.mjs
eslint --format unix --config "$page/.eslintrc.json" "${fix[@]}" Tests/StatusPageTests/Page --ext .mjs
node scripts/css-check.cjs "$page/page.css" "$page"/*.html "$page"/*.js
node scripts/css-check.cjs "$page/world.css" "$page/page.css" "$page"/*.html "$page"/*.js
node scripts/css-check.cjs "$replay/replay.css" "$page/page.css" "$replay"/*.html "$replay"/*.js
# An <s> that is drawn by the style sheet is meant; keyboards of phones are newer than tidy.
! tidy -quiet -errors "$page/page.html" "$page/world.html" "$replay/page.html" 2>&1 |
  grep -vE 'trimming empty <s>|proprietary attribute "(inputmode|autocapitalize)"'
(cd Tests/StatusPageTests/Page && node --test ./*.test.mjs >/dev/null) || { echo "page: a test of the scripts fails; node --test Tests/StatusPageTests/Page says which" >&2; exit 1; }
echo "page: ok"
