#!/usr/bin/env python3
"""A second reader of the Leash log, written from docs/recording-format.md alone: it shares no line with the first.

  log_reader.py FILE     FILE holds logs one after another, each behind its length (u32, least significant first)

Every record becomes a line on standard output, numbers as their bits; after each log a line tells what was passed over.
"""

import math
import struct
import sys
import zlib

PATTERN = bytes.fromhex("F74C65B1610E73D4689A21C3")
MAGIC = bytes.fromhex("894C53480D0A1A0A")
MARKER, LARGEST, SEARCHED, BUDGET = 0x6D, 1 << 20, 8 * 1024, 16 * 1024 * 1024
KNOWN = set(range(0x01, 0x10)) | {MARKER}
MASK = (1 << 64) - 1


class Damaged(Exception):
    pass


def wrapped(value):
    value &= MASK
    return value - (1 << 64) if value >> 63 else value


def single(value):
    """The bits of a double rounded to single precision."""
    try:
        return struct.pack("<f", value)
    except OverflowError:
        return struct.pack("<f", math.copysign(math.inf, value))


def nearest(value):
    whole = math.trunc(value)
    return whole + (1 if value > 0 else -1) if abs(value - whole) >= 0.5 else whole


class Fields:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise Damaged
        self.at += count
        return self.data[self.at - count:self.at]

    def byte(self):
        return self.take(1)[0]

    def varint(self):
        value = 0
        for group in range(10):
            byte = self.byte()
            value |= (byte & 0x7F) << (7 * group)
            if byte < 0x80:
                return value & MASK
        raise Damaged

    def signed(self):
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def u64(self):
        return struct.unpack("<Q", self.take(8))[0]

    def rest(self):
        return self.take(len(self.data) - self.at)

    def end(self):
        if self.at != len(self.data):
            raise Damaged

    def bits(self):
        """Bits from the least significant of each byte up, until the caller is done."""
        while True:
            byte = self.byte()
            for place in range(8):
                yield byte >> place & 1

    def integers(self, count):
        head = self.byte()
        predictor, k = head >> 6, head & 63
        start = self.signed()
        step = self.signed() if predictor >= 2 else 0
        values = []
        if predictor >= 1:
            values.append(start)
        if predictor == 2 and count > 1:
            values.append(wrapped(start + step))
        bits = self.bits()
        while len(values) < count:
            quotient = 0
            while quotient < 20 and next(bits) == 1:
                quotient += 1
            if quotient < 20:
                u = sum(next(bits) << place for place in range(k)) + (quotient << k)
            else:
                u = sum(next(bits) << place for place in range(64))
            u &= MASK
            residual = (u >> 1) ^ -(u & 1)
            last = values[-1] if values else 0
            if predictor == 0:
                guess = start
            elif predictor == 1:
                guess = last
            elif predictor == 2:
                guess = 2 * last - values[-2] if len(values) > 1 else last
            else:
                guess = last + step
            values.append(wrapped(guess + residual))
        return values[:count]

    def floats(self, count, shared):
        head = self.byte()
        form, decimals, isShared = head & 7, head >> 3 & 15, head >> 7
        if form > 4:
            raise Damaged
        if form == 0:
            return [self.take(4)] * count, shared
        if decimals > 7:
            raise Damaged
        quantum = None
        if form >= 3:
            if isShared:
                if shared is None:
                    raise Damaged
                quantum = shared
            else:
                quantum = struct.unpack("<d", self.take(8))[0]
            shared = quantum
        values = []
        for m in self.integers(count):
            if form == 1:
                word = m & 0xFFFFFFFF
                values.append(struct.pack("<I", word & 0x7FFFFFFF if word >> 31 else ~word & 0xFFFFFFFF))
            elif form == 2:
                values.append(single(float(m) / 10.0 ** decimals))
            elif form == 3:
                values.append(single(float(m) * quantum))
            else:
                values.append(single(float(nearest(float(m) * quantum)) / 10.0 ** decimals))
        return values, shared

    def number(self):
        form = self.byte()
        if form == 255:
            return self.take(8)
        if form & 15 > 9 or form > 25:
            raise Damaged
        value = float(self.signed()) / 10.0 ** (form & 15)
        return struct.pack("<d", value if form < 16 else value * (math.pi / 180))

    def small(self):
        form = self.byte()
        if form == 255:
            return self.take(4)
        if form > 7:
            raise Damaged
        return single(float(self.signed()) / 10.0 ** form)


