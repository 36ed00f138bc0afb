#!/usr/bin/env python3
"""Three nats-server nodes as one MQTT broker; the node that the tracker is on is killed with -9 at the theft: every packet arrives.

usage: cluster.py LEASH WORK

Exit codes: 0 all was seen, 1 something was not, 3 something is missing.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import processes
from processes import Failed, Missing, Process

HERE = os.path.dirname(os.path.abspath(__file__))
REST = 25  # Seconds that the made bike stands before somebody shakes it.


def say(text):
    print(f"cluster: {text}", flush=True)


class Node:
    """One node of the cluster."""

    def __init__(self, work, number, routes, mqtt):
        self.number, self.port = number, mqtt[number]
        own = f"127.0.0.1:{routes[number]}"
        place = os.path.join(work, f"node{number}.conf")
        others = ", ".join(f'"nats://127.0.0.1:{port}"' for port in routes)
        with open(place, "w") as file:
            file.write(
                f'server_name: node{number}\nlisten: "127.0.0.1:{processes.free_port()}"\n'
                f'jetstream {{ store_dir: "{work}/node{number}" }}\n'
                f'mqtt {{ listen: "127.0.0.1:{self.port}", stream_replicas: 3 }}\n'
                f'cluster {{ name: leash, listen: "{own}", routes: [{others}] }}\n')
        self.process = Process(work, f"node{number}", [processes.program("nats-server"), "-c", place])

    def kill(self):
        self.process.child.send_signal(signal.SIGKILL)
        self.process.child.wait()


def lines(path):
    """The JSON objects of a file, as far as they are whole."""
    found = []
    with open(path, errors="replace") as file:
        for line in file:
            try:
                one = json.loads(line)
                if isinstance(one, dict):
                    found.append(one)
            except ValueError:
                pass
    return found


def packets(objects):
    return {one["sequence"]: one for one in objects if "sequence" in one and one.get("type") != "event"}


def listens(port, process, work):
    """A session of a cluster that has just begun hears nothing for some seconds: waits until what is sent is heard."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        subprocess.run([processes.program("mosquitto_pub"), "-p", str(port), "-q", "1", "-t", "leash/trial", "-m", '{"trial":1}'],
                       capture_output=True, timeout=20)
        time.sleep(0.5)
        if any("trial" in one for one in lines(process.log)):
            return
    raise Failed(f"nothing is heard through the cluster:\n{process.tail()}")


def trial(leash, work):
    started = []
    try:
        routes = [processes.free_port() for _ in range(3)]
        mqtt = [processes.free_port() for _ in range(3)]
        nodes = [Node(work, number, routes, mqtt) for number in range(3)]
        started += [node.process for node in nodes]
        for node in nodes:
            processes.wait_for(node.port, node.process)
        version = subprocess.run([processes.program("nats-server"), "--version"], capture_output=True, text=True).stdout.strip()
        say(f"{version}, three nodes with three replicas")
        # Who reads is on another node than the tracker.
        reader = Process(work, "reader", [processes.program("mosquitto_sub"), "-p", str(nodes[1].port), "-q", "1", "-c", "-i", "reader",
                                          "-t", "leash/#", "-k", "10"])
        started.append(reader)
        listens(nodes[2].port, reader, work)
        file = os.path.join(work, "leash.json5")
        with open(file, "w") as out:
            json.dump({
                "trackerId": "bike42",
                "gnss": {"source": "serial", "port": work + "/gnss", "rate": 9600},
                "imu": {"source": "serial", "port": work + "/imu", "rate": 115200},
                "uplinks": [{"by": "mqtt", "host": "127.0.0.1", "port": nodes[0].port, "topic": "leash/packet", "keepAlive": 10,
                             "otherHosts": [f"127.0.0.1:{node.port}" for node in nodes[1:]]}],
                "state": work + "/state.db", "control": work + "/control", "motion": {"armAfter": 10},
                "reports": {"alarmInterval": 1},
            }, out)
        started.append(Process(work, "sensors", ["/usr/bin/python3", os.path.join(HERE, "..", "..", "scripts", "made-sensors.py"),
                                                 work + "/gnss", work + "/imu", str(REST)]))
        end = time.monotonic() + 10
        while not os.path.exists(work + "/imu") and time.monotonic() < end:
            time.sleep(0.1)
        tracker = Process(work, "leash", [leash, "run", file, "--json"])
        started.append(tracker)
        watch(leash, work, nodes, reader, tracker)
    finally:
        for process in reversed(started):
            process.end()


def status(leash, work):
    done = subprocess.run([leash, "status", "--json", "--socket", work + "/control"], capture_output=True, text=True, timeout=30)
    return json.loads(done.stdout) if done.returncode == 0 else {}


def watch(leash, work, nodes, reader, tracker):
    end = time.monotonic() + REST + 40
    while not any(one.get("event") in ("suspicious", "movement") for one in lines(tracker.log)):
        if time.monotonic() > end or not tracker.is_running():
            raise Failed(f"no theft was noticed:\n{tracker.tail()}")
        time.sleep(0.01)
    nodes[0].kill()
    killed = time.monotonic()
    say("somebody is at the bike, and the node that the tracker is on is killed")
    while not any(one["type"] == "movement" for one in packets(lines(reader.log)).values()):
        if time.monotonic() > killed + 60:
            raise Failed(f"the alert does not arrive:\n{tracker.tail()}")
        time.sleep(0.05)
    say(f"the alert is at the reader {time.monotonic() - killed:.1f} s after that")
    time.sleep(20)
    end = time.monotonic() + 60
    while status(leash, work).get("outbox", {}).get("waiting") and time.monotonic() < end:
        time.sleep(0.5)
    way = status(leash, work).get("uplinks", [{}])[0]
    tracker.end()
    time.sleep(2)
    made, heard = packets(lines(tracker.log)), packets(lines(reader.log))
    missing = sorted(set(made) - set(heard))
    if missing or not made:
        raise Failed(f"{len(made)} packets were made, and {missing} did not arrive; {way}")
    if any(made[number] != heard[number] for number in made):
        raise Failed("a packet arrived changed")
    say(f"all {len(made)} packets arrived as they were made, {sum(1 for one in made.values() if one['type'] == 'movement')} of them alerts")
    say(f"the way: {json.dumps(way)[:400]}")


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    work = os.path.abspath(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    try:
        trial(os.path.abspath(sys.argv[1]), work)
    except Missing as missing:
        say(str(missing))
        sys.exit(3)
    except Failed as failed:
        say(f"FAILED: {failed}")
        say(f"logs are in {work}")
        sys.exit(1)


if __name__ == "__main__":
    main()
