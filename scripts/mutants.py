#!/usr/bin/env python3
"""Puts small faults into the sources, one at a time, and tells which of them no test notices.

  scripts/mutants.py                  try every fault of Tests/Mutants, write docs/mutants.md anew
  scripts/mutants.py NAME…            try the faults of these modules, or whose names begin so; of the others the page shows
                                      the last result of this machine, or else what it showed before
  scripts/mutants.py --list [NAME…]   list the faults without trying them
  scripts/mutants.py --check          read the lists of faults and place each in the sources; nothing is built
  scripts/mutants.py --build          apply and build only
  scripts/mutants.py --json           results as one JSON object on standard output
  scripts/mutants.py --jobs N         processes that test at a time (default: one per processor)
  scripts/mutants.py --afresh         forget which test caught a fault in an earlier run

All faults are applied to one copy of the sources in .build/mutants, each behind one switch, so that one build serves; the
product knows nothing of them. docs/mutants.md tells how a fault is written.

Exit codes: 0 enough faults are caught, 1 too few (or the tests fail without any fault), 2 wrong usage or a wrong list,
3 the copy does not build.
"""

import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

from source_copy import write_if_new

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LISTS = os.path.join(ROOT, "Tests", "Mutants")
PAGE = os.path.join(ROOT, "docs", "mutants.md")
WORK = os.path.join(ROOT, ".build", "mutants")
TREE = os.path.join(WORK, "tree")
SWITCH = "leash_fault"
# What the copy leaves out: nothing that the tests read.
LEFT_OUT = {".build", ".git", ".swiftpm", "Benchmarks", "Fuzz"}
# Shares that must be caught, in all and in each module.
MUST_IN_ALL, MUST_IN_EACH = 0.95, 0.90
# Fewer in one module say nothing about its share.
FEW = 5


class Wrong(Exception):
    """A list of faults, or an option, that is wrong."""


def is_one(text):
    """True when every bracket that opens closes, none closes first, and no comma, nor half of a choice, stands outside of them."""
    depth, choices, bare = 0, 0, re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    for place, character in enumerate(bare):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0 or depth == 0 and character == ",":
            return False
        if depth == 0 and bare[place:place + 3] in (" ? ", " : "):
            choices += 1 if character == " " and bare[place + 1] == "?" else -1
        if choices < 0:
            return False
    return depth == 0


class Fault:
    """One fault: where it is, what stands there, what stands there instead."""

    def __init__(self, path, line, name, harm):
        self.origin = f"{os.path.relpath(path, ROOT)}:{line}"
        self.name, self.harm = name, harm
        self.fields = {}
        self.number = 0
        self.span = None

    def __getattr__(self, key):
        if key in ("file", "at", "old", "new", "drop", "do", "instead", "survives", "tests"):
            return self.fields.get(key)
        raise AttributeError(key)

    def check(self):
        forms = [set(form) <= set(self.fields) for form in (("old", "new"), ("drop",), ("do", "instead"))]
        if self.file is None or sum(forms) != 1:
            raise Wrong(f"{self.origin}: {self.name} needs 'file' and one of 'old' with 'new', 'drop', 'do' with 'instead'")
        if not re.match(r"Sources/\w+/", self.file):
            raise Wrong(f"{self.origin}: {self.name}: 'file' begins with Sources/MODULE/")
        self.module = self.file.split("/")[1]
        # The compiler finds these only minutes later, and says it of the copy.
        for text in (self.old, self.new) if self.old is not None else ():
            if (not text or re.match(r"(if|guard|for|while|let|var|case|return)\b|(&&|\|\||[<>=!]=|[&|?:*/<>=]) ", text) or not is_one(text)
                    or re.search(r"[^=!<>]=$|(&&|\|\||[-+*/?:&|])$|;", re.sub(r'"(?:[^"\\]|\\.)*"', '""', text))):
                raise Wrong(f"{self.origin}: {self.name}: '{text}' is no expression; name its place with 'at', or use 'drop' or 'do'")
        labels = [label[0] if (label := re.match(r"[A-Za-z]\w*: ", text or "")) else "" for text in (self.old, self.new)]
        if labels[0] != labels[1]:
            raise Wrong(f"{self.origin}: {self.name}: 'old' and 'new' name different arguments")
        if re.match(r"(case|default|deinit|init|func|struct|enum|let|var)\b", self.drop or self.do or ""):
            raise Wrong(f"{self.origin}: {self.name}: '{self.drop or self.do}' is no statement")

    @property
    def original(self):
        return self.old or self.drop or self.do

    def switched(self, inner):
        """The text with the fault behind the switch; `inner` is what stands there without it."""
        on = f"{SWITCH}({self.number})"
        if self.drop is not None:
            return f"if !{on} {{ {inner} }}"
        if self.do is not None:
            return f"if {on} {{ {self.instead} }} else {{ {inner} }}"
        label = re.match(r"[A-Za-z]\w*: ", self.old)
        if label and inner.startswith(label[0]) and self.new.startswith(label[0]):
            # An argument with its name.
            return f"{label[0]}({on} ? ({self.new[label.end():]}) : ({inner[label.end():]}))"
        return f"({on} ? ({self.new}) : ({inner}))"


