"""Damaged files never get a better answer than a strict reader of the formats gives: guards fail closed.

The strict readers here know nothing of the parsers: they look at every place where a key stands before a colon, and
take any word that is not plainly good for bad.
"""

import json
import random
import re

import pytest
from support import loop

from harness_tui.formats.gate_evidence import parse_gate
from harness_tui.formats.handback_guard import guard_record
from harness_tui.formats.intervention import parse_interventions
from harness_tui.formats.servo_fields import read_fields
from harness_tui.rules.guards import budget, gate, intervention, packet
from harness_tui.rules.guards import complex_project_entry_gate_check as entry
from harness_tui.rules.guards import milestone_kind_routing as kind
from harness_tui.rules.guards import milestone_review_gate_check as review
from harness_tui.rules.guards import pre_milestone_intake_guard as intake
from harness_tui.rules.guards import worktrack_intake_review_check as worktrack
from harness_tui.rules.handback import judge_handback
from harness_tui.workspace.epics import EpicReader

MUTANTS = 300
PIECES = [
    b" ", b"\t", b"\n", b"\r", b"\r\n", b"\0", b'"', b"'", b"`", b"**", b"#", b" # ", b":", b"- ", b"> ", b"|", b"[",
    b"{", b",", b"<!-- ", b" -->", b"```\n", b"\n```yaml\n", b"\xef\xbb\xbf", "\u200b".encode(), "\u202e".encode(),
    "：".encode(), b"\xff", b"true", b"false", b"yes", b"no", b"none", b"blocked", b"hard-fail", b" not ", b" | no",
    b"TBD", b"pending", b"\x1b[0m", b"0", b"9", b"-1", b".5", b"\n\n## Other\n\n", "\u2028".encode(), b"\x0b",
]  # fmt: skip


