#!/usr/bin/env python3
"""Compares the rides that `leash trips` finds in recordings with when the devices that recorded them moved.

  scripts/trips-table.py LEASH PAGE [FOLDER]   write the table into the page, between its marks
  scripts/trips-table.py LEASH - [FOLDER]      print it

FOLDER has the recordings; default: LEASH_DATA, or ../shared/data beside the repository. A ride begins and ends where the device's own
speed says that it first and last moved. Recordings whose speeds are known to be wrong are left out. A ride that
is split, joined, or differs by more than 10 s is marked. Without recordings the
page stays as it is.
"""
import csv
import glob
import gzip
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Their speeds are not those of the vehicle.
WRONG_SPEEDS = ("escooter_05", "escooter_28")
LEAST_SPEED = 0.5
LONGEST = 10
# A shorter stop than this is no end of a ride (motion.armAfter).
PARKED_AFTER = 300


def device(path):
    """When the device says that it moved: the rides between its stops of PARKED_AFTER, (first, last), s, and all gaps."""
    rides, last_row = [], None
    with gzip.open(path, "rt") as file:
        for row in csv.DictReader(file):
            if not row.get("speed_mps"):
                continue
            time = float(row["t_s"])
            if float(row["speed_mps"]) >= LEAST_SPEED:
                if rides and time - rides[-1][1] < PARKED_AFTER:
                    rides[-1][1] = time
                else:
                    # The vehicle moved in the step before, unless it was a gap.
                    begin = last_row if last_row is not None and time - last_row <= LONGEST else time
                    rides.append([begin, time])
            last_row = time
    return rides


def main():
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    leash, page = sys.argv[1:3]
    folder = sys.argv[3] if len(sys.argv) == 4 else os.environ.get("LEASH_DATA", os.path.join(ROOT, "../shared/data"))
    paths = []
    for name in ("rides", "rides_dublin", "rides_gnss"):
        paths += sorted(glob.glob(os.path.join(folder, name, "*_gnss.csv.gz")))
    if not paths:
        # Without recordings the table stays as it is.
        print(f"trips-table: skipped: no recordings in {folder}", file=sys.stderr)
        return 0
    lines = ["| ride | device: rides | found | start | end | moving, s | distance, m | within 10 s |", "|---|---:|---:|---:|---:|---:|---:|---|"]
    counts = {"rides": 0, "good": 0}
    starts, ends = [], []
    for path in paths:
        name = os.path.basename(path)[: -len("_gnss.csv.gz")]
        if name in WRONG_SPEEDS:
            continue
        truth = device(path)
        if not truth:
            continue
        out = subprocess.run([leash, "trips", "--json", path], check=True, stdout=subprocess.PIPE).stdout.decode()
        found = [json.loads(line) for line in out.splitlines()]
        counts["rides"] += 1
        if len(found) == len(truth):
            errors = [(f["start"] - t[0], f["end"] - t[1]) for f, t in zip(found, truth)]
            starts += [error[0] for error in errors]
            ends += [error[1] for error in errors]
            holds = all(abs(error) <= LONGEST for pair in errors for error in pair)
            start = ", ".join(f"{error[0]:+.1f}" for error in errors)
            end = ", ".join(f"{error[1]:+.1f}" for error in errors)
        else:
            holds, start, end = False, "", ""
        counts["good"] += holds
        moving = sum(f["movingTime"] for f in found)
        distance = sum(f["distance"] for f in found)
        lines.append(
            f"| {name} | {len(truth)} | {len(found)} | {start} | {end} | {moving:.0f} | {distance:.0f} | "
            f"{'yes' if holds else '**no**'} |")
    lines.append("")
    lines.append(f"- {counts['good']} of {counts['rides']} recordings: as many rides as the device, each start and end within 10 s")
    for what, errors in (("start", starts), ("end", ends)):
        errors = sorted(errors)
        if errors:
            lines.append(f"- {what}: median {errors[len(errors) // 2]:+.1f} s, from {errors[0]:+.1f} to {errors[-1]:+.1f} s")
    text = "\n".join(lines) + "\n"
    if page == "-":
        print(text, end="")
        return 0
    with tempfile.TemporaryDirectory() as work:
        with open(os.path.join(work, "trips"), "w") as file:
            file.write(text)
        subprocess.run([os.path.join(ROOT, "scripts/put-marked.sh"), page, work], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
