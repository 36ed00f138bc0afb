#!/usr/bin/env python3
"""Draws the delays of exits in docs/rules.md as docs/images/fence-delays.svg: a curve for each speed.

  scripts/fence-picture.py

A point is the median of the seeds with an alert within four hours. It is hollow where more than a tenth of the seeds had none, and a
triangle at four hours where more than half had none: then the median of all is later, and that of the few says nothing. Of curves that
run together the earlier ones are wider, so that each is seen beside the next.
"""
import math
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLOURS = ("#b9a3c9", "#2166ac", "#7fbf7b", "#b35806", "#b2182b")
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 760, 430, 90, 34, 150, 50
LEAST, MOST, FARTHEST = 50, 20_000, 120
LIMIT = 14_400


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


def mark(a, b, kind, colour, size):
    """A point: `all` or `most` of the seeds had an alert, or `few` of them."""
    if kind == "few":
        return (f'<path d="M{a:.1f} {b - size - 1:.1f}l{size + 1:.1f} {2 * size:.1f}h{-2 * size - 2:.1f}z" fill="white"'
                f' stroke="{colour}" stroke-width="2"/>')
    fill = colour if kind == "all" else "white"
    return f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{size:.1f}" fill="{fill}" stroke="{colour}" stroke-width="2"/>'


def point(metres, cell):
    """Where a cell of the table is drawn, and how."""
    missing = re.search(r"\((\d+) of (\d+)", cell)
    lacking = int(missing[1]) / int(missing[2]) if missing else 0
    if lacking > 0.5:
        return x(metres), y(LIMIT), "few"
    return x(metres), y(int(cell.split(", ")[0].replace(",", ""))), "most" if lacking > 0.1 else "all"


def main():
    speeds, rows = table()
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        "<title>Time from crossing the edge to the alert, by the distance beyond it</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for seconds in (60, 120, 300, 600, 1200, 3600, 7200, LIMIT):
        out.append(f'<path d="M{LEFT} {y(seconds):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        label = f"{seconds} s" if seconds < 120 else f"{seconds // 60} min" if seconds < 3600 else f"{seconds // 3600} h"
        out.append(text((LEFT - 8, y(seconds) + 4), label, 'text-anchor="end"'))
    for row in rows:
        out.append(text((x(int(row[0])), HEIGHT - BOTTOM + 18), row[0], 'text-anchor="middle"'))
    out.append(text(((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10), "m beyond the edge", 'text-anchor="middle"'))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out.append(
        text((20, middle), "from crossing the edge to the alert, median",
             f'text-anchor="middle" transform="rotate(-90 20 {middle:.1f})"'))
    marks = []
    for column, speed in enumerate(speeds):
        points = [point(int(row[0]), row[column + 1]) for row in rows]
        colour = COLOURS[column]
        width, size = 1.5 + 2 * (len(speeds) - 1 - column), 3.5 + 1.3 * (len(speeds) - 1 - column)
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b, _ in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="{width}"/>')
        marks += [mark(a, b, kind, colour, size) for a, b, kind in points]
        beside = TOP + 30 + 20 * column
        out.append(f'<path d="M{WIDTH - RIGHT + 12} {beside - 4}h22" stroke="{colour}" stroke-width="{width}"/>')
        out.append(text((WIDTH - RIGHT + 42, beside), speed))
    out += marks
    words = (("all", ("9 of 10 seeds", "or more told")), ("most", ("fewer told", "within 4 h")),
             ("few", ("fewer than half", "told within 4 h")))
    for row, (kind, lines) in enumerate(words):
        beside = TOP + 160 + 44 * row
        out.append(mark(WIDTH - RIGHT + 23, beside, kind, "#444", 5))
        for step, line in enumerate(lines):
            out.append(text((WIDTH - RIGHT + 42, beside + 16 * step), line))
    out.append("</svg>")
    with open(os.path.join(ROOT, "docs/images/fence-delays.svg"), "w", encoding="utf-8") as picture:
        picture.write("\n".join(out) + "\n")


main()
