#!/usr/bin/env python3
"""Renews what commands write into docs, and says what is stale.

docs/made.json lists each part of a page that a command makes: the page, its command, and what decides what comes out: the modules
that the command runs (with all they import, by the graph of docs/architecture.md, `without` those that are linked and not run) and
other files; of the Makefile only what a target needs (`Makefile:trips`). Of Swift only what the files among these can reach counts
(scripts/reached.py), but for a part that is made of all there is (`whole`). Beside it stand two digests of all that when the part was
made last: of its text, and of its code, which is the text without what stands between quotes, without access, and wherever it stands.
A part whose code has changed since is stale: its figures may be right still, but nobody has measured. One of which only the text has
changed is listed apart; where sizes are measured (`sizes`) there is none of these. What a test compares with the page is not in the list.

  scripts/docs.py            renew what is stale by its code, the quick ones first
  scripts/docs.py --all      renew everything
  scripts/docs.py PAGE...    renew the parts of these pages
  scripts/docs.py --check    list the stale parts, those of which only the text has changed apart, and renew nothing
  scripts/docs.py --made PAGE COMMAND   note that a part has just been made (the commands call it themselves)
  scripts/docs.py --json     with --check: as one JSON array
  scripts/docs.py --from     list the folders and files of each part
  scripts/docs.py --changed  list what has changed of each stale part since its digest was written

Exit codes: 0 ok (also when parts are stale: measuring them takes hours), 1 a command failed or the list is wrong, 2 usage.
"""
import hashlib
import json
import os
import re
import signal
import subprocess
import sys

import reached

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "docs", "made.json")
GRAPH = os.path.join(ROOT, "docs", "architecture.md")


def tracked():
    """Files of the repository, as they are now."""
    names = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True,
        stdout=subprocess.PIPE).stdout.decode().split("\0")
    return sorted(name for name in names if name)


def imports():
    """What each module imports, by the blocks `imports` of docs/architecture.md, which a test compares with the sources."""
    with open(GRAPH) as file:
        blocks = re.findall(r"^```imports \w+\n(.*?)^```", file.read(), re.M | re.S)
    lines = [line.split("→") for block in blocks for line in block.splitlines() if "→" in line]
    return {name.strip(): [other.strip() for other in others.split(",") if other.strip()] for name, others in lines}


def places(part):
    """Folders and files that decide what comes out: those of its modules and of all that these import, but for modules that are
    linked and not run, and its own."""
    graph, reached, waiting = imports(), set(part.get("without", [])), list(part.get("modules", []))
    for module in waiting + list(reached):
        if module not in graph:
            stop(1, f"docs/made.json: {part['page']}: docs/architecture.md has no module {module}")
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += graph.get(module, [])
    return sorted(f"Sources/{module}" for module in reached - set(part.get("without", []))) + part.get("from", [])


def target(makefile, name):
    """Of the Makefile what a target needs: its rule and the variables in it."""
    rule = re.search(rf"^{re.escape(name)}:.*\n(?:\t.*\n?)*", makefile, re.M)
    if not rule:
        stop(1, f"docs/made.json: the Makefile has no target '{name}'")
    # Its help is no part of what it does.
    text = re.sub(r"##.*", "", rule.group(0), count=1)
    wanted, found = set(re.findall(r"\$\((\w+)\)", text)), {}
    while wanted - set(found):
        name = sorted(wanted - set(found))[0]
        line = re.search(rf"^{name} *[:?]?=(?:.*\\\n)*.*", makefile, re.M)
        found[name] = line.group(0) if line else ""
        wanted |= set(re.findall(r"\$\((\w+)\)", found[name]))
    return (text + "\n".join(found[name] for name in sorted(found))).encode()


