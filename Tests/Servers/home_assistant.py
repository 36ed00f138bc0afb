#!/usr/bin/env python3
"""A real Home Assistant with a real broker and 'leash run': entities, a theft, "It's me", restarts of either side, removal.

usage: home_assistant.py LEASH WORK [--form device|components] [--pictures FOLDER]

Runs in the environment that has Home Assistant (make test-servers makes one). Exit codes: 0 all was seen, 1 something was not,
3 something is missing.
"""
import argparse
import asyncio
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
REST = 45  # Seconds that the made bike stands before somebody shakes it.


def say(text):
    print(f"home-assistant: {text}", flush=True)


class HomeAssistant:
    """The server, its user, and what it says of itself."""

    def __init__(self, work, broker):
        self.work, self.broker = work, broker
        self.port = processes.free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder = os.path.join(work, "home-assistant")
        self.tokens = None
        self.process = None
        os.makedirs(self.folder)
        with open(os.path.join(self.folder, "configuration.yaml"), "w") as file:
            file.write(
                "homeassistant:\n  name: Home\n  latitude: 50.6233\n  longitude: 5.5583\n  elevation: 60\n"
                "  unit_system: metric\n  time_zone: UTC\n"
                f"http:\n  server_host: 127.0.0.1\n  server_port: {self.port}\n"
                "api:\nconfig:\nfrontend:\nonboarding:\nlogger:\n  default: warning\n  logs:\n    homeassistant.components.mqtt: info\n")

    async def start(self, session):
        hass = os.path.join(os.path.dirname(sys.executable), "hass")
        self.process = Process(self.work, "hass", [hass, "-c", self.folder, "--skip-pip"])
        await asyncio.to_thread(processes.wait_for, self.port, self.process, 180)
        if self.tokens is None:
            await self.onboard(session)
        await self.until(session, "it runs", lambda states: True, 120, path="/api/config", test=lambda c: c["state"] == "RUNNING")

    async def stop(self):
        await asyncio.to_thread(self.process.end, signal.SIGTERM, 60)

    async def onboard(self, session):
        """The first user, as a browser makes it."""
        user = {"client_id": self.url + "/", "name": "Owner", "username": "owner", "password": "only here", "language": "en"}
        end = time.monotonic() + 120
        while True:
            async with session.post(self.url + "/api/onboarding/users", json=user) as answer:
                if answer.status == 200:
                    code = (await answer.json())["auth_code"]
                    break
            if time.monotonic() > end:
                raise Failed("no user can be made")
            await asyncio.sleep(0.5)
        form = {"grant_type": "authorization_code", "code": code, "client_id": self.url + "/"}
        async with session.post(self.url + "/auth/token", data=form) as answer:
            self.tokens = await answer.json()
        self.tokens["expires_at"] = time.time() + self.tokens["expires_in"]
        # What is left of the questions to a new user must not stand before what is shown.
        for step, body in (("core_config", {}), ("analytics", {}),
                           ("integration", {"client_id": self.url + "/", "redirect_uri": self.url + "/"})):
            try:
                async with session.post(f"{self.url}/api/onboarding/{step}", json=body, headers=await self.headers(session)):
                    pass
            except OSError:
                pass
        await self.add_broker(session)

    async def add_webhook(self, session):
        """The Traccar Client integration, whose webhook takes the form osmAnd; gives its address."""
        place = self.url + "/api/config/config_entries/flow"
        async with session.post(place, json={"handler": "traccar"}, headers=await self.headers(session)) as answer:
            flow = await answer.json()
        async with session.post(f"{place}/{flow['flow_id']}", json={}, headers=await self.headers(session)) as answer:
            result = await answer.json()
        if result.get("type") != "create_entry":
            raise Failed(f"the webhook is not set up: {result}")
        return self.url + "/api/webhook/" + result["description_placeholders"]["webhook_url"].rsplit("/", 1)[1]

    async def headers(self, session):
        if self.tokens["expires_at"] - time.time() < 300:
            form = {"grant_type": "refresh_token", "refresh_token": self.tokens["refresh_token"], "client_id": self.url + "/"}
            async with session.post(self.url + "/auth/token", data=form) as answer:
                self.tokens.update(await answer.json())
            self.tokens["expires_at"] = time.time() + self.tokens["expires_in"]
        return {"Authorization": "Bearer " + self.tokens["access_token"]}

    async def add_broker(self, session):
        """The MQTT integration, as its user sets it up."""
        place = self.url + "/api/config/config_entries/flow"
        async with session.post(place, json={"handler": "mqtt"}, headers=await self.headers(session)) as answer:
            flow = await answer.json()
        data = {"broker": "127.0.0.1", "port": self.broker}
        async with session.post(f"{place}/{flow['flow_id']}", json=data, headers=await self.headers(session)) as answer:
            result = await answer.json()
        if result.get("type") != "create_entry":
            raise Failed(f"the MQTT integration is not set up: {result}")

    async def get(self, session, path):
        async with session.get(self.url + path, headers=await self.headers(session)) as answer:
            return await answer.json() if answer.status == 200 else None

    async def states(self, session):
        return {state["entity_id"]: state for state in await self.get(session, "/api/states") or []}

    async def press(self, session, service, entity):
        domain, word = service.split(".")
        place = f"{self.url}/api/services/{domain}/{word}"
        async with session.post(place, json={"entity_id": entity}, headers=await self.headers(session)) as answer:
            if answer.status != 200:
                raise Failed(f"{service} of {entity}: {answer.status} {await answer.text()}")

    async def ask(self, session, *commands):
        """Commands of its socket, and their results."""
        async with session.ws_connect(self.url + "/api/websocket") as socket:
            await socket.receive_json()
            await socket.send_json({"type": "auth", "access_token": self.tokens["access_token"]})
            await socket.receive_json()
            results = []
            for number, command in enumerate(commands, 1):
                await socket.send_json({"id": number, **command})
                results.append((await socket.receive_json()).get("result"))
            return results

    async def until(self, session, what, condition, seconds, path="/api/states", test=None):
        """Waits until something is to be seen; says how long it took."""
        begin = time.monotonic()
        states = {}
        while time.monotonic() - begin < seconds:
            if not self.process.is_running():
                raise Failed(f"Home Assistant has ended:\n{self.process.tail()}")
            try:
                if test:
                    answer = await self.get(session, path)
                    if answer and test(answer):
                        return answer
                else:
                    states = await self.states(session)
                    if condition(states):
                        say(f"{what} ({time.monotonic() - begin:.1f} s)")
                        return states
            except OSError:
                pass
            await asyncio.sleep(0.3)
        own = "\n".join(f"  {name}: {state['state']}" for name, state in sorted(states.items()) if "bike" in name)
        raise Failed(f"not within {seconds} s: {what}\n{own}\n{self.process.tail()}")


