#!/usr/bin/env python3
"""Measures how fast and in how much memory `leash simulate` lives, and prints it as a table in Markdown.

  Benchmarks/world.py LEASH [--instructions] [--memory]

Speed is that of the fastest of three runs less that of starting and stopping, as a difference of a longer and a shorter life. With
--instructions, valgrind counts the same difference; --memory lives ten years, which takes some minutes.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

USUAL = {"who": "bike", "seed": 7, "network": {"transport": "http"}}
SLEEP = {"sensing.sleep": True}
# Words, members of the scenario, deeds by their length, and the two lengths, s.
CASES = [
  ("whole world, 100 Hz sensor awake, parked", {"sensor": {"hertz": 100}}, lambda s: [{"stand": s}], 7200, 79200),
  (
    "whole world, 100 Hz sensor awake, ridden", {"sensor": {"hertz": 100}},
    lambda s: [{"stand": 700}, {"ride": {"speed": 5, "seconds": s}, "maybe": True}, {"stand": 700}], 1200, 13200),
  ("whole world, 12.5 Hz sensor awake, parked", {"sensor": {"hertz": 12.5}}, lambda s: [{"stand": s}], 7200, 266400),
  (
    "quiet night with the wake engine, 12.5 Hz", {"sensor": {"hertz": 12.5}, "settings": SLEEP}, lambda s: [{"stand": s}],
    86400, 2592000),
  (
    "quiet night with the wake engine, 50 Hz", {"sensor": {"hertz": 50}, "settings": SLEEP}, lambda s: [{"stand": s}],
    86400, 2592000),
  (
    "the same, streamed", {"sensor": {"hertz": 50}, "settings": SLEEP, "stream": True}, lambda s: [{"stand": s}],
    86400, 864000),
]


def write(folder, more, deeds, seconds):
  scenario = dict(USUAL, **{key: value for key, value in more.items() if key != "stream"})
  scenario.update(about="a benchmark", covers=[], timeline=deeds(seconds), expect={})
  path = os.path.join(folder, f"bench-{seconds}.json5")
  with open(path, "w") as file:
    json.dump(scenario, file)
  return path


def measure(command):
  """Seconds of processor time, and the peak of memory, MB."""
  begin = time.monotonic()
  process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
  out = process.stdout.read()
  err = process.stderr.read()
  _, status, usage = os.wait4(process.pid, 0)
  if os.waitstatus_to_exitcode(status) not in (0, 1):
    sys.exit(f"{' '.join(command)}: {err.decode()}")
  return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, time.monotonic() - begin, out


def instructions(command):
  result = subprocess.run(
    ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"] + command, capture_output=True, text=True)
  return int(re.search(r"Collected : (\d+)", result.stderr).group(1))


def speeds(leash, counts):
  print("| whole lives | times real time | processor time a simulated hour, ms |" + (" instructions a simulated second |" if counts else ""))
  print("|---|---:|---:|" + ("---:|" if counts else ""))
  for words, more, deeds, short, long in CASES:
    with tempfile.TemporaryDirectory() as folder:
      options = ["--faults", "none", "--jobs", "1"] + (["--stream"] if more.get("stream") else [])
      commands = [[leash, "simulate", write(folder, more, deeds, s), *options] for s in (short, long)]
      took = [min(measure(command)[0] for _ in range(3)) for command in commands]
      ratio = (long - short) / max(took[1] - took[0], 1e-6)
      row = f"| {words} | {ratio:,.0f} | {3.6e6 / ratio:.2f} |"
      if counts:
        few = long if long < 10 * short else 10 * short
        commands[1] = [leash, "simulate", write(folder, more, deeds, few), *options]
        once, more_of_it = (instructions(command) for command in commands)
        row += f" {(more_of_it - once) / (few - short):,.0f} |"
      print(row, flush=True)


def memory(leash):
  print("| days | peak of memory, MB |")
  print("|---:|---:|")
  for days in (1, 30, 365, 3650):
    options = ["--set", "sensing.sleep=true", "--calm", "--broken-log", "none"]
    peak = measure([leash, "simulate", "--days", str(days), "--seed", "3", *options])[1]
    print(f"| {days:,} | {peak:.1f} |", flush=True)


def main():
  words = sys.argv[1:]
  leash = words[0]
  if "--memory" in words:
    memory(leash)
  else:
    speeds(leash, "--instructions" in words)


main()
