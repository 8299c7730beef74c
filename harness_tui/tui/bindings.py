"""From the action list to Textual's bindings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.binding import Binding, BindingType

from harness_tui.tui.actions import actions_of, twins

if TYPE_CHECKING:
    from collections.abc import Collection

    from harness_tui.tui.actions import Action, Area


_ALWAYS: Final = frozenset({"ctrl+c", "ctrl+z"})
"""Keys that act in windows, dialogs and fields, too: nobody is held in there, and no text is undone by a suspension."""


def bindings(*areas: Area, only: Collection[str] = (), without: Collection[str] = ()) -> list[BindingType]:
    """Bindings of the actions of these areas, with the twins of their letter keys under other layouts.

    `only` and `without` choose by action id.
    """
    chosen = [action for action in actions_of(*areas) if (not only or action.id in only) and action.id not in without]
    return [binding for action in chosen for binding in _bindings(action)]


def _bindings(action: Action) -> list[Binding]:
    keys = [key for name in action.keys for key in (name, *twins(name))]
    parts = ([key for key in keys if key not in _ALWAYS], [key for key in keys if key in _ALWAYS])
    return [
        Binding(",".join(part), action.id, action.label, show=False, tooltip=action.help, priority=part is parts[1])
        for part in parts
        if part
    ]
