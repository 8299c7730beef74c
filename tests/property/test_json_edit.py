"""Edits touch their value and nothing else, whatever the document looks like."""

import json

from hypothesis import given
from hypothesis import strategies as st

from harness_tui.formats.json_edit import append, remove, set_value

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers(-9999, 9999) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)
BLANK = st.sampled_from(["", "", " ", "\n", "\r\n", "\t", "\n   "])


@st.composite
def documents(draw):
    """A value and one of its many spellings."""
    value = draw(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4) | st.lists(VALUES, min_size=1, max_size=4))
    style = draw(st.sampled_from(["pretty", "tabs", "crlf", "tight", "plain", "odd"]))
    mark = draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))
    end = draw(st.sampled_from(["", "\n", "\r\n\r\n"]))
    ascii_only = draw(st.booleans())
    if style == "odd":
        text = _odd(draw, value, ascii_only=ascii_only)
    elif style in ("tight", "plain"):
        separators = (",", ":") if style == "tight" else None
        text = json.dumps(value, ensure_ascii=ascii_only, separators=separators)
    else:
        text = json.dumps(value, ensure_ascii=ascii_only, indent="\t" if style == "tabs" else 2)
        text = text.replace("\n", "\r\n") if style == "crlf" else text
    return value, mark + (text + end).encode()


def _odd(draw, value, *, ascii_only):
    """Blanks anywhere."""
    if isinstance(value, dict) and value:
        parts = [
            draw(BLANK) + json.dumps(key, ensure_ascii=ascii_only) + draw(BLANK) + ":" + draw(BLANK)
            + _odd(draw, item, ascii_only=ascii_only) + draw(BLANK)
            for key, item in value.items()
        ]  # fmt: skip
        return "{" + ",".join(parts) + "}"
    if isinstance(value, list) and value:
        parts = [draw(BLANK) + _odd(draw, item, ascii_only=ascii_only) + draw(BLANK) for item in value]
        return "[" + ",".join(parts) + "]"
    return json.dumps(value, ensure_ascii=ascii_only)


def places(value, path=()):
    """Every place in a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


def at(value, path):
    for part in path:
        value = value[part]
    return value


def put(value, path, new):
    """A copy of `value` with `new` at `path`."""
    copy = json.loads(json.dumps(value))
    at(copy, path[:-1])[path[-1]] = new
    return copy


def read(data):
    return json.loads(data.removeprefix(b"\xef\xbb\xbf"))


def common(before, after):
    """How many bytes at both ends are the same."""
    head = next(
        (n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    rest = min(len(before), len(after)) - head
    pairs = zip(reversed(before), reversed(after), strict=False)
    tail = next((n for n, (a, b) in enumerate(pairs) if a != b), rest)
    return head + min(tail, rest)


@given(documents(), VALUES, st.data())
def test_a_set_value_is_the_only_change(document, new, data):
    value, before = document
    path = data.draw(st.sampled_from(list(places(value))))
    marker = "\u241f\u241e"
    assert read(set_value(before, path, new)) == put(value, path, new)
    marked = set_value(before, path, marker)
    head, _, tail = marked.partition(json.dumps(marker, ensure_ascii=False).encode())
    assert before.startswith(head)
    assert before.endswith(tail)
    old = before[len(head) : len(before) - len(tail)]
    assert json.loads(old) == at(value, path)
    again = set_value(marked, path, new)
    assert again.startswith(head)
    assert again.endswith(tail)


@given(documents(), VALUES, st.data())
def test_an_added_key_or_item_leaves_every_byte(document, new, data):
    value, before = document
    path = data.draw(st.sampled_from([(), *places(value)]))
    inside = at(value, path)
    if isinstance(inside, dict):
        key = data.draw(TEXTS.filter(lambda text: text not in inside))
        after, wanted = set_value(before, (*path, key), new), {**inside, key: new}
    elif isinstance(inside, list):
        after, wanted = append(before, path, new), [*inside, new]
    else:
        return
    assert read(after) == (put(value, path, wanted) if path else wanted)
    if inside:
        assert common(before, after) == len(before)


@given(documents(), st.data())
def test_a_removed_item_is_the_only_loss(document, data):
    value, before = document
    path = data.draw(st.sampled_from(list(places(value))))
    inside = at(value, path[:-1])
    rest = (
        {key: item for key, item in inside.items() if key != path[-1]}
        if isinstance(inside, dict)
        else [item for number, item in enumerate(inside) if number != path[-1]]
    )
    after = remove(before, path)
    assert read(after) == (put(value, path[:-1], rest) if path[:-1] else rest)
    assert common(before, after) == len(after)
