"""From the action list to Textual's bindings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding, BindingType

from harness_tui.tui.actions import actions_of, twins

if TYPE_CHECKING:
    from collections.abc import Collection

    from harness_tui.tui.actions import Action, Area


def bindings(*areas: Area, only: Collection[str] = (), without: Collection[str] = ()) -> list[BindingType]:
    """Bindings of the actions of these areas, with the twins of their letter keys under other layouts.

    `only` and `without` choose by action id.
    """
    chosen = [action for action in actions_of(*areas) if (not only or action.id in only) and action.id not in without]
    return [_binding(action) for action in chosen]


def _binding(action: Action) -> Binding:
    keys = [key for name in action.keys for key in (name, *twins(name))]
    return Binding(",".join(keys), action.id, action.label, show=False, tooltip=action.help)
