"""The one list of what an operator can do: keys, words, where it works, whether it asks first.

Footer, help screen, command palette, bindings and the README's key table are all made from it. Lower case reads,
upper case writes a file (or, for `Y`, takes a whole view).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from harness_tui.model.frozen import frozen, replace

if TYPE_CHECKING:
    from collections.abc import Iterable

Area = Literal[
    "app", "list", "pool", "task", "log", "lines", "inbox", "decisions", "signals", "reader", "dialog",
]  # fmt: skip
AREAS: Final[dict[Area, str]] = {
    "app": "Everywhere",
    "list": "In any list",
    "pool": "Pool",
    "task": "Task",
    "log": "Log",
    "lines": "Log and documents",
    "inbox": "Needs you",
    "decisions": "Decisions",
    "signals": "Signals",
    "reader": "Reader",
    "dialog": "Dialogs",
}
"""Areas by name, with the heading under which help shows them."""


@frozen
class Action:
    """One thing that can be done.

    `id` names the method `action_<id>` of the area's class; `keys` are Textual key names, the first is shown.
    `footer` ranks it among the hints at the bottom: 0 is not shown, the highest are shown first when space is short.
    `asks` says that a dialog comes before anything happens, `writes` that a file of the workspace is written.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    area: Area
    footer: int = 0
    writes: bool = False
    asks: bool = False


def _act(name: str, key: str, label: str, about: str, area: Area, footer: int) -> Action:
    """An action that writes, after a dialog that asks."""
    return Action(name, (key,), label, about, area, footer, writes=True, asks=True)


