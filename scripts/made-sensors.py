#!/usr/bin/env python3
"""Made sensors for trying Leash without hardware: an NMEA 0183 receiver and a WitMotion inertial sensor.

usage: made-sensors.py GNSS_LINK IMU_LINK REST_SECONDS

Makes two pseudo-terminals with links to them and plays a bike that stands for REST_SECONDS, is then shaken and tilted for
15 s, rolls away for 30 s, and stands again. The numbers are made up; they prove nothing about a real bike.
"""
import math
import os
import pty
import random
import struct
import sys
import time
import tty


def port(link):
    """A pseudo-terminal that a program opens at the link; the other side is given."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    os.set_blocking(ours, False)
    if os.path.islink(link):
        os.unlink(link)
    os.symlink(os.ttyname(theirs), link)
    return ours, theirs


def say(descriptor, data):
    try:
        os.write(descriptor, data)
    except BlockingIOError:
        pass  # Nobody reads yet.


def sentence(text):
    total = 0
    for byte in text.encode():
        total ^= byte
    return f"${text}*{total:02X}\r\n"


def degrees(value, digits):
    whole = int(abs(value))
    return f"{whole:0{digits}d}{(abs(value) - whole) * 60:07.4f}"


def epoch(north, speed):
    now = time.gmtime()
    clock = time.strftime("%H%M%S.00", now)
    date = time.strftime("%d%m%y", now)
    latitude = 50.6233 + north / 111_200
    place = f"{degrees(latitude, 2)},N,{degrees(5.5583, 3)},E"
    return (sentence(f"GPGGA,{clock},{place},1,09,0.9,210.0,M,46.9,M,,")
            + sentence(f"GPGSA,A,3,02,05,07,13,15,20,24,29,30,,,,1.6,0.9,1.3")
            + sentence(f"GPRMC,{clock},A,{place},{speed * 1.943844:.2f},0.0,{date},,,A")).encode()


def frame(kind, values, full):
    numbers = [max(-32768, min(32767, round(v / full * 32768))) for v in values]
    body = struct.pack("<BBhhhh", 0x55, kind, *numbers, 0)
    return body + bytes([sum(body) & 0xFF])


def motion(t):
    """Specific force in m/s², angular rate in rad/s, speed in m/s."""
    noise = lambda size: random.gauss(0, size)
    if 0 <= t < 15:
        lean = 0.3 * math.sin(2 * math.pi * 0.7 * t)
        rate = 0.3 * 2 * math.pi * 0.7 * math.cos(2 * math.pi * 0.7 * t)
        force = (noise(1.0), 9.807 * math.sin(lean) + noise(1.0), 9.807 * math.cos(lean) + noise(1.0))
        return force, (rate, noise(0.1), noise(0.1)), 0
    if 15 <= t < 45:
        return (noise(0.8), noise(0.8), 9.807 + noise(1.2)), (noise(0.1), noise(0.1), noise(0.1)), 5
    return (noise(0.02), noise(0.02), 9.807 + noise(0.02)), (noise(0.003), noise(0.003), noise(0.003)), 0


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    random.seed(1)
    gnss, gnss_kept = port(sys.argv[1])
    imu, imu_kept = port(sys.argv[2])
    rest = float(sys.argv[3])
    north = 0.0
    start = time.monotonic()
    count = 0
    while True:
        t = count / 100 - rest
        force, rate, speed = motion(t)
        say(imu, frame(0x51, force, 16 * 9.80665) + frame(0x52, rate, 2000 * math.pi / 180))
        north += speed / 100
        if count % 100 == 0:
            say(gnss, epoch(north + random.gauss(0, 0.4), speed))
        count += 1
        time.sleep(max(0, start + count / 100 - time.monotonic()))


try:
    main()
except KeyboardInterrupt:
    pass
