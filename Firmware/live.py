#!/usr/bin/env python3
"""Runs the live image of a board under emulation, with a simulated modem, a recorded receiver and a server, and repeats its run.

  Firmware/live.py [BOARD] [--seconds N] [--nmea FILE] [--leash PATH]

The console, the modem and the receiver are on three ports of the board. The modem is `leash modem simulate`, whose requests reach a
server of this script; the sentences of FILE come at 115,200 bit/s. The image writes a log of its run, which `leash replay --check`
repeats on this machine. The check fails when the tracker does anything else there, when a byte was lost on a port, or when the server
has not each packet that the image counts as delivered.

Exit codes: 0 all is well, 1 it is not, 2 wrong usage, 3 a tool is missing.
"""
import argparse
import http.server
import json
import os
import re
import shutil
import socket
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


class Feed:
    """A port that the emulator connects to, over which bytes come at a line's rate."""

    def __init__(self, path, data, pause):
        self.data, self.sent, self.pause, self.heard = data, 0, pause, b""
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
            allowed = int((time.monotonic() - start) * 11_520)
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
        while piece := connection.recv(4096):
            self.heard += piece


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


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("board", nargs="?", default="mps2-an386")
    parser.add_argument("--seconds", type=int, default=12)
    parser.add_argument("--nmea", default=os.path.join(ROOT, "fixtures/nmea/bt451.log"))
    parser.add_argument("--leash", default=os.path.join(ROOT, ".build/debug/leash"))
    options = parser.parse_args()
    for tool in ("qemu-system-arm", options.leash):
        if not shutil.which(tool):
            print(f"firmware-live: {tool} is missing", file=sys.stderr)
            sys.exit(3)
    subprocess.run([os.path.join(ROOT, "Firmware/build.sh"), options.board, "live"], check=True)
    with open(options.nmea, "rb") as file:
        sentences = file.read()
    server = Server()
    with tempfile.TemporaryDirectory() as folder:
        def place(name):
            return os.path.join(folder, name)

        receiver = Feed(place("receiver"), sentences, 1)
        console = Feed(place("console"), b"status\n", 4)
        modem = subprocess.Popen(
            [options.leash, "modem", "simulate", "--link", place("modem"), "--quiet"], stdout=subprocess.DEVNULL)
        try:
            for _ in range(100):
                if os.path.exists(place("modem")):
                    break
                time.sleep(0.1)
            run = subprocess.run(
                ["qemu-system-arm", "-M", board_file(options.board)["machine"], "-display", "none", "-monitor", "none",
                 "-chardev", f"socket,id=c,path={place('console')}", "-serial", "chardev:c",
                 "-serial", os.path.realpath(place("modem")),
                 "-chardev", f"socket,id=r,path={place('receiver')}", "-serial", "chardev:r",
                 "-semihosting-config",
                 f"enable=on,target=native,arg={place('log')},arg={seconds_of_board(options.board, options.seconds)},arg=http://127.0.0.1:{server.server_port}",
                 "-kernel", os.path.join(ROOT, ".build/firmware", options.board, "live/image.elf")],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=options.seconds * 4 + 60, check=False)
        finally:
            modem.terminate()
            modem.wait()
        report = run.stdout.decode()
        if run.returncode != 0:
            fail(f"the image ended with {run.returncode}: {report}")
        counts = dict(line.rsplit(" ", 1) for line in report.splitlines() if " " in line)
        check = subprocess.run(
            [options.leash, "replay", "--check", place("log"), "--json"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            check=False)
        verdict = check.stdout.decode().strip()
        if os.environ.get("LEASH_KEEP_LOG"):
            shutil.copy(place("log"), os.environ["LEASH_KEEP_LOG"])
        records = subprocess.run(
            [options.leash, "log", place("log")], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    print(report.strip())
    print(verdict)
    records = [json.loads(line) for line in records]
    if check.returncode != 0:
        fail("the run repeated on this machine is another")
    heard = sum(len(bytes.fromhex(r["hex"])) if "hex" in r else len(r["text"].encode()) for r in records if r["kind"] == "bytes")
    told = [r for r in records if r["kind"] == "output" and r["port"] == 1] + [r for r in records if r["kind"] == "action"]
    lines = console.heard.decode().splitlines()
    if receiver.sent != len(sentences) or heard != receiver.sent:
        fail(f"of {len(sentences)} bytes of the receiver {receiver.sent} were sent and {heard} are in the log")
    for port in ("console", "modem", "receiver"):
        if counts[f"{port} lost"] != "0":
            fail(f"{counts[f'{port} lost']} bytes were lost on the {port}'s port")
    if sorted(lines) != sorted(r["text"] for r in told):
        fail(f"the console has {len(lines)} lines, the log {len(told)} events and packets")
    sent = [r["text"].encode() for r in records if r["kind"] == "output" and r["port"] >= 16]
    if int(counts["delivered"]) == 0 or len(set(server.packets)) < int(counts["delivered"]):
        fail(f"{counts['delivered']} packets count as delivered, the server has {len(set(server.packets))}")
    if not set(server.packets) <= set(sent):
        fail("the server has a packet that is not in the log")
    print(
        f"firmware-live: ok: {options.board}, {options.seconds} s: {heard} bytes of the receiver, none lost; {len(told)} events and packets; "
        f"{counts['delivered']} packets at the server; the same run here, byte for byte")


main()
