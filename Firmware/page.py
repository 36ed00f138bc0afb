#!/usr/bin/env python3
"""Puts the replay page into one file that needs no other and no network: docs/replay.html.

  Firmware/page.py MODULE EXAMPLE PAGE    the module of WebAssembly, the log of the example (packed by gzip), and where the page goes

Scripts of files are no modules of a page that is opened from a disk, so each becomes a function here that gives what it exports.
"""
import base64
import gzip
import json
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "Firmware/Page"
IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.M)
EXPORT = re.compile(r"^export (const|class) (\w+)", re.M)


def name_of(path):
    return "from_" + re.sub(r"\W", "_", str(path.relative_to(ROOT)))


def bundle(path, done):
    """The scripts that a script imports, each once and before it, and the script itself."""
    if path in done:
        return ""
    done.add(path)
    text = path.read_text()
    before = "".join(bundle((path.parent / other).resolve(), done) for _, other in IMPORT.findall(text))
    names = [name for _, name in EXPORT.findall(text)]
    text = IMPORT.sub(lambda found: f"const {{{found[1].replace(' as ', ': ')}}} = {name_of((path.parent / found[2]).resolve())};\n", text)
    text = EXPORT.sub(r"\1 \2", text)
    left = re.search(r"^(import|export)\b.*", text, re.M)
    if left:
        sys.exit(f"page: {path.relative_to(ROOT)}: this kind of line can't be put into one file: {left[0]}")
    return f"{before}const {name_of(path)} = (() => {{\n{text}return {{ {', '.join(names)} }};\n}})();\n"


def main(module, example, target):
    page = (SOURCES / "page.html").read_text()
    styles = []

    def style(found):
        styles.append((SOURCES / found[1]).resolve().read_text())
        return ""

    page = re.sub(r'<link rel="stylesheet" href="([^"]+)">\n', style, page)
    parts = {
        "module": base64.b64encode(gzip.compress(pathlib.Path(module).read_bytes(), 9, mtime=0)).decode(),
        "example": base64.b64encode(pathlib.Path(example).read_bytes()).decode(),
        "exampleName": os.path.basename(example),
    }
    script = bundle((SOURCES / "replay.js").resolve(), set())
    # Neither may end the element that it stands in.
    if "</script" in script or "</style" in "".join(styles):
        sys.exit("page: a script or a style ends its own element")
    head = ("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
            "script-src 'unsafe-inline' 'wasm-unsafe-eval'\">\n")
    page = page.replace("<title>", head + "<title>", 1)
    page = re.sub(r'(<p id="trouble".*?>).*</p>', r"\1This page needs JavaScript of a newer browser.</p>", page)
    page = re.sub(r'<script src="replay.js" type="module"></script>\n', lambda _: f"<style>\n{''.join(styles)}</style>\n", page)
    page = page.replace("</body>", f'<script type="application/json" id="built">{json.dumps(parts)}</script>\n'
                        f'<script type="module">\n{script}</script>\n</body>')
    pathlib.Path(target).write_text(page)
    print(f"page: {os.path.relpath(target, ROOT)}: {len(page.encode())} bytes")


if len(sys.argv) != 4:
    sys.exit(__doc__.strip())
main(*sys.argv[1:])