def read_lists():
    faults, names = [], {}
    for entry in sorted(os.listdir(LISTS)):
        if not entry.endswith(".faults"):
            continue
        path = os.path.join(LISTS, entry)
        tests, fault, key = [], None, None
        for number, line in enumerate(open(path, encoding="utf-8").read().split("\n"), 1):
            place = f"{os.path.relpath(path, ROOT)}:{number}"
            if not line.strip() or line.startswith("#"):
                key = None
            elif line.startswith("| ") or line == "|":
                if fault is None or key is None:
                    raise Wrong(f"{place}: a line that begins with '|' goes on with the field before it; there is none")
                fault.fields[key] += "\n" + line[2:]
            elif match := re.match(r"([a-z]+): (.*)$", line):
                key, value = match.groups()
                if key == "tests" and fault is None:
                    tests = value.split()
                elif key == "fault":
                    words = re.match(r"([a-z0-9-]+): (.+)$", value)
                    if not words:
                        raise Wrong(f"{place}: 'fault: name-in-small-letters: What the user would suffer' is expected")
                    name, harm = words.groups()
                    if name in names:
                        raise Wrong(f"{place}: {name} is in {names[name]} too")
                    names[name] = place
                    fault = Fault(path, number, name, harm)
                    fault.fields["tests"] = tests
                    faults.append(fault)
                elif fault is None:
                    raise Wrong(f"{place}: '{key}' stands before the first 'fault'")
                elif key == "tests":
                    fault.fields["tests"] = value.split()
                elif key in ("file", "at", "old", "new", "drop", "do", "instead", "survives"):
                    fault.fields[key] = value
                else:
                    raise Wrong(f"{place}: unknown field '{key}' (fault, tests, file, at, old, new, drop, do, instead, survives)")
            else:
                raise Wrong(f"{place}: 'field: value' is expected")
    for number, fault in enumerate(faults, 1):
        fault.number = number
        fault.check()
        if not fault.tests:
            raise Wrong(f"{fault.origin}: {fault.name} names no tests")
        for suite in fault.tests:
            if not os.path.isdir(os.path.join(ROOT, "Tests", suite.split(".")[0])):
                raise Wrong(f"{fault.origin}: there is no Tests/{suite.split('.')[0]}")
    return faults


def only(text, part, fault, where):
    """The place of a part that stands exactly once in a text."""
    count = text.count(part)
    if count != 1:
        often = "nowhere" if count == 0 else f"{count} times"
        raise Wrong(f"{fault.origin}: {fault.name}: '{part}' stands {often} in {where}; it must stand there once")
    return text.index(part)


