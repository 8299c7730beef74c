"""Colours and signs. A sign always goes with a word; colour is never the only carrier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.theme import Theme

if TYPE_CHECKING:
    from harness_tui.model.log import EntryKind
    from harness_tui.model.pool import ShownStatus
    from harness_tui.model.stream import StreamState

STATUS_STYLE: Final[dict[ShownStatus, str]] = {
    "pending": "$foreground",
    "in-progress": "$text-accent bold",
    "interrupted": "$text-warning bold",
    "done": "$text-success",
    "failed": "$text-error bold",
    "blocked": "$text-warning",
    "needs-human": "$text-error bold",
    "skipped": "$text-muted",
    "unknown": "$text-warning bold",
}
STREAM_SIGN: Final[dict[StreamState, str]] = {
    "running": "▶",
    "idle": "○",
    "stopped": "■",
    "drained": "✓",
    "interrupted": "!",
    "unknown": "?",
}
STREAM_STYLE: Final[dict[StreamState, str]] = {
    "running": "$text-accent bold",
    "idle": "$foreground",
    "stopped": "$text-error bold",
    "drained": "$text-success",
    "interrupted": "$text-warning bold",
    "unknown": "$text-warning",
}
ENTRY_STYLE: Final[dict[EntryKind, str]] = {
    "run": "$text-secondary bold",
    "dispatch": "$text-accent",
    "delivered": "$text-success",
    "failed": "$text-error bold",
    "blocked": "$text-warning",
    "needs-human": "$text-error bold",
    "skipped": "$text-muted",
    "regression-gate": "$foreground",
    "stop": "$text-error bold",
    "exit": "$text-secondary bold",
    "note": "$foreground",
}


def _variables(  # noqa: PLR0913 - one colour each
    *, border: str, rest: str, background: str, cursor: str, on_cursor: str, resting_cursor: str, muted: str, faint: str
) -> dict[str, str]:
    """Colours that Textual would otherwise derive; `auto` ones are unreliable on mixed backgrounds."""
    bars = {f"scrollbar{state}": border for state in ("-hover", "-active")}
    tracks = {f"scrollbar-background{state}": background for state in ("", "-hover", "-active")}
    return {
        "border": border, "border-blurred": rest, "scrollbar": rest, "scrollbar-corner-color": background,
        "block-cursor-background": cursor, "block-cursor-foreground": on_cursor,
        "block-cursor-blurred-background": resting_cursor, "text-muted": muted, "text-disabled": faint,
        **bars, **tracks,
    }  # fmt: skip


THEMES: Final = (
    Theme(
        name="harness-dark", dark=True,
        primary="#6f9fd8", secondary="#8fa3bf", accent="#6fb3d8", warning="#d9a14a", error="#e5737b",
        success="#7db88a", foreground="#d5dae1", background="#0f1318", surface="#141a21", panel="#1c242e",
        boost="#222c38",
        variables=_variables(
            border="#5b82b5", rest="#2f3b4b", background="#0f1318", cursor="#2f4a6e", on_cursor="#ffffff",
            resting_cursor="#222d3a", muted="#8692a2", faint="#6b7685",
        ),
    ),
    Theme(
        name="harness-light", dark=False,
        primary="#2f64a8", secondary="#51637d", accent="#1f6f9a", warning="#96610a", error="#b3262f", success="#2c7443",
        foreground="#1d232b", background="#fbfbf9", surface="#f3f4f2", panel="#e6e9ea", boost="#dde2e4",
        variables=_variables(
            border="#4f79ab", rest="#c2ccd6", background="#fbfbf9", cursor="#c3d7ee", on_cursor="#101820",
            resting_cursor="#dfe7ee", muted="#5d6876", faint="#7b8592",
        ),
    ),
    Theme(
        name="harness-contrast", dark=True,
        primary="#ffffff", secondary="#ffffff", accent="#66e0ff", warning="#ffd800", error="#ff8a8a", success="#7dff7d",
        foreground="#ffffff", background="#000000", surface="#000000", panel="#1a1a1a", boost="#262626",
        variables=_variables(
            border="#ffffff", rest="#aaaaaa", background="#000000", cursor="#ffff00", on_cursor="#000000",
            resting_cursor="#444444", muted="#dddddd", faint="#cccccc",
        ),
    ),
)  # fmt: skip
