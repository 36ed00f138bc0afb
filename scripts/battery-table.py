#!/usr/bin/env python3
"""Lives thirty days of each profile, and says what of a battery of 2,600 mAh goes where, as tables in Markdown.

  scripts/battery-table.py LEASH OUT [MONTHS]   writes the files OUT/battery and OUT/forecast; the months are in fixtures/months

The bike is ridden for five minutes a day, otherwise parked and armed: with each idle state of the modem, sensors awake and asleep.
Each profile: days by the world's ledger and by the tracker's own forecast. Exit code 1 when a forecast is off by more than 5 %.
"""
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

IDLE = ["awake", "sleep", "powerSaving", "off"]
WANTED = 60
LIMIT = 5.0
MICROCOULOMBS = 3.6e6  # in a mAh
GROUPS = [
  ("modem", None),
  ("receiver", ["receiver", "singleFix", "receiverOff"]),
  ("inertial sensor", ["inertial", "watching"]),
  ("processor", ["processor", "processorAsleep"]),
  ("lost by itself", ["selfDischarge"]),
]
CAUSES = {
  "receiver": "receiver on", "singleFix": "receiver, single fixes", "receiverOff": "receiver off", "inertial": "inertial sensor awake",
  "watching": "inertial sensor watching", "processor": "processor at work", "processorAsleep": "processor asleep",
  "selfDischarge": "lost by itself",
}
REACHABLE = {
  "awake": "at any time", "sleep": "at any time", "powerSaving": "when it sends", "off": "when it sends",
}


def live(leash, path, idle, sleeps):
  command = [leash, "simulate", path, "--idle", idle, "--set", f"sensing.sleep={'true' if sleeps else 'false'}", "--json"]
  result = subprocess.run(command, capture_output=True, text=True)
  if result.returncode != 0:
    sys.exit(f"{' '.join(command)}: {result.stderr}{result.stdout[-2000:]}")
  return json.loads(result.stdout.splitlines()[0])


def charges(life):
  """mAh a day, by cause."""
  days = life["seconds"] / 86400
  result = {f"modem {name}": charge / MICROCOULOMBS / days for name, charge in life["charges"].items()}
  result.update({cause: charge / MICROCOULOMBS / days for cause, charge in life["tracker"].items()})
  return result


def battery_rows(lives):
  yield "| modem idle | owner reaches it | sensors | " + " | ".join(name for name, _ in GROUPS) + " | in all, mAh a day | days |"
  yield "|---|---|---|" + "---:|" * (len(GROUPS) + 2)
  for (idle, sleeps), life in lives.items():
    by_cause = charges(life)
    cells = []
    for _, causes in GROUPS:
      part = [charge for cause, charge in by_cause.items() if (cause in causes if causes else cause.startswith("modem"))]
      cells.append(f"{sum(part):.1f}")
    yield (f"| `{idle}` | {REACHABLE[idle]} | {'asleep' if sleeps else 'awake'} | " + " | ".join(cells)
           + f" | {sum(by_cause.values()):.1f} | {life['batteryDays']['ledger']:.1f} |")
  yield ""
  for (idle, sleeps), life in lives.items():
    by_cause = charges(life)
    whole = sum(by_cause.values())
    days = life["batteryDays"]["ledger"]
    if days >= WANTED or not sleeps:
      continue
    # What has to go so that the rest lasts long enough, the largest first.
    too_much = whole * (1 - days / WANTED)
    large = [item for item in sorted(by_cause.items(), key=lambda item: -item[1]) if item[1] > 0.05 * whole]
    words = ", ".join(f"{CAUSES.get(cause, cause)} {charge:.1f} ({100 * charge / whole:.0f} %)" for cause, charge in large)
    yield f"- `{idle}`, sensors asleep: {too_much:.1f} mAh a day too much for {WANTED} days. {words[0].upper()}{words[1:]}."


def forecast_rows(lives):
  yield "| profile | sensors | modem idle | drawn, mAh a day | days by the ledger | days by the forecast | difference |"
  yield "|---|---|---|---:|---:|---:|---:|"
  for (profile, idle, sleeps), life in lives.items():
    days = life["batteryDays"]
    yield (f"| `{profile}` | {'asleep' if sleeps else 'awake'} | `{idle}` | {sum(charges(life).values()):.1f} | {days['ledger']:.1f} | "
           f"{days['forecast']:.1f} | {days['differencePercent']:+.1f} % |")


def main():
  leash, out = sys.argv[1:3]
  months = sys.argv[3] if len(sys.argv) > 3 else "fixtures/months"
  jobs = [("bike", idle, sleeps) for sleeps in (False, True) for idle in IDLE]
  jobs += [("collar", idle, sleeps) for sleeps in (False, True) for idle in ("awake", "sleep")]
  with ThreadPoolExecutor(os.cpu_count()) as pool:
    found = list(pool.map(lambda job: live(leash, os.path.join(months, job[0] + ".json5"), job[1], job[2]), jobs))
  lives = dict(zip(jobs, found))
  bikes = {(idle, sleeps): lives["bike", idle, sleeps] for idle in IDLE for sleeps in (False, True)}
  for name, rows in (("battery", battery_rows(bikes)), ("forecast", forecast_rows(lives))):
    with open(os.path.join(out, name), "w", encoding="utf-8") as file:
      file.write("\n".join(rows) + "\n")
  worst = max(abs(life["batteryDays"]["differencePercent"]) for life in found)
  print(f"the forecast is off by {worst:.1f} % at most")
  sys.exit(0 if worst <= LIMIT else 1)


main()
