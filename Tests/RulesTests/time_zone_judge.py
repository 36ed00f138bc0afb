# Prints zones, instants and what glibc's clock shows there: TZ SECONDS OFFSET, a line each.
import os
import random
import struct
import time
import zoneinfo

source = random.Random(8536)


def footer(key):
    """The text at the end of a zone's file, which is good for all the future."""
    for folder in zoneinfo.TZPATH:
        path = os.path.join(folder, key)
        if os.path.exists(path):
            with open(path, "rb") as file:
                return file.read().rstrip(b"\n").rsplit(b"\n", 1)[-1].decode("ascii", "replace")
    return ""


zones = {footer(key) for key in zoneinfo.available_timezones()}
zones = sorted(zone for zone in zones if zone[:1].isalpha() or zone[:1] == "<")
zones += [
    "CET-1CEST,M3.5.0,M10.5.0/3", "AEST-10AEDT,M10.1.0,M4.1.0/3", "<+0330>-3:30<+0430>,J79/24,J263/24",
    "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "ABC1:02:03DEF0:01:02,J60/1:02:03,300/4", "LHST-10:30LHDT-11,M10.1.0,M4.1.0",
]
def day(first, last):
    """A day of the year between two, in one of the three forms, with a time or without."""
    number = source.randint(first, last)
    form = source.choice([f"J{number}", f"{number}", f"M{number // 30 + 1}.{source.randint(1, 5)}.{source.randint(0, 6)}"])
    return form + source.choice(["", f"/{source.randint(0, 30)}", f"/-{source.randint(1, 30)}"])


for _ in range(60):  # summers of the north and of the south
    ends = [day(40, 130), day(220, 320)]
    source.shuffle(ends)
    zones.append(f"AAA{source.randint(-11, 11)}BBB,{ends[0]},{ends[1]}")
for zone in zones:
    os.environ["TZ"] = zone
    time.tzset()
    for _ in range(60):
        second = source.randint(0, 4_102_444_800)
        print(zone, second, time.localtime(second).tm_gmtoff)
    # About the changes of some years, second by second at each.
    for year in source.sample(range(1990, 2090), 2):
        start = int(time.mktime((year, 1, 1, 0, 0, 0, 0, 1, 0)))
        before = None
        for hour in range(0, 8760):
            second = start + 3600 * hour
            offset = time.localtime(second).tm_gmtoff
            if before is not None and offset != before:
                low, high = second - 3600, second
                while high - low > 1:
                    middle = (low + high) // 2
                    if time.localtime(middle).tm_gmtoff == before:
                        low = middle
                    else:
                        high = middle
                print(zone, low, before)
                print(zone, high, offset)
            before = offset
