"""Regular expressions that are compiled when they are first used: there are hundreds, and a small input needs few.

>>> digits = expression("[0-9]+")
>>> digits.findall("a 1 b 22")
['1', '22']

What nearly every query is held against is compiled at once (`re.compile`): a call costs a hundredth of a microsecond
less there.
"""

import re
from typing import Any, AnyStr, cast


def expression(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return an expression as `re.compile` does, but that a mistake in it shows only when it is used."""
    return cast("re.Pattern[AnyStr]", Expression(pattern, flags))


class Expression:
    """Has the attributes of its compiled expression, each from when it is first asked for."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what copying and pickling ask for
            raise AttributeError(name)
        value = getattr(re.compile(self.pattern, self._flags), name)  # `re` remembers what it compiled
        setattr(self, name, value)
        return value