def place(faults):
    """Where in its file each fault is, by file."""
    files = {}
    for fault in faults:
        path = os.path.join(ROOT, fault.file)
        if not os.path.isfile(path):
            raise Wrong(f"{fault.origin}: there is no {fault.file}")
        text = files.setdefault(fault.file, (open(path, encoding="utf-8").read(), []))[0]
        if fault.at is None:
            start = only(text, fault.original, fault, fault.file)
        else:
            start = only(text, fault.at, fault, fault.file) + only(fault.at, fault.original, fault, "its 'at'")
        if text[start - 1] == ".":
            raise Wrong(f"{fault.origin}: {fault.name}: '{fault.original}' is no whole; begin before the point")
        fault.span = (start, start + len(fault.original))
        files[fault.file][1].append(fault)
    return files


def rewritten(text, faults):
    """A text with all its faults behind switches; one may stand inside another."""
    faults = sorted(faults, key=lambda fault: (fault.span[0], -fault.span[1], fault.number))

    def rewrite(start, end, rest):
        result, at = "", start
        while rest:
            fault = rest[0]
            low, high = fault.span
            inside = [other for other in rest[1:] if other.span[0] < high]
            for other in inside:
                if other.span[1] > high:
                    raise Wrong(f"{other.origin}: {other.name} and {fault.name} overlap; one must hold the other")
            result += text[at:low] + fault.switched(rewrite(low, high, inside))
            at = high
            rest = rest[1 + len(inside):]
        return result + text[at:end]

    return rewrite(0, len(text), faults)


SWITCH_HEADER = f"""#include <stdbool.h>
extern int {SWITCH}_number;
static inline bool {SWITCH}(int number) {{ return {SWITCH}_number == number; }}
"""
SWITCH_SOURCE = f"""#include <stdlib.h>
#include "FaultSwitch.h"
int {SWITCH}_number;
__attribute__((constructor)) static void choose(void) {{
  const char *text = getenv("LEASH_FAULT");
  {SWITCH}_number = text ? atoi(text) : 0;
}}
"""
MANIFEST_TAIL = """
for target in package.targets where target.type == .regular { target.dependencies.append("FaultSwitch") }
package.targets.append(.target(name: "FaultSwitch"))
"""


def make_tree(files):
    kept = set()
    for folder, folders, names in os.walk(ROOT):
        if folder == ROOT:
            folders[:] = [name for name in folders if name not in LEFT_OUT]
        relative = os.path.relpath(folder, ROOT)
        for name in names:
            path = os.path.normpath(os.path.join(relative, name))
            source = os.path.join(ROOT, path)
            if os.path.islink(source) or not os.path.isfile(source):
                continue
            data = open(source, "rb").read()
            if path in files:
                text = "import FaultSwitch\n" + rewritten(*files[path])
                data = text.encode()
            if path == "Package.swift":
                data = data.replace(b".treatAllWarnings(as: .error),", b"").replace(
                    b"\n// LEASH_TESTS=", MANIFEST_TAIL.encode() + b"\n// LEASH_TESTS=")
                if MANIFEST_TAIL.encode() not in data:
                    raise Wrong("Package.swift: the place for the switch is not found")
            target = os.path.join(TREE, path)
            write_if_new(target, data)
            shutil.copymode(source, target)
            kept.add(path)
    for name, text in (("include/FaultSwitch.h", SWITCH_HEADER), ("FaultSwitch.c", SWITCH_SOURCE)):
        path = f"Sources/FaultSwitch/{name}"
        write_if_new(os.path.join(TREE, path), text.encode())
        kept.add(path)
    for folder, folders, names in os.walk(TREE):
        if folder == TREE:
            folders[:] = [name for name in folders if name != ".build"]
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), TREE)
            if path not in kept:
                os.remove(os.path.join(TREE, path))


