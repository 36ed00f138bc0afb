#!/usr/bin/env python3
"""Copies a Leash log without what the tracker did: actions, outputs and notes are left out, so that a replay can't take answers
from it.

  Firmware/inputs-only.py LOG COPY
"""
import sys

HEADER = 16
LEFT_OUT = {0x08, 0x09, 0x0A}


def main(source, target):
    log = open(source, "rb").read()
    if log[:4] != b"\x89LSH":
        sys.exit(f"inputs-only: {source} is no Leash log")
    kept = bytearray(log[:HEADER])
    place = HEADER
    while place < len(log):
        start, length, shift = place, 0, 0
        place += 1
        while True:
            byte = log[place]
            place += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        # The payload and its checksum, which does not depend on other records.
        place += length + 4
        if place > len(log):
            sys.exit(f"inputs-only: {source} ends within a record")
        if log[start] not in LEFT_OUT:
            kept += log[start:place]
    open(target, "wb").write(kept)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    main(sys.argv[1], sys.argv[2])
