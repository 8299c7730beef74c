"""Lines of a Markdown document."""

from harness_tui.formats.markdown import read_document, tables


def test_lines_know_what_they_are():
    text = "---\na: b\n---\n# T\n\n> q\n\n- **b** `c`\n\n| x |\n|---|\n\n```sh\n# no heading\n```\n\n## S ##\np\nq\n"
    lines = {line.number: line for line in read_document(text.encode())}
    assert lines[2].front
    assert (lines[4].level, lines[4].bare) == (1, "T")
    assert lines[6].quoted
    assert (lines[8].bullet, lines[8].bare) == (True, "b c")
    assert lines[10].table
    assert (lines[14].fenced, lines[14].level) == (True, 0)
    assert (lines[17].level, lines[17].bare) == (2, "S")
    assert (lines[18].opens, lines[19].opens, lines[19].section) == (True, False, ("S",))
    assert set(lines) == {2, 4, 6, 8, 10, 11, 14, 17, 18, 19}


def test_a_longer_fence_holds_a_shorter_one():
    lines = read_document(b"````\n```\nx\n```\ny\n````\nz\n")
    assert [line.bare for line in lines if line.fenced] == ["", "x", "", "y"]
    assert [line.bare for line in lines if not line.fenced] == ["z"]


def test_comments_are_left_out():
    text = "<!-- Verdict: APPROVED -->\na\n\n<!--\nb\n-->\nc\n\n```\n<!-- d\n```\ne\n"
    assert [line.bare for line in read_document(text.encode())] == ["a", "c", "<!-- d", "e"]


def test_blocks_after_a_gap_have_no_head():
    first, second = tables(read_document(b"| A |\n|---|\n| 1 |\n\n| 2 |\n"))
    assert (first.head, [line.number for line in first.rows]) == (["A"], [3])
    assert (second.head, [line.number for line in second.rows]) == ([], [5])


def test_long_runs_of_blanks_cost_no_time():
    assert len(read_document(b"# " + b" " * 300_000 + b"x\n")) == 1
