"""A tailed file equals a slow reader's, whatever happens to the file between two looks."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from harness_tui.formats.text import split_lines
from harness_tui.workspace import line_index, tail
from harness_tui.workspace.line_search import matching_lines, search
from harness_tui.workspace.tail import LineFile

TEXT = st.binary(max_size=40) | st.sampled_from(
    [
        b"\n",
        b"\r\n",
        b"\n\n",
        "窯の温度\n".encode(),
        "· T-01 · ok\n".encode(),
        b"x" * 300 + b"\n",
        b"y" * 700,
        b"\0" * 50,
    ]
)
CHUNK = st.lists(TEXT, max_size=6).map(b"".join)
OPERATION = st.one_of(
    st.tuples(st.just("append"), CHUNK),
    st.tuples(st.just("append cut in a character"), st.integers(1, 2)),
    st.tuples(st.just("truncate"), st.integers(0, 400)),
    st.tuples(st.just("truncate and regrow"), CHUNK),
    st.tuples(st.just("rewrite in place"), st.tuples(st.integers(0, 400), CHUNK)),
    st.tuples(st.just("replace by rename"), CHUNK),
    st.tuples(st.just("rotate"), CHUNK),
    st.tuples(st.just("save a copy with more"), CHUNK),
    st.tuples(st.just("remove"), st.none()),
    st.tuples(st.just("touch"), st.none()),
)


def apply(path: Path, operation, argument):
    """Change the file the way other programs do."""
    old = path.read_bytes() if path.exists() else b""
    beside = path.with_suffix(".new")
    if operation == "append":
        with path.open("ab") as file:
            file.write(argument)
    elif operation == "append cut in a character":
        with path.open("ab") as file:
            file.write("窯".encode()[:argument])
    elif operation == "truncate":
        path.touch()
        os.truncate(path, min(argument, len(old)))
    elif operation == "truncate and regrow":
        path.write_bytes(argument + b"regrown\n" * (len(old) // 8 + 1))
    elif operation == "rewrite in place":
        path.touch()
        with path.open("r+b") as file:
            file.seek(min(argument[0], len(old)))
            file.write(argument[1])
    elif operation in ("replace by rename", "save a copy with more"):
        beside.write_bytes(argument if operation == "replace by rename" else old + argument)
        beside.replace(path)
    elif operation == "rotate":
        if path.exists():
            path.replace(path.with_suffix(".1"))
        path.write_bytes(argument)
    elif operation == "remove":
        path.unlink(missing_ok=True)
    elif operation == "touch":
        path.touch()


def expected_lines(content, limit):
    return [(line[:limit], max(0, len(line) - limit)) for line in split_lines(content)]


def kind_of_change(before, after):
    if before is None:
        return {"appeared"} if after is not None else {"same"}
    if after is None:
        return {"vanished"}
    if not after.startswith(before):
        return {"restarted"}
    return {"same"} if before == after else {"grown"}


@given(start=st.none() | CHUNK, script=st.lists(st.lists(OPERATION, max_size=2), max_size=8))
def test_lines_after_each_look_equal_those_of_a_slow_reader(start, script):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.md")
        if start is not None:
            path.write_bytes(start)
        file = LineFile(path, max_line=100)
        file.refresh()
        before = start
        for step in script:
            for operation, argument in step:
                apply(path, operation, argument)
            change = file.refresh()
            after = path.read_bytes() if path.exists() else None
            assert change.kind in kind_of_change(before, after)
            if change.kind == "grown":
                assert (change.start, change.end) == (len(before or b""), len(after or b""))
            while not file.index(1):
                pass
            content = after or b""
            lines = expected_lines(content, 100)
            assert file.total == len(lines)
            assert file.lines(0, file.total) == lines
            assert file.tail(3) == lines[-3:]
            assert file.partial == (bool(content) and not content.endswith(b"\n"))
            before = after
        file.close()


@given(content=CHUNK, budget=st.integers(1, 200), window=st.integers(0, 12), count=st.integers(1, 9))
def test_any_page_is_right_before_and_after_indexing(content, budget, window, count):
    content = content * 20
    with tempfile.TemporaryDirectory() as folder, small_blocks():
        path = Path(folder, "log.md")
        path.write_bytes(content)
        file = LineFile(path, max_line=100)
        file.refresh()
        lines = expected_lines(content, 100)
        assert file.tail(count) == lines[-count:]
        assert file.lines(0, file.total) == lines[: file.total]
        while not file.index(budget):
            assert file.lines(0, file.total) == lines[: file.total]
        assert file.lines(window, window + count) == lines[window : window + count]
        for number in range(len(lines)):
            assert file.line_at(file.offset(number)) == number
        file.close()


@given(
    content=st.lists(st.sampled_from([b"kiln\n", b"glaze kiln\r\n", b"clay\n", b"\n", b"KILN x" * 30 + b"\n"])).map(
        b"".join
    ),
    end=st.sampled_from([b"", b"kiln", b"cl"]),
    pattern=st.sampled_from(
        [rb"kiln", rb"(?i)kiln", rb"^kiln$", rb"k.*n", rb"", rb"clay|glaze", re.escape(b"glaze kiln")]
    ),
    start=st.integers(0, 30),
    budget=st.integers(1, 90),
)
def test_search_finds_what_a_look_at_each_line_finds(content, end, pattern, start, budget):
    compiled = re.compile(pattern)
    content += end
    expected = [number for number, line in enumerate(split_lines(content)) if compiled.search(line[: max(budget, 1)])]
    whole = [number for number, line in enumerate(split_lines(content)) if compiled.search(line)]
    with tempfile.TemporaryDirectory() as folder, small_blocks():
        path = Path(folder, "log.md")
        path.write_bytes(content)
        file = LineFile(path)
        file.refresh()
        file.index()
        forward = all_hits(file, compiled, start, budget, forward=True)
        assert {n for n in expected if n >= start} <= set(forward) <= {n for n in whole if n >= start}
        assert forward == sorted(set(forward))
        backward = all_hits(file, compiled, start, budget, forward=False)
        assert {n for n in expected if n <= start} <= set(backward) <= {n for n in whole if n <= start}
        assert backward == sorted(set(backward), reverse=True)
        numbers, at = [], 0
        complete = file.total - file.partial
        while at < complete:
            some, at = matching_lines(file, compiled, at, budget=budget)
            numbers += some
        assert {n for n in expected if n < complete} <= set(numbers) <= {n for n in whole if n < complete}
        file.close()


def all_hits(file, pattern, start, budget, *, forward):
    hits = []
    line = start
    for _ in range(10_000):
        found = search(file, pattern, line, forward=forward, budget=budget)
        if found.line is not None:
            hits.append(found.line)
        if found.done:
            return hits
        assert found.next_line != line
        line = found.next_line
    raise AssertionError("the search does not end")


class small_blocks:  # noqa: N801 - used as a context
    """Blocks of 64 bytes, so that short files have many."""

    def __enter__(self):
        self.kept = line_index.BLOCK
        line_index.BLOCK = tail.BLOCK = 64

    def __exit__(self, *_):
        line_index.BLOCK = tail.BLOCK = self.kept
