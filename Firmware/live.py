#!/usr/bin/env python3
"""Runs the live image of a board under emulation, with a simulated modem, a recorded receiver and a server, and repeats its run.

  Firmware/live.py [BOARD] [--seconds N] [--nmea FILE] [--leash PATH] [--cuts N] [--seed S]

Console, modem, receiver and inertial sensor are on four ports of the board. The modem is `leash modem simulate`, whose requests reach
a server of this script; the sentences of FILE come at 115,200 bit/s, and frames of a WitMotion sensor 50 times a second: at rest, and
in the last quarter of --seconds lifted on one side by 40°. The console arms the tracker before. The image writes a log of its run,
which `leash replay --check` repeats on this machine. The check fails when the tracker does anything else there, when a byte was lost
on a port, when the tilt raises no alert, or when the server has not each packet that the image counts as delivered.

With --cuts the emulator is killed N times, each at a random moment of the first --seconds of its run, and started again with the same
flash memory; the last run is not killed, and checked as above. Over all of them no packet may be lost, none may come with the number
of another, and each life goes on from the one before.

Exit codes: 0 all is well, 1 it is not, 2 wrong usage, 3 a tool is missing.
"""
import argparse
import http.server
import json
import math
import os
import random
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def fail(text):
    print(f"firmware-live: FAILED: {text}", file=sys.stderr)
    sys.exit(1)


class Server(http.server.ThreadingHTTPServer):
    """Takes packets, and has nothing to say."""

    def __init__(self):
        self.packets = []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                server.packets.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"[]")

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


def frames(seconds):
    """What a WitMotion sensor sends 50 times a second: specific force and angular rate, with the noise of its last digit."""
    result = b""
    noise = random.Random(7)
    tilted = seconds * 0.75
    for step in range(int(seconds * 50)):
        angle = math.radians(40) * min(max((step / 50 - tilted) / 0.8, 0), 1)
        rate = 50 if 0 < angle < math.radians(40) else 0
        values = ((0x51, (math.sin(angle) * 2048, 0, math.cos(angle) * 2048, 2500)), (0x52, (0, rate / 2000 * -32768, 0, 0)))
        for kind, numbers in values:
            frame = struct.pack("<BBhhhh", 0x55, kind, *(round(number + noise.gauss(0, 2)) for number in numbers))
            result += frame + bytes([sum(frame) & 0xFF])
    return result


class Feed:
    """A port that the emulator connects to, over which bytes come at a line's rate, or at another."""

    def __init__(self, path, data, pause, rate=11_520):
        self.data, self.sent, self.pause, self.heard, self.rate = data, 0, pause, b"", rate
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(path)
        self.socket.listen(1)
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        connection, _ = self.socket.accept()
        threading.Thread(target=self.listen, args=(connection,), daemon=True).start()
        time.sleep(self.pause)
        start = time.monotonic()
        while self.sent < len(self.data):
            allowed = int((time.monotonic() - start) * self.rate)
            if allowed > self.sent:
                piece = self.data[self.sent:min(allowed, self.sent + 64)]
                try:
                    connection.sendall(piece)
                except OSError:
                    # The emulator has ended; what was sent tells.
                    return
                self.sent += len(piece)
            time.sleep(0.001)

    def listen(self, connection):
        try:
            while piece := connection.recv(4096):
                self.heard += piece
        except ConnectionResetError:
            # The emulator was killed.
            pass


def board_file(board):
    settings = {}
    with open(os.path.join(ROOT, "Firmware/Boards", board, "board.conf")) as file:
        for line in file:
            if "=" in line and not line.startswith("#"):
                name, value = line.strip().split("=", 1)
                settings[name] = value
    return settings


def seconds_of_board(board, seconds):
    """How long the board thinks that so many seconds of the emulator are: it may count another clock than the board has."""
    settings = board_file(board)
    path = os.path.join(ROOT, "Firmware/Boards", settings.get("sources", board), "Board.swift")
    with open(path) as file:
        clock = int(re.search(r"clockHertz: UInt32 \{ ([\d_]+) \}", file.read()).group(1).replace("_", ""))
    return seconds * int(settings["emulated_hertz"]) // clock