class Tracker:
    """Made sensors and 'leash run'."""

    def __init__(self, leash, work, broker):
        self.leash, self.work = leash, work
        self.file = os.path.join(work, "leash.json5")
        self.control = os.path.join(work, "control")
        with open(self.file, "w") as file:
            file.write(json.dumps({
                "trackerId": "bike42",
                "gnss": {"source": "serial", "port": work + "/gnss", "rate": 9600},
                "imu": {"source": "serial", "port": work + "/imu", "rate": 115200},
                "uplinks": [{"by": "mqtt", "host": "127.0.0.1", "port": broker, "keepAlive": 5}],
                "state": work + "/state.db", "control": self.control, "motion": {"armAfter": 10},
            }, indent=2))
        self.sensors = self.process = None

    def start_sensors(self, seconds):
        if self.sensors:
            self.sensors.end()
        script = os.path.join(HERE, "..", "..", "scripts", "made-sensors.py")
        self.sensors = Process(self.work, "sensors", ["/usr/bin/python3", script, self.work + "/gnss", self.work + "/imu", str(seconds)])
        end = time.monotonic() + 10
        while not os.path.exists(self.work + "/imu") and time.monotonic() < end:
            time.sleep(0.1)

    def start(self):
        self.process = Process(self.work, "leash", [self.leash, "run", self.file, "--packets"])

    def stop(self, how=signal.SIGTERM):
        self.process.end(how)

    def run(self, *arguments):
        done = subprocess.run([self.leash, *arguments], capture_output=True, text=True, timeout=90)
        return done.returncode, done.stdout + done.stderr

    def status(self):
        code, text = self.run("status", "--json", "--socket", self.control)
        return json.loads(text) if code == 0 else {}

    def end(self):
        for process in (self.process, self.sensors):
            if process:
                process.end()


def value(states, entity):
    return states[entity]["state"] if entity in states else None


def has_values(states):
    """The entities that must have a value, whatever the bike does."""
    wanted = ["device_tracker.bike", "alarm_control_panel.bike_alarm", "sensor.bike_phase", "sensor.bike_distance",
              "binary_sensor.bike_moving", "switch.bike_alerts", "switch.bike_withhold_position", "sensor.bike_satellites",
              "binary_sensor.bike_position_old", "sensor.bike_position_of", "sensor.bike_speed", "sensor.bike_packets_waiting",
              "switch.bike_follow"]
    return all(value(states, entity) not in (None, "unknown", "unavailable") for entity in wanted)


