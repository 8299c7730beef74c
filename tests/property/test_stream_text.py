"""Whatever a worker or an operator says: a line of the log stays one event of its kind, a report stays readable."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from harness_tui.formats.log_line import parse_entry
from harness_tui.formats.log_text import dispatch_line, log_line, needs_human_line, one_field
from harness_tui.formats.report import parse_report
from harness_tui.formats.report_text import ReportText, render_report
from harness_tui.model.report import NeedsInput
from harness_tui.model.work import Assignment

AT = datetime(2027, 3, 9, 12, 0, 30, 999, tzinfo=UTC)
PIECES = [
    "T-09 · DELIVERED", " · ", "\n", "STREAM EXIT", "ask=", 'unblock="x"', "slug=y", "stage=z", "|", "`", "# ", "- ",
    "None.", "\x1b[2J", "\u2028", "verify_all PASS 1/0/0", "標籤", '"', "## Stop reason",
]  # fmt: skip
SAID = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=6).map("".join)


@given(SAID, st.sampled_from(["DELIVERED", "FAILED", "BLOCKED", "SKIPPED", "dispatching pm-orchestrator"]))
def test_what_is_said_behind_a_word_never_changes_its_kind_or_task(said, word):
    line = log_line(AT, "T-01", word, "slug=slug-t-01", said)
    assert "\n" not in line
    entry = parse_entry(1, line)
    kinds = {"DELIVERED": "delivered", "FAILED": "failed", "BLOCKED": "blocked", "SKIPPED": "skipped"}
    assert (entry.task_id, entry.kind, entry.slug) == ("T-01", kinds.get(word, "dispatch"), "slug-t-01")
    assert (entry.at_text, entry.precision) == ("2027-03-09T12:00:30Z", "second")


@given(SAID)
def test_a_note_is_quoted_and_stays_a_note(said):
    entry = parse_entry(1, dispatch_line(AT, Assignment("p", "T-01", "a-b", "g", "", (said,))))
    assert (entry.kind, entry.task_id, entry.slug) == ("dispatch", "T-01", "a-b")


@given(SAID, SAID)
def test_a_deferral_is_read_back_with_its_ask_and_what_unblocks_it(ask, unblock):
    entry = parse_entry(1, needs_human_line(AT, "T-01", "a-b", "pm", ask, unblock))
    assert (entry.kind, entry.task_id, entry.slug, entry.stage) == ("needs-human", "T-01", "a-b", "pm")
    assert plain(entry.ask) == plain(ask)
    assert plain(entry.unblock) == plain(unblock)


def plain(text):
    """`text` without what a quoted value may lose: keys' signs, quotes at its ends, blanks."""
    text = one_field(text)
    for key in ("ask", "unblock", "slug", "stage"):
        text = text.replace(f"{key}=", f"{key} =")
    return "".join(char for char in text if char not in '"“”「」 ·=-').strip()


@given(st.lists(st.tuples(SAID, SAID), max_size=3), SAID)
def test_a_report_asks_just_what_is_asked(asked, reason):
    needs = [NeedsInput(f"T-{n:02}", f"slug-{n}", "pm", ask, unblock, "l", 1) for n, (ask, unblock) in enumerate(asked)]
    text = ReportText("Stream Report — p", "now", needs, [("T-00", "s", "DELIVERED", "")], {"done": 1}, 1, "", reason)
    found = parse_report(render_report(text), "r")
    assert [(item.task_id, item.slug) for item in found.needs_input] == [(item.task_id, item.slug) for item in needs]
    assert [(row.task_id, row.verdict) for row in found.rows] == [("T-00", "DELIVERED")]
