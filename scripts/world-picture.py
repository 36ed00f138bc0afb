#!/usr/bin/env python3
"""Takes docs/images/world.png, the picture of the page of `leash simulate --page`, and others into .build/screenshots: wide and narrow,
light and dark. Usage: world-picture.py [LEASH], the program; otherwise `make release` builds it.
"""
import json
import pathlib
import subprocess
import sys
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Firmware"))
from browser import Browser  # noqa: E402

PICTURE = ROOT / "docs/images/world.png"
OTHERS = ROOT / ".build/screenshots"
# A drawn day; a thief comes while it is parked, and a little later no server can be reached.
SEED, THEFT, SHOWN = "5", 6000, 6045


class Page:
    """A life that is played, until the `with` ends."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "simulate", "day", "--seed", SEED, "--page", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        self.link = next(word for word in self.process.stdout.readline().split() if word.startswith("http://")).rstrip(";")

    def ask(self, text):
        origin = self.link.rstrip("/")
        order = urllib.request.Request(f"{self.link}request", text.encode(), {"Leash-Request": "1", "Origin": origin})
        with urllib.request.urlopen(order, timeout=30) as answer:
            assert json.load(answer) == {}, text
        while json.load(urllib.request.urlopen(f"{self.link}world.json", timeout=30))["goal"] is not None:
            time.sleep(0.2)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)


def main():
    if not Browser.is_there():
        print("world-picture: there is no chromium", file=sys.stderr)
        return 3
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / ".build/release/leash")
    if len(sys.argv) < 2:
        subprocess.run(["make", "--no-print-directory", "release"], check=True, cwd=ROOT)
    OTHERS.mkdir(parents=True, exist_ok=True)
    with Page(program) as page:
        for order in (f"to {THEFT}", "thief carries", "fault no server for 60 s", f"to {SHOWN}"):
            page.ask(order)
        with Browser(page.link) as browser:

            def take(path, width, height, dark=False):
                browser.show(width, height, dark, "")
                browser.until("Number(document.body.dataset.polls) > 2")
                browser.picture(path)

            take(PICTURE, 1120, 1240)
            for colours in ("light", "dark"):
                take(OTHERS / f"world-desktop-{colours}.png", 1400, 1240, colours == "dark")
                take(OTHERS / f"world-phone-{colours}.png", 400, 2300, colours == "dark")
    print(f"world-picture: {PICTURE.relative_to(ROOT)}, {PICTURE.stat().st_size} bytes; others: .build/screenshots/world-*.png")
    return 0


sys.exit(main())