def emulate(board, image, path, arguments, console="socket", has_modem=True, more=(), **options):
    """Starts an image of a board under emulation.

    path has the sockets of its ports by name: console, receiver, sensor, and the pseudo-terminal of the modem; a console that is no
    "socket" is given to the emulator as it is. arguments is what the image gets by semihosting: log, flash, seconds, address of the server.
    more goes to the emulator as it is.
    """
    def on_socket(name):
        return ["-chardev", f"socket,id={name},path={path[name]}", "-serial", f"chardev:{name}"]

    return subprocess.Popen(
        ["qemu-system-arm", "-M", board_file(board)["machine"], "-display", "none", "-monitor", "none", *more,
         *(on_socket("console") if console == "socket" else ["-serial", console]),
         "-serial", os.path.realpath(path["modem"]) if has_modem else "null", *on_socket("receiver"), *on_socket("sensor"),
         "-semihosting-config", "enable=on,target=native," + ",".join(f"arg={argument}" for argument in arguments),
         "-kernel", os.path.join(ROOT, ".build/firmware", board, image, "image.elf")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


class Life:
    """One run of the image, from its start to its end or until it is killed."""

    def __init__(self, options, folder, number, server, sentences):
        self.log = os.path.join(folder, f"log-{number}")
        paths = {port: os.path.join(folder, f"{port}-{number}") for port in ("receiver", "console", "sensor")}
        self.receiver = Feed(paths["receiver"], sentences, 1)
        requests = b"status\nset motion.armAfter 3 motion.armBy 6\n" + (b"track 1 600\n" if options.cuts else b"")
        self.console = Feed(paths["console"], requests, 2)
        self.sensor = Feed(paths["sensor"], frames(options.seconds), 0, rate=2 * 11 * 50)
        is_last = number == options.cuts
        seconds = seconds_of_board(options.board, options.seconds if is_last else 3600)
        paths["modem"] = os.path.join(folder, "modem")
        self.process = emulate(
            options.board, "live", paths,
            [self.log, os.path.join(folder, "flash"), seconds, f"http://127.0.0.1:{server.server_port}"])

    def kill(self, after):
        """Ends it as a power cut does."""
        time.sleep(after)
        if self.process.poll() is not None:
            fail(f"the image ended by itself: {self.process.stdout.read().decode()}")
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def end(self, timeout):
        """Waits for its end; its report."""
        try:
            report = self.process.communicate(timeout=timeout)[0].decode()
        except subprocess.TimeoutExpired:
            self.process.kill()
            fail(f"the image has not ended after {timeout} s")
        if self.process.returncode != 0:
            fail(f"the image ended with {self.process.returncode}: {report}")
        return report

    def packets(self):
        """The packets on its console by their numbers; what a kill has cut is none."""
        found = {}
        for line in self.console.heard.decode(errors="replace").split("\n")[:-1]:
            try:
                members = json.loads(line)
            except ValueError:
                continue
            if "sequence" in members and "type" in members:
                found.setdefault(members["sequence"], line)
        return found


def check_last(options, life, report, server, sentences, sent_before):
    """The last run against its log, the server and this machine."""
    counts = dict(line.rsplit(" ", 1) for line in report.splitlines() if " " in line)
    check = subprocess.run(
        [options.leash, "replay", "--check", life.log, "--json"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if os.environ.get("LEASH_KEEP_LOG"):
        shutil.copy(life.log, os.environ["LEASH_KEEP_LOG"])
    records = subprocess.run(
        [options.leash, "log", life.log], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    print(report.strip())
    print(check.stdout.decode().strip())
    records = [json.loads(line) for line in records]
    if check.returncode != 0:
        fail("the run repeated on this machine is another")
    heard = sum(len(bytes.fromhex(r["hex"])) if "hex" in r else len(r["text"].encode()) for r in records if r["kind"] == "bytes")
    told = [r for r in records if r["kind"] == "output" and r["port"] == 1] + [r for r in records if r["kind"] == "action"]
    # What the board says of itself is no event.
    lines = [line for line in life.console.heard.decode().splitlines() if not line.startswith("@")]
    if life.receiver.sent != len(sentences) or heard != life.receiver.sent:
        fail(f"of {len(sentences)} bytes of the receiver {life.receiver.sent} were sent and {heard} are in the log")
    for port in ("console", "modem", "receiver", "sensor"):
        if counts[f"{port} lost"] != "0":
            fail(f"{counts[f'{port} lost']} bytes were lost on the {port}'s port")
    for trouble in ("changes not kept", "records damaged"):
        if counts[trouble] != "0":
            fail(f"{counts[trouble]} {trouble}")
    if sorted(lines) != sorted(r["text"] for r in told):
        fail(f"the console has {len(lines)} lines, the log {len(told)} events and packets")
    sent = {r["text"].encode() for r in records if r["kind"] == "output" and r["port"] >= 16} | sent_before
    if int(counts["delivered"]) == 0 or len(set(server.packets)) < int(counts["delivered"]):
        fail(f"{counts['delivered']} packets count as delivered, the server has {len(set(server.packets))}")
    alerts = {line for line in lines if '"type":"movement"' in line}
    if not alerts:
        fail("the tilt has raised no alert")
    if not options.cuts and not {line.encode() for line in alerts} & set(server.packets):
        fail("the alert of the tilt is not at the server")
    if not set(server.packets) <= sent:
        fail("the server has a packet that was never sent")
    print(
        f"firmware-live: ok: {options.board}, {options.seconds} s: {heard} bytes of the receiver, none lost; {len(told)} events and packets; "
        f"{counts['delivered']} packets at the server; the same run here, byte for byte")
    return counts


def check_lives(lives, counts, server):
    """All runs together: nothing lost, no number twice, each goes on from the one before."""
    made = {}
    for number, life in enumerate(lives):
        for sequence, line in life.packets().items():
            if made.setdefault(sequence, line) != line:
                fail(f"packet {sequence} of run {number} is another than before: {line}, {made[sequence]}")
    arrived = {json.loads(packet)["sequence"] for packet in server.packets}
    missing = sorted(set(made) - arrived)
    # What waits when the last run ends is not lost.
    if len(missing) > int(counts["waiting"]):
        fail(f"of {len(made)} packets {len(missing)} never arrived, {counts['waiting']} wait: {missing[:10]}")
    twice = len(server.packets) - len(arrived)
    print(
        f"firmware-live: ok: {len(lives)} runs, {len(lives) - 1} of them killed: {len(made)} packets, {len(missing)} still wait, none lost, "
        f"{twice} came twice; life {counts['life']}; {counts['changes cut off']} changes cut off at the last start")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("board", nargs="?", default="mps2-an386")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--nmea", default=os.path.join(ROOT, "fixtures/nmea/bt451.log"))
    parser.add_argument("--leash", default=os.path.join(ROOT, ".build/debug/leash"))
    parser.add_argument("--cuts", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for tool in ("qemu-system-arm", options.leash):
        if not shutil.which(tool):
            print(f"firmware-live: {tool} is missing", file=sys.stderr)
            sys.exit(3)
    subprocess.run([os.path.join(ROOT, "Firmware/build.sh"), options.board, "live"], check=True)
    with open(options.nmea, "rb") as file:
        sentences = file.read()
    server = Server()
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "flash"), "wb") as file:
            file.write(b"\xff" * 24 * 4096)
        modem = subprocess.Popen(
            [options.leash, "modem", "simulate", "--link", os.path.join(folder, "modem"), "--quiet"], stdout=subprocess.DEVNULL)
        try:
            for _ in range(100):
                if os.path.exists(os.path.join(folder, "modem")):
                    break
                time.sleep(0.1)
            lives = []
            for number in range(options.cuts + 1):
                lives.append(Life(options, folder, number, server, sentences))
                if number < options.cuts:
                    lives[-1].kill(draw.uniform(0.3, options.seconds))
                    if number % 10 == 9:
                        print(f"firmware-live: {number + 1} of {options.cuts} runs killed", flush=True)
            report = lives[-1].end(options.seconds * 4 + 60)
        finally:
            modem.terminate()
            modem.wait()
        sent_before = {line.encode() for life in lives[:-1] for line in life.packets().values()}
        counts = check_last(options, lives[-1], report, server, sentences, sent_before)
        if options.cuts:
            check_lives(lives, counts, server)


if __name__ == "__main__":
    main()
