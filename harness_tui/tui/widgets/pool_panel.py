"""The panel of the pool table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.tui.widgets.panel import Panel
from harness_tui.tui.widgets.pool_table import PoolTable

if TYPE_CHECKING:
    from datetime import datetime

    from textual.app import ComposeResult

    from harness_tui.model.pool import Pool
    from harness_tui.model.stream import Stream


class PoolPanel(Panel):
    """Frame and table; the frame tells how many rows are shown, filtered and sorted by what."""

    def __init__(self) -> None:
        super().__init__(1, "Pool", id="pool")
        self.table = PoolTable()
        self.table.add_class("keys", update=False)

    def compose(self) -> ComposeResult:
        """The table."""
        yield self.table

    def show(self, pool: Pool | None, now: datetime, stream: Stream | None = None) -> None:
        """Show `pool`, whose stream is `stream`."""
        self.table.show(pool, now, stream)
        self._tell()

    def filter(self, text: str) -> None:
        """Filter rows by a text."""
        self.table.set_filter(text)
        self._tell()

    def on_pool_table_view_changed(self) -> None:
        """Sort or filter changed."""
        self._tell()

    def _tell(self) -> None:
        table = self.table
        pool = table.pool
        if pool is None:
            self.name_panel("Pool")
            return
        count = (
            f"{len(table.rows)} of {len(pool.tasks)}" if len(table.rows) != len(pool.tasks) else f"{len(pool.tasks)}"
        )
        stale = " · last good reading, re-reading" if pool.stale else ""
        sort = "" if table.sort_key == "plan" else f"by {table.sort_key}"
        note = " · ".join(part for part in (table.filter_words, sort) if part)
        self.name_panel(f"{pool.kind.capitalize()} pool {pool.id} · {count}{stale}", note)
