#!/usr/bin/env python3
"""Starts images from two slots under emulation: good updates, one that hangs, such as must not start, and some that come over the console.

  Firmware/update.py [--leash PATH]

The start image of mps2-an386 chooses the image of a slot, looks at its signature and its bytes, and jumps into it. Slot A has the live
image, version 1.0.1, as a new board has it. In slot B is what was received: version 1.0.2, whole. The check fails unless

- a good image is tried, delivers a packet, is confirmed, and starts again after that;
- an image that hangs is given three starts (the first ends with the line that lets it hang, the others by the watchdog), and then the old
  one runs, with all its parts, and delivers;
- an image with a wrong key, of another board, for the other slot, older, with a changed byte or not whole is not started, with its reason,
  and the old one runs and delivers;
- an image that `leash bench-board PORT update` sends over the console, at 115,200 bit/s and with noise in between, is whole in the end, no
  port of the board has lost a byte, and an alert meanwhile has reached the server; the board restarts with it when nothing waits to be
  delivered any more, and confirms it; an older image and one of another key are refused before;
- a transfer goes on by itself where the emulator is killed and started again, and by a second command where that took long.

Exit codes: 0 all is well, 1 it is not, 2 wrong usage, 3 a tool is missing.
"""
import argparse
import concurrent.futures
import json
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tty

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

        # Those that are sent, by their names.
        self.files = {}
        for name, version, key in (("good", "1.0.2", "key"), ("older", "1.0.0", "key"), ("other", "1.0.2", "other")):
            self.files[name] = self.path(name)
            with open(self.files[name], "wb") as file:
                file.write(self.sign("live-b", version, key=key))

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

    def slots(self, name, received=None, mark=WHOLE):
        """A memory with the first image in slot A, and in slot B what was received, if anything was."""
        memory = bytearray(b"\xff" * SIZE)

        def put(place, some):
            memory[place:place + len(some)] = some

        put(START["a"], self.sign("live-a", "1.0.1", for_flash=True))
        if received:
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


class Terminal(watchdog.Line):
    """The console on a pseudo-terminal, which stays when the emulator ends: both ways at the rate of a line."""

    def __init__(self, path, rate=11_520):
        self.rate, self.waiting, self.is_between = rate, [], True
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        self.port = os.ttyname(self.slave)
        super().__init__(path)
        threading.Thread(target=self.typed, daemon=True).start()

    def send(self, text):
        """Sends a line between two of whoever has the terminal."""
        self.waiting.append(text.encode(errors="surrogateescape") + b"\n")

    def pace(self, free, count):
        """Waits until the line is free; when it is again."""
        now = time.monotonic()
        if free > now:
            time.sleep(free - now)
        return max(free, now) + count / self.rate

    def run(self):
        free = 0
        while True:
            self.connection, _ = self.socket.accept()
            self.rest = b""
            try:
                while piece := self.connection.recv(64):
                    *whole, self.rest = (self.rest + piece).split(b"\n")
                    self.lines += [line.decode(errors="replace") for line in whole]
                    free = self.pace(free, len(piece))
                    try:
                        os.write(self.master, piece)
                    except BlockingIOError:
                        # Nobody listens.
                        pass
            except ConnectionResetError:
                pass

    def typed(self):
        free = 0
        while True:
            if self.waiting and self.is_between:
                piece = self.waiting.pop(0)
            elif select.select([self.master], [], [], 0.02)[0]:
                piece = os.read(self.master, 64)
                self.is_between = piece.endswith(b"\n")
            else:
                continue
            free = self.pace(free, len(piece))
            try:
                self.connection.sendall(piece)
            except (OSError, AttributeError):
                # The board has no power.
                pass


def send(options, board, path, *more, code=0):
    """Sends an image by the command; what it tells."""
    run = subprocess.run(
        [options.leash, "bench-board", board.console.port, "update", path, "--json", *more], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, check=False)
    if run.returncode != code:
        raise watchdog.Failed(f"update {path}: exit code {run.returncode} instead of {code}: {run.stdout}{run.stderr}{board.troubles()}")
    return json.loads(run.stdout), run.stderr


def asked(board, what, question):
    """What the board says to a question."""
    since = len(board.console.lines)
    board.console.send(question)
    _, line = board.console.wait(what, question + " {", since)
    return json.loads(line.split(" ", 1)[1])


