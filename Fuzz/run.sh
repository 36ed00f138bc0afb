#!/usr/bin/env bash
# Fuzzes each target in Fuzz/Sources for its share of the time, from the committed corpus and what earlier runs found.
#
#   Fuzz/run.sh [SECONDS] [TARGET…]   all targets, 60 s in all, unless given
#   Fuzz/run.sh --runs N [TARGET…]    until each target ran N inputs; ten million take 1 to 40 min each on an idle processor
#   Fuzz/run.sh --check MODULES       only check the types of all targets, against the modules of a build in that folder
#
# Exit codes: 0 nothing found, 1 an input that breaks a promise (kept in Fuzz/Artefacts), 2 wrong usage, 3 a tool is missing.
# To see a found input again: Fuzz/.build/FuzzNMEA Fuzz/Artefacts/FuzzNMEA-crash-…
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build="$here/.build"

# check_types MODULES : a target that no longer fits the sources is found with them, and not in the next campaign.
check_types() {
  local source name
  # The package manager calls a package what its folder is called.
  name=$(basename "$root" | tr 'A-Z' 'a-z' | tr -c 'a-z0-9_\n' '_')
  [ -f "$1/ATCommands.swiftmodule" ] || { echo "fuzz: no modules in '$1'; 'make build' first" >&2; exit 3; }
  for source in "$here"/Sources/*.swift; do
    swiftc -typecheck -package-name "$name" -swift-version 6 -parse-as-library -enable-experimental-feature Lifetimes \
      -enable-experimental-feature RawLayout -I "$1" -I "$root/Sources" "$source" "$here/Support/Promise.swift" ||
      { echo "fuzz: $(basename "$source") does not fit the sources" >&2; exit 1; }
  done
}

if [ "${1:-}" = --check ]; then
  check_types "${2:?fuzz: --check needs the folder of the modules}"
  exit 0
fi
runs=""
if [ "${1:-}" = --runs ]; then
  runs=${2:?fuzz: --runs needs a number}
  [[ $runs =~ ^[1-9][0-9]*$ ]] || { echo "fuzz: '$runs' is not a number of runs" >&2; exit 2; }
  shift
fi
seconds=${1:-60}
[ -z "$runs" ] || seconds=86400
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "fuzz: '$seconds' is not a number of seconds" >&2; exit 2; }
shift || true
command -v swiftc >/dev/null || { echo "fuzz: swiftc is missing" >&2; exit 3; }

# Swift's own crash report would be made inside a process that the sanitizer watches, and be reported in place of the crash.
export SWIFT_BACKTRACE=enable=no
# Without the stack of each allocation, which most of the time would be spent on; an input that is run again alone has them.
export ASAN_OPTIONS=malloc_context_size=0

# Release checks, debugging information, and the coverage and address checks of the fuzzer in every module.
flags=(-O -g -package-name leash -swift-version 6 -parse-as-library -enable-experimental-feature Lifetimes
  -enable-experimental-feature RawLayout -enable-experimental-feature BuiltinModule -sanitize=fuzzer,address)

# header FILE KEY : the words behind "// KEY:" at the top of a target.
header() { sed -n "s|^// $2: ||p" "$1" | head -1; }

# length_of TARGET : the longest input to try, 2048 bytes unless its header says otherwise.
length_of() {
  local length
  length=$(header "$here/Sources/$1.swift" length)
  echo "${length:-2048}"
}

# build_module NAME : module and object, when a source of it, an earlier module or this script changed.
build_module() {
  local name=$1 sources key
  mapfile -t sources < <(find "$root/Sources/$name" -name '*.swift' | LC_ALL=C sort)
  key="$name $(cat "${sources[@]}" "$here/run.sh" | cksum) $chain"
  chain=$(cksum <<<"$key")
  [ "$(cat "$build/$name.key" 2>/dev/null)" != "$key" ] || return 0
  rm -f "$build/$name.key"
  swiftc "${flags[@]}" -wmo -module-name "$name" -I "$build" -I "$root/Sources" -emit-module \
    -emit-module-path "$build/$name.swiftmodule" -c "${sources[@]}" -o "$build/$name.o"
  printf '%s\n' "$key" >"$build/$name.key"
}

build_target() { # build_target SOURCE
  local target objects=() libraries=(-lm) module library
  target=$(basename "$1" .swift)
  chain=""
  for module in $(header "$1" modules); do
    build_module "$module"
    objects+=("$build/$module.o")
  done
  for library in $(header "$1" libraries); do libraries+=("-l$library"); done
  # lld, because gold warns about every symbol that the sanitizer keeps local.
  swiftc "${flags[@]}" -use-ld=lld -module-name "$target" -I "$build" -I "$root/Sources" "$1" "$here/Support/Promise.swift" "${objects[@]}" \
    "${libraries[@]}" -o "$build/$target"
}

is_buildable() {
  local module
  for module in $(header "$1" modules); do
    [ -n "$(find "$root/Sources/$module" -name '*.swift' 2>/dev/null | head -1)" ] || return 1
  done
}

mkdir -p "$build" "$here/Artefacts"
targets=()
for source in "$here"/Sources/*.swift; do
  name=$(basename "$source" .swift)
  if [ $# -gt 0 ]; then [[ " $* " == *" $name "* ]] || continue; fi
  if is_buildable "$source"; then targets+=("$name"); else echo "fuzz: $name waits for modules that are not there yet"; fi
done
[ ${#targets[@]} -gt 0 ] || { echo "fuzz: no such target: $*" >&2; exit 2; }
for name in "${targets[@]}"; do build_target "$here/Sources/$name.swift"; done

share=$((seconds / ${#targets[@]}))
[ -z "$runs" ] || share=$seconds
[ $share -gt 0 ] || share=1
failed=0
for name in "${targets[@]}"; do
  mkdir -p "$build/corpus/$name" "$here/Corpus/$name"
  options=(-max_total_time=$share ${runs:+-runs=$runs} -max_len=$(length_of "$name") -timeout=20 -rss_limit_mb=2048
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$here/Artefacts/$name-")
  [ ! -f "$here/Dictionaries/$name.dict" ] || options+=("-dict=$here/Dictionaries/$name.dict")
  log="$build/$name.log"
  begun=$SECONDS
  # What an earlier run found must hold now, or there is no point in searching further.
  for found in "$here/Artefacts/$name"-*; do
    [ -f "$found" ] || continue
    if timeout -k 5 30 "$build/$name" "$found" >"$log" 2>&1; then
      echo "fuzz: $name: holds now: ${found#"$root"/}"
    else
      failed=1
      grep -E -m 1 'BROKEN PROMISE|SUMMARY' "$log" || true
      echo "fuzz: $name: STILL FAILS: ${found#"$root"/}"
    fi
  done
  if timeout -k 5 $((share + 60)) "$build/$name" "${options[@]}" "$build/corpus/$name" "$here/Corpus/$name" >"$log" 2>&1; then
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "fuzz: $name: ok, $executed runs in $((SECONDS - begun)) s, corpus $(find "$here/Corpus/$name" "$build/corpus/$name" -type f | wc -l)"
  else
    failed=1
    grep -E -m 12 'BROKEN PROMISE|ERROR:|SUMMARY|^ *#[0-9]+ .* in ' "$log" || tail -20 "$log"
    echo "fuzz: $name: FAILED; the input is in Fuzz/Artefacts, the whole output in ${log#"$root"/}"
  fi
done
exit $failed