def read(name):
    """A file as it is now; nil when it is gone."""
    try:
        with open(os.path.join(ROOT, name), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def sources(part, names, read=read):
    """What decides what comes out: files and parts of files, each with its text; of Swift the declarations that can be reached."""
    result, swift = {}, {}

    def take(name):
        data = read(name)
        if data is not None:
            (swift if name.endswith(".swift") else result)[name] = data

    for place in places(part):
        file, _, name = place.partition(":")
        if name:
            data = read(file)
            result[place] = target(data.decode(), name) if data is not None else b""
            continue
        inside = [name for name in names if name == place or name.startswith(place.rstrip("/") + "/")]
        # A library of the system has its shim or its map, if any, in a folder, too.
        if not inside and not place.startswith("Sources/"):
            stop(1, f"docs/made.json: {part['page']}: no file of {place}; expected paths of the repository")
        for name in inside:
            take(name)
    roots = {name for name in swift for place in part.get("from", []) if name == place or name.startswith(place.rstrip("/") + "/")}
    if not roots or part.get("whole"):
        return result | {name: [b"\n".join(reached.without_comments(data))] for name, data in swift.items()}
    # What a file uses of its own target is there, too: others of its folder reach nothing unless they are named.
    for folder in {"/".join(name.split("/")[:2]) + "/" for name in roots}:
        for name in names:
            if name.startswith(folder) and name.endswith(".swift") and name not in swift:
                take(name)
    return result | reached.reached(roots, swift)


def sums(part, names, read=read):
    """What decides what comes out, each file with a number for what is in it."""
    return {name: hashlib.sha256(data if isinstance(data, bytes) else b"\n".join(data)).digest()
            for name, data in sources(part, names, read).items()}


def digests(part, names, read=read):
    """A number for the text of all that decides what comes out, and one for its code."""
    text, code, pieces = hashlib.sha256(), hashlib.sha256(), []
    for name, data in sorted(sources(part, names, read).items()):
        whole = data if isinstance(data, bytes) else b"\n".join(data)
        text.update(name.encode() + b"\0" + hashlib.sha256(whole).digest())
        if isinstance(data, bytes):
            code.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
        else:
            pieces += [reached.code(piece) for piece in data]
    for piece in sorted(pieces):
        code.update(hashlib.sha256(piece).digest())
    return {"digest": text.hexdigest()[:16], "code": code.hexdigest()[:16]}


def standing(part, names):
    """Whether a part is up to date, stale, or stale by its text only."""
    now = digests(part, names)
    if part.get("digest") == now["digest"]:
        return "up to date"
    return "text only" if part.get("code") == now["code"] and not part.get("sizes") else "stale"


def show_changed(parts, names):
    """What differs from the commit that wrote a part's digest."""
    for part in parts:
        if standing(part, names) == "up to date":
            continue
        print(f"{part['page']}, {part['part']}:")
        if "digest" not in part:
            print("  never made by scripts/docs.py")
            continue
        run = ["git", "-C", ROOT]
        # Where the scheme of digests has changed since, the commit is in the list.
        commit = part.get("at") or subprocess.run(
            run + ["log", "-1", "--format=%H", "-S", part["digest"], "--", "docs/made.json"],
            check=True, stdout=subprocess.PIPE).stdout.decode().strip()
        if not commit:
            print("  its digest is in no commit")
            continue
        before = subprocess.run(run + ["ls-tree", "-r", "-z", "--name-only", commit], check=True,
                                stdout=subprocess.PIPE).stdout.decode().split("\0")

        def read_then(name):
            shown = subprocess.run(run + ["show", f"{commit}:{name}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            return shown.stdout if shown.returncode == 0 else None

        then, now = sums(part, [name for name in before if name], read_then), sums(part, names)
        for name in sorted(set(then) | set(now)):
            if then.get(name) != now.get(name):
                print(f"  {name}{' (new)' if name not in then else ' (gone)' if name not in now else ''}")


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
        optional = {"digest", "code", "mark", "modules", "without", "from", "whole", "sizes", "at"}
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
    found = [(part, standing(part, names)) for part in parts]
    if as_json:
        keys = ("page", "part", "command", "minutes")
        print(json.dumps([{key: part[key] for key in keys} | {"standing": how} for part, how in found if how != "up to date"]))
        return
    for wanted, words in (("stale", "stale"), ("text only", "only its text changed")):
        for part, how in found:
            if how == wanted:
                print(f"docs: {words}: {part['page']}, {part['part']}: {part['command']} (about {part['minutes']} min)")
    fresh, text = (sum(how == wanted for _, how in found) for wanted in ("up to date", "text only"))
    print(f"docs: {fresh} of {len(parts)} parts are up to date" + (f", of {text} only the text changed" if text else ""))


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


def note(part, now):
    """A part has just been made."""
    part.pop("at", None)
    part.update(now)


def renew(parts, wanted):
    for part in sorted(wanted, key=lambda part: part["minutes"]):
        print(f"docs: {part['page']}, {part['part']}: {part['command']} (about {part['minutes']} min)", flush=True)
        before = digests(part, tracked())
        page = read(part["page"])
        # A page that is written by its command has it there; what is only printed is put there.
        output = subprocess.PIPE if "mark" in part else None
        run = subprocess.run(["bash", "-c", part["command"]], cwd=ROOT, stdout=output)
        # 1 is a result that falls short: it belongs into the table.
        if run.returncode > 1:
            stop(1, f"{part['command']} failed; {part['page']} may be as it was")
        if "mark" in part:
            text = run.stdout.decode()
            if not text.strip():
                stop(1, f"{part['command']} printed nothing; {part['page']} is as it was")
            put(part, text if "\n|" in text else f"```\n{text.strip()}\n```")
        note(part, before)
        save(parts)
        print(f"docs: {part['page']}, {part['part']}: {'unchanged' if read(part['page']) == page else 'changed'}", flush=True)


def main(arguments):
    parts = load()
    names = tracked()
    pages = {part["page"] for part in parts}
    if arguments[:1] == ["--check"] and arguments[1:] in ([], ["--json"]):
        show(parts, names, "--json" in arguments)
    elif arguments == ["--changed"]:
        show_changed(parts, names)
    elif arguments == ["--from"]:
        for part in parts:
            print(f"{part['page']}, {part['part']}: {' '.join(places(part))}")
    elif arguments[:1] == ["--made"] and len(arguments) == 3:
        made = [part for part in parts if part["page"] == arguments[1] and part["command"] == arguments[2]]
        if not made:
            stop(2, f"docs/made.json has no part of {arguments[1]} that is made by '{arguments[2]}'")
        for part in made:
            note(part, digests(part, names))
        save(parts)
    elif arguments == ["--all"]:
        renew(parts, parts)
    elif not arguments:
        renew(parts, [part for part in parts if standing(part, names) == "stale"])
    elif all(page in pages for page in arguments):
        renew(parts, [part for part in parts if part["page"] in arguments])
    elif arguments in (["--help"], ["-h"]):
        print(__doc__.strip())
    elif arguments[:1] == ["--check"]:
        stop(2, "'--check' takes no pages, it checks all")
    else:
        unknown = next((a for a in arguments if a not in pages), arguments[0])
        stop(2, f"'{unknown}' is neither an option nor a page that a command makes; expected one of {', '.join(sorted(pages))}")


# A reader that has seen enough (`… | head`) ends us without a word.
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
main(sys.argv[1:])
