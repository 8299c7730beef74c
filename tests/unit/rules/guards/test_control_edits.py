"""Lines that the writing guards change, and all others that they leave alone."""

import pytest

from harness_tui.rules.guards.checkpoint_writeback import with_checkpoint
from harness_tui.rules.guards.normalize_control_state import normalized

HEAD = "5eed" * 10
AT = "2027-08-09T10:11:12Z"


def observed(text, kind="observed", at=AT):
    return with_checkpoint(text, kind, HEAD, at)


@pytest.mark.parametrize(
    ("body", "after", "previous"),
    [
        ("- latest_observed_checkpoint: old\n- verified_at_history:\n  - 2026-01-01T00:00:00Z\n  - 2026-01-02\n",
         (f"- latest_observed_checkpoint: {HEAD}\n- verified_at_history:\n  - 2026-01-01T00:00:00Z\n  - 2026-01-02\n"
         f"  - {AT}\n"), "old"),
        ("- latest_observed_checkpoint:\n- verified_at_history:\n",
         f"- latest_observed_checkpoint: {HEAD}\n- verified_at_history:\n  - {AT}\n", None),
        ("    - latest_observed_checkpoint: old\n  verified_at_history:\n",
         f"- latest_observed_checkpoint: {HEAD}\n  verified_at_history:\n  - {AT}\n", "old"),
        ("- latest_observed_checkpoint: old \n- verified_at_history:\n",
         f"- latest_observed_checkpoint: {HEAD}\n- verified_at_history:\n  - {AT}\n", "old"),
        ("  latest_observed_checkpoint: old\n- verified_at_history:\n",
         f"- latest_observed_checkpoint: {HEAD}\n- verified_at_history:\n  - {AT}\n", "old"),
        ("- a: 1\n- last_doc_catch_up_checkpoint: x\n- b: 2\n- verified_at_history:\n",
         (f"- a: 1\n- last_doc_catch_up_checkpoint: x\n- latest_observed_checkpoint: {HEAD}\n- b: 2\n"
         f"- verified_at_history:\n  - {AT}\n"), None),
        ("- a: 1\n- verified_at_history:\n  - 2026-01-01\n- b: 2\n",
         f"- a: 1\n- latest_observed_checkpoint: {HEAD}\n- verified_at_history:\n  - 2026-01-01\n  - {AT}\n- b: 2\n",
         None),
        ("- a: 1\n", f"- a: 1\n- latest_observed_checkpoint: {HEAD}\n  verified_at_history:\n  - {AT}\n", None),
        ("- verified_at_history:\n  - 2026-01-01\n  - soon\n  - 2026-01-03\n",
         (f"- latest_observed_checkpoint: {HEAD}\n- verified_at_history:\n  - 2026-01-01\n  - {AT}\n  - soon\n"
         "  - 2026-01-03\n"), None),
    ],
)  # fmt: skip
def test_the_checkpoint_goes_where_the_script_puts_it(body, after, previous):
    text = f"# R\n\n## Baseline Traceability\n{body}## After\n- latest_observed_checkpoint: other\n"
    assert observed(text) == (text.replace(body, after, 1), previous)


def test_the_other_kind_has_the_other_key():
    after, _ = observed("## Baseline Traceability\n- latest_observed_checkpoint: x\n- verified_at_history:\n",
                        "doc-catch-up")  # fmt: skip
    assert after == (
        "## Baseline Traceability\n- latest_observed_checkpoint: x\n"
        f"- last_doc_catch_up_checkpoint: {HEAD}\n- verified_at_history:\n  - {AT}\n"
    )


def test_without_a_next_heading_the_history_goes_to_the_very_end():
    after, _ = observed("## Baseline Traceability\n\n- a: 1\n\n")
    assert after == (
        f"## Baseline Traceability\n\n- a: 1\n- latest_observed_checkpoint: {HEAD}\n\n\n"
        f"  verified_at_history:\n  - {AT}\n"
    )


