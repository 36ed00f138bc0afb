#!/usr/bin/env python3
"""Takes docs/images/replay.png, the picture of docs/replay.md, and others into .build/screenshots: the replay page with its example in
headless Chromium, wide and narrow, light and dark, and a stretch of it. `make wasm` builds the page before.
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Firmware"))
from browser import Browser  # noqa: E402

PICTURE = ROOT / "docs/images/replay.png"
OTHERS = ROOT / ".build/screenshots"


def main():
    if not Browser.is_there():
        print("replay-picture: there is no chromium", file=sys.stderr)
        return 3
    subprocess.run(["make", "--no-print-directory", "wasm"], check=True, cwd=ROOT)
    OTHERS.mkdir(parents=True, exist_ok=True)
    with Browser(ROOT / "docs/replay.html") as browser:

        def take(path, width, height, dark=False, then=""):
            browser.show(width, height, dark, "#example")
            browser.until("'done' in document.body.dataset")
            browser.evaluate(then)
            browser.picture(path)

        take(PICTURE, 1120, 1010)
        for colours in ("light", "dark"):
            take(OTHERS / f"replay-desktop-{colours}.png", 1400, 1330, colours == "dark")
            take(OTHERS / f"replay-phone-{colours}.png", 400, 2300, colours == "dark")
        take(OTHERS / "replay-closer.png", 1400, 720, then="[...document.querySelectorAll('#events button')].at(-4).click()")
    print(f"replay-picture: {PICTURE.relative_to(ROOT)}, {PICTURE.stat().st_size} bytes; others: .build/screenshots/replay-*.png")
    return 0


sys.exit(main())
