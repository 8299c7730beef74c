"""What a workspace without pools has to show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.tui.facts import heading, in_sight, labelled, spaced
from harness_tui.tui.text import literal
from harness_tui.tui.widgets.fact_list import FactList
from harness_tui.tui.widgets.panel import Panel

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.intervention import Interventions, Signal
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.tui.facts import Fact

_NOTHING: Final = """Nothing to watch here yet.

Looked below the workspace for
  docs/batches/<pool>/BATCH_PLAN.md     a pool of tasks
  .harness/features/<epic>/state.json   an interrupt budget and decisions
  .servo/control-state.md               a control loop
  PLAN.md                               a plan with blockers

Create one of them and it appears here, or start a run (L): it makes a pool, to which A adds tasks.
harness-tui demo shows what it would look like."""


class OverviewPanel(Panel):
    """Stands in the place of the pool, its task and its log while there is no pool."""

    def __init__(self) -> None:
        super().__init__(1, "Overview", id="overview")

    @property
    def _facts(self) -> FactList:
        """The list, made when it is first needed: most workspaces have pools."""
        for found in self.query(FactList):
            return found
        facts = FactList(id="overview-list", empty=_NOTHING)
        facts.add_class("keys", update=False)
        self.mount(facts)
        return facts

    def show(self, snapshot: Snapshot, now: datetime) -> None:
        """Show the signals that nobody has read, and the families that are there."""
        signals = _signal_facts(snapshot.interventions)
        facts = self._facts
        if snapshot.epics is None and snapshot.plans is None and snapshot.servo is None:
            facts.show(signals, top=True)
            return
        from harness_tui.tui.screens.page import overview_facts  # noqa: PLC0415 - most workspaces have pools

        facts.show(spaced([*signals, *overview_facts(snapshot, now)]))


def _signal_facts(waiting: Interventions) -> list[Fact]:
    """What stands in the mailbox and nobody has read, before all else: a STOP holds up whoever comes."""
    if not waiting.present:
        return []
    lines = [
        labelled(signal.state, literal(in_sight(_words(signal)), "$text-error bold"), waiting.path, signal.line)
        for signal in waiting.signals
    ]
    counts_as = labelled("counts as", literal(waiting.safest or "STOP", "$text-error bold"), waiting.path)
    return [heading("Unread signals"), *lines, counts_as]


def _words(signal: Signal) -> str:
    name = f"{signal.keyword} {signal.argument}".strip()
    return " — ".join(part for part in (name, signal.text) if part)
