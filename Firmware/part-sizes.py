#!/usr/bin/env python3
"""Linked code by part of the core: the functions whose first type is one of the part's, from the map of the linker.

  Firmware/part-sizes.py IMAGE.map PARTS.txt     a line for each part: bytes and name

Exit codes: 0 fine, 1 a type of the list is not in the image, 2 wrong usage.
"""
import pathlib
import re
import sys

# VMA LMA Size Align In: a function has a section of its own, whose name has its module and then its type, each with its length.
SECTION = re.compile(r"\s*\w+\s+\w+\s+(\w+)\s+\d+\s.*\.o:\(\.text\.\$e(\d+)(\w+)")


def sizes(lines):
    """Bytes by the name of the first type."""
    found = {}
    for line in lines:
        section = SECTION.match(line)
        if not section:
            continue
        rest = section[3][int(section[2]):]
        length = re.match(r"[1-9]\d*", rest)
        if length:
            name = rest[length.end():length.end() + int(length[0])]
            found[name] = found.get(name, 0) + int(section[1], 16)
    return found


def main(words):
    if len(words) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found = sizes(pathlib.Path(words[0]).read_text(errors="replace").splitlines())
    missing = []
    for line in pathlib.Path(words[1]).read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        part, types = line.split(":")
        missing += [name for name in types.split() if name not in found]
        print(sum(found.get(name, 0) for name in types.split()), part)
    for name in missing:
        print(f"part-sizes: no function of '{name}' is in the image; {words[1]} names it", file=sys.stderr)
    return 1 if missing else 0


sys.exit(main(sys.argv[1:]))
