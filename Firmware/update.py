#!/usr/bin/env python3
"""Starts images from two slots under emulation: a good update, one that hangs, and such as must not start.

  Firmware/update.py [--leash PATH]

The start image of mps2-an386 chooses the image of a slot, looks at its signature and its bytes, and jumps into it. Slot A has the live
image, version 1.0.1, as a new board has it. In slot B is what was received: version 1.0.2, whole. The check fails unless

- a good image is tried, delivers a packet, is confirmed, and starts again after that;
- an image that hangs is given three starts (the first ends with the line that lets it hang, the others by the watchdog), and then the old
  one runs, with all its parts, and delivers;
- an image with a wrong key, of another board, for the other slot, older, with a changed byte or not whole is not started, with its reason,
  and the old one runs and delivers.

Exit codes: 0 all is well, 1 it is not, 2 wrong usage, 3 a tool is missing.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import live
import watchdog

BOARD = "mps2-an386"
# As Boards/mps2-an386/Slots.swift has them, and marks as SlotState.swift.
START = {"a": 0x40000, "b": 0x100000}
SIZE = 448 * 4096
HEADER, IMAGE_START = 192, 512
WHOLE = b"\xa1" * 16


class Images:
    """Keys, and signed images."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        # Keys of this build folder: with others the start image would be compiled anew each time.
        self.keys = os.path.join(live.ROOT, ".build/firmware/update")
        os.makedirs(self.keys, exist_ok=True)
        for name in ("key", "other"):
            if not os.path.exists(self.key(name)):
                self.run("openssl", "genpkey", "-algorithm", "ed25519", "-out", self.key(name))
        self.run("openssl", "pkey", "-in", self.key("key"), "-pubout", "-out", self.key("public"))
        os.environ["LEASH_FIRMWARE_KEY"] = self.key("public")
        for image in ("start", "live-a", "live-b", "hangs-b"):
            self.run(os.path.join(live.ROOT, "Firmware/build.sh"), BOARD, image)

    def path(self, name):
        return os.path.join(self.folder, name)

    def key(self, name):
        return os.path.join(self.keys, name + ".pem")

    @staticmethod
    def run(*words):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            live.fail(f"{' '.join(words)}: {done.stderr.decode().strip()}")

    def sign(self, image, version, key="key", board=BOARD, for_flash=False):
        path = self.path(f"{image}-{version}-{key}-{board}-{for_flash}")
        self.run(self.options.leash, "firmware", "sign", os.path.join(live.ROOT, ".build/firmware", BOARD, image, "image.elf"), path,
                 "--board", board, "--version", version, "--key", self.key(key), *(["--flash"] if for_flash else []))
        with open(path, "rb") as file:
            return file.read()

    def slots(self, name, received, mark=WHOLE):
        """A memory with the first image in slot A, and what was received in slot B."""
        memory = bytearray(b"\xff" * SIZE)

        def put(place, some):
            memory[place:place + len(some)] = some

        put(START["a"], self.sign("live-a", "1.0.1", for_flash=True))
        put(START["b"], received[:HEADER] + mark)
        put(START["b"] + IMAGE_START, received[HEADER:])
        path = self.path(f"slots-{name}")
        with open(path, "wb") as file:
            file.write(memory)
        return path


def booted(board, what, since=0):
    """What the start image says next: the line behind it, and its members."""
    place, line = board.console.wait(what, "@boot ", since)
    return place + 1, json.loads(line.split("@boot ", 1)[1])


def delivered(board, what, timeout=40):
    """Waits until the server has a packet that it has not refused."""
    board.server.is_open = True
    end = time.monotonic() + timeout
    while not board.server.packets:
        if time.monotonic() > end:
            raise watchdog.Failed(f"{what}: no packet is delivered: {board.console.lines[-5:]}")
        time.sleep(0.05)


