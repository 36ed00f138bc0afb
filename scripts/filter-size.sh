#!/usr/bin/env bash
# Prints the bytes of code of the attitude filter on a Cortex-M4F, type by type, from the image of the firmware gate.
#
#   scripts/filter-size.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/Firmware/gate.sh" >/dev/null
parts='AttitudeFilter LevelEstimate MagneticEstimate GNSSHeading InertialBatch StuckAxes SymmetricMatrix3 RestState RestSignal WindowStatistics'
arm-none-eabi-nm --print-size --radix=d "$root/.build/gate/core/image.elf" |
  awk '$3 == "t" || $3 == "T" { print $2, $4 }' | swift demangle --simplified |
  awk -v parts="$parts" '
    /LiteAttitudeFilter|FixedLagSmoother/ { next }
    BEGIN { count = split(parts, names, " ") }
    { for (i = 1; i <= count; i++) if (index($0, names[i])) { size[names[i]] += $1; total += $1; break } }
    END { for (i = 1; i <= count; i++) printf "%-18s %6d bytes\n", names[i], size[names[i]]
          printf "%-18s %6d bytes\n", "together", total }'
