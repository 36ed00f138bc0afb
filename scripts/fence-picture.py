#!/usr/bin/env python3
"""Draws the delays of exits in docs/rules.md as docs/images/fence-delays.svg: a curve for each speed.

  scripts/fence-picture.py

A point is the median of the seeds with an alert within four hours; it is hollow where more than a tenth of the seeds had none.
"""
import math
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLOURS = ("#7b3294", "#2166ac", "#1b7837", "#b35806", "#b2182b")
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 400, 70, 20, 90, 50
LEAST, MOST, FARTHEST = 50, 20_000, 120


def table():
    with open(os.path.join(ROOT, "docs/rules.md"), encoding="utf-8") as page:
        text = page.read()
    lines = text.split("<!-- begin fences -->")[1].split("<!-- end fences -->")[0].strip().splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return cells[0][1:], cells[2:]


def x(metres):
    return LEFT + (WIDTH - LEFT - RIGHT) * metres / FARTHEST


def y(seconds):
    share = math.log(seconds / LEAST) / math.log(MOST / LEAST)
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def text(place, words, more=""):
    return f'<text x="{place[0]:.1f}" y="{place[1]:.1f}" {more}>{words}</text>'


def main():
    speeds, rows = table()
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        "<title>Seconds from crossing the edge to the alert, by the distance beyond it</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for seconds in (60, 120, 300, 600, 1200, 3600, 7200, 14_400):
        out.append(f'<path d="M{LEFT} {y(seconds):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        label = f"{seconds} s" if seconds < 3600 else f"{seconds // 3600} h"
        out.append(text((LEFT - 6, y(seconds) + 4), label, 'text-anchor="end"'))
    for row in rows:
        out.append(text((x(int(row[0])), HEIGHT - BOTTOM + 18), row[0], 'text-anchor="middle"'))
    out.append(text(((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10), "m beyond the edge", 'text-anchor="middle"'))
    for column, speed in enumerate(speeds):
        points = []
        for row in rows:
            cell = row[column + 1]
            missing = re.search(r"\((\d+) of (\d+)", cell)
            isRare = bool(missing) and int(missing[1]) * 10 > int(missing[2])
            points.append((x(int(row[0])), y(int(cell.split(", ")[0].replace(",", ""))), isRare))
        colour = COLOURS[column]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b, _ in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for a, b, isRare in points:
            fill = "white" if isRare else colour
            out.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" fill="{fill}" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<path d="M{WIDTH - RIGHT + 12} {TOP + 20 + 20 * column}h16" stroke="{colour}" stroke-width="2"/>')
        out.append(text((WIDTH - RIGHT + 34, TOP + 24 + 20 * column), speed))
    out.append("</svg>")
    with open(os.path.join(ROOT, "docs/images/fence-delays.svg"), "w", encoding="utf-8") as picture:
        picture.write("\n".join(out) + "\n")


main()
