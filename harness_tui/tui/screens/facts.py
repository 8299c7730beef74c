"""A window with a list of facts over the screen: reasons, problems, what happened, the graph, pools, help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.screen import ModalScreen

from harness_tui.tui.actions import actions_of
from harness_tui.tui.bindings import bindings
from harness_tui.tui.screens.leaving import Leaving
from harness_tui.tui.styles import screen_stylesheet
from harness_tui.tui.widgets.action_bar import ActionBar
from harness_tui.tui.widgets.fact_list import FactList
from harness_tui.tui.widgets.line_input import LineInput
from harness_tui.tui.widgets.window import Window

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from harness_tui.tui.facts import Fact
    from harness_tui.tui.messages import FactChosen

_HERE = ("back", "search", "copy", "copy_view", "select")


class FactScreen(Leaving, ModalScreen["Fact | None"], inherit_bindings=False):
    """Ends with the chosen fact, or with None when it is closed. `q` and Esc close it; `/` finds a line."""

    CSS_PATH: ClassVar[Any] = screen_stylesheet("facts")
    BINDINGS = bindings("app", only=("back", "quit", "search", "copy", "copy_view"))

    def __init__(self, title: str, facts: Sequence[Fact], empty: str = "Nothing.") -> None:
        super().__init__()
        self._title = title
        self._facts = tuple(facts)
        self._empty = empty

    def compose(self) -> ComposeResult:
        """Frame, list, hints."""
        with Window(self._title):
            yield FactList(id="facts", empty=self._empty)
            yield LineInput()
            yield ActionBar()

    def on_mount(self) -> None:
        """Fill the list."""
        self.facts.show(self._facts, top=True)
        self.set_focus(self.facts)
        here = set(_HERE) if self._facts else {"back"}
        here -= set() if any(map(_leads, self._facts)) else {"select"}
        self.query_one(ActionBar).show([action for action in actions_of("app", "list") if action.id in here])

    @property
    def facts(self) -> FactList:
        """The list."""
        return self.query_one(FactList)

    def on_fact_chosen(self, event: FactChosen) -> None:
        """Close with what was chosen, if it leads anywhere."""
        event.stop()
        if _leads(event.fact):
            self.dismiss(event.fact)

    def action_back(self) -> None:
        """Close the search line, else the window."""
        if self.query_one(LineInput).give_up():
            self.set_focus(self.facts)
        else:
            self.dismiss(None)

    def action_quit(self) -> None:
        """`q` closes the window, not the dashboard."""
        self.dismiss(None)

    def action_search(self) -> None:
        """Find a line of the list."""
        self.query_one(LineInput).open("find", "find")

    def line_to_copy(self) -> str:
        """The current line."""
        return self.facts.current_line

    def view_to_copy(self) -> str:
        """All lines."""
        return "\n".join(self.facts.lines)

    async def action_copy(self) -> None:
        """Copy the current line."""
        await self.run_action("app.copy")

    async def action_copy_view(self) -> None:
        """Copy all lines."""
        await self.run_action("app.copy_view")

    def on_line_input_changed(self, event: LineInput.Changed) -> None:
        """Go to the first line that matches so far."""
        self.query_one(LineInput).tell(found=not event.text or self.facts.find(event.text))

    def on_line_input_closed(self) -> None:
        """Back to the list."""
        self.set_focus(self.facts)


def _leads(fact: Fact) -> bool:
    """Whether there is anything to open."""
    return fact.path is not None or fact.task_id is not None or fact.pool_id is not None
