"""Fields in which the operator writes: what is pasted is made visible first, so that what is seen is what is sent.

Keys that lead to another field act in the order of typing, however fast they come: Textual would run them only after
the letters behind them had gone into the field that is being left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from textual.events import Key
from textual.widgets import Input, TextArea

from harness_tui.formats.text import clean, clean_block

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from textual.events import Paste
    from textual.widget import Widget


_TAKEN: Final = frozenset({"enter", "tab", "shift+tab"})


class LineField(Input):
    """One line. Several pasted lines become one. `done` is called at Enter."""

    TAKES = _TAKEN
    """Keys that it takes beside those that print: they are for it, too, when they were typed before it was there."""

    def __init__(self, value: str, *, id: str, hint: str, done: Callable[[], None]) -> None:  # noqa: A002 - Textual's own name
        super().__init__(value, id=id, compact=True, placeholder=hint, select_on_focus=False)
        self._done = done

    def validate_value(self, value: str) -> str:
        """The text with every hidden or acting character as a visible sign."""
        return clean(value)

    def _on_key(self, event: Key) -> None:  # type: ignore[override]  # Textual calls that of the base, too
        _lead(self, event, {"enter": self._done})

    def _on_paste(self, event: Paste) -> None:
        event.stop()
        event.prevent_default()
        self.insert_text_at_cursor(clean(" ".join(event.text.split("\n"))))


class BlockField(TextArea):
    """Several lines of a dialog. They fit in the field: the keys that page are for the preview, as everywhere."""

    TAKES = _TAKEN

    def __init__(self, value: str, *, id: str, hint: str) -> None:  # noqa: A002 - Textual's own name
        super().__init__(value, id=id, compact=True, placeholder=hint, show_line_numbers=False)

    def _on_key(self, event: Key) -> None:  # type: ignore[override]  # as above
        screen: Any = self.screen
        _lead(self, event, {"pagedown": screen.action_preview_down, "pageup": screen.action_preview_up})

    async def _on_paste(self, event: Paste) -> None:
        event.stop()
        event.prevent_default()
        found = self.replace(clean_block(event.text), *self.selection)
        self.move_cursor(found.end_location)


def _lead(field: Widget, event: Key, keys: Mapping[str, Callable[[], object]]) -> None:
    """Do what a key does that leads away; a key that came behind such a one belongs to where the focus went."""
    screen = field.screen
    target = screen.focused
    leading = {"tab": screen.focus_next, "shift+tab": screen.focus_previous, **keys}
    if target is not None and target is not field:
        target.post_message(Key(event.key, event.character))
    elif event.key in leading:
        leading[event.key]()
    else:
        return
    event.stop()
    event.prevent_default()
