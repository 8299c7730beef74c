"""What `add`, `skip`, `stop` and `note` have in common: check, preview or send, and say what was done."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from harness_tui.cli.root import workspace_root
from harness_tui.cli.writing import refusals, refused_document

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from harness_tui.workspace.atomic import WriteError
    from harness_tui.workspace.mailbox import Written
    from harness_tui.workspace.outgoing import Outgoing

STDIN_LIMIT: Final = 1 << 20


def declare_common(parser: argparse.ArgumentParser) -> None:
    """Options of every command that sends."""
    parser.add_argument("--path", type=Path, default=Path(), metavar="P", help="any folder in the repository")
    parser.add_argument("--pool", metavar="ID", help="the pool that is meant, where there are several")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")
    parser.add_argument("--dry-run", action="store_true", help="print what would be written, and write nothing")


def words(parts: list[str]) -> str:
    """A text given as arguments; `-` alone means standard input."""
    if parts != ["-"]:
        return " ".join(parts)
    return sys.stdin.buffer.read(STDIN_LIMIT).decode("utf-8", "surrogateescape")


def send_signal(options: argparse.Namespace, keyword: str, argument: str, text: str) -> int:
    """Send the signal, or with `--dry-run` print what would be written; 0 when that is done."""
    return send_signals(options, keyword, lambda: [(argument, text)])


def send_signals(options: argparse.Namespace, keyword: str, wanted: Callable[[], list[tuple[str, str]]]) -> int:
    """Send several signals of one kind, each (argument, text), in one write: all or none. `wanted` may refuse."""
    from harness_tui.workspace import mailbox
    from harness_tui.workspace.atomic import WriteError
    from harness_tui.workspace.outgoing import outgoing_all
    from harness_tui.workspace.reader import Reader

    root = workspace_root(options.path)
    with refusals(root, refused_document if options.json else None):
        reader = Reader(root)
        try:
            snapshot = reader.read_all()
            folders = reader.layout.features() if keyword == "ADD" else {}
        finally:
            reader.close()
        found = outgoing_all(snapshot, keyword, wanted(), pool_id=options.pool, folders=folders)
        signals = [item.signal for item in found]
        try:
            if options.dry_run:
                written = mailbox.preview(root, signals)
            else:
                written = mailbox.send_all(root, signals, pool_id=found[0].pool_id, seen=found[0].seen)
        except WriteError as error:
            _give_back(options, found, error)
            raise
    _tell(options, root, found, written)
    return 0


def _tell(options: argparse.Namespace, root: Path, found: Sequence[Outgoing], written: Sequence[Written]) -> None:
    name = written[0].path.relative_to(root).as_posix()
    said = [warning for item in found for warning in item.warnings]
    warnings = [*dict.fromkeys(said), *filter(None, [written[0].warning])]
    data = written[0].data or b""
    if options.json:
        from harness_tui.cli.json_text import dump
        from harness_tui.cli.output import plain

        every = [
            {
                "id": text.id or None, **_signal(item), "written": text.text.decode(),
                "consequences": plain(item.consequences),
            }
            for item, text in zip(found, written, strict=True)
        ]  # fmt: skip
        document = {
            **every[0], "dry_run": options.dry_run, "path": name, "content": data.decode("utf-8", "surrogateescape"),
            "warnings": warnings, "signals": every,
        }  # fmt: skip
        sys.stdout.write(dump(document) + "\n")
        return
    from harness_tui.formats.text import clean, clean_block

    ids = ", ".join(text.id for text in written)
    lines = [f"would write {name}" if options.dry_run else f"sent, as {ids}: {name}"]
    shown = data if options.dry_run else b"\n".join(text.text for text in written)
    lines += [f"  {line}".rstrip() for line in clean_block(shown.decode("utf-8", "surrogateescape")).split("\n")]
    lines += _consequences(found)
    lines += [clean(f"note: {warning}") for warning in warnings]
    sys.stdout.write("\n".join(lines) + "\n")


def _consequences(found: Sequence[Outgoing]) -> Iterator[str]:
    """What follows from each, and the order after the last one."""
    from harness_tui.formats.text import clean
    from harness_tui.rules.consequences import order_rows, together

    every = [item.consequences for item in found if item.consequences is not None]
    yield from (clean(f"then: {item.then}") for item in found if item.then)
    if every:
        ordered = found[-1].signal.keyword in ("ADD", "SKIP")
        yield from (clean(f"{label}: {ids}") for label, ids in order_rows(together(every), ordered=ordered))


def _signal(found: Outgoing) -> dict[str, Any]:
    signal = found.signal
    return {
        "keyword": signal.keyword, "argument": signal.argument, "text": signal.text, "pool_id": found.pool_id,
    }  # fmt: skip


def _give_back(options: argparse.Namespace, found: Sequence[Outgoing], error: WriteError) -> None:
    """Print what could not be written, so that it is not lost."""
    if options.json:
        from harness_tui.cli.json_text import dump
        from harness_tui.formats.text import clean

        document = {
            "id": None, "error": clean(f"{error.path}: {error.why}"), "undone": error.undone, **_signal(found[0]),
            "signals": [_signal(item) for item in found],
        }  # fmt: skip
        sys.stdout.write(dump(document) + "\n")
        return
    from harness_tui.formats.intervention_text import render_signal

    state = "not written" if error.undone else "written, but not confirmed"
    text = "".join(
        render_signal(item.signal.keyword, item.signal.argument, item.signal.text).decode() for item in found
    )
    sys.stdout.write(f"{state}; this is your text:\n{text}")
