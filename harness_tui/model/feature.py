"""What the disk holds for one slug: its feature folder, live or archived."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.model.frozen import frozen

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.document import Delivery, StageDoc


@frozen
class Feature:
    """The stage documents of a slug, from the live folder before the archived one.

    `superseded` is True when the only delivery document lies in the archive while a live folder holds newer stage
    documents: it then speaks of an earlier task of that name. `modified_at` is the newest change of any document.
    """

    slug: str
    folder: str
    archived: bool
    documents: tuple[StageDoc, ...] = ()
    delivery: Delivery | None = None
    superseded: bool = False
    modified_at: datetime | None = None
