"""What every key does, made from the action list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content

from harness_tui.tui.actions import AREAS, actions_of, signs
from harness_tui.tui.facts import Fact, heading
from harness_tui.tui.signs import STATUS_SIGN
from harness_tui.tui.text import literal
from harness_tui.tui.theme import STATUS_STYLE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness_tui.model.pool import ShownStatus
    from harness_tui.tui.actions import Area

_LEGEND: Final[dict[ShownStatus, str]] = {
    "pending": "waits for its turn or for other tasks",
    "in-progress": "is being worked on",
    "interrupted": "was being worked on when its run ended; the next run goes on with it first",
    "done": "delivered",
    "failed": "ended without a delivery",
    "blocked": "can't go on until something else is done",
    "needs-human": "waits for your answer",
    "skipped": "left out on purpose",
    "unknown": "the plan's word is none of these; shown as written",
}


def help_facts(here: Iterable[Area]) -> list[Fact]:
    """The keys of the focused panel first, then all others, then what the signs mean."""
    first = [area for area in here if area != "app"]
    order: list[Area] = [area for area in dict.fromkeys([*reversed(first), *AREAS]) if actions_of(area)]
    facts: list[Fact] = []
    for area in order:
        facts.append(heading(AREAS[area]))
        facts += [_line(signs(action), "$text-accent bold", action.help) for action in actions_of(area)]
    facts.append(heading("Signs"))
    facts += [
        _line(f"{STATUS_SIGN[status]} {status}", STATUS_STYLE[status], words) for status, words in _LEGEND.items()
    ]
    facts.append(_line("≠", "", "the plan says something else than log and documents"))
    facts.append(
        _line("verify", "", "the last verify_all: its verdict, and how many checks were ok, warned, failed, skipped")
    )
    return facts


def _line(label: str, style: str, words: str) -> Fact:
    lead = f"  {label.ljust(16)}"
    return Fact(Content.assemble(literal(lead, style), literal(words)), hang=len(lead))
