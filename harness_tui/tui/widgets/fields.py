"""Fields in which the operator writes: what is pasted is made visible first, so that what is seen is what is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Input, TextArea

from harness_tui.formats.text import clean, clean_block

if TYPE_CHECKING:
    from textual.events import Paste


class LineField(Input):
    """One line. Several pasted lines become one."""

    def validate_value(self, value: str) -> str:
        """The text with every hidden or acting character as a visible sign."""
        return clean(value)

    def _on_paste(self, event: Paste) -> None:
        event.stop()
        event.prevent_default()
        self.insert_text_at_cursor(clean(" ".join(event.text.split("\n"))))


class BlockField(TextArea):
    """Several lines."""

    async def _on_paste(self, event: Paste) -> None:
        event.stop()
        event.prevent_default()
        found = self.replace(clean_block(event.text), *self.selection)
        self.move_cursor(found.end_location)
