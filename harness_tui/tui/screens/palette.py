"""The command palette. A module of its own: `textual.command` is imported when it is first opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.command import CommandPalette
from textual.widgets import Input, OptionList

from harness_tui.tui.screens.leaving import Leaving

if TYPE_CHECKING:
    from textual.message import Message


class Palette(Leaving, CommandPalette):
    """Textual's, but for a command that is chosen twice before the first choice is handled: it is run once."""

    async def _dispatch_message(self, message: Message) -> None:
        chosen = isinstance(message, OptionList.OptionSelected | Input.Submitted)
        if not chosen or self in self.app.screen_stack:
            await super()._dispatch_message(message)
