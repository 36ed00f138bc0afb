#!/usr/bin/env bash
# Proves that the core is firmware: compiles every core module in Embedded Swift for a Cortex-M4F, links an image that has
# no allocator, looks at what was linked, runs it under emulation, and compares its results with this machine's, bit by bit.
#
#   Firmware/gate.sh              check the core, print tables of sizes, stack and parts
#   Firmware/gate.sh --json       the same, sizes and stack as one JSON object on standard output
#   Firmware/gate.sh --forms      link one image for each form of packets, for gear and the attitude filter: its bytes, and nothing of it in the others
#   Firmware/gate.sh --self-test  check the gate: images that break each rule must be refused
#
# Exit codes: 0 the core passes, 1 it does not, 2 wrong usage, 3 a tool is missing.
set -euo pipefail

tool=gate
# shellcheck source=Firmware/compile.sh
. "$(dirname "$0")/compile.sh"
build="$root/.build/gate"
linker_script="$firmware/mps2-an386.ld"

as_json=no
self_test=no
only_forms=no
for argument in "$@"; do
  case "$argument" in
    --json) as_json=yes ;;
    --self-test) self_test=yes ;;
    --forms) only_forms=yes ;;
    -h | --help) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "gate: unknown argument '$argument' (--json, --forms, --self-test, --help)" >&2; exit 2 ;;
  esac
done

# run_image : the image under emulation, when there is an emulator; its exit code must be 0.
run_image() {
  emulation="not run"
  if ! command -v qemu-system-arm >/dev/null; then
    say "gate: qemu-system-arm is not installed: the image was linked, not run"
    return
  fi
  local code=0 output
  output=$(timeout -k 2 300 qemu-system-arm -M mps2-an386 -display none -monitor none -serial none \
    -semihosting-config enable=on,target=native -kernel "$into/image.elf" 2>&1) || code=$?
  case $code in
    0)
      emulation=$(sed -n 's/^fingerprint //p' <<<"$output")
      value_sizes=$(sed -n 's/^size //p' <<<"$output")
      stack_depths=$(sed -n 's/^stack //p' <<<"$output")
      part_memory=$(sed -n 's/^part //p' <<<"$output")
      check_stack
      ;;
    124 | 137) fail "the image did not end within 300 s under emulation" ;;
    1) say "$output"; fail "under emulation the expectations named above do not hold" ;;
    70) fail "the image took a processor fault under emulation" ;;
    71) fail "the image overwrote its stack under emulation" ;;
    *) say "$output"; fail "the emulator ended with $code" ;;
  esac
}

# check_stack : no door may take more of the stack than its limit in stack-limits.txt, or else 8 KB; all that do are named.
check_stack() {
  local bytes door limit deep=""
  while read -r bytes door; do
    [ -n "$door" ] || continue
    limit=$(awk -v door="$door" '!/^#/ && NF > 1 { n = $NF; $NF = ""; sub(/ $/, ""); if ($0 == door) print n }' \
      "$firmware/stack-limits.txt")
    [ "$bytes" -le "${limit:-8192}" ] || deep="$deep${deep:+, }$door takes $bytes bytes of the stack, more than ${limit:-8192}"
  done <<<"$stack_depths"
  [ -z "$deep" ] || fail "$deep"
}

# json_pairs : lines of number and name on standard input as the members of an object.
json_pairs() { awk 'NF > 1 { n = $1; $1 = ""; printf "%s\"%s\":%s", sep, substr($0, 2), n; sep = "," }'; }

