#!/usr/bin/env python3
"""Instructions by part of the core, counted by callgrind, for the table of parts in docs/costs.md.

  Benchmarks/part-counts.py PROGRAM COUNTED PARTS… -- ARGUMENTS   a line for each part: instructions of one run, and name; then those
                                                   of "the rest" and of "all"

COUNTED is PROGRAM without debug information, which Debian 12's valgrind does not understand; ARGUMENTS end where the number of runs
follows. A run is what two runs have more than one. Each instruction counts for the innermost type of a part among the function that it
is in and those that were put into it by the compiler, as PROGRAM's debug information says: what a part calls and what belongs to no
part, as the sine or a distance on the ellipsoid, is of the rest, unless it was put into the part.

Exit codes: 0 fine, 1 the parts and the rest are not all that was counted, or a tool failed, 2 wrong usage.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Firmware"))
import symbols  # noqa: E402


def counted(program, arguments, runs, folder):
    """Instructions by address within the program, those of its libraries, and the total that callgrind tells."""
    out = pathlib.Path(folder) / f"{runs}.out"
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-strings=no", "--compress-pos=no",
         f"--callgrind-out-file={out}", program, *arguments, str(runs)], check=True, capture_output=True, text=True)
    total = int(re.search(r"Collected : (\d+)", done.stderr)[1])
    own, other, function, is_own, is_call = collections.Counter(), 0, "", False, False
    starts = {}
    for line in out.open(errors="replace"):
        if line.startswith("0x"):
            if is_call:
                # What was called is counted where it is.
                is_call = False
                continue
            address, _, cost = line.split()
            if is_own:
                own[int(address, 16)] += int(cost)
                starts[function] = min(starts.get(function, 1 << 63), int(address, 16))
            else:
                other += int(cost)
        elif line.startswith("ob="):
            is_own = line[3:].strip() == program
        elif line.startswith("fn="):
            function = line[3:].strip()
        elif line.startswith("calls="):
            is_call = True
    return own, other, total, starts


def bias(program, starts):
    """Where the program was loaded: by the first addresses of its functions."""
    found = collections.Counter()
    for line in subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[2] in starts:
            found[starts[words[2]] - int(words[0], 16)] += 1
    return found.most_common(1)[0][0]


def chains(program, addresses):
    """For each address the functions that it is in, the innermost first."""
    text = subprocess.run(
        [symbols.tool("llvm-symbolizer"), f"--obj={program}", "--functions=linkage", "--no-demangle", "--inlines", "--output-style=LLVM"],
        input="".join(f"{a:#x}\n" for a in addresses), check=True, capture_output=True, text=True).stdout
    for address, block in zip(addresses, text.strip().split("\n\n")):
        yield address, block.split("\n")[::2]


def main(words):
    if "--" not in words or words.index("--") < 3:
        print(__doc__, file=sys.stderr)
        return 2
    place = words.index("--")
    program, stripped = words[0], str(pathlib.Path(words[1]).resolve())
    parts = {part: types for path in words[2:place] for part, types in symbols.parts(path).items()}
    part_of = {name: part for part, types in parts.items() for name in types}
    with tempfile.TemporaryDirectory() as folder:
        once, twice = (counted(stripped, words[place + 1:], runs, folder) for runs in (1, 2))
    costs = twice[0]
    costs.subtract(once[0])
    offset = bias(program, twice[3])
    found = collections.Counter()
    addresses = sorted(a for a, cost in costs.items() if cost)
    for address, names in chains(program, [a - offset for a in addresses]):
        owner = next((part_of[t] for t in (symbols.first_type(n)[1] for n in names) if t in part_of), "the rest")
        found[owner] += costs[address + offset]
    found["the rest"] += twice[1] - once[1]
    whole = twice[2] - once[2]
    for part in [*parts, "the rest"]:
        print(found[part], part)
    print(whole, "all")
    if sum(found.values()) != whole:
        print(f"part-counts: the parts and the rest are {sum(found.values())} instructions, all are {whole}", file=sys.stderr)
        return 1
    return 0


sys.exit(main(sys.argv[1:]))