def shown(data):
    return data[::-1].hex()


def block(fields, base):
    count, presence = fields.byte(), fields.byte()
    if not 1 <= count <= 64:
        raise Damaged
    masks = []
    for part in range(3):
        kind = presence >> (2 * part) & 3
        if kind == 3:
            raise Damaged
        masks.append(0 if kind == 0 else (1 << count) - 1 if kind == 1 else fields.u64() & ((1 << count) - 1))
    times = fields.integers(count)
    columns = []
    for mask in masks:
        axes, shared = [], None
        for _ in range(3 if mask else 0):
            values, shared = fields.floats(bin(mask).count("1"), shared)
            axes.append(values)
        columns.append(axes)
    fields.end()
    lines, places = [], [0, 0, 0]
    for sample in range(count):
        words = [f"sample {wrapped(base + times[sample])}"]
        for part in range(3):
            if masks[part] >> sample & 1:
                words.append(",".join(shown(axis[places[part]]) for axis in columns[part]))
                places[part] += 1
            else:
                words.append("-")
        lines.append(" ".join(words))
    return lines


def fix(fields, base):
    words = ["fix", str(wrapped(base + fields.signed()))]
    mode = fields.byte()
    if mode > 3:
        raise Damaged
    words.append(str(mode))
    parts = fields.varint()
    if parts >> 14:
        raise Damaged
    words.append(str(fields.signed()) if parts & 1 else "-")
    if parts & 2:
        latitude, longitude = fields.signed(), fields.signed()
        if abs(latitude) > 90 * 10 ** 9 or abs(longitude) > 180 * 10 ** 9:
            raise Damaged
        words.append(f"{latitude},{longitude}")
    else:
        words.append("-")
    for bit in range(2, 8):
        words.append(shown(fields.number()) if parts >> bit & 1 else "-")
    for bit in range(8, 11):
        words.append(shown(fields.small()) if parts >> bit & 1 else "-")
    if parts >> 11 & 1:
        quality = fields.byte()
        if quality > 8:
            raise Damaged
        words.append(str(quality))
    else:
        words.append("-")
    words.append(str(fields.byte()) if parts >> 12 & 1 else "-")
    words.append(str(fields.varint()) if parts >> 13 & 1 else "0")
    fields.end()
    return [" ".join(words)]


def reading(fields, time):
    kind, known = fields.byte(), fields.byte()
    kinds = {1: ("supply", (100, 65535, 1, 1)), 2: ("contacts", (1, 1, 1, 1, 1)), 3: ("presence", (1, 255)),
             4: ("network", ((-128, 127), 999, 999, 65535, 0x0FFFFFFF)), 5: ("temperature", ((-32768, 32767),)), 6: ("pressure", ((30000, 110000),)), 7: ("wheel", (0xFFFFFFFF,))}
    name, limits = kinds.get(kind, ("", ()))
    if not limits or known >> len(limits) or (kind in (3, 5, 7) and not known & 1):
        raise Damaged
    numbers = [fields.signed() if known >> bit & 1 else None for bit in range(len(limits))]
    fields.end()
    if kind == 4 and known >> 1 not in (0, 15):
        raise Damaged
    for number, limit in zip(numbers, limits):
        lowest, largest = limit if isinstance(limit, tuple) else (0, limit)
        if number is not None and not lowest <= number <= largest:
            raise Damaged
    return ["%s %d " % (name, time) + " ".join("-" if number is None else str(number) for number in numbers)]


def decoded(kind, payload, base):
    """Lines of a record and the base that holds behind it."""
    fields = Fields(payload)
    if kind == MARKER:
        fields.take(12)
        return [], wrapped(fields.u64())
    if kind == 0x01 or kind == 0x0C:
        return [f"{'configuration' if kind == 1 else 'continuation'} {payload.hex()}"], base
    if kind == 0x02:
        return block(fields, base), base
    if kind == 0x03:
        return fix(fields, base), base
    time = wrapped(base + fields.signed())
    if kind == 0x05:
        fields.end()
        return [f"tick {time}"], base
    if kind == 0x07:
        sequence = fields.varint()
        if sequence >> 32:
            raise Damaged
        fields.end()
        return [f"acknowledgement {time} {sequence}"], base
    if kind == 0x0D:
        sequence, receiver, outcome = fields.varint(), fields.byte(), fields.byte()
        if sequence >> 32 or outcome > 1:
            raise Damaged
        fields.end()
        return [f"settlement {time} {sequence} {receiver} {outcome}"], base
    if kind == 0x0E:
        what = fields.byte()
        if what == 2:
            pending = fields.byte()
            return [f"recalled {time} {pending} {fields.rest().hex()}"], base
        number = fields.varint()
        if what > 3 or number >> 32:
            raise Damaged
        fields.end()
        return [f"spoolCount {time} {number}" if what == 3 else f"spooled {time} {number} {what}"], base
    if kind == 0x0F:
        return reading(fields, time), base
    if kind in (0x04, 0x09):
        port = fields.byte()
        return [f"{'bytes' if kind == 4 else 'output'} {time} {port} {fields.rest().hex()}"], base
    name = {0x06: "command", 0x08: "action", 0x0A: "note", 0x0B: "restoration"}[kind]
    return [f"{name} {time} {fields.rest().hex()}"], base


