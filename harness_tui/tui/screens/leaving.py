"""Screens that can be left at any moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.await_complete import AwaitComplete
from textual.css.query import NoMatches

if TYPE_CHECKING:
    from textual.message import Message
    from textual.screen import Screen

    Base = Screen[Any]
else:
    Base = object


class Leaving(Base):
    """Put in front of a kind of screen. What still comes for one that was left changes nothing.

    A key that repeats chooses twice before the first choice is handled; a thread answers when its screen is gone. Of
    Textual the one takes away whatever lies on top then, the last screen excepted, and the other finds no widgets;
    either ends the program.
    """

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Leave this screen, and what lies over it; nothing when it was left already."""
        if self not in self.app.screen_stack:
            return AwaitComplete()
        while self.app.screen is not self:
            self.app.pop_screen()
        return super().dismiss(result)

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)
        except NoMatches:
            if self in self.app.screen_stack:
                raise