def good(options, images):
    what = "a good update"
    slots = images.slots("good", images.sign("live-b", "1.0.2"))
    with watchdog.Board(options, 600, 500, "start", [slots]) as board:
        since, told = booted(board, what)
        watchdog.expect(what, told == {"slot": "b", "version": "1.0.2", "trial": True}, told)
        time.sleep(3)
        watchdog.expect(what, not any("@update" in line for line in board.console.lines), "confirmed before a packet was delivered")
        delivered(board, what)
        since, line = board.console.wait(what, "@update ", since)
        watchdog.expect(what, line == '@update {"confirmed":"b"}', line)
        board.console.send("@restart")
        since, told = booted(board, what, since)
        watchdog.expect(what, told == {"slot": "b", "version": "1.0.2", "trial": False}, told)
        board.console.wait(what, "@start ", since)
        return f"{what}: tried, confirmed after a delivered packet, started again"


def hanging(options, images):
    what = "an image that hangs"
    slots = images.slots("hangs", images.sign("hangs-b", "1.0.2"))
    with watchdog.Board(options, 600, 500, "start", [slots]) as board:
        since, told = booted(board, what)
        watchdog.expect(what, told["slot"] == "b" and told["trial"], told)
        board.console.wait(what, "@start ", since)
        time.sleep(2)
        board.console.send("@hang start hang 9")
        for _ in range(2):
            since, told = booted(board, what, since)
            watchdog.expect(what, told["slot"] == "b" and told["trial"], told)
        begin = time.monotonic()
        since, told = booted(board, what, since)
        took = time.monotonic() - begin
        watchdog.expect(what, told == {"slot": "a", "version": "1.0.1", "trial": False, "other": "abandoned"}, told)
        since, told, fault = board.restarted(what, since)
        watchdog.expect(what, told["cause"] == "watchdog" and told["leftOut"] == [], told)
        watchdog.expect(what, fault["part"] == "start" and told["crashes"] == 2, fault)
        delivered(board, what)
        return f"{what}: three starts, the last ended by the watchdog after {took:.1f} s; the old image runs and delivers"


def refused(options, images, reason, received, mark=WHOLE):
    what = f"an image that is not to start ({reason or 'not whole'})"
    with watchdog.Board(options, 600, 500, "start", [images.slots(f"refused-{reason}", received, mark)]) as board:
        _, told = booted(board, what)
        expected = {"slot": "a", "version": "1.0.1", "trial": False}
        watchdog.expect(what, told == ({**expected, "other": reason} if reason else expected), told)
        delivered(board, what)
        return f"{what}: the old image runs and delivers"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--leash", default=os.path.join(live.ROOT, ".build/debug/leash"))
    parser.add_argument("--only", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.board = BOARD
    for tool in ("qemu-system-arm", "openssl", options.leash):
        if not shutil.which(tool):
            print(f"firmware-update: {tool} is missing", file=sys.stderr)
            sys.exit(3)
    folder = tempfile.mkdtemp()
    failed = False
    try:
        images = Images(options, folder)
        sound = images.sign("live-b", "1.0.2")
        changed = bytearray(sound)
        changed[-7] ^= 4
        trials = [
            (good,), (hanging,),
            (refused, "key", images.sign("live-b", "1.0.2", key="other")),
            (refused, "board", images.sign("live-b", "1.0.2", board="mps2-an500")),
            (refused, "place", images.sign("live-a", "1.0.2")),
            (refused, "version", images.sign("live-b", "1.0.0")),
            (refused, "content", bytes(changed)),
            (refused, None, sound, WHOLE[:15] + b"\xa3"),
        ]
        if options.only:
            trials = [trial for trial in trials if options.only in (trial[0].__name__, trial[1] if len(trial) > 1 else None)]
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            runs = [pool.submit(trial, options, images, *rest) for trial, *rest in trials]
            for run in concurrent.futures.as_completed(runs):
                try:
                    print(f"firmware-update: {run.result()}", flush=True)
                except (watchdog.Failed, subprocess.TimeoutExpired) as failure:
                    print(f"firmware-update: FAILED: {failure}", file=sys.stderr, flush=True)
                    failed = True
    finally:
        shutil.rmtree(folder)
    if failed:
        sys.exit(1)
    print(f"firmware-update: ok: {BOARD}: {len(trials)} images in the second slot, an image ran each time")


if __name__ == "__main__":
    main()
