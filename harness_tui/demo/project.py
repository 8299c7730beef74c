"""The source of the made-up project: a service for a bicycle-repair workshop, small but it runs."""

from __future__ import annotations

import shlex
import sys

FILES = {
    "README.md": """# Wheelhouse

The service behind the counter of a small bicycle-repair workshop: slots for dropping off a bicycle, repair tickets,
parts and payments.

    python -m unittest
""",
    ".gitignore": """__pycache__/
.harness/intervention.md
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
    "tests/__init__.py": '"""Tests of the counter."""\n',
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
# Runs every check of the project; exit code 2 on a failure, 1 on a warning, else 0. Keeps a history of its results.
cd "$(dirname "$0")/../.." || exit 2
pass=0 warn=0 fail=0 skip=0 python=${PYTHON:-PROGRAM}
say() {
  echo "[$1] $2 ... $3"
  case $3 in PASS) pass=$((pass+1));; WARN) warn=$((warn+1));; SKIP) skip=$((skip+1));; *) fail=$((fail+1));; esac
}
echo "=== verify_all (wheelhouse) ==="
if ! command -v "$python" >/dev/null; then say A.1 "unit tests" SKIP
elif "$python" -S -E -B -m unittest discover -q -s tests -t .; then say A.1 "unit tests" PASS
else say A.1 "unit tests" FAIL; fi
if grep -rqs '^<<<<<<< ' wheelhouse tests; then say A.2 "no conflict marks" FAIL
else say A.2 "no conflict marks" PASS; fi
lost=PASS
for folder in docs/features/_archived/*/; do [ -s "${folder}07_DELIVERY.md" ] || lost=FAIL; done
say B.1 "delivered tasks have their document" $lost
if [ "$(grep -rhs 'def test_' tests | wc -l)" -ge "$(sed -n 's/.*"test_count": *//p' .harness/scripts/baseline.json |
  tr -dc 0-9)" ]; then say B.2 "no test was lost" PASS
else say B.2 "no test was lost" WARN; fi
printf '=== Summary ===\\n  PASS: %s\\n  WARN: %s\\n  FAIL: %s\\n  SKIP: %s\\n' $pass $warn $fail $skip
printf '{"timestamp": "%s", "pass": %s, "warn": %s, "fail": %s, "skip": %s}\\n' \\
  "$(date -u ${SOURCE_DATE_EPOCH:+-d @$SOURCE_DATE_EPOCH} +%Y-%m-%dT%H:%M:%SZ)" $pass $warn $fail $skip \\
  >> .harness/scripts/verification_history.log
[ $fail -eq 0 ] || exit 2
[ $warn -eq 0 ] || exit 1
""".replace("PROGRAM", shlex.quote(sys.executable or "python3")),
}
"""Text of every source file by its path."""


def module(title: str, goal: str) -> str:
    """The first lines of a source file that a played development adds."""
    text = f"{title}: {goal}"
    literal = f'"""{text}"""' if not set('"\\').intersection(text) else repr(text)
    return f"{literal}\n\nfrom __future__ import annotations\n"


def test(module_path: str) -> str:
    """A test of that source file, `wheelhouse/<name>.py`."""
    name = module_path.rpartition("/")[2].removesuffix(".py")
    return (
        f"import unittest\n\nfrom wheelhouse import {name}\n\n\n"
        f"class {name.title().replace('_', '')}(unittest.TestCase):\n"
        f"    def test_it_says_what_it_is_for(self):\n        self.assertTrue({name}.__doc__)\n"
    )
