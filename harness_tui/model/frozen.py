"""Frozen classes with slots, as `dataclass(frozen=True, slots=True)` makes them, in a fifth of its time.

A start makes some fifty of them, and `dataclass` takes almost a millisecond for each, mostly to compile six methods.
Here only the constructor is compiled. `fields`, `replace` and `is_dataclass` of `dataclasses` work on such a class.
"""

from __future__ import annotations

from dataclasses import Field, FrozenInstanceError, dataclass, field
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")
_NOT_GIVEN: Any = object()


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """`cls` with its annotated names as slots; two of its objects are equal when their values are.

    Of `field` it knows `default_factory`, `compare` and `repr`. A frozen class has no base class.
    """
    names = tuple(cls.__annotations__)
    given = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    kept = {name: value for name, value in cls.__dict__.items() if name not in (*given, "__dict__", "__weakref__")}
    space = kept | {
        "__qualname__": cls.__qualname__,
        "__slots__": names,
        "__match_args__": names,
        "__eq__": _equal,
        "__hash__": _hash,
        "__repr__": _repr,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__dataclass_fields__": _Fields(given),
        "_values": attrgetter(*[name for name in names if getattr(given.get(name), "compare", True)]),
        "_shown": [name for name in names if getattr(given.get(name), "repr", True)],
    }
    made: Any = type(cls.__name__, (), space)
    made.__init__ = _constructor(made, names, given)
    return made  # type: ignore[no-any-return]


def _constructor(made: Any, names: tuple[str, ...], given: dict[str, Any]) -> Any:
    space: dict[str, Any] = {"_not_given": _NOT_GIVEN}
    parameters, lines = [], []
    for name in names:
        space[f"_set_{name}"] = getattr(made, name).__set__
        parameter = value = name
        if name in given:
            parameter = f"{name}=_not_given"
            if isinstance(given[name], Field):
                space[f"_make_{name}"] = given[name].default_factory
                value = f"_make_{name}() if {name} is _not_given else {name}"
            else:
                space[f"_default_{name}"] = given[name]
                parameter = f"{name}=_default_{name}"
        parameters.append(parameter)
        lines.append(f" _set_{name}(self, {value})\n")
    exec(f"def __init__(self, {', '.join(parameters)}):\n{''.join(lines)}", space)  # noqa: S102 - as dataclasses does
    return space["__init__"]


class _Fields:
    """`__dataclass_fields__`, made by a real dataclass of the same fields when somebody asks for it."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given

    def __get__(self, instance: object, owner: type) -> dict[str, Field[Any]]:
        annotations = {"__annotations__": owner.__annotations__, "__module__": owner.__module__}
        found = dataclass(type(owner.__name__, (), self._given | annotations)).__dataclass_fields__  # type: ignore[attr-defined]
        owner.__dataclass_fields__ = found  # type: ignore[attr-defined]
        return found  # type: ignore[no-any-return]


def _equal(self: Any, other: Any) -> Any:
    values = self._values
    return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash(self._values(self))


def _repr(self: Any) -> str:
    return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._shown)})"


def _refuse(self: object, name: str, *_: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot set or delete {name!r} of a {type(self).__qualname__}")
