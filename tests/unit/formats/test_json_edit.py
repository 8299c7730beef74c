"""Edits of JSON documents that leave the rest alone."""

import json

import pytest

from harness_tui.formats.json_edit import EditError, append, remove, set_value

PRETTY = b'{\n  "b": 1,\n  "list": [\n    {\n      "id": "x"\n    }\n  ],\n  "none": [],\n  "\xc3\xbc": {}\n}'


@pytest.mark.parametrize(
    ("before", "path", "value", "after"),
    [
        (b'{"a": 1, "b" :2}', ["a"], 5, b'{"a": 5, "b" :2}'),
        (b'{"a": 1, "b" :2}', ["c"], 5, b'{"a": 1, "b" :2, "c" :5}'),
        (b'{"a":1}', ["c"], [1, 2], b'{"a":1,"c":[1, 2]}'),
        (b'{"a": 1}', ["c"], None, b'{"a": 1, "c": null}'),
        (b"{}", ["c"], "\u00fc\u4e2d", '{"c": "\u00fc\u4e2d"}'.encode()),
        (b"\xef\xbb\xbf{ }\n", ["c"], {"d": 1}, b'\xef\xbb\xbf{"c": {"d": 1}}\n'),
        (b'{\r\n\t"a": {}\r\n}\r\n', ["a", "k"], 1, b'{\r\n\t"a": {\r\n\t\t"k": 1\r\n\t}\r\n}\r\n'),
        (b'{\n "a": [ 1, 2 ]\n}', ["a"], [3], b'{\n "a": [3]\n}'),
        (b'{\n "a": null\n}', ["a"], [3], b'{\n "a": [\n  3\n ]\n}'),
        (b'[ "\\u00e4", {"k": "\\u00e4"} ]', [1, "k"], "v", b'[ "\\u00e4", {"k": "v"} ]'),
        (b'{"a,b:}": 1e5, "x": "]}"}', ["x"], True, b'{"a,b:}": 1e5, "x": true}'),
    ],
)
def test_a_value_is_set_and_all_else_stays(before, path, value, after):
    assert set_value(before, path, value) == after


def test_a_new_key_takes_the_indentation_of_its_neighbours():
    after = set_value(PRETTY, ["list", 0, "seen"], ["a", {"k": 1}])
    inner = b'      "id": "x",\n      "seen": [\n        "a",\n        {\n          "k": 1\n        }\n      ]\n'
    assert after == PRETTY.replace(b'      "id": "x"\n', inner)


def test_an_item_is_appended_in_the_layout_of_the_list():
    assert append(b"[1,\n 2]", [], 3) == b"[1,\n 2,\n 3]"
    assert append(b'{"a": []}', ["a"], 3) == b'{"a": [3]}'
    assert append(PRETTY, ["none"], {"k": 1}) == PRETTY.replace(
        b'"none": []', b'"none": [\n    {\n      "k": 1\n    }\n  ]'
    )


def test_items_and_keys_are_taken_out_without_a_trace():
    assert remove(b"[1, 2, 3]", [0]) == b"[2, 3]"
    assert remove(b"[1, 2, 3]", [1]) == b"[1, 3]"
    assert remove(b"[1, 2, 3]", [2]) == b"[1, 2]"
    assert remove(b'{\n "a": 1,\n "b": 2\n}', ["a"]) == b'{\n "b": 2\n}'
    assert remove(PRETTY, ["list", 0]) == PRETTY.replace(b'[\n    {\n      "id": "x"\n    }\n  ]', b"[]")


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (b'{"a": 1', ["a"]),
        (b'{"a": 1, "a": 2}', ["a"]),
        (b"[1]", [1]),
        (b"[1]", ["a"]),
        (b"{}", ["a", "b"]),
        (b"1", []),
    ],
)
def test_what_cannot_be_edited_is_refused(data, path):
    with pytest.raises(EditError):
        set_value(data, path, 2)


def test_text_without_a_utf8_form_is_refused():
    with pytest.raises(EditError, match="UTF-8"):
        set_value(b"{}", ["a"], "\udc80")


def test_a_removed_or_extended_thing_must_be_there():
    for call in (lambda: remove(b"{}", ["a"]), lambda: remove(b"{}", []), lambda: append(b"{}", [], 1)):
        with pytest.raises(EditError):
            call()


def test_the_result_means_what_was_asked():
    after = json.loads(append(set_value(PRETTY, ["b"], {"deep": [1]}), ["list"], "y"))
    assert after == {"b": {"deep": [1]}, "list": [{"id": "x"}, "y"], "none": [], "\u00fc": {}}
