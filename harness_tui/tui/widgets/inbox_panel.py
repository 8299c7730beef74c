"""What waits for the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.rules.inbox import asking, waiting_behind
from harness_tui.tui.bindings import bindings
from harness_tui.tui.facts import Fact
from harness_tui.tui.facts_inbox import inbox_facts, verify_facts
from harness_tui.tui.text import literal
from harness_tui.tui.widgets.fact_list import FactList
from harness_tui.tui.widgets.panel import Panel

if TYPE_CHECKING:
    from datetime import datetime

    from textual.app import ComposeResult

    from harness_tui.model.inbox import InboxItem
    from harness_tui.model.snapshot import Snapshot


class InboxList(FactList, inherit_bindings=False):
    """The list of needs."""

    BINDINGS = bindings("list", "inbox")


class InboxPanel(Panel):
    """All items of all pools, most urgent first, then the newest result of verify_all."""

    def __init__(self) -> None:
        super().__init__(4, "Needs you", id="inbox")
        self.list = InboxList(id="inbox-list", empty="Nothing needs you.")
        self.list.add_class("keys", update=False)
        self.items: tuple[InboxItem, ...] = ()
        self._verified = False

    def compose(self) -> ComposeResult:
        """The list."""
        yield self.list

    @property
    def count(self) -> int:
        """How many items ask for something soon."""
        return len(asking(self.items))

    @property
    def occupied(self) -> bool:
        """Whether there is anything to list."""
        return bool(self.items) or self._verified

    def show(self, snapshot: Snapshot, now: datetime) -> None:
        """List the items of `snapshot`."""
        self.items = snapshot.inbox
        pools = {pool.id: pool for pool in snapshot.pools}
        behind = {
            item.id: waiting_behind(pools[item.pool_id], item.task_id)
            for item in snapshot.inbox
            if item.task_id and item.pool_id in pools and item.kind == "needs-human"
        }
        self._verified = bool(snapshot.verify_runs)
        facts = inbox_facts(snapshot.inbox, now, behind) or [Fact(literal("Nothing needs you.", "$text-muted"))]
        facts += verify_facts(snapshot.verify_runs, snapshot.verify_baseline, now)
        self.list.show(facts)
        self.name_panel(f"Needs you · {self.count}" if self.count else "Needs you")

    def select(self, item: InboxItem) -> None:
        """Put the cursor on an item."""
        self.list.find_key(item.id)
