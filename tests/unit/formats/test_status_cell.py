import pytest

from harness_tui.formats.status import read_status


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("pending", "pending"),
        ("done (paper only; see the notes)", "done"),
        ("done — half was DECLINED", "done"),
        ("done, BLOCKED before", "done"),
        ("**done**", "done"),
        ("`skipped`", "skipped"),
        ("_done_", "done"),
        ("_in_progress_", "in-progress"),
        ("✅ done", "done"),
        ("✔️ done", "done"),
        ("❌ failed", "failed"),
        ("In-Progress", "in-progress"),
        ("in progress (stage 4)", "in-progress"),
        ("in_progress", "in-progress"),
        ("NEEDS-HUMAN", "needs-human"),
        ("blocked: no key", "blocked"),
        ("in-progress 50%", "in-progress"),
    ],
)
def test_a_known_word_at_the_start_counts(text, status):
    assert read_status(text).status == status


@pytest.mark.parametrize(
    "text",
    [
        "", "—", "wip", "not done", "undone", "done-ish", "donee", "~~done~~", "[bold]done[/bold]", "[x] done",
        "<b>done</b>", "done?", "done/failed", "done → reopened", "done -> failed", "❌ done", "⏳ done", "done 3/7",
        "done 50%", "‹U+200B›done", "dоne", "never pending", "¬done", "!done", "unknown", "-done",
    ],
)  # fmt: skip
def test_anything_else_is_unknown(text):
    assert read_status(text).status == "unknown"


def test_only_the_words_of_the_norm_are_exact():
    assert read_status("done").exact
    assert read_status("done (x)").exact
    assert read_status("**done**").exact
    assert read_status("** done **").exact
    assert not read_status("Done").exact
    assert not read_status("✅ done").exact
