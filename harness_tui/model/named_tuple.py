"""`NamedTuple` as `typing` has it, without `typing`: a guard is asked at every turn of an agent, and imports little."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple
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


__all__ = ["NamedTuple"]