def environment(number=0):
    values = {key: value for key, value in os.environ.items() if key not in ("LEASH_DATA", "LEASH_TESTS")}
    values["LEASH_FAULT"] = str(number)
    return values


def build(faults):
    suites = sorted({suite.split(".")[0] for fault in faults for suite in fault.tests})
    # The same graph for the same lists, whatever is tried: a change of graph builds much anew.
    values = dict(environment(), LEASH_TESTS=" ".join(suites))
    command = ["swift", "build", "--build-tests", "--disable-index-store", "-Xswiftc", "-gline-tables-only", "-Xswiftc",
               "-whole-module-optimization", "-Xswiftc", "-num-threads", "-Xswiftc", "2", "-Xswiftc",
               "-no-emit-module-separately-wmo", "--package-path", TREE]
    log = os.path.join(WORK, "build.log")
    tell(f"building with {len(faults)} faults (log: {os.path.relpath(log, ROOT)})")
    with open(log, "wb") as out:
        code = subprocess.run(command, env=values, stdout=out, stderr=subprocess.STDOUT).returncode
    if code != 0:
        lines = [line for line in open(log, encoding="utf-8", errors="replace") if " error: " in line]
        for line in list(dict.fromkeys(lines))[:20]:
            sys.stderr.write(line.replace(TREE + "/", ""))
        print("mutants: the copy with the faults does not build; a fault must be an expression ('old', 'new') or "
              "whole statements without declarations ('drop', 'do')", file=sys.stderr)
        sys.exit(3)


def binary():
    folder = os.path.join(TREE, ".build", "debug")
    for name in os.listdir(folder):
        if name.endswith("PackageTests.xctest"):
            return os.path.join(folder, name)
    print("mutants: the build left no tests", file=sys.stderr)
    sys.exit(3)


ISSUE = re.compile(r"^\S+ Test (?:case passing .* to )?\"?([^\s\"(]+).*recorded an issue")


def run(program, suite, number, limit):
    """Runs tests with a fault: (caught, by what)."""
    module, _, name = suite.partition(".")
    # A test by its name, or all of a suite.
    pattern = f"^{module}\\." + (rf"((.*/)?{re.escape(name)}\(|{re.escape(name)}/)" if name else "")
    process = subprocess.Popen(
        [program, "--testing-library", "swift-testing", "--filter", pattern], cwd=TREE, env=environment(number),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)

    def end():
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    is_late = []
    timer = threading.Timer(limit, lambda: (is_late.append(True), end()))
    timer.start()
    caught, last, ran = None, "", False
    try:
        for raw in process.stdout:
            line = raw.decode("utf-8", "replace").rstrip()
            if match := ISSUE.match(line):
                caught = match.group(1)
                break
            if " started." in line and " Test " in line:
                last = line.split(" Test ", 1)[1].split("(")[0].strip('"')
                ran = ran or not last.startswith("run")
    finally:
        timer.cancel()
        end()
        process.stdout.close()
        code = process.wait()
    if caught:
        return True, f"{suite.split('.')[0]}.{caught}"
    if is_late:
        return True, f"{suite.split('.')[0]} (did not end)"
    # A test that is there no more, or has another name: nothing was tried.
    if code != 0 and name and not ran:
        return False, None
    if code != 0:
        return True, f"{suite.split('.')[0]}.{last} (ended the process)"
    if not ran and number == 0:
        raise Wrong(f"no test matches '{suite}'")
    return False, None


def tell(words):
    print(f"mutants: {words}", file=sys.stderr, flush=True)


def sound(program, suites, jobs):
    """Seconds each suite takes without a fault; all must pass."""
    times = {}

    def once(suite):
        start = time.monotonic()
        failed, by = run(program, suite, 0, 900)
        times[suite] = time.monotonic() - start
        return f"{by} fails without any fault" if failed else None

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        troubles = [trouble for trouble in pool.map(once, suites) if trouble]
    for trouble in troubles:
        tell(trouble)
    if troubles:
        sys.exit(1)
    for suite in suites:
        tell(f"{suite}: passes without a fault in {times[suite]:.1f} s")
    return times


