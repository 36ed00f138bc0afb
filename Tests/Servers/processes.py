"""Programs that a trial with real servers starts, each with its own log, and ends again: these and no others."""
import os
import shutil
import signal
import socket
import subprocess
import time


class Missing(Exception):
    """Something that this machine does not have: exit code 3."""


class Failed(Exception):
    """What was to be seen was not: exit code 1."""


PACKAGES = {"mosquitto_sub": "mosquitto-clients", "mosquitto_pub": "mosquitto-clients"}


def program(name):
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if not path:
        raise Missing(f"{name} is not installed: apt-get install {PACKAGES.get(name, name)}")
    return path


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Process:
    """A child with its output in a file."""

    def __init__(self, work, name, command, **options):
        self.name = name
        self.log = os.path.join(work, name + ".log")
        self.output = open(self.log, "ab")
        self.child = subprocess.Popen(command, stdout=self.output, stderr=self.output, stdin=subprocess.DEVNULL, **options)

    def is_running(self):
        return self.child.poll() is None

    def end(self, how=signal.SIGTERM, within=30):
        if self.is_running():
            self.child.send_signal(how)
            try:
                self.child.wait(within)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()
        self.output.close()

    def tail(self, lines=25):
        with open(self.log, errors="replace") as log:
            return "".join(log.readlines()[-lines:])


def wait_for(port, process, seconds=20):
    """Waits until somebody listens."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not process.is_running():
            raise Failed(f"{process.name} has ended:\n{process.tail()}")
        try:
            socket.create_connection(("127.0.0.1", port), 0.5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise Failed(f"{process.name} does not listen on {port} after {seconds} s:\n{process.tail()}")


def mosquitto(work, port):
    place = os.path.join(work, "mosquitto.conf")
    with open(place, "w") as file:
        file.write(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    process = Process(work, "mosquitto", [program("mosquitto"), "-c", place])
    wait_for(port, process)
    return process