def mutant(rng, data):
    """`data` with one to three bytes, pieces or lines of it changed."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(len(data) + 1)
        lines = data.split(b"\n")
        one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        match rng.randrange(9):
            case 0:
                data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
            case 1:
                data = data[:at] + data[at + rng.randrange(1, 20) :]
            case 2 | 3:
                data = data[:at] + rng.choice(PIECES) + data[at:]
            case 4:
                data = data[:at]
            case 5:
                data = b"\n".join([*lines[:one], *lines[one + 1 :]])
            case 6:
                data = b"\n".join([*lines[:other], lines[one], *lines[other:]])
            case 7:
                data = b"\n".join([*lines[:one], lines[one] + b" " + rng.choice(PIECES), *lines[one + 1 :]])
            case _:
                changed = rng.choice([b"  ", b"> ", b"~~", b"- "]) + lines[one]
                data = b"\n".join([*lines[:one], changed, *lines[one + 1 :]])
    return data


def values(data, *keys):
    """What stands behind one of `keys` and a colon, wherever that is, in lower case and without decoration."""
    text = data.decode("utf-8", "ignore").replace("\r\n", "\n").lower()
    text = "".join(char for char in text if (char.isprintable() and char != "*") or char == "\n")
    names = "|".join(re.escape(key).replace("_", r"[_\s-]") for key in keys)
    found = re.findall(rf"(?:{names})[`\"'\s]*[:：]([^\n]*)", text)
    return [re.split("#|<!--", value)[0].strip(" `\"'.,;_") for value in found]


def says(data, key, *words):
    found = values(data, key)
    return bool(found) and all(value in words for value in found)


def whole(data):
    """The object in `data` when every reader of JSON takes it for the same, else None."""

    def once(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError
        return dict(pairs)

    try:
        found = json.loads(data.decode().removeprefix("\ufeff"), object_pairs_hook=once, parse_constant=int)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


GATE = "".join(
    f"- {name}: pass\n" for name in ("worktrack_gate_verdict", "implementation_gate", "validation_gate", "policy_gate")
)
PLAIN_PASS = re.compile(r"pass(?:ed)?\b(?![-_]?\w)(?!\s*(?:\||or\b|/))|validated\b")


def gate_may_pass(data):
    overall = values(data, "worktrack_gate_verdict")
    axes = [values(data, f"{axis}_gate") for axis in ("implementation", "validation", "policy")]
    return all(axes) and all(PLAIN_PASS.match(value) for found in (overall, *axes) for value in found)


CASES = {
    "lock": (
        loop.control(),
        lambda data: says(data, "handback_lock_active", "false", "no"),
        lambda data: judge_handback(guard_record([read_fields(data, "c")], "c")).locked is False,
    ),
    "gate": (GATE, gate_may_pass, lambda data: gate.judge([parse_gate(data, "g.md")]).go),
    "signal": (
        "# Intervention\n\nSTOP — the river rises\n",
        lambda data: False,
        lambda data: intervention.judge(parse_interventions(data)).go,
    ),
    "kind": (
        loop.MILESTONE_TEXT,
        lambda data: says(data, "milestone_kind", "goal-driven", "work-collection"),
        lambda data: kind.judge(guarded(data)).document["strict"]["ready"],
    ),
    "intake": (
        loop.intake(),
        lambda data: (
            says(data, "intake_status", "ready")
            and says(data, "programmer_confirmed", "true")
            and says(data, "ready_for_init_milestone", "true")
            and says(data, "intake_skipped", "false")
        ),
        lambda data: intake.judge(guarded(data)).document["strict"]["ready"],
    ),
    "entry gate": (
        loop.intake(),
        lambda data: says(data, "entry_verdict", "clear", "not_applicable"),
        lambda data: entry.judge(guarded(data)).document["strict"]["ready"],
    ),
    "review": (
        loop.control(),
        lambda data: (
            says(data, "milestone_review_gate_ready", "true")
            and says(data, "latest_review_status", "effective_pass")
            and says(data, "effective_review_pass", "true")
        ),
        lambda data: review.judge(guarded(data)).document["strict"]["ready"],
    ),
    "worktrack review": (
        loop.worktrack(),
        lambda data: (
            says(data, "intake_review_verdict", "ready_for_worktrack_init")
            and says(data, "ready_for_worktrack_init", "true")
        ),
        lambda data: worktrack.judge(guarded(data)).document["strict"]["ready"],
    ),
}


def guarded(data):
    """The text as guards get it."""
    return data.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")


@pytest.mark.parametrize("name", CASES)
def test_no_damage_makes_an_answer_better(name):
    text, strict, asked = CASES[name]
    assert asked(text.encode()) is strict(text.encode()) is (name != "signal")
    rng = random.Random(name)
    better = [data for _ in range(MUTANTS) if asked(data := mutant(rng, text.encode())) and not strict(data)]
    assert better == []
    kept = [text.replace("\n", "\r\n"), f"\ufeff{text}", text.replace(": ", ":  ")]
    assert [asked(data.encode()) for data in kept] == [name != "signal"] * 3


STATE = {
    "epic_id": "sh-1-hay", "current_stage": "SPEC", "risk_level": "medium",
    "interrupt_budget": {"total": 2, "consumed": 1, "remaining": 1}, "pending_decisions": [],
}  # fmt: skip
PACKET = {
    "epic_id": "sh-1-hay",
    "packet_id": "DP-1",
    "stage": "CLARIFY",
    "questions": [{"id": "DEC-1", "question": "Turn?"}],
}
BUNDLE = {
    "epic": "sh-1-hay", "stage": "CLARIFY",
    "decisions": [
        {"id": "DEC-1", "question": "Turn?", "category": "must_confirm", "status": "resolved", "resolution": "A"},
    ],
}  # fmt: skip
EPIC = {"state.json": STATE, "decision-packet.json": PACKET, "decision-bundle.json": BUNDLE}


def budget_may_go(data):
    found = (whole(data) or {}).get("interrupt_budget")
    if not isinstance(found, dict):
        return False
    total, consumed = found.get("total"), found.get("consumed")
    if any(type(number) is not int or number < 0 for number in (total, consumed)):
        return False
    return found.get("remaining", total - consumed) == total - consumed > 0 and type(found.get("remaining", 0)) is int


def packet_may_go(data):
    questions = (whole(data) or {}).get("questions")
    return isinstance(questions, list) and all(isinstance(one, dict) and one.get("id") == "DEC-1" for one in questions)


def bundle_may_go(data):
    decisions = (whole(data) or {}).get("decisions")
    if not isinstance(decisions, list) or not all(isinstance(one, dict) for one in decisions):
        return False
    own = [str(one.get("status")).casefold() for one in decisions if one.get("id") == "DEC-1"]
    return bool(own) and all(word in {"resolved", "assumed", "deferred"} for word in own)


@pytest.mark.parametrize(
    ("name", "strict", "rule"),
    [
        ("state.json", budget_may_go, lambda epics: budget.judge(epics.budgets)),
        ("decision-packet.json", packet_may_go, lambda epics: packet.judge(epics.decisions, unread(epics))),
        ("decision-bundle.json", bundle_may_go, lambda epics: packet.judge(epics.decisions, unread(epics))),
    ],
)
def test_no_damage_leaves_more_of_a_budget_or_answers_a_question(tmp_path, name, strict, rule):
    home = tmp_path / ".harness/features/sh-1-hay"
    home.mkdir(parents=True)
    for other, document in EPIC.items():
        (home / other).write_text(json.dumps(document, indent=1))
    rng, text = random.Random(name), (home / name).read_bytes()

    def asked(data):
        (home / name).write_bytes(data)
        return rule(EpicReader(tmp_path).refresh(None, 0.0)).go

    assert asked(text)
    assert [data for _ in range(150) if asked(data := mutant(rng, text)) and not strict(data)] == []
    assert [asked(data) for data in (text.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + text)] == [True, True]


def unread(epics):
    return [(item.path, item.unreadable) for item in epics.packets if item.unreadable]
