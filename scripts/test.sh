#!/usr/bin/env bash
# All checks, the quick ones as early as they can be; stops at the first that fails and says which.
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

# The build and the boards often have work for one core only, and nothing of the gate lives in real time: it goes beside them, and
# takes only what they leave. In a process group of its own, so that it ends with this script.
begin_gate() {
  set -m
  nice -n 19 bash -c 'set -e; Firmware/gate.sh; Firmware/gate.sh --self-test
    for board in '"$boards"'; do Firmware/build.sh "$board"; done; Firmware/build.sh mps2-an386 live
    Firmware/build.sh mps2-an386 hangs
    Firmware/wasm.sh' </dev/null >"$gate_log" 2>&1 &
  gate=$!
  set +m
}

end_gate() {
  local code
  wait "$gate"
  code=$?
  gate=""
  cat "$gate_log"
  return $code
}

check_firmware() {
  # shellcheck disable=SC2086 # words
  Firmware/check.sh --quick $boards wasm && Firmware/check.sh --self-test && Firmware/live.py --cuts 2 --seconds 12 &&
    check_console
}

# Both wait for most of their time.
check_console() {
  local code=0 watchdog
  Firmware/watchdog.py --quick &
  watchdog=$!
  Firmware/bench.py --quick || code=1
  wait "$watchdog" || code=1
  return $code
}

# Emulation takes one core, and boards wait for most of their time: they go side by side.
run_boards() {
  local code=0
  check_firmware >"$firmware_log" 2>&1 &
  firmware=$!
  tests --filter '^BoardTests\.' || code=$?
  wait "$firmware" || code=$?
  firmware=""
  cat "$firmware_log"
  return $code
}

# Its tools are hundreds of packages, which nothing else needs: only where they are there.
check_page() {
  local tool
  for tool in node tsc eslint tidy; do
    command -v "$tool" >/dev/null || {
      printf 'scripts/page.sh\tno %s; make page installs it\n' "$tool" >>"$LEASH_SKIPPED"
      return 0
    }
  done
  scripts/page.sh
}

program=.build/debug/LeashPackageTests.xctest
# Seconds; many times what they need.
longest=${LEASH_TEST_SECONDS:-1800}
processes=()
watches=()

tests() { NO_COLOR=1 timeout --kill-after=10 "$longest" "$program" --testing-library swift-testing "$@" </dev/null; }

# A test that waits for ever is ended, and what it waited for is told: tests that had not ended, threads, programs it had started.
watch() { # watch PROCESS SECONDS [LOG]
  local log=${3:-} nap
  sleep "$2" &
  nap=$!
  trap 'kill "$nap" 2>/dev/null; exit 0' TERM
  wait "$nap"
  printf '== tests: not ended within %d s\n' "$2"
  [ ! -f "$log" ] || awk '
    /^◇ Test .* started\.$/ { name = $0; sub(/^◇ Test (case passing [0-9]+ arguments? )?/, "", name); sub(/ started\.$/, "", name); open[name] = 1 }
    /^[✔✘➜] Test / { name = $0; sub(/^. Test (case passing [0-9]+ arguments? )?/, "", name)
      sub(/ (passed|failed|skipped|with [0-9]+ test cases?).*$/, "", name); delete open[name] }
    END { for (name in open) print "not ended: " name }' "$log" | sort | head -60
  command -v ps >/dev/null && ps -N --ppid 2 -p 2 -o pid,ppid,stat,etimes,wchan:24,args --forest | cut -c1-200
  command -v gdb >/dev/null && timeout 120 gdb -p "$1" -batch -ex 'thread apply all bt 14' 2>/dev/null | cut -c1-160
  kill -KILL "$1" 2>/dev/null
}

# One process of tests, with nothing between it and this shell, so that its number is the right one, and its watch.
begin_tests() { # begin_tests LOG|- FILTER…
  local log=$1
  shift
  if [ "$log" = - ]; then
    NO_COLOR=1 "$program" --testing-library swift-testing "$@" </dev/null &
  else
    NO_COLOR=1 "$program" --testing-library swift-testing "$@" </dev/null >"$log" 2>&1 &
  fi
  processes+=($!)
  watch $! "$longest" "$log" >>"$stuck_log" 2>&1 &
  watches+=($!)
}

# Tests that wait for programs and servers hold their threads while they do: they have processes of their own, beside the others.
run_tests() {
  local code=0 place all=""
  for place in "${!waiting[@]}"; do
    begin_tests "$logs/$place" --filter "^(${waiting[$place]})\."
    all="$all|${waiting[$place]}"
  done
  begin_tests - --skip "^(${all#|})\." --skip '^BoardTests\.'
  for place in "${!processes[@]}"; do
    wait "${processes[$place]}" || code=$?
    end_watch "$place"
  done
  for place in "${!waiting[@]}"; do cat "$logs/$place"; done
  cat "$stuck_log"
  return $code
}

end_watch() { # end_watch PLACE
  [ -z "${watches[$1]}" ] || { kill "${watches[$1]}" 2>/dev/null; wait "${watches[$1]}" 2>/dev/null; }
  watches[$1]=""
}

leave() {
  for place in "${!watches[@]}"; do end_watch "$place"; done
  [ -z "$gate" ] || kill -- "-$gate" 2>/dev/null
  [ -z "$firmware" ] || kill "$firmware" 2>/dev/null
  rm -rf "$LEASH_SKIPPED" "$gate_log" "$logs" "$firmware_log"
}

# Those with the processor that the gate compiles the core for; make firmware-check has the others, too.
boards='mps2-an386 stm32f405'
# Those that wait for one thing together, so that no process has much more to wait for than the others.
waiting=('LeashToolTests|UplinksTests|ModemBridgeTests' 'LinuxDevicesTests|LinuxRuntimeTests|StatusPageTests')
gate=""
firmware=""
LEASH_SKIPPED=$(mktemp) && gate_log=$(mktemp) && logs=$(mktemp -d) && firmware_log=$(mktemp) || exit 3
export LEASH_SKIPPED
stuck_log=$logs/stuck
: >"$stuck_log"
trap leave EXIT

step setup scripts/setup-debian.sh
begin_gate
step build make --no-print-directory build
step lint make --no-print-directory lint
step page check_page
step mutants scripts/mutants.py --check
step docs scripts/docs.py --check
step requirements scripts/requirements.py --check
step fuzz Fuzz/run.sh --check .build/debug/Modules
step test run_tests
# Lives from seed 1 on, each twice, and forks of them, as many as there is time for.
step explore .build/debug/leash simulate --explore --minutes 0.5 --broken-log none
step gate end_gate
# Boards live in real time: beside everything else each of their waits is a busy one.
step boards run_boards
tell_skipped
printf '== make test: ok in %d s:%s\n' $((SECONDS - started)) "$done_steps"
