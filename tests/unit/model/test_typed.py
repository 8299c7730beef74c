"""Our named tuples are those of `typing`."""

from __future__ import annotations

import copy
import pickle
import typing

import pytest

from harness_tui.model.typed import NamedTuple


class Ours(NamedTuple):
    """A row."""

    id: str
    line: int = 0

    @property
    def words(self) -> str:
        """Some words."""
        return f"{self.id}:{self.line}"


class Theirs(typing.NamedTuple):
    """A row."""

    id: str
    line: int = 0

    @property
    def words(self) -> str:
        """Some words."""
        return f"{self.id}:{self.line}"


@pytest.mark.parametrize("kind", [Ours, Theirs])
def test_values_defaults_and_methods(kind):
    row = kind("T-1")
    assert row == ("T-1", 0) == kind(id="T-1", line=0)
    assert (row.words, row._replace(line=3).words, kind.__doc__) == ("T-1:0", "T-1:3", "A row.")
    assert (kind._fields, kind._field_defaults, kind.__match_args__) == (("id", "line"), {"line": 0}, ("id", "line"))
    assert (kind.__module__, kind.__qualname__, [*kind.__annotations__]) == (__name__, kind.__name__, ["id", "line"])
    assert repr(row) == f"{kind.__name__}(id='T-1', line=0)"
    assert pickle.loads(pickle.dumps(row)) == copy.copy(row) == row
    assert not hasattr(row, "__dict__")
    with pytest.raises(TypeError, match="id"):
        kind()
