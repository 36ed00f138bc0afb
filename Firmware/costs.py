#!/usr/bin/env python3
"""The table of costs: instructions, sizes and stack as they were measured last.

  Firmware/costs.py compare MEASURED.json   what Firmware/gate.sh has measured against Firmware/costs.json: 2 % either way
  Firmware/costs.py write MEASURED.json     take the gate's figures over, and write docs/costs.md
  Firmware/costs.py count NAME NUMBER …     take counts of instructions over, and write docs/costs.md
  Firmware/costs.py parts WHEN FIXES COUNTS …   the same of parts, three words for each column: its name, how many fixes a run has, and a
                                            file with a line for each part, its instructions in a run and its name

Exit codes: 0 fine, 1 the table does not say what was measured, 2 wrong usage.
"""
import json
import pathlib
import re
import sys

FIRMWARE = pathlib.Path(__file__).resolve().parent
TABLE = FIRMWARE / "costs.json"
PAGE = FIRMWARE.parent / "docs" / "costs.md"
SHARE = 0.02
BYTES_FREE = 64  # Of small numbers two per cent is less than alignment.


def load():
    return json.loads(TABLE.read_text()) if TABLE.exists() else {}


def of_gate(measured):
    """The gate's figures in the form of the table."""
    return {
        "text": {m["module"]: m["inImage"] for m in measured["modules"] if m["module"] != "GateImage"},
        "memory": measured["valueBytes"],
        "stack": measured["stackBytes"],
        "bounds": measured["stackBounds"],
        "forms": measured["formBytes"],
        "partCode": measured["partBytes"],
        "partMemory": measured["partMemory"],
        "partStack": measured["partStack"],
    }


# What has to be the same to the byte: memory of parts is laid out, not compiled.
EXACT = {"partMemory"}
REST = "the rest of "


def broken(figures):
    """What is wrong with the figures of parts by themselves."""
    told = []
    named = {name for name in figures["partMemory"] if not name.startswith(REST)}
    for column in ("partCode", "partStack"):
        for name in sorted(named ^ set(figures[column])):
            told.append(f"the part '{name}' is only in one of partMemory and {column}")
    held = sum(number for name, number in figures["partMemory"].items() if name != "gear")
    if held != figures["memory"]["Tracker"]:
        told.append(f"the parts and the rest have {held} bytes, a Tracker has {figures['memory']['Tracker']}")
    return told


