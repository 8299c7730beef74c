"""Pages beside the main screen: decisions and plan. Each is a live list about one family of files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Label

from harness_tui.model.epic import Epics
from harness_tui.model.frozen import replace
from harness_tui.model.work_plan import WorkPlans
from harness_tui.tui.actions import actions_of, way_back_early
from harness_tui.tui.bindings import bindings
from harness_tui.tui.facts import Fact, spaced
from harness_tui.tui.facts_epics import (
    BUDGET_STYLE,
    budget_facts,
    decision_facts,
    decision_line,
    in_order,
    packet_facts,
    unknown_facts,
)
from harness_tui.tui.facts_loop import loop_facts
from harness_tui.tui.facts_plan import work_plan_facts
from harness_tui.tui.gauge import budget_words, gauge, least_left, whose
from harness_tui.tui.screens.leaving import Leaving
from harness_tui.tui.styles import screen_stylesheet
from harness_tui.tui.text import literal
from harness_tui.tui.widgets.action_bar import ActionBar
from harness_tui.tui.widgets.fact_list import FactList
from harness_tui.tui.widgets.line_input import LineInput
from harness_tui.tui.widgets.pending_strip import PendingStrip
from harness_tui.tui.widgets.status_bar import needs_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from textual.app import ComposeResult

    from harness_tui.model.decision import Decision
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.tui.actions import Action, Area
    from harness_tui.tui.messages import FactChosen
    from harness_tui.tui.widgets.line_input import LineInput as _LineInput

WIDE: Final = 100
"""Columns from which list and details stand beside each other."""
AIRY: Final = 24
"""Rows from which groups stand apart."""
_HINTS: Final = frozenset({"help", "back", "search", "copy", "select", "next_need", "quit"})
_OF_LINES: Final = frozenset({"search", "copy", "select"})


class Page(Leaving, Screen[None], inherit_bindings=False):
    """A titled list that follows the snapshots. Enter opens the source of a line."""

    AREAS: tuple[Area, ...] = ("app", "list")
    CSS_PATH: ClassVar[Any] = screen_stylesheet("page")
    DETAIL = False
    """Whether there is a second list."""

    def __init__(
        self, name: str, title: Callable[[Snapshot], Content], facts: Callable[[Snapshot, datetime], Sequence[Fact]],
        empty: str,
    ) -> None:  # fmt: skip
        super().__init__(name=f"page-{name}")
        self._title = title
        self._facts = facts
        self._empty = empty
        self._ready = False
        self._searched: FactList | None = None
        self._wanted = ""

    def compose(self) -> ComposeResult:
        """Title, list, hints."""
        yield Label("", classes="page-title", markup=False)
        yield PendingStrip()
        with Container(classes="page-body"):
            yield FactList(id="page-list", empty=self._empty)
            if self.DETAIL:
                yield FactList(id="page-detail")
        yield LineInput()
        yield ActionBar()

    def on_mount(self) -> None:
        """Show what is known."""
        if self not in self.app.screen_stack:
            return  # closed before it was drawn
        self.query_one(ActionBar).show(self._hints())
        self._ready = True
        self.set_focus(self.list)
        self.on_screen_resume()

    def on_screen_resume(self) -> None:
        """Catch up with what changed while another screen lay above."""
        app: Any = self.app
        if app.snapshot is not None:
            self.show(app.snapshot, app.now())
        else:
            self.list.show([Fact(literal("Nothing was read yet.", "$text-muted"), heading=True)])

    def _hints(self) -> Sequence[Action]:
        own = self.AREAS[-1]
        hints = (action for action in actions_of(*self.AREAS) if action.id in _HINTS or action.area == own)
        return way_back_early(hints)

    @property
    def list(self) -> FactList:
        """The list that has the keys."""
        return self.query_one("#page-list", FactList)

    @property
    def detail(self) -> FactList:
        """The second list, where there is one."""
        return self.query_one("#page-detail", FactList)

    def show(self, snapshot: Snapshot, now: datetime) -> None:
        """Show a new snapshot; the cursor stays."""
        if self._ready:
            title = Content.assemble(self._title(snapshot), "  ", literal(*needs_words(snapshot)))
            self.query_one(".page-title", Label).update(title)
            self.list.show(self._laid_out(self._shown(snapshot, now)))
            self._find_wanted()
            self._offer()

    def _offer(self) -> None:
        """Name the keys that do something here: none that needs a line where there is none."""
        idle = frozenset() if self.list.facts else _OF_LINES
        self.query_one(ActionBar).show([action for action in self._hints() if action.id not in idle])

    def _shown(self, snapshot: Snapshot, now: datetime) -> Sequence[Fact]:
        return self._facts(snapshot, now)

    def _laid_out(self, facts: Sequence[Fact]) -> Sequence[Fact]:
        """With empty lines between groups where there is room for them."""
        return spaced(facts) if self.app.size.height >= AIRY else facts

    def select(self, key: str) -> None:
        """Put the cursor on the line that is about `key`, the id of an item of the inbox, once it is shown."""
        self._wanted = key
        if self._ready:
            self._find_wanted()

    covers_pools = True

    @property
    def current_key(self) -> str:
        """What the current line is about."""
        return self._focused_list.current_key

    def search(self) -> None:
        """Find a line."""
        self.query_one(LineInput).open("find", "find")

    def back(self) -> bool:
        """Close the search line; False when there was none."""
        return self.query_one(LineInput).give_up()

    def line_to_copy(self) -> str:
        """The current line."""
        return self._focused_list.current_line

    def view_to_copy(self) -> str:
        """All lines."""
        return "\n".join(self._focused_list.lines)

    @property
    def _focused_list(self) -> FactList:
        return self.focused if isinstance(self.focused, FactList) else self.list

    def _find_wanted(self) -> None:
        for found in self.query(FactList) if self._wanted else ():
            if found.find_key(self._wanted):
                self._wanted = ""
                found.focus()
                return

    def on_fact_chosen(self, event: FactChosen) -> None:
        """Open the source of a line."""
        event.stop()
        app: Any = self.app
        app.open_fact(event.fact)

    def on_line_input_changed(self, event: _LineInput.Changed) -> None:
        """Go to the first line that matches so far, in the first list that has one."""
        event.stop()
        lists = (found for found in self.query(FactList) if found.display)
        found = next((found for found in lists if found.find(event.text)), None) if event.text else self._searched
        self.query_one(LineInput).tell(found=found is not None or not event.text)
        self._searched = found or self.list

    def on_line_input_closed(self) -> None:
        """Back to the list in which something was found."""
        self.set_focus(self._searched or self.list)


class DecisionPage(Page, inherit_bindings=False):
    """Questions on the left, everything about the chosen one on the right; then budgets and unknowns.

    Open questions come first, in the order of their packet. Enter on one that is open answers it.
    """

    AREAS = ("app", "list", "decisions")
    DETAIL = True
    BINDINGS = bindings("decisions")

    def __init__(self) -> None:
        super().__init__("decisions", _decisions_title, epic_facts, _NO_EPICS)
        self._decisions: dict[str, Decision] = {}
        self._now: datetime | None = None
        self._detailed = ""

    def on_resize(self) -> None:
        """Beside each other where there is room, else one above the other."""
        self.set_class(self.size.width < WIDE, "-stacked")

    def show(self, snapshot: Snapshot, now: datetime) -> None:
        """Show a new snapshot; the chosen question stays chosen."""
        if self._ready:
            self._now = now
            decisions = snapshot.epics.decisions if snapshot.epics is not None else ()
            self._decisions = in_order(decisions)
            super().show(snapshot, now)
            self._detail()

    @property
    def current_key(self) -> str:
        """What the current line is about; while the details have the keys, the question that they are of."""
        return self._detailed if self.detail.has_focus else super().current_key or self._detailed

    def step(self, _by: int) -> None:
        """Between the list and the details."""
        (self.list if self.detail.has_focus or not self.detail.display else self.detail).focus()

    def on_fact_chosen(self, event: FactChosen) -> None:
        """Answer an open question, in place of opening its source."""
        chosen = self._decisions.get(event.fact.key)
        if chosen is not None and chosen.state == "open":
            event.prevent_default()
            event.stop()
            self.action_answer()

    def action_answer(self) -> None:
        """Answer the chosen question."""
        chosen = self._decisions.get(self.current_key)
        app: Any = self.app
        if chosen is None:
            self.notify("no question is chosen", markup=False)
            return
        if not _may_be_answered(chosen):
            self.notify(f"{chosen.question_id} is {chosen.state} already: {chosen.resolution or ''}", markup=False)
            return
        waiting = [item for item in self._decisions.values() if item.state == "open" and item.epic_id == chosen.epic_id]
        app.answer(chosen, waiting)

    def on_fact_list_highlighted(self, event: FactList.Highlighted) -> None:
        """Another question is chosen."""
        if event.fact_list is self.list:
            self._detail()

    def _hints(self) -> Sequence[Action]:
        """Enter answers a question that is open, D also one that was put off."""
        chosen = self._decisions.get(self.list.current_key)
        if chosen is None or not _may_be_answered(chosen):
            return [action for action in super()._hints() if action.id != "answer"]
        if chosen.state != "open":
            return super()._hints()
        hints = (action for action in super()._hints() if action.id != "answer")
        return [replace(action, label="answer") if action.id == "select" else action for action in hints]

    def _detail(self) -> None:
        key = self.list.current_key
        chosen = self._decisions.get(key)
        self.detail.display = bool(self._decisions)
        self._offer()
        if chosen is not None and self._now is not None:
            self.detail.show(self._laid_out(decision_facts(chosen, self._now)), top=key != self._detailed)
            self._detailed = key


def _may_be_answered(decision: Decision) -> bool:
    """Whether an answer may be recorded, or one that is recorded in a part of the files only be completed."""
    return decision.state in ("open", "deferred") or bool(decision.why)


def plan_page() -> Page:
    """Blockers, tasks and reviews of the PLAN.md files."""

    def facts(snapshot: Snapshot, _now: datetime) -> Sequence[Fact]:
        return work_plan_facts(snapshot.plans or WorkPlans())

    return Page("plan", _plan_title, facts, _NO_PLAN)


def epic_facts(snapshot: Snapshot, now: datetime) -> list[Fact]:
    """Everything about the epics: questions, budgets, unknowns."""
    epics = snapshot.epics or Epics()
    several = len({item.epic_id for item in epics.decisions}) > 1
    facts = packet_facts(epics.packets)
    facts += [decision_line(item, key, epic=several) for key, item in in_order(epics.decisions).items()]
    facts += budget_facts(epics.budgets, now)
    return facts + unknown_facts(epics.unknowns, epics.assumptions)


def _decisions_title(snapshot: Snapshot) -> Content:
    epics = snapshot.epics or Epics()
    opened = sum(item.state == "open" for item in epics.decisions)
    parts = [literal(f"Decisions · {opened} open", "bold")]
    if epics.budgets:
        least = least_left(epics.budgets)
        several = whose(len(epics.budgets))
        words = f"  budget {gauge(least)} {budget_words(least)}{several}".replace("  ", " ")
        parts.append(literal(f" {words}", BUDGET_STYLE[least.state]))
    return Content.assemble(*parts)


def _plan_title(snapshot: Snapshot) -> Content:
    waiting = len(snapshot.plans.waiting) if snapshot.plans is not None else 0
    words = f"⊘ {waiting} blocker{'s' if waiting != 1 else ''} wait{'' if waiting != 1 else 's'} for you"
    return Content.assemble(
        literal("Plan and blockers  ", "bold"), literal(words if waiting else "", "$text-error bold")
    )


def overview_facts(snapshot: Snapshot, now: datetime) -> list[Fact]:
    """What is there in a workspace without pools: only the families that it has, a lock before all."""
    facts: list[Fact] = []
    if snapshot.epics is not None:
        facts += epic_facts(snapshot, now)
    if snapshot.plans is not None:
        facts += work_plan_facts(snapshot.plans)
    loop = loop_facts(snapshot.servo)
    handback = snapshot.servo.handback if snapshot.servo is not None else None
    locked = handback is not None and handback.locked
    return spaced(loop + facts if locked else facts + loop)


_NO_EPICS: Final = """No questions and no budgets here.

Looked below the workspace for
  .harness/features/<epic>/state.json             an interrupt budget
  .harness/features/<epic>/decision-packet.json   questions to answer now
  .harness/features/<epic>/decision-bundle.json   all questions of an epic

Write one of them and it appears here. harness-tui demo shows what it would look like."""
_NO_PLAN: Final = """No plan here.

Looked below the workspace for
  PLAN.md                        the plan of the project
  docs/features/<slug>/PLAN.md   the plan of a feature
  plans/                         plans by name

Write one of them and it appears here."""
