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

step setup scripts/setup-debian.sh
step build swift build --build-tests
step lint make --no-print-directory lint
step test swift test --skip-build
step gate Firmware/gate.sh
step gate-self-test Firmware/gate.sh --self-test
printf '== make test: ok in %d s:%s\n' $((SECONDS - started)) "$done_steps"