ACTIONS: Final[tuple[Action, ...]] = (
    Action("help", ("question_mark", "f1"), "help", "What every key does here and everywhere.", "app", 100),
    Action("quit", ("q", "ctrl+c"), "quit", "Leave the dashboard; a run goes on: it is a process apart.", "app", 50),
    Action("command_palette", ("colon", "ctrl+p"), "commands", "Find any command, pool or task by name.", "app", 40),
    Action("back", ("escape",), "back", "Close what is open, clear a filter, go back; never leaves.", "app", 10),
    Action("search", ("slash",), "search", "Search or filter the focused panel; ! in front: all but those.", "app", 80),
    Action("why", ("c",), "why?", "The chain of causes of what is selected, down to a line of a file.", "app", 90),
    Action("next_need", ("full_stop",), "next need", "Jump to the most urgent thing that waits for you.", "app", 62),
    Action("next_panel", ("tab",), "next panel", "Go to the next panel.", "app"),
    Action("previous_panel", ("shift+tab",), "previous panel", "Go to the previous panel.", "app"),
    Action("panel('pool')", ("1",), "pool", "Go to the pool table.", "app"),
    Action("panel('task')", ("2", "d"), "task", "Go to the details of the selected task.", "app"),
    Action("panel('log')", ("3",), "log", "Go to the stream log.", "app"),
    Action("panel('inbox')", ("4",), "needs you", "Go to the list of what waits for you.", "app"),
    Action("page('decisions')", ("5",), "decisions", "Open questions, the interrupt budget, unknowns.", "app"),
    Action("page('control')", ("6",), "control", "The control loop: lock, guards, routes, gates, every field.", "app"),
    Action("page('plan')", ("7",), "plan", "PLAN.md: blockers, tasks, reviews.", "app"),
    Action("page('signals')", ("8",), "signals", "Signals that wait unread, and what became of those you sent.", "app"),
    _act("add", "A", "add", "Add a task to the pool, or split a requirement into several.", "app", 61),
    _act("skip", "S", "skip", "Skip the selected task, or another one by its exact id.", "app", 60),
    _act("stop", "X", "stop", "Stop the stream before its next task.", "app", 63),
    _act("note", "M", "note", "Leave a note for the next task.", "app", 33),
    _act("launch", "L", "start", "Start a run of the pool with a worker; it goes on when you leave.", "app", 32),
    _act("end_run", "K", "end now", "End the run and its worker at once; X lets the worker finish.", "app", 0),
    _act("unlock", "U", "unlock", "Signal the control loop that it may lift its lock.", "app", 0),
    _act("redirect", "B", "brief", "Give a stage of a single task another brief.", "app", 0),
    Action("zoom", ("z",), "zoom", "Give the focused panel the whole screen, and back.", "app"),
    Action("pools", ("p",), "pools", "Choose another pool.", "app", 35),
    Action("next_pool", ("right_square_bracket",), "next pool", "Show the next pool.", "app"),
    Action("previous_pool", ("left_square_bracket",), "previous pool", "Show the pool before.", "app"),
    Action("last_pool", ("minus",), "last pool", "Back to the pool shown before this one.", "app"),
    Action("recap", ("a",), "away", "What happened since you left.", "app"),
    Action("problems", ("b",), "broken", "Everything that could not be read as it should, with file and line.", "app"),
    Action("graph", ("x",), "graph", "The pool as a tree of dependencies.", "app"),
    Action("refresh", ("ctrl+r", "f5"), "refresh", "Read everything again now.", "app"),
    Action("copy", ("y",), "copy", "Copy the selected line.", "app"),
    Action("copy_view", ("Y",), "copy view", "Copy all lines of the focused panel.", "app"),
    Action("mouse", ("m",), "mouse", "Give the mouse to the terminal to select text, or take it back.", "app"),
    Action("theme", ("ctrl+t",), "theme", "Next theme: dark, light, high contrast.", "app"),
    Action("suspend_process", ("ctrl+z",), "suspend", "Stop and go back to the shell; fg returns.", "app"),
    Action("cursor_down", ("down", "j"), "down", "One line down.", "list"),
    Action("cursor_up", ("up", "k"), "up", "One line up.", "list"),
    Action("page_down", ("pagedown", "space"), "page down", "One page down.", "list"),
    Action("page_up", ("pageup",), "page up", "One page up.", "list"),
    Action("half_page_down", ("ctrl+d",), "half page down", "Half a page down.", "list"),
    Action("half_page_up", ("ctrl+u",), "half page up", "Half a page up.", "list"),
    Action("first", ("home", "g"), "first", "To the first line.", "list"),
    Action("last", ("end", "G"), "last", "To the last line; the log follows again.", "list"),
    Action("select", ("enter",), "open", "Open what is selected: its details, its source, its document.", "list", 75),
    Action("sort", ("s",), "sort", "Sort by the next column; the plan's own order comes first.", "pool", 66),
    Action("status_filter", ("v",), "only…", "Show only one status, then the next, then all.", "pool", 64),
    Action("open_document", ("o",), "document", "Open the newest stage document of the task.", "task", 66),
    Action("follow", ("f",), "follow", "Follow the end of the log, or stop following.", "log", 70),
    Action("isolate", ("i",), "this task", "Show only lines of the selected task, or all again.", "log", 68),
    Action("filter_lines", ("ampersand",), "filter", "Show only lines with a text; ! in front hides them.", "log", 64),
    Action("next_error", ("e",), "next error", "Next line that reports a failure.", "log", 66),
    Action("previous_error", ("E",), "previous error", "Line before that reports a failure.", "log"),
    Action("times", ("t",), "times", "Show or hide the time of each line.", "log"),
    Action("next_match", ("n",), "next match", "Next place where the search text stands.", "lines"),
    Action("previous_match", ("N",), "previous match", "Place before where the search text stands.", "lines"),
    Action("wrap", ("w",), "wrap", "Wrap long lines, or cut them.", "lines", 30),
    Action("numbers", ("number_sign",), "numbers", "Show or hide line numbers.", "lines"),
    Action("scroll_left", ("left", "h"), "left", "Scroll to the left.", "lines"),
    Action("scroll_right", ("right", "l"), "right", "Scroll to the right.", "lines"),
    _act("answer", "D", "answer", "Answer, put off, take defaults: Enter on an open one, D also on one put off.",
         "decisions", 76),
    _act("withdraw", "W", "take back", "Take a signal back that was not read yet.", "signals", 76),
    _act("change", "C", "change", "Change a signal that was not read yet.", "signals", 74),
    _act("resend", "R", "send again", "Send a signal of the history once more.", "signals", 72),
    Action("source", ("r",), "source", "Show the file as written, or as a rendered document.", "reader", 70),
    Action("edit", ("ctrl+o",), "editor", "Open the file in $VISUAL or $EDITOR.", "reader", 60),
    Action("send", ("f2",), "send", "Do what the preview shows, as the button does.", "dialog", 90, True),
    Action("leave", ("escape",), "cancel", "Close; what was typed is kept for the next time.", "dialog", 80),
    Action("next_field", ("tab",), "next field", "Go to the next field.", "dialog", 70),
    Action("previous_field", ("shift+tab",), "previous field", "Go to the previous field.", "dialog"),
    Action("preview_down", ("pagedown",), "preview down", "Scroll the preview down.", "dialog"),
    Action("preview_up", ("pageup",), "preview up", "Scroll the preview up.", "dialog"),
)  # fmt: skip

