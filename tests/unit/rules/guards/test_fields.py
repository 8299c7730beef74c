"""The readers of the guards read what the scripts read, and say where."""

import pytest

from harness_tui.rules.guards.fields import Fields, bullets, heading_end, yaml_block


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("kiln: hot", "hot"),
        ("- kiln:   hot  ", "hot"),
        ('kiln: "hot # not"', "hot"),
        ("kiln: it's hot", "it"),
        ("kiln: hot # since noon", "hot"),
        ("kiln: `hot`", "`hot`"),
        ("kiln: **hot**", "**hot**"),
        ("kiln:\n- glaze: blue", "- glaze: blue"),
        ('kiln: ""', ""),
        ("kiln:", ""),
        ("kiln", ""),
        ("| kiln | hot |", ""),
        ("kiln：hot", ""),
        ("## kiln\n\nhot", ""),
        ("old_kiln: cold\nkiln: hot", "cold"),
        ("Kiln: hot", ""),
        ('kiln:""\nkiln: hot', "hot"),
        ("kiln: none.", "none."),
    ],
)
def test_a_text_is_what_follows_the_first_name_and_colon(text, value):
    assert Fields(text).value("kiln") == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("lit: true", True),
        ("lit: FALSE", False),
        ("LIT: True", True),
        ("lit:\n  true", True),
        ("lit: yes", None),
        ('lit: "true"', None),
        ("lit: trueish", None),
        ("lit: yes\nlit: false", False),
        ("lit: true; but low", True),
        ("nothing", None),
    ],
)
def test_a_truth_is_the_first_plain_one(text, value):
    assert Fields(text).flag("lit") is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("shelves: 12", 12),
        ("shelves: " + "9" * 40, 10**40 - 1),
        ("shelves: some\nshelves: 3", 3),
        ("shelves: x", None),
        ("shelves:\n4", 4),
        ("", None),
    ],
)
def test_a_number_is_the_first_one(text, value):
    assert Fields(text).number("shelves") == value


def test_a_number_that_nobody_counts_to_is_none():
    assert Fields("shelves: " + "9" * 4301).number("shelves") is None
    assert Fields("shelves: " + "9" * 4300).number("shelves")


@pytest.mark.parametrize(
    ("text", "there"),
    [("clay: wet", True), ("clay: none", False), ("clay: N/A", False), ("clay: NULL", False), ("clay: none.", True),
     ("clay:", False), ("clay:\n  - grog", True), ("", False)],
)  # fmt: skip
def test_none_is_no_value_and_none_with_a_full_stop_is_one(text, there):
    assert Fields(text).has("clay") is there


def test_a_list_is_its_dashed_lines_and_only_whole_lines_count():
    assert Fields("glazes:\n  - blue\n- red\nend").items("glazes") == ["- blue", "- red"]
    assert Fields("glazes:\n  - blue\n  - red").items("glazes") == ["- blue"]
    assert Fields("glazes: blue\n").items("glazes") is None


def test_the_place_is_the_line_of_the_file_even_in_a_part_of_it():
    text = "# Kiln\n\n## Firing\n\n```yaml\ncone: 6\nlit: maybe\nlit: true\n```\n"
    fields = Fields(*yaml_block(text))
    assert (fields.value("cone"), fields.flag("lit")) == ("6", True)
    assert fields.place("cone") == {"field": "cone", "line": 6}
    assert fields.place("lit") == {"field": "lit", "line": 8}
    assert fields.place("glaze") is None


@pytest.mark.parametrize(
    ("text", "doubts"),
    [
        ("- cone: 6\n- cone: 6\n", 0),
        ("- cone: 6\n- cone: 7\n", 1),
        ("cone: 6\n\n`cone`: 7", 1),
        ("- cone:\n- lit: true\n", 1),
        ("- kiln: x\n  - cone:\n  - lit: true\n", 1),
        ("- cone:\n  - six\n", 0),
        ("- cone: 6\n", 0),
        ("cone:", 0),
    ],
)
def test_what_is_said_twice_or_borrowed_from_the_next_line_is_doubtful(text, doubts):
    assert len(Fields(text).doubts("cone")) == doubts


@pytest.mark.parametrize(
    ("text", "doubts"),
    [
        ("- old_cone: 6\n", ["cone is no field of its own in line 1, where it was read"]),
        ("> cone: 6\n", ["cone is no field of its own in line 1, where it was read"]),
        ("- not the cone: 6\n- cone: 6\n", ["cone is no field of its own in line 1, where it was read"]),
        ("<!--\ncone: 6\n-->\n", ["cone is no field of its own in line 2, where it was read"]),
        ("<!-- x -->\n  - `cone: 6`\n", []),
        ("* 'cone: 6'\n", []),
        ("- [x] cone: 6\n", []),
    ],
)
def test_what_was_read_out_of_another_name_a_sentence_or_a_remark_is_doubtful(text, doubts):
    fields = Fields(text)
    assert fields.value("cone")
    assert fields.doubts("cone") == doubts


@pytest.mark.parametrize(
    ("reader", "text", "rest"),
    [
        ("flag", "- cone: true | false\n", "true | false"),
        ("flag", "- cone: false, but only until noon\n", "false, but only until noon"),
        ("flag", "- cone: `x`\n- cone:\n  true or not\n- bowl: x", "true or not"),
        ("number", "- cone: 1 | 2\n", "1 | 2"),
        ("value", '- cone: "lit" | "cold"\n', 'lit" | "cold"'),
        ("flag", "- cone: true\n", ""),
        ("flag", "- cone: true.  # since noon | no\n", ""),
        ("flag", "cone: True <!-- a | b -->", ""),
        ("number", "- cone: 2;\n", ""),
        ("value", '- cone: "lit"  # or not\n', ""),
        ("value", "- cone: **lit**\n", ""),
        ("has", "- cone: the potter's wheel\n", ""),
        ("flag", "- cone: x\n", ""),
    ],
)
def test_what_stands_behind_the_word_that_was_read_is_doubtful(reader, text, rest):
    fields = Fields(text)
    getattr(fields, reader)("cone")
    found = [words for words in fields.doubts("cone") if "no plain value" in words]
    assert [words.partition(": ")[2] for words in found] == ([rest] if rest else [])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```yaml\na: 1\n```", ("a: 1\n", 2)),
        ("x\n```yaml  \n\n a: 1\n```\n```yaml\nb\n```", (" a: 1\n", 4)),
        ("```yml\na\n```", None),
        ("```yaml\nnever closed", None),
        ("```yaml a\nx\n```", None),
        ("```YAML\na\n```", None),
    ],
)
def test_the_first_yaml_block(text, found):
    assert yaml_block(text) == found


def test_any_case_of_the_fence_where_that_is_asked_for():
    assert yaml_block("```YAML\na\n```", any_case=True) == ("a\n", 2)


def test_a_heading_is_found_at_any_level_below_the_first():
    text = "### Glaze Book\n\nred\n"
    assert text[heading_end(text, "Glaze Book") :] == "red\n"
    assert heading_end(text, "glaze book") is None
    assert heading_end(text, "glaze book", any_case=True) is not None
    assert heading_end("## Glaze Book", "Glaze Book") is None


def test_bullets_are_trimmed_lines_with_dash_and_colon():
    text = "  - cone: 6 \ncone: 7\n-cone: 8\n- cone:\n- conepack: 9\n"
    assert list(bullets(text, ("cone",))) == [("cone", "6", 1), ("cone", "", 4)]
