import pytest

from harness_tui.formats.pool import PlanParser, parse_plan

HEAD = "| ID | Slug | Goal (one sentence) | Mode | Depends on | Status |\n|---|---|---|---|---|---|\n"
ROW = "| T-{0:02d} | task-{0} | Do thing {0} | full | — | pending |\n"


def plan_of(text):
    return parse_plan(text.encode("utf-8", "surrogateescape"), "docs/batches/oven/BATCH_PLAN.md")


def rows_of(text):
    return plan_of(HEAD + text).rows


def codes(plan):
    return [(problem.line, problem.code) for problem in plan.problems]


def test_a_row_keeps_every_cell_and_its_line():
    (row,) = rows_of("| T-01 | bake-bread | Bake it `hot` | goal | T-02, T-03 | done (twice; see notes) |\n")
    assert row == (
        "T-01", "bake-bread", "Bake it `hot`", "goal", ("T-02", "T-03"), "T-02, T-03", "done",
        "done (twice; see notes)", 3, False,
    )  # fmt: skip


def test_a_header_alone_is_a_pool_without_tasks():
    plan = plan_of(HEAD)
    assert plan.table
    assert plan.rows == plan.problems == ()


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", None, "empty"),
        ("\n  \n", None, "blank"),
        ("# Title\n\n| ID | Slug | Goal | Status |\n| T-01 | a | b | done |\n", 3, "separator"),
        ("# Title\n\nSome words.\n", None, "no table has the columns"),
        ("```\n" + HEAD + "```\n", 2, "code block"),
        ("| ID | Name |\n|---|---|\n| 1 | a |\n", None, "no table has the columns"),
    ],
)
def test_without_a_task_table_the_reason_is_given(text, line, why):
    plan = plan_of(text)
    assert not plan.table
    assert [(problem.line, problem.code, problem.severity) for problem in plan.problems] == [
        (line, "no-task-table", "error")
    ]
    assert why in plan.problems[0].message


def test_the_table_may_stand_anywhere_with_any_order_of_columns():
    plan = plan_of(
        "# P\n\n## Was bleibt\n\n- a list\n\n| Status | **Goal** | ID | Owner | Slug | Mode | Depends on |\n"
        "|:--|---|---|---|---|---|--:|\n| done | Bake | T-1 | me | bake | plan | T-2 |\n"
    )
    (row,) = plan.rows
    assert (row.id, row.slug, row.goal, row.mode, row.depends_on, row.status) == (
        "T-1", "bake", "Bake", "plan", ("T-2",), "done",
    )  # fmt: skip
    assert codes(plan) == [(7, "unknown-column")]


def test_a_missing_column_is_an_error_and_leaves_its_values_empty():
    plan = plan_of("| ID | Slug | Goal | Mode | Depends on |\n|---|---|---|---|---|\n| T-1 | a | b | full | — |\n")
    assert plan.rows[0].status == "unknown"
    assert (1, "missing-column") in codes(plan)


def test_a_doubled_column_is_an_error_and_none_of_its_cells_is_believed():
    plan = plan_of(
        "| ID | Slug | Goal | Mode | Depends on | Status | Status |\n|---|---|---|---|---|---|---|\n"
        "| T-1 | a | b | full | — | done | pending |\n"
    )
    assert plan.rows[0].status == "unknown"
    assert (1, "doubled-column") in codes(plan)


@pytest.mark.parametrize("name", ["", "—", "-"])
def test_a_row_without_an_id_is_reported(name):
    plan = plan_of(HEAD + f"| {name} | bake | Bake | full | — | pending |\n")
    assert [row.slug for row in plan.rows] == ["bake"]
    assert (3, "no-id") in codes(plan)


def test_blank_lines_do_not_end_the_table():
    text = ROW.format(1) + "\n" + ROW.format(2) + "\n  \n\n" + ROW.format(3)
    assert [(row.id, row.line) for row in rows_of(text)] == [("T-01", 3), ("T-02", 5), ("T-03", 9)]


