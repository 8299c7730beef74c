"""Signals to whoever runs the stream: ADD, SKIP, STOP, NOTE, REDIRECT, and taking one back (CONTRACT rules 4, 5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from harness_tui.formats import mailbox as mailbox_file
from harness_tui.formats.intervention import PATH
from harness_tui.model.answer import FileChange
from harness_tui.model.refusal import Refused
from harness_tui.rules.consequences import order_rows, together
from harness_tui.rules.sent import news
from harness_tui.rules.split import ON_THEIR_OWN, split
from harness_tui.tui.acts.form import Field, Look
from harness_tui.workspace import mailbox
from harness_tui.workspace.atomic import WriteError, read_target
from harness_tui.workspace.layout import Layout
from harness_tui.workspace.outgoing import Outgoing, outgoing, outgoing_all

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from harness_tui.model.sent import PendingSignal
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.tui.acts.form import Scene, Values

PART_HINT: Final = 'one row a line: "part: goal" or "part < earlier: goal"'
_ARGUMENT: Final = {"ADD": "slug", "SKIP": "id", "REDIRECT": "stage"}
_TEXT: Final = {"ADD": "goal", "SKIP": "why", "STOP": "why", "NOTE": "note", "REDIRECT": "brief"}
FIELDS: Final[dict[str, tuple[Field, ...]]] = {
    "ADD": (
        Field("slug", "Slug", hint="lower-case-words"),
        Field("goal", "Goal", hint="one sentence: what is to be reached"),
        Field("parts", "Split into", "text", hint=PART_HINT, required=False),
    ),
    "SKIP": (Field("id", "Task", hint="its exact id, or a stage 05 06"), Field("why", "Why", required=False)),
    "STOP": (Field("why", "Why", required=False, hint="goes into the log"),),
    "NOTE": (Field("note", "Note", "text", hint="what the next task is told"),),
    "REDIRECT": (Field("stage", "Stage", hint="01 to 07"), Field("brief", "Brief", "text", hint="what it does now")),
}  # fmt: skip
_STOPS: Final = "nothing more is dispatched"
_NOTES: Final = "the next task is told, and the run goes on"
TITLES: Final = {
    "ADD": "Add a task", "SKIP": "Skip a task", "STOP": "Stop the stream", "NOTE": "Leave a note",
    "REDIRECT": "Give a stage another brief",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Plan:
    """Signals that passed all checks, in the order in which they are sent."""

    wishes: tuple[Outgoing, ...]
    values: Values


class SendAct:
    """Send one signal, or the several ADDs of a requirement that is split."""

    verb = "Send"
    prompt = ""

    def __init__(
        self, keyword: str, pool_id: str | None, *, argument: str = "", text: str = "", key: str = "",
        stages: bool = True,
    ) -> None:  # fmt: skip
        """`stages` when SKIP may name a stage: that of a single task, where no loop runs over a pool."""
        self.keyword = keyword
        self.pool_id = pool_id
        self.title = TITLES[keyword] + (f" · pool {pool_id}" if pool_id and keyword != "REDIRECT" else "")
        self.key = key or f"{keyword} {argument}".strip()
        values = {_ARGUMENT.get(keyword, ""): argument, _TEXT[keyword]: text}
        self.fields = tuple(replace(field, value=values.get(field.name, "")) for field in FIELDS[keyword])
        if keyword == "SKIP" and not stages:
            self.fields = (replace(self.fields[0], hint="its exact id"), *self.fields[1:])

    def look(self, scene: Scene, values: Values) -> Look:
        """All checks of the signal, the file as it would be, and what follows for the pool."""
        snapshot = scene.snapshot()
        folders = Layout(scene.root).features() if self.keyword == "ADD" else {}
        wishes = outgoing_all(snapshot, self.keyword, self._wanted(values), pool_id=self.pool_id, folders=folders)
        says = [("then", wish.then) for wish in wishes if wish.then]
        if len(wishes) > 1:
            says.append(("but", ON_THEIR_OWN))
            says.append(("at once", f"all {len(wishes)} in one write, or none"))
        says += _order(wishes)
        before = read_target(scene.root / PATH, root=scene.root)
        written = mailbox.preview(scene.root, [wish.signal for wish in wishes])
        warnings = tuple(dict.fromkeys(warning for wish in wishes for warning in wish.warnings))
        change = FileChange(PATH, scene.root / PATH, before, written[0].data or b"")
        return Look(tuple(says), (change,), warnings, _Plan(wishes, dict(values)))

    def do(self, scene: Scene, look: Look) -> str:
        """Send them in their order, in one write."""
        now = self.look(scene, look.plan.values)
        if now.warnings != look.warnings:
            news_now = "; ".join(now.warnings) or "a warning no longer holds"
            raise Refused("changed", self.title, f"it changed while you looked: {news_now}")
        signals = [wish.signal for wish in now.plan.wishes]
        first = now.plan.wishes[0]
        written = mailbox.send_all(scene.root, signals, pool_id=first.pool_id, seen=first.seen)
        names = ", ".join(f"{signal.keyword} {signal.argument}".strip() for signal in signals)
        they = "they wait until the stream reads them" if len(signals) > 1 else "it waits until the stream reads it"
        return f"sent: {names}; {written[0].warning or they}"

    def _wanted(self, values: Values) -> list[tuple[str, str]]:
        argument = values.get(_ARGUMENT.get(self.keyword, ""), "").strip()
        text = values.get(_TEXT[self.keyword], "")
        parts = values.get("parts", "")
        return split(argument, text, parts) if parts.strip() else [(argument, text)]


class WithdrawAct:
    """Take a signal back that was not read yet."""

    verb = "Take back"
    prompt = ""
    fields: tuple[Field, ...] = ()

    def __init__(self, waiting: PendingSignal) -> None:
        self._waiting = waiting
        signal = waiting.signal
        self.title = f"Take back {signal.keyword or 'an unclear signal'} {signal.argument}".rstrip()
        self.key = "withdraw"

    def look(self, scene: Scene, values: Values) -> Look:
        """The file without it."""
        del values
        signal = self._waiting.signal
        before = read_target(scene.root / PATH, root=scene.root)
        chosen, data = mailbox.preview_withdraw(scene.root, self._waiting.id or self._waiting.number)
        mailbox.choose((chosen,), None if chosen.id else chosen.number, signal)
        warnings = () if self._waiting.id else ("somebody else wrote it, not harness-tui",)
        says = "the file goes" if data is None else "the other signals stay as they are"
        return Look((("then", says),), (FileChange(PATH, scene.root / PATH, before, data or b""),), warnings)

    def do(self, scene: Scene, look: Look) -> str:
        """Take it out."""
        del look
        taken = mailbox.withdraw(scene.root, self._waiting.id or self._waiting.number, expect=self._waiting.signal)
        return f"taken back: {taken.signal.keyword} {taken.signal.argument}".rstrip()


class ChangeAct(SendAct):
    """Replace a signal that was not read yet by another one of its kind, in one write."""

    verb = "Change"

    def __init__(self, waiting: PendingSignal, pool_id: str | None, keyword: str = "") -> None:
        """`keyword` is that of the new signal, where it is not to be the old one's."""
        signal = waiting.signal
        super().__init__(keyword or signal.keyword, pool_id, argument=signal.argument, text=signal.text)
        self._waiting = waiting
        self.fields = tuple(field for field in self.fields if field.name != "parts")
        self.title = f"Change {signal.keyword} {signal.argument}".rstrip()
        self.key = f"change {waiting.id or waiting.signal}"

    def look(self, scene: Scene, values: Values) -> Look:
        """The checks of the new signal as if the old one did not stand there, and the file with it."""
        snapshot = scene.snapshot()
        others = tuple(signal for signal in snapshot.interventions.signals if signal.line != self._waiting.signal.line)
        snapshot = replace(snapshot, interventions=replace(snapshot.interventions, signals=others))
        keyword, argument, text = self._new(values)
        folders = Layout(scene.root).features() if keyword == "ADD" else {}
        found = outgoing(snapshot, keyword, argument, text, pool_id=self.pool_id, folders=folders)
        before = read_target(scene.root / PATH, root=scene.root)
        chosen, _ = mailbox.preview_withdraw(scene.root, self._waiting.id or self._waiting.number)
        data = mailbox_file.edit(before or b"", chosen.number, found.signal)
        says = (("then", found.then),) if found.then else ()
        return Look(says, (FileChange(PATH, scene.root / PATH, before, data),), found.warnings, found.signal)

    def do(self, scene: Scene, look: Look) -> str:
        """Replace it."""
        which = self._waiting.id or self._waiting.number
        mailbox.edit(scene.root, which, look.plan, expect=self._waiting.signal)
        return f"changed: {look.plan.keyword} {look.plan.argument}".rstrip()

    def _new(self, values: Values) -> tuple[str, str, str]:
        """Keyword, argument and text of the new signal."""
        return (
            self.keyword,
            values.get(_ARGUMENT.get(self.keyword, ""), "").strip(),
            values.get(_TEXT[self.keyword], ""),
        )


