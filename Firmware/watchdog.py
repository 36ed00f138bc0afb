#!/usr/bin/env python3
"""Lets the loop of a board hang in each of its parts, and provokes faults, under emulation.

  Firmware/watchdog.py [BOARD] [--quick] [--leash PATH]

The image is `hangs`: the live image with a line of the console that lets it fail. A tracker is armed and tilted; its alert waits, as the
server refuses it. Then the loop hangs, or the processor faults. The check fails unless the board restarts, says on its console why
and where, goes on with the state it had, and the alert reaches the server, which now takes it. A part that fails in every life must be
left out after three restarts, and the board must run on without it.

--quick tries one hang, one fault, a hang that holds interrupts and a part that always fails. Exit codes: 0 all is well, 1 it is not, 2 wrong usage, 3 a tool is missing.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

import live

PARTS = ["start", "restore", "console", "modem", "receiver", "sensor", "deadlines", "storage", "sleep"]


class Failed(Exception):
    """A promise does not hold."""


class Server(live.Server):
    """Refuses packets until it is opened."""

    def __init__(self):
        self.is_open = False
        super().__init__()
        handler, server = self.RequestHandlerClass, self
        take = handler.do_POST

        def post(self):
            if server.is_open:
                take(self)
                return
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(503)
            self.send_header("Content-Length", "0")
            self.end_headers()

        handler.do_POST = post


class Line:
    """The console of the board: lines out, lines in."""

    def __init__(self, path):
        self.lines, self.rest, self.connection = [], b"", None
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(path)
        self.socket.listen(1)
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        self.connection, _ = self.socket.accept()
        try:
            while piece := self.connection.recv(4096):
                *whole, self.rest = (self.rest + piece).split(b"\n")
                self.lines += [line.decode(errors="replace") for line in whole]
        except ConnectionResetError:
            pass

    def send(self, text):
        self.connection.sendall(text.encode() + b"\n")

    def wait(self, what, start, since=0, timeout=30):
        """The first line from `since` on that begins with a text, and its place."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            for place in range(since, len(self.lines)):
                if start in self.lines[place]:
                    return place, self.lines[place]
            time.sleep(0.02)
        raise Failed(f"{what}: no line with '{start}' within {timeout} s; the last: {self.lines[-3:]}")


class Board:
    """An emulated board with its modem, and a server of its own."""

    def __init__(self, options, seconds, tilted, image="hangs", more=(), line=Line):
        self.options, self.server, self.processes = options, Server(), []
        self.folder = tempfile.mkdtemp()
        path = {name: os.path.join(self.folder, name) for name in ("modem", "console", "receiver", "sensor", "flash", "log")}
        self.path = path
        with open(path["flash"], "wb") as file:
            file.write(b"\xff" * 24 * 4096)
        self.processes.append(subprocess.Popen(
            [options.leash, "modem", "simulate", "--link", path["modem"], "--quiet"], stdout=subprocess.DEVNULL))
        self.console = line(path["console"])
        with open(os.path.join(live.ROOT, "fixtures/nmea/bt451.log"), "rb") as file:
            self.receiver = live.Feed(path["receiver"], file.read() * 3, 1, rate=400)
        # Frames as live.py has them tilt after three quarters; at rest or tilted they go on.
        self.sensor = live.Feed(path["sensor"], live.frames(tilted / 0.75), 0, rate=2 * 11 * 50)
        while not os.path.exists(path["modem"]):
            time.sleep(0.05)
        arguments = [path["log"], path["flash"], live.seconds_of_board(options.board, seconds),
                     f"http://127.0.0.1:{self.server.server_port}", *more]
        self.image_and_arguments = image, arguments
        self.power_on()

    def power_on(self):
        self.image = live.emulate(self.options.board, self.image_and_arguments[0], self.path, self.image_and_arguments[1])
        self.processes.append(self.image)

    def troubles(self):
        """What it has said of its starts, crashes and garbage."""
        return [line for line in self.console.lines if line.startswith(("@start", "@boot", "@fault", "@garbage"))]

    def power_off(self):
        self.image.kill()
        self.image.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()
        shutil.rmtree(self.folder)

    def restarted(self, what, since, timeout=30):
        """What the board says at its next start after a line: of itself and of the crash."""
        place, line = self.console.wait(what, "@start ", since, timeout)
        told = json.loads(line.removeprefix("@start "))
        fault = None
        if told["cause"] in ("watchdog", "fault", "stack"):
            fault = json.loads(self.console.wait(what, "@fault ", place)[1].removeprefix("@fault "))
        return place + 1, told, fault


