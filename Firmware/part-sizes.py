#!/usr/bin/env python3
"""Linked code by part of the core: the functions whose first type is one of the part's, from the map of the linker.

  Firmware/part-sizes.py IMAGE.map PARTS.txt     a line for each part: bytes and name

Exit codes: 0 fine, 1 a type of the list is not in the image, 2 wrong usage.
"""
import pathlib
import re
import sys

import symbols

# VMA LMA Size Align In: a function has a section of its own, whose name has that of the function.
SECTION = re.compile(r"\s*\w+\s+\w+\s+(\w+)\s+\d+\s.*\.o:\(\.text\.(\$e\w+)")


def sizes(lines):
    """Bytes by the name of the first type."""
    found = {}
    for line in lines:
        section = SECTION.match(line)
        if not section:
            continue
        name = symbols.first_type(section[2])[1]
        found[name] = found.get(name, 0) + int(section[1], 16)
    return found


def main(words):
    if len(words) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found = sizes(pathlib.Path(words[0]).read_text(errors="replace").splitlines())
    parts = symbols.parts(words[1])
    for part, types in parts.items():
        print(sum(found.get(name, 0) for name in types), part)
    missing = [name for types in parts.values() for name in types if name not in found]
    for name in missing:
        print(f"part-sizes: no function of '{name}' is in the image; {words[1]} names it", file=sys.stderr)
    return 1 if missing else 0


sys.exit(main(sys.argv[1:]))