class RewriteAct(ChangeAct):
    """Replace a signal that can't be read by one that can, in one write: the operator says which was meant."""

    prompt = "as it stands it counts as STOP; choose what is meant"

    def __init__(self, waiting: PendingSignal, pool_id: str | None) -> None:
        super().__init__(waiting, pool_id, keyword="NOTE")
        signal = waiting.signal
        said = " ".join(part for part in (signal.keyword, signal.argument, signal.text) if part)
        self.title = "Say what an unclear signal means"
        self.key = f"rewrite {waiting.id or signal}"
        self.fields = (
            Field("as", "It means", "choice", choices=(("STOP", "STOP: " + _STOPS), ("NOTE", "NOTE: " + _NOTES))),
            Field("text", "Text", "text", said, required=False),
        )

    def _new(self, values: Values) -> tuple[str, str, str]:
        return values.get("as", ""), "", values.get("text", "")


def keep_news(root: Path, snapshot: Snapshot) -> bool:
    """Settle what a killed writer left, and keep in the history what `snapshot` shows of sent signals.

    False when that can't be written now.
    """
    try:
        mailbox.recover(root)
        mailbox.record(root, news(mailbox.read_history(root), snapshot.sent, datetime.now(UTC)))
    except (Refused, WriteError):
        return False
    return True


def _order(wishes: Sequence[Outgoing]) -> list[tuple[str, str]]:
    """What becomes runnable or can't run any more, and the order that would follow, by ids."""
    found = [wish.consequences for wish in wishes if wish.consequences is not None]
    ordered = wishes[-1].signal.keyword in ("ADD", "SKIP")
    return order_rows(together(found), ordered=ordered) if found else []
