"""Derives the constants of Sources/Quantities/Elementary: minimax polynomials by Remez exchange, split constants, 2/pi.

Usage: pip install mpmath==1.4.1; python3 docs/elementary-coefficients.py
"""

import struct
from mpmath import mp, mpf, matrix, lu_solve, sin, cos, atan, asin, exp, log, atanh, sqrt, pi, floor, cos as mcos

mp.dps = 60


def rounded(value, single):
    return struct.unpack("f", struct.pack("f", float(value)))[0] if single else float(value)


def literal(value):
    head, exponent = float(value).hex().split("p")
    return head.rstrip("0").rstrip(".") + "p" + exponent


def remez(function, weight, low, high, degree):
    """Minimizes max |weight * (polynomial - function)| on [low, high]; returns coefficients and the maximum."""
    count = degree + 2
    middle, half = (low + high) / 2, (high - low) / 2
    nodes = [middle - half * mcos(pi * k / (count - 1)) for k in range(count)]
    grid = [middle - half * mcos(pi * (k + mpf(1) / 2) / 1200) for k in range(1200)]
    values = [(x, function(x), weight(x)) for x in grid]
    for _ in range(12):
        a, b = matrix(count, count), matrix(count, 1)
        for row, x in enumerate(nodes):
            for k in range(degree + 1):
                a[row, k] = x**k
            a[row, degree + 1] = (-1) ** row / weight(x)
            b[row] = function(x)
        solution = lu_solve(a, b)
        coefficients = [solution[k] for k in range(degree + 1)]
        segments = []
        for x, f, w in values:
            error = w * (mp.polyval(coefficients[::-1], x) - f)
            if segments and (segments[-1][1] > 0) == (error > 0):
                if abs(error) > abs(segments[-1][1]):
                    segments[-1] = (x, error)
            else:
                segments.append((x, error))
        while len(segments) > count:
            segments.pop(0 if abs(segments[0][1]) < abs(segments[-1][1]) else -1)
        if len(segments) < count:
            break
        nodes = [x for x, _ in segments]
        if max(abs(e) for _, e in segments) < 1.01 * min(abs(e) for _, e in segments):
            break
    return coefficients, max(abs(w * (mp.polyval(coefficients[::-1], x) - f)) for x, f, w in values)


def show(name, function, weight, low, high, degree, single):
    coefficients, error = remez(function, weight, mpf(low), mpf(high), degree)
    print(f"{name} {'Float' if single else 'Double'}: degree {degree}, relative error 2^{float(log(error, 2)):.1f}")
    for c in coefficients:
        print("   ", literal(rounded(c, single)))


def split(name, value, bits, single):
    """Cuts a constant into parts of the given numbers of bits; the last part is rounded."""
    parts, rest = [], value
    for b in bits:
        scale = mpf(2) ** (b - 1 - floor(log(abs(rest), 2)))
        part = floor(rest * scale) / scale
        parts.append(part)
        rest -= part
    parts.append(rest)
    print(name, [literal(rounded(p, single)) for p in parts])


tiny = mpf(2) ** -40
quarter = (pi / 4 * mpf("1.002")) ** 2
tan8 = (mpf(2) ** mpf("0.5") - 1) ** 2 * mpf("1.001")
half_log = log(mpf(2)) / 2 * mpf("1.002")
for single, d in ((True, (3, 2, 4, 5, 5, 8)), (False, (5, 5, 10, 12, 10, 0, 6))):
    show("sin", lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z, tiny, quarter, d[0], single)
    show("cos", lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, lambda z: z**2, tiny, quarter, d[1], single)
    show("atan", lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z, tiny, tan8, d[2], single)
    show("asin", lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z, tiny, mpf("0.2501"), d[3], single)
    show("exp", lambda r: (exp(r) - 1 - r) / r**2, lambda r: r**2, -half_log * mpf("0.9997"), half_log, d[4], single)
    if single:
        show(
            "log",
            lambda f: (log(1 + f) - f + f**2 / 2) / f**3,
            lambda f: f**3 / log(1 + f),
            sqrt(mpf(1) / 2) - mpf("1.001"),
            sqrt(mpf(2)) - mpf("0.999"),
            d[5],
            single,
        )
    else:
        show(
            "log", lambda z: (2 * atanh(sqrt(z)) / sqrt(z) - 2) / z, lambda z: z / 2, tiny, mpf("0.02946"), d[6], single
        )
        show(
            "log, fifth power on",
            lambda z: ((2 * atanh(sqrt(z)) / sqrt(z) - 2) / z - mpf(2) / 3) / z,
            lambda z: z**2 / 2,
            tiny,
            mpf("0.02946"),
            7,
            single,
        )
split("pi/2 Float", pi / 2, (11, 11, 11), True)
split("pi/2 Double", pi / 2, (33, 33), False)
split("pi/2 pair", pi / 2, (53,), False)
split("pi/4 pair", pi / 4, (53,), False)
split("pi/2 Float pair", pi / 2, (24,), True)
split("pi/4 Float pair", pi / 4, (24,), True)
split("2/3 pair", mpf(2) / 3, (53,), False)
split("ln 2 Float", log(mpf(2)), (15,), True)
split("ln 2 Double", log(mpf(2)), (42,), False)
split("ln 2 three", log(mpf(2)), (42, 42), False)
print(
    "2/pi, 1/ln 2",
    literal(2 / pi),
    literal(1 / log(mpf(2))),
    literal(rounded(2 / pi, True)),
    literal(rounded(1 / log(mpf(2)), True)),
)
mp.prec = 1400
digits = int(floor(2 / pi * mpf(2) ** 1280))
print("2/pi in words of 64 bits, most significant first:")
for k in range(20):
    print(f"    0x{(digits >> (1280 - 64 * (k + 1))) & (2**64 - 1):016X},")
