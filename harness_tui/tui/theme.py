"""Colours and signs. A sign always goes with a word; colour is never the only carrier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.theme import Theme

if TYPE_CHECKING:
    from harness_tui.model.log import EntryKind
    from harness_tui.model.pool import Status
    from harness_tui.model.stream import StreamState

STATUS_SIGN: Final[dict[Status, str]] = {
    "pending": "○",
    "in-progress": "▶",
    "done": "✓",
    "failed": "✗",
    "blocked": "⊘",
    "needs-human": "⚑",
    "skipped": "–",
    "unknown": "?",
}
STATUS_STYLE: Final[dict[Status, str]] = {
    "pending": "$foreground",
    "in-progress": "$text-accent bold",
    "done": "$text-success",
    "failed": "$text-error bold",
    "blocked": "$text-warning",
    "needs-human": "$text-error bold reverse",
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

THEMES: Final = (
    Theme(
        name="harness-dark", dark=True,
        primary="#6f9fd8", secondary="#8fa3bf", accent="#6fb3d8", warning="#d9a14a", error="#e5737b",
        success="#7db88a", foreground="#d5dae1", background="#0f1318", surface="#141a21", panel="#1c242e", boost="#222c38",
        variables={"border": "#39465a", "border-blurred": "#2a3442", "block-cursor-blurred-background": "#253041"},
    ),
    Theme(
        name="harness-light", dark=False,
        primary="#2f64a8", secondary="#51637d", accent="#1f6f9a", warning="#96610a", error="#b3262f", success="#2c7443",
        foreground="#1d232b", background="#fbfbf9", surface="#f3f4f2", panel="#e6e9ea", boost="#dde2e4",
        variables={"border": "#98a5b5", "border-blurred": "#c5ced6", "block-cursor-blurred-background": "#d5dee6"},
    ),
    Theme(
        name="harness-contrast", dark=True,
        primary="#ffffff", secondary="#ffffff", accent="#66e0ff", warning="#ffd800", error="#ff8a8a", success="#7dff7d",
        foreground="#ffffff", background="#000000", surface="#000000", panel="#1a1a1a", boost="#262626",
        variables={
            "border": "#ffffff", "border-blurred": "#aaaaaa", "block-cursor-background": "#ffff00",
            "block-cursor-foreground": "#000000", "block-cursor-blurred-background": "#444444",
            "text-muted": "#dddddd", "text-disabled": "#cccccc",
        },
    ),
)  # fmt: skip
