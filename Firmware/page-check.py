#!/usr/bin/env python3
"""Drops logs on the replay page in headless Chromium, one after the other, and tells what the page shows of each.

  Firmware/page-check.py PAGE LOG...    a line for each log: its name, and the hashes of output and state with the digest of the
                                        output, or what the page says is wrong

Exit codes: 0 the page has answered for each log, 1 it has not, or a script of it has failed, 2 wrong usage, 3 there is no Chromium.
"""
import json
import pathlib
import sys

from browser import Browser

SHOWN = """JSON.stringify({
  hashes: document.getElementById("hash-card").hidden ? "" :
    [...document.querySelectorAll("#hashes dd")].slice(0, 3).map((one) => one.textContent).join(" "),
  recorded: document.querySelector("#hashes dd:last-child")?.textContent,
  trouble: document.getElementById("trouble").hidden ? "" : document.getElementById("trouble").textContent,
  shapes: document.querySelectorAll("#chart svg *").length, rows: document.querySelectorAll("#events li").length,
  errors: document.body.dataset.errors, error: document.body.dataset.error,
})"""


def main(page, *logs):
    if not Browser.is_there():
        print("page-check: there is no chromium", file=sys.stderr)
        return 3
    code = 0
    with Browser(page) as browser:
        browser.show(1280, 1000)
        for log in logs:
            browser.evaluate("delete document.body.dataset.done")
            browser.drop(300, 100, log)
            browser.until("'done' in document.body.dataset")
            shown = json.loads(browser.evaluate(SHOWN))
            drawn = f", {shown['recorded']}, {shown['shapes']} shapes, {shown['rows']} rows" if shown["hashes"] else ""
            print(f"{pathlib.Path(log).name}: {' '.join(filter(None, (shown['hashes'], shown['trouble'])))}{drawn}")
            if shown["errors"] != "0" or (shown["hashes"] and not (shown["shapes"] and shown["rows"])):
                print(f"page-check: {log}: {shown}", file=sys.stderr)
                code = 1
    return code


if __name__ == "__main__":
    if len(sys.argv) < 3:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
