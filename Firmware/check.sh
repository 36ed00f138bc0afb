#!/usr/bin/env bash
# Replays recordings in the firmware image of each board, under emulation, and in the module of WebAssembly, and compares what the
# tracker does there with what it does on this machine: every byte of events and packets, and the hash of every state that is kept.
#
#   Firmware/check.sh [--quick] [--count] [BOARD…] [wasm]   all boards and the module by default
#   Firmware/check.sh --self-test                           an image that rounds wrongly must be refused
#
#   --quick   only the recordings that take some seconds
#   --count   count instructions, too, which takes about twice as long
#
# The image gets the inputs of a log only. What it writes is compared with the output of `leash replay --json`, with the golden file
# where there is one, and with a replay by the same code on this machine. LEASH is the command, .build/debug/leash by default.
# The module is run by the toolchain's wasmkit, and by node as its page does, if there is a node.
#
# Exit codes: 0 all is the same, 1 it is not, 2 wrong usage, 3 a tool is missing.
set -euo pipefail

firmware=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$firmware")
build="$root/.build/firmware"
leash=${LEASH:-$root/.build/debug/leash}
quick=no
self_test=no
counting=()
boards=""
wasm=no
for argument in "$@"; do
  case "$argument" in
    --quick) quick=yes ;;
    --self-test) self_test=yes ;;
    --count) counting=(-icount shift=0) ;;
    -h | --help) sed -n '2,16s/^# \{0,1\}//p' "$0"; exit 0 ;;
    wasm) wasm=yes ;;
    -*) echo "firmware-check: unknown option '$argument' (--quick, --count, --self-test, --help)" >&2; exit 2 ;;
    *)
      [ -f "$firmware/Boards/$argument/board.conf" ] || { echo "firmware-check: no board '$argument'" >&2; exit 2; }
      boards="$boards $argument"
      ;;
  esac
done
if [ -z "$boards" ] && [ $wasm = no ]; then
  boards=$(ls "$firmware/Boards")
  wasm=yes
fi

say() { printf '%s\n' "$*"; }
fail() { say "firmware-check: FAILED: $*" >&2; exit 1; }
command -v qemu-system-arm >/dev/null || { echo "firmware-check: qemu-system-arm is missing; scripts/setup-debian.sh installs it" >&2; exit 3; }
[ -x "$leash" ] || { echo "firmware-check: no $leash; make build makes it" >&2; exit 3; }

# name | golden file or - | quick or long | arguments of `leash replay`
recordings='bt451|bt451.jsonl|quick|fixtures/nmea/bt451.log --then 320
gr8013-w|gr8013-w.jsonl|quick|fixtures/nmea/gr8013-w.log --then 320
ublox-zed-f9p|ublox-zed-f9p.jsonl|quick|fixtures/nmea/ublox-zed-f9p-nmea.log --then 320
leiden|leiden.jsonl|quick|fixtures/rides/leiden_edge1000_gap_gnss.csv.gz --then 620
other-settings|-|quick|fixtures/nmea/bt451.log --then 900 --set motion.armAfter=20 --set trackerId=another --set reports.distance=50 --at 200=status
thief|-|long|fixtures/rides/ardennes_edge1000_gnss.csv.gz --simulate-inertial --simulate-scene thief
another-seed|-|quick|fixtures/rides/leiden_edge1000_gap_gnss.csv.gz --simulate-inertial --simulate-scene thief --seed 77
example|-|quick|fixtures/logs/theft.leash.gz'

# make_recording NAME ARGUMENT… : NAME.log, of inputs only, and NAME.jsonl, what the tracker does in a run.
make_recording() {
  local name=$1
  shift
  (cd "$root" && "$leash" replay --json --record "$build/logs/$name.whole" "$@") >"$build/logs/$name.jsonl" 2>"$build/logs/$name.err" ||
    fail "$name: $(cat "$build/logs/$name.err")"
  "$firmware/inputs-only.py" "$build/logs/$name.whole" "$build/logs/$name.log"
  rm "$build/logs/$name.whole"
  "$build/host/replay" "$build/logs/$name.log" >"$build/logs/$name.host" 2>"$build/logs/$name.result" ||
    fail "$name: on this machine: $(cat "$build/logs/$name.result")"
  cmp "$build/logs/$name.jsonl" "$build/logs/$name.host" || fail "$name: two replays on this machine differ"
}

# emulate BOARD ARGUMENT CONSOLE RESULT [IMAGE] : the image with an argument; the board's console and its report go to files.
emulate() {
  local code=0 machine
  machine=$(sed -n 's/^machine=//p' "$firmware/Boards/$1/board.conf")
  timeout -k 2 600 qemu-system-arm -M "$machine" -display none -monitor none -serial "file:$3" ${counting[@]+"${counting[@]}"} \
    -semihosting-config "enable=on,target=native,arg=$2" -kernel "$build/$1/${5:-replay}/image.elf" >"$4" 2>&1 || code=$?
  case $code in
    0) ;;
    70) fail "$1: a processor fault with $2" ;;
    71) fail "$1: the stack was overwritten with $2" ;;
    124 | 137) fail "$1: not done within 600 s with $2" ;;
    *) cat "$4" >&2; fail "$1: exit code $code with $2" ;;
  esac
}

