"""Pages beside the main screen: decisions, control loop, plan. Each is a live list about one family of files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from textual.containers import Container
from textual.screen import Screen
from textual.widgets import Label

from harness_tui.model.epic import Epics
from harness_tui.model.work_plan import WorkPlans
from harness_tui.tui.actions import actions_of
from harness_tui.tui.facts_control import control_facts, gate_facts, handback_facts
from harness_tui.tui.facts_epics import budget_facts, decision_facts, decision_line, unknown_facts
from harness_tui.tui.facts_plan import work_plan_facts
from harness_tui.tui.text import literal
from harness_tui.tui.widgets.action_bar import ActionBar
from harness_tui.tui.widgets.fact_list import FactList
from harness_tui.tui.widgets.line_input import LineInput

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from textual.app import ComposeResult
    from textual.widgets import OptionList

    from harness_tui.model.decision import Decision
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.tui.actions import Area
    from harness_tui.tui.facts import Fact
    from harness_tui.tui.messages import FactChosen
    from harness_tui.tui.widgets.line_input import LineInput as _LineInput

WIDE: Final = 100
"""Columns from which list and details stand beside each other."""
_HINTS: Final = frozenset({"help", "back", "search", "copy", "select", "next_need", "quit"})
_KEEP: Final = ("open", "assumed", "deferred", "answered")


class Page(Screen[None], inherit_bindings=False):
    """A titled list that follows the snapshots. Enter opens the source of a line."""

    AREAS: tuple[Area, ...] = ("app", "list")

    def __init__(
        self, name: str, title: str, facts: Callable[[Snapshot, datetime], Sequence[Fact]], empty: str
    ) -> None:
        super().__init__(id=f"page-{name}")
        self._title = title
        self._facts = facts
        self._empty = empty
        self._ready = False

    def compose(self) -> ComposeResult:
        """Title, list, hints."""
        yield Label(literal(self._title, "bold"), classes="page-title", markup=False)
        with Container(classes="page-body"):
            yield FactList(id="page-list", empty=self._empty)
        yield LineInput()
        yield ActionBar()

    def on_mount(self) -> None:
        """Show what is known."""
        app: Any = self.app
        self.query_one(ActionBar).show([action for action in actions_of(*self.AREAS) if action.id in _HINTS])
        self._ready = True
        if app.snapshot is not None:
            self.show(app.snapshot, app.now())
        self.list.focus()

    @property
    def list(self) -> FactList:
        """The list that has the keys."""
        return self.query_one("#page-list", FactList)

    def show(self, snapshot: Snapshot, now: datetime) -> None:
        """Show a new snapshot; the cursor stays."""
        if self._ready:
            self.list.show(self._facts(snapshot, now))

    def search(self) -> None:
        """Find a line."""
        self.query_one(LineInput).open("find", "find")

    def back(self) -> bool:
        """Close the search line; False when there was none."""
        line = self.query_one(LineInput)
        if not line.is_open:
            return False
        line.close(kept=False)
        return True

    def line_to_copy(self) -> str:
        """The current line."""
        fact = self.list.current
        return fact.plain if fact is not None else ""

    def view_to_copy(self) -> str:
        """All lines."""
        return "\n".join(self.list.lines)

    def on_fact_chosen(self, event: FactChosen) -> None:
        """Open the source of a line."""
        event.stop()
        app: Any = self.app
        app.open_fact(event.fact)

    def on_line_input_changed(self, event: _LineInput.Changed) -> None:
        """Go to the first line that matches so far."""
        event.stop()
        if event.text:
            self.list.find(event.text)

    def on_line_input_closed(self) -> None:
        """Back to the list."""
        self.list.focus()


class DecisionPage(Page, inherit_bindings=False):
    """Questions on the left, everything about the chosen one on the right; then budgets and unknowns.

    Open questions come first, in the order of their packet.
    """

    def __init__(self) -> None:
        super().__init__("decisions", "Decisions", lambda _snapshot, _now: (), _NO_EPICS)
        self._decisions: dict[str, Decision] = {}
        self._now: datetime | None = None

    def compose(self) -> ComposeResult:
        """Title, both lists, hints."""
        yield Label(literal(self._title, "bold"), classes="page-title", markup=False)
        with Container(classes="page-body"):
            yield FactList(id="page-list", empty=self._empty)
            yield FactList(id="page-detail")
        yield LineInput()
        yield ActionBar()

    def on_resize(self) -> None:
        """Beside each other where there is room, else one above the other."""
        self.set_class(self.size.width < WIDE, "-stacked")

    def show(self, snapshot: Snapshot, now: datetime) -> None:
        """Show a new snapshot; the chosen question stays chosen."""
        if not self._ready:
            return
        self._now = now
        epics = snapshot.epics or Epics()
        order = sorted(epics.decisions, key=lambda item: (_KEEP.index(item.state), item.epic_id, item.order or 999))
        self._decisions = {f"{item.epic_id}/{item.question_id}": item for item in order}
        facts = [decision_line(item) for item in order]
        facts += budget_facts(epics.budgets, now)
        facts += unknown_facts(epics.unknowns, epics.assumptions)
        self.list.show(facts)
        opened = sum(item.state == "open" for item in order)
        left = ", ".join(f"{budget.epic_id} {budget.left} left" for budget in epics.budgets[:3])
        title = f"Decisions · {opened} open{f' · budget: {left}' if left else ''}"
        self.query_one(Label).update(literal(title, "bold"))
        self._detail()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Another question is chosen."""
        if event.option_list is self.list:
            self._detail()

    def _detail(self) -> None:
        fact = self.list.current
        chosen = self._decisions.get(fact.key) if fact is not None else None
        detail = self.query_one("#page-detail", FactList)
        detail.display = bool(self._decisions)
        if chosen is not None and self._now is not None:
            detail.show(decision_facts(chosen, self._now))