# sum_map : $into/kept, a line for each object with what the linker kept of it, from the link map.
sum_map() {
  awk '
    function hexadecimal(text,   i, n) {
      n = 0
      for (i = 1; i <= length(text); i++) n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
      return n
    }
    # VMA LMA Size Align Out: a path may hold spaces, so the object is what stands between its last slash and ":(".
    match($0, /[^\/]*\.o:\(/) { total[substr($0, RSTART, RLENGTH - 4)] += hexadecimal($3) }
    END { for (object in total) print object, total[object] }' "$into/image.map" >"$into/kept"
}

print_sizes() {
  local format='%-16s %8s %6s %6s %9s\n' module text data bss rows=""
  [ "$as_json" = yes ] || printf "$format" module text data bss "in image"
  for module in $built GateImage; do
    read -r text data bss < <(object_sizes "$into/$module.o")
    kept=$(awk -v module="$module" '$1 == module { n = $2 } END { print n + 0 }' "$into/kept")
    if [ "$as_json" = yes ]; then
      rows="$rows${rows:+,}{\"module\":\"$module\",\"text\":$text,\"data\":$data,\"bss\":$bss,\"inImage\":$kept}"
    else
      printf "$format" "$module" "$text" "$data" "$bss" "$kept"
    fi
  done
  read -r text data bss < <(object_sizes "$into/image.elf")
  if [ "$as_json" = yes ]; then
    printf '{"target":"armv7em Cortex-M4F hard float","modules":[%s],' "$rows"
    printf '"image":{"text":%s,"data":%s,"bss":%s},"valueBytes":{%s},"stackBytes":{%s},"stackBounds":{%s},"formBytes":{%s},' \
      "$text" "$data" "$bss" "$(json_pairs <<<"${value_sizes:-}")" "$(json_pairs <<<"${stack_depths:-}")" \
      "$(json_pairs <<<"${door_bounds:-}")" "$(json_pairs <<<"${form_costs:-}")"
    printf '"partBytes":{%s},"partMemory":{%s},"partStack":{%s},"fingerprint":"%s"}\n' "$(json_pairs <<<"${part_costs:-}")" \
      "$(json_pairs <<<"${part_memory:-}")" "$(json_pairs <<<"${part_stack:-}")" "$emulation"
  else
    printf "$format" "image (linked)" "$text" "$data" "$bss" $((text + data))
    [ -z "${stack_depths:-}" ] || awk 'BEGIN { print "\nstack of each door, bytes" } { n = $1; $1 = ""; printf "%-32s %7d\n", $0, n }' <<<"$stack_depths"
    [ -z "${part_costs:-}" ] || print_parts
    [ -z "${value_sizes:-}" ] || awk 'BEGIN { print "\nmemory of a value there, bytes" } { n = $1; $1 = ""; printf "%-32s %7d\n", $0, n }' <<<"$value_sizes"
  fi
}

# print_parts : code, memory and stack of each part.
print_parts() {
  printf '\n%-32s %7s %7s %7s\n' "part, bytes" code memory stack
  awk '
    function number(   n) { n = $1; $1 = ""; name = substr($0, 2); return n }
    FNR == 1 { file++ }
    NF > 1 { n = number(); if (!(name in seen)) { seen[name]; order[++count] = name } cost[name, file] = n }
    END { for (i = 1; i <= count; i++)
      printf "%-32s %7s %7s %7s\n", order[i], cost[order[i], 1], cost[order[i], 2], cost[order[i], 3] }' \
    <(printf '%s\n' "$part_costs") <(printf '%s\n' "${part_memory:-}") <(printf '%s\n' "$part_stack")
}

# compare_costs : what was measured against the committed table; LEASH_UPDATE_COSTS=1 renews it.
compare_costs() {
  [ "$emulation" != "not run" ] || return 0
  (as_json=yes; print_sizes) >"$build/costs.json"
  if [ -n "${LEASH_UPDATE_COSTS:-}" ]; then
    "$firmware/costs.py" write "$build/costs.json" >&2
  else
    "$firmware/costs.py" compare "$build/costs.json" >&2 || fail "sizes or stack are not those of Firmware/costs.json"
  fi
}

# build_for_host : the same calls compiled for this machine.
build_for_host() {
  into="$build/host"
  use_flags host
  compile_core
  compile GateHost "$firmware"/Sources/GateHost/*.swift "$firmware"/Sources/GateImage/Core*.swift
  if [ ! "$into/gate" -nt "$into/GateHost.o" ]; then swiftc "$into/GateHost.o" "${objects[@]}" -lm -o "$into/gate"; fi
}

# compare_with_host : both builds must come to the same fingerprint.
compare_with_host() {
  verdict="not run"
  [ "$emulation" != "not run" ] || return 0
  local expected
  if ! wait "$host_build"; then
    cat "$build/host.log" >&2
    fail "the core does not compile for this machine"
  fi
  host_build=""
  expected=$("$build/host/gate") || { say "$expected"; fail "on this machine the expectations named above do not hold"; }
  [ "$expected" = "$emulation" ] ||
    fail "the core computes other bits on the Cortex-M4F (fingerprint $emulation) than on this machine ($expected)"
  verdict="same bits under emulation as on this machine ($expected)"
}

gate_core() {
  # Side by side, for each compiles one module after the other.
  build_for_host >"$build/host.log" 2>&1 &
  host_build=$!
  trap '[ -z "$host_build" ] || { pkill -P "$host_build"; kill "$host_build"; wait "$host_build"; } 2>/dev/null || true' EXIT
  into="$build/core"
  use_flags firmware
  compile_core
  # Only sizes of types are asked there, which are known when it is compiled; a type that is not there is an error.
  (flags+=(-Xfrontend -disable-access-control); compile PartMemory "$firmware"/Sources/PartMemory/*.swift)
  compile GateImage "$firmware"/Sources/{Startup,GateImage}/*.swift
  link "$into/GateImage.o" "$into/PartMemory.o" "${objects[@]}"
  run_image
  sum_map
  (gate_forms) || exit 1
  form_costs=$(cat "$build/forms/costs")
  gate_parts
  compare_costs
  print_sizes
  compare_with_host
  say "gate: ok: $(wc -w <<<"$built") core modules, no allocator, no C mathematics, hard float; $verdict"
}

# gate_parts : code and stack of each part; of gear, which no firmware has that does not call it, by an image of its own.
gate_parts() {
  local lists=("$build/core/image" "$firmware/parts.txt" "$build/forms/gear/image" "$firmware/parts-gear.txt")
  part_costs="" part_stack="" door_bounds=""
  while [ ${#lists[@]} -gt 0 ]; do
    part_costs="$part_costs$("$firmware/part-sizes.py" "${lists[0]}.map" "${lists[1]}")"$'\n' ||
      fail "${lists[1]} is not what is in the image"
    part_stack="$part_stack$("$firmware/stack-bounds.py" "${lists[0]}.elf" "${lists[1]}")"$'\n' ||
      fail "a part has no bound of its stack"
    lists=("${lists[@]:2}")
  done
  [ "$emulation" != "not run" ] || return 0
  door_bounds=$("$firmware/stack-bounds.py" "$build/core/image.elf" --doors "$firmware/Sources/GateImage" <(printf '%s\n' "$stack_depths") \
    2>"$build/doors.log") || { cat "$build/doors.log" >&2; fail "a door took more of the stack than its bound"; }
  say "gate: $(grep -vc '^-' <<<"$door_bounds") doors took no more of the stack than their bounds;" \
    "without a bound: $(sed -n 's/^- [0-9]* //p' <<<"$door_bounds" | paste -sd, | sed 's/,/, /g')"
  door_bounds=$(awk '$1 != "-" { $2 = ""; sub(/  /, " "); print }' <<<"$door_bounds")
}

# symbols_of MODULE ELF : a line for each symbol of the module in an image; its name there has its length before it.
symbols_of() { arm-none-eabi-nm "$2" | grep -- "${#1}$1" || true; }

# gate_gear : the image of gear has the module's symbols, and no other image has one.
gate_gear() {
  local image found
  form_image gear
  [ -n "$(symbols_of Gear "$into/image.elf")" ] || fail "the image of gear has nothing of it"
  for image in "$build/core" "$build/forms/none"; do
    [ -f "$image/image.elf" ] || continue
    found=$(symbols_of Gear "$image/image.elf")
    [ -z "$found" ] || fail "an image without gear has symbols of it: $(head -1 <<<"$found" | "$demangle")"
  done
  say "gate: gear: $(symbols_of Gear "$into/image.elf" | wc -l) symbols in its image, none in an image without it"
}

# gate_attitude : code of the attitude filter, 9D with the rest detector, with what calls it, beside an image of nothing.
gate_attitude() {
  local text
  form_image attitude
  read -r text _ < <(object_sizes "$into/image.elf")
  [ -n "$(symbols_of GateForm "$into/image.elf")" ] || fail "the image of the attitude filter does not call it"
  form_costs="$form_costs$((text - bare)) attitude filter"$'\n'
  say "gate: attitude filter: $((text - bare)) bytes of text more than the $bare of an image without it, its caller and the C" \
    "library's copying among them"
}

# Each form with a literal of its own, as `strings` shows it, and the modules that only it may bring in.
form_marks='json "uptime":
minimal ^{"latitude":
text mlat=
ownTracks {"_type":"location" OwnTracks
ownTracksCompact - OwnTracks
osmAnd &timestamp= Traccar
traccar {"device_id": Traccar
seal {"_type":"encrypted","data":" OwnTracks SecretBox
homeAssistant ,"uniq_id":" HomeAssistant'

# form_image FORM : an image that calls one form, or none.
form_image() {
  into="$build/forms/$1"
  mkdir -p "$into"
  use_flags firmware
  flags+=(-I "$build/core" -D "FORM_$1")
  for module in $built; do ln -sf "$build/core/$module.key" "$into/"; done
  compile GateForm "$firmware"/Sources/{Startup/{Startup,Ending},GateImage/GateBoard}.swift "$firmware/Forms/FormImage.swift"
  link "$into/GateForm.o" "${objects[@]}"
}

# check_form FORM [ELF] : the image of a form has what is the form's, and nothing of any other's.
check_form() {
  local form=$1 elf=${2:-$build/forms/$1/image.elf} other mark modules module allowed="" texts symbols
  texts=$(arm-none-eabi-strings -n 3 "$elf" 2>/dev/null || strings -n 3 "$elf")
  symbols=$(arm-none-eabi-nm "$elf" | awk '{ print $NF }')
  while read -r other mark modules; do if [ "$other" = "$form" ]; then allowed=" $modules "; fi; done <<<"$form_marks"
  while read -r other mark modules; do
    if [ "$mark" != - ]; then
      if [ "$other" = "$form" ]; then
        grep -q -- "$mark" <<<"$texts" || fail "the image of the form $form does not have its own '$mark'"
      elif grep -q -- "$mark" <<<"$texts"; then
        fail "the image of the form $form has '$mark' of $other"
      fi
    fi
  done <<<"$form_marks"
  for module in OwnTracks Traccar SecretBox HomeAssistant PacketForms; do
    case $allowed in *" $module "*) continue ;; esac
    # A module's name in a symbol has its length before it.
    if grep -q -- "${#module}$module" <<<"$symbols"; then
      fail "the image of the form $form has symbols of $module: $(grep -- "${#module}$module" <<<"$symbols" | head -1 | "$demangle")"
    fi
  done
}

# gate_forms : a form that no firmware names costs it nothing.
gate_forms() {
  local form text bare rest
  form_costs=""
  form_image none
  check_form none
  read -r bare rest < <(object_sizes "$build/forms/none/image.elf")
  while read -r form rest; do
    form_image "$form"
    check_form "$form"
    # The check can fail: what has a form is not taken for an image without one.
    if (check_form none) 2>/dev/null && (check_form none "$into/image.elf") 2>/dev/null; then
      fail "the image of the form $form is taken for one without forms"
    fi
    read -r text rest < <(object_sizes "$into/image.elf")
    form_costs="$form_costs$((text - bare)) $form"$'\n'
    say "gate: form $form: $((text - bare)) bytes of text more than the $bare of an image without any form"
  done <<<"$form_marks"
  gate_gear
  gate_attitude
  printf '%s' "$form_costs" >"$build/forms/costs"
}

# image_of SOURCE : the image's start-up with another body.
image_of() {
  into="$build/self-test/$(basename "$1" .swift)"
  rm -rf "$into"
  mkdir -p "$into"
  check_imports "$1"
  use_flags firmware
  compile GateImage "$firmware"/Sources/Startup/*.swift "$firmware"/Sources/GateImage/{GateBoard,Image,CoreRun,CoreStack}.swift \
    "$firmware"/SelfTest/NoParts.swift "$1"
  link "$into/GateImage.o"
  run_image
}

# refuses WORDS COMMAND… : the command must fail, and say so in these words.
refuses() {
  local words=$1 output
  shift
  if output=$("$@" 2>&1); then fail "self-test: '$*' was accepted"; fi
  grep -qF "$words" <<<"$output" || { say "$output"; fail "self-test: '$*' was refused, but not with '$words'"; }
  say "gate: self-test: refused as it should be: $words"
}

soft_float_object() {
  into="$build/self-test/SoftFloat"
  mkdir -p "$into"
  arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -mfloat-abi=softfp -mfpu=fpv4-sp-d16 -c -x c -o "$into/soft.o" - <<<'float f(float x) { return x; }'
  check_float_convention "$into/soft.o"
}

# A stack without a bound must not be told.
self_test_bounds() {
  image_of "$firmware/SelfTest/Unbounded.swift"
  echo "spiral: Spiral" >"$into/spiral.txt"
  echo "junction: Junction" >"$into/junction.txt"
  refuses "these call each other: " "$firmware/stack-bounds.py" "$into/image.elf" "$into/spiral.txt"
  refuses "what is only known when it runs" "$firmware/stack-bounds.py" "$into/image.elf" "$into/junction.txt"
}

# A part that is not there must be missed in each column; of the image and figures of the last run, where there was one.
self_test_parts() {
  local list="$build/self-test/parts.txt" image="$build/self-test/Passing/image"
  echo "nowhere: Nowhere" >"$list"
  refuses "no function of 'Nowhere' is in the image" "$firmware/part-sizes.py" "$image.map" "$list"
  refuses "no function of 'Nowhere' is in the image" "$firmware/stack-bounds.py" "$image.elf" "$list"
  [ -f "$build/costs.json" ] || { say "gate: self-test: no figures of a run of the gate yet: not all of parts is tried"; return; }
  "$firmware/symbols.py" "$build/core/image.elf" || fail "self-test: types are not those of the functions"
  # The first mention is that of its code.
  sed 's/"tilt":[0-9]*,//' "$build/costs.json" >"$build/self-test/costs.json"
  refuses "the part 'tilt' is only in one of partMemory and partCode" "$firmware/costs.py" compare "$build/self-test/costs.json"
  sed 's/"the rest of Tracker":/&1/' "$build/costs.json" >"$build/self-test/costs.json"
  refuses "the parts and the rest have" "$firmware/costs.py" compare "$build/self-test/costs.json"
  echo "99999 Tracker.process(fix)" >"$build/self-test/doors"
  refuses "more than the bound of" "$firmware/stack-bounds.py" "$build/core/image.elf" --doors "$firmware/Sources/GateImage" \
    "$build/self-test/doors"
}

gate_self_test() {
  # Side by side: each has a folder of its own.
  local jobs=() job failed=no
  image_of "$firmware/SelfTest/Passing.swift" & jobs+=($!)
  refuses "a heap allocation is reachable" image_of "$firmware/SelfTest/Heap.swift" & jobs+=($!)
  refuses "the core imports what firmware does not have" image_of "$firmware/SelfTest/Foundation.swift" & jobs+=($!)
  refuses "a function of the C mathematics library is reachable" image_of "$firmware/SelfTest/LibM.swift" & jobs+=($!)
  refuses "does not pass floating-point arguments in VFP registers" soft_float_object & jobs+=($!)
  if command -v qemu-system-arm >/dev/null; then
    refuses "GateImage/Failing.swift:5 " image_of "$firmware/SelfTest/Failing.swift" & jobs+=($!)
    refuses "LiteAttitudeFilter.update takes" image_of "$firmware/SelfTest/Deep.swift" & jobs+=($!)
  fi
  self_test_bounds & jobs+=($!)
  for job in "${jobs[@]}"; do wait "$job" || failed=yes; done
  [ "$failed" = no ] || fail "the self-test"
  self_test_parts
  say "gate: self-test ok"
}

mkdir -p "$build"
use_processor cortex-m4
find_tools
make_runtime_archive
if [ "$self_test" = yes ]; then
  gate_self_test
elif [ "$only_forms" = yes ]; then
  into="$build/core"
  use_flags firmware
  compile_core
  gate_forms
else
  gate_core
fi