@pytest.mark.parametrize(
    "text",
    ["", "# R\n", "### Baseline Traceability\n", "## Baseline Traceability (old)\n", " ## Baseline Traceability\n"],
)
def test_without_the_section_nothing_is_made(text):
    assert observed(text) is None


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ('updated: "2026-01-01"', f'updated: "{AT}"'),
        ("updated: '2026-01-01' ", f"updated: '{AT}'"),
        ("updated: 2026-01-01", f"updated: {AT}"),
        ('updated: "2026-01-01', f'updated: "{AT}"'),
        ("updated:", f"updated:{AT}"),
        ("- updated: 2026-01-01", "- updated: 2026-01-01"),
        ("  updated: 2026-01-01", "  updated: 2026-01-01"),
    ],
)
def test_the_first_updated_at_the_edge_is_set(line, after):
    rest = "---\n## Baseline Traceability\n- verified_at_history:\n"
    assert observed(f"---\n{line}\n{rest}")[0].split("\n")[1] == after


def test_an_updated_beyond_the_fortieth_line_stays():
    text = "## Baseline Traceability\n" + "\n" * 40 + "updated: never\n"
    assert "updated: never\n" in observed(text)[0]


def test_the_same_once_more_changes_nothing_and_a_later_look_adds_its_time_only():
    once, _ = observed("---\nupdated: x\n---\n## Baseline Traceability\n\n- a: 1\n\n## More\n")
    assert observed(once) == (once, HEAD)
    later, _ = observed(once, at="2027-08-09T10:11:13Z")
    assert set(later.split("\n")) - set(once.split("\n")) == {
        "updated: 2027-08-09T10:11:13Z",
        "  - 2027-08-09T10:11:13Z",
    }


def test_line_ends_and_odd_bytes_stay():
    data = b"# R\r\n## Baseline Traceability\r\n- latest_observed_checkpoint: old\r\n\r\n## \xff\xfe \xe9\r\n\tx\r\n"
    after, _ = observed(data.decode("utf-8", "surrogateescape"))
    written = after.encode("utf-8", "surrogateescape")
    assert written.endswith(b"\r\n## \xff\xfe \xe9\r\n\tx\r\n")
    assert written.count(b"\n") == written.count(b"\r\n") == data.count(b"\n") + 2


def test_a_last_line_gets_its_end():
    assert observed("## Baseline Traceability\n- verified_at_history:")[0].endswith(f"  - {AT}\n")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("# C\n\n## T\n\n- verified_at: a\n- x: 1\n- verified_at: b\n",
         "# C\n\n## T\n\n- x: 1\n\n- verified_at_history:\n  - a\n  - b\n"),
        ("## T\n- verified_at: a\n## U\n- b: 1\n", "## T\n\n- verified_at_history:\n  - a\n## U\n- b: 1\n"),
        ("## T\n- last_stop_reason: late\n- latest_closed_worktrack_commit: c1\n- last_stop_reason: ill\n\n## U\n",
         "## T\n\n- closed_worktrack_commits:\n  - c1\n\n- stop_reason_history:\n  - late\n  - ill\n## U\n"),
        ("## N\n- recommended_next_route: A\n- k: v\n- recommended_next_route: B\n",
         "## N\n- recommended_next_route: B\n- k: v\n"),
        ("- worktrack_scope: a\n- active_milestone_branch: m\n- worktrack_scope: b\n- active_milestone_branch: n\n",
         "- worktrack_scope: b\n- active_milestone_branch: n\n"),
        ("## N\n- recommended_next_route: A\n", "## N\n- recommended_next_route: A\n"),
        ("## N\n- other: A\n- other: B\n", "## N\n- other: A\n- other: B\n"),
        ("## N\n  - verified_at: a\n * verified_at: b\n", "## N\n  - verified_at: a\n * verified_at: b\n"),
        ("## N\n- worktrack_scope: a\n## M\n- worktrack_scope: b\n",
         "## N\n- worktrack_scope: a\n## M\n- worktrack_scope: b\n"),
        ("", ""),
        ("no section", "no section"),
    ],
)  # fmt: skip
def test_doubled_keys_are_gathered_or_made_one(text, after):
    assert normalized(text)[0] == after


def test_two_sections_of_one_name_both_stay():
    text = "## S\n- a: 1\n## T\n- b: 2\n## S\n- c: 3\n"
    assert normalized(text) == (text, {})


def test_what_stands_below_a_gathered_bullet_goes_with_it():
    text = "## S\n- last_stop_reason: late\n  - by: rain\n  more of it\n- last_stop_reason: ill\n- k: v\n"
    assert normalized(text)[0] == (
        "## S\n- k: v\n\n- stop_reason_history:\n  - late\n    - by: rain\n    more of it\n  - ill\n"
    )


