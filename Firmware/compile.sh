# What scripts share that build images: the core, module by module, for a processor or for this machine, and the link.
#
# Sourced by them. They set `tool`, the name that their messages begin with, and `linker_script`.
# shellcheck shell=bash disable=SC2154,SC2034

modules="Quantities InlineStorage ASCIIText Requests SecretBox NMEA SensorFrames InertialFusion Positioning Rules MotionDetection Telemetry OwnTracks Traccar PacketForms HomeAssistant Delivery TrackerCore Gear Activity ATCommands SIM7000 CellularDelivery TrackerLog FlashStorage BoardHealth FirmwareUpdate"
firmware=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$firmware")

# What the image may take from the C library: block memory operations and the square root, which IEEE 754 fixes to the bit
# (in double precision it is software here, and asks for the rounding mode and the class of its argument).
library_members="memcpy.S.o memmove.c.o memset.S.o aeabi_memset.c.o bzero.c.o libc_string_memcmp.c.o
  libm_machine_arm_s_sqrt.c.o libm_machine_arm_sf_sqrt.c.o
  libm_machine_arm_fegetround.c.o libm_common_s_fpclassify.c.o libm_common_math_err_invalid.c.o"
not_in_firmware='Foundation|FoundationEssentials|Glibc|Musl|Dispatch|Synchronization|Testing|XCTest|_Concurrency'

say() { printf '%s\n' "$*" >&2; }
fail() { say "$tool: FAILED: $*"; exit 1; }
missing() { say "$tool: $1 is missing; scripts/setup-debian.sh installs what is needed"; exit 3; }

# use_processor NAME : what an image is compiled for and linked with.
use_processor() {
  local unit variant
  case $1 in
    cortex-m4) unit=fpv4-sp-d16 variant=thumb/v7e-m+fp/hard ;;
    cortex-m7) unit=fpv5-d16 variant=thumb/v7e-m+dp/hard ;;
    *) fail "no processor '$1' (cortex-m4, cortex-m7)" ;;
  esac
  cpu=(-mcpu="$1" -mfloat-abi=hard -mfpu="$unit")
  libc=${PICOLIBC:-/usr/lib/picolibc/arm-none-eabi}/lib/release/$variant/libc.a
  # -fno-math-errno turns squareRoot() into an instruction; without it there is a call that sets errno.
  swift_flags=(-target armv7em-none-none-eabi -enable-experimental-feature Embedded -enable-experimental-feature Lifetimes
    -enable-experimental-feature RawLayout
    -package-name leash -swift-version 6 -warnings-as-errors -wmo -Osize -parse-as-library -Xfrontend -function-sections
    -Xcc -mcpu="$1" -Xcc -mfloat-abi=hard -Xcc -mfpu="$unit" -Xcc -fno-math-errno)
}

# Not optimised: what comes out has to be the same bits, and it compiles in a third of the time. With lanes, as in Package.swift; the
# processor has none, so that their bits are compared with those of plain vectors.
host_flags=(-package-name leash -enable-experimental-feature Lifetimes -enable-experimental-feature RawLayout
  -enable-experimental-feature BuiltinModule -swift-version 6 -warnings-as-errors -wmo -Onone -parse-as-library)

find_tools() {
  command -v swiftc >/dev/null || missing swiftc
  command -v arm-none-eabi-gcc >/dev/null || missing arm-none-eabi-gcc
  local resources
  toolchain=$(swiftc --version 2>/dev/null | head -1)
  resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
  linker="${resources%/lib/swift}/bin/ld.lld"
  demangle="${resources%/lib/swift}/bin/swift-demangle"
  [ -x "$linker" ] || missing "ld.lld of the Swift toolchain ($linker)"
  libgcc=$(arm-none-eabi-gcc -mthumb "${cpu[@]}" -print-libgcc-file-name)
  [ -f "$libc" ] || missing "picolibc ($libc)"
}

