#!/usr/bin/env python3
"""Changes each number of the motion detectors by 20 % either way and tells which scenes of the tuning half turn.

  scripts/scenes-sensitivity.py               try all numbers, write the table of docs/evaluation.md anew
  scripts/scenes-sensitivity.py NAME…         try those whose names hold one of these; of the others the last results are shown
  scripts/scenes-sensitivity.py --list        list the numbers
  scripts/scenes-sensitivity.py --hours H     leave out scenes that last longer
  scripts/scenes-sensitivity.py --percent P   change by another share
  scripts/scenes-sensitivity.py --jobs J      play J settings at the same time; as many as processors unless told otherwise
  scripts/scenes-sensitivity.py --afresh      forget earlier results

The numbers are the settings motion.* and rest.*, and the constants in the sources of the detectors. These are changed in a copy of the
sources in .build/sensitivity, each behind a switch, so that one build serves; the product knows nothing of it. What was tried is kept
in docs/constants.json as long as detectors and scenes are the same, so that a run that was ended goes on, by the hour if need be.

Exit codes: 0 the run is over, whatever turned, 2 wrong usage, 3 the copy does not build.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys

from source_copy import write_if_new

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(ROOT, ".build", "sensitivity")
TREE = os.path.join(WORK, "tree")
PAGE = os.path.join(ROOT, "docs", "evaluation.md")
STORE = os.path.join(ROOT, "docs", "constants.json")
SOURCES = ["Sources/MotionDetection", "Sources/InertialFusion/InertialEstimator.swift", "Sources/InertialFusion/Rest/SensorWatch.swift", "Sources/InertialFusion/Rest/FrameWatch.swift"]
CONSTANT = re.compile(r"static var (\w+): (Float|Int32|Interval) \{ ([^}]+) \}")
FORMS = {
    "Float": "Float(Double({0} as Float) * leash_scale({1}))",
    "Int32": "Int32(Double({0} as Int32) * leash_scale({1}) + 0.5)",
    "Interval": "Interval(microseconds: Int64(Double((({0}) as Interval).microseconds) * leash_scale({1})))",
}
HEADER = """#include <stdlib.h>
extern int leash_scaled; extern double leash_factor;
static inline double leash_scale(int number) { return number == leash_scaled ? leash_factor : 1; }
"""
SOURCE = """#include "ConstantSwitch.h"
int leash_scaled; double leash_factor;
__attribute__((constructor)) static void choose(void) {
  const char *number = getenv("LEASH_CONSTANT"), *factor = getenv("LEASH_FACTOR");
  leash_scaled = number ? atoi(number) : 0;
  leash_factor = factor ? atof(factor) : 1;
}
"""
MANIFEST = """
for target in package.targets where target.type == .regular { target.dependencies.append("ConstantSwitch") }
package.targets.append(.target(name: "ConstantSwitch"))
"""


def tell(text):
    print(f"scenes-sensitivity: {text}", file=sys.stderr, flush=True)


def files_of(path):
    """All files below a path of the repository."""
    full = os.path.join(ROOT, path)
    if os.path.isfile(full):
        return [path]
    return sorted(os.path.relpath(os.path.join(folder, name), ROOT)
                  for folder, _, names in os.walk(full) for name in names)


def constants():
    """Every constant of the detectors: its name, and the text of its file with a switch at its place."""
    found, texts = [], {}
    for path in [path for source in SOURCES for path in files_of(source)]:
        text = open(os.path.join(ROOT, path), encoding="utf-8").read()
        kind = os.path.basename(path).removesuffix(".swift").split("+")[0]

        def switched(match):
            found.append({"name": f"{kind}.{match.group(1)}", "value": match.group(3).strip()})
            form = FORMS[match.group(2)].format(match.group(3).strip(), len(found))
            return f"static var {match.group(1)}: {match.group(2)} {{ {form} }}"

        changed = CONSTANT.sub(switched, text)
        if changed != text:
            texts[path] = "import ConstantSwitch\n" + changed
    return found, texts


def build(texts):
    """Builds the copy and returns its program."""
    paths = ["Package.swift"] + files_of("Sources") + files_of("Tests")
    for folder, _, names in os.walk(TREE):
        # What has moved since the last run would be there twice.
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), TREE)
            if path.split(os.sep)[0] in ("Sources", "Tests") and "ConstantSwitch" not in path and path not in paths:
                os.remove(os.path.join(TREE, path))
    for path in paths:
        data = open(os.path.join(ROOT, path), "rb").read()
        if path in texts:
            data = texts[path].encode()
        if path == "Package.swift":
            data = data.replace(b".treatAllWarnings(as: .error),", b"").replace(
                b"\n// LEASH_TESTS=", MANIFEST.encode() + b"\n// LEASH_TESTS=")
        write_if_new(os.path.join(TREE, path), data)
    write_if_new(os.path.join(TREE, "Sources/ConstantSwitch/include/ConstantSwitch.h"), HEADER.encode())
    write_if_new(os.path.join(TREE, "Sources/ConstantSwitch/switch.c"), SOURCE.encode())
    tell("building the copy (log: .build/sensitivity/build.log)")
    with open(os.path.join(WORK, "build.log"), "wb") as log:
        code = subprocess.run(["swift", "build", "-c", "release", "--disable-index-store", "--product", "leash", "--package-path", TREE], stdout=log,
                              stderr=subprocess.STDOUT).returncode
    if code != 0:
        tell("the copy does not build")
        sys.exit(3)
    return os.path.join(TREE, ".build", "release", "leash")


def play(program, arguments, number=0, factor=1.0):
    """The outcomes of the scenes, by name."""
    values = dict(os.environ, LEASH_CONSTANT=str(number), LEASH_FACTOR=str(factor))
    # A name alone is all variants of the scene, those of the other half, too.
    result = subprocess.run([program, "scenes", "--json", "--jobs", "1", "--half", "tuning"] + arguments, env=values, cwd=ROOT,
                            stdout=subprocess.PIPE, text=True)
    if result.returncode > 1:
        raise SystemExit(result.returncode)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    return {line["name"]: line for line in lines if not line.get("skipped")}


def settings(program):
    """The numbers among the settings of the detectors."""
    text = subprocess.run([program, "settings", "--json"], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = []
    for line in text.splitlines():
        entry = json.loads(line)
        if re.match(r"(motion|rest)\.", entry["name"]) and re.fullmatch(r"[0-9.e+-]+", str(entry["default"])):
            found.append({"name": entry["name"], "value": entry["default"], "isWhole": "whole" in entry["expected"]})
    return found


def turned(outcomes, before):
    """What is wrong that was right, in words."""
    words = []
    for name, outcome in outcomes.items():
        if before.get(name, {}).get("right") and not outcome["right"]:
            words.append(f"`{name}`: {', '.join(outcome['problems'])}")
    return words


def table(numbers, results, count, percent):
    """What goes into the page."""
    tried = [number for number in numbers if all(f"{number['name']} {sign}" in results for sign in "-+")]
    keeps = [number for number in tried if not any(results[f"{number['name']} {sign}"] for sign in "-+")]
    lines = [f"Of {len(numbers)} numbers {len(tried)} were tried, on {count} scenes of the tuning half. {len(keeps)} of them keep every "
             f"scene with {percent} % less and {percent} % more. What turns with the others:", ""]
    lines += [f"| number | is | {percent} % less | {percent} % more |", "|---|---|---|---|"]
    for number in tried:
        less, more = ("; ".join(results[f"{number['name']} {sign}"]) or "the same" for sign in "-+")
        if number not in keeps:
            lines.append(f"| `{number['name']}` | {number['value']} | {less} | {more} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description="Changes each number of the motion detectors and tells which scenes turn.")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--hours", type=float, default=1e9)
    parser.add_argument("--percent", type=float, default=20)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--afresh", action="store_true")
    options = parser.parse_args()
    if not 0 < options.percent < 100:
        parser.error("--percent must be between 0 and 100")
    found, texts = constants()
    if options.list:
        for number in found:
            print(f"{number['name']}  {number['value']}")
        return
    program = build(texts)
    numbers = [dict(number, number=place) for place, number in enumerate(found, 1)] + settings(program)
    digest = hashlib.sha256()
    for path in [path for source in SOURCES + ["fixtures/scenes"] for path in files_of(source)]:
        digest.update(open(os.path.join(ROOT, path), "rb").read())
    key = f"{digest.hexdigest()[:16]} {options.hours} {options.percent}"
    kept = json.load(open(STORE, encoding="utf-8")) if os.path.exists(STORE) and not options.afresh else {}
    results = kept.get(key, {})
    before = play(program, [])
    chosen = [name for name, outcome in before.items() if outcome["hours"] <= options.hours]
    wanted = [number for number in numbers
              if not options.names or any(name.lower() in number["name"].lower() for name in options.names)]
    percent = f"{options.percent:g}"
    factors = (("-", 1 - options.percent / 100), ("+", 1 + options.percent / 100))
    plays = [(number, sign, factor) for number in wanted for sign, factor in factors
             if f"{number['name']} {sign}" not in results]

    def outcomes(number, factor):
        if "number" in number:
            return play(program, chosen, number["number"], factor)
        value = float(number["value"]) * factor
        text = str(round(value)) if number["isWhole"] else f"{value:.7g}"
        return play(program, chosen + ["--set", f"{number['name']}={text}"])

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = {pool.submit(outcomes, number, factor): (number["name"], sign) for number, sign, factor in plays}
        for done, future in enumerate(concurrent.futures.as_completed(waiting), 1):
            name, sign = waiting[future]
            results[f"{name} {sign}"] = turned(future.result(), before)
            tell(f"{done}/{len(plays)} {name} {sign}{percent} %: " + ("; ".join(results[f"{name} {sign}"]) or "the same"))
            with open(STORE, "w", encoding="utf-8") as file:
                json.dump({key: results}, file, indent=1, sort_keys=True)
                file.write("\n")
    text = table(numbers, results, len(chosen), percent)
    print(text)
    page = open(PAGE, encoding="utf-8").read()
    changed = re.sub(r"(?s)(<!-- begin constants -->\n).*?(<!-- end constants -->)", lambda match: match.group(1) + text + "\n" + match.group(2),
                     page)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(changed)


main()
