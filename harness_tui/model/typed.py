"""What of `typing` a running program needs, without `typing`: a guard is asked at every turn of an agent.

To a type checker these are the names of `typing`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Generic, NamedTuple, TypeVar

    T = TypeVar("T")
else:
    from collections import namedtuple

    class _Named(type):
        """Turns a class with annotated names into a `collections.namedtuple` that has its methods, too."""

        def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, space)
            names = space["__annotations__"]
            defaults = [space.pop(field) for field in names if field in space]
            made = namedtuple(name, names, defaults=defaults, module=space.pop("__module__"))  # noqa: PYI024
            for key, value in space.items():
                setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Named):
        """Its subclasses are named tuples."""

    class Generic:
        """The base of a class whose objects hold values of one kind, which only a type checker asks for."""

        __slots__ = ()

        def __class_getitem__(cls, _kind: object) -> type[Generic]:
            return cls

    T = "any type"


__all__ = ["Generic", "NamedTuple", "T"]