# A small archive with the allowed members only: anything else of the C library is an undefined symbol, named with its user.
make_runtime_archive() {
  runtime="$build/runtime.a"
  [ "$runtime" -nt "$libc" ] && [ "$runtime" -nt "$firmware/compile.sh" ] && return
  rm -rf "$build/runtime" "$runtime"
  mkdir -p "$build/runtime"
  # shellcheck disable=SC2086 # a list of words
  (cd "$build/runtime" && arm-none-eabi-ar x "$libc" $library_members && arm-none-eabi-ar rcs "$runtime" ./*.o)
}

# check_imports SOURCE… : text first, because the compiler's own message does not say that it is forbidden.
check_imports() {
  local found
  found=$(grep -nHE "^[[:space:]]*(@[A-Za-z_]+ )*((public|package|internal|private|fileprivate) )?import ((struct|func|class|enum|var|let) )?($not_in_firmware)([.[:space:]]|\$)" \
    "$@" | head -3 || true)
  [ -z "$found" ] || { say "$found"; fail "the core imports what firmware does not have"; }
}

# imports_of SOURCE… : the core modules that they import, and what the gate asks of their memory.
imports_of() {
  sed -nE 's/^([@A-Za-z_]+ )*import ((struct|func|class|enum|var|let|typealias) )?([A-Za-z0-9_]+).*/\4/p' "$@" |
    sort -u | grep -xFf <(tr ' ' '\n' <<<"$modules PartMemory") || true
}

# compile MODULE SOURCE… : object and module file into $into; nothing to do when no source, flag or imported module changed.
compile() {
  local module=$1 key import
  shift
  key=$(
    cat "$@"
    printf '%s ' "${flags[@]}"
    for import in $(imports_of "$@"); do cat "$into/$import.key" || exit 1; done
    if grep -qs '^import CPUSupport' "$@"; then cat "$firmware"/Sources/CPUSupport/*; fi
  ) || fail "$module imports a module that comes after it"
  key="$module $(cksum <<<"$key") $toolchain"
  if [ ! -f "$into/$module.o" ] || [ "$(cat "$into/$module.key" 2>/dev/null)" != "$key" ]; then
    rm -f "$into/$module.key"
    swiftc "${flags[@]}" -module-name "$module" -I "$into" -I "$firmware/Sources" \
      -emit-module -emit-module-path "$into/$module.swiftmodule" -c "$@" -o "$into/$module.o" >"$into/$module.log" 2>&1 ||
      { cat "$into/$module.log" >&2; fail "$module does not compile in Embedded Swift"; }
    printf '%s\n' "$key" >"$into/$module.key"
  fi
  if [ "$for_firmware" = yes ]; then check_float_convention "$into/$module.o"; fi
}

use_flags() { # use_flags firmware|host
  if [ "$1" = firmware ]; then flags=("${swift_flags[@]}"); for_firmware=yes; else flags=("${host_flags[@]}"); for_firmware=no; fi
}

# The linker joins hard and soft float calling conventions without a word, and the image then computes nonsense.
check_float_convention() {
  arm-none-eabi-readelf -A "$1" | grep -q 'Tag_ABI_VFP_args: VFP registers' ||
    fail "$(basename "$1") does not pass floating-point arguments in VFP registers"
}

# link OBJECT… : $into/image.elf, or a line that says what was reached that firmware does not have.
link() {
  local log="$into/link.log"
  if ! "$linker" -T "$linker_script" -L "$firmware" --gc-sections --fatal-warnings -Map "$into/image.map" -o "$into/image.elf" \
    "$@" "$runtime" "$libgcc" >"$log" 2>&1; then
    "$demangle" <"$log" | sed "s|$into/||g" >&2
    if grep -qE 'undefined symbol: (posix_memalign|aligned_alloc|malloc|calloc|realloc|free|swift_.*[aA]lloc.*)$' "$log"; then
      fail "a heap allocation is reachable (the users are named above)"
    elif grep -qE 'undefined symbol: (a?(sin|cos|tan)h?|atan2|exp[2m]?1?|log(10|2|1p|b)?|pow|cbrt|fma|fmod|remainder|hypot|rint|nearbyint|round|floor|ceil|trunc|erf|[lt]gamma)[fl]?$' "$log"; then
      fail "a function of the C mathematics library is reachable; of those only the square root is allowed"
    elif grep -qE 'undefined symbol: ' "$log"; then
      fail "the image needs: $(sed -n 's/.*undefined symbol: //p' "$log" | sort -u | "$demangle" | paste -sd, | cut -c1-300)"
    fi
    fail "the image does not link"
  fi
  local allocator
  allocator=$(arm-none-eabi-nm "$into/image.elf" | grep -E ' _?(malloc|calloc|realloc|free|posix_memalign|aligned_alloc|sbrk)$' || true)
  [ -z "$allocator" ] || fail "the image has an allocator: $allocator"
  check_float_convention "$into/image.elf"
}

# compile_core : every core module there is, in order; $built and $objects tell which.
compile_core() {
  mkdir -p "$into"
  built=""
  objects=()
  local sources module
  for module in $modules; do
    [ -d "$root/Sources/$module" ] || continue
    mapfile -t sources < <(find "$root/Sources/$module" -name '*.swift' | LC_ALL=C sort)
    [ ${#sources[@]} -gt 0 ] || continue
    check_imports "${sources[@]}"
    compile "$module" "${sources[@]}"
    built="$built $module"
    objects+=("$into/$module.o")
  done
}

# object_sizes FILE : text data bss
object_sizes() { arm-none-eabi-size "$1" | awk 'NR == 2 { print $1, $2, $3 }'; }
