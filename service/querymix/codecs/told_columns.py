"""What the values of a table's columns tell, where a header does not: the delimiter, the header itself, the fields.

Rules:
- Lines are of one table where nearly all have as many columns, one of which holds times.
- A first line that has a word where the others have a time is a header, in whatever language.
- What is told here is advice in an error, and nothing is read by it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from querymix.codecs.base import UnreadableRecordError
from querymix.codecs.delimited import DELIMITERS, fields_of
from querymix.codecs.record_times import moment

_LINES: Final = 100
"""Lines that are looked at."""
_LEAST_COLUMNS: Final = 3
_MOST: Final = 0.9
"""Share of the lines that is nearly all."""
_TIME: Final = re.compile(
    r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[ T,]+\d{1,2}:\d\d[\d:.,]*(?: ?[A-Za-z]{1,4}| ?[+-][\d:]+)?)?", re.ASCII
)
"""What may be a time, also in an order of day and month that is not read."""
_HEADING: Final = re.compile(r"[^\W\d][\w .@()/-]{0,40}")
_NO_VALUE: Final = frozenset(("null", "none", "nat", "nan", "na", "unknown", "undefined", "missing"))

Rows = Sequence[Sequence[str]]


def is_time(text: str) -> bool:
    """Say whether a text is a time that is read."""
    try:
        moment(text)
    except UnreadableRecordError:
        return False
    return True


def rows_of(lines: Sequence[str], delimiter: str, *, quoted: bool) -> Rows:
    """Return the fields of the lines that have as many as most of them; none where these are not nearly all."""
    rows = [[field.strip() for field in fields_of(line, delimiter, quoted=quoted)] for line in lines[:_LINES]]
    width, count = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
    if width < _LEAST_COLUMNS or count < _MOST * len(rows):
        return []
    return [row for row in rows if len(row) == width]


def delimiter_of(lines: Sequence[str]) -> str | None:
    """Return what parts the columns of a table of which no header is known; None where it seems to be none."""
    for sign in sorted(DELIMITERS):  # tabs before commas, which texts have too
        rows = rows_of(lines, sign, quoted=True)
        if rows and _time_column(rows) is not None:
            return sign
    return None


def _time_column(rows: Rows) -> int | None:
    body = rows[1:] or rows
    for place, values in enumerate(zip(*body, strict=True)):
        if sum(map(_may_be_time, values)) >= _MOST * len(values):
            return place
    return None


def _may_be_time(text: str) -> bool:
    return _TIME.fullmatch(text) is not None or (is_time(text) and not text.isdigit()) or _counts(text)


def _counts(text: str) -> bool:
    """Say whether a number may count seconds, or parts of them, since 1970: of smaller ones users have their ids."""
    return len(text) in (10, 13, 16, 19) and text.isdigit() and text[0] in "12" and is_time(text)


def is_headed(rows: Rows) -> bool:
    """Say whether the first row is a header for certain: the others have a time where it has a word."""
    if len(rows) < 4 or (place := _time_column(rows)) is None:
        return False
    head = [name for name in rows[0] if name]
    return (
        rows[0][place] in head
        and rows[0][place].lower() not in _NO_VALUE
        and len(set(head)) == len(head)
        and all(map(_HEADING.fullmatch, head))
        and not any(name in row for name in head for row in rows[1:])
    )


def is_quoted(rows: Rows) -> bool:
    """Say whether quotation marks stand around all values of a column, and so are no part of them."""
    return len(rows) > 3 and any(
        all(len(value) > 1 and value[0] == value[-1] == '"' for value in values)
        for values in zip(*rows[1:], strict=True)
    )


def likely(rows: Rows, names: Sequence[str]) -> dict[str, str]:
    """Return which columns seem to be the time, the query and the user, by their values."""
    if not rows or (time := _time_column(rows)) is None:
        return {}
    columns = list(zip(*(rows[1:] or rows), strict=True))
    if len(names) < len(columns):  # a first line of another table, or with fewer names than columns
        return {}
    free = [place for place in range(len(columns)) if place != time]
    query = max(free, key=lambda place: _words(columns[place]))
    full = [place for place in free if place != query and all(columns[place])]
    again = [place for place in full if len(set(columns[place])) < len(columns[place])]
    found = {"query": names[query], "time": names[time]}
    return {"user": names[(again or full)[0]], **found} if full else found


def _words(values: Iterable[str]) -> int:
    return sum(" " in value or value.isalpha() for value in values if "://" not in value and not _may_be_time(value))