value() { sed -n "s/^$1 //p" "$2"; }

check_arithmetic() { # check_arithmetic BOARD [IMAGE]
  local out="$build/$1/${2:-replay}"
  emulate "$1" arithmetic "$out/console" "$out/arithmetic" "${2:-replay}"
  cmp -s "$out/arithmetic" "$build/host/arithmetic" ||
    fail "$1: sums in double precision or wide products differ: $(cat "$out/arithmetic") there, $(cat "$build/host/arithmetic") here"
}

# check_board BOARD : every recording on a board.
check_board() {
  local board=$1 name golden kind arguments out="$build/$1/replay" stack=0 inputs=0 kilocycles=0 longest=0 mark cycles most
  check_arithmetic "$board"
  while IFS='|' read -r name golden kind arguments; do
    [ "$quick" = no ] || [ "$kind" = quick ] || continue
    emulate "$board" "$build/logs/$name.log" "$out/$name.jsonl" "$out/$name.result"
    cmp "$out/$name.jsonl" "$build/logs/$name.jsonl" || fail "$board: $name: what the tracker does is not what it does on this machine"
    [ "$golden" = - ] || cmp "$out/$name.jsonl" "$root/fixtures/golden/$golden" || fail "$board: $name: not the golden output"
    # Of the result only what the board measures of itself may differ.
    diff "$build/logs/$name.result" <(head -n "$(wc -l <"$build/logs/$name.result")" "$out/$name.result") >&2 ||
      fail "$board: $name: the result is another than on this machine"
    mark=$(value "stack used" "$out/$name.result")
    cycles=$(value kilocycles "$out/$name.result")
    most=$(value "most cycles of an input" "$out/$name.result")
    [ "$mark" -le "$stack" ] || stack=$mark
    [ "$most" -le "$longest" ] || longest=$most
    inputs=$((inputs + $(value inputs "$out/$name.result")))
    kilocycles=$((kilocycles + cycles))
  done <<<"$recordings"
  local text data bss hertz
  read -r text data bss < <(arm-none-eabi-size "$out/image.elf" | awk 'NR == 2 { print $1, $2, $3 }')
  say "firmware-check: $board: $((text + data)) bytes of flash, $((data + bss)) of variables, $stack of stack at most; $inputs inputs"
  if [ ${#counting[@]} -gt 0 ]; then
    # An instruction takes a nanosecond of the emulator's time, by which its timer counts.
    hertz=$(sed -n 's/^emulated_hertz=//p' "$firmware/Boards/$board/board.conf")
    say "firmware-check: $board: $((kilocycles * 1000000 / (hertz / 1000000) / inputs)) instructions for an input, $((longest * 1000 / (hertz / 1000000))) at most"
  fi
}

# What runs the module, a word for each; none if neither is there.
find_runners() {
  local resources
  resources=$(swiftc -print-target-info 2>/dev/null | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p' || true)
  wasmkit="${resources%/lib/swift}/bin/wasmkit"
  [ -x "$wasmkit" ] || wasmkit=$(command -v wasmkit || true)
  runners="${wasmkit:+wasmkit}$(command -v node >/dev/null && echo " node" || true)"
}

# run_module RUNNER LOG|- CONSOLE RESULT : the module with a log; with none it tells the hash of its arithmetic.
run_module() {
  local code=0 module="$root/.build/wasm/leash.wasm" command
  case $1 in
    wasmkit) command=("$wasmkit" run "$module") ;;
    node) command=(node "$root/Firmware/Page/run.mjs" "$module") ;;
  esac
  if [ "$2" = - ]; then
    timeout -k 2 600 "${command[@]}" arithmetic </dev/null >"$3" 2>"$4" || code=$?
  else
    timeout -k 2 600 "${command[@]}" <"$2" >"$3" 2>"$4" || code=$?
  fi
  [ $code = 0 ] || { cat "$4" >&2; fail "wasm, by $1: exit code $code with $2"; }
}

# check_wasm : every recording in the module.
check_wasm() {
  local runner name golden kind arguments out="$root/.build/wasm/check" inputs
  mkdir -p "$out"
  for runner in $runners; do
    inputs=0
    run_module "$runner" - "$out/console" "$out/arithmetic"
    cmp -s "$out/arithmetic" "$build/host/arithmetic" ||
      fail "wasm, by $runner: sums or products differ: $(cat "$out/arithmetic") there, $(cat "$build/host/arithmetic") here"
    while IFS='|' read -r name golden kind arguments; do
      [ "$quick" = no ] || [ "$kind" = quick ] || continue
      run_module "$runner" "$build/logs/$name.log" "$out/$name.jsonl" "$out/$name.result"
      cmp "$out/$name.jsonl" "$build/logs/$name.jsonl" ||
        fail "wasm, by $runner: $name: what the tracker does is not what it does on this machine"
      [ "$golden" = - ] || cmp "$out/$name.jsonl" "$root/fixtures/golden/$golden" || fail "wasm, by $runner: $name: not the golden output"
      diff "$build/logs/$name.result" "$out/$name.result" >&2 || fail "wasm, by $runner: $name: the result is another than on this machine"
      inputs=$((inputs + $(value inputs "$out/$name.result")))
    done <<<"$recordings"
    say "firmware-check: wasm, by $runner: the same; $inputs inputs, $(wc -c <"$root/.build/wasm/leash.wasm") bytes"
  done
  check_page
}

# check_page : every recording, dropped on the page in a browser.
check_page() {
  local name golden kind arguments out="$root/.build/wasm/check" logs=() code=0 expected
  while IFS='|' read -r name golden kind arguments; do
    [ "$quick" = no ] || [ "$kind" = quick ] || continue
    logs+=("$build/logs/$name.log")
  done <<<"$recordings"
  "$firmware/page-check.py" "$root/.build/wasm/replay.html" "${logs[@]}" >"$out/page" || code=$?
  if [ $code = 3 ]; then
    say "firmware-check: wasm: SKIPPED, the page was not opened: there is no chromium"
    [ -z "${LEASH_SKIPPED:-}" ] || printf 'Firmware/check.sh wasm\tchromium is not installed\n' >>"$LEASH_SKIPPED"
    return
  fi
  [ $code = 0 ] || { cat "$out/page" >&2; fail "the page: exit code $code"; }
  for log in "${logs[@]}"; do
    name=$(basename "$log" .log)
    expected="$name.log: $(value "output hash" "$build/logs/$name.result") $(value "state hash" "$build/logs/$name.result")"
    expected="$expected $(sha256sum <"$build/logs/$name.jsonl" | cut -d' ' -f1), "
    grep -qF "$expected" "$out/page" || { cat "$out/page" >&2; fail "the page: $name: expected $expected"; }
  done
  say "firmware-check: wasm, the page in a browser: the same hashes and digests of ${#logs[@]} recordings"
}

mkdir -p "$build/logs"
"$firmware/build.sh" --host
"$build/host/replay" 2>"$build/host/arithmetic"
"$build/host/rings" || fail "the rings of ports do not keep their promises"
if [ "$self_test" = yes ]; then
  "$firmware/build.sh" mps2-an386 libgcc-doubles
  if refusal=$(check_arithmetic mps2-an386 libgcc-doubles 2>&1); then fail "self-test: additions of libgcc were accepted"; fi
  say "firmware-check: self-test: refused as it should be: ${refusal#firmware-check: FAILED: }"
  exit 0
fi
for board in $boards; do "$firmware/build.sh" "$board"; done
if [ $wasm = yes ]; then
  find_runners
  if [ -n "$runners" ]; then
    "$firmware/wasm.sh" --page "$root/.build/wasm/replay.html"
  else
    wasm=skipped
    say "firmware-check: wasm: SKIPPED, the module was not compared: there is neither a wasmkit beside swiftc nor a node"
    [ -z "${LEASH_SKIPPED:-}" ] || printf 'Firmware/check.sh wasm\tneither wasmkit nor node is installed\n' >>"$LEASH_SKIPPED"
  fi
fi
while IFS='|' read -r name golden kind arguments; do
  [ "$quick" = no ] || [ "$kind" = quick ] || continue
  # shellcheck disable=SC2086 # words
  make_recording "$name" $arguments
  say "firmware-check: $name: $(value inputs "$build/logs/$name.result") inputs, $(wc -l <"$build/logs/$name.jsonl") events and packets of" \
    "$(wc -c <"$build/logs/$name.jsonl") bytes, output $(value "output hash" "$build/logs/$name.result"), state $(value "state hash" "$build/logs/$name.result")"
done <<<"$recordings"

jobs=()
for board in $boards; do
  check_board "$board" &
  jobs+=($!)
done
if [ $wasm = yes ]; then
  check_wasm &
  jobs+=($!)
fi
code=0
for job in "${jobs[@]}"; do wait "$job" || code=1; done
[ $code = 0 ] || fail "see above"
where=""
[ -z "$boards" ] || where="on $(wc -w <<<"$boards") boards"
[ $wasm != yes ] || where="$where${where:+ and }in the module of WebAssembly"
say "firmware-check: ok: the same bytes and the same states $where as on this machine"
