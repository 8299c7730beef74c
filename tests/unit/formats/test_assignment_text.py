from __future__ import annotations

from harness_tui.formats.assignment_text import LONGEST, environment, filled, has_placeholder, prompt
from harness_tui.model.work import Assignment

TASK = Assignment("kiln", "T-01", "door-alarm", "ring {slug} $(boom)", "full", ("warm it", "twice"), "defer to people")


def test_placeholders_are_replaced_once_and_never_split():
    assert filled(["run", "{slug}", "--goal={goal}", "{notes}", "{other}", "{}"], TASK) == [
        "run", "door-alarm", "--goal=ring {slug} $(boom)", "warm it\ntwice", "{other}", "{}",
    ]  # fmt: skip
    assert has_placeholder("x{slug}")
    assert not has_placeholder("{other}")


def test_the_environment_holds_all_parts():
    assert environment(TASK) == {
        "HARNESS_POOL_ID": "kiln", "HARNESS_TASK_ID": "T-01", "HARNESS_ID": "T-01", "HARNESS_SLUG": "door-alarm",
        "HARNESS_GOAL": "ring {slug} $(boom)", "HARNESS_MODE": "full", "HARNESS_NOTES": "warm it\ntwice",
        "HARNESS_DEFERRED_HUMAN": "defer to people",
    }  # fmt: skip


def test_the_prompt_says_the_task_its_notes_and_how_to_end():
    text = prompt(TASK)
    for part in (
        "T-01",
        "door-alarm",
        "ring {slug}",
        "warm it",
        "twice",
        "defer to people",
        "DELIVERED",
        "NEEDS-HUMAN",
    ):
        assert part in text
    assert not text.startswith("-")
    assert "Note of" not in prompt(Assignment("kiln", "T-01", "a", "b", "full"))


def test_what_a_program_could_not_be_given_is_left_out():
    huge = environment(Assignment("kiln", "T-01", "a", "nul\0" + "ü" * LONGEST, "full"))["HARNESS_GOAL"]
    assert "\0" not in huge
    assert len(huge.encode()) <= LONGEST
    assert huge.endswith("[…]")
