"""Fields of the control loop's files, in all shapes."""

from harness_tui.formats.servo_fields import MAX_VALUE, canonical, read_fields


def read(text: str | bytes):
    return read_fields(text if isinstance(text, bytes) else text.encode(), "x.md")


def pairs(text: str | bytes):
    return [(item.name, item.value, item.line) for item in read(text).fields]


def test_bullets_give_key_value_line_and_section():
    (item,) = read("# Title\n\n## Handback Guard\n\n- handoff_state: waiting\n").fields
    assert (item.name, item.value, item.line, item.section, item.place) == (
        "handoff_state", "waiting", 5, "Handback Guard", "bullet",
    )  # fmt: skip


def test_doubled_keys_are_all_kept_with_their_lines():
    assert pairs("- a: 1\n- b: 2\n- a: 3\n") == [("a", "1", 1), ("b", "2", 2), ("a", "3", 3)]


def test_children_know_their_parents():
    document = read("- profile:\n  - shell: none\n    - why: x\n  - plain item\n- after: y\n")
    assert [(f.name, f.trail) for f in document.fields] == [
        ("profile", ()), ("shell", ("profile",)), ("why", ("profile", "shell")), ("", ("profile",)), ("after", ()),
    ]  # fmt: skip
    assert [child.value for child in document.children(document.fields[0])] == ["none", "plain item"]


def test_quotes_backticks_and_emphasis_are_taken_off():
    text = '- a: "x"\n- b: `y`\n- **c**: **z**\n- **d:** w\n- `e`: “v”\n- f: `x` and `y`\n'
    assert [(name, value) for name, value, _ in pairs(text)] == [
        ("a", "x"), ("b", "y"), ("c", "z"), ("d", "w"), ("e", "v"), ("f", "`x` and `y`"),
    ]  # fmt: skip


def test_remarks_comments_and_code_are_no_data():
    text = "> - a: 1\n<!-- - b: 2\n- c: 3 -->\n- d: 4 <!-- by hand -->\n```text\n- e: 5\n```\n<!-- open\n- f: 6\n"
    assert pairs(text) == [("d", "4", 4)]


def test_front_matter_and_yaml_blocks_are_read():
    text = (
        '---\ntitle: "T: u" # note\nstatus: active\n---\n## status\n\n```yaml\nstatus: "done"\nlist:\n- a\n- b\n```\n'
    )
    document = read(text)
    assert [(f.name, f.value, f.place) for f in document.fields] == [
        ("title", "T: u", "front"), ("status", "active", "front"), ("status", "done", "yaml"), ("list", "", "yaml"),
        ("", "a", "yaml"), ("", "b", "yaml"),
    ]  # fmt: skip
    assert document.fields[-1].trail == ("list",)


def test_front_matter_that_is_never_closed_hides_nothing():
    assert ("status", "active", 2) in pairs("---\nstatus: active\n- x: y\n")


def test_a_heading_may_be_the_key():
    assert pairs("## milestone_id\n\nMS-7\n\n## status\n\nactive\nstill\n\n- x\n") == [
        ("milestone_id", "MS-7", 3), ("status", "active still", 7), ("", "x", 10),
    ]  # fmt: skip


def test_folded_and_wrapped_values_are_joined():
    text = "- purpose: >\n    one: two\n\n    three\n- note: first\n  second\n- last: x\n"
    assert pairs(text) == [("purpose", "one: two three", 1), ("note", "first second", 5), ("last", "x", 7)]


def test_full_width_colons_and_chinese_keys_are_fields():
    assert pairs("- 分治策略：先水平后垂直\n- 状态: 完成\n") == [("分治策略", "先水平后垂直", 1), ("状态", "完成", 2)]


def test_bare_bullets_and_checkboxes_are_items():
    assert pairs("- develop\n- N/A\n-\n- [x] done it\n- ☑ 文档\n") == [
        ("", "develop", 1), ("", "N/A", 2), ("", "", 3), ("", "done it", 4), ("", "文档", 5),
    ]  # fmt: skip


def test_urls_and_times_are_no_keys():
    assert [name for name, _, _ in pairs("- https://example.org/x\n- at 12:30 sharp\n")] == ["", ""]


def test_line_ends_byte_order_mark_and_blanks_change_nothing():
    plain = "## S\n\n- a: 1\n  - b: 2\n"
    same = read(plain)
    for other in (plain.replace("\n", "\r\n"), "\ufeff" + plain, plain.replace(": ", ":   ").replace("\n", "  \n")):
        assert read(other).fields == same.fields


def test_a_hidden_character_in_a_key_does_not_hide_the_key():
    (item,) = read("- hand\u200bback: x\n").fields
    assert item.name == "handback"


def test_table_rows_are_found_by_column_name():
    (row,) = read("## L\n\n| order | worktrack_id | Status |\n|---:|---|---|\n| 1 | WT-1 | `done` |\n").rows
    assert (row.cell("worktrack_id"), row.cell("status"), row.cell("none"), row.line) == ("WT-1", "done", "", 5)


def test_values_are_masked_and_cut():
    (url, long) = read(f"- dsn: pg://u:p@h/x\n- b: {'x' * (MAX_VALUE + 9)}\n").fields
    assert url.value == "pg://•••@h/x"
    assert long.value == "x" * MAX_VALUE + "…"


def test_names_are_compared_without_decoration():
    assert canonical("**Handback Guard**") == canonical("handback-guard") == "handback_guard"
