"""What would follow from a signal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.model.frozen import frozen

if TYPE_CHECKING:
    from harness_tui.model.pool import Wait


@frozen
class Orphan:
    """A row that could be reached before and can't any more, with what it then waits for in vain."""

    id: str
    waiting_on: tuple[Wait, ...]


@frozen
class Consequences:
    """A preview for one pool, made of ids.

    `before` and `after` are the orders in which rows would be dispatched from now on if each were delivered.
    `runnable` can run at once afterwards and could not before, `blocked` the other way round (after a STOP all of
    `before`); `orphaned` will never be reached any more. `added` is the id that a new row would take. `text` says all
    of it in a sentence or two.
    """

    pool_id: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    runnable: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    orphaned: tuple[Orphan, ...] = ()
    added: str | None = None
    text: str = ""