def test_rows_of_lists_fences_comments_and_other_sections_do_not_count():
    plan = plan_of(
        HEAD + ROW.format(1) + "\n- old: " + ROW.format(2) + "> " + ROW.format(3) + "```\n" + ROW.format(4)
        + "```\n<!--\n"
        + ROW.format(5) + "-->\n    " + ROW.format(6) + "\n## Later\n\n" + ROW.format(7)
    )  # fmt: skip
    assert [row.id for row in plan.rows] == ["T-01"]
    assert codes(plan) == [(17, "stray-row")]


@pytest.mark.parametrize("mark", ["```\n", "~~~ text\n", "<!-- later:\n"])
def test_rows_behind_a_block_that_never_ends_are_told(mark):
    plan = plan_of(HEAD + ROW.format(1) + "```\n" + ROW.format(2) + "```\n" + mark + ROW.format(3) + ROW.format(4))
    assert [row.id for row in plan.rows] == ["T-01"]
    assert [(item.line, item.code) for item in plan.problems] == [(7, "endless-block")]
    assert "it hides 2 lines that look like rows" in plan.problems[0].message


def test_a_block_that_never_ends_and_hides_no_row_is_no_matter():
    assert plan_of(HEAD + ROW.format(1) + "```\n" + ROW.format(2) + "```\n\n```\nsome text\n").problems == ()


@pytest.mark.parametrize("mark", ["no", "：", "~~", "T"])
def test_a_row_with_something_before_its_first_pipe_is_told(mark):
    plan = plan_of(HEAD + ROW.format(1) + mark + ROW.format(2))
    assert [row.id for row in plan.rows] == ["T-01"]
    assert codes(plan) == [(4, "stray-row")]


def test_a_sentence_that_has_pipes_is_no_row():
    text = HEAD + ROW.format(1) + "\nRun `cut | sort | uniq | sort | head | tail` first.\n"
    assert plan_of(text).problems == ()


def test_rows_of_another_table_never_count():
    other = "\n| Task | Why |\n|---|---|\n| T-08 | x |\n\n| T-09/10 | y |\n| T-11 | a | b | full | — | done |\n"
    plan = plan_of(HEAD + ROW.format(1) + other)
    assert [row.id for row in plan.rows] == ["T-01"]


def test_another_table_without_a_blank_line_between_is_seen_by_its_separator():
    plan = plan_of(HEAD + ROW.format(1) + "| T-40 | T-41 |\n|---|---|\n| T-42 | x |\n")
    assert [row.id for row in plan.rows] == ["T-01"]
    assert plan.problems == ()


def test_a_separator_under_a_sound_row_does_not_cost_the_row():
    plan = plan_of(HEAD + ROW.format(1) + "|---|---|---|---|---|---|\n" + ROW.format(2))
    assert [row.id for row in plan.rows] == ["T-01", "T-02"]


def test_a_row_after_text_counts_while_its_section_lasts():
    plan = plan_of(HEAD + ROW.format(1) + "\nAdded at noon:\n\n" + ROW.format(2))
    assert [row.id for row in plan.rows] == ["T-01", "T-02"]
    assert codes(plan) == [(7, "row-after-text")]


def test_a_row_after_text_is_known_by_its_id_wherever_that_column_stands():
    head = "| Status | Goal | ID | Slug | Depends on | Mode |\n|---|---|---|---|---|---|\n"
    rows = "| done | g | T-01 | a | — | full |\n<!-- noon -->\n| pending | g | T-02 | b | T-01 | full |\n"
    plan = plan_of(head + rows + "\n## Old\n\n| done | g | T-03 | c | — | full |\n")
    assert [(row.id, row.slug, row.status) for row in plan.rows] == [("T-01", "a", "done"), ("T-02", "b", "pending")]
    assert codes(plan) == [(5, "row-after-text"), (9, "stray-row")]


