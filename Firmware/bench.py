#!/usr/bin/env python3
"""Talks to the console of a live image by `leash bench-board`, under emulation, with the console on a pseudo-terminal.

  Firmware/bench.py [BOARD] [--quick] [--leash PATH]

The commands are those of the example in docs/firmware.md, in its order, each of which must succeed; then a log that was fetched must be
the log that the image has written, and `leash replay --check` must repeat it. Sentences and frames of a sensor that were injected must
be in it, and a tilt among them must raise an alert. Lines of garbage must each be answered by one line and counted, and no byte be lost.
A board that crashed must tell it. One without a modem, with a receiver at a wrong speed and a sensor that sends noise, and one whose
flash memory has random bytes or damaged cells must run on without a restart, and say so in their self-test.

--quick leaves out what is broken around a board.

Exit codes: 0 all is well, 1 it is not, 2 wrong usage, 3 a tool is missing.
"""
import argparse
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tty

import live


def fail(text):
    print(f"firmware-bench: FAILED: {text}", file=sys.stderr)
    sys.exit(1)


class Bench:
    """An emulated board whose console is a pseudo-terminal."""

    def __init__(self, options, image, seconds, flash=b"\xff" * 24 * 4096, has_modem=True, noise=False):
        self.options, self.folder = options, tempfile.mkdtemp()
        path = {name: os.path.join(self.folder, name) for name in ("modem", "receiver", "sensor", "flash", "log")}
        self.log, self.flash = path["log"], path["flash"]
        self.server = live.Server()
        with open(path["flash"], "wb") as file:
            file.write(flash)
        self.modem = subprocess.Popen(
            [options.leash, "modem", "simulate", "--link", path["modem"], "--quiet"], stdout=subprocess.DEVNULL)
        # A receiver that sees no satellites, and a sensor at rest.
        draw = random.Random(9)
        self.receiver = live.Feed(path["receiver"], draw.randbytes(200_000), 0) if noise else \
            live.Feed(path["receiver"], b"$GPGSV,1,1,00*79\r\n" * 10000, 0, rate=100)
        self.sensor = live.Feed(path["sensor"], draw.randbytes(200_000), 0) if noise else \
            live.Feed(path["sensor"], live.frames(1000)[:22 * 50 * 600], 0, rate=2 * 11 * 50)
        while not os.path.exists(path["modem"]):
            time.sleep(0.05)
        arguments = [path["log"], path["flash"], live.seconds_of_board(options.board, seconds),
                     f"http://127.0.0.1:{self.server.server_port}"]
        self.image = live.emulate(options.board, image, path, arguments, "pty", has_modem, text=True)
        while True:
            line = self.image.stdout.readline()
            if not line:
                fail("the emulator has no pseudo-terminal")
            if found := re.search(r"redirected to (\S+)", line):
                self.port = found.group(1)
                break
        threading.Thread(target=self.image.stdout.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in (self.image, self.modem):
            process.kill()
            process.wait()
        shutil.rmtree(self.folder)

    def ask(self, *words, code=0):
        run = subprocess.run(
            [self.options.leash, "bench-board", self.port, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            check=False)
        if run.returncode != code:
            fail(f"bench-board {' '.join(words)}: exit code {run.returncode}: {run.stdout}{run.stderr}")
        return run.stdout

    def status(self):
        return json.loads(self.ask("status", "--json"))

    def type(self, lines, seconds):
        """Sends bytes as they are; the lines that come for so long."""
        descriptor = os.open(self.port, os.O_RDWR | os.O_NOCTTY)
        heard = b""
        try:
            tty.setraw(descriptor)
            os.set_blocking(descriptor, False)
            end = time.monotonic() + seconds
            rest = lines
            while time.monotonic() < end:
                try:
                    if rest:
                        rest = rest[os.write(descriptor, rest[:64]):]
                except BlockingIOError:
                    pass
                try:
                    heard += os.read(descriptor, 4096)
                except BlockingIOError:
                    time.sleep(0.005)
        finally:
            os.close(descriptor)
        if rest:
            fail(f"{len(rest)} bytes were not taken")
        return heard.decode(errors="replace").splitlines()


def example():
    """The commands of the example in the manual."""
    with open(os.path.join(live.ROOT, "docs/firmware.md")) as file:
        text = file.read()
    block = re.search(r"<!-- begin bench -->\n```\n(.*?)```", text, re.S)
    return [shlex.split(line, comments=True) for line in block.group(1).splitlines()]


def talk(options):
    with Bench(options, "live", 600) as bench:
        time.sleep(1)
        bench.type(b"set motion.armAfter 3 motion.armBy 6\n", 1)
        fetched = os.path.join(bench.folder, "run.leash")
        commands = example()
        for words in commands:
            words = [options.leash if word == "leash" else bench.port if word == "/dev/ttyACM0" else
                     fetched if word == "run.leash" else word for word in words]
            run = subprocess.run(
                words, cwd=live.ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            if run.returncode != 0 or run.stderr and words[1] == "bench-board":
                fail(f"{' '.join(words)}: exit code {run.returncode}: {run.stdout}{run.stderr}")
        with open(fetched, "rb") as here, open(bench.log, "rb") as there:
            content = here.read()
            if not content or there.read(len(content)) != content:
                fail("the log that was fetched is not what the image wrote")
        records = subprocess.run([options.leash, "log", fetched], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
        heard = b"".join(
            bytes.fromhex(record["hex"]) if "hex" in record else record["text"].encode()
            for record in map(json.loads, records) if record["kind"] == "bytes")
        with open(os.path.join(live.ROOT, "fixtures/nmea/bt451.log"), "rb") as file:
            sentences = file.read()
        if sentences not in heard:
            fail("the sentences in the log are not those that were injected, without the receiver's own between them")
        # A tilt that only the injected frames have.
        frames = os.path.join(bench.folder, "frames")
        with open(frames, "wb") as file:
            file.write(live.frames(12))
        played = json.loads(bench.ask("inject", frames, "--json"))
        if '"type":"movement"' not in bench.ask("tail"):
            fail(f"the tilt that was injected has raised no alert: {bench.ask('tail')}")
        status = bench.status()
        if status["injected"] != len(sentences) + played["sensor"] or status["setAside"] == 0:
            fail(f"{played} were injected, and the board says {status}")
        # Garbage: each line one answer, none lost, and the next question is answered as ever.
        draw = random.Random(3)
        garbage = [b"\x01" + bytes(draw.choice([byte for byte in range(256) if byte not in (10, 13)])
                                  for _ in range(draw.randrange(200))) for _ in range(60)]
        garbage += [b"x" * 3000, b"@nothing", b"@log -1", b"@inject receiver 00 00000000"]
        answers = [line for line in bench.type(b"\n".join(garbage) + b"\n", 6) if line.startswith("@garbage")]
        after = bench.status()
        count = after["garbageLines"] - status["garbageLines"]
        size = after["garbageBytes"] - status["garbageBytes"]
        if count != len(garbage) or len(answers) != count or size != sum(map(len, garbage)):
            fail(f"{len(garbage)} lines of garbage with {sum(map(len, garbage))} bytes: {len(answers)} answers, counted {count} and {size}")
        for name, port in after["ports"].items():
            if port["lost"]:
                fail(f"{port['lost']} bytes were lost on the {name}'s port")
        bench.ask("restart")
        again = bench.status()
        if again["cause"] != "request" or again["restarts"] != 1 or again["life"] != after["life"] + 1:
            fail(f"after a restart: {again}")
        print(
            f"firmware-bench: {options.board}: {len(commands)} commands of the manual; {len(content)} bytes of the log fetched, and repeated; "
            f"{played['sensor']} bytes of a sensor injected in {played['seconds']} s, an alert; {count} lines of garbage answered")


def crash(options):
    with Bench(options, "hangs", 600) as bench:
        time.sleep(1)
        bench.ask("status")
        bench.type(b"@hang sensor instruction 1\n", 2)
        told = json.loads(bench.ask("fault", "--json"))
        text = bench.ask("fault")
        if told["cause"] != "fault" or told["part"] != "sensor" or "registers.pc" not in text:
            fail(f"after a crash the board says {told}")
        print(f"firmware-bench: {options.board}: a crash is told: {told['cause']} in {told['part']} at {told['registers']['pc']}")


def endure(options):
    """What is broken around a board is counted and told, and does not restart it."""
    with Bench(options, "live", 600) as bench:
        time.sleep(6)
        bench.type(b"set motion.armAfter 3\nstatus\n", 4)
        with open(bench.flash, "rb") as file:
            flash = bytearray(file.read())
    # A cell of each hundred of what was written has lost its charge.
    draw = random.Random(4)
    for place in range(64, len(flash)):
        if flash[place] not in (0, 0xFF) and draw.randrange(100) == 0:
            flash[place] &= flash[place] - 1
    for what, broken, parts in (
            ("no modem, noise on the ports", {"has_modem": False, "noise": True}, {"modem": "silent"}),
            ("a flash memory of random bytes", {"flash": draw.randbytes(len(flash))}, {"flash": "ok"}),
            ("a flash memory with damaged cells", {"flash": flash}, {"flash": "failed"})):
        with Bench(options, "live", 600, **broken) as bench:
            time.sleep(12)
            status = bench.status()
            test = json.loads(bench.ask("self-test", "--json", code=0 if "ok" in parts.values() else 1))
            if status["cause"] != "power" or status["restarts"] or status["crashes"] or status["leftOut"]:
                fail(f"{what}: the board has restarted: {status}")
            if any(test["checks"][part] != found for part, found in parts.items()) or test["checks"]["stack"] != "ok":
                fail(f"{what}: the self-test says {test}")
            if parts.get("flash") == "failed" and not status["flash"]["damaged"]:
                fail(f"{what}: the status says {status['flash']}")
            # A request is answered as ever.
            if not any('"type":"status"' in line for line in bench.type(b"status\n", 3)):
                fail(f"{what}: a request is not answered")
            lost = {name: port["lost"] for name, port in status["ports"].items() if port["lost"]}
            print(f"firmware-bench: {options.board}: {what}: {parts}, no restart; bytes lost: {lost or 'none'}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("board", nargs="?", default="mps2-an386")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--leash", default=os.path.join(live.ROOT, ".build/debug/leash"))
    options = parser.parse_args()
    for tool in ("qemu-system-arm", options.leash):
        if not shutil.which(tool):
            print(f"firmware-bench: {tool} is missing", file=sys.stderr)
            sys.exit(3)
    for image in ("live", "hangs"):
        subprocess.run([os.path.join(live.ROOT, "Firmware/build.sh"), options.board, image], check=True)
    talk(options)
    crash(options)
    if not options.quick:
        endure(options)
    print(f"firmware-bench: ok: {options.board}")


if __name__ == "__main__":
    main()
