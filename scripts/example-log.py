#!/usr/bin/env python3
"""Makes fixtures/logs/theft.leash.gz, the example of the replay page: the first four minutes of a recorded ride, a rest, a knock and
a theft, which are simulated, with as few samples and fixes as tell the story.

  scripts/example-log.py     with .build/release/leash, or the command that LEASH names
"""
import datetime
import gzip
import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEASH = os.environ.get("LEASH", str(ROOT / ".build/release/leash"))
RIDE = ROOT / "fixtures/rides/ardennes_edge1000_gnss.csv.gz"
LOG = ROOT / "fixtures/logs/theft.leash.gz"
# Rows of the ride; of a hundred samples a second each eighth, from before the knock to behind the theft, s.
ROWS, STEP, SAMPLES = 240, 8, (600, 940)
# While it rests a fix each five seconds, s; the end, s.
REST, END = (245, 845), 960


def leash(*words):
    return subprocess.run([LEASH, *words], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def rounded(vector, step):
    """A vector in whole steps, as a sensor of that resolution has it."""
    return ",".join(f"{round(number / step) * step:.4f}" for number in vector)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with gzip.open(RIDE, "rt") as ride:
            (folder / "ride.csv").write_text("".join(ride.readline() for _ in range(ROWS)))
        leash("replay", str(folder / "ride.csv"), "--simulate-inertial", "--simulate-scene", "thief",
              "--record", str(folder / "whole.leash"))
        samples, fixes = ["t_s,gx,gy,gz,ax,ay,az"], ["t_s,utc,lat_deg,lon_deg,alt_m,speed_mps,hacc_m"]
        for number, line in enumerate(leash("log", "--only", "inertial", str(folder / "whole.leash")).splitlines()):
            sample = json.loads(line)
            if number % STEP == 0 and SAMPLES[0] <= sample["t"] <= SAMPLES[1] and "angularRate" in sample and "specificForce" in sample:
                samples.append(f"{sample['t']:.3f},{rounded(sample['angularRate'], 0.0008)},{rounded(sample['specificForce'], 0.0024)}")
        for line in leash("log", "--only", "fix", str(folder / "whole.leash")).splitlines():
            fix = json.loads(line)
            time = fix["t"]
            if time > END or (REST[0] < time < REST[1] and time % 5):
                continue
            utc = datetime.datetime.fromtimestamp(fix["utc"], datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            fixes.append(f"{time},{utc},{fix['latitudeE9'] / 1e9:.7f},{fix['longitudeE9'] / 1e9:.7f},"
                         f"{fix['heightAboveSeaLevel']:.1f},{fix.get('speed', '')},{fix.get('horizontalAccuracy', '')}")
        (folder / "imu.csv").write_text("\n".join(samples) + "\n")
        (folder / "gnss.csv").write_text("\n".join(fixes) + "\n")
        leash("replay", str(folder / "imu.csv"), str(folder / "gnss.csv"), "--set", "calibration.mounting=+z +x +y",
              "--record", str(folder / "theft.leash"))
        LOG.write_bytes(gzip.compress((folder / "theft.leash").read_bytes(), 9, mtime=0))
        print(f"{LOG.relative_to(ROOT)}: {LOG.stat().st_size} bytes")


main()
