"""Imports Textual without what it, and asyncio below it, import for somebody else: a tenth of the way to it."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any, cast

_TYPES = "textual.types"
_MODULES = cast("dict[str, Any]", sys.modules)


def import_textual() -> None:
    """`import textual.app`. When it is done every module can be imported as ever."""
    # OpenSSL, for connections that a dashboard never makes. Asyncio does without where there is no ssl.
    with _Missing("ssl"):
        import_module("asyncio")
    with _Types():
        import_module("textual.app")


class _Missing:
    """Within the block the module `name` can't be imported, unless it has been already."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._hidden = name not in _MODULES

    def __enter__(self) -> None:
        if self._hidden:
            _MODULES[self._name] = None

    def __exit__(self, *_: object) -> None:
        if self._hidden:
            del _MODULES[self._name]


class _Types(ModuleType):
    """Within the block, stands in for `textual.types`.

    That imports half a dozen widgets to name their types. The command palette wants one name of it, which a module
    without widgets has, too. Whatever else is asked for comes from the real one.
    """

    def __init__(self) -> None:
        super().__init__(_TYPES)
        self._needed = _TYPES not in _MODULES

    def __enter__(self) -> None:
        if self._needed:
            _MODULES[_TYPES] = self

    def __exit__(self, *_: object) -> None:
        if _MODULES.get(_TYPES) is self:
            del _MODULES[_TYPES]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # the import system asks whether it is a package
            raise AttributeError(name)
        if name == "IgnoreReturnCallbackType":
            return import_module("textual._types").IgnoreReturnCallbackType
        _MODULES.pop(_TYPES, None)
        return getattr(import_module(_TYPES), name)
