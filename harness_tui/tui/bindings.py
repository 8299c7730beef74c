"""From the action list to Textual's bindings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding, BindingType

from harness_tui.tui.actions import actions_of, twins

if TYPE_CHECKING:
    from harness_tui.tui.actions import Action, Area


def bindings(*areas: Area) -> list[BindingType]:
    """Bindings of all actions of these areas, with the twins of their letter keys under other layouts."""
    return [_binding(action) for action in actions_of(*areas)]


def _binding(action: Action) -> Binding:
    keys = [key for name in action.keys for key in (name, *twins(name))]
    return Binding(",".join(keys), action.id, action.label, show=False, tooltip=action.help)
