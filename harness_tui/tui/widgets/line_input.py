"""The line in which a search or filter text is typed."""

from __future__ import annotations

from typing import Final

from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Label

from harness_tui.tui.text import literal

_MISS: Final = "nothing matches · Esc closes"


class LineInput(Horizontal):
    """Shown over the action bar while open. Posts `Changed` at every key and `Closed` when it is left."""

    DEFAULT_CSS = """
    LineInput { height: 1; display: none; }
    LineInput.-open { display: block; }
    LineInput Label { width: auto; padding: 0 1 0 0; }
    LineInput .miss { color: $text-warning; }
    LineInput Input { width: 1fr; height: 1; border: none; padding: 0; background: transparent; }
    LineInput Input:focus { border: none; }
    """

    class Changed(Message):
        """The text so far."""

        def __init__(self, purpose: str, text: str) -> None:
            self.purpose = purpose
            self.text = text
            super().__init__()

    class Closed(Message):
        """The line was left: `kept` with Enter, not with Esc."""

        def __init__(self, purpose: str, text: str, *, kept: bool) -> None:
            self.purpose = purpose
            self.text = text
            self.kept = kept
            super().__init__()

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self.purpose = ""

    def open(self, purpose: str, label: str, text: str = "") -> None:
        """Ask for a text; `purpose` comes back with every message."""
        self.purpose = purpose
        if not self.children:  # made when it is first needed, not at the start
            self.mount(
                Label("", markup=False, classes="asks"),
                Input(compact=True, select_on_focus=False),
                Label("", markup=False, classes="miss"),
            )
        self.tell(found=True)
        self.query_one(".asks", Label).update(literal(label, "$text-accent bold"))
        field = self.query_one(Input)
        with self.prevent(Input.Changed):
            field.value = text
        field.cursor_position = len(text)
        self.add_class("-open")
        self.screen.set_focus(field)  # at once: the next key may wait already

    @property
    def is_open(self) -> bool:
        """Whether a text is being typed."""
        return self.has_class("-open")

    def close(self, *, kept: bool) -> None:
        """Put the line away and say so."""
        if self.is_open:
            self.remove_class("-open")
            self.post_message(self.Closed(self.purpose, self.query_one(Input).value, kept=kept))

    def tell(self, *, found: bool) -> None:
        """Say beside the text whether anything matches it."""
        self.query_one(".miss", Label).update("" if found else _MISS)

    def give_up(self) -> bool:
        """Put the line away without its text; False when it is not open."""
        was_open = self.is_open
        self.close(kept=False)
        return was_open

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass the text on."""
        event.stop()
        if self.is_open:
            self.post_message(self.Changed(self.purpose, event.value))

    def on_descendant_blur(self) -> None:
        """Whoever goes elsewhere keeps what was typed."""
        self.close(kept=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter keeps the text."""
        event.stop()
        self.close(kept=True)