def test_a_list_below_an_empty_bullet_becomes_part_of_the_list():
    assert normalized("## S\n- verified_at:\n  - a\n  - b\n- verified_at: c\n")[0] == (
        "## S\n\n- verified_at_history:\n  - a\n  - b\n  - c\n"
    )


def test_a_doubled_key_with_something_below_it_stays_doubled():
    text = "## S\n- worktrack_scope: a\n  - since: noon\n- worktrack_scope: b\n"
    assert normalized(text) == (text, {})


@pytest.mark.parametrize("head", ["- verified_at_history:", "  verified_at_history:"])
def test_new_entries_join_the_list_that_is_there(head):
    text = f"## S\n- verified_at: b\n{head}\n  - a\n- k: v\n"
    after, counts = normalized(text)
    assert after == f"## S\n{head}\n  - a\n  - b\n- k: v\n"
    assert counts == {"verified_at": 1}
    assert normalized(after) == (after, {})
    broken = f"## S\n- verified_at: b\n{head}\n  - a\n  - b\n \n  - c\n"
    assert normalized(broken)[0] == f"## S\n{head}\n  - a\n  - b\n  - b\n \n  - c\n"


def test_windows_line_ends_stay():
    text = "## S\r\n- verified_at: a\r\n- k: v\r\n- worktrack_scope: x\r\n- worktrack_scope: y\r\n"
    assert normalized(text)[0] == ("## S\r\n- k: v\r\n- worktrack_scope: y\r\n\r\n- verified_at_history:\r\n  - a\r\n")
    assert normalized(text.replace("verified_at", "seen_at", 1))[0] == (
        "## S\r\n- seen_at: a\r\n- k: v\r\n- worktrack_scope: y\r\n"
    )


def test_a_second_time_changes_nothing():
    text = "# C\n- verified_at: z\n## A\n- verified_at: a\n\n- verified_at: b\n## A\n- last_stop_reason: c\n  - d\n"
    once, counts = normalized(text)
    assert counts == {"verified_at": 3, "last_stop_reason": 1}
    assert normalized(once) == (once, {})


@pytest.mark.parametrize(
    "key",
    ["worktrack_scope", "recommended_next_route", "recommended_next_scope", "active_milestone_branch",
     "active_milestone_branch_head"],
)  # fmt: skip
def test_each_of_these_keys_keeps_its_first_place_and_its_last_value(key):
    text = f"## S\n- {key}: a\n- k: v\n- {key}: b\n- {key}: c\n"
    assert normalized(text) == (f"## S\n- {key}: c\n- k: v\n", {key: 2})


@pytest.mark.parametrize(
    ("key", "name"),
    [("latest_closed_worktrack_commit", "closed_worktrack_commits"), ("verified_at", "verified_at_history"),
     ("last_stop_reason", "stop_reason_history")],
)  # fmt: skip
def test_each_of_these_keys_is_gathered_under_its_name(key, name):
    text = f"## S\n- {key}: a\n\t- of old\n- {key}: b\n"
    assert normalized(text) == (f"## S\n\n- {name}:\n  - a\n  \t- of old\n  - b\n", {key: 2})


def test_a_list_that_is_put_at_the_end_of_a_windows_file_ends_it_as_its_lines_do():
    assert normalized("## S\r\n- verified_at: a\r\n")[0] == "## S\r\n\r\n- verified_at_history:\r\n  - a\r\n"


def test_new_entries_stand_behind_the_last_one_of_the_list_and_before_what_follows():
    text = "## S\n- verified_at: c\n- verified_at_history:\n  - a\n\t- b\n\n  - no entry\n"
    assert normalized(text)[0] == "## S\n- verified_at_history:\n  - a\n\t- b\n  - c\n\n  - no entry\n"


def test_a_last_line_without_end_gets_that_of_the_others_when_something_follows():
    assert normalized("## S\r\n- verified_at: a\r\n- k: v")[0] == (
        "## S\r\n- k: v\r\n\r\n- verified_at_history:\r\n  - a"
    )
    assert (
        normalized("## S\r\n- k: v\r\n- verified_at: a")[0] == "## S\r\n- k: v\r\n\r\n- verified_at_history:\r\n  - a"
    )
    assert normalized("## S\r\n- k: v") == ("## S\r\n- k: v", {})
    after, _ = observed("## Baseline Traceability\r\n- verified_at_history:\r\n\r\n## T\r\n- k: v")
    assert after.endswith("\r\n- k: v\r\n")
