"""Lengths of time in words, and how old something is."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

_UNITS: Final = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def span(length: timedelta) -> str:
    """`length` in its largest whole unit: `42 s`, `7 min`, `3 h`, `12 d`; never negative."""
    seconds = max(0, int(length.total_seconds()))
    size, unit = next((item for item in _UNITS if seconds >= item[0]), _UNITS[-1])
    return f"{seconds // size} {unit}"


def clock(length: timedelta) -> str:
    """`length` as a clock: `04:12`, `1:04:12`; days as `2 d 03:04`."""
    seconds = max(0, int(length.total_seconds()))
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    if hours >= 24:  # noqa: PLR2004 - hours of a day
        return f"{hours // 24} d {hours % 24:02}:{minute:02}"
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute:02}:{second:02}"


def ago(at: datetime | None, now: datetime) -> str:
    """How long ago `at` was: `7m ago`, `in the future`; empty when there is none."""
    words = age(at, now)
    return "in the future" if words == "future" else f"{words} ago" if words else ""


def age(at: datetime | None, now: datetime) -> str:
    """How old `at` is, short: `<1m`, `7m`, `3h`, `12d`; `future` when it lies ahead, empty when there is none."""
    if at is None:
        return ""
    seconds = (now - at).total_seconds()
    if seconds < -60:  # noqa: PLR2004 - clocks of two machines differ by less than a minute
        return "future"
    if seconds < 60:  # noqa: PLR2004 - a number that changes each second would be drawn each second
        return "<1m"
    return span(timedelta(seconds=seconds)).replace(" ", "").replace("min", "m")
