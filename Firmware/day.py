#!/usr/bin/env python3
"""Lets the live image of a board run for hours of emulated time, faster than real time, with faults of the modem and of the server.

  Firmware/day.py [BOARD] [--hours H] [--every MINUTES] [--rate HZ] [--speed K] [--leash PATH] [--keep FOLDER]

The image, the modem and the server are those of live.py, but time is the emulator's: it counts instructions (64 ns each), jumps over what
the processor sleeps, and waits each 20 ms until the bytes of the next 20 ms are there; the modem goes by the same time (lockstep.c). So
a busy machine makes the run longer, and nothing in it later. The sensor sends HZ samples a second, at rest; the receiver a fix each
second at one place, with its noise. Every 26 MINUTES (8 or more) a fault begins, in turn all of TROUBLES, and is ended after five
minutes, where it does not end by itself. During each the bike is lifted on one side by 40° for 20 s, and once more half-way to the
next.

The check fails unless
- the board has started once, and has no crash, and no port has lost a byte of those that were sent;
- each lift has raised an alert within ten seconds, nothing but lifting and putting down has, and each alert is at the server as the console
  has it;
- the numbers of packets rise, each packet is at the server, and none waits at the end;
- the loop was never awake for a second, of the four that the watchdog gives it;
- `leash replay --check` of the log gives the same events and packets on this machine.

--speed holds time to K times real time. SIGINT ends the run before the next fault, with the same checks of what was. --keep leaves
log, flash memory and console in a folder.

Bytes come when the processor sleeps or has read the one before, not at their times on a line, and those of the next slice not before the
processor sleeps. So the marks of the rings are what this emulator makes of them; the time that the loop was awake tells what a line at
115,200 bit/s could bring meanwhile.

Exit codes: 0 all is well, 1 it is not, 2 wrong usage, 3 a tool is missing.
"""
import argparse
import fcntl
import json
import math
import mmap
import os
import random
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import live

SLICE = 20_000_000
SECOND = 1_000_000_000
# As lockstep.c has it: reached, granted, modem_waits_until, awake, longest_awake, longest_awake_at.
SHARED = struct.Struct("=6q")
NEVER = 2**63 - 1
# Nanoseconds of an instruction: two to the power of the shift.
SHIFT = 6
# A line at 115,200 bit/s.
BYTES_OF_SLICE = 230

# What happens to modem and server: a name, what begins it, what ends it after five minutes. A line is one of the simulator's control
# socket, or the mood of the server.
# Not here: F8 (nothing is published), F15 (the image has one speed), F22 (the image names no access point).
POWER_ON = ["supply 0", "supply 3800", "pwrkey"]
TROUBLES = [
    ("server: error 503", ["mood 503"], ["mood well"]),
    ("server: silent", ["mood silent"], ["mood well"]),
    ("server: hangs up", ["mood hangs-up"], ["mood well"]),
    ("no supply", ["supply 0"], POWER_ON[1:]),
    ("low supply", ["supply 2500"], ["supply 3800"]),
] + [
    (fault, [f"fault {fault}"], POWER_ON) for fault in ("freeze", "over-read", "power-key", "deaf")
] + [
    (fault, [f"fault {fault}"], []) for fault in (
        "reset", "silent-reset", "bearer-lost", "sim-out", "flapping", "garbage", "torn-lines", "brown-out", "late-answer", "lost-result",
        "stale-connection", "strict-states", "http-dead", "connect-fails", "creg-lies", "late-sms", "stuck-output")
]


def say(text):
    print(f"firmware-day: {text}", flush=True)


class Server(live.Server):
    """A server that can be out of order."""

    def __init__(self):
        self.mood, self.asked, self.changed = "well", 0, threading.Condition()
        super().__init__()
        handler, server = self.RequestHandlerClass, self
        take = handler.do_POST

        def post(self):
            server.asked += 1
            mood = server.mood
            if mood == "well":
                return take(self)
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if mood == "503":
                self.send_response(503)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return None
            if mood == "silent":
                with server.changed:
                    server.changed.wait_for(lambda: server.mood != "silent")
            self.close_connection = True
            return None

        handler.do_POST = post

    def set_mood(self, mood):
        with self.changed:
            self.mood = mood
            self.changed.notify_all()


class Port:
    """A port that the emulator connects to."""

    def __init__(self, path):
        self.connection, self.rest, self.sent = None, b"", 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(1)

    def accept(self):
        self.listener.settimeout(20)
        self.connection = self.listener.accept()[0]
        self.connection.setblocking(False)

    def send(self, data):
        return self.connection.send(data)

    def put(self, data):
        self.rest += data

    def pump(self):
        """Sends what a line takes in a slice of time."""
        if self.rest:
            try:
                count = self.send(self.rest[:BYTES_OF_SLICE])
            except BlockingIOError:
                return
            self.rest = self.rest[count:]
            self.sent += count