async def trial(options, work):
    import aiohttp
    from homeassistant.const import __version__ as version
    newest = tuple(int(part) for part in version.split(".")[:2]) >= (2024, 12)
    options.newest = newest
    form = options.form or ("device" if newest else "components")
    say(f"Home Assistant {version} on Python {sys.version.split()[0]}, discovery by '{form}'")
    port = processes.free_port()
    started = [processes.mosquitto(work, port)]
    house, tracker = HomeAssistant(work, port), Tracker(options.leash, work, port)
    try:
        async with aiohttp.ClientSession() as session:
            await house.start(session)
            say("it runs, with the broker")
            await seen(options, session, house, tracker, form, port, work)
    finally:
        tracker.end()
        if house.process:
            house.process.end()
        for process in started:
            process.end()


async def seen(options, session, house, tracker, form, port, work):
    tracker.start_sensors(REST)
    # In one command; the tracker is started with what it has written.
    code, text = tracker.run("pair", "home-assistant", tracker.file, "--wait", "0")
    if code != 0 or "added" not in text:
        raise Failed(f"leash pair: {text}")
    with open(tracker.file) as file:
        written = file.read()
    with open(tracker.file, "w") as file:
        file.write(written.replace("homeAssistant: true", f'homeAssistant: {{ name: "Bike", form: "{form}" }}'))
    await house.until(session, "'leash pair' is enough for the device to be shown, unavailable without the tracker",
                      lambda states: value(states, "alarm_control_panel.bike42_alarm") == "unavailable" if form == "device" else True, 20)
    code, text = tracker.run("pair", "home-assistant", "--remove", tracker.file)
    if code != 0:
        raise Failed(f"leash pair --remove: {text}")
    await house.until(session, "and --remove takes it away again", lambda states: not any("bike" in name for name in states), 20)
    with open(tracker.file) as file:
        if "homeAssistant" in file.read():
            raise Failed("leash pair --remove leaves its key in the configuration")
    os.replace(tracker.file + ".before", tracker.file)

    address = await house.add_webhook(session)
    with open(tracker.file) as file:
        written = file.read()
    with open(tracker.file, "w") as file:
        file.write(written.replace('"uplinks": [', '"uplinks": [ { by: "http", url: "' + address
                                   + '", format: "osmAnd", inAddress: true, receiver: "webhook", kinds: "location+parking+movement" },', 1))
    tracker.start()
    states = await house.until(session, "entities appear and have values", has_values, 40)
    own = sorted(name for name in states if ".bike" in name)
    say(f"{len(own)} entities: {', '.join(own)}")
    states = await house.until(session, "the panel is armed", lambda states: value(states, "alarm_control_panel.bike_alarm") == "armed_away", 60)
    if value(states, "device_tracker.bike") != "home":
        raise Failed(f"device_tracker.bike is {value(states, 'device_tracker.bike')}, not at home")
    # Nothing measures these on the made bike.
    for name in ("sensor.bike_battery", "binary_sensor.bike_charging", "sensor.bike_temperature", "binary_sensor.bike_tampering"):
        if value(states, name) != "unavailable":
            raise Failed(f"{name} is {value(states, name)}, though nothing measures it")
    say("what nothing measures is unavailable")
    devices, entities = await house.ask(session, {"type": "config/device_registry/list"}, {"type": "config/entity_registry/list"})
    device = [one for one in devices if one["name"] == "Bike"]
    if len(device) != 1:
        raise Failed(f"one device expected, there are {len(device)}")
    if options.pictures:
        await pictures(options, house, device[0]["id"], "armed", "Armed away")

    states = await house.until(session, "a theft turns the panel to triggered",
                               lambda states: value(states, "alarm_control_panel.bike_alarm") == "triggered", REST + 30)
    states = await house.until(session, "the alert is an event with its number",
                               lambda states: states["event.bike_alert"]["attributes"].get("id") == 1
                               and value(states, "sensor.bike_last_alert") not in ("unknown", None), 10)
    states = await house.until(session, "its webhook has the place in the form osmAnd",
                               lambda states: round(states.get("device_tracker.bike42", {}).get("attributes", {}).get("latitude", 0), 3) == 50.623, 20)
    event = states["event.bike_alert"]
    say(f"event: {event['attributes']}")
    await asyncio.sleep(2)
    if options.pictures:
        await pictures(options, house, device[0]["id"], "triggered", "Triggered")
    await house.press(session, "button.press", "button.bike_it_s_me")
    await house.until(session, "\"It's me\" pressed there ends the alarm",
                      lambda states: value(states, "alarm_control_panel.bike_alarm") in ("disarmed", "armed_away"), 15)
    requests = tracker.status().get("requests", {})
    if "dismiss" not in json.dumps(requests):
        raise Failed(f"the tracker knows of no dismiss: {requests}")
    say("the tracker has obeyed: " + json.dumps(requests)[:300])

    await house.press(session, "switch.turn_off", "switch.bike_alerts")
    await house.until(session, "alerts are switched off there", lambda states: value(states, "switch.bike_alerts") == "off", 15)

    await house.press(session, "switch.turn_on", "switch.bike_follow")
    await house.until(session, "it is followed", lambda states: value(states, "switch.bike_follow") == "on", 20)
    await house.press(session, "switch.turn_off", "switch.bike_follow")
    await house.until(session, "and no longer", lambda states: value(states, "switch.bike_follow") == "off", 20)

    before = await house.states(session)
    await house.stop()
    await house.start(session)
    after = await house.until(session, "after its restart every value is there again", has_values, 60)
    if value(after, "switch.bike_alerts") != "off":
        raise Failed("after a restart the switch of alerts is forgotten")
    if value(after, "event.bike_alert") != value(before, "event.bike_alert"):
        raise Failed("after a restart the alert was announced again")
    say("the alert of before is not announced again, and the switch is still off")
    await house.press(session, "switch.turn_on", "switch.bike_alerts")
    await house.until(session, "and on again", lambda states: value(states, "switch.bike_alerts") == "on", 20)

    tracker.stop()
    await house.until(session, "the tracker stopped: unavailable",
                      lambda states: value(states, "alarm_control_panel.bike_alarm") == "unavailable", 15)
    tracker.start()
    await house.until(session, "the tracker started: available with values", has_values, 40)
    tracker.stop(signal.SIGKILL)
    await house.until(session, "the tracker killed: unavailable by the broker's will",
                      lambda states: value(states, "alarm_control_panel.bike_alarm") == "unavailable", 15)
    tracker.start()
    await house.until(session, "and back", has_values, 40)
    await house.press(session, "switch.turn_on", "switch.bike_withhold_position")
    states = await house.until(session, "a withheld position is unknown, and not the one of before",
                               lambda states: value(states, "device_tracker.bike") == "unknown"
                               and value(states, "binary_sensor.bike_position_withheld") == "on", 20)
    await house.press(session, "switch.turn_off", "switch.bike_withhold_position")
    await house.until(session, "and told again", lambda states: value(states, "device_tracker.bike") not in ("unknown", None), 20)

    # Removal: without the tracker, as its configuration would have it.
    tracker.stop()
    code, text = tracker.run("pair", "home-assistant", "--remove", tracker.file)
    if code != 0:
        raise Failed(f"leash pair --remove: {text}")
    await house.until(session, "removal leaves no entity",
                      lambda states: not any(".bike" in name for name in states if name != "device_tracker.bike42"), 20)
    devices, = await house.ask(session, {"type": "config/device_registry/list"})
    if any(one["name"] == "Bike" for one in devices):
        raise Failed("the device is still there")
    kept = subprocess.run([processes.program("mosquitto_sub"), "-p", str(port), "-t", "#", "--retained-only", "-W", "2", "-F", "%t"],
                          capture_output=True, text=True).stdout.split()
    if kept:
        raise Failed(f"the broker still keeps {kept}")
    say("and no device, and nothing kept at the broker")
    warnings = [line.strip() for line in open(house.process.log, errors="replace")
                if ("WARNING" in line or "ERROR" in line) and ("mqtt" in line or "template" in line)]
    for line in warnings:
        say("it warned: " + line)
    # What it has taken away it hears of once more. Servers of before 2024.12 know no None for a time, which is unknown
    # then, and no device to take away.
    known = ("No device components to cleanup",) if options.newest else (
        "No device components to cleanup", "Invalid state message", "Integration device is not supported")
    if any(("leash" in line or "bike" in line) and not any(words in line for words in known) for line in warnings):
        raise Failed("Home Assistant warned about the tracker")


async def pictures(options, house, device, name, word):
    import browser
    os.makedirs(options.pictures, exist_ok=True)
    place = os.path.join(options.pictures, f"home-assistant-{name}.png")
    await browser.shoot(house, f"/config/devices/device/{device}", place, ["It's me", "Alarm", "Battery voltage", word], (1100, 1560))
    panel = os.path.join(options.pictures, f"home-assistant-panel-{name}.png")
    await browser.shoot(house, f"/config/devices/device/{device}", panel, ["It's me", word], (900, 760), "alarm_control_panel.bike_alarm")
    say(f"a browser shows the device and the panel: {place}, {panel}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("leash")
    parser.add_argument("work")
    parser.add_argument("--form")
    parser.add_argument("--pictures")
    options = parser.parse_args()
    work = os.path.abspath(options.work)
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    options.leash = os.path.abspath(options.leash)
    try:
        asyncio.run(trial(options, work))
    except Missing as missing:
        say(str(missing))
        sys.exit(3)
    except Failed as failed:
        say(f"FAILED: {failed}")
        say(f"logs are in {work}")
        sys.exit(1)
    say("all of it was seen")


if __name__ == "__main__":
    main()
