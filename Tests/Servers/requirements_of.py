#!/usr/bin/env python3
"""Prints what some integrations of the Home Assistant of this environment need from PyPI, a line each.

usage: requirements_of.py INTEGRATION…
"""
import json
import os
import sys

import homeassistant.components

folder = os.path.dirname(homeassistant.components.__file__)
waiting, seen, wanted = list(sys.argv[1:]), set(), set()
while waiting:
    name = waiting.pop()
    if name in seen:
        continue
    seen.add(name)
    with open(os.path.join(folder, name, "manifest.json")) as file:
        manifest = json.load(file)
    waiting += manifest.get("dependencies", [])
    wanted.update(manifest.get("requirements", []))
print("\n".join(sorted(wanted)))