@pytest.mark.parametrize("form", ["**{}**", "`{}`", "_{}_", "**`{}`**", "[{}](docs/features/bake/)"])
def test_emphasis_and_links_are_no_part_of_an_id_or_a_slug(form):
    row = "| {} | {} | g | full | — | pending |\n".format(form.format("T-01"), form.format("bake"))
    plan = plan_of(HEAD + row + "\ntext\n\n" + row.replace("T-01", "T-02").replace("[bake]", "[fry]"))
    assert [row.id for row in plan.rows] == ["T-01", "T-02"]
    assert plan.rows[0].slug == "bake"
    assert codes(plan) == [(7, "row-after-text")]


def test_a_struck_out_row_is_not_taken_at_its_word():
    plan = plan_of(
        HEAD + "| ~~T-01~~ | a | g | full | — | pending |\n| T-02 | ~~b~~ | g | full | T-01 | skipped |\n"
        "| ~~**T-03**~~ | c | g | full | — | done |\n"
    )
    assert [(row.id, row.slug, row.status) for row in plan.rows] == [
        ("T-01", "a", "unknown"), ("T-02", "b", "skipped"), ("T-03", "c", "unknown"),
    ]  # fmt: skip
    assert codes(plan) == [(3, "struck-out"), (5, "struck-out")]


def test_a_second_task_table_is_reported_and_not_read():
    plan = plan_of(HEAD + ROW.format(1) + "\n## Old\n\n" + HEAD + ROW.format(2))
    assert [row.id for row in plan.rows] == ["T-01"]
    assert codes(plan) == [(7, "second-table")]


def test_pipes_at_both_ends_may_be_left_out():
    assert [row.id for row in rows_of("T-01 | bake | Bake | full | — | done\n" + ROW.format(2))] == ["T-01", "T-02"]


def test_an_escaped_pipe_belongs_to_its_cell():
    assert rows_of(r"| T-01 | a | `x \| y` | full | — | done |")[0].goal == "`x | y`"


def test_a_wrong_number_of_cells_is_flagged_and_never_shifted():
    plan = plan_of(HEAD + "| T-01 | cut | `a | b` | full | T-02 | done |\n| T-02 | short | x |\n| T-0")
    assert [(row.id, row.slug) for row in plan.rows] == [("T-01", "cut"), ("T-02", "short"), ("T-0", "")]
    assert all((row.status, row.depends_on, row.goal, row.malformed) == ("unknown", (), "", True) for row in plan.rows)
    assert codes(plan) == [(3, "cell-count"), (4, "cell-count"), (5, "cell-count")]


def test_an_ambiguous_pipe_is_read_so_that_the_count_fits():
    row = rows_of(r"| T-01 | a | ends in D:\\| full | — | pending |")[0]
    assert (row.goal, row.status) == (r"ends in D:\\", "pending")


def test_odd_statuses_are_reported_as_written():
    plan = plan_of(
        HEAD + "".join(f"| T-{n} | s-{n} | g | full | — | {s} |\n" for n, s in enumerate(["✅ done", "wip", ""]))
    )
    assert [row.status for row in plan.rows] == ["done", "unknown", "unknown"]
    assert [row.status_text for row in plan.rows] == ["✅ done", "wip", ""]
    assert codes(plan) == [(3, "status-spelling"), (4, "unknown-status"), (5, "unknown-status")]
    assert "'wip'" in plan.problems[1].message


@pytest.mark.parametrize(
    "slug", ["../../x", "/tmp/x", "a;b", "--help", "$(x)", "a b", "a--b", "a..b", "", "-a", "a-", "<slug>", "x" * 81]
)
def test_a_slug_that_is_no_folder_name_is_an_error(slug):
    plan = plan_of(HEAD + f"| T-01 | {slug} | g | full | — | pending |\n")
    assert codes(plan) == [(3, "invalid-slug")]


