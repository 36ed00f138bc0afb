#!/usr/bin/env bash
# All checks in order, the quick ones as early as they can be; stops at the first that fails and says which.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 3

started=$SECONDS
done_steps=""

step() { # step NAME COMMAND…
  local name=$1 from=$SECONDS code
  shift
  printf '== %s: %s\n' "$name" "$*"
  "$@"
  code=$?
  if [ $code -ne 0 ]; then
    printf '== make test: FAILED at %s (exit code %d) after %d s; passed before it:%s\n' \
      "$name" $code $((SECONDS - started)) "${done_steps:- nothing}"
    exit 1
  fi
  done_steps="$done_steps $name ($((SECONDS - from)) s)"
}

# Which tests could not check what they should, and why.
tell_skipped() {
  sort -u "$LEASH_SKIPPED" 2>/dev/null | awk -F'\t' '
    { tests[$2] = tests[$2] "\n       " $1; count[$2]++; all++ }
    END {
      printf "== skipped: %d %s\n", all, all == 1 ? "check" : "checks"
      for (reason in count) printf "%6d  %s%s\n", count[reason], reason, tests[reason]
    }'
}

LEASH_SKIPPED=$(mktemp) || exit 3
export LEASH_SKIPPED
trap 'rm -f "$LEASH_SKIPPED"' EXIT

step setup scripts/setup-debian.sh
step build make --no-print-directory build
step lint make --no-print-directory lint
step mutants scripts/mutants.py --check
# Boards live in real time: beside everything else each of their waits is a busy one.
step test swift test --skip-build --skip '^BoardTests\.'
step boards swift test --skip-build --filter '^BoardTests\.'
step gate Firmware/gate.sh
step gate-self-test Firmware/gate.sh --self-test
tell_skipped
printf '== make test: ok in %d s:%s\n' $((SECONDS - started)) "$done_steps"
