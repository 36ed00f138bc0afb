#!/usr/bin/env python3
"""The most stack that the functions of each part can take on any path, from the instructions of a linked image.

  Firmware/stack-bounds.py IMAGE.elf PARTS.txt              a line for each part: bytes and name
  Firmware/stack-bounds.py IMAGE.elf PARTS.txt --why PART   the calls of its deepest path, each with its own bytes
  Firmware/stack-bounds.py IMAGE.elf --doors SOURCES MEASURED   a line for each measured door (bytes and name): bound, measured, name

A part's functions are those whose first type is one of the part's (symbols.py); what they call counts, whosever it is. The bytes
are those below the frame of whoever calls the part. Each function's own bytes follow from what pushes and what moves the stack
pointer, along all of its branches. A call through a register leads to the function whose address the register was given last, in the
order of the instructions; where it was given something else, and where functions may call each other, no bound is told, and that is
an error. The gate holds the bounds of doors against what they were measured to take.

Exit codes: 0 fine, 1 no bound can be told, a type has no function there, or a door took more than its bound, 2 wrong usage.
"""
import bisect
import functools
import pathlib
import re
import subprocess
import sys

import symbols

INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\t(\S+)\s*(.*)")
CONDITIONS = "eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le"
BRANCH = re.compile(rf"(b|b({CONDITIONS})|cbz|cbnz)(\.[nw])?$")
CHANGES_SP = re.compile(rf"(push|pop|vpush|vpop|stmdb|ldmia|sub|add|subw|addw|mov|ldr|str|ldrd|strd)({CONDITIONS})?(\.w|\.n)?$")
GOES = re.compile(rf"(bx|pop|ldmia|ldr|mov|udf|tbb|tbh)({CONDITIONS})?(\.w|\.n)?$")
SLOT = re.compile(r"\[sp(?:, #(\d+))?\]$")
DATA = {".word": 4, ".short": 2, ".byte": 1}
# What a call need not preserve.
SCRATCH = ("r0", "r1", "r2", "r3", "ip", "lr")
# Of the image's own sources, and of what the compiler has made of their closures.
SOURCE = re.compile(r"^(?:extension|struct|enum) (?P<type>\w+)|\bfunc (?P<function>\w+)|\b(?P<init>init)[?]?\(\s*_|"
                    r"\bthrough\(\s*\.(?P<door>\w+)", re.MULTILINE)
CLOSURE = re.compile(r"closure #(?P<number>\d+) .* in GateImage\.(?P<type>\w+)\.\(?(?P<function>\w+)(?: in (?P<mark>_\w+)\))?")


class NoBound(Exception):
    """Why none can be told."""


def registers(text):
    """How many are in a list such as {r4, r5-r7, lr}."""
    count = 0
    for item in re.sub(r".*\{|\}.*", "", text).split(","):
        ends = [int(n) for n in re.findall(r"\d+", item)]
        count += ends[1] - ends[0] + 1 if "-" in item else 1
    return count


def written(word, text):
    """The registers that an instruction changes, besides the stack pointer."""
    if word.startswith(("str", "cmp", "cmn", "tst", "teq", "push", "stm", "v", "b", "cb", "it", "nop", ".")) and not word.startswith("bic"):
        # What goes from the coprocessor of floating point into a register.
        return text.replace(" ", "").split(",")[:2] if word.startswith("vmov") else ()
    if word.startswith("pop") or (word.startswith("ldm") and "sp!" in text):
        # What is taken off the stack there is the caller's: a return follows.
        return ()
    if word.startswith("ldm"):
        names = re.sub(r".*\{|\}.*", "", text).replace(" ", "").split(",")
        spread = [f"r{n}" for item in names if "-" in item for n in range(*(int(x) + i for i, x in enumerate(re.findall(r"\d+", item))))]
        return names + spread
    operands = text.replace(" ", "").split(",")
    return operands[:2] if word.startswith(("ldrd", "umull", "smull", "umlal", "smlal", "umaal")) else operands[:1]


