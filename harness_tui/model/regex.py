"""Regular expressions that are compiled when they are first used: a start needs one in six of them."""

from __future__ import annotations

import re
from typing import Any, AnyStr, Generic, cast


class _Late(Generic[AnyStr]):
    """A `re.Pattern` of which only the source is kept until something is asked of it."""

    def __init__(self, source: AnyStr, flags: int) -> None:
        self._source: AnyStr = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self._source, self._flags), name)
        self.__dict__[name] = found  # from now on it is found without coming here
        return found


def regex(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, but for the time it takes; a bad `source` raises `re.error` at the first use."""
    return cast("re.Pattern[AnyStr]", _Late(source, flags))