def test_a_long_slug_is_only_noted():
    plan = plan_of(HEAD + f"| T-01 | {'x' * 41} | g | full | — | pending |\n")
    assert [(p.code, p.severity) for p in plan.problems] == [("long-slug", "info")]


def test_an_unknown_mode_is_noted_and_kept():
    plan = plan_of(HEAD + "| T-01 | a | g | slow | — | pending |\n| T-02 | b | g |  | — | pending |\n")
    assert [row.mode for row in plan.rows] == ["slow", ""]
    assert codes(plan) == [(3, "unknown-mode")]


def test_ranges_and_prose_are_resolved_with_the_ids_of_the_plan():
    text = "".join(ROW.format(n) for n in (1, 2, 3)) + "| T-04 | d | g | full | T-01..T-03 when ready | pending |\n"
    plan = plan_of(HEAD + text)
    assert plan.rows[3].depends_on == ("T-01", "T-02", "T-03")
    assert codes(plan) == [(6, "depends-prose")]


def test_a_number_is_an_id_where_ids_are_numbers():
    plan = plan_of(HEAD + "| 1 | a | g | full | — | done |\n| 2 | b | g | full | 1, 7 | pending |\n")
    assert plan.rows[1].depends_on == ("1", "7")
    assert plan.problems == ()


def test_hidden_characters_become_marks_and_are_reported():
    plan = plan_of(HEAD + "| T-01 | a\u200bb | x\u202ey | full | T\u200b-02 | pending |\n")
    assert plan.rows[0].slug == "a‹U+200B›b"
    assert plan.rows[0].depends_on == ("T‹U+200B›-02",)
    assert (3, "hidden-characters") in codes(plan)


def test_bytes_that_are_no_text_are_marked_where_they_stand():
    text = (
        "\ufeff# P\r\n"
        + HEAD
        + "| T-01 | a | caf\udce9 | full | — | done |\n| T-02 | b | x\0y | full | — | pending |\n"
    )
    plan = plan_of(text)
    assert [row.goal for row in plan.rows] == ["caf‹0xE9›", "x␀y"]
    assert plan.title == "P"
    assert codes(plan) == [
        (None, "mixed-line-ends"), (1, "bom"), (4, "invalid-utf8"), (4, "hidden-characters"), (5, "nul-bytes"),
        (5, "hidden-characters"),
    ]  # fmt: skip


def test_only_line_feeds_end_a_line():
    assert rows_of("| T-01 | a | x\u2028y\x0bz | full | — | done |\r\n")[0].status == "done"


def test_title_fields_and_notes_are_read():
    plan = plan_of(
        "# Plan — oven #\n\n> Created: 2031-04-05 · Updated: 2031-04-06\n> **Stop policy**: careful\n"
        "> a remark (no: field)\n"
        "\n## Tasks\n\n> Not: here\n\n"
        + HEAD
        + ROW.format(1)
        + "\n## Notes (optional)\n\n- one\n  wrapped\n  - nested\n\n"
        "  second paragraph\n* two\n\nA paragraph\nof two lines.\n"
        "\n### More\n\n1. three\n\n## Column reference\n\n- ID\n"
    )
    assert plan.title == "Plan — oven"
    assert plan.fields == (("Created", "2031-04-05"), ("Updated", "2031-04-06"), ("Stop policy", "careful"))
    assert [note.text for note in plan.notes] == [
        "one wrapped - nested second paragraph", "two", "A paragraph of two lines.", "three",
    ]  # fmt: skip
    assert [note.line for note in plan.notes] == [17, 22, 24, 29]


def test_a_line_of_megabytes_is_cut_and_reported():
    plan = plan_of(HEAD + "| T-01 | a | " + "x" * 1_100_000 + " | full | — | done |\n" + ROW.format(2))
    assert [row.malformed for row in plan.rows] == [True, False]
    assert codes(plan) == [(3, "long-line"), (3, "cell-count")]


def test_the_same_bytes_give_the_same_plan():
    parser = PlanParser("p")
    data = (HEAD + ROW.format(1)).encode()
    assert parser.parse(data) is parser.parse(bytes(bytearray(data)))


