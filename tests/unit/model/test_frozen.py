"""Frozen classes behave as frozen dataclasses with slots do."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import pickle
import pkgutil
from dataclasses import dataclass
from dataclasses import field as their_field
from typing import Generic, TypeVar

import pytest

import harness_tui.model
from harness_tui.model import frozen as module
from harness_tui.model.frozen import frozen, record

T = TypeVar("T")


def declare(field):
    class Row:
        """A row."""

        id: str
        depends: tuple[str, ...] = ()
        seen: dict[str, int] = field(default_factory=dict)
        index: dict[str, int] = field(default_factory=dict, compare=False, repr=False)

        @property
        def words(self) -> str:
            """Some words."""
            return f"{self.id} {len(self.depends)}"

    return Row


OURS = frozen(declare(module.field))
THEIRS = dataclass(frozen=True, slots=True)(declare(their_field))


@pytest.mark.parametrize("kind", [OURS, THEIRS])
def test_values_defaults_and_methods(kind):
    row = kind("T-1", depends=("T-0",))
    assert (row.id, row.depends, row.seen, row.words) == ("T-1", ("T-0",), {}, "T-1 1")
    assert row.seen is not kind("T-1").seen
    assert repr(row) == "declare.<locals>.Row(id='T-1', depends=('T-0',), seen={})"
    assert kind.__doc__ == "A row."
    assert kind.__match_args__ == ("id", "depends", "seen", "index")
    assert not hasattr(row, "__dict__")


@pytest.mark.parametrize("kind", [OURS, THEIRS])
def test_equality_is_by_the_values_that_are_compared(kind):
    assert kind("a", index={"x": 1}) == kind("a", index={"y": 2})
    assert kind("a") != kind("b")
    assert kind("a") != "a"
    with pytest.raises(TypeError, match="unhashable"):
        hash(kind("a"))


@pytest.mark.parametrize("kind", [OURS, THEIRS])
def test_nothing_can_be_changed_and_nothing_left_out(kind):
    row = kind("a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        row.id = "b"
    with pytest.raises(dataclasses.FrozenInstanceError):
        del row.id
    with pytest.raises(TypeError, match="id"):
        kind()
    with pytest.raises(TypeError, match="other"):
        kind("a", other=1)


@pytest.mark.parametrize("kind", [OURS, THEIRS])
def test_the_tools_for_dataclasses_work(kind):
    row = kind("a", ("b",))
    assert dataclasses.is_dataclass(row)
    assert [item.name for item in dataclasses.fields(row)] == ["id", "depends", "seen", "index"]
    assert dataclasses.replace(row, id="c") == module.replace(row, id="c") == kind("c", ("b",))
    assert dataclasses.asdict(row) == {"id": "a", "depends": ("b",), "seen": {}, "index": {}}


@pytest.mark.parametrize("kind", [OURS, THEIRS])
def test_a_copy_is_an_equal_object_of_its_own_values(kind):
    row = kind("a", seen={"x": 1}, index={"y": 2})
    deep = copy.deepcopy(row)
    assert copy.copy(row) == deep == row
    assert (deep.index, deep.seen is row.seen, copy.copy(row).seen is row.seen) == ({"y": 2}, False, True)


@frozen
class Sent:
    """A class that pickle can find by name."""

    id: str
    seen: dict[str, int] = module.field(default_factory=dict, compare=False)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_what_is_pickled_comes_back_with_all_values(protocol):
    back = pickle.loads(pickle.dumps(Sent("a", {"x": 1}), protocol))
    assert (back, back.seen, type(back)) == (Sent("a"), {"x": 1}, Sent)


def test_a_change_of_what_is_no_field_is_refused():
    with pytest.raises(TypeError, match="other"):
        module.replace(OURS("a"), other=1)


def test_equal_objects_have_one_hash_and_one_field_is_enough():
    class Name:
        text: str

    name = frozen(Name)
    assert {name("a"), name("a"), name("b")} == {name("a"), name("b")}


def test_a_record_can_be_changed_and_has_no_hash():
    class Count(Generic[T]):
        of: T
        number: int = 0
        seen: list[T] = module.field(default_factory=list)

    kind = record(Count)
    count = kind("a")
    count.number += 1
    assert count == kind("a", 1)
    assert count.seen is not kind("a").seen
    assert kind[str]("a") == kind("a")
    with pytest.raises(AttributeError):
        count.other = 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(count)


def test_every_model_class_is_one_that_fields_can_list():
    found = 0
    for entry in pkgutil.iter_modules(harness_tui.model.__path__):
        names = vars(importlib.import_module(f"harness_tui.model.{entry.name}"))
        for kind in names.values():
            if isinstance(kind, type) and "__dataclass_fields__" in vars(kind):
                found += 1
                assert tuple(item.name for item in dataclasses.fields(kind)) == tuple(kind.__annotations__)
    assert found > 50
