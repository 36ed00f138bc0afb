#!/usr/bin/env python3
"""Requirements of users, their implementation and their tests: Tests/Requirements/requirements.list.

  scripts/requirements.py          check the list, write docs/requirements.md anew
  scripts/requirements.py --check  check the list, and that the page is made of it
  scripts/requirements.py --json   the list as JSON on standard output

What is done, or done in part, names where it lives and the tests that show it: both must exist. That the tests pass is the business of
`make test`, which runs all of them.

Exit codes: 0 fine, 1 something of the list is missing or the page is stale, 2 wrong usage.
"""
import glob
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "Tests", "Requirements", "requirements.list")
PAGE = os.path.join(ROOT, "docs", "requirements.md")
NAMES = {"S0": "An anti-theft module of a bike", "S1": "An alarm by place and time", "S2": "The collar of a pet",
         "S3": "Sharing a position", "S4": "The mileage of a bicycle"}
STATES = ("done", "part", "later", "none")


def stop(code, message):
    print(f"requirements: {message}", file=sys.stderr)
    sys.exit(code)


def known_tests():
    """Every test of the package as TARGET.NAME."""
    result = set()
    for path in glob.glob(os.path.join(ROOT, "Tests", "*Tests", "**", "*.swift"), recursive=True):
        target = os.path.relpath(path, os.path.join(ROOT, "Tests")).split(os.sep)[0]
        with open(path, encoding="utf-8") as file:
            text = file.read()
        # The name of the function that follows an attribute; between them there may be arguments and other attributes.
        for match in re.finditer(r"@Test\b.*?\bfunc\s+(\w+)", text, re.DOTALL):
            result.add(f"{target}.{match.group(1)}")
    return result


def read_list():
    rows, wrong = [], []
    tests = known_tests()
    with open(LIST, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue

            def note(message):
                wrong.append(f"Tests/Requirements/requirements.list:{number}: {message}")

            parts = [part.strip() for part in line.split("|")]
            if len(parts) not in (4, 6):
                note(f"{len(parts)} columns; expected 'id | for | state | what', and for what is done 'where | tests'")
                continue
            row = dict(zip(("id", "for", "state", "what"), parts))
            row.update(where="", tests=[], missing="")
            if not re.fullmatch(r"S[0-4]-\d\d", row["id"]) or any(row["id"] == other["id"] for other in rows):
                note(f"'{row['id']}' is not an id, or is used twice")
            if not re.fullmatch(r"-|[DLPA]+", row["for"]):
                note(f"'{row['for']}': expected letters of D, L, P, A, or '-'")
            if row["state"] not in STATES:
                note(f"'{row['state']}': expected one of {', '.join(STATES)}")
            is_shown = row["state"] in ("done", "part")
            if is_shown != (len(parts) == 6):
                note(f"'{row['state']}' {'needs' if is_shown else 'has no'} 'where | tests'")
            elif is_shown:
                row["where"] = parts[4]
                shown, _, row["missing"] = (text.strip() for text in parts[5].partition("!"))
                row["tests"] = [test.strip() for test in shown.split(",") if test.strip()]
                if not os.path.exists(os.path.join(ROOT, row["where"])):
                    note(f"there is no {row['where']}")
                if not row["tests"]:
                    note("it has no test")
                for test in row["tests"]:
                    if test not in tests:
                        note(f"there is no test {test}")
                if (row["state"] == "part") != bool(row["missing"]):
                    note("a requirement done in part needs '!' and what is missing, others must not have it")
            rows.append(row)
    if wrong:
        stop(1, "\n".join(wrong))
    return rows


def cell(text):
    return text.replace("|", "\\|")


def page(rows):
    lines = [
        "# Requirements", "",
        "The requirements of users and their state. `make requirements` writes this page from `Tests/Requirements/requirements.list`; "
        "`make test`", "fails if a test or a file named here does not exist. D: device, L: library, P: packet or request, "
        "A: app or server.", ""]
    count = {state: sum(row["state"] == state for row in rows) for state in STATES}
    lines += [f"{count['done']} done, {count['part']} in part, {count['later']} later, {count['none']} not applicable."]
    for section, name in NAMES.items():
        lines += ["", f"## {section}: {name}", "", "| id | for | requirement | state | where | tests |", "|---|---|---|---|---|---|"]
        for row in rows:
            if not row["id"].startswith(section):
                continue
            state = row["state"] + (f"; missing: {row['missing']}" if row["missing"] else "")
            where = f"`{row['where']}`" if row["where"] else ""
            tests = ", ".join(f"`{test}`" for test in row["tests"])
            lines.append(f"| {row['id']} | {row['for']} | {cell(row['what'])} | {cell(state)} | {where} | {tests} |")
    return "\n".join(lines) + "\n"


def main(arguments):
    if arguments not in ([], ["--check"], ["--json"]):
        stop(2, "usage: requirements.py [--check | --json]")
    rows = read_list()
    if arguments == ["--json"]:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
        return
    text = page(rows)
    if not arguments:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        try:
            with open(PAGE, encoding="utf-8") as file:
                is_made = file.read() == text
        except FileNotFoundError:
            is_made = False
        if not is_made:
            stop(1, "docs/requirements.md is not made of the list; `make requirements` writes it")
    print(f"requirements: {len(rows)}; {sum(len(row['tests']) for row in rows)} tests named, all there")


main(sys.argv[1:])