def sent(options, images):
    what = "an image over the console"
    path = images.files
    with watchdog.Board(options, 900, 25, "start", [images.slots("sent")], line=Terminal) as board:
        since, told = booted(board, what)
        watchdog.expect(what, told == {"slot": "a", "version": "1.0.1", "trial": False}, told)
        board.console.wait(what, "@start ", since)
        time.sleep(2)
        board.console.send("set motion.armAfter 3 motion.armBy 6")
        for name, reason in (("older", "version: it is version 1.0.0 and 1.0.1 runs"), ("other", "key: it names")):
            told, problem = send(options, board, path[name], code=1)
            watchdog.expect(what, told["outcome"] == "refused" and reason in problem and problem.count("\n") == 1, problem)
        board.server.is_open = True
        with concurrent.futures.ThreadPoolExecutor(max_workers=1) as pool:
            run = pool.submit(send, options, board, path["good"])
            board.console.wait(what, '"type":"movement"', timeout=60)
            end = time.monotonic() + 30
            while not any(b'"type":"movement"' in packet for packet in board.server.packets) and time.monotonic() < end:
                time.sleep(0.05)
            place = asked(board, what, "@update")["next"]
            board.console.send("\x01 noise")
            watchdog.expect(what, 0 < place < os.path.getsize(path["good"]) * 0.9, f"the alert has reached the server at byte {place}")
            # A packet is to wait when all is there.
            board.server.is_open = False
            board.console.send("status")
            told, _ = run.result()
        watchdog.expect(what, told["outcome"] == "received" and not told["restarts"] and told["slot"] == "b", told)
        state, update = asked(board, what, "@status"), asked(board, what, "@update")
        lost = {name: port["lost"] for name, port in state["ports"].items() if port["lost"]}
        watchdog.expect(what, not lost and state["leftOut"] == [] and state["restarts"] == 0, state)
        watchdog.expect(what, state["garbageLines"] == 1, state)
        watchdog.expect(what, state["waiting"] > 0 and update["phase"] == "received", state)
        since = len(board.console.lines)
        board.server.is_open = True
        since, _ = board.console.wait(what, '@update {"restart":"b"}', since, 180)
        since, again = booted(board, what, since)
        watchdog.expect(what, again == {"slot": "b", "version": "1.0.2", "trial": True}, again)
        since, _ = board.console.wait(what, "@start ", since)
        time.sleep(1)
        board.console.send("status")
        since, _ = board.console.wait(what, '@update {"confirmed":"b"}', since, 60)
        board.console.send("@restart")
        since, again = booted(board, what, since)
        watchdog.expect(what, again == {"slot": "b", "version": "1.0.2", "trial": False}, again)
        board.console.wait(what, "@start ", since)
        return (
            f"{what}: {told['bytes']} bytes in {told['seconds']} s; an alert at the server meanwhile; at most "
            f"{state['ports']['console']['mostWaiting']} bytes in the console's ring, the longest step {update['longestStep']} µs; "
            f"stack {state['stackUsed']}; restarted when all was delivered, tried, confirmed, started again")


def cut(options, images):
    what = "a transfer that is cut off"
    path = images.files["good"]
    slots, length = images.slots("cut"), os.path.getsize(path)

    def reach(share, run):
        end = time.monotonic() + 180
        while time.monotonic() < end and not run.done():
            with open(slots, "rb") as file:
                file.seek(START["b"] + IMAGE_START + int(length * share))
                if file.read(256) != b"\xff" * 256:
                    return
            time.sleep(0.01)
        raise watchdog.Failed(f"{what}: the transfer does not get to {share:.0%}: {run.result() if run.done() else 'it goes on'}")

    with watchdog.Board(options, 900, 500, "start", [slots], line=lambda path: Terminal(path, 46_080)) as board:
        board.server.is_open = True
        since, _ = booted(board, what)
        board.console.wait(what, "@start ", since)
        with concurrent.futures.ThreadPoolExecutor(max_workers=1) as pool:
            run = pool.submit(send, options, board, path, "--timeout", "4", code=3)
            for share in (0.2, 0.5):
                reach(share, run)
                since = len(board.console.lines)
                board.power_off()
                if share == 0.5:
                    # Nobody gives it power: the command gives up.
                    first, problem = run.result()
                board.power_on()
                since, told = booted(board, what, since)
                watchdog.expect(what, told["slot"] == "a", told)
                since, _ = board.console.wait(what, "@start ", since)
        watchdog.expect(what, first["outcome"] == "silent" and "has become silent at byte" in problem, problem)
        watchdog.expect(what, first["sent"] < length * 0.6, first)
        told, _ = send(options, board, path)
        watchdog.expect(what, told["outcome"] == "received" and told["sent"] < length * 0.55, told)
        since, again = booted(board, what, since)
        watchdog.expect(what, again == {"slot": "b", "version": "1.0.2", "trial": True}, again)
        return (
            f"{what}: killed at a fifth, gone on by itself, killed at the half, gone on by a second command: {first['sent']} and "
            f"{told['sent']} of {told['bytes']} bytes sent")


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
            (sent,), (good,), (hanging,), (cut,),
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
    print(f"firmware-update: ok: {BOARD}: {len(trials)} trials, an image ran each time")


if __name__ == "__main__":
    main()