def limits():
    result = {}
    for line in (FIRMWARE / "stack-limits.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            door, number = line.rsplit(" ", 1)
            result[door] = int(number)
    return result


def rows(table, form):
    return "".join(form(name, number) for name, number in table.items())


def cell(figures, name, form="{:,.0f}"):
    """A figure, or a dash where there is none."""
    return form.format(figures[name]) if name in figures else "—"


def part_rows(table):
    """A row for each part, then the rests."""
    counts = table.get("partInstructions", {})
    columns = [table.get("partCode", {}), table.get("partMemory", {}), table.get("partStack", {}), *counts.values()]
    names = [*columns[1], *(["the rest", "all"] if counts else [])]
    title = {"the rest": "the rest of all that runs", "all": "all that runs"}
    return "".join("| " + " | ".join([re.sub(r"(MotionMonitor|Tracker)$", r"`\1`", title.get(name, name)),
                                      *(cell(column, name) for column in columns)]) + " |" + chr(10) for name in names)


def page(table):
    limit = limits()
    return f"""# Cost of the core

`make bench-counts` measures these figures and writes this page, from `Firmware/costs.json`. `Firmware/gate.sh`, and with it `make test`,
measures all but the instructions again, and fails if a figure differs from the table by more than 2 % (and {BYTES_FREE} bytes), or the
memory of a part at all.
Intended changes are committed together with the table.

`Tracker` had 16,184 bytes before it was made of parts, and the stack of `process(fix)` was 2,992 bytes, that of `advance` 3,280. What
was added since takes the rest: fences, secure places and alarms 6,800 bytes of memory, requests, settings that change and the profile
600 ([limits.md](limits.md#memory-of-a-tracker)). Fences and alarms are also judged, and their packets made, in the calls for a fix and
for time; that is their deeper stack.

## Instructions

On x86-64, release build, counted by callgrind as the difference of two runs and one, over the first 60,000 inertial samples of
`fixtures/rides/ardennes_edge1000_gnss.csv.gz` with synthesised samples of 100 Hz.

| what | instructions |
|---|---:|
{rows(table.get("instructions", {}), lambda n, v: f"| {n} | {v:,.0f} |" + chr(10))}
## Stack

Maximum stack of a call of each door below its caller's frame in the image of `Firmware/gate.sh`, measured by painting the stack before
the call, on a Cortex-M4F at `-Osize` under emulation. The limit is 8,192 bytes, except for the doors in `Firmware/stack-limits.txt`.

The bound follows from the instructions of the same image: what each function pushes, and all that it can call. No path takes more, but
the deepest one may be one that no data leads to, so a bound can be above the limit. The gate fails if a door takes more than its bound.
There is none where functions call each other (`TextWriter` does, for long numbers), or where the compiler left no closure of the door.

| door | bytes | at most | bound |
|---|---:|---:|---:|
{rows(table.get("stack", {}), lambda n, v: f"| `{n}` | {v:,} | {limit.get(n, 8192):,} | {cell(table.get('bounds', {}), n)} |" + chr(10))}
## Memory of a value

On the Cortex-M4F, without heap: there is no other memory.

| value | bytes |
|---|---:|
{rows(table.get("memory", {}), lambda n, v: f"| `{n}` | {v:,} |" + chr(10))}
## Code in the image

Linked code of each module in the image that calls every entry point, at `-Osize`. Generic and inlined code counts for the module that
uses it, so the image is larger than their sum. [modem-size.md](modem-size.md) counts the functions of the modem driver by their names
instead, wherever they were compiled, so its numbers are larger.

| module | bytes |
|---|---:|
{rows(table.get("text", {}), lambda n, v: f"| `{n}` | {v:,} |" + chr(10))}
## Parts

Each part of the core by its own types, which `Firmware/parts.txt` lists.

- **code**: linked functions of these types in the image that calls every entry point, at `-Osize`. What parts share is counted for none.
- **memory**: what these types take of a `Tracker` on the Cortex-M4F, as it holds them; the gate's image tells it. A type within another
  counts for its own part. The parts and the rest are {table.get("memory", {}).get("Tracker", 0):,} bytes together, a `Tracker`.
- **stack**: the most that a function of the part can take below its caller's frame, with all that it calls: a bound from the instructions
  of the image, as above, not a measurement. `Firmware/stack-bounds.py --why` prints the path. A function that the compiler has put into
  its caller counts there.
- **instructions**: on x86-64, release build, by callgrind, for each fix, of which there is one a second. *Riding* is the ride above with
  100 inertial samples for each fix, *parked* stands, with 50; both with a reading of the wheel and of the switches for each fix, and with
  paths and the limits of driving turned on, which by default are off. An instruction counts for the type whose source it comes from, also
  where the compiler has put it into another function; functions that are called and belong to no part, as the sine, are of the rest.

`Firmware/gate.sh` measures the first three again and fails if a part is missing; `make bench-counts` counts the instructions.

| part | code | memory | stack | riding | parked |
|---|---:|---:|---:|---:|---:|
{part_rows(table)}
The rest of `MotionMonitor` is rest, attitude, parameters and phases; that of `Tracker` is the outbox, fences, requests and others
([limits.md](limits.md#memory-of-a-tracker)). The rest of all that runs is these, the run loop, packets, and what parts call.

Gear stands beside the tracker: its figures are those of an image of its own (`Firmware/Forms/FormImage.swift`), and its memory is not of
the `Tracker`. The gate fails if an image without gear has one of its symbols: it costs nothing where it is left out. Where it is there,
it is called when a ride ends and by requests, and not for a fix: the instructions are those of its beginning.

## Forms of packets

Code that one form adds to an image with a packet and no form, at `-Osize`. Code shared with other forms is counted for each.
`Firmware/gate.sh --forms` links an image for each form and fails if it has a text or a symbol of another: a form that a firmware does not
use costs nothing.

| form | bytes |
|---|---:|
{rows(table.get("forms", {}), lambda n, v: f"| `{n}` | {v:,} |" + chr(10))}"""


def save(table):
    TABLE.write_text(json.dumps(table, indent=2) + "\n")
    PAGE.write_text(page(table))
    print(f"costs: {TABLE.name} and {PAGE.name} written", file=sys.stderr)


def compare(measured):
    table, told = load(), broken(of_gate(measured))
    for part, figures in of_gate(measured).items():
        before = table.get(part, {})
        for name in sorted(set(before) | set(figures)):
            old, new = before.get(name), figures.get(name)
            free = 0 if part in EXACT else max(BYTES_FREE, SHARE * (old or 0))
            if old is None or new is None or abs(new - old) > free:
                told.append(f"{part} of {name}: the table says {old}, measured {new}")
    if not PAGE.exists() or PAGE.read_text() != page(table):
        told.append(f"{PAGE.name} is not what {TABLE.name} makes")
    for line in told:
        print(f"costs: {line}", file=sys.stderr)
    if told:
        print("costs: if that is on purpose, `make bench-counts` (or LEASH_UPDATE_COSTS=1 Firmware/gate.sh) renews the table",
              file=sys.stderr)
    return 1 if told else 0


def main(words):
    if len(words) == 2 and words[0] in ("compare", "write"):
        measured = json.loads(pathlib.Path(words[1]).read_text())
        if words[0] == "compare":
            return compare(measured)
        told = broken(of_gate(measured))
        for line in told:
            print(f"costs: {line}", file=sys.stderr)
        if told:
            return 1
        save({**load(), **of_gate(measured)})
        return 0
    if len(words) >= 3 and len(words) % 2 == 1 and words[0] == "count":
        table = load()
        # All are counted in one run: what is not among them, as a message that has other bytes now, is of an earlier state.
        table["instructions"] = {n: round(float(v), 1) for n, v in zip(words[1::2], words[2::2])}
        save(table)
        return 0
    if len(words) >= 4 and len(words) % 3 == 1 and words[0] == "parts":
        table = load()
        table["partInstructions"] = {}
        for when, fixes, path in zip(words[1::3], words[2::3], words[3::3]):
            lines = [line.split(" ", 1) for line in pathlib.Path(path).read_text().splitlines()]
            table["partInstructions"][when] = {name: round(int(number) / int(fixes), 1) for number, name in lines}
            for name in sorted(set(table["partCode"]) - set(table["partInstructions"][when])):
                print(f"costs: no instructions of the part '{name}' were counted", file=sys.stderr)
                return 1
        save(table)
        return 0
    print(__doc__, file=sys.stderr)
    return 2


sys.exit(main(sys.argv[1:]))
