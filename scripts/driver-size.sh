#!/usr/bin/env bash
# Prints what the modem driver takes, as a table: bytes of code in the image of the firmware gate, bytes of memory there and here, and
# the same of a driver that is built for MQTT alone (LEASH_MODEM_MQTT_ONLY).
#
#   scripts/driver-size.sh
set -euo pipefail
tool=driver-size
# shellcheck source=Firmware/compile.sh
. "$(dirname "$0")/../Firmware/compile.sh"
build="$root/.build/driver-size"
# What compile.sh links with.
# shellcheck disable=SC2034
linker_script="$firmware/mps2-an386.ld"
"$root/Firmware/gate.sh" >/dev/null 2>&1 || { echo "driver-size: Firmware/gate.sh does not pass" >&2; exit 1; }
mkdir -p "$build"
cat >"$build/main.swift" <<'SWIFT'
import ATCommands
import SIM7000
@_cdecl("sizes_modem") public func modemSize() -> Int { MemoryLayout<Modem>.stride }
@_cdecl("sizes_channel") public func channelSize() -> Int { MemoryLayout<ATChannel<SIM7000Dialect>>.size }
@_cdecl("sizes_configuration") public func configurationSize() -> Int { MemoryLayout<ModemConfiguration>.size }
SWIFT
# alone : the driver for MQTT alone, and an image that calls it, in $build/mqtt.
alone() {
  local module sources
  into="$build/mqtt"
  mkdir -p "$into"
  use_flags firmware
  flags+=(-D LEASH_MODEM_MQTT_ONLY)
  objects=()
  for module in Quantities InlineStorage ASCIIText ATCommands SIM7000; do
    mapfile -t sources < <(find "$root/Sources/$module" -name '*.swift' | LC_ALL=C sort)
    compile "$module" "${sources[@]}"
    objects+=("$into/$module.o")
  done
  compile ModemImage "$firmware"/Sources/{Startup/{Startup,Ending},GateImage/GateBoard}.swift "$firmware/Forms/ModemImage.swift"
  link "$into/ModemImage.o" "${objects[@]}"
}
use_processor cortex-m4
find_tools
make_runtime_archive
alone
# sizes FLAG… : a line with name and bytes for each of these functions, read from the code.
sizes() {
  swiftc -package-name leash -swift-version 6 -enable-experimental-feature Lifetimes -parse-as-library -O -wmo -emit-ir "$@" "$build/main.swift" |
    awk '/^define.*@sizes_/ { match($0, /sizes_[a-z_]+/); name = substr($0, RSTART + 6, RLENGTH - 6) }
      /^  ret i(32|64) [0-9]+/ && name { print name, $3; name = "" }'
}
board=$(sizes -target armv7em-none-none-eabi -enable-experimental-feature Embedded -I "$root/.build/gate/core" \
  -Xcc -mcpu=cortex-m4 -Xcc -mfloat-abi=hard -Xcc -mfpu=fpv4-sp-d16)
host=$(sizes -I "$root/.build/gate/host")
small=$(sizes -target armv7em-none-none-eabi -enable-experimental-feature Embedded -I "$build/mqtt" -D LEASH_MODEM_MQTT_ONLY \
  -Xcc -mcpu=cortex-m4 -Xcc -mfloat-abi=hard -Xcc -mfpu=fpv4-sp-d16)
thousands() { sed ':next; s/^\([0-9]*[0-9]\)\([0-9]\{3\}\)/\1,\2/; t next' <<<"$1"; }
# value LINES NAME
value() { thousands "$(sed -n "s/^$2 //p" <<<"$1")"; }
# row WHAT NAME: its bytes there, there for MQTT alone, and here.
row() { echo "| $1 | $(value "$board" "$2") bytes | $(value "$small" "$2") bytes | $(value "$host" "$2") bytes |"; }
# code ELF : bytes of the engine's and of the driver's functions. A function belongs to the module in its mangled name, also when it was
# specialised while another module was compiled.
code() {
  arm-none-eabi-nm --print-size --radix=d "$1" | awk '
    $4 ~ /^\$e(9Gate|10Modem)Image/ || ($3 != "t" && $3 != "T") { next }
    $4 ~ /^\$e10ATCommands/ { engine += $2; next }
    $4 ~ /7SIM7000|10ATCommands/ { driver += $2 }
    END { print engine, driver }'
}
read -r engine driver < <(code "$root/.build/gate/core/image.elf")
read -r small_engine small_driver < <(code "$build/mqtt/image.elf")
echo "| | Cortex-M4F | Cortex-M4F, MQTT alone | x86-64 |"
echo "|---|---|---|---|"
echo "| code of functions of \`ATCommands\` | $(thousands "$engine") bytes | $(thousands "$small_engine") bytes | |"
echo "| code of functions of \`SIM7000\` | $(thousands "$driver") bytes | $(thousands "$small_driver") bytes | |"
row '`Modem`' modem
row 'of it `ATChannel`' channel
row 'of it `ModemConfiguration`' configuration