def attempt(program, fault, times, known):
    """Tries one fault: what caught it, or nil, and the seconds it took."""
    start = time.monotonic()
    killer = known.get(fault.name)
    if killer and "(" not in killer and killer.split(".")[0] in fault.tests:
        caught, by = run(program, killer, fault.number, 120)
        if caught:
            return by, time.monotonic() - start
    for suite in fault.tests:
        caught, by = run(program, suite, fault.number, 30 + 4 * times[suite])
        if caught:
            return by, time.monotonic() - start
    return None, time.monotonic() - start


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "none"


def cell(text):
    return " ".join(text.split()).replace("|", "\\|")


def write_page(faults, results):
    """The tables of the page, from the last result of each fault; one that was never tried is said to be so."""
    text = open(PAGE, encoding="utf-8").read()
    begin, end = "<!-- made by make mutants -->\n", "<!-- end -->"
    head, rest = text.split(begin, 1)
    tail = rest.split(end, 1)[1]

    def row(name, mine):
        tried = [fault for fault in mine if fault.name in results]
        caught = [fault for fault in tried if results[fault.name]]
        return f"| {name} | {len(mine)} | {len(tried)} | {len(caught)} | {percent(len(caught), len(tried))} |"

    modules = list(dict.fromkeys(fault.module for fault in faults))
    rows = ["| module | faults | tried | caught | share of those tried |", "|---|---:|---:|---:|---:|"]
    rows += [row(module, [fault for fault in faults if fault.module == module]) for module in modules]
    rows += [row("**all**", faults), "", "## Survivors", ""]
    survivors = [fault for fault in faults if fault.name in results and not results[fault.name]]
    if survivors:
        rows += ["| fault | what the user would suffer | why no test notices |", "|---|---|---|"]
        rows += [f"| `{fault.name}` | {cell(fault.harm)} | {cell(fault.survives or 'a test is missing')} |" for fault in survivors]
    else:
        rows.append("None.")
    rows += ["", "## Every fault", "", "| fault | what the user would suffer | noticed by |", "|---|---|---|"]
    for fault in faults:
        by = results.get(fault.name, "not tried yet")
        by = "nothing" if by is None else by if by == "not tried yet" else f"`{by}`"
        rows.append(f"| `{fault.name}` | {cell(fault.harm)} | {cell(by)} |")
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(head + begin + "\n" + "\n".join(rows) + "\n\n" + end + tail)


def results_of_page():
    """What the page shows: what caught each fault, or nil."""
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| .* \| (nothing|`[^`|]+`) \|$", open(PAGE, encoding="utf-8").read(), re.M)
    return {name: None if by == "nothing" else by.strip("`") for name, by in rows}


def options(arguments):
    chosen = {"names": [], "list": False, "json": False, "jobs": os.cpu_count() or 1, "afresh": False, "check": False,
              "build": False}
    place = 0
    while place < len(arguments):
        argument = arguments[place]
        if argument in ("-h", "--help"):
            print(__doc__.strip())
            sys.exit(0)
        elif argument in ("--list", "--json", "--afresh", "--check", "--build"):
            chosen[argument[2:]] = True
        elif argument == "--jobs":
            place += 1
            if place == len(arguments) or not arguments[place].isdigit() or int(arguments[place]) == 0:
                raise Wrong("--jobs needs a number from 1 on")
            chosen["jobs"] = int(arguments[place])
        elif argument.startswith("-"):
            raise Wrong(f"unknown option '{argument}' (see --help)")
        else:
            chosen["names"].append(argument)
        place += 1
    return chosen


