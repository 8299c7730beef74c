"""What the operator looks at: panels, pages, windows, pools and files."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from harness_tui.tui.facts import Fact, problem_facts
from harness_tui.tui.messages import READER_NAME
from harness_tui.tui.text import literal
from harness_tui.tui.theme import STREAM_SIGN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from textual.app import App

    from harness_tui.model.snapshot import Snapshot
    from harness_tui.tui.messages import OpenSource
    from harness_tui.tui.screens.main import MainScreen
    from harness_tui.tui.screens.page import Page
    from harness_tui.workspace.live import Live

    Base = App[None]
else:
    Base = object


_NO_POOL: Final = "no pool was found"


class Viewing(Base):
    """The part of the dashboard that goes from one thing to another. It writes nothing."""

    root: Path
    snapshot: Snapshot | None
    main: MainScreen
    live: Live
    now: Callable[[], datetime]

    @cached_property
    def me(self) -> str:
        """The operator, as the history names those who sent from here."""
        from harness_tui.workspace.mailbox import operator  # noqa: PLC0415 - not needed to draw the first frame

        return operator()

    def action_help(self) -> None:
        """Every key."""
        from harness_tui.tui.screens.help import help_facts  # noqa: PLC0415 - not before it is asked for

        self._window("Keys", help_facts(getattr(self.screen, "AREAS", ("app", "list"))))

    def action_command_palette(self) -> None:
        """Any command, pool or task by its name."""
        from harness_tui.tui.screens.palette import Palette  # noqa: PLC0415 - not before it is asked for

        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    def action_search(self) -> None:
        """Search or filter the focused panel."""
        searching = getattr(self.screen, "search", None)
        if searching is not None:
            searching()

    async def action_back(self) -> None:
        """Close what is open, else clear what is filtered."""
        if self.screen is self.main:
            self.main.back()
        elif not getattr(self.screen, "back", lambda: False)():
            self.pop_screen()

    def action_why(self) -> None:
        """Why what is selected is as it is; where nothing is, why something needs the operator."""
        from harness_tui.tui.facts_why import why_facts  # noqa: PLC0415 - the rules of every family, not needed before

        main, snapshot = self.main, self.snapshot
        if snapshot is None:
            self.notify("nothing was read yet", markup=False)
            return
        on_page = getattr(self.screen, "covers_pools", False)
        pool, task = (None, None) if on_page and snapshot.inbox else (main.pool, main.selected)
        facts = why_facts(snapshot, pool, task, getattr(self.screen, "current_key", ""))
        if facts:
            self._window("Why?", facts)
        else:
            self.notify("nothing is selected and nothing needs you", markup=False)

    def action_problems(self) -> None:
        """What could not be read as it should."""
        snapshot = self.snapshot
        if snapshot is None:
            return
        problems = [*snapshot.problems, *(item for pool in snapshot.pools for item in pool.problems)]
        self._window(f"Broken · {len(problems)}", problem_facts(problems), "Everything could be read.")

    def action_graph(self) -> None:
        """The pool as a tree."""
        from harness_tui.tui.screens.graph import graph_facts  # noqa: PLC0415 - not before it is asked for

        pool = self.main.pool
        if pool is None:
            self.notify(_NO_POOL, markup=False)
        else:
            self._window(f"Graph of {pool.id}", graph_facts(pool, self.main.stream), "This pool has no tasks.")

    def action_next_need(self) -> None:
        """Jump to the most urgent item; asked again, to the next one."""
        items = self.snapshot.inbox if self.snapshot else ()
        if not items:
            self.notify("nothing needs you", markup=False)
            return
        self._to_main()
        item = self.main.next_need(items)
        if item.pool_id is not None and item.task_id is not None:
            self.main.select_task(item.pool_id, item.task_id, self.now())
        self.main.go_to("inbox")
        self.main.show_need(item)

    def action_panel(self, name: str) -> None:
        """To a panel by name."""
        self._to_main()
        self.main.go_to(name)
        if name in ("task", "log") and self.snapshot is not None and not self.snapshot.pools:
            self.notify(_NO_POOL, markup=False)

    def action_next_panel(self) -> None:
        """To the next panel, on a page to its next list."""
        self._step_panel(1)

    def action_previous_panel(self) -> None:
        """To the previous panel, on a page to its previous list."""
        self._step_panel(-1)

    def action_zoom(self) -> None:
        """One panel over the whole screen, and back."""
        self._to_main()
        self.main.zoom()

    def action_page(self, name: str) -> None:
        """A page by name; its key pressed again goes back."""
        again = self.screen.name == f"page-{name}"
        self._to_main()
        if not again:
            self.open_page(name)

    def open_page(self, name: str, key: str = "") -> None:
        """A page by name, its cursor on the line that is about `key`."""
        from harness_tui.tui.screens.control import ControlPage  # noqa: PLC0415 - seldom needed
        from harness_tui.tui.screens.page import DecisionPage, plan_page  # noqa: PLC0415 - seldom needed
        from harness_tui.tui.screens.signals import SignalPage  # noqa: PLC0415 - as above

        pages: dict[str, Callable[[], Page]] = {
            "decisions": DecisionPage, "control": ControlPage, "plan": plan_page,
            "signals": partial(SignalPage, self.me),
        }  # fmt: skip
        page = pages[name]()
        page.select(key)
        self.push_screen(page)

    def action_pools(self) -> None:
        """Choose a pool."""
        snapshot = self.snapshot
        pools = snapshot.pools if snapshot else ()
        if snapshot is None or not pools:
            self.notify(_NO_POOL, markup=False)
            return
        facts = []
        for pool in pools:
            stream = snapshot.streams[pool.id]
            done = pool.tally.get("done", 0)
            count = f"{done}/{len(pool.tasks)} done"
            words = f"{STREAM_SIGN[stream.state]} {pool.id.ljust(28)} {pool.kind}  {count}  {stream.state}"
            facts.append(Fact(literal(words, "bold" if pool.id == self.main.pool_id else ""), pool_id=pool.id))
        self._window("Pools", facts)

    def action_open_pool(self, name: str) -> None:
        """A pool by its id."""
        self._to_main()
        self.main.show_pool(name, self.now())

    def action_last_pool(self) -> None:
        """The pool that was on view before this one."""
        if self.main.last_pool_id:
            self.main.show_pool(self.main.last_pool_id, self.now())
        else:
            self.notify("no other pool was shown before", markup=False)

    def action_next_pool(self) -> None:
        """The next pool."""
        self._step_pool(1)

    def action_previous_pool(self) -> None:
        """The pool before."""
        self._step_pool(-1)

    def on_open_source(self, event: OpenSource) -> None:
        """Show a file."""
        self.open_source(event.path, event.line)

    def open_source(self, path: str, line: int | None, *, document: bool = False) -> None:
        """Show a file of the workspace at a line; a document is rendered."""
        from harness_tui.tui.screens.reader import ReaderScreen  # noqa: PLC0415 - its Markdown parser is not needed before

        if self.screen.name == READER_NAME:
            self.pop_screen()
        self.push_screen(ReaderScreen(self.root, path, line, self.live, rendered=document or line is None))

    def open_fact(self, fact: Fact | None) -> None:
        """Follow a fact: to its task, its pool, or its source."""
        if fact is None:
            return
        if fact.page:
            self._to_main()
            self.open_page(fact.page, fact.key)
        elif fact.task_id is not None and fact.pool_id is not None:
            self._to_main()
            self.main.select_task(fact.pool_id, fact.task_id, self.now())
            self.main.go_to("pool")
        elif fact.path is not None:
            self.open_source(fact.path, fact.line, document=fact.document)
        elif fact.pool_id is not None:
            self.main.show_pool(fact.pool_id, self.now())
        else:
            self.notify("this line has no source to open", timeout=3, markup=False)

    def _window(self, title: str, facts: Sequence[Fact], empty: str = "Nothing.") -> None:
        from harness_tui.tui.screens.facts import FactScreen  # noqa: PLC0415 - not before the first one opens

        if isinstance(self.screen, FactScreen):
            return
        self.push_screen(FactScreen(title, facts, empty), self.open_fact)

    def _to_main(self) -> None:
        while self.screen is not self.main and len(self.screen_stack) > 1:
            self.pop_screen()

    def _step_panel(self, by: int) -> None:
        step = getattr(self.screen, "step", None)
        if step is None:
            self._to_main()
            step = self.main.step
        step(by)

    def _step_pool(self, by: int) -> None:
        ids = [pool.id for pool in self.snapshot.pools] if self.snapshot else []
        if len(ids) > 1:
            place = ids.index(self.main.pool_id) if self.main.pool_id in ids else 0
            self.main.show_pool(ids[(place + by) % len(ids)], self.now())
        else:
            self.notify("this is the only pool" if ids else _NO_POOL, markup=False)
