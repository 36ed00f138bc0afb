#!/usr/bin/env python3
"""The table of costs: instructions, sizes and stack as they were measured last.

  Firmware/costs.py compare MEASURED.json   what Firmware/gate.sh has measured against Firmware/costs.json: 2 % either way
  Firmware/costs.py write MEASURED.json     take the gate's figures over, and write docs/costs.md
  Firmware/costs.py count NAME NUMBER …     take counts of instructions over, and write docs/costs.md

Exit codes: 0 fine, 1 the table does not say what was measured, 2 wrong usage.
"""
import json
import pathlib
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
        "forms": measured["formBytes"],
        "parts": measured["partBytes"],
    }


def limits():
    result = {}
    for line in (FIRMWARE / "stack-limits.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            door, number = line.rsplit(" ", 1)
            result[door] = int(number)
    return result


def rows(table, form):
    return "".join(form(name, number) for name, number in table.items())


def page(table):
    limit = limits()
    return f"""# Cost of the core

`make bench-counts` measures these figures and writes this page, from `Firmware/costs.json`. `Firmware/gate.sh`, and with it `make test`,
measures all but the instructions again, and fails if a figure differs from the table by more than 2 % (and {BYTES_FREE} bytes).
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

| door | bytes | at most |
|---|---:|---:|
{rows(table.get("stack", {}), lambda n, v: f"| `{n}` | {v:,} | {limit.get(n, 8192):,} |" + chr(10))}
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
## Code by part

Of it, what belongs to one part alone, by `Firmware/parts.txt`; what parts share is counted for none. The memory of parts is in
[limits.md](limits.md#memory-of-a-tracker); gear is not in the image, as no call of it is there: it costs nothing where it is left out.

| part | bytes |
|---|---:|
{rows(table.get("parts", {}), lambda n, v: f"| {n} | {v:,} |" + chr(10))}
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
    table, told = load(), []
    for part, figures in of_gate(measured).items():
        before = table.get(part, {})
        for name in sorted(set(before) | set(figures)):
            old, new = before.get(name), figures.get(name)
            if old is None or new is None or abs(new - old) > max(BYTES_FREE, SHARE * old):
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
        save({**load(), **of_gate(measured)})
        return 0
    if len(words) >= 3 and len(words) % 2 == 1 and words[0] == "count":
        table = load()
        # All are counted in one run: what is not among them, as a message that has other bytes now, is of an earlier state.
        table["instructions"] = {n: round(float(v), 1) for n, v in zip(words[1::2], words[2::2])}
        save(table)
        return 0
    print(__doc__, file=sys.stderr)
    return 2


sys.exit(main(sys.argv[1:]))