def _edited(before, after):
    parser = PlanParser("p")
    old = parser.parse(before.encode())
    new = parser.parse(after.encode())
    assert new == parse_plan(after.encode(), "p")
    return old, new


def test_rows_that_did_not_change_stay_the_same_objects():
    rows = [ROW.format(n) for n in range(1, 6)]
    changed = [*rows[:2], rows[2].replace("pending", "done"), *rows[3:]]
    old, new = _edited(HEAD + "".join(rows), HEAD + "".join(changed))
    assert [a is b for a, b in zip(old.rows, new.rows, strict=True)] == [True, True, False, True, True]
    assert new.rows[2].status == "done"


def test_rows_below_an_added_one_only_move():
    rows = [ROW.format(n) for n in range(1, 4)]
    text = HEAD + "".join(rows) + "\n## Notes\n\n- n\n"
    old, new = _edited(text, text.replace(rows[1], rows[1] + ROW.format(9)))
    assert new.rows[0] is old.rows[0]
    assert [row.line for row in new.rows] == [3, 4, 5, 6]
    assert new.notes[0].line == old.notes[0].line + 1


def test_problems_below_an_added_row_move_with_their_rows():
    text = HEAD + ROW.format(1) + ROW.format(2) + "| T-03 | c | g | full | — | wip |\n"
    _, new = _edited(text, text.replace(ROW.format(1), ROW.format(1) * 2))
    assert codes(new) == [(6, "unknown-status")]


@pytest.mark.parametrize(
    "after",
    [
        HEAD + ROW.format(1) + "|---|---|---|---|---|---|\n" + ROW.format(3),
        HEAD + ROW.format(1) + "\ntext\n\n" + ROW.format(3),
        HEAD + ROW.format(1) + "| T-02 | task-2 | Do thing 2 | full | T-01..T-03 | pending |\n" + ROW.format(3),
        HEAD + ROW.format(1) + ROW.format(3),
        HEAD + ROW.format(1) + "| T-02 | cut\n" + ROW.format(3),
        HEAD + ROW.format(1) + "| T-02 | a\x00b | x | full | — | done |\r\n" + ROW.format(3),
        HEAD + ROW.format(1) + ROW.format(2).rstrip(),
        HEAD,
        "",
    ],
)
def test_every_kind_of_edit_gives_the_plan_of_a_fresh_parse(after):
    before = HEAD + ROW.format(1) + ROW.format(2) + ROW.format(3)
    _edited(before, after)
    _edited(after, before)


def test_both_sides_of_a_merge_are_shown_and_the_conflict_is_an_error():
    sides = "<<<<<<< HEAD\n" + ROW.format(2) + "=======\n" + ROW.format(3) + ">>>>>>> noon\n"
    plan = plan_of(HEAD + ROW.format(1) + sides)
    assert [row.id for row in plan.rows] == ["T-01", "T-02", "T-03"]
    assert [(p.line, p.severity) for p in plan.problems if p.code == "merge-conflict"] == [(4, "error")]
    assert "merge-conflict" not in dict(map(reversed, codes(plan_of(HEAD + ROW.format(1) + "\n<<<<<<< one mark\n"))))


SIDES = "<<<<<<< HEAD\nmake all\n=======\nmake test\n>>>>>>> noon\n"


@pytest.mark.parametrize(("before", "after"), [("```text\n", "```\n"), ("<!--\n", "-->\n")])
def test_both_sides_of_a_merge_that_are_an_example_are_no_conflict(before, after):
    head = HEAD + ROW.format(1) + "\n"
    assert plan_of(head + before + SIDES + after).problems == ()
    assert (6, "merge-conflict") in codes(plan_of(head + before + SIDES)), "a block that never ends hides none"
    assert (5, "merge-conflict") in codes(plan_of(head + SIDES.replace("make all", before.strip())))