class Image:
    def __init__(self, elf):
        self.names, self.code, self.bounds = {}, {}, {}
        for line in run("arm-none-eabi-readelf", "-sW", elf):
            words = line.split()
            if len(words) == 8 and words[3] == "FUNC":
                self.names.setdefault(int(words[1], 16) & ~1, []).append(words[7])
        for line in run("arm-none-eabi-objdump", "-d", "--no-show-raw-insn", elf):
            found = INSTRUCTION.match(line)
            if found:
                text = re.split(r"\s*[@;<]", found[3])[0] if found[2] != ".word" else found[3]
                self.code[int(found[1], 16)] = (found[2], text.strip())
        self.order = sorted(self.code)
        self.starts = sorted(self.names)

    def name(self, address):
        return self.names[address][0] if address in self.names else f"code at {address:x}"

    def end(self, address):
        """Where the function of an address ends: at the next one."""
        place = bisect.bisect(self.starts, address)
        return self.starts[place] if place < len(self.starts) else self.order[-1] + 4

    def after(self, address):
        place = bisect.bisect(self.order, address)
        return self.order[place] if place < len(self.order) else None

    def before(self, address, first):
        """The instructions before one, back to the first of its function; shared sequences stand where they are called."""
        place = bisect.bisect_left(self.order, address) - 1
        while place >= 0 and self.order[place] >= first:
            at = self.order[place]
            word, text = self.code[at]
            called = int(text, 16) if word == "bl" else None
            if called is not None and self.is_outlined(called):
                end = bisect.bisect_left(self.order, self.end(called)) - 1
                while self.order[end] >= called:
                    yield self.order[end]
                    end -= 1
            else:
                yield at
            place -= 1

    def register(self, name, earlier):
        """The function that a register was given by instructions before one, the last first; None for anything else."""
        low = high = base = None
        for index, place in enumerate(earlier):
            word, text = self.code[place]
            if name in SCRATCH and (word in ("bl", "blx") or (word == "b.w" and int(text, 16) in self.names)):
                return None
            if name not in written(word, text):
                continue
            rest = text.split(",", 1)[-1].strip()
            number = re.search(r"#(-?\d+)", rest)
            if word == "add" and rest == "pc" and base is None:
                # The number before is relative to here.
                base = place + 4
            elif word.startswith("movt") and high is None:
                high = int(number[1])
            elif word.startswith("movw"):
                low = int(number[1])
            elif word.startswith("ldr") and rest.startswith("[pc"):
                literal = self.code.get(((place + 4) & ~3) + (int(number[1]) if number else 0))
                return self.named(int(literal[1], 16) + (base or 0)) if literal and literal[0] == ".word" else None
            elif re.match(r"ldrd?(\.w)?$", word) and SLOT.search(rest):
                second = 4 if word == "ldrd" and text.split(",")[1].strip() == name else 0
                return self.spilled(int(SLOT.search(rest)[1] or 0) + second, earlier[index + 1:])
            elif re.match(r"mov(\.w)?$", word) and re.match(r"(r\d+|sl|fp|ip|lr)$", rest):
                return self.register(rest, earlier[index + 1:])
            else:
                return None
            if low is not None:
                return self.named(((high or 0) << 16 | low) + (base or 0))
        return None

    def spilled(self, offset, earlier):
        """The function whose address was put into a place of the stack before."""
        for index, place in enumerate(earlier):
            word, text = self.code[place]
            slot = SLOT.search(text)
            if not slot or not word.startswith("str"):
                continue
            sources = [source.strip() for source in text.split("[")[0].split(",")]
            if int(slot[1] or 0) == offset:
                return self.register(sources[0], earlier[index + 1:])
            if word == "strd" and int(slot[1] or 0) == offset - 4:
                return self.register(sources[1], earlier[index + 1:])
        return None

    def named(self, address):
        """A function's address without the bit that says how it is coded; None for what is no function."""
        address &= 0xFFFF_FFFE
        return address if address in self.names else None

    def moved(self, address, first, depth, frames):
        """The depth of the stack behind an instruction; `frames` has the depths that other registers hold."""
        word, text = self.code[address]
        if not CHANGES_SP.match(word):
            return depth
        kind = CHANGES_SP.match(word)[1]
        amount = re.search(r"#(-?\d+)", text)
        number = int(amount[1]) if amount else 0
        if kind == "push":
            return depth + 4 * registers(text)
        if kind == "pop":
            return depth - 4 * registers(text)
        if kind in ("vpush", "vpop"):
            bytes_each = 8 if "d" in text else 4
            return depth + bytes_each * registers(text) * (1 if kind == "vpush" else -1)
        if kind in ("stmdb", "ldmia"):
            if not text.startswith("sp!"):
                return depth
            return depth + 4 * registers(text) * (1 if kind == "stmdb" else -1)
        if kind in ("str", "strd", "ldr", "ldrd"):
            pre, post = re.search(r"\[sp, #(-?\d+)\]!", text), re.search(r"\[sp\], #(-?\d+)", text)
            return depth - int((pre or post)[1]) if pre or post else depth
        if kind in ("sub", "subw", "add", "addw"):
            sign = 1 if kind.startswith("sub") else -1
            target = re.match(r"(\w+), (?:(\w+), )?#", text)
            if target and target[1] == "sp" and target[2] in (None, "sp"):
                return depth + sign * number
            if target and target[2] == "sp":
                frames[target[1]] = depth + sign * number
            elif target and target[1] in frames and target[2] in frames:
                frames[target[1]] = frames[target[2]] + sign * number
            elif re.match(r"sp, (?!#)", text):
                raise NoBound(f"{self.name(first)} moves the stack pointer by what is not known: {word} {text}")
            return depth
        if kind == "mov":
            target = re.match(r"(\w+), (\w+)$", text)
            if target and target[1] == "sp":
                if self.leaves_soon(address):
                    return depth
                if target[2] not in frames:
                    raise NoBound(f"{self.name(first)} sets the stack pointer to what is not known: {word} {text}")
                # A frame that is aligned to more than 8 bytes has up to so many more.
                return frames[target[2]] + (self.alignment(target[2], address, first) or 0)
            if target and target[2] == "sp":
                frames[target[1]] = depth
        return depth

    def leaves_soon(self, address):
        """Whether what follows takes the saved registers off the stack and returns."""
        for _ in range(4):
            address = self.after(address)
            word, text = self.code.get(address, ("", ""))
            if word.startswith(("pop", "ldmia")):
                return "pc" in text or "lr" in text
            if not word.startswith(("vpop", "add")):
                return False
        return False

    def alignment(self, name, address, first):
        """The bytes that an address is lowered by at most, in the few instructions before."""
        for count, place in enumerate(self.before(address, first)):
            word, text = self.code[place]
            found = re.match(rf"{name}, #0, #(\d+)", text)
            if word.startswith("bfc") and found:
                return (1 << int(found[1])) - 1
            if count > 4:
                return 0
        return 0

    def cases(self, address, width):
        """Where a table of jumps leads: it stands behind the jump, or where a register says, and counts in half-words from there."""
        base = address + 4
        if not self.code[address][1].startswith("[pc"):
            before = self.order[bisect.bisect_left(self.order, address) - 1]
            told = re.match(r"(\w+), pc, #(\d+)$", self.code[before][1])
            if not told or not self.code[address][1].startswith(f"[{told[1]},"):
                raise NoBound(f"the table of jumps at {address:x} is not found")
            base = (before + 4 & ~3) + int(told[2])
        content, place = b"", base
        while self.code.get(place, ("",))[0] in DATA:
            size = DATA[self.code[place][0]]
            content += int(self.code[place][1], 16).to_bytes(size, "little")
            place += size
        if not content:
            raise NoBound(f"the table of jumps at {address:x} is not found")
        return {base + 2 * int.from_bytes(content[i:i + width], "little") for i in range(0, len(content), width)}

    @functools.lru_cache(maxsize=None)
    def function(self, entry):
        """The most that the function at an address takes itself, and its calls: (depth, callee, where).

        Instead of a callee there is the name of the register that holds it, where nothing is known of that.
        """
        place = bisect.bisect(self.starts, entry) - 1
        first = self.starts[place] if place >= 0 else entry
        end, outlined = self.end(entry), self.is_outlined(entry)
        depths, calls, frames, deepest = {}, set(), {}, 0
        waiting = [(entry, 0)]
        while waiting:
            address, depth = waiting.pop()
            if address is None or not first <= address < end or address not in self.code:
                continue
            if address in depths and depths[address] >= depth:
                continue
            if depth > 100_000:
                raise NoBound(f"{self.name(entry)} pushes in a loop")
            depths[address] = depth
            word, text = self.code[address]
            if word.startswith("."):
                continue
            behind = self.moved(address, entry, depth, frames)
            deepest = max(deepest, behind)
            # What a condition takes off the stack is followed by a return or a jump under the same condition.
            if CHANGES_SP.match(word) and CHANGES_SP.match(word)[2]:
                behind = max(behind, depth)
            branch = BRANCH.match(word)
            if branch:
                target = int(re.search(r"([0-9a-f]+)$", text.split(",")[-1].strip())[1], 16)
                if target == entry and depth > 0:
                    raise NoBound(f"{self.name(entry)} may call itself")
                if entry <= target < end:
                    waiting.append((target, depth))
                else:
                    calls.add((depth, target, address))
                if branch[1] == "b":
                    continue
            elif word in ("bl", "blx") and re.match(r"[0-9a-f]+$", text) and not re.match(r"(r\d+|fp|sl|ip|lr)$", text):
                calls.add((depth, int(text, 16), address))
            elif word.startswith(("blx", "bx")) and text != "lr":
                target = self.register(text, list(self.before(address, entry)))
                calls.add((depth, text if target is None else target, address))
                if word == "bx":
                    continue
            elif GOES.match(word):
                kind = GOES.match(word)
                if kind[1] in ("tbb", "tbh"):
                    waiting += [(target, depth) for target in self.cases(address, 1 if kind[1] == "tbb" else 2)]
                    continue
                leaves = kind[1] == "bx" or kind[1] == "udf" or ("pc" in text and (kind[1] in ("pop", "ldmia") or text.startswith("pc")))
                if leaves and not kind[2]:
                    if behind < 0 and not outlined and entry in self.names:
                        raise NoBound(f"{self.name(entry)} takes more off the stack than is known to be there")
                    # One that takes something off, at the end of a function, leaves the bound too high and not too low.
                    if behind > 0 and outlined and text == "lr":
                        raise NoBound(f"{self.name(entry)} leaves the stack otherwise than it was")
                    continue
            waiting.append((self.after(address), behind))
        return deepest, frozenset(calls)

    def is_outlined(self, entry):
        """Whether it is a sequence that several functions share, which knows the registers of whoever calls it."""
        return self.name(entry).startswith("OUTLINED_FUNCTION_")

    def followed(self, entry, calls):
        """Calls as (depth, callee), those of shared sequences through a register as the caller's."""
        for depth, callee, address in calls:
            if isinstance(callee, str):
                if self.is_outlined(entry):
                    continue
                raise NoBound(f"{symbols.demangled([self.name(entry)])[0]} calls at {address:x} what is only known when it runs")
            yield depth, callee
            if not self.is_outlined(callee):
                continue
            for below, register, _ in self.function(callee)[1]:
                if isinstance(register, str):
                    target = self.register(register, list(self.before(address, entry)))
                    if target is None:
                        raise NoBound(f"{symbols.demangled([self.name(entry)])[0]} calls at {address:x} what is only known when it runs")
                    yield depth + below, target

    def bound(self, entry, path=()):
        """The most stack of a function and all it calls, and its deepest path: ((name, its own bytes), …)."""
        if entry in self.bounds:
            return self.bounds[entry]
        if entry in path:
            raise NoBound("these call each other: " + ", ".join(symbols.demangled([self.name(a) for a in path[path.index(entry):]])))
        own, calls = self.function(entry)
        most, way = own, ((self.name(entry), own),)
        for depth, callee in self.followed(entry, calls):
            below, rest = self.bound(callee, path + (entry,))
            if depth + below > most:
                most, way = depth + below, ((self.name(entry), depth),) + rest
        self.bounds[entry] = (most, way)
        return self.bounds[entry]


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, errors="replace").stdout.splitlines()


