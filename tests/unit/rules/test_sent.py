"""What became of sent signals."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from support import build

from harness_tui.formats.intervention import parse_interventions
from harness_tui.model.sent import SentHistory, SentRecord, Where
from harness_tui.rules.sent import Sights, boundaries, follow, news, open_notes, pending, record_of, unsettled

AT = datetime(2027, 3, 9, 11, 0, tzinfo=UTC)
NOTHING = parse_interventions(None)


def sent(keyword="NOTE", argument="", text="", *, name="a1", seen=3, pool="mill", events=("writing", "sent")):
    first = SentRecord(name, AT, "writing", keyword, argument, text, pool, ((build.LOG, seen),), by="ann@mill")
    return [record_of(first, event, AT) for event in events]


def history(*records):
    return SentHistory(records=tuple(item for group in records for item in group))


def log(*entries, lines=99):
    return replace(build.log_of_entries(*entries), lines=lines)


def closed(*names, start=10):
    return [build.entry(start + at, "delivered", name) for at, name in enumerate(names)]


def one(records, **sights):
    sights.setdefault("interventions", NOTHING)
    (found,) = follow(history(records), Sights(**sights))
    return found


def test_a_signal_that_stands_in_the_file_waits_however_many_tasks_went_by():
    file = parse_interventions("# Intervention\n\nNOTE — hello\n".encode())
    found = one(sent(text="hello"), interventions=file, logs=[log(*closed("T-01", "T-02"))])
    assert (found.state, found.evidence, found.boundaries) == ("waiting", Where(".harness/intervention.md", 3), 2)
    assert "2 task boundaries have gone by" in found.why


def test_of_equal_signals_the_later_one_waits():
    file = parse_interventions("NOTE — hello\n".encode())
    records = history(sent(text="hello", name="a1"), sent(text="hello", name="b2"))
    assert [(item.id, item.state) for item in follow(records, Sights(file))] == [("b2", "waiting"), ("a1", "picked-up")]


@pytest.mark.parametrize(
    ("tasks", "state"), [((), "picked-up"), (("T-01",), "picked-up"), (("T-01", "T-02"), "no-effect-seen")]
)
def test_without_a_visible_effect_two_boundaries_are_the_limit(tasks, state):
    assert one(sent(text="hello"), logs=[log(*closed(*tasks))]).state == state


def test_what_the_log_held_before_the_signal_is_no_boundary():
    assert one(sent(text="hello", seen=50), logs=[log(*closed("T-01", "T-02"))]).boundaries == 0


def test_a_log_that_was_begun_anew_counts_from_its_start():
    (record, _) = sent(seen=500)
    assert boundaries(record, [log(*closed("T-01", "T-02"), lines=20)]) == 2


def test_another_pool_s_log_says_nothing():
    (record, _) = sent(pool="kiln")
    assert boundaries(record, [log(*closed("T-01", "T-02"))]) == 0


def test_an_added_row_is_the_effect_of_add():
    pool = build.pool_of(build.row("T-01", "done"), build.row("T-02", slug="glaze-export", line=14))
    found = one(sent("ADD", "glaze-export", "write it"), pools=[pool])
    assert (found.state, found.evidence) == ("in-effect", Where(build.PLAN, 14))
    assert one(sent("ADD", "another", "write it"), pools=[pool]).state == "picked-up"


def test_a_skipped_row_is_the_effect_of_skip():
    pool = build.pool_of(build.row("T-01", "skipped"), build.row("T-02"))
    assert one(sent("SKIP", "T-01"), pools=[pool]).evidence == Where(build.PLAN, 11)
    assert one(sent("SKIP", "T-02"), pools=[pool]).state == "picked-up"


def test_a_stop_in_the_log_is_the_effect_of_stop_when_it_came_later():
    stopped = log(build.entry(40, "stop", text="STREAM EXIT · hard stop: STOP"))
    assert one(sent("STOP", seen=39), logs=[stopped]).evidence == Where(build.LOG, 40)
    assert one(sent("STOP", seen=40), logs=[stopped]).state == "picked-up"
    drained = log(build.entry(40, "exit", text="STREAM EXIT · drained · no hard stop"))
    assert one(sent("STOP", seen=39), logs=[drained]).state == "picked-up"


def test_a_quote_is_the_effect_of_a_note():
    found = one(sent(text="hello"), quotes={"a1": Where("docs/features/x/PM_LOG.md", 8)})
    assert (found.state, found.evidence) == ("in-effect", Where("docs/features/x/PM_LOG.md", 8))


def test_what_was_seen_once_is_kept_when_its_evidence_has_gone():
    pool = build.pool_of(build.row("T-01", "skipped"))
    records = sent("SKIP", "T-01")
    signals = follow(history(records), Sights(NOTHING, [pool]))
    fresh = news(history(records), signals, AT)
    assert [(item.event, item.evidence) for item in fresh] == [("in-effect", Where(build.PLAN, 11))]
    later = history(records, fresh)
    (found,) = follow(later, Sights(NOTHING))
    assert (found.state, found.evidence) == ("in-effect", Where(build.PLAN, 11))
    assert news(later, [found], AT) == ()


def test_a_signal_that_was_picked_up_is_not_waiting_when_somebody_writes_the_same():
    file = parse_interventions("NOTE — hello\n".encode())
    records = sent(text="hello", events=("writing", "sent", "picked-up"))
    assert one(records, interventions=file).state == "picked-up"
    assert [item.id for item in pending(history(records), file)] == [None]


@pytest.mark.parametrize(
    ("events", "told"),
    [
        (("writing",), []),
        (("writing", "dropped"), []),
        (("writing", "sent"), ["picked-up"]),
        (("writing", "sent", "withdrawing"), ["picked-up"]),
        (("writing", "sent", "withdrawing", "kept"), ["picked-up"]),
        (("writing", "sent", "withdrawing", "withdrawn"), ["withdrawn"]),
        (("withdrawing", "kept"), []),
        (("withdrawing", "withdrawn"), ["withdrawn"]),
    ],
)
def test_nothing_is_told_of_that_was_not_written(events, told):
    records = history(sent(text="hello", events=events))
    assert [item.state for item in follow(records, Sights(NOTHING))] == told
    assert bool(unsettled(records)) == (events[-1] in ("writing", "withdrawing"))


def test_what_waits_names_its_sender():
    file = parse_interventions("STOP\n\nNOTE — hello\n".encode())
    found = pending(history(sent(text="hello")), file)
    assert [(item.number, item.id, item.by) for item in found] == [(1, None, None), (2, "a1", "ann@mill")]


def test_only_notes_that_have_left_the_file_are_searched_for():
    file = parse_interventions("NOTE — hello\n".encode())
    records = history(sent(text="hello"), sent(text="other", name="b2"), sent("STOP", name="c3"))
    assert [item.id for item in open_notes(records, file)] == ["b2"]
