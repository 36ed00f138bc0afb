#!/usr/bin/env python3
"""Lives each scenario awake and with sensors that sleep, and compares what the tracker tells, as a table in Markdown.

  scripts/sleep-table.py LEASH [FOLDER]   the folder of the scenarios (fixtures/scenarios)

Of each alert, ride and alert of a fence the class and the onset are compared: the same kinds, in the same order, with the onset within a
second. What is not so is listed with both. Exit code 1 when a scenario passes awake and not asleep.
"""
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from difflib import SequenceMatcher

NEAR = 1.0


def seconds(text):
  """0:05:00 or 2 d 0:05:00, in s."""
  days, clock = (text.split(" d ") + [""])[:2] if " d " in text else ("0", text)
  hours, minutes, rest = clock.split(":")
  return int(days) * 86400 + int(hours) * 3600 + int(minutes) * 60 + float(rest)


def live(leash, path, sleeps):
  """What was told, as (kind, onset, told) with times in s, and whether the scenario passed."""
  command = [leash, "simulate", path, "--verbose", "--set", f"sensing.sleep={'true' if sleeps else 'false'}"]
  result = subprocess.run(command, capture_output=True, text=True)
  if result.returncode not in (0, 1):
    sys.exit(f"{' '.join(command)}: {result.stderr}")
  told = []
  for line in result.stdout.splitlines():
    match = re.match(r"((?:\d+ d )?\d+:\d\d:\d\d(?:\.\d+)?)  (\{.*\})$", line)
    if not match:
      continue
    at, members = seconds(match.group(1)), json.loads(match.group(2))
    if members.get("event") in ("movement", "rideStarted", "presence", "outside", "tampered", "crash"):
      # An uptime is on the clock of its life, and the line says whole seconds: UTC, where it is known, is the world's clock to a ms.
      if "utc" in members:
        at = datetime.fromisoformat(members["utc"]).timestamp()
      delay = members["uptime"] - members.get("onset", members["uptime"])
      told.append((members.get("detector") or members["event"], at - delay, at))
  return told, result.returncode == 0


def compare(awake, asleep):
  """Lines of what differs; none when all is the same."""
  classes = [[kind for kind, _, _ in told] for told in (awake, asleep)]
  if classes[0] != classes[1]:
    def words(told):
      return ", then ".join(f"{kind} after {at - onset:.1f} s" for kind, onset, at in told) or "nothing"
    return [
      f"{words(awake[a:b])}; asleep {words(asleep[c:d])}"
      for what, a, b, c, d in SequenceMatcher(None, *classes, autojunk=False).get_opcodes() if what != "equal"
    ]
  return [
    f"{kind}: onset {other - onset:+.1f} s, told {late - at:+.1f} s"
    for (kind, onset, at), (_, other, late) in zip(awake, asleep) if abs(other - onset) > NEAR
  ]


def main():
  leash = sys.argv[1]
  folder = sys.argv[2] if len(sys.argv) > 2 else "fixtures/scenarios"
  paths = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".json5"))
  with ThreadPoolExecutor(os.cpu_count()) as pool:
    lives = list(pool.map(lambda path: (live(leash, path, False), live(leash, path, True)), paths))
  same, rows, isGood = 0, [], True
  alerts, delays = 0, []
  for path, ((awake, passes), (asleep, passesAsleep)) in zip(paths, lives):
    name = os.path.basename(path)[:-6]
    alerts += len(awake)
    differences = compare(awake, asleep)
    if passes and not passesAsleep:
      differences.append("passes awake, and not asleep")
      isGood = False
    if differences:
      rows.append(f"| `{name}` | {'; '.join(dict.fromkeys(differences))} |")
    else:
      same += 1
      delays += [late - at for (_, _, at), (_, _, late) in zip(awake, asleep)]
  print(f"Of {len(paths)} scenarios with {alerts} alerts, rides and exits, {same} are told the same, class for class, with onsets within "
        f"{NEAR:.0f} s; told later asleep by {max(delays, default=0):.1f} s at most. The others:\n")
  print("| scenario | what differs |")
  print("|---|---|")
  print("\n".join(rows))
  sys.exit(0 if isGood else 1)


main()
