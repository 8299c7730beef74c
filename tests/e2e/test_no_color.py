"""NO_COLOR: the dashboard knows greys only."""

from __future__ import annotations

import re

GREYS = {0, 7, 8, 15, 16, 231, *range(232, 256)}


def hues(raw):
    """The colours of all SGR sequences that are no greys."""
    found = set()
    for numbers in re.findall(rb"\x1b\[([0-9;:]*)m", bytes(raw)):
        codes = [int(code or 0) for code in re.split(rb"[;:]", numbers)]
        while codes:
            code = codes.pop(0)
            if code in (38, 48) and codes[:1] == [2]:
                red, green, blue = codes[1:4]
                codes = codes[4:]
                if not red == green == blue:
                    found.add((red, green, blue))
            elif code in (38, 48) and codes[:1] == [5]:
                if codes[1] not in GREYS:
                    found.add(codes[1])
                codes = codes[2:]
            elif code in {*range(31, 37), *range(41, 47), *range(91, 97), *range(101, 107)}:
                found.add(code)
    return found


def walk(dashboard, **env):
    screen = dashboard(env={"COLORTERM": "truecolor", **env})
    for key in ("j", "2", "3", "w", "\x1b", "?", "\x1b"):
        screen.send(key).settle(0.1)
    assert screen.leave() == 0
    return screen


def test_no_color_leaves_greys(dashboard):
    assert hues(walk(dashboard, NO_COLOR="1").raw) == set()


def test_without_it_there_are_colours(dashboard):
    assert len(hues(walk(dashboard).raw)) > 3
