"""Imports Textual without what it, and all below it, import for a rare moment: a fifth of the way to it."""

from __future__ import annotations

import sys
import typing
from contextlib import ExitStack
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable

_LATE: Final = {
    "textual.command": (
        "CommandListItem", "CommandPalette", "DiscoveryHit", "Hit", "Hits", "Provider", "SimpleProvider",
    ),
    "rich.table": ("Table",),
    "platformdirs": ("user_downloads_path",),
    "uuid": ("uuid4",),
    "difflib": ("get_close_matches",),
    "pickle": ("dumps", "loads"),
}  # fmt: skip
"""What is imported for the command palette, for messages, downloads, pictures of themes and faults in style sheets."""
_SAME: Final = (
    "Final", "Literal", "ParamSpec", "Protocol", "Self", "TypeAlias", "TypeGuard", "TypedDict", "runtime_checkable",
)  # fmt: skip
"""What is imported from `typing_extensions`, and `typing` has it, too."""
_MODULES = cast("dict[str, Any]", sys.modules)


def import_textual() -> None:
    """Import `textual.app` and the driver. When it is done every module can be imported as ever.

    Only one thing is missing for good: Textual's own list of themes for the command palette.
    """
    with ExitStack() as stack:
        # OpenSSL, for connections that a dashboard never makes. Asyncio does without where there is no ssl.
        stack.enter_context(_Missing("ssl"))
        import_module("asyncio")
        stack.enter_context(_StandIn("typing_extensions", {name: getattr(typing, name) for name in _SAME}))
        for module, names in _LATE.items():
            stack.enter_context(_StandIn(module, {name: _Late(module, name) for name in names}))
        stack.enter_context(_StandIn("textual.css.tokenizer", {}, _compile_late))
        import_module("textual.app")
        import_module("textual.drivers.linux_driver")


def _compile_late(tokenizer: Any) -> None:
    """Have what reads style sheets and markup compile each of its patterns at the first use: a start uses a third."""
    eager: Any = tokenizer.Expect

    class Expect(eager):  # type: ignore[misc]
        def __init__(self, description: str, **tokens: str) -> None:
            super().__init__(description)
            self.names, self.regexes = list(tokens), list(tokens.values())
            del self.match, self.search

        def __getattr__(self, name: str) -> Any:
            if name not in ("match", "search"):
                raise AttributeError(name)
            found = eager(self.description, **dict(zip(self.names, self.regexes, strict=True)))
            self.match, self.search = found.match, found.search
            return getattr(found, name)

    tokenizer.Expect = Expect


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


class _StandIn(ModuleType):
    """Within the block, stands in for the module `name`; what is not among `names` comes from the real one.

    That one is shown to `change` first.
    """

    def __init__(self, name: str, names: dict[str, Any], change: Callable[[Any], None] = lambda _module: None) -> None:
        super().__init__(name)
        self.__dict__.update(names)
        self._change = change

    def __enter__(self) -> None:
        _MODULES.setdefault(self.__name__, self)

    def __exit__(self, *_: object) -> None:
        self._leave()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # the import system asks whether it is a package
            raise AttributeError(name)
        if self._leave():
            self._change(import_module(self.__name__))
        return getattr(import_module(self.__name__), name)

    def _leave(self) -> bool:
        """Whether it was still there."""
        there = _MODULES.get(self.__name__) is self
        if there:
            del _MODULES[self.__name__]
        return there


class _Late:
    """Stands for the function or class `name` of a module, which is imported when somebody uses it."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._find()(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._find(), name)

    def __mro_entries__(self, _bases: tuple[Any, ...]) -> tuple[type, ...]:
        """A class that is derived from it has nothing of it."""
        return ()

    def _find(self) -> Any:
        return getattr(import_module(self._module), self._name)
