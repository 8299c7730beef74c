"""One requirement as several rows: which ones, and that they are sent in their order."""

import time

import pytest

from harness_tui.model.refusal import Refused
from harness_tui.rules.split import split


def test_rows_share_the_base_and_say_what_they_need():
    assert split("vent", "The fumes go.", "fan: a fan\n\n  duct<fan :  a duct: of tin  \n") == [
        ("vent-fan", "The fumes go: a fan"),
        ("vent-duct", "The fumes go: a duct: of tin (after vent-fan)"),
    ]


def test_only_a_line_feed_ends_a_part():
    assert split("vent", "", "fan: quiet\x0band\u2028small") == [("vent-fan", "quiet\x0band\u2028small")]


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ("fan", "write it as"),
        (" \n", "there is none"),
        (": a fan", "write it as"),
        ("fan:  ", "write it as"),
        ("fan: a\nfan: b", "twice"),
        ("duct < fan: a duct\nfan: a fan", "no earlier part"),
        ("duct < : a duct", "no earlier part"),
    ],
)
def test_what_is_no_part_is_refused(parts, why):
    with pytest.raises(Refused, match=why):
        split("vent", "", parts)


@pytest.mark.parametrize("line", [" " * 50_000 + "x" + " " * 50_000, "fan:" + " " * 100_000, "<" * 100_000])
def test_a_long_line_is_judged_at_once(line):
    began = time.process_time()
    with pytest.raises(Refused):
        split("vent", "", line)
    assert time.process_time() - began < 1


async def test_the_parts_are_sent_in_their_order(desk, opened):
    async with opened(desk) as session:
        await session.press("A")
        await session.until(lambda: type(session.app.screen).__name__ == "ActDialog" and session.app.focused)
        session.one("#field-slug").value = "vent"
        session.one("#field-goal").value = "The fumes go"
        session.one("#field-parts").text = "fan: a fan\nduct < fan: a duct"
        await session.until(lambda: any("+ ADD vent-duct" in line for line in session.facts("#preview")))
        assert any("carries no dependency" in line for line in session.facts("#preview"))
        await session.press("f2")
        await session.until(desk.path(".harness/intervention.md").exists)
        await session.until(lambda: session.app.screen is session.main)
    assert desk.read(".harness/intervention.md") == (
        "# Intervention\n\nADD vent-fan — The fumes go: a fan\n\n"
        "ADD vent-duct — The fumes go: a duct (after vent-fan)\n"
    )
