#!/usr/bin/env bash
# Prints the bytes of code of the attitude filters on a Cortex-M4F, type by type, from the image of the firmware gate, as a table.
#
#   scripts/filter-size.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/Firmware/gate.sh" >/dev/null
large='AttitudeFilter LevelEstimate MagneticEstimate GNSSHeading InertialBatch StuckAxes SymmetricMatrix3 RestState RestSignal WindowStatistics'
lite='LiteAttitudeFilter LiteState LiteParameters LiteCoefficients'
echo "| code | bytes |"
echo "|---|---:|"
arm-none-eabi-nm --print-size --radix=d "$root/.build/gate/core/image.elf" |
  awk '$3 == "t" || $3 == "T" { print $2, $4 }' | swift demangle --simplified |
  awk -v large="$large" -v lite="$lite" '
    function row(what, bytes) { print "| " what " | " bytes " |" }
    function add(filter, names, count,   i) {
      for (i = 1; i <= count; i++) if (index($0, names[i])) { size[names[i]] += $1; total[filter] += $1; return }
    }
    function rows(filter, names, count,   i) {
      row("**" filter "**", total[filter])
      for (i = 1; i <= count; i++) if (size[names[i]]) row("of it `" names[i] "`", size[names[i]])
    }
    BEGIN { larges = split(large, of_large, " "); lites = split(lite, of_lite, " ") }
    /FixedLagSmoother/ { next }
    /Lite(AttitudeFilter|State|Parameters|Coefficients)/ { add("lite", of_lite, lites); next }
    { add("the large filter", of_large, larges) }
    END { rows("lite", of_lite, lites); rows("the large filter", of_large, larges) }' |
  sed ':next; s/\([0-9]\)\([0-9]\{3\}\)\( |\|,\)/\1,\2\3/; t next'