def of_parts(image, parts):
    """(bytes, deepest path) of each part; a part's type without any function is told."""
    functions = {}
    for address in image.starts:
        for symbol in image.names[address]:
            functions.setdefault(symbols.first_type(symbol)[1], []).append(address)
    missing = [name for types in parts.values() for name in types if name not in functions]
    found = {part: max((image.bound(a) for name in types for a in functions.get(name, [])), key=lambda b: b[0], default=(0, ()))
             for part, types in parts.items()}
    return found, missing


def closures(sources):
    """Which door each closure of the image goes through, from the order of `through(.door)` in its function, for each source."""
    found = {}
    for path in sorted(pathlib.Path(sources).glob("Core*.swift")):
        doors = found[path.name] = {}
        inside, function = "", ""
        for match in SOURCE.finditer(path.read_text()):
            if match["type"]:
                inside = match["type"]
            elif match["function"] or match["init"]:
                function = match["function"] or "init"
                # Another of the same name has closures of its own.
                doors.setdefault((inside, function), []).append([])
            else:
                doors[inside, function][-1].append(match["door"])
    return found


def door_of(doors, private, name):
    """The doors that a closure may go through: one, unless several functions have the same name."""
    closure = CLOSURE.search(name)
    if not closure:
        return set()
    key, place = (closure["type"], closure["function"]), int(closure["number"]) - 1
    # A private function's name has a mark of its source: the one that has all functions with the mark.
    own = private.get(closure["mark"], set())
    files = [functions for functions in doors.values() if key in functions and own <= set(functions)]
    return {function[place] for functions in files for function in functions[key] if place < len(function)}


