#!/usr/bin/env python3
"""Renews what commands write into docs, and says what is stale.

docs/made.json lists each part of a page that a command makes: the page, its command, and what decides what comes out: the modules
that the command runs (with all they import, by the graph of docs/architecture.md) and other files. Beside it stands a digest of
those files when the part was made last. A part whose files have changed since is stale: its figures may be right still, but nobody
has measured.

  scripts/docs.py            renew what is stale, the quick ones first
  scripts/docs.py --all      renew everything
  scripts/docs.py PAGE...    renew the parts of these pages
  scripts/docs.py --check    list the stale parts, and renew nothing
  scripts/docs.py --made PAGE COMMAND   note that a part has just been made (the commands call it themselves)
  scripts/docs.py --json     with --check: as one JSON array
  scripts/docs.py --from     list the folders and files of each part

Exit codes: 0 ok (also when parts are stale: measuring them takes hours), 1 a command failed or the list is wrong, 2 usage.
"""
import hashlib
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "docs", "made.json")
GRAPH = os.path.join(ROOT, "docs", "architecture.md")


def tracked():
    """Files of the repository, as they are now."""
    names = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True,
        stdout=subprocess.PIPE).stdout.decode().split("\0")
    return sorted(name for name in names if name)


def code(name, data):
    """What of a file can change a figure: Swift without comments and empty lines."""
    if not name.endswith(".swift"):
        return data
    lines = (re.sub(rb"(^|\s)//.*$", b"", line).rstrip() for line in data.split(b"\n"))
    return b"\n".join(line for line in lines if line.strip())


def imports():
    """What each module imports, by the blocks `imports` of docs/architecture.md, which a test compares with the sources."""
    with open(GRAPH) as file:
        blocks = re.findall(r"^```imports \w+\n(.*?)^```", file.read(), re.M | re.S)
    lines = [line.split("→") for block in blocks for line in block.splitlines() if "→" in line]
    return {name.strip(): [other.strip() for other in others.split(",") if other.strip()] for name, others in lines}


def places(part):
    """Folders and files that decide what comes out: those of its modules and of all that these import, and its own."""
    graph, reached, waiting = imports(), set(), list(part.get("modules", []))
    for module in waiting:
        if module not in graph:
            stop(1, f"docs/made.json: {part['page']}: docs/architecture.md has no module {module}")
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += graph.get(module, [])
    return sorted(f"Sources/{module}" for module in reached) + part.get("from", [])


def digest(part, names):
    """One number for all files that decide what comes out."""
    from_ = places(part)
    sum_ = hashlib.sha256()
    count = 0
    for name in names:
        if not any(name == place or name.startswith(place.rstrip("/") + "/") for place in from_):
            continue
        try:
            with open(os.path.join(ROOT, name), "rb") as file:
                data = file.read()
        except FileNotFoundError:
            continue
        sum_.update(name.encode() + b"\0" + hashlib.sha256(code(name, data)).digest())
        count += 1
    if count == 0:
        stop(1, f"docs/made.json: {part['page']}: no file of {', '.join(from_)}; expected paths of the repository")
    return sum_.hexdigest()[:16]


def stop(exit_code, text):
    print(f"docs: {text}", file=sys.stderr)
    sys.exit(exit_code)


def load():
    try:
        with open(LIST) as file:
            parts = json.load(file)
    except (OSError, ValueError) as error:
        stop(1, f"docs/made.json: {error}")
    for part in parts:
        optional = {"digest", "mark", "modules", "from"}
        if set(part) - optional != {"page", "part", "command", "minutes"} or not set(part) & {"modules", "from"}:
            stop(1, f"docs/made.json: {part.get('page', '?')}: expected page, part, command, minutes, modules or from, perhaps mark")
        if not os.path.exists(os.path.join(ROOT, part["page"])):
            stop(1, f"docs/made.json: {part['page']}: no such page")
        if "mark" in part:
            marked(part)
    return parts


def save(parts):
    with open(LIST, "w") as file:
        file.write(json.dumps(parts, indent=2, ensure_ascii=False) + "\n")


def show(parts, names, as_json):
    stale = [part for part in parts if part.get("digest") != digest(part, names)]
    if as_json:
        print(json.dumps([{key: part[key] for key in ("page", "part", "command", "minutes")} for part in stale]))
        return
    for part in stale:
        print(f"docs: stale: {part['page']}, {part['part']}: {part['command']} (about {part['minutes']} min)")
    print(f"docs: {len(parts) - len(stale)} of {len(parts)} parts are up to date")


def marked(part):
    """The page before and after what stands between the lines `<!-- begin MARK -->` and `<!-- end MARK -->`, these included."""
    with open(os.path.join(ROOT, part["page"])) as file:
        page = file.read()
    begin, end = f"<!-- begin {part['mark']} -->\n", f"<!-- end {part['mark']} -->\n"
    if page.count(begin) != 1 or page.count(end) != 1 or page.index(begin) > page.index(end):
        stop(1, f"{part['page']}: expected one line '{begin.strip()}' and after it one '{end.strip()}'")
    return page[:page.index(begin)] + begin, page[page.index(end):]


def put(part, text):
    """Puts what a command has printed between its marks."""
    head, tail = marked(part)
    with open(os.path.join(ROOT, part["page"]), "w") as file:
        file.write(f"{head}{text.strip()}\n{tail}")


def renew(parts, wanted):
    for part in sorted(wanted, key=lambda part: part["minutes"]):
        print(f"docs: {part['page']}, {part['part']}: {part['command']} (about {part['minutes']} min)", flush=True)
        before = digest(part, tracked())
        # A page that is written by its command has it there; what is only printed is put there.
        output = subprocess.PIPE if "mark" in part else None
        run = subprocess.run(["bash", "-c", part["command"]], cwd=ROOT, stdout=output)
        # 1 is a result that falls short: it belongs into the table.
        if run.returncode > 1:
            stop(1, f"{part['command']} failed; {part['page']} may be as it was")
        if "mark" in part:
            text = run.stdout.decode()
            put(part, text if "\n|" in text else f"```\n{text.strip()}\n```")
        part["digest"] = before
        save(parts)


def main(arguments):
    parts = load()
    names = tracked()
    pages = {part["page"] for part in parts}
    if arguments[:1] == ["--check"] and arguments[1:] in ([], ["--json"]):
        show(parts, names, "--json" in arguments)
    elif arguments == ["--from"]:
        for part in parts:
            print(f"{part['page']}, {part['part']}: {' '.join(places(part))}")
    elif arguments[:1] == ["--made"] and len(arguments) == 3:
        made = [part for part in parts if part["page"] == arguments[1] and part["command"] == arguments[2]]
        if not made:
            stop(2, f"docs/made.json has no part of {arguments[1]} that is made by '{arguments[2]}'")
        for part in made:
            part["digest"] = digest(part, names)
        save(parts)
    elif arguments == ["--all"]:
        renew(parts, parts)
    elif not arguments:
        renew(parts, [part for part in parts if part.get("digest") != digest(part, names)])
    elif all(page in pages for page in arguments):
        renew(parts, [part for part in parts if part["page"] in arguments])
    elif arguments in (["--help"], ["-h"]):
        print(__doc__.strip())
    else:
        unknown = next((a for a in arguments if a not in pages), arguments[0])
        stop(2, f"'{unknown}' is neither an option nor a page that a command makes; expected one of {', '.join(sorted(pages))}")


main(sys.argv[1:])
