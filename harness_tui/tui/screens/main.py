"""The main screen: pool, task, log and what waits for the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from textual.containers import Container, Vertical
from textual.screen import Screen

from harness_tui.model.frozen import replace
from harness_tui.rules.stream import shown_tally
from harness_tui.tui.actions import actions_of
from harness_tui.tui.compositor import NarrowCompositor
from harness_tui.tui.screens.searching import Searching
from harness_tui.tui.sizes import LEAST, arrangement
from harness_tui.tui.widgets.action_bar import ActionBar
from harness_tui.tui.widgets.fact_list import FactList
from harness_tui.tui.widgets.inbox_panel import InboxPanel
from harness_tui.tui.widgets.log_panel import LogPanel
from harness_tui.tui.widgets.overview_panel import OverviewPanel
from harness_tui.tui.widgets.pending_strip import PendingStrip
from harness_tui.tui.widgets.pool_panel import PoolPanel
from harness_tui.tui.widgets.status_bar import StatusBar
from harness_tui.tui.widgets.tally_bar import TallyBar
from harness_tui.tui.widgets.task_panel import TaskPanel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from textual.app import ComposeResult
    from textual.dom import DOMNode
    from textual.events import ScreenResume

    from harness_tui.model.inbox import InboxItem
    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.model.stream import Stream
    from harness_tui.tui.actions import Area
    from harness_tui.tui.messages import FactChosen
    from harness_tui.tui.widgets.panel_tabs import PanelTabs
    from harness_tui.tui.widgets.pool_table import PoolTable
    from harness_tui.tui.widgets.row_table import RowTable
    from harness_tui.workspace.live import Live

PANELS: Final = ("pool", "task", "log", "inbox")
OVERVIEW: Final = "overview"
"""The panel that stands for pool, task and log while there is no pool."""
_URGENT, _LOCKED, _IDLE = 63, 59, 32
"""Places among the hints: of a start and a stop, the one that is of use now first; of the signal that a lock needs."""


class MainScreen(Searching, Screen[None], inherit_bindings=False):
    """Shows one pool of the snapshot. What is selected in the table leads the other panels."""

    AREAS: tuple[Area, ...] = ("app", "list")
    AUTO_FOCUS = ""  # on_mount knows better

    def __init__(self, now: Callable[[], datetime]) -> None:
        super().__init__(id="main")
        self._compositor = NarrowCompositor()
        self._now = now
        self.snapshot: Snapshot | None = None
        self.pool_id: str | None = None
        self.last_pool_id: str | None = None
        self._lower = "log"
        self._zoomed = False
        self._last_need = ""
        self._ready = False
        self._styled = False
        self._health = ("live", "")
        self._live: Live | None = None
        self._tabs: PanelTabs | None = None

    def compose(self) -> ComposeResult:
        """Header, tally, panels, hints. What few screens show is made when it is first needed: each widget costs."""
        overview, pool, log, task, inbox = OverviewPanel(), PoolPanel(), LogPanel(), TaskPanel(), InboxPanel()
        # Textual takes default styles over as widgets come, and parses them again for one that is derived further.
        for widget in (log.view, pool.table, task.list, inbox.list, overview, pool, log, task, inbox):
            widget._post_register(self.app)  # noqa: SLF001 - nothing else takes over styles
        yield StatusBar(id="status")
        yield PendingStrip()
        yield TallyBar(id="tally")
        with Container(id="body"):
            with Vertical(id="left"):
                yield overview
                yield pool
                yield log
            with Vertical(id="right"):
                yield task
                yield inbox
        yield ActionBar(id="actions")

    # What is shown

    @property
    def pool(self) -> Pool | None:
        """The pool on view."""
        pools = self.snapshot.pools if self.snapshot else ()
        return next((pool for pool in pools if pool.id == self.pool_id), None)

    @property
    def stream(self) -> Stream | None:
        """The stream of the pool on view."""
        return self.snapshot.streams.get(self.pool_id or "") if self.snapshot is not None else None

    @property
    def selected(self) -> Task | None:
        """The selected task."""
        return self.query_one(PoolPanel).table.current

    @property
    def focused_panel(self) -> str:
        """Which panel has the keys."""
        if self._line is not None and self._line.is_open:
            return self._asking
        node: DOMNode | None = self.focused
        while node is not None and node.id not in (*PANELS, OVERVIEW):
            node = node.parent
        return node.id if node is not None and node.id else self._stand_in("pool")

    @property
    def current_key(self) -> str:
        """What the current line of the overview or of the needs is about; empty in the other panels."""
        panel = self.focused_panel
        return self.query_one(f"#{panel} .keys", FactList).current_key if panel in (OVERVIEW, "inbox") else ""

    def show(self, snapshot: Snapshot, now: datetime) -> None:
        """Show a new snapshot; the pool that was on view stays on view."""
        self.snapshot = snapshot
        ids = [pool.id for pool in snapshot.pools]
        if self.pool_id not in ids:
            self.pool_id = snapshot.stream.pool_id if snapshot.stream.pool_id in ids else (ids[0] if ids else None)
        if not self._ready:
            return
        pool = self.pool
        if not ids:
            self.query_one(OverviewPanel).show(snapshot, now)
        self.query_one(PoolPanel).show(pool, now, self.stream)
        self.query_one(TallyBar).show(shown_tally(pool, self.stream) if pool else {})
        self.query_one(TallyBar).display = pool is not None
        self.query_one(LogPanel).show(snapshot, self.pool_id, self.selected)
        self.query_one(InboxPanel).show(snapshot, now)
        self.query_one(TaskPanel).show(snapshot, pool, self.selected, now)
        if bool(ids) == self.query_one(OverviewPanel).display:
            self.go_to("pool")
        elif self.query_one(InboxPanel).occupied != self.query_one(InboxPanel).display:
            self._arrange(self.focused_panel)
        if self._tabs is not None:
            self._tabs.show(self._tab_names(), self.focused_panel)
        self._offer()

    def tick(self, health: tuple[str, str], now: datetime) -> None:
        """Redraw what depends on the clock alone."""
        self._health = health
        if self.snapshot is not None and self._ready:
            self.query_one(StatusBar).show(self.snapshot, self.pool_id, health, now)
            self.query_one(LogPanel).tick()

    def show_pool(self, pool_id: str, now: datetime) -> None:
        """Put another pool on view."""
        if self.snapshot is None or pool_id == self.pool_id:
            return
        self.last_pool_id, self.pool_id = self.pool_id, pool_id
        self.show(self.snapshot, now)

    def select_task(self, pool_id: str, task_id: str, now: datetime) -> None:
        """Put a task of any pool on view."""
        self.show_pool(pool_id, now)
        self.query_one(PoolPanel).table.select_task(task_id)

    def follow(self, live: Live) -> None:
        """Whom the panels ask for what is not in a snapshot."""
        self._live = live

    def next_need(self, items: Sequence[InboxItem]) -> InboxItem:
        """The most urgent item, or the one after the one that was asked for last."""
        ids = [item.id for item in items]
        place = ids.index(self._last_need) + 1 if self._last_need in ids else 0
        item = items[place % len(items)]
        self._last_need = item.id
        return item

    def show_need(self, item: InboxItem) -> None:
        """Put the cursor of the list of needs on an item."""
        self.query_one(InboxPanel).select(item)

    # Back, copy

    def back(self) -> None:
        """Close the line of a search, else end the zoom, else clear what is filtered, else go to the pool."""
        table, log = self.query_one(PoolPanel), self.query_one(LogPanel)
        given_up = self._line is not None and self._line.give_up()
        if given_up or (not self._zoomed and self.focused_panel == "log" and log.clear()):
            return
        if self._zoomed:
            self.zoom()
        elif table.table.filter_words and self.focused_panel == "pool":
            table.table.status_only = None
            table.filter("")
        else:
            self.go_to("pool")

    def line_to_copy(self) -> str:
        """The selected line of the focused panel."""
        return self._listing.current_line

    def view_to_copy(self) -> str:
        """All lines of the focused panel."""
        return "\n".join(self._listing.lines)

    @property
    def _listing(self) -> PoolTable | LogPanel | FactList:
        """What knows the lines of the focused panel."""
        panel = self.focused_panel
        if panel == "pool":
            return self.query_one(PoolPanel).table
        return self.query_one(LogPanel) if panel == "log" else self.query_one(f"#{panel} .keys", FactList)

    def on_fact_chosen(self, event: FactChosen) -> None:
        """Follow a line of a list to its source, or from the list of needs to what settles it."""
        event.stop()
        app: Any = self.app
        if self.focused_panel == "inbox" or event.fact.task_id is None:
            app.open_fact(replace(event.fact, task_id=None) if event.fact.path else event.fact)
        else:
            app.open_fact(event.fact)

    # Panels

    def go_to(self, name: str) -> None:
        """Give the keys to a panel, and show it where only some are shown."""
        name = "pool" if name == OVERVIEW else name  # there may be a pool by now
        if name not in PANELS:
            return
        name = self._stand_in(name)
        if name not in ("pool", OVERVIEW):
            self._lower = name
        self._arrange(name)
        self.set_focus(self.query_one(f"#{name} .keys"))  # at once: the next key may wait already

    def step(self, by: int) -> None:
        """To the next or the previous panel."""
        names = PANELS if self.pool is not None else (OVERVIEW, "inbox")
        shown = [name for name in names if name != "inbox" or self.query_one(InboxPanel).occupied]
        place = shown.index(self.focused_panel) if self.focused_panel in shown else 0
        target = shown[(place + by) % len(shown)]
        self.go_to(target)

    def zoom(self) -> None:
        """Give the focused panel everything, or take it back."""
        self._zoomed = not self._zoomed
        self._arrange(self.focused_panel)

    def on_mount(self) -> None:
        """Begin in the pool table."""
        if not self.query(InboxPanel):  # a signal ended the dashboard before it was composed
            return
        if self._live is not None:
            self.query_one(TaskPanel).follow(self._live, self._now)
            self.query_one(LogPanel).follow(self._live)
        self._ready = True
        if self.snapshot is not None:
            self.show(self.snapshot, self._now())
            self.tick(self._health, self._now())
        self._arrange("pool")
        self.go_to("pool")

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Spare the first frame a second styling of every widget (Textual's own handler comes after this one)."""
        if not self._styled:
            self._styled = True
            event.refresh_styles = False

    def on_resize(self) -> None:
        """Choose the arrangement that fits."""
        if self._ready:
            self._arrange(self.focused_panel)

    def on_descendant_focus(self) -> None:
        """The hints are those of the panel that has the keys."""
        panel = self.focused_panel
        if panel not in ("pool", OVERVIEW) and (self._line is None or not self._line.is_open):
            self._lower = panel
        self._arrange(panel)
        areas: dict[str, tuple[Area, ...]] = {
            "pool": ("app", "list", "pool"), "task": ("app", "list", "task"), "log": ("app", "list", "lines", "log"),
            "inbox": ("app", "list", "inbox"), OVERVIEW: ("app", "list"),
        }  # fmt: skip
        self.AREAS = areas[panel]
        self._offer()

    def on_row_table_row_highlighted(self, event: RowTable.RowHighlighted) -> None:
        """Another task is selected."""
        if self.snapshot is not None:
            self.query_one(TaskPanel).show(self.snapshot, self.pool, event.row, self._now())
            self.query_one(LogPanel).show(self.snapshot, self.pool_id, event.row)
            if self._tabs is not None:
                self._tabs.show(self._tab_names(), self.focused_panel)

    def on_row_table_row_selected(self) -> None:
        """Enter on a task goes to its details."""
        self.go_to("task")

    def on_panel_tabs_chosen(self, event: PanelTabs.Chosen) -> None:
        """A click on a tab."""
        self.go_to(event.name)

    def _offer(self) -> None:
        """Name the keys that do something now, in the order of what is of use now."""
        hints = actions_of(*self.AREAS)
        if self.snapshot is not None:
            idle = self._idle(self.snapshot)
            places = _places(self.snapshot, empty="select" in idle)
            hints = tuple(
                replace(item, footer=places.get(item.id, item.footer)) for item in hints if item.id not in idle
            )
        self.query_one(ActionBar).show(hints)

    def _idle(self, snapshot: Snapshot) -> set[str]:
        """Keys that would only say that there is nothing to do."""
        idle = set() if snapshot.inbox else {"next_need"}
        idle |= set() if snapshot.pools else {"add", "skip"}
        idle |= set() if len(snapshot.pools) > 1 else {"pools"}
        if any(not found.facts for found in self.query(f"#{self.focused_panel} .keys").results(FactList)):
            idle |= {"search", "copy", "select"} if snapshot.inbox else {"search", "copy", "select", "why"}
        return idle

    def _filter_pool(self, text: str) -> None:
        self.query_one(PoolPanel).filter(text)
        if self.selected is None and self.snapshot is not None:
            self.query_one(TaskPanel).show(self.snapshot, self.pool, None, self._now())

    def _stand_in(self, name: str) -> str:
        """`name`, or the overview where the panel of that name would have no pool to show."""
        return OVERVIEW if name != "inbox" and self.snapshot is not None and not self.snapshot.pools else name

    def _tab_names(self) -> dict[str, str]:
        inbox = f"4 Needs you {self.query_one(InboxPanel).count or ''}".rstrip()
        if self._stand_in("pool") == OVERVIEW:
            return {OVERVIEW: "1 Overview", "inbox": inbox}
        task = f"2 {self.selected.id if self.selected else 'Task'}"
        return {"pool": f"1 {self.pool_id or 'Pool'}", "task": task, "log": "3 Log", "inbox": inbox}

    def _arrange(self, focused: str) -> None:
        """Which panels are shown, by the size of the screen and what has the keys."""
        width, height = self.size
        if not width or not self.is_attached:  # before the first frame, and once the dashboard ends
            return
        mode = "single" if self._zoomed else arrangement(width, height)
        self.set_class(mode == "stacked", "-stacked")
        self.set_class(mode == "single", "-single")
        self.set_class(self._stand_in("pool") == OVERVIEW, "-overview")
        self._say_too_small(too_small=width < LEAST[0] or height < LEAST[1])
        needs = self.query_one(InboxPanel).occupied or focused == "inbox"
        shown = {
            "wide": {"pool", "task", "log"} | ({"inbox"} if needs else set()),
            "stacked": {"pool", self._lower},
            "single": {focused},
        }[mode]
        shown = {self._stand_in(name) for name in shown}
        for name in (*PANELS, OVERVIEW):
            self.query_one(f"#{name}").display = name in shown
        self.query_one("#left").display = bool(shown & {"pool", "log", OVERVIEW})
        self.query_one("#right").display = bool(shown & {"task", "inbox"})
        self._show_tabs(focused, needed=mode != "wide")

    def _say_too_small(self, *, too_small: bool) -> None:
        if too_small and not self.query("TooSmall"):
            from harness_tui.tui.widgets.too_small import TooSmall  # noqa: PLC0415 - seldom needed

            self.mount(TooSmall(LEAST))
        self.set_class(too_small, "-too-small")

    def _show_tabs(self, focused: str, *, needed: bool) -> None:
        if needed and self._tabs is None:
            from harness_tui.tui.widgets.panel_tabs import PanelTabs  # noqa: PLC0415 - not on a wide screen

            self._tabs = PanelTabs(id="tabs")
            self.mount(self._tabs, before="#body")
        if self._tabs is not None:
            self._tabs.display = needed
            self._tabs.show(self._tab_names(), focused)


def _places(snapshot: Snapshot, *, empty: bool) -> dict[str, int]:
    """Places of hints that depend on the state: STOP while something runs, else a start; the signal a lock waits for.

    `empty` says that there is nothing to show; a plan or an epic alone is not drained by a stream.
    """
    places: dict[str, int] = {}
    if all(stream.state != "running" for stream in snapshot.streams.values()):
        places["stop"] = _IDLE
        if snapshot.pools or empty:
            places["launch"] = _URGENT
    handback = snapshot.servo.handback if snapshot.servo is not None else None
    if handback is not None and handback.locked:
        places["unlock"] = _LOCKED
    return places