class Log:
    def __init__(self, data):
        self.data, self.at, self.base = data, 0, 0
        self.damaged = self.unknown = self.skipped = 0
        self.cut = None

    def head(self, at):
        """Type, place of the payload, and where the record ends; None when the length is out of range."""
        length = 0
        for group in range(3):
            byte = self.data[at + 1 + group]
            length |= (byte & 0x7F) << (7 * group)
            if byte < 0x80:
                if length > LARGEST:
                    return None
                start = at + 2 + group
                return self.data[at], start, start + length + 4
        return None

    def isIntact(self, at, record):
        kind, start, end = record
        if kind == MARKER and end - 4 - start != 36:
            return False
        seed = 0 if kind == MARKER else zlib.crc32(struct.pack("<q", self.base))
        return zlib.crc32(self.data[at:end - 4], seed) == struct.unpack("<I", self.data[end - 4:end])[0]

    def state(self, at):
        """What is at a place: `whole`, `damaged` or `cut`, with the record where there may be one."""
        if at + 6 > len(self.data):
            return "cut", None
        record = self.head(at)
        if record is None:
            return "damaged", None
        if record[2] > len(self.data):
            return "cut", None
        return ("whole" if self.isIntact(at, record) else "damaged"), record

    def next(self):
        while True:
            state, record = self.state(self.at)
            if state == "whole":
                return record
            if state == "cut" and self.at == len(self.data):
                return None
            start = self.at
            self.at = self.behindDamage(record if state == "damaged" else None)
            self.skipped += self.at - start
            if self.at == len(self.data) and not self.resumed:
                self.cut = start
                return None
            self.damaged += 1

    def behindDamage(self, record):
        self.resumed = True
        if record is not None:
            state, _ = self.state(record[2])
            if state == "whole" or record[2] == len(self.data):
                return record[2]
        budget = BUDGET
        for at in range(self.at + 1, len(self.data) - 5):
            kind = self.data[at]
            if kind != MARKER and (budget <= 0 or kind not in KNOWN):
                continue
            found = self.head(at)
            if found is None or found[2] - at > SEARCHED or found[2] > len(self.data):
                continue
            if kind != MARKER:
                budget -= found[2] - at
            if self.isIntact(at, found):
                return at
        self.resumed = False
        return len(self.data)

    def lines(self):
        if len(self.data) < 16 or self.data[:8] != MAGIC:
            yield "no log"
            return
        if zlib.crc32(self.data[:12]) == struct.unpack("<I", self.data[12:16])[0]:
            if struct.unpack("<H", self.data[8:10])[0] != 1:
                yield "a later version"
                return
        else:
            self.damaged += 1
            self.skipped += 16
        self.at = 16
        while (record := self.next()) is not None:
            kind, start, end = record
            if kind not in KNOWN:
                self.unknown += 1
            else:
                try:
                    lines, self.base = decoded(kind, self.data[start:end - 4], self.base)
                    yield from lines
                except Damaged:
                    self.damaged += 1
                    self.skipped += end - self.at
            self.at = end
        cut = "-" if self.cut is None else self.cut
        yield f"end damaged {self.damaged} unknown {self.unknown} skipped {self.skipped} cut {cut}"


def main():
    whole = open(sys.argv[1], "rb").read()
    at = 0
    while at < len(whole):
        length = struct.unpack("<I", whole[at:at + 4])[0]
        data = whole[at + 4:at + 4 + length]
        at += 4 + length
        if data[:2] == b"\x1f\x8b":
            data = zlib.decompressobj(31).decompress(data)
        for line in Log(data).lines():
            print(line)


main()