class Console(Port):
    """The console, on two pipes: of what comes byte by byte a socket takes some 280 bytes, and then lets the board wait."""

    def __init__(self, path):
        self.rest, self.sent = b"", 0
        for end in ("in", "out"):
            os.mkfifo(f"{path}.{end}")
        self.into = os.open(f"{path}.in", os.O_RDWR | os.O_NONBLOCK)
        self.out = os.open(f"{path}.out", os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(self.out, fcntl.F_SETPIPE_SZ, 1 << 20)

    def accept(self):
        pass

    def send(self, data):
        return os.write(self.into, data)

    def heard(self):
        try:
            return os.read(self.out, 1 << 20)
        except BlockingIOError:
            return b""


class Bike:
    """Where the bike is, how it lies, and what sensor and receiver say of it."""

    ANGLE, RISE, HELD = math.radians(40), 0.8, 20

    def __init__(self, rate, lifts):
        self.rate, self.lifts, self.count = rate, list(lifts), 0
        self.noise = random.Random(7)
        self.at_rest = [self.frames(0, 0) for _ in range(4096)]

    def frames(self, angle, turning):
        result = b""
        for kind, numbers in ((0x51, (math.sin(angle) * 2048, 0, math.cos(angle) * 2048, 2500)),
                              (0x52, (0, -math.degrees(turning) / 2000 * 32768, 0, 0))):
            frame = struct.pack("<BBhhhh", 0x55, kind, *(round(number + self.noise.gauss(0, 2)) for number in numbers))
            result += frame + bytes([sum(frame) & 0xFF])
        return result

    def samples(self, until):
        """What the sensor sends up to a time in seconds."""
        result = b""
        while self.count < until * self.rate:
            now = self.count / self.rate
            self.count += 1
            if self.lifts and now > self.lifts[0] + 2 * self.RISE + self.HELD:
                self.lifts.pop(0)
            if not self.lifts or now < self.lifts[0]:
                result += self.at_rest[self.count % 4096]
                continue
            since = now - self.lifts[0]
            if since < self.RISE:
                angle, turning = self.ANGLE * since / self.RISE, self.ANGLE / self.RISE
            elif since < self.RISE + self.HELD:
                angle, turning = self.ANGLE, 0
            else:
                angle, turning = self.ANGLE * (1 - (since - self.RISE - self.HELD) / self.RISE), -self.ANGLE / self.RISE
            result += self.frames(angle, turning)
        return result

    def fix(self, second):
        """The sentences of a second; the run begins at noon."""
        utc = time.gmtime(1_780_315_200 + second)
        clock, date = time.strftime("%H%M%S.00", utc), time.strftime("%d%m%y", utc)
        north, east = (start + self.noise.gauss(0, 0.0003) for start in (48.2211, 36.7502))
        place = f"55{north:08.5f},N,023{east:08.5f},E"
        result = ""
        for text in (f"GPRMC,{clock},A,{place},0.05,,{date},,,A", f"GPGGA,{clock},{place},1,08,1.1,110.0,M,25.0,M,,"):
            total = 0
            for character in text.encode():
                total ^= character
            result += f"${text}*{total:02X}\r\n"
        return result.encode()


def plan(options):
    """What happens when: lifts in seconds, and troubles as (second, name, lines)."""
    lifts, troubles = [], []
    hours, pause = options.hours, options.every * 60
    at, number = 900, 0
    while at + max(pause, 600) <= hours * 3600:
        name, begins, ends = TROUBLES[number % len(TROUBLES)]
        troubles.append((at, name, begins))
        # A person does one thing after the other.
        troubles += [(at + 300 + 5 * place, "", [line]) for place, line in enumerate(ends)]
        lifts += [at + 60, at + 60 + pause / 2]
        at, number = at + pause, number + 1
    if not lifts:
        lifts = [hours * 3600 - 240]
    return lifts, sorted(troubles)


class Run:
    """The board and the world around it."""

    def __init__(self, options, folder):
        self.options, self.folder, self.server = options, folder, Server()
        self.path = {name: os.path.join(folder, name) for name in
                     ("modem", "control", "console", "receiver", "sensor", "flash", "log", "shared", "lockstep.so")}
        self.lifts, self.troubles = plan(options)
        self.bike = Bike(options.rate, self.lifts)
        self.lines, self.now, self.second, self.is_ending, self.is_over = [], 0, 0, False, False
        self.end_at = options.hours * 3600
        self.starting = None
        self.rest = b""
        self.requests = [(2, "status"), (3, "@status")] + [(3600 * hour, "@status") for hour in range(1, 1 + int(options.hours))]
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", "-o", self.path["lockstep.so"], os.path.join(live.ROOT, "Firmware/lockstep.c"), "-ldl"],
            check=True)
        with open(self.path["flash"], "wb") as file:
            file.write(b"\xff" * 24 * 4096)
        with open(self.path["shared"], "wb") as file:
            file.write(SHARED.pack(0, SLICE, NEVER, 0, 0, 0).ljust(4096, b"\0"))
        with open(self.path["shared"], "r+b") as file:
            self.shared = mmap.mmap(file.fileno(), 4096)
        self.told, told = os.pipe()
        go, self.go = os.pipe()
        self.answered, answered = os.pipe()
        wake, self.wake = os.pipe()
        self.modem = subprocess.Popen(
            [options.leash, "modem", "simulate", "--link", self.path["modem"], "--control", self.path["control"], "--quiet"],
            stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=self.environment("modem", wake, answered), pass_fds=(wake, answered))
        self.ports = {"console": Console(self.path["console"]), **{name: Port(self.path[name]) for name in ("receiver", "sensor")}}
        while not os.path.exists(self.path["modem"]):
            if self.modem.poll() is not None:
                raise SystemExit(f"firmware-day: FAILED: the modem has ended with {self.modem.returncode}")
            time.sleep(0.05)
        # Its two threads wait for each other all the time, which costs less on one processor, and if neither interrupts the other.
        processors = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {max(processors)})
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        self.image = live.emulate(
            options.board, "live", self.path,
            [self.path["log"], self.path["flash"], 10_000_000, f"http://127.0.0.1:{self.server.server_port}"],
            console=f"pipe:{self.path['console']}", more=["-nic", "none", "-icount", f"shift={SHIFT}"],
            env=self.environment("board", go, told), pass_fds=(go, told))
        os.sched_setaffinity(0, processors)
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        for descriptor in (told, go, answered, wake):
            os.close(descriptor)
        for port in self.ports.values():
            port.accept()
        self.control = socket.socket(socket.AF_UNIX)
        self.control.connect(self.path["control"])
        self.control.setblocking(False)

    def environment(self, role, come, leave):
        return {**os.environ, "LD_PRELOAD": self.path["lockstep.so"], "LEASH_LOCKSTEP": f"{role}:{self.path['shared']}:{come}:{leave}"}

    def do(self, line):
        """Does a line of the plan."""
        word, rest = line.split(" ", 1) if " " in line else (line, "")
        if word == "mood":
            self.server.set_mood(rest)
        else:
            self.control.sendall(line.encode() + b"\n")

    def step(self):
        """What the world does in the next slice of time."""
        now = self.now / SECOND
        end = now + SLICE / SECOND
        self.ports["sensor"].put(self.bike.samples(end))
        while self.second < end:
            self.ports["receiver"].put(self.bike.fix(self.second))
            self.second += 1
        while self.requests and self.requests[0][0] < end:
            self.ports["console"].put(self.requests.pop(0)[1].encode() + b"\n")
        while self.troubles and self.troubles[0][0] < end:
            _, name, lines = self.troubles.pop(0)
            if name:
                say(f"{now / 3600:.2f} h: {name}")
            for line in lines:
                self.do(line)
        for port in self.ports.values():
            port.pump()
        *whole, self.rest = (self.rest + self.ports["console"].heard()).split(b"\n")
        for line in whole:
            self.hear(now, line.decode(errors="replace"))

    def hear(self, now, line):
        if self.is_over:
            return
        self.is_over = line.startswith("@restart ")
        self.lines.append((now, line))
        if line.startswith("@status ") and now >= 3600:
            status = json.loads(line.removeprefix("@status "))
            most = {name: port["mostWaiting"] for name, port in status["ports"].items()}
            say(f"{now / 3600:.2f} h in {(time.monotonic() - self.began) / 60:.1f} min: {status['packets']} packets, "
                f"{status['delivered']} delivered, {status['waiting']} wait, most in rings {most}, log {status['log']} bytes")

    def end_early(self):
        """Ends the run before the next fault, when what waited for the end of the last one has been delivered."""
        begins = [at for at, name, _ in self.troubles if name and at > self.now / SECOND + 20]
        self.end_at = min(begins, default=self.end_at + 10) - 10

    def run(self):
        """Goes through the hours, and ends with a request for a restart, so that the log is whole."""
        self.began = time.monotonic()
        granted = SLICE
        signal.signal(signal.SIGINT, lambda *_: self.end_early())
        while True:
            # A machine that stands still for so long is a fault of its own.
            if not select.select([self.told], [], [], 120)[0]:
                raise SystemExit("firmware-day: FAILED: the emulator stands still")
            if not os.read(self.told, 1):
                raise SystemExit(f"firmware-day: FAILED: the emulator has ended: {self.image.stdout.read().decode()}")
            self.now, _, modem, awake, longest, self.longest_at = SHARED.unpack_from(self.shared)
            self.awake = awake << SHIFT
            # The restart that ends the run is none of its turns.
            if not hasattr(self, "ended_at"):
                self.longest = longest << SHIFT
            # The first turns read the flash memory, and are counted by themselves.
            if self.starting is None and self.now > 2 * SECOND:
                self.starting, self.longest = self.longest, 0
                struct.pack_into("=2q", self.shared, 32, 0, 0)
            if not self.is_ending and self.now >= self.end_at * SECOND:
                self.is_ending = True
            if self.is_ending and not hasattr(self, "ended_at"):
                self.ended_at = self.now / SECOND
                self.requests = [(0, "@status"), (self.ended_at + 1, "@restart")]
            self.step()
            if self.is_over:
                break
            if modem <= self.now:
                os.write(self.wake, b"\0")
                if not select.select([self.answered], [], [], 120)[0]:
                    raise SystemExit("firmware-day: FAILED: the modem stands still")
                os.read(self.answered, 1)
            granted += SLICE
            struct.pack_into("=q", self.shared, 8, granted)
            if self.options.speed:
                ahead = self.now / SECOND / self.options.speed - (time.monotonic() - self.began)
                if ahead > 0.002:
                    time.sleep(ahead)
            os.write(self.go, b"\0")
        self.took = time.monotonic() - self.began

    def end(self):
        for process in (self.image, self.modem):
            process.kill()
            process.wait()


