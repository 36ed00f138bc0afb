#!/bin/sh
# A first alert without hardware, within a minute: made sensors, a broker when mosquitto is there, and 'leash run'.
#
# usage: scripts/try-board.sh [SECONDS]     how long to run; until Ctrl-C without it
#
# The bike stands still, is armed after 10 s, is shaken from second 20 on and rolls away 15 s later.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
leash=${LEASH:-$here/../.build/release/leash}
[ -x "$leash" ] || { echo "try-board: there is no $leash; build it first: make release" >&2; exit 3; }
command -v python3 >/dev/null || { echo "try-board: python3 is needed: sudo apt-get install python3" >&2; exit 3; }

work=$(mktemp -d)
pids=""
# Ends what was started here, and nothing else.
tidy() {
  trap - EXIT HUP INT TERM
  for pid in $pids; do kill "$pid" 2>/dev/null || :; done
  wait 2>/dev/null || :
  rm -rf "$work"
}
trap tidy EXIT
trap 'tidy; exit 0' HUP INT TERM

uplink=""
broker=$(PATH=$PATH:/usr/sbin command -v mosquitto || :)
if [ -n "$broker" ]; then
  port=${TRY_PORT:-18830}
  printf 'listener %s 127.0.0.1\nallow_anonymous true\n' "$port" >"$work/mosquitto.conf"
  "$broker" -c "$work/mosquitto.conf" >"$work/mosquitto.log" 2>&1 &
  pids="$pids $!"
  uplink="{ by: \"mqtt\", host: \"127.0.0.1\", port: $port, topic: \"leash/try\" },"
else
  echo "try-board: no mosquitto here, so the packets wait in the outbox (sudo apt-get install mosquitto)" >&2
fi

cat >"$work/leash.json5" <<CONFIG
{
  trackerId: "trial",
  gnss: { source: "serial", port: "$work/gnss", rate: 9600 },
  imu: { source: "serial", port: "$work/imu", rate: 115200 },
  uplinks: [ $uplink ],
  state: "$work/state.db",
  control: "$work/control",
  record: { folder: "$work/rides" },
  // Armed after 10 s in place of five minutes: nobody wants to wait that long for a trial.
  motion: { armAfter: 10 },
}
CONFIG

python3 "$here/made-sensors.py" "$work/gnss" "$work/imu" 20 &
pids="$pids $!"
tries=0
while [ ! -e "$work/imu" ] && [ $tries -lt 50 ]; do tries=$((tries + 1)); sleep 0.1; done

echo "try-board: ask it from another terminal: $leash status --socket $work/control" >&2
"$leash" run "$work/leash.json5" --packets --http 127.0.0.1:0 &
run=$!
pids="$pids $run"
if [ $# -gt 0 ]; then
  sleep "$1"
  "$leash" status --socket "$work/control" || :
  kill "$run"
fi
wait "$run" || :
