#!/usr/bin/env bash
# Prints what the modem driver takes, as a table: bytes of code in the image of the firmware gate, bytes of memory there and here.
#
#   scripts/driver-size.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build="$root/.build/driver-size"
"$root/Firmware/gate.sh" >/dev/null 2>&1 || { echo "driver-size: Firmware/gate.sh does not pass" >&2; exit 1; }
mkdir -p "$build"
cat >"$build/main.swift" <<'SWIFT'
import ATCommands
import SIM7000
@_cdecl("sizes_modem") public func modemSize() -> Int { MemoryLayout<Modem>.stride }
@_cdecl("sizes_channel") public func channelSize() -> Int { MemoryLayout<ATChannel<SIM7000Dialect>>.size }
@_cdecl("sizes_configuration") public func configurationSize() -> Int { MemoryLayout<ModemConfiguration>.size }
SWIFT
# sizes FLAG… : a line with name and bytes for each of these functions, read from the code.
sizes() {
  swiftc -package-name leash -swift-version 6 -enable-experimental-feature Lifetimes -parse-as-library -O -wmo -emit-ir "$@" "$build/main.swift" |
    awk '/^define.*@sizes_/ { match($0, /sizes_[a-z_]+/); name = substr($0, RSTART + 6, RLENGTH - 6) }
      /^  ret i(32|64) [0-9]+/ && name { print name, $3; name = "" }'
}
board=$(sizes -target armv7em-none-none-eabi -enable-experimental-feature Embedded -I "$root/.build/gate/core" \
  -Xcc -mcpu=cortex-m4 -Xcc -mfloat-abi=hard -Xcc -mfpu=fpv4-sp-d16)
host=$(sizes -I "$root/.build/gate/host")
thousands() { sed ':next; s/^\([0-9]*[0-9]\)\([0-9]\{3\}\)/\1,\2/; t next' <<<"$1"; }
# value LINES NAME
value() { thousands "$(sed -n "s/^$2 //p" <<<"$1")"; }
# row WHAT NAME: its bytes there and here.
row() { echo "| $1 | $(value "$board" "$2") bytes | $(value "$host" "$2") bytes |"; }
echo "| | Cortex-M4F | x86-64 |"
echo "|---|---|---|"
# A function belongs to the module in its mangled name, also when it was specialised while another module was compiled.
arm-none-eabi-nm --print-size --radix=d "$root/.build/gate/core/image.elf" | awk '
  $4 ~ /^\$e9GateImage/ || ($3 != "t" && $3 != "T") { next }
  $4 ~ /^\$e10ATCommands/ { engine += $2; next }
  $4 ~ /7SIM7000|10ATCommands/ { driver += $2 }
  END { print engine, driver }' | {
  read -r engine driver
  echo "| code of functions of \`ATCommands\` | $(thousands "$engine") bytes | |"
  echo "| code of functions of \`SIM7000\` | $(thousands "$driver") bytes | |"
}
row '`Modem`' modem
row 'of it `ATChannel`' channel
row 'of it `ModemConfiguration`' configuration