def names_of_doors(sources):
    """What the gate calls each door."""
    text = (pathlib.Path(sources) / "CoreStack.swift").read_text()
    return dict(re.findall(r'case \.(\w+): return "([^"]+)"', text))


def of_doors(image, sources):
    """The bound of each door as the gate measures it, with the frames of its closures; and why others have none."""
    doors, names = closures(sources), names_of_doors(sources)
    known = [a for a in image.starts if "GateImage" in image.name(a)]
    # A closure that was put into the function that calls it is named within that function's name.
    inner = [(re.search(r"Closure Propagated : ([^,]+),", name) or [None, ""])[1]
             for name in symbols.demangled([image.name(a) for a in known])]
    shown = symbols.demangled([within or image.name(a) for a, within in zip(known, inner)])
    private = {}
    for match in filter(None, map(CLOSURE.search, shown)):
        if match["mark"]:
            private.setdefault(match["mark"], set()).add((match["type"], match["function"]))
    frame, bounds, reasons = 0, {}, {}
    for address, name in zip(known, shown):
        if "belowFrame" in name:
            frame = max([frame] + [depth for depth, callee, _ in image.function(address)[1] if isinstance(callee, str)])
        for door in door_of(doors, private, name):
            try:
                bounds[names[door]] = max(bounds.get(names[door], 0), image.bound(address)[0])
            except NoBound as reason:
                reasons[names[door]] = str(reason)
    return {door: most + frame for door, most in bounds.items() if door not in reasons}, reasons


