#!/usr/bin/env bash
# Builds the replay as a module of WebAssembly, .build/wasm/leash.wasm, and tells its size.
#
#   Firmware/wasm.sh               the module
#   Firmware/wasm.sh --page FILE   and the page that replays dropped logs with it, in one file, with an example
#
# The module needs the Swift toolchain alone, the page python3. Exit codes: 0 built, 1 not, 2 wrong usage, 3 a tool is missing.
set -euo pipefail

tool=wasm
# shellcheck source=Firmware/compile.sh
. "$(dirname "$0")/compile.sh"
page=""
case "${1:-}" in
  "") ;;
  --page) page=${2:?wasm: --page needs a file} ;;
  -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) echo "wasm: unknown argument '$1' (--page, --help)" >&2; exit 2 ;;
esac

command -v swiftc >/dev/null || missing swiftc
toolchain=$(swiftc --version 2>/dev/null | head -1)
resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
linker="${resources%/lib/swift}/bin/wasm-ld"
demangle="${resources%/lib/swift}/bin/swift-demangle"
[ -x "$linker" ] || missing "wasm-ld of the Swift toolchain ($linker)"

# reached_modules : of the core only what the replay imports, in the order of $modules: the rest would be compiled for nothing.
reached_modules() {
  local module wanted reached=" $(imports_of "$firmware"/Sources/{Replay,WasmImage}/*.swift | paste -sd' ') " all=""
  for module in $(tac -s' ' <<<"$modules " | tr '\n' ' '); do
    case $reached in *" $module "*) ;; *) continue ;; esac
    all="$module $all"
    wanted=$(find "$root/Sources/$module" -name '*.swift' -exec cat {} + | imports_of /dev/stdin | paste -sd' ')
    reached="$reached$wanted "
  done
  echo "$all"
}

modules=$(reached_modules)
support=$(cat "$firmware"/Sources/WASISupport/* | cksum | cut -d' ' -f1)
for_firmware=no
# The last of these leaves out a hash of paths, so that the module has the same bytes in whichever folder it is built.
flags=(-target wasm32-unknown-none-wasm -enable-experimental-feature Embedded -enable-experimental-feature Lifetimes
  -enable-experimental-feature RawLayout
  -package-name leash -swift-version 6 -warnings-as-errors -wmo -Osize -parse-as-library -Xfrontend -function-sections
  -Xfrontend -disable-stack-protector -Xfrontend -disable-incremental-llvm-codegen)
into="$root/.build/wasm"
compile_core
flags+=(-Xcc "-DWASI_SUPPORT=$support")
files=("$firmware"/Sources/{Replay,WasmImage}/*.swift)
check_imports "${files[@]}"
compile Image "${files[@]}"

# Nothing but these four may be asked of whoever runs it: anything else is an undefined symbol, an allocator too. The stack lies
# below everything else, so that one that grows too far is a trap.
log="$into/link.log"
if ! "$linker" --gc-sections --strip-all --compress-relocations --fatal-warnings --stack-first -z stack-size=262144 \
  --export=_start -o "$into/leash.wasm" "$into/Image.o" "${objects[@]}" >"$log" 2>&1; then
  "$demangle" <"$log" | sed "s|$into/||g" >&2
  fail "the module does not link"
fi
say "wasm: $(wc -c <"$into/leash.wasm") bytes: ${into#"$root/"}/leash.wasm"
[ -z "$page" ] || "$firmware/page.py" "$into/leash.wasm" "$root/fixtures/logs/theft.leash.gz" "$page" >&2