def expect(what, holds, found):
    if not holds:
        raise Failed(f"{what}: {found}")


def symbol_at(options, address):
    """The function of the image that an address is in."""
    elf = os.path.join(live.ROOT, ".build/firmware", options.board, "hangs/image.elf")
    table = subprocess.run(["arm-none-eabi-nm", "-n", elf], stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")
    name = ""
    for line in table:
        words = line.split(maxsplit=2)
        if len(words) == 3 and words[1] in "tT":
            if int(words[0], 16) & ~1 > address:
                break
            name = words[2]
    return name


def crash(options, part, failure, cause):
    """The loop fails once in a part, with an alert that waits."""
    what = f"{part} {failure}"
    with Board(options, 16, 8) as board:
        board.console.wait(what, "@start ")
        time.sleep(2)
        board.console.send("set motion.armAfter 3 motion.armBy 6")
        since, alert = board.console.wait(what, '"type":"movement"')
        begin = time.monotonic()
        expect(what, not board.server.packets, "the server has a packet that it refused")
        board.console.send(f"@hang {part} {failure} 1")
        board.server.is_open = True
        if part in ("start", "restore"):
            since, told, _ = board.restarted(what, since)
            expect(what, told["cause"] == "request", told)
        elif part == "console":
            board.console.send("")
        since, told, fault = board.restarted(what, since)
        took = time.monotonic() - begin
        expect(what, told["cause"] == cause and told["leftOut"] == [] and told["crashes"] == 1, told)
        expect(what, fault["cause"] == cause and fault["part"] == part, fault)
        if failure == "overflow":
            expect(what, fault["stackUsed"] == fault["stackRoom"] and "registers" not in fault, fault)
        else:
            expect(what, 20_000 < fault["stackUsed"] < fault["stackRoom"] or part in ("start", "restore"), fault)
        if failure in ("hang", "instruction", "address", "silence") and "registers" in fault:
            found = symbol_at(options, int(fault["registers"]["pc"], 16))
            expect(what, "Plan" in found or "cpu_" in found, f"the record says {found}")
            # The emulator loses interrupts of the timer when the machine is busy; the board's watchdog is then the first.
            expect(what, fault["exception"] in {"hang": (15, 2), "silence": (2,)}.get(failure, (3,)), fault)
        if failure == "instruction":
            expect(what, int(fault["cfsr"], 16) & 1 << 16, fault)
        if failure == "address":
            expect(what, int(fault["cfsr"], 16) & 0xFFFF, fault)
        before = [json.loads(line) for line in board.console.lines[:since] if '"sequence":' in line and '"type":' in line]
        newest = max(packet["sequence"] for packet in before)
        end = time.monotonic() + 30
        while alert.encode() not in board.server.packets and time.monotonic() < end:
            time.sleep(0.05)
        expect(what, alert.encode() in board.server.packets, f"the alert is lost: {alert}; {board.console.lines[since:]}")
        report = board.image.communicate(timeout=60)[0].decode()
        expect(what, board.image.returncode == 0, report)
        counts = dict(line.rsplit(" ", 1) for line in report.splitlines() if " " in line)
        lives = told["restarts"] + 1
        expect(what, counts["life"] == str(lives if part != "start" and part != "restore" else 2), report)
        expect(what, counts["changes not kept"] == "0" and counts["records damaged"] == "0", report)
        after = [line for line in board.console.lines[since:] if '"sequence":' in line and '"type":' in line]
        # What waits is told again in each life, as it was.
        for packet in map(json.loads, after):
            if packet["sequence"] <= newest:
                expect(what, packet in before, f"another packet has the number of one before: {packet}")
        check = subprocess.run(
            [options.leash, "replay", "--check", f"{board.path['log']}.{told['restarts']}"], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False)
        expect(what, check.returncode == 0, check.stdout.decode())
        return f"{what}: restarted after {took:.1f} s, {cause}, stack {fault['stackUsed']} of {fault['stackRoom']}; the alert arrived"


def again(options, part, failure, left_out, restarts):
    """A part fails in every life."""
    what = f"{part} {failure}, again and again"
    with Board(options, 120, 100) as board:
        since, _ = board.console.wait(what, "@start ")
        time.sleep(1)
        board.console.send(f"@hang {part} {failure} 200")
        count = 0
        while True:
            if part == "console":
                board.console.send("")
            since, told, _ = board.restarted(what, since + 1)
            count = told["restarts"]
            expect(what, count <= restarts, f"{count} restarts: {told}")
            if told["leftOut"]:
                break
        expect(what, told["leftOut"] == left_out and count == restarts, told)
        # It runs on: what would end it comes within five seconds.
        for _ in range(10):
            board.console.send("status")
            time.sleep(1)
        expect(what, board.image.poll() is None, "the image has ended")
        expect(what, not any("@start" in line for line in board.console.lines[since:]), board.console.lines[since:])
        if "tracker" not in left_out and "console" not in left_out:
            expect(what, any('"type":"status"' in line for line in board.console.lines[since:]), board.console.lines[since:])
        return f"{what}: {count} restarts, then without {', '.join(left_out)}"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("board", nargs="?", default="mps2-an386")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    parser.add_argument("--leash", default=os.path.join(live.ROOT, ".build/debug/leash"))
    options = parser.parse_args()
    for tool in ("qemu-system-arm", "arm-none-eabi-nm", options.leash):
        if not shutil.which(tool):
            print(f"firmware-watchdog: {tool} is missing", file=sys.stderr)
            sys.exit(3)
    subprocess.run([os.path.join(live.ROOT, "Firmware/build.sh"), options.board, "hangs"], check=True)
    trials = [(crash, part, "hang", "watchdog") for part in (["modem"] if options.quick else PARTS)]
    trials += [(crash, "deadlines", "address", "fault"), (crash, "receiver", "overflow", "stack")]
    if not options.quick:
        trials += [(crash, "sensor", "instruction", "fault"), (crash, "modem", "stack", "stack")]
    # The emulated STM32F405 has no watchdog (docs/firmware.md): nothing there ends a loop that holds interrupts.
    if live.board_file(options.board)["machine"].startswith("mps2"):
        trials.append((crash, "storage", "silence", "watchdog"))
    trials.append((again, "sensor", "instruction", ["sensor"], 3))
    if not options.quick:
        trials += [(again, part, "hang", [part], 3) for part in ("modem", "storage", "console", "sleep")]
        trials += [(again, "deadlines", "hang", ["tracker"], 3), (again, "start", "instruction", ["tracker"], 4)]
    if options.only:
        trials = [trial for trial in trials if trial[1] == options.only]
    failed = False
    with concurrent.futures.ThreadPoolExecutor(max_workers=3) as pool:
        runs = [pool.submit(trial, options, *rest) for trial, *rest in trials]
        for run in concurrent.futures.as_completed(runs):
            try:
                print(f"firmware-watchdog: {options.board}: {run.result()}", flush=True)
            except (Failed, subprocess.TimeoutExpired) as failure:
                print(f"firmware-watchdog: FAILED: {options.board}: {failure}", file=sys.stderr, flush=True)
                failed = True
    if failed:
        sys.exit(1)
    print(f"firmware-watchdog: ok: {options.board}: {len(trials)} hangs and faults: each restarted, told and went on; no alert lost")


if __name__ == "__main__":
    main()
