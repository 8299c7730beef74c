"""The floor: a Textual app that shows the last line of one file and hears of changes by watchdog. Nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

from textual.app import App
from textual.widgets import Static
from watchdog.events import FileModifiedEvent, FileSystemEventHandler
from watchdog.observers import Observer


class Minimal(App):
    def __init__(self, path: Path | None) -> None:
        super().__init__()
        self.path = path

    def compose(self):
        yield Static(self.last(), markup=False)

    def last(self) -> str:
        return self.path.read_text().rsplit("\n", 2)[-2] if self.path else "first-row-is-here"

    def on_mount(self) -> None:
        if self.path is None:
            return
        app = self

        class Handler(FileSystemEventHandler):
            def on_modified(self, event) -> None:
                app.call_from_thread(app.query_one(Static).update, app.last())

        observer = Observer()
        observer.daemon = True
        observer.schedule(Handler(), str(self.path.parent), event_filter=[FileModifiedEvent])
        observer.start()


if __name__ == "__main__":
    Minimal(Path(sys.argv[1]) if len(sys.argv) > 1 else None).run()
