"""Regular expressions that are compiled when they are first used: a start needs one in six of them."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, AnyStr


class _Late:
    """A `re.Pattern` of which only the source is kept until something else is asked of it."""

    def __init__(self, source: Any, flags: int) -> None:
        self.pattern = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self.pattern, self._flags), name)
        self.__dict__[name] = found  # from now on it is found without coming here
        return found


def regex(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, but for the time it takes; a bad `source` raises `re.error` at the first use."""
    return _Late(source, flags)  # type: ignore[return-value]
