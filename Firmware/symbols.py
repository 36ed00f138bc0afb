#!/usr/bin/env python3
"""Names of functions as Swift writes them into objects, and the lists of parts: which type a function belongs to, and which part.

Imported by part-sizes.py, stack-bounds.py and Benchmarks/part-counts.py.

  Firmware/symbols.py IMAGE.elf   compare the types of all functions of an image with what swift-demangle says

Exit codes: 0 the same, 1 a difference, which is told, 2 wrong usage.
"""
import functools
import json
import pathlib
import re
import subprocess
import sys

def words_of(text):
    """The words of an identifier, which later ones in the same symbol may refer to by a letter."""
    found, start = [], None
    for place, letter in enumerate(text + "_"):
        if start is not None and (letter == "_" or (letter.isupper() and not text[place - 1].isupper())):
            if place - start >= 2:
                found.append(text[start:place])
            start = None
        if start is None and not letter.isdigit() and letter != "_":
            start = place
    return found


def identifier(symbol, place, words):
    """The identifier at a place, and where it ends; None where there is none. Its own words are added to those before."""
    name, refers = "", symbol[place:place + 1] == "0"
    place += refers
    while True:
        # Words from before, the last of them by a capital letter.
        while refers and symbol[place:place + 1].isalpha():
            letter = symbol[place]
            number = ord(letter.lower()) - ord("a")
            if number >= len(words):
                return None, place
            name, place, refers = name + words[number], place + 1, letter.islower()
        if name and symbol[place:place + 1] == "0":
            return name, place + 1
        length = re.match(r"[1-9]\d*", symbol[place:])
        if not length:
            return None, place
        start = place + length.end()
        place = start + int(length[0])
        name += symbol[start:place]
        words += words_of(symbol[start:place])
        if not refers:
            return name, place


def first_type(symbol):
    """Module and first type of a symbol, as ("Positioning", "TripMeter"); (None, None) for what is not Swift's."""
    head = re.match(r"\$[esS]", symbol)
    if not head:
        return None, None
    words = []
    module, place = identifier(symbol, head.end(), words)
    if module is None:
        return None, None
    if symbol[place:place + 1] == "A" and symbol[place + 1:place + 2] in "AVOC":
        # A type with the name of its module.
        return module, module if symbol[place:place + 2] == "AA" else None
    name, _ = identifier(symbol, place, words)
    return module, name


def parts(path):
    """The parts of a list such as parts.txt: a line `name: types`."""
    found = {}
    for line in pathlib.Path(path).read_text().splitlines():
        if line and not line.startswith("#"):
            part, types = line.split(":")
            found[part] = types.split()
    return found


@functools.lru_cache(maxsize=None)
def tool(name):
    """A program of the Swift toolchain, which need not be on the path."""
    told = subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True, text=True).stdout
    return str(pathlib.Path(json.loads(told)["paths"]["runtimeResourcePath"]).parents[1] / "bin" / name)


def demangled(names):
    """Names as a reader knows them."""
    return subprocess.run([tool("swift-demangle"), "--compact"], input="\n".join(names), capture_output=True, text=True,
                          check=True).stdout.splitlines()


def main(words):
    if len(words) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    lines = subprocess.run(["arm-none-eabi-nm", *words], check=True, capture_output=True, text=True).stdout.splitlines()
    names = [name for name in (line.split()[-1] for line in lines) if first_type(name)[1]]
    # A function that belongs to no type has its own name there. Some names are shown without their type, or with several.
    wrong = [(name, shown) for name, shown in zip(names, demangled(names))
             if not re.search(r"\b{}\.\(?{}\b".format(*first_type(name)), shown)
             and not re.search("Closure Propagated|^one-time initialization", shown)]
    for name, shown in wrong[:10]:
        print(f"symbols: {name} is of {'.'.join(first_type(name))}, and shown as {shown}", file=sys.stderr)
    print(f"symbols: {len(names)} names, {len(wrong)} of them of another type than shown", file=sys.stderr)
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
