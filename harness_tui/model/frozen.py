"""Classes with slots, as `dataclass(slots=True)` makes them, in a tenth of its time.

A start makes some fifty of them, and `dataclass` takes almost a millisecond for each, mostly to compile six methods.
Here only the constructor is compiled, when the first object is made: a start makes objects of one class in two.
`fields`, `replace` and `is_dataclass` of `dataclasses` work on such a class; that module, which imports half of the
tools for source code, is only imported when somebody uses it. `field` and `replace` of this one do the same for less.
"""

from __future__ import annotations

from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:  # to a type checker they are those of `dataclasses`, whose arguments it knows how to check
    import dataclasses
    from dataclasses import field, replace
    from typing import Any, NoReturn, TypeVar, dataclass_transform

    T = TypeVar("T")
else:

    def dataclass_transform(**_: object) -> object:
        return lambda decorator: decorator

    class field:  # noqa: N801 - its name is known
        """What `dataclasses.field` says of a field, as far as it is understood here."""

        def __init__(self, *, default_factory: Any, compare: bool = True, repr: bool = True) -> None:  # noqa: A002 - as there
            self.default_factory = default_factory
            self.compare = compare
            self.repr = repr

    def replace(row: Any, /, **changes: object) -> object:
        """A new object of the same class, with these values changed."""
        return type(row)(**{name: getattr(row, name) for name in row.__slots__} | changes)


__all__ = ["field", "frozen", "record", "replace"]

_NOT_GIVEN: Any = object()


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """`cls` with its annotated names as slots; two of its objects are equal when their values are.

    Of `field` it knows `default_factory`, `compare` and `repr`. Such a class has no base class but `Generic`.
    """
    return _slotted(cls, {"__hash__": _hash, "__setattr__": _refuse, "__delattr__": _refuse})


@dataclass_transform(field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """`frozen`, but its values may be changed, and it has no hash."""
    return _slotted(cls, {"__hash__": None})


def _slotted(cls: type[T], more: dict[str, Any]) -> type[T]:
    names = tuple(cls.__annotations__)
    given = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    kept = {name: value for name, value in cls.__dict__.items() if name not in (*given, "__dict__", "__weakref__")}
    space = kept | more | {
        "__qualname__": cls.__qualname__,
        "__slots__": names,
        "__match_args__": names,
        "__init__": _late_constructor(names, given),
        "__eq__": _equal,
        "__repr__": _repr,
        "__reduce__": _reduce,
        "__dataclass_fields__": _Fields(given),
        "_values": attrgetter(*[name for name in names if getattr(given.get(name), "compare", True)]),
        "_shown": [name for name in names if getattr(given.get(name), "repr", True)],
    }  # fmt: skip
    return type(cls.__name__, cls.__bases__, space)


def _late_constructor(names: tuple[str, ...], given: dict[str, Any]) -> Any:
    """An `__init__` that puts the compiled one into its place."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807 - it is one
        made: Any = type(self)
        made.__init__ = _constructor(made, names, given)
        made.__init__(self, *args, **kwargs)

    return __init__


def _constructor(made: Any, names: tuple[str, ...], given: dict[str, Any]) -> Any:
    space: dict[str, Any] = {"_not_given": _NOT_GIVEN}
    parameters, lines = [], []
    for name in names:
        space[f"_set_{name}"] = getattr(made, name).__set__
        parameter = value = name
        if name in given:
            parameter = f"{name}=_not_given"
            if isinstance(given[name], field):  # type: ignore[arg-type]
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
    """`__dataclass_fields__`, made by a dataclass of the same fields without methods when somebody asks for it."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given

    def __get__(self, instance: object, owner: type) -> dict[str, dataclasses.Field[Any]]:
        import dataclasses  # noqa: PLC0415 - rarely asked for

        given = {
            name: dataclasses.field(default_factory=value.default_factory, compare=value.compare, repr=value.repr)
            if isinstance(value, field)  # type: ignore[arg-type]
            else value
            for name, value in self._given.items()
        }
        # With a docstring, too: to one that has none `dataclass` gives the signature, which takes long to find out.
        annotations = {"__annotations__": owner.__annotations__, "__module__": owner.__module__, "__doc__": "-"}
        bare = dataclasses.dataclass(init=False, repr=False, eq=False, match_args=False)
        found = bare(type(owner.__name__, (), given | annotations)).__dataclass_fields__  # type: ignore[attr-defined]
        owner.__dataclass_fields__ = found  # type: ignore[attr-defined]
        return found  # type: ignore[no-any-return]


def _equal(self: Any, other: Any) -> Any:
    values = self._values
    return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash(self._values(self))


def _repr(self: Any) -> str:
    return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._shown)})"


def _reduce(self: Any) -> tuple[Any, tuple[Any, ...]]:
    """How `copy` and `pickle` make it again: they set values one by one, which a frozen object refuses."""
    return type(self), tuple(getattr(self, name) for name in self.__slots__)


def _refuse(self: object, name: str, *_: object) -> NoReturn:
    from dataclasses import FrozenInstanceError  # noqa: PLC0415 - a fault of ours

    raise FrozenInstanceError(f"cannot set or delete {name!r} of a {type(self).__qualname__}")