def control_page() -> Page:
    """Lock, gates and state of the control loop."""
    return Page("control", "Control loop", lambda snapshot, _now: loop_facts(snapshot), _NO_SERVO)


def plan_page() -> Page:
    """Blockers, tasks and reviews of the PLAN.md files."""

    def facts(snapshot: Snapshot, _now: datetime) -> Sequence[Fact]:
        return work_plan_facts(snapshot.plans or WorkPlans())

    return Page("plan", "Plan and blockers", facts, _NO_PLAN)


def loop_facts(snapshot: Snapshot) -> list[Fact]:
    """Everything about the control loop, the lock first."""
    servo = snapshot.servo
    if servo is None:
        return []
    facts = handback_facts(servo.handback) if servo.handback is not None else []
    facts += gate_facts(servo.worktracks, servo.milestones)
    if servo.control is not None:
        facts += control_facts(servo.control)
    return facts


def overview_facts(snapshot: Snapshot, now: datetime) -> list[Fact]:
    """What is there in a workspace without pools: only the families that it has."""
    facts: list[Fact] = []
    if snapshot.epics is not None:
        facts += [decision_line(item) for item in snapshot.epics.decisions if item.state == "open"]
        facts += budget_facts(snapshot.epics.budgets, now)
        facts += unknown_facts(snapshot.epics.unknowns, snapshot.epics.assumptions)
    if snapshot.plans is not None:
        facts += work_plan_facts(snapshot.plans)
    return facts + loop_facts(snapshot)


_NO_EPICS: Final = (
    "No epic here. Looked for .harness/features/<epic>/state.json, decision-packet.json, decision-bundle.json."
)
_NO_SERVO: Final = "No control loop here. Looked for .servo/control-state.md."
_NO_PLAN: Final = "No plan here. Looked for PLAN.md, docs/features/<slug>/PLAN.md and plans/."