def main():
    chosen = options(sys.argv[1:])
    faults = read_lists()
    files = place(faults)
    for path, (text, inside) in files.items():
        rewritten(text, inside)
    wanted = [fault for fault in faults if not chosen["names"]
              or any(fault.name.startswith(name) or fault.module == name for name in chosen["names"])]
    if chosen["names"] and not wanted:
        raise Wrong(f"no fault is called {' or '.join(chosen['names'])}; --list shows all")
    if chosen["list"]:
        for fault in wanted:
            print(f"{fault.module:16} {fault.name:44} {fault.harm}")
        return 0
    if chosen["check"]:
        tell(f"{len(faults)} faults in {len(files)} files, each with its place")
        return 0
    start = time.monotonic()
    make_tree(files)
    build(faults)
    if chosen["build"]:
        return 0
    program = binary()
    times = sound(program, list(dict.fromkeys(suite for fault in wanted for suite in fault.tests)), chosen["jobs"])
    memory = os.path.join(WORK, "caught-by.json")
    known = {}
    if not chosen["afresh"]:
        # What noticed it the last time most likely notices it again; the page knows where this machine does not.
        known = dict(re.findall(r"^\| `([a-z0-9-]+)` \| .* \| `(\w+\.\w+)` \|$", open(PAGE, encoding="utf-8").read(), re.M))
        if os.path.exists(memory):
            known.update(json.load(open(memory, encoding="utf-8")))
    results, done = {}, 0
    with concurrent.futures.ThreadPoolExecutor(chosen["jobs"]) as pool:
        tries = {pool.submit(attempt, program, fault, times, known): fault for fault in wanted}
        for future in concurrent.futures.as_completed(tries):
            fault = tries[future]
            by, seconds = future.result()
            results[fault.name] = by
            done += 1
            if by:
                known[fault.name] = by
            tell(f"{done}/{len(wanted)} {fault.name}: {'caught by ' + by if by else 'NOT CAUGHT: ' + fault.harm} ({seconds:.0f} s)")
            with open(memory + ".new", "w", encoding="utf-8") as file:
                json.dump(known, file, indent=1, sort_keys=True)
            os.replace(memory + ".new", memory)
    seconds = time.monotonic() - start
    modules = list(dict.fromkeys(fault.module for fault in wanted))
    enough = True
    table = []
    for module in modules:
        mine = [fault for fault in wanted if fault.module == module]
        caught = sum(1 for fault in mine if results[fault.name])
        table.append({"module": module, "faults": len(mine), "caught": caught})
        if len(mine) >= FEW and caught < MUST_IN_EACH * len(mine):
            enough = False
    caught = sum(row["caught"] for row in table)
    enough = enough and caught >= MUST_IN_ALL * len(wanted)
    last = os.path.join(WORK, "results.json")
    everything = {}
    if chosen["names"]:
        everything = json.load(open(last, encoding="utf-8")) if os.path.exists(last) else results_of_page()
    everything.update(results)
    everything = {fault.name: everything[fault.name] for fault in faults if fault.name in everything}
    with open(last, "w", encoding="utf-8") as file:
        json.dump(everything, file, indent=1, sort_keys=True)
    write_page(faults, everything)
    if chosen["json"]:
        print(json.dumps({"seconds": round(seconds), "faults": len(wanted), "caught": caught, "modules": table,
                          "survivors": [fault.name for fault in wanted if not results[fault.name]]}))
    else:
        for row in table:
            print(f"{row['module']:18} {row['caught']:4} of {row['faults']:4} {percent(row['caught'], row['faults']):>8}")
        print(f"{'all':18} {caught:4} of {len(wanted):4} {percent(caught, len(wanted)):>8}   in {seconds:.0f} s")
        for fault in wanted:
            if not results[fault.name]:
                print(f"not caught: {fault.name}: {fault.harm}")
    return 0 if enough else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Wrong as wrong:
        print(f"mutants: {wrong}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
