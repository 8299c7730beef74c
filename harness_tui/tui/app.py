"""The application: a list of keys, one snapshot, and the screens that show it."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.app import App
from textual.css.query import NoMatches
from textual.events import Key
from textual.reactive import Reactive
from textual.screen import SystemModalScreen

from harness_tui.formats.text import clean
from harness_tui.rules.inbox import asking
from harness_tui.rules.near import did_you_mean
from harness_tui.rules.recap import recap, seen
from harness_tui.tui import view_state
from harness_tui.tui.acting import Acting
from harness_tui.tui.announcer import Announcer
from harness_tui.tui.bindings import bindings
from harness_tui.tui.driver import CarefulDriver
from harness_tui.tui.facts import Fact, recap_facts
from harness_tui.tui.messages import LiveChanged, SnapshotArrived
from harness_tui.tui.screens.main import MainScreen
from harness_tui.tui.styles import later_stylesheets, stylesheets
from harness_tui.tui.text import literal
from harness_tui.tui.theme import THEMES
from harness_tui.tui.viewing import Viewing
from harness_tui.tui.widgets.signal_teller import SignalTeller

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from textual.actions import ActionParseResult
    from textual.command import Provider
    from textual.dom import DOMNode
    from textual.screen import Screen
    from textual.theme import Theme

    from harness_tui.model.change import Change
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.store.store import Store
    from harness_tui.workspace.live import Health, Live

_STALE: Final = 6.0
"""Seconds without a completed pass after which what is shown is called stale."""
_ABSENCE: Final = 300.0
"""Seconds without focus after which a return is greeted with what happened."""
_AGES_EVERY: Final = 20.0
_THEMES: Final = {item.name: item for item in THEMES}


def _commands() -> type[Provider]:
    from harness_tui.tui.commands import DashboardCommands  # noqa: PLC0415 - not before the palette opens

    return DashboardCommands


class Dashboard(Acting, Viewing, App[None], inherit_bindings=False):
    """Shows the snapshots of a store. It reads nothing itself: questions go to the reader's thread as jobs."""

    TITLE = "harness-tui"
    CSS_PATH: ClassVar[Any] = stylesheets()
    BINDINGS = bindings("app")
    COMMANDS: ClassVar[Any] = {_commands}
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "ctrl+p"
    ESCAPE_TO_MINIMIZE = False
    theme: Reactive[str] = Reactive(THEMES[0].name)  # ours from the start: to change it parses every style rule again

    def __init__(
        self, root: Path, store: Store, live: Live, *, pool: str | None = None, theme: str | None = None,
        announcer: Announcer | None = None, now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:  # fmt: skip
        super().__init__(driver_class=CarefulDriver)
        self.root = root
        self._announcer = announcer or Announcer()
        self.live = live
        self.snapshot: Snapshot | None = None
        self.terminal_lost = False
        self.begin_acting()
        self._store = store
        self.now = now
        self._state = view_state.load(root)
        self._wanted_pool = pool or self._state.pool
        self._asked_pool = pool or ""
        self._missing = ""
        self._health = ("live", "")
        self._blurred_at: float | None = None
        self._seen: dict[str, str] = dict(self._state.seen)
        self._mouse = True
        self._ages_at = 0.0
        self._title = ""
        self._told_signals = False
        wanted = f"harness-{theme}" if theme else self._state.theme
        self.theme = wanted if wanted in _THEMES else THEMES[0].name
        self.main = MainScreen(now)
        self.main.follow(live)

    @property
    def available_themes(self) -> dict[str, Theme]:
        """Ours only. Asked for with every line that is drawn."""
        return _THEMES

    def get_default_screen(self) -> Screen[Any]:
        """The main screen lies below all others."""
        return self.main

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[Any]:
        """None of Textual's own: the palette offers the action list."""
        del screen
        return ()

    def on_mount(self) -> None:
        """Show what the reader already has, and listen for more."""
        self._catch_signals()
        self._store.subscribe(self._hear)
        if self._store.snapshot is not None:
            self._take(self._store.snapshot)
            self.call_after_refresh(self._greet)
        self.call_after_refresh(self._first_frame)
        self.set_interval(1.0, self._tick)

    def _catch_signals(self) -> None:
        """Signals end the dashboard by its own way out, which restores the terminal."""
        if self.is_headless:
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT):
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, partial(self.exit, return_code=128 + number))

    def _first_frame(self) -> None:
        """What was put off until something is on the screen."""
        self.live.release()
        self.stylesheet.read_all(later_stylesheets())
        self.stylesheet.parse()
        gc.freeze()
        gc.enable()

    async def on_unmount(self) -> None:
        """Remember how it was left."""
        self.terminal_lost = bool(getattr(self._driver, "lost", False))
        if self.snapshot is not None:
            self._state.pool = self.main.pool_id or ""
            self._state.theme = self.theme
            self._state.seen = seen(self.snapshot)
            view_state.save(self.root, self._state)

    def leave_terminal(self) -> None:
        """Put the terminal back when the way out was cut short."""
        if isinstance(self._driver, CarefulDriver):
            self._driver.leave()

    # Snapshots

    def _hear(self, snapshot: Snapshot, changes: tuple[Change, ...], _revision: int) -> None:
        self.post_message(SnapshotArrived(snapshot, changes))

    def on_snapshot_arrived(self, event: SnapshotArrived) -> None:
        """A new reading; while the dashboard ends there is nothing left to show it on."""
        if not self.is_running:
            return
        first = self.snapshot is None
        self._take(event.snapshot)
        if first:
            self._greet()

    def _take(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        if self._wanted_pool and any(pool.id == self._wanted_pool for pool in snapshot.pools):
            self.main.pool_id = self._wanted_pool
        elif self._wanted_pool and self._wanted_pool == self._asked_pool:
            hint = did_you_mean(self._asked_pool, [pool.id for pool in snapshot.pools])
            self._missing = f"there is no pool {clean(self._asked_pool)}{hint or ':'} p lists those that are there"
            self.notify(self._missing, severity="warning", markup=False)
        self._wanted_pool = ""
        self.main.show(snapshot, self.now())
        if self.screen is not self.main:
            getattr(self.screen, "show", lambda _snapshot, _now: None)(snapshot, self.now())
        self.follow_signals(snapshot)
        self._tick()

    def action_refresh(self) -> None:
        """Read everything again."""
        self.live.refresh()
        self.notify("reading everything again", timeout=2, markup=False)

    def hear_health(self, health: Health) -> None:
        """Called from the reader's thread."""
        self.post_message(LiveChanged(health.state, health.why))

    def on_live_changed(self, event: LiveChanged) -> None:
        """How changes are heard of has changed."""
        self._health = (event.state, event.why)
        self._tick()

    def _tick(self) -> None:
        """Once a second: only texts that changed are drawn."""
        if not self.is_running:
            return
        quiet = time.monotonic() - self.live.beat
        health = ("stale", f"nothing read for {quiet:.0f} s") if quiet > _STALE else self._health
        with suppress(NoMatches):
            self.main.tick(health, self.now())
            self._show_signals()
            if time.monotonic() - self._ages_at > _AGES_EVERY and self.snapshot is not None and self.main.is_current:
                self._ages_at = time.monotonic()
                self.main.show(self.snapshot, self.now())
        self._name_terminal()
        self._announce()

    def _show_signals(self) -> None:
        """Unread signals on every screen, those below included, as they show through; costs nothing without any."""
        told = self.snapshot is not None and bool(self.snapshot.pending or self.snapshot.sent)
        before, self._told_signals = self._told_signals, told
        if self.snapshot is not None and (told or before):
            for screen in self.screen_stack:
                for teller in screen.walk_children(SignalTeller):
                    teller.show(self.snapshot, self.now())

    # After an absence

    def _greet(self) -> None:
        """After an absence, three lines about it."""
        if self.snapshot is None or not self._seen:
            return
        found = recap(self._seen, self.snapshot)
        if found:
            lines = [self._missing] if self._missing else []
            lines += [fact.plain for fact in recap_facts(found, most=4)]
            self._missing = ""
            self.notify("\n".join([*lines, "a shows all"]), title="Since you left", timeout=12, markup=False)

    def on_app_blur(self) -> None:
        """The terminal lost the focus."""
        if self.snapshot is not None:
            self._blurred_at = time.monotonic()
            self._seen = seen(self.snapshot)

    def on_app_focus(self) -> None:
        """The terminal has the focus again."""
        if self._blurred_at is not None and time.monotonic() - self._blurred_at > _ABSENCE:
            self._greet()
        self._blurred_at = None

    def action_recap(self) -> None:
        """What happened since the operator left."""
        if self.snapshot is None:
            return
        found = recap(self._seen, self.snapshot) if self._seen else None
        facts = recap_facts(found) if found else [Fact(literal("This is your first look at this workspace."))]
        self._window("Since you left", facts)
        self._seen = seen(self.snapshot)

    # Keys, mouse, looks

    def on_key(self, event: Key) -> None:
        """A key that was typed while its screen or its line was still opening belongs there."""
        from textual.widgets import Input  # noqa: PLC0415 - the first frame has none

        screen: Screen[Any] = self.screen
        coming = not screen.is_mounted or (isinstance(screen, SystemModalScreen) and self.focused is None)
        takes: frozenset[str] = getattr(self.focused, "TAKES", frozenset())
        ahead = event.key in takes or (event.is_printable and bool(takes or isinstance(self.focused, Input)))
        if coming or ahead:
            event.prevent_default()
            key = Key(event.key, event.character)
            if coming:
                self.call_after_refresh(self.post_message, key)
            elif self.focused is not None:
                self.focused.post_message(key)

    def on_notify(self) -> None:
        """A message takes the place of the one before: several would cover the log. Textual then adds it."""
        self.clear_notifications()

    def action_mouse(self) -> None:
        """Give the mouse to the terminal, or take it back."""
        self._mouse = not self._mouse
        name = "_enable_mouse_support" if self._mouse else "_disable_mouse_support"
        switch = getattr(self._driver, name, None)
        if switch is not None:
            switch()
        self.notify(
            "the mouse is ours again" if self._mouse else "the mouse is the terminal's: select as you like",
            markup=False,
        )

    def action_suspend_process(self) -> None:
        """Stop, where a shell can go on with it: started by none, it would stand still for ever."""
        if os.getpgrp() == os.getsid(0):  # the group of whoever leads the session is no job of a shell
            self.notify("no shell is there to go back to: q leaves", markup=False)
            return
        super().action_suspend_process()

    def action_theme(self) -> None:
        """The next theme."""
        names = [item.name for item in THEMES]
        self.theme = names[(names.index(self.theme) + 1) % len(names)]

    async def run_action(
        self, action: str | ActionParseResult, default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:  # fmt: skip
        """A key that was typed behind the one that ends the dashboard does nothing; one whose code is gone says so."""
        try:
            return not self._exit and await super().run_action(action, default_namespace, namespaces)
        except ImportError as error:  # what is imported late may be replaced while the dashboard is open
            name = error.name or "a part of it"
            text = f"{name} can't be loaded: harness-tui was replaced since this dashboard began; start it again"
            self.notify(text, severity="error", markup=False)
            return False

    def _announce(self) -> None:
        """Ring for what is new, if that was asked for."""
        if self.snapshot is None or self._driver is None:
            return
        sequence = self._announcer.sequence(self.snapshot.inbox, time.monotonic())
        if sequence:
            self._driver.write(sequence)

    def _name_terminal(self) -> None:
        """The window title: what needs the operator, and what runs. Made of our words and ids only."""
        if self.snapshot is None or not isinstance(self._driver, CarefulDriver):
            return
        needs = len(asking(self.snapshot.inbox))
        title = f"{f'({needs}) ' if needs else ''}{self.snapshot.stream.state} · {self.root.name} · harness-tui"
        if title != self._title:
            self._title = title
            self._driver.set_title(title)

    # The clipboard

    def action_copy(self) -> None:
        """Copy the selected line."""
        self._copy(getattr(self.screen, "line_to_copy", lambda: "")())

    def action_copy_view(self) -> None:
        """Copy all lines of the focused panel."""
        self._copy(getattr(self.screen, "view_to_copy", lambda: "")())

    def _copy(self, text: str) -> None:
        """Copy in a thread of its own: a native tool may take its time."""
        from harness_tui.tui import clipboard  # noqa: PLC0415 - not before something is copied

        if not text:
            self.notify("nothing to copy", markup=False)
            return

        def work() -> None:
            done = clipboard.copy_native(text)
            self.call_later(self._copied, text, done=done)

        threading.Thread(target=work, daemon=True).start()

    def _copied(self, text: str, *, done: bool) -> None:
        from harness_tui.tui import clipboard  # noqa: PLC0415 - as above

        sequence = None if done else clipboard.osc52(text)
        if sequence is not None and self._driver is not None:
            self._driver.write(sequence)
        words = f"{len(text)} characters copied" if done or sequence else "too long for the terminal's clipboard"
        self.notify(words, timeout=2, markup=False)
