#!/usr/bin/env python3
"""Plays all scenes at each word of motion.sensitivity and prints the table of docs/evaluation.md.

  scripts/sensitivity-table.py [LEASH]
"""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEASH = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / ".build/release/leash")


def scenes(word):
    if not pathlib.Path(LEASH).is_file():
        print(f"sensitivity-table: there is no {LEASH}; 'make release' builds it", file=sys.stderr)
        sys.exit(3)
    run = subprocess.run([LEASH, "scenes", "--json", "--set", f"motion.sensitivity={word}"], cwd=ROOT,
                         stdout=subprocess.PIPE, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"sensitivity-table: {LEASH} scenes ended with {run.returncode}")
    return [scene for line in run.stdout.splitlines() if not (scene := json.loads(line)).get("skipped")]


def main():
    print("| sensitivity | told in time | median delay, s | never told | scenes with a false alert |")
    print("|---|---|---|---|---|")
    for word in ("low", "normal", "high"):
        print(f"sensitivity-table: {word}", file=sys.stderr)
        played = scenes(word)
        delays = [delay for scene in played for delay in scene["delays"]]
        told = sorted(seconds for seconds, _ in delays if seconds is not None)
        in_time = sum(seconds is not None and seconds <= bound for seconds, bound in delays)
        false = sum(scene["falseAlerts"] > 0 for scene in played)
        print(f"| `{word}` | {in_time} of {len(delays)} | {told[len(told) // 2]:.1f} | {len(delays) - len(told)} "
              f"| {false} of {len(played)} |")


if __name__ == "__main__":
    main()
