"""The dialog of every act: what is asked, what would be written and what follows, then a button that writes it.

Looking and writing happen in threads. Nothing is written whose preview is not on the screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, TextArea

from harness_tui.formats.byte_diff import byte_diff
from harness_tui.model.frozen import replace
from harness_tui.model.refusal import Refused
from harness_tui.tui.actions import actions_of
from harness_tui.tui.bindings import bindings
from harness_tui.tui.facts import Fact, heading, labelled
from harness_tui.tui.messages import Answered
from harness_tui.tui.screens.leaving import Leaving
from harness_tui.tui.styles import screen_stylesheet
from harness_tui.tui.text import literal, literal_block
from harness_tui.tui.widgets.action_bar import ActionBar
from harness_tui.tui.widgets.choices import Choices
from harness_tui.tui.widgets.fact_list import FactList
from harness_tui.tui.widgets.fields import BlockField, LineField
from harness_tui.tui.widgets.window import Window
from harness_tui.workspace.atomic import WriteError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from textual.app import ComposeResult
    from textual.widget import Widget

    from harness_tui.model.answer import FileChange
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.tui.acts.form import Act, Field, Look, Scene
    from harness_tui.tui.messages import FactChosen

_DIFF_STYLE: Final = {"+": "$text-success", "-": "$text-error", " ": "$text-muted", "…": "$text-muted"}
_LABEL: Final = 12
_CALM: Final = "$text-muted"
_MORE: Final = 60  # place of the key that scrolls among the hints
_AIRY: Final = 30
"""Rows from which parts stand apart."""
_AROUND: Final = 5
"""Rows of frame, gap, buttons and hints, which are always in sight."""


class ActDialog(Leaving, ModalScreen["str | None"], inherit_bindings=False):
    """Ends with what was done, in words, or with None when it was left; then the texts are kept as a draft."""

    BINDINGS = bindings("dialog")
    CSS_PATH: ClassVar[Any] = screen_stylesheet("dialog")

    def __init__(self, act: Act, scene: Scene, draft: dict[str, str]) -> None:
        """`draft` holds texts from before by the names of the fields, and takes what is typed now."""
        super().__init__()
        self._act = act
        self._scene = scene
        self._draft = draft
        self._looked: tuple[dict[str, str], Look] | None = None
        self._looking = False
        self._writing = False
        self._wanted: dict[str, str] | None = None
        self._refused: dict[str, str] | None = None
        """Texts that can't be written, as is said on the screen: what comes of them next must be seen first."""
        self._failure_stands = False
        self._ready = False

    def compose(self) -> ComposeResult:
        """Fields, verdict, preview, buttons, hints."""
        with Window(self._act.title):
            with Vertical(id="asked"):
                for field in self._act.fields:
                    with Horizontal(classes=f"field -{field.kind}"):
                        yield Label(literal(field.label), markup=False)
                        yield self._field(field)
                yield Label("", id="verdict", markup=False)
                yield FactList(id="preview")
            with Horizontal(id="buttons"):
                yield Button(literal(self._act.verb), id="send", variant="primary", compact=True)
                yield Button("Cancel", id="cancel", compact=True)
            yield ActionBar()

    def on_mount(self) -> None:
        """Begin in the first field that is asked for and empty, else on the button."""
        self.watch(self.query_one("#asked"), "show_vertical_scrollbar", self._offer)
        for field in self._act.fields:
            if field.kind == "choice":
                chosen = self._draft.get(field.name, field.value)
                self.query_one(f"#field-{field.name}", Choices).offer(field.choices, chosen)
        if any(self._draft.values()):
            self.notify("your text from before is back", timeout=3, markup=False)
        values = self._values()
        asked = (field for field in self._act.fields if field.required or field.asked)
        empty = next((field for field in asked if not values[field.name]), None)
        self.set_focus(self.query_one(f"#field-{empty.name}" if empty is not None else "#send"))
        self.query_one("#preview").can_focus = False
        self._ready = True
        self._look()

    def _reset_focus(self, widget: Widget, avoiding: list[Widget] | None = None) -> None:
        """A field that is out of sight for a moment keeps the keys: Textual would give them to another one."""
        if avoiding or widget.disabled or not widget.display:
            super()._reset_focus(widget, avoiding)

    def on_resize(self) -> None:
        """What is long scrolls; the buttons are always in sight."""
        tight = self.size.height < _AIRY
        self.set_class(tight, "-tight")
        room = self.size.height if tight else self.size.height * 9 // 10
        self.query_one("#asked").styles.max_height = room - _AROUND + tight

    def show(self, _snapshot: Snapshot, _now: datetime) -> None:
        """The workspace changed: look again. Why a write failed stands there until the next press or letter."""
        if not self._failure_stands:
            self._look()

    def _offer(self, scrolls: bool) -> None:  # noqa: FBT001 - as a watcher is called
        """Name the keys, as the buttons name what they do; the one that scrolls only where there is more to see."""
        named = self._act.verb[:1].lower() + self._act.verb[1:]
        more = _MORE if scrolls else 0
        hints = [replace(item, label=named) if item.id == "send" else item for item in actions_of("dialog")]
        self.query_one(ActionBar).show(
            [replace(item, footer=more) if item.id == "preview_down" else item for item in hints]
        )

    # What is asked

    def _field(self, field: Field) -> Widget:
        value = self._draft.get(field.name, field.value)
        name = f"field-{field.name}"
        if field.kind == "choice":
            return Choices(id=name)
        if field.kind == "text":
            return BlockField(value, id=name, hint=field.hint)
        return LineField(value, id=name, hint=field.hint, done=self._go_on)

    def _values(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for field in self._act.fields:
            widget = self.query_one(f"#field-{field.name}")
            if isinstance(widget, FactList):
                found[field.name] = widget.current_key
            elif isinstance(widget, TextArea):
                found[field.name] = widget.text
            elif isinstance(widget, Input):
                found[field.name] = widget.value
        return found

    def on_input_changed(self, event: Input.Changed) -> None:
        """Look again at what would be written; what is typed may be a choice, too."""
        implied = next((f.implies for f in self._act.fields if f"field-{f.name}" == event.input.id), None)
        if implied is not None and event.value and self._ready:
            choices = self.query_one(f"#field-{implied[0]}", FactList)
            choices.highlighted = [fact.key for fact in choices.facts].index(implied[1])
        self._look()

    def on_text_area_changed(self) -> None:
        """Look again at what would be written."""
        self._look()

    def on_fact_list_highlighted(self, event: FactList.Highlighted) -> None:
        """Another choice: in sight, however long the question above it is."""
        if event.fact_list.id != "preview":
            self._look()
        if event.fact_list is self.focused:
            event.fact_list.scroll_visible(animate=False)

    def on_fact_chosen(self, event: FactChosen) -> None:
        """Enter on a choice leads on; a click on a line of the preview leads nowhere."""
        event.stop()
        if isinstance(self.focused, FactList):
            self._go_on()

    def _go_on(self) -> None:
        """To the next field that is asked for and empty, else to the button."""
        values = self._values()
        missing = (field for field in self._act.fields if field.required and not values[field.name].strip())
        target = next(missing, None)
        self.set_focus(self.query_one(f"#field-{target.name}" if target is not None else "#send"))
        self._bring_up()

    # What would be written

    def _look(self) -> None:
        """Look at what would be written, one look at a time; the newest texts count."""
        if self._looking or self._writing or not self._ready:
            return
        values = self._values()
        missing = [field.label for field in self._act.fields if field.required and not values[field.name].strip()]
        if missing:
            self._looked = None
            self._say(self._act.prompt or f"still to be filled in: {', '.join(missing)}")
            self._preview([])
            return
        self._looking = True

        def work() -> Callable[[], None]:
            look = self._act.look(self._scene, values)
            return lambda: self._take_look(values, look)

        self._in_thread(work, lambda error: self._take_refusal(values, error))

    def _take_look(self, values: dict[str, str], look: Look) -> None:
        self._looking = False
        if values != self._values():
            self._look()
            return
        self._looked = (values, look)
        self._say("\n".join(f"⚠ {warning}" for warning in look.warnings), "$text-warning")
        facts = [labelled(label, literal(words), width=_LABEL) for label, words in look.says]
        facts += [fact for change in look.changes for fact in _change_facts(change)]
        self._preview(facts)
        self._bring_up()
        wanted, self._wanted = self._wanted, None
        self._refused = None
        self._failure_stands = False
        if wanted == values and not look.warnings:
            self._write(look)

    def _take_refusal(self, values: dict[str, str], error: Refused | WriteError) -> None:
        self._looking = False
        if values != self._values():
            self._look()
            return
        self._looked = None
        self._wanted = None
        self._refused = values
        self._failure_stands = False
        self._refuse(error)

    def _refuse(self, error: Refused | WriteError) -> None:
        if isinstance(error, WriteError):
            self._say(f"✗ {error.path.name}: {error.why}", "$text-error bold")
            self._preview([])
            return
        if error.code == "empty":  # nothing is wrong yet
            self._say(f"{error.what}: {error.why}")
        else:
            offer = f"\n{error.offer}" if error.offer else ""
            self._say(f"✗ {error.what}: {error.why}{offer}", "$text-error bold")
        texts = (("shown", error.shown), ("now", error.now))
        self._preview([labelled(label, literal(text)) for label, text in texts if text])

    def _bring_up(self) -> None:
        """Show what would be written to whoever stands on the button that writes it, however small the screen is."""
        if self.focused is self.query_one("#send"):
            self.query_one("#preview").scroll_visible(animate=False, top=True)

    def _preview(self, facts: list[Fact]) -> None:
        preview = self.query_one("#preview", FactList)
        preview.show(facts)
        preview.display = bool(facts)
        preview.highlighted = None

    def _say(self, words: str, style: str = _CALM) -> None:
        verdict = self.query_one("#verdict", Label)
        verdict.display = bool(words)
        verdict.update(literal_block(words, style))
        if style != _CALM:
            verdict.scroll_visible(animate=False)

    # Writing

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Write, or leave."""
        event.stop()
        if event.button.id == "send":
            self.action_send()
        else:
            self.action_leave()

    def action_send(self) -> None:
        """Write what the preview shows; a second press while that happens does nothing."""
        if self._writing:
            return
        values = self._values()
        if self._looked is not None and self._looked[0] == values:
            self._write(self._looked[1])
        else:
            # The preview is on its way: it is written when it stands there without a warning, for these texts only.
            self._wanted = values if values != self._refused else None
            self._look()

    def action_leave(self) -> None:
        """Close; what was typed is kept for the next time."""
        if self._writing:
            self.notify("it is being done; wait a moment", markup=False)
            return
        values = self._values()
        first = {field.name: field.value for field in self._act.fields}
        self._draft.clear()
        if values != first:
            self._draft.update(values)
        self.dismiss(None)

    def action_next_field(self) -> None:
        """To the next field."""
        self.focus_next()

    def action_previous_field(self) -> None:
        """To the previous field."""
        self.focus_previous()

    def action_preview_down(self) -> None:
        """Scroll fields and preview, wherever the keys are."""
        self.query_one("#asked").scroll_page_down(animate=False)

    def action_preview_up(self) -> None:
        """Scroll fields and preview, wherever the keys are."""
        self.query_one("#asked").scroll_page_up(animate=False)

    def _write(self, shown: Look) -> None:
        self._writing = True
        button = self.query_one("#send", Button)
        button.disabled = True
        self._say("one moment …")

        def work() -> Callable[[], None]:
            words = self._act.do(self._scene, shown)
            return lambda: self._done(words)

        self._in_thread(work, self._failed)

    def _done(self, words: str) -> None:
        self._writing = False
        self._draft.clear()
        self.dismiss(words)

    def _failed(self, error: Refused | WriteError) -> None:
        """Everything stays as it was typed. What is shown next must be seen before it is written."""
        self._writing = False
        self._failure_stands = True
        self._looked = None
        self._refused = self._values()
        self._refuse(error)
        button = self.query_one("#send", Button)
        button.disabled = False
        self.set_focus(button)

    # Threads

    def _in_thread(self, work: Callable[[], Callable[[], None]], refused: Callable[[Any], None]) -> None:
        """Do `work` in a thread, then what it gives here; `refused` is called with its refusal."""

        def run() -> None:
            try:
                use = work()
            except (Refused, WriteError) as error:
                caught = error
                use = lambda: refused(caught)  # noqa: E731 - as work gives one
            self.post_message(Answered(use))

        self.run_worker(run, thread=True, exit_on_error=True)

    def on_answered(self, event: Answered) -> None:
        """What a thread found out."""
        event.stop()
        event.use()


def _change_facts(change: FileChange) -> list[Fact]:
    """A file with its new content, as a difference to the old one."""
    if change.append:
        how = "append to"
    elif not change.after:
        how = "remove"
    else:
        how = "create" if change.before is None else "change"
    facts = [heading(f"{how} {change.path}")]
    lines = byte_diff(None, change.after + b"\n") if change.append else byte_diff(change.before, change.after)
    for line in lines:
        lead = f"{line.sign} "
        facts.append(Fact(literal(f"{lead}{line.text}", _DIFF_STYLE[line.sign]), hang=len(lead)))
    return facts
