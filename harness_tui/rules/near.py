"""Names that may have been meant by one that is not there. It is only ever asked: a name is never guessed."""

from __future__ import annotations

TYPE_CHECKING = False  # commands ask this when they end, and import no more than they must
if TYPE_CHECKING:
    from collections.abc import Iterable

MOST = 3
"""Names that are asked about."""
_LENGTH = 60  # comparing costs the product of two lengths
_LISTED = 8


def near(name: str, names: Iterable[str]) -> list[str]:
    """Those of `names` that `name` may be a slip or the beginning of, the nearest first, at most `MOST`.

    Case is no difference. A very long name is a slip of nothing.
    """
    import difflib  # noqa: PLC0415 - only those who made a slip wait for it

    if len(name) > _LENGTH:
        return []
    folded: dict[str, str] = {}
    for other in names:
        if len(other) <= _LENGTH:
            folded.setdefault(other.casefold(), other)
    wanted = name.casefold()
    found = difflib.get_close_matches(wanted, folded, MOST)
    longer = [other for other in folded if other.startswith(wanted) and other not in found] if wanted else []
    return [folded[other] for other in (*found, *longer)][:MOST]


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The end of a sentence which says that `name` is not there; empty where nothing comes near."""
    return asked(near(name, names))


def asked(found: Iterable[str]) -> str:
    """The end of that sentence, asking for those that were `found`; empty without any."""
    *others, last = [*found] or [""]
    before = f"{', '.join(others)} or " if others else ""
    return f"; did you mean {before}{last}?" if last else ""


def no_such_pool(name: str, names: Iterable[str]) -> str:
    """That there is no pool of that `name`, what there is, and what may have been meant."""
    there = [*names]
    more = ", …" if len(there) > _LISTED else ""
    listed = f"there is {', '.join(there[:_LISTED])}{more}" if there else "there is none"
    return f"no such pool: {listed}{did_you_mean(name, there)}"
