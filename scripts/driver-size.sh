#!/usr/bin/env bash
# Prints what the modem driver takes: bytes of code in the image of the firmware gate, bytes of memory there and here.
#
#   scripts/driver-size.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build="$root/.build/driver-size"
"$root/Firmware/gate.sh" >/dev/null 2>&1 || { echo "driver-size: Firmware/gate.sh does not pass" >&2; exit 1; }
# A function belongs to the module in its mangled name, also when it was specialised while another module was compiled.
arm-none-eabi-nm --print-size --radix=d "$root/.build/gate/core/image.elf" | awk '
  $4 ~ /^\$e9GateImage/ || ($3 != "t" && $3 != "T") { next }
  $4 ~ /^\$e10ATCommands/ { engine += $2; next }
  $4 ~ /7SIM7000|10ATCommands/ { driver += $2 }
  END {
    printf "%-34s %6d bytes\n", "code of ATCommands, Cortex-M4F", engine
    printf "%-34s %6d bytes\n", "code of SIM7000, Cortex-M4F", driver
    printf "%-34s %6d bytes\n", "together", engine + driver
  }'
mkdir -p "$build"
cat >"$build/main.swift" <<'SWIFT'
import ATCommands
import SIM7000
@_cdecl("sizes_modem") public func modemSize() -> Int { MemoryLayout<Modem>.size }
@_cdecl("sizes_modem_stride") public func modemStride() -> Int { MemoryLayout<Modem>.stride }
@_cdecl("sizes_channel") public func channelSize() -> Int { MemoryLayout<ATChannel<SIM7000Dialect>>.size }
@_cdecl("sizes_channel_stride") public func channelStride() -> Int { MemoryLayout<ATChannel<SIM7000Dialect>>.stride }
@_cdecl("sizes_configuration") public func configurationSize() -> Int { MemoryLayout<ModemConfiguration>.size }
SWIFT
# sizes WHERE FLAG… : the constants the functions return, read from the code.
sizes() {
  local where=$1
  shift
  swiftc -swift-version 6 -enable-experimental-feature Lifetimes -parse-as-library -O -wmo -emit-ir "$@" "$build/main.swift" |
    awk -v where="$where" '/^define.*@sizes_/ { match($0, /sizes_[a-z_]+/); name = substr($0, RSTART + 6, RLENGTH - 6) }
      /^  ret i(32|64) [0-9]+/ && name { printf "%-34s %6d bytes\n", name ", " where, $3; name = "" }'
}
sizes "Cortex-M4F" -target armv7em-none-none-eabi -enable-experimental-feature Embedded -I "$root/.build/gate/core" \
  -Xcc -mcpu=cortex-m4 -Xcc -mfloat-abi=hard -Xcc -mfpu=fpv4-sp-d16
sizes "this machine" -I "$root/.build/gate/host"
