#!/usr/bin/env python3
"""Measures how long a developer waits for an answer: changes a file of the core, builds, and runs the tests it is for.

  scripts/build-times.py           all changes, each with its wall and processor seconds
  scripts/build-times.py NAME…     some of them
  scripts/build-times.py --list    list the changes
  scripts/build-times.py --json    the results as one JSON object on standard output
  scripts/build-times.py --markdown  the results as the table of CONTRIBUTING.md
  scripts/build-times.py --whole   with the flags of `make build`, each module compiled as a whole, to compare

The changes are made in a copy of the sources in .build/build-times, which is brought up to date first; the tree itself is never
touched. What is run there is `make quick TESTS="…"`, as CONTRIBUTING.md tells. The first build of the copy takes minutes.

A limit is one of wall time on a machine with two processors that does nothing else; where more is going on, as the load tells, processor
seconds are held against it.

Exit codes: 0 each change is within its limit, 1 one takes longer, 2 wrong usage or a change whose place is gone, 3 the copy does
not build or a test fails.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
IS_WHOLE = "--whole" in sys.argv[1:]
TREE = os.path.join(ROOT, ".build", "build-times-whole" if IS_WHOLE else "build-times")
LOG = os.path.join(TREE, ".build", "quick.log")
LEFT_OUT = {".build", ".git", ".swiftpm", "Benchmarks", "Fuzz"}


class Change:
    """A change as a developer makes one: what stands there, and what stands there then; the tests that are run for it, and what has to
    change in them: pairs of texts in one file."""

    def __init__(self, name, what, file, old, new, tests, limit, test_file=None, test_pairs=()):
        self.name, self.what, self.tests, self.limit = name, what, tests, limit
        self.file = file
        self.edits = {file: [(old, new)]}
        if test_file:
            self.edits[test_file] = list(test_pairs)


CHANGES = [
    Change(
        "motion-statement", "a statement of `MotionDetection`", "Sources/MotionDetection/TamperDetector.swift",
        "  mutating func rebase() {\n    turn.rebase()\n    tilting.rebase()\n",
        "  mutating func rebase() {\n    // Measured.\n    tilting.rebase()\n    turn.rebase()\n",
        "MotionDetectionTests", 60),
    Change(
        "tracker-statement", "a statement of `TrackerCore`", "Sources/TrackerCore/Parts/TripRecorder.swift",
        "    lastRideDistance = meter.distance - rideStart\n",
        "    lastRideDistance = -(rideStart - meter.distance)  // Measured.\n",
        "TrackerCoreTests", 60),
    Change(
        "packet-field", "a new public field of `Packet`", "Sources/Telemetry/Packet.swift",
        "  public var isDisabled = false\n",
        "  public var isDisabled = false\n  /// Measured.\n  public var isMeasured = false\n",
        "TelemetryTests TrackerCoreTests", 120,
        # A packet that grows needs another limit.
        "Tests/TelemetryTests/PacketReadingTests.swift",
        [("MemoryLayout<Packet>.size <= 181)", "MemoryLayout<Packet>.size <= 200)"),
         ("MemoryLayout<Outbox<32>>.size <= 6305)", "MemoryLayout<Outbox<32>>.size <= 6817)")]),
]


class Wrong(Exception):
    """An option, or a change whose place is gone."""


def tell(words):
    print(f"build-times: {words}", file=sys.stderr, flush=True)


def copy_sources():
    """Brings the copy up to date; what is the same keeps its time, so that it is not built again."""
    kept = set()
    for folder, folders, names in os.walk(ROOT):
        if folder == ROOT:
            folders[:] = [name for name in folders if name not in LEFT_OUT]
        for name in names:
            source = os.path.join(folder, name)
            if os.path.islink(source) or not os.path.isfile(source):
                continue
            path = os.path.relpath(source, ROOT)
            with open(source, "rb") as file:
                write(path, file.read())
            shutil.copymode(source, os.path.join(TREE, path))
            kept.add(path)
    for folder, folders, names in os.walk(TREE):
        if folder == TREE:
            folders[:] = [name for name in folders if name not in LEFT_OUT]
        for name in names:
            if os.path.relpath(os.path.join(folder, name), TREE) not in kept:
                os.remove(os.path.join(folder, name))


def write(path, data):
    target = os.path.join(TREE, path)
    try:
        with open(target, "rb") as file:
            if file.read() == data:
                return
    except OSError:
        os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(data)


def changed(change):
    """The files of a change: before and after it, by path."""
    before, after = {}, {}
    for path, pairs in change.edits.items():
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text = file.read()
        before[path] = text
        for old, new in pairs:
            if text.count(old) != 1:
                raise Wrong(f"{change.name}: its place in {path} is gone; mend it in scripts/build-times.py")
            text = text.replace(old, new)
        after[path] = text
    return before, after


def write_all(files):
    for path, text in files.items():
        write(path, text.encode())


def quick(tests, changed=None):
    """Runs `make quick` in the copy: (wall, processor, wall of the build) seconds; `changed` must be compiled."""
    values = {key: value for key, value in os.environ.items()
              if key not in ("LEASH_DATA", "LEASH_TESTS", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    os.makedirs(os.path.dirname(LOG), exist_ok=True)
    flags = ["QUICK=--scratch-path .build/quick $(DEBUGGING)"] if IS_WHOLE else []
    begin, before = time.monotonic(), os.times()
    with open(LOG, "wb") as log:
        # A group of its own, so that nothing of it is left when this is ended.
        process = subprocess.Popen(
            ["make", "--no-print-directory", "quick", f"TESTS={tests}", *flags], cwd=TREE, env=values, stdin=subprocess.DEVNULL,
            stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            code = process.wait()
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            raise
    after = os.times()
    with open(LOG, encoding="utf-8", errors="replace") as log:
        text = log.read()
    if code != 0:
        lines = text.split("\n")
        wanted = [line for line in lines if "error:" in line or "recorded an issue" in line] or lines[-20:]
        print("\n".join(dict.fromkeys(wanted[:20])), file=sys.stderr)
        tell(f"'make quick TESTS=\"{tests}\"' failed in the copy (log: {os.path.relpath(LOG, ROOT)})")
        sys.exit(3)
    built = re.search(r"^Build complete! \(([0-9.]+)s\)", text, re.M)
    if built is None or (changed and f"Compiling {changed.split('/')[1]} " not in text):
        tell(f"{changed or 'the copy'} was not built (log: {os.path.relpath(LOG, ROOT)})")
        sys.exit(3)
    return time.monotonic() - begin, sum(after[2:4]) - sum(before[2:4]), float(built.group(1))


def measure(change):
    before, after = changed(change)
    tell(f"{change.name}: building what is there, for {change.tests}")
    quick(change.tests)
    again = quick(change.tests)
    tell(f"{change.name}: {change.what}")
    try:
        write_all(after)
        wall, processor, build = quick(change.tests, change.file)
    finally:
        write_all(before)
    load = os.getloadavg()[0]
    return {"name": change.name, "what": change.what, "tests": change.tests, "wallSeconds": round(wall, 1),
            "processorSeconds": round(processor, 1), "buildWallSeconds": round(build, 1), "unchangedWallSeconds": round(again[0], 1),
            "unchangedProcessorSeconds": round(again[1], 1), "limitSeconds": change.limit, "load": round(load, 1)}


def main(arguments):
    as_json, as_table, names = False, False, []
    for argument in arguments:
        if argument in ("-h", "--help"):
            print(__doc__.strip())
            return 0
        if argument == "--list":
            for change in CHANGES:
                print(f"{change.name:20} {change.what}; {change.tests}, at most {change.limit} s")
            return 0
        if argument == "--json":
            as_json = True
        elif argument == "--markdown":
            as_table = True
        elif argument == "--whole":
            pass
        elif argument in [change.name for change in CHANGES]:
            names.append(argument)
        else:
            raise Wrong(f"unknown argument '{argument}' (a name of --list, --json, --markdown, --whole, --help)")
    wanted = [change for change in CHANGES if not names or change.name in names]
    for change in wanted:
        changed(change)
    copy_sources()
    rows = [measure(change) for change in wanted]
    if as_json:
        print(json.dumps({"processors": os.cpu_count(), "changes": rows}, indent=2))
    elif as_table:
        print("| change | tests | build and test | tests alone, nothing changed | limit |")
        print("|---|---|---|---|---|")
        for row in rows:
            print(f"| {row['what']} | {row['tests']} | {row['wallSeconds']:.0f} s | {row['unchangedWallSeconds']:.0f} s "
                  f"| {row['limitSeconds']} s |")
    else:
        print(f"{'change':20} {'wall':>7} {'processor':>10} {'limit':>7} {'of it building':>15} {'nothing changed':>16}")
        for row in rows:
            print(f"{row['name']:20} {row['wallSeconds']:5.1f} s {row['processorSeconds']:8.1f} s {row['limitSeconds']:5} s "
                  f"{row['buildWallSeconds']:13.1f} s {row['unchangedWallSeconds']:14.1f} s")
    is_busy = any(row["load"] > 2.5 for row in rows)
    return 1 if any(row["processorSeconds" if is_busy else "wallSeconds"] > row["limitSeconds"] for row in rows) else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))
    try:
        sys.exit(main(sys.argv[1:]))
    except Wrong as wrong:
        tell(wrong)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