def check_doors(image, sources, measured):
    failed = 0
    bounds, reasons = of_doors(image, sources)
    for line in pathlib.Path(measured).read_text().splitlines():
        taken, door = line.split(" ", 1)
        if door in bounds:
            print(bounds[door], taken, door)
            if int(taken) > bounds[door]:
                failed = 1
                print(f"stack-bounds: {door} took {taken} bytes, more than the bound of {bounds[door]}", file=sys.stderr)
        else:
            print("-", taken, door)
            print(f"stack-bounds: {door} has no bound: {reasons.get(door, 'its closure is not found')}", file=sys.stderr)
    return failed


def main(words):
    sys.setrecursionlimit(10_000)
    if len(words) == 4 and words[1] == "--doors":
        return check_doors(Image(words[0]), words[2], words[3])
    if len(words) not in (2, 4) or (len(words) == 4 and words[2] != "--why"):
        print(__doc__, file=sys.stderr)
        return 2
    image = Image(words[0])
    try:
        found, missing = of_parts(image, symbols.parts(words[1]))
    except NoBound as reason:
        print(f"stack-bounds: no bound: {reason}", file=sys.stderr)
        return 1
    if len(words) == 4 and words[3] not in found:
        print(f"stack-bounds: {words[1]} has no part '{words[3]}'", file=sys.stderr)
        return 2
    for part, (most, way) in found.items():
        if len(words) == 2:
            print(most, part)
        elif part == words[3]:
            for name, own in zip(symbols.demangled([n for n, _ in way]), way):
                print(f"{own[1]:6} {name[:150]}")
    for name in missing:
        print(f"stack-bounds: no function of '{name}' is in the image; {words[1]} names it", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
