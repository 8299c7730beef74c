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
    ".harness/scripts/verify_all.py": '''"""All checks and their history. Exit code 2: a failure, 1: a warning."""

import json
import os
import re
import sys
import time
import unittest
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def unit_tests():
    suite = unittest.TestLoader().discover("tests", top_level_dir=".")
    return "PASS" if unittest.TextTestRunner(verbosity=0).run(suite).wasSuccessful() else "FAIL"


def no_conflict_marks():
    sources = [*Path("wheelhouse").glob("*.py"), *Path("tests").glob("*.py")]
    marked = any(re.search("^<{7} ", path.read_text("utf-8"), re.MULTILINE) for path in sources)
    return "FAIL" if marked else "PASS"


def delivered_tasks_have_their_document():
    folders = Path("docs/features/_archived").iterdir()
    return "PASS" if all((folder / "07_DELIVERY.md").is_file() for folder in folders) else "FAIL"


def no_test_was_lost():
    baseline = json.loads((HERE / "baseline.json").read_text("utf-8"))
    tests = "".join(path.read_text("utf-8") for path in Path("tests").glob("*.py"))
    return "PASS" if len(re.findall(r"def test_", tests)) >= baseline["test_count"] else "WARN"


os.chdir(ROOT)
sys.path.insert(0, str(ROOT))
sys.dont_write_bytecode = True
found = Counter(PASS=0, WARN=0, FAIL=0, SKIP=0)
print("=== verify_all (wheelhouse) ===")
for check in (unit_tests, no_conflict_marks, delivered_tasks_have_their_document, no_test_was_lost):
    result = check()
    print(f"[{check.__name__}] ... {result}", flush=True)
    found[result] += 1
print("=== Summary ===")
for word, count in found.items():
    print(f"  {word}: {count}")
now = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time()))
line = {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", now), **{word.lower(): n for word, n in found.items()}}
with (HERE / "verification_history.log").open("a", encoding="utf-8") as history:
    history.write(json.dumps(line) + "\\n")
sys.exit(2 if found["FAIL"] else 1 if found["WARN"] else 0)
''',
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
