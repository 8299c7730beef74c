"""The source of the made-up project: a service for a bicycle-repair workshop, small but it runs."""

from __future__ import annotations

FILES = {
    "README.md": """# Wheelhouse

The service behind the counter of a small bicycle-repair workshop: slots for dropping off a bicycle, repair tickets,
parts and payments.

    python -m unittest
""",
    ".gitignore": """__pycache__/
.harness/intervention.md
.harness/ambient.flag
.harness/stream.lock
.harness/entropy-watch.state
.harness/state/
.harness/harness-tui/
.harness/scripts/verification_history.log
""",
    "wheelhouse/__init__.py": '"""The counter of a bicycle-repair workshop."""\n',
    "wheelhouse/booking.py": '''"""Slots for dropping off a bicycle."""

from datetime import date, datetime, time, timedelta

SLOT = timedelta(minutes=30)


def free_slots(day: date, opening: tuple[time, time], taken: set[time]) -> list[time]:
    """Beginnings of the half hours of `day` that nobody has taken."""
    at, end = (datetime.combine(day, hour) for hour in opening)
    slots = []
    while at + SLOT <= end:
        if at.time() not in taken:
            slots.append(at.time())
        at += SLOT
    return slots
''',
    "wheelhouse/tickets.py": '''"""Repair tickets and the moves between their states."""

from dataclasses import dataclass, replace

MOVES = {
    "received": {"diagnosed", "fetched"},
    "diagnosed": {"waiting for parts", "ready"},
    "waiting for parts": {"ready"},
    "ready": {"fetched"},
    "fetched": set(),
}


@dataclass(frozen=True)
class Ticket:
    number: int
    frame: str
    state: str = "received"
    moved_by: str = ""

    def move(self, to: str, by: str) -> "Ticket":
        """The ticket in its next state; a move that is not named is refused."""
        if to not in MOVES[self.state]:
            raise ValueError(f"a ticket that is {self.state} can't become {to}")
        return replace(self, state=to, moved_by=by)
''',
    "wheelhouse/prices.py": '''"""The wholesaler's nightly price list."""


def load(lines: list[str]) -> dict[str, int]:
    """Prices in cents by part number. A damaged line costs that one price; a list without its END is refused."""
    if not lines or lines[-1].strip() != "END":
        raise ValueError("the price list is not whole")
    prices = {}
    for line in lines[:-1]:
        part, _, cents = line.partition(";")
        if part and cents.strip().isdigit():
            prices[part.strip()] = int(cents)
    return prices
''',
    "tests/test_booking.py": """import unittest
from datetime import date, time

from wheelhouse.booking import free_slots


class FreeSlots(unittest.TestCase):
    def test_a_taken_slot_is_not_offered(self):
        slots = free_slots(date(2024, 5, 4), (time(9), time(10, 30)), {time(9, 30)})
        self.assertEqual(slots, [time(9), time(10)])
""",
    "tests/test_tickets.py": """import unittest

from wheelhouse.tickets import Ticket


class Moves(unittest.TestCase):
    def test_a_received_ticket_is_not_ready(self):
        with self.assertRaises(ValueError):
            Ticket(1, "WH 20 417").move("ready", "Ada")
""",
    ".harness/scripts/verify_all.sh": """#!/bin/sh
# Runs every check of the project; exit code 2 on a failure, 1 on a warning, else 0.
echo "=== verify_all (python) ==="
if python3 -m unittest discover -q -s tests -t .; then
  echo "[A.1] unit tests ... PASS"; pass=1; fail=0
else
  echo "[A.1] unit tests ... FAIL"; pass=0; fail=1
fi
printf '=== Summary ===\\n  PASS: %s\\n  WARN: 0\\n  FAIL: %s\\n  SKIP: 0\\n' "$pass" "$fail"
[ "$fail" -eq 0 ] || exit 2
""",
}
"""Text of every source file by its path."""


def module(title: str, goal: str) -> str:
    """The first lines of a source file that a played development adds."""
    return f'"""{title}: {goal}"""\n\nfrom __future__ import annotations\n'