def check(run):
    """What must hold; the failures, and the figures."""
    failures, options = [], run.options
    told = [(now, json.loads(line)) for now, line in run.lines if line.startswith("{")]
    packets = [(now, members) for now, members in told if "sequence" in members and "boot" in members]
    text = {json.loads(line)["sequence"]: line for _, line in run.lines if line.startswith("{") and '"boot":' in line}
    status = json.loads([line for _, line in run.lines if line.startswith("@status ")][-1].removeprefix("@status "))
    starts = [line for _, line in run.lines if line.startswith("@start ")]
    if len(starts) != 1 or status["cause"] != "power" or status["restarts"] or status["crashes"] or status["leftOut"]:
        failures.append(f"the board has restarted: {starts}, {status}")
    for name, port in status["ports"].items():
        if port["lost"]:
            failures.append(f"{port['lost']} bytes were lost on the {name}'s port")
        # What was sent last may be on its way.
        sent = run.ports[name].sent if name in run.ports else port["bytes"]
        if not 0 <= sent - port["bytes"] < 2000:
            failures.append(f"of {sent} bytes for the {name} {port['bytes']} came")
    if status["flash"]["failures"] or status["flash"]["damaged"]:
        failures.append(f"flash memory: {status['flash']}")
    if max(run.starting, run.longest) >= SECOND:
        failures.append(f"the loop was awake for {max(run.starting, run.longest) / SECOND:.3f} s at {run.longest_at / SECOND:.0f} s")
    # Alerts: what was done, what was told, what has arrived.
    lifts = [lift for lift in run.lifts if lift + 15 < run.ended_at]
    alerts = [(now, members) for now, members in packets if members["type"] == "movement"]
    first = {}
    for now, members in alerts:
        # An alert that nobody answers is told again, with its number and that of the repetition.
        if "repetition" not in members["alert"]:
            first.setdefault(members["alert"]["id"], now)
    caused = {number: lift for number, now in first.items() for lift in lifts if lift <= now < lift + Bike.HELD + 12}
    failures += [f"alert {number} at {now:.1f} s without a lift" for number, now in first.items() if number not in caused]
    delays = [min((now - lift for number, now in first.items() if caused.get(number) == lift), default=None) for lift in lifts]
    failures += [
        f"a lift at {lift} s has raised no alert within ten seconds" for lift, delay in zip(lifts, delays) if delay is None or delay > 10]
    delays = [delay for delay in delays if delay is not None]
    failures += [
        f"alert {members['alert']['id']} is a repetition of none" for _, members in alerts if members["alert"]["id"] not in first]
    arrived = {}
    for packet in run.server.packets:
        arrived.setdefault(json.loads(packet)["sequence"], packet.decode())
    failures += [
        f"alert {members['sequence']} is not at the server as the console has it" for _, members in alerts
        if arrived.get(members["sequence"]) != text[members["sequence"]]]
    numbers = [members["sequence"] for _, members in packets]
    if any(later <= before for before, later in zip(numbers, numbers[1:])):
        failures.append("the numbers of packets do not rise")
    missing = sorted(set(numbers) - set(arrived))
    if missing or status["waiting"]:
        failures.append(f"{len(missing)} packets are not at the server, {status['waiting']} wait: {missing[:10]}")
    if set(arrived) - set(numbers):
        failures.append("the server has a packet that the console does not have")
    begin = time.monotonic()
    size = os.path.getsize(run.path["log"])
    replay = subprocess.run(
        [options.leash, "replay", "--check", run.path["log"], "--json"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if replay.returncode != 0:
        failures.append(f"the run repeated on this machine is another: {replay.stdout.decode()[-500:]}")
    hours = run.ended_at / 3600
    done = [name for at, name, _ in plan(options)[1] if name and at < run.ended_at]
    rows = [
        ("emulated time", f"{hours:.2f} h in {run.took / 60:.0f} min of this machine"),
        ("restarts, crashes", f"{status['restarts']}, {status['crashes']}"),
        ("loop awake at most, of 4,000 ms; at the start", f"{run.longest / 1e6:.1f} ms; {run.starting / 1e6:.1f} ms"),
        ("processor awake", f"{100 * run.awake / SECOND / run.ended_at:.1f} %"),
    ]
    rows += [
        (f"{name}: bytes, lost, most in its ring of 1,024", f"{port['bytes']:,}, {port['lost']}, {port['mostWaiting']}")
        for name, port in status["ports"].items()]
    rows += [
        ("faults, kinds", f"{len(done)}, {len(set(done))}"),
        ("lifts; alerts of lifting or putting down, of nothing", f"{len(lifts)}; {len(caused)}, {len(first) - len(caused)}"),
        ("packets of alerts with their repetitions, at the server",
         f"{len(alerts)}, {sum(members['sequence'] in arrived for _, members in alerts)}"),
        ("from a lift to its alert", f"{max(delays, default=0):.1f} s at most"),
        ("packets, at the server, came twice, wait",
         f"{len(numbers)}, {len(arrived)}, {len(run.server.packets) - len(arrived)}, {status['waiting']}"),
        ("changes of the flash memory, not kept", f"{status['flash']['changes']:,}, {status['flash']['failures']}"),
        ("stack used, of", f"{status['stackUsed']:,}, {status['stackRoom']:,}"),
        ("log, repeated on this machine", f"{size:,} bytes, in {time.monotonic() - begin:.0f} s"),
    ]
    return failures, rows


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("board", nargs="?", default="mps2-an386")
    parser.add_argument("--hours", type=float, default=24)
    parser.add_argument("--every", type=float, default=26)
    parser.add_argument("--rate", type=int, default=10)
    parser.add_argument("--speed", type=float)
    parser.add_argument("--keep")
    parser.add_argument("--leash", default=os.path.join(live.ROOT, ".build/debug/leash"))
    options = parser.parse_args()
    for tool in ("qemu-system-arm", "cc", options.leash):
        if not shutil.which(tool):
            print(f"firmware-day: {tool} is missing", file=sys.stderr)
            sys.exit(3)
    if live.seconds_of_board(options.board, 1000) != 1000:
        print(
            f"firmware-day: {options.board}: its emulator counts another clock than the board has; expected mps2-an386 or mps2-an500",
            file=sys.stderr)
        sys.exit(2)
    subprocess.run([os.path.join(live.ROOT, "Firmware/build.sh"), options.board, "live"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(options, folder)
        try:
            run.run()
        finally:
            run.end()
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                for name in ("log", "flash"):
                    shutil.copy(run.path[name], options.keep)
                with open(os.path.join(options.keep, "console"), "w") as file:
                    file.writelines(f"{now:.2f} {line}\n" for now, line in run.lines)
        failures, rows = check(run)
    print("| | |\n|---|---:|")
    for name, value in rows:
        print(f"| {name} | {value} |")
    for failure in failures:
        print(f"firmware-day: FAILED: {failure}", file=sys.stderr)
    if failures:
        sys.exit(1)
    say(f"ok: {options.board}, {run.ended_at / 3600:.2f} h")


if __name__ == "__main__":
    main()
