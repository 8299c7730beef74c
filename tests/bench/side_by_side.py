"""Two things measured in turns in one run: the median of the ratios lasts, the milliseconds do not.

Times are CPU seconds of this process: other programs on the machine disturb them least.
"""

from __future__ import annotations

import json
import statistics
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Ratio(NamedTuple):
    name: str
    ratio: float
    goal: float
    ours_ms: float
    floor_ms: float


def compare(name, ours, floor, rounds: int, goal: float, seconds: Callable[[object], float] | None = None) -> Ratio:
    """`seconds` measures one of both; without it they are functions of this process."""
    seconds = seconds or _seconds
    pairs = [(seconds(ours), seconds(floor)) for _ in range(rounds)]
    return Ratio(
        name,
        statistics.median(a / b for a, b in pairs),
        goal,
        statistics.median(a for a, _ in pairs) * 1e3,
        statistics.median(b for _, b in pairs) * 1e3,
    )


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def show(ratios: list[Ratio], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([ratio._asdict() for ratio in ratios], indent=2))
        return
    print(f"{'':44} {'ours ms':>10} {'floor ms':>10} {'ratio':>8} {'goal':>6}")
    for name, ratio, goal, ours, floor in ratios:
        print(f"{name:44} {ours:10.2f} {floor:10.2f} {ratio:8.2f} {goal:6.1f}")