_BACK: Final = 90  # place of the way back among the hints of a page
_CYRILLIC: Final = dict(zip("qwertyuiopasdfghjklzxcvbnm", "йцукенгшщзфывапролдячсмить", strict=True))
_GREEK: Final = dict(zip("ertyuiopasdfghjklzxcvbnm", "ερτυθιοπασδφγηξκλζχψωβνμ", strict=True))
_KEY_SIGNS: Final = {
    "question_mark": "?", "colon": ":", "slash": "/", "full_stop": ".", "minus": "-", "ampersand": "&",
    "number_sign": "#", "left_square_bracket": "[", "right_square_bracket": "]", "escape": "Esc", "enter": "Enter",
    "tab": "Tab", "shift+tab": "Shift+Tab", "pageup": "PgUp", "pagedown": "PgDn", "home": "Home", "end": "End",
    "space": "Space", "up": "↑", "down": "↓", "left": "←", "right": "→",
}  # fmt: skip


def actions_of(*areas: Area) -> tuple[Action, ...]:
    """The actions of these areas, in list order."""
    return tuple(action for action in ACTIONS if action.area in areas)


def key_sign(key: str) -> str:
    """A key as people write it: `?`, `Ctrl+P`, `Esc`."""
    if key in _KEY_SIGNS:
        return _KEY_SIGNS[key]
    if key.startswith("ctrl+"):
        return f"Ctrl+{key.removeprefix('ctrl+').upper()}"
    return key.upper() if key.startswith("f") and key[1:].isdigit() else key


def signs(action: Action) -> str:
    """All keys of an action as people write them, separated by a blank."""
    return " ".join(key_sign(key) for key in action.keys)


def twins(key: str) -> tuple[str, ...]:
    """The characters that a letter key gives under a Cyrillic or a Greek layout; none for other keys."""
    if len(key) != 1 or not key.isalpha():
        return ()
    found = [layout[key.lower()] for layout in (_CYRILLIC, _GREEK) if key.lower() in layout]
    return tuple(char.upper() if key.isupper() else char for char in found)


def footer_order(actions: Iterable[Action]) -> tuple[Action, ...]:
    """The actions that have a hint at the bottom, the most useful first."""
    return tuple(sorted((action for action in actions if action.footer), key=lambda action: -action.footer))


def way_back_early(actions: Iterable[Action]) -> list[Action]:
    """The hints of a page: the way back comes soon after help."""
    return [replace(action, footer=_BACK) if action.id == "back" else action for action in actions]


def key_table() -> str:
    """The key table of the README, in Markdown."""
    lines: list[str] = []
    for area, heading in AREAS.items():
        if not actions_of(area):
            continue
        lines += ["", f"**{heading}**", "", "| Key | What it does |", "|---|---|"]
        lines += [
            f"| {' '.join(f'`{key_sign(key)}`' for key in action.keys)} | {action.help} |"
            for action in actions_of(area)
        ]
    return "\n".join(lines).strip() + "\n"
