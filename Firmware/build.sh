#!/usr/bin/env bash
# Builds an image for a board: .build/firmware/BOARD/IMAGE/image.elf, and tells its size.
#
#   Firmware/build.sh [BOARD] [IMAGE]   BOARD is a folder of Firmware/Boards, mps2-an386 by default; IMAGE is replay, live,
#                                       hangs: live with ways to hang and to crash, for watchdog.py,
#                                       libgcc-doubles: replay with the additions of libgcc, which check.sh must refuse,
#                                       start: chooses the image of a slot, or live-a, live-b, hangs-a, hangs-b: these for a slot;
#                                       LEASH_FIRMWARE_KEY is the file of the public key that updates are signed with
#   Firmware/build.sh --boards          name the boards
#   Firmware/build.sh --all             build both images for all of them
#   Firmware/build.sh --host            build for this machine: the replay, and the test of the rings
#
# Exit codes: 0 built, 1 not, 2 wrong usage, 3 a tool is missing.
set -euo pipefail

tool=firmware
# shellcheck source=Firmware/compile.sh
. "$(dirname "$0")/compile.sh"
board=${1:-mps2-an386}
image=${2:-replay}

case "$board" in
  -h | --help) sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
  --boards) ls "$firmware/Boards"; exit 0 ;;
  --all)
    for board in $(ls "$firmware/Boards"); do
      "$0" "$board" replay
      "$0" "$board" live
    done
    exit 0
    ;;
esac

# libgcc whose double addition and subtraction, which round wrongly (docs/elementary.md), stand back for those of the image.
make_libgcc() {
  local own="$build/libgcc.a" symbol weaken=()
  if [ ! "$own" -nt "$libgcc" ]; then
    for symbol in __aeabi_dadd __aeabi_dsub __aeabi_drsub __adddf3 __subdf3; do weaken+=("--weaken-symbol=$symbol"); done
    arm-none-eabi-objcopy "${weaken[@]}" "$libgcc" "$own"
  fi
  libgcc=$own
}

build_host() {
  build="$root/.build/firmware"
  into="$root/.build/gate/host"
  use_processor cortex-m4
  find_tools
  use_flags host
  compile_core
  local core=$into
  into="$build/host"
  mkdir -p "$into"
  flags+=(-I "$core")
  for module in $built; do ln -sf "$core/$module.key" "$into/"; done
  compile ReplayHost "$firmware"/Sources/ReplayHost/*.swift "$firmware"/Sources/Replay/*.swift
  [ "$into/replay" -nt "$into/ReplayHost.o" ] || swiftc "$into/ReplayHost.o" "${objects[@]}" -lm -o "$into/replay"
  compile RingsHost "$firmware"/Sources/RingsHost/*.swift "$firmware"/Sources/Rings/*.swift
  [ "$into/rings" -nt "$into/RingsHost.o" ] || swiftc "$into/RingsHost.o" "${objects[@]}" -lm -o "$into/rings"
}

if [ "$board" = --host ]; then
  build_host
  exit 0
fi

[ -f "$firmware/Boards/$board/board.conf" ] || {
  say "firmware: no board '$board'; there are: $(ls "$firmware/Boards" | paste -sd' ')"
  exit 2
}
case "$image" in
  replay | libgcc-doubles | live | hangs) script=board ;;
  live-[ab] | hangs-[ab]) script=slot-${image#*-} ;;
  start) script=start ;;
  *) say "firmware: no image '$image'; there are: replay live hangs libgcc-doubles start live-a live-b hangs-a hangs-b"; exit 2 ;;
esac
[ -f "$firmware/Boards/$board/$script.ld" ] || { say "firmware: $board has no $script.ld, which the image $image needs"; exit 2; }

# The public key that images are signed with, in Swift.
write_key() {
  local file=${LEASH_FIRMWARE_KEY:-} bytes
  [ -f "$file" ] || { say "firmware: LEASH_FIRMWARE_KEY: '$file' is no file; expected a public key, as openssl pkey -pubout writes it"; exit 2; }
  bytes=$(openssl pkey -pubin -in "$file" -outform DER | tail -c 32 | od -An -v -tx1 | sed 's/ \(..\)/0x\1, /g')
  [ "$(wc -w <<<"$bytes")" -eq 32 ] || fail "$file is no key of Ed25519"
  printf 'var updateKey: InlineArray<32, UInt8> {\n[\n%s\n]\n}\n' "$bytes" >"$into/Key.swift"
}

sources=$board
# shellcheck source=/dev/null
. "$firmware/Boards/$board/board.conf"
linker_script="$firmware/Boards/$board/$script.ld"
use_processor "$processor"
find_tools
# The gate compiles the core for a Cortex-M4F with the same flags.
build="$root/.build/firmware/$processor"
core="$build/core"
[ "$processor" != cortex-m4 ] || core="$root/.build/gate/core"
mkdir -p "$build"
make_runtime_archive
make_libgcc
into=$core
use_flags firmware
compile_core
into="$root/.build/firmware/$board/$image"
mkdir -p "$into"
flags+=(-I "$core")
for module in $built; do ln -sf "$core/$module.key" "$into/"; done
# What an image is made of, beside the core.
files=("$firmware/Sources/Startup/Startup.swift" "$firmware"/Sources/Image/*.swift "$firmware/Boards/$sources/Board.swift")
case "$image" in
  start)
    write_key
    files+=("$firmware/Boards/$sources"/{Watchdog,Slots}.swift "$firmware/Sources/LiveImage/FileFlash.swift"
      "$firmware"/Sources/StartImage/*.swift "$into/Key.swift")
    ;;
  live* | hangs*)
    for file in Ports Watchdog; do
      [ -f "$firmware/Boards/$sources/$file.swift" ] || { say "firmware: $board has no $file.swift, which a live image needs"; exit 2; }
      files+=("$firmware/Boards/$sources/$file.swift")
    done
    files+=("$firmware"/Sources/{LiveImage,Rings}/*.swift "$firmware/Sources/Replay/Writing.swift")
    [[ $image = live* ]] || flags+=(-D HANGS)
    if [ "$script" != board ]; then
      flags+=(-D SLOTS)
      write_key
      files+=("$firmware/Boards/$sources/Slots.swift" "$into/Key.swift")
    fi
    ;;
  *) files+=("$firmware/Sources/Startup/Ending.swift" "$firmware"/Sources/{Replay,ReplayImage}/*.swift) ;;
esac
if [ "$image" = libgcc-doubles ]; then
  for place in "${!files[@]}"; do [[ ${files[place]} != */DoubleArithmetic.swift ]] || unset "files[place]"; done
fi
check_imports "${files[@]}"
compile Image "${files[@]}"
link "$into/Image.o" "${objects[@]}"
read -r text data bss < <(object_sizes "$into/image.elf")
say "firmware: $board, $image: $((text + data)) bytes of flash, $((data + bss)) of variables: ${into#"$root/"}/image.elf"
