"""What `add`, `skip`, `stop` and `note` have in common: check, preview or send, and say what was done."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from harness_tui.cli.root import workspace_root
from harness_tui.cli.writing import refusals, refused_document

if TYPE_CHECKING:
    import argparse

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
    from harness_tui.workspace import mailbox
    from harness_tui.workspace.atomic import WriteError
    from harness_tui.workspace.outgoing import outgoing
    from harness_tui.workspace.reader import Reader

    root = workspace_root(options.path)
    with refusals(root, refused_document if options.json else None):
        reader = Reader(root)
        try:
            snapshot = reader.read_all()
            folders = reader.layout.features() if keyword == "ADD" else {}
        finally:
            reader.close()
        found = outgoing(snapshot, keyword, argument, text, pool_id=options.pool, folders=folders)
        try:
            if options.dry_run:
                written = mailbox.preview(root, found.signal)
            else:
                written = mailbox.send(root, found.signal, pool_id=found.pool_id, seen=found.seen)
        except WriteError as error:
            _give_back(options, found, error)
            raise
    _tell(options, root, found, written)
    return 0


def _tell(options: argparse.Namespace, root: Path, found: Outgoing, written: Written) -> None:
    name = written.path.relative_to(root).as_posix()
    warnings = [*found.warnings, written.warning] if written.warning else [*found.warnings]
    if options.json:
        from harness_tui.cli.json_text import dump
        from harness_tui.cli.output import plain

        document = {
            "id": written.id or None, "dry_run": options.dry_run, "path": name, **_signal(found),
            "written": written.text.decode(), "content": (written.data or b"").decode("utf-8", "surrogateescape"),
            "consequences": plain(found.consequences), "warnings": warnings,
        }  # fmt: skip
        sys.stdout.write(dump(document) + "\n")
        return
    from harness_tui.formats.text import clean, clean_block

    size = len(written.data or b"")
    head = f"would write {name} ({size} bytes)" if options.dry_run else f"sent, as {written.id}: {name}"
    lines = [head]
    shown = written.data if options.dry_run else written.text
    lines += [
        f"  {line}".rstrip() for line in clean_block((shown or b"").decode("utf-8", "surrogateescape")).split("\n")
    ]
    if found.consequences is not None and found.consequences.text:
        lines.append(clean(f"then: {found.consequences.text}"))
    lines += [clean(f"note: {warning}") for warning in warnings]
    sys.stdout.write("\n".join(lines) + "\n")


def _signal(found: Outgoing) -> dict[str, Any]:
    signal = found.signal
    return {
        "keyword": signal.keyword, "argument": signal.argument, "text": signal.text, "pool_id": found.pool_id,
    }  # fmt: skip


def _give_back(options: argparse.Namespace, found: Outgoing, error: WriteError) -> None:
    """Print what could not be written, so that it is not lost."""
    if options.json:
        from harness_tui.cli.json_text import dump
        from harness_tui.formats.text import clean

        document = {"id": None, "error": clean(f"{error.path}: {error.why}"), "undone": error.undone, **_signal(found)}
        sys.stdout.write(dump(document) + "\n")
        return
    from harness_tui.formats.intervention_text import render_signal

    signal = found.signal
    state = "not written" if error.undone else "written, but not confirmed"
    text = render_signal(signal.keyword, signal.argument, signal.text).decode()
    sys.stdout.write(f"{state}; this is your text:\n{text}")
