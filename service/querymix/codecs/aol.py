"""The AOL 2006 format: user, query, time, rank and URL, parted by tabs.

Rules:
- Rank and URL may be empty or absent, which is the same: a released line has all five columns.
- The header may stand on any line, as in joined files, and is no record.
- A query "-" is an empty one (querymix.core.text); it is a log all the same.

service/native/src/files/aol.rs does the same for plain lines and fields, and leaves all others to this module.

Source: Pass et al. 2006, "A Picture of Search", and the files that came with it.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Final

from querymix.codecs.base import (
    BROKEN_USER,
    BYTE_ORDER_MARK,
    LONGEST_FIELD,
    LONGEST_LINE,
    LONGEST_QUERY,
    CategoryColumn,
    CutUrls,
    Decoded,
    Hours,
    Seconds,
    TimePolicy,
    UnreadableRecordError,
    UrlPolicy,
    as_windows_1252,
    check_line,
    check_sizes,
    is_utf8,
    refusal,
)
from querymix.codecs.spelling import NULL, Times
from querymix.core.bounded_cache import MAX
from querymix.core.records import POOL_NAMES, Query, Release, each_row
from querymix.core.user_ids import normal_user, normal_users
from querymix.native_path import module

_HEADER: Final = re.compile(r"AnonID\tQuery\tQueryTime(\tItemRank(\tClickURL)?)?")
HEADER: Final = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL"
_BETWEEN: Final = "\t\n\t"
"""What lines are joined by: each line end is a field of its own, so that a line of more fields than others shows."""
_AT_ONCE: Final = 256
"""Lines that are read by column."""
_FEW: Final = 8
"""Lines that are not worth it."""
_new: Final = tuple.__new__


class AolCodec:
    """Reads and writes lines of the AOL format."""

    format: Final = "aol"

    def __init__(
        self,
        *,
        time: TimePolicy = "trigger",
        urls: UrlPolicy = "host",
        precision: float | None = None,
        category: CategoryColumn = "off",
        longest_query: int = LONGEST_QUERY,
    ) -> None:
        self._longest = longest_query
        self._plain = min(longest_query, LONGEST_FIELD)
        """Characters of a line up to which none of its fields can be too long."""
        self._own_time = time == "query"
        self._category = category == "on"
        self._grid = None if precision is None else Times("plain", precision)
        self._cut = urls == "host"
        self._urls = CutUrls()
        self._users: dict[str, str] = {}
        """Each user as it was read first: to find one text again takes less time and memory than equal ones."""
        self._hours = Hours()
        self._seconds = Seconds()
        native = module()
        self._native_read = native.read_aol if native else None
        self._native_write = native.write_aol if native and not self._category and self._grid is None else None

    def header(self, line: str) -> bool:
        """Say whether this line names the columns."""
        return _HEADER.fullmatch(line.lstrip(BYTE_ORDER_MARK)) is not None

    def heading(self, line: str) -> str:
        """Return the header of all five columns; a category stands in the sixth. Nothing for a line that is none."""
        return f"{HEADER}\tCategory" if self._category else HEADER if line else ""

    def whole(self, block: bytes) -> int:
        """Each line is a record."""
        return len(block)

    def decode(self, lines: Sequence[str], source: str, first: int) -> Decoded:
        """Read lines, without their line ends; headers are left out."""
        decoded = Decoded([], [])
        if self._native_read is not None:
            self._forget()
            urls = self._urls if self._cut else None
            queries, unusual = self._native_read(list(lines), self._users, urls, self._longest, Query)
            if len(unusual) * 2 <= len(lines):  # of a log of other lines, more are read at once below
                for place in unusual:
                    queries[place] = self._alone(lines[place], source, first + place, decoded)
                decoded.queries.extend(filter(None, queries))
                return decoded
        for start in range(0, len(lines), _AT_ONCE):
            self._read(lines[start : start + _AT_ONCE], source, first + start, decoded)
        return decoded

    def _read(self, lines: Sequence[str], source: str, first: int, decoded: Decoded) -> None:
        """Add what lines hold to `decoded`; those among which one is unusual are read by halves, at last alone."""
        size = len(lines)
        if size > _FEW:
            rows = self._by_column(lines)
            if rows is None:
                self._read(lines[: size // 2], source, first, decoded)
                self._read(lines[size // 2 :], source, first + size // 2, decoded)
            else:
                decoded.queries.extend(rows)
            return
        for number, line in enumerate(lines, first):
            query = self._alone(line, source, number, decoded)
            if query is not None:
                decoded.queries.append(query)

    def _alone(self, line: str, source: str, number: int, decoded: Decoded) -> Query | None:
        """Return the query of a line, None for a header and for what cannot be read, which is added to `decoded`."""
        try:
            return self._careful(line)
        except UnreadableRecordError as error:
            decoded.refusals.append(refusal(source, number, str(error), line))
            return None

    def _by_column(self, lines: Sequence[str]) -> Iterable[Query] | None:
        """Return the queries of lines that all have the same fields and hold nothing unusual, else None.

        A field of all lines is looked at in one call, which is half the work of line by line.
        """
        size, width = len(lines), lines[0].count("\t") + 1
        longest = max(map(len, lines))
        if not 3 <= width <= 5 or longest > LONGEST_LINE:
            return None
        text = _BETWEEN.join(lines)
        step = width + 1
        fields = text.split("\t")
        if (
            len(fields) != step * size - 1
            or fields[width::step].count("\n") != size - 1
            or text.count("\n") != size - 1
            or "\r" in text
            or "\0" in text
            or BYTE_ORDER_MARK in text
            or not is_utf8(text)
        ):
            return None
        if longest > self._plain and (
            max(map(len, fields[::step])) > LONGEST_FIELD
            or max(map(len, fields[1::step])) > self._longest
            or (width > 3 and max(map(len, fields[3::step])) > LONGEST_FIELD)
        ):
            return None
        users, times, hours, seconds = self._same(fields[::step]), fields[2::step], self._hours, self._seconds
        ranks: Iterable[str | None] = repeat(None)
        urls: Iterable[str | None] = repeat(None)
        if width > 3:
            ranks = fields[3::step]
            parted = "\t".join(ranks)
            digits = parted.replace("\t", "")
            if digits and not (digits.isascii() and digits.isdigit()):
                return None
            if "\t0" in parted or ranks[0][:1] == "0":
                ranks = map(_number, ranks)
        if width > 4:
            urls = fields[4::step]
            urls = map(self._urls.__getitem__, urls) if self._cut else ["" if url in NULL else url for url in urls]
        try:
            moments = [hours[time[:13]] + seconds[time[13:]] for time in times]
        except UnreadableRecordError:
            return None
        columns = zip(users, fields[1::step], times, moments, ranks, urls, repeat(()), strict=False)
        return map(_new, repeat(Query), columns) if all(users) else None

    def _same(self, users: list[str]) -> list[str]:
        """Return the normal form of each user, equal ones as one text."""
        self._forget()
        users = normal_users(users)
        return list(map(self._users.setdefault, users, users))

    def _forget(self) -> None:
        if len(self._users) > MAX:
            self._users.clear()

    def _careful(self, line: str) -> Query | None:
        check_line(line)
        line = line.lstrip(BYTE_ORDER_MARK)
        if self.header(line):
            return None
        user, *rest = line.split("\t")
        if not is_utf8(line):
            if not is_utf8(user):
                raise UnreadableRecordError(BROKEN_USER)
            rest = list(map(as_windows_1252, rest))
        if not 2 <= len(rest) <= 4:
            raise UnreadableRecordError(f"the line has {1 + len(rest)} fields, not 3 to 5 parted by tabs")
        check_sizes(user, rest[0], rest[1], rest[2] if len(rest) > 2 else None, self._longest)
        user = normal_user(user)
        if not user:
            raise UnreadableRecordError("the user (field 1) is empty")
        text, time, *clicked = rest
        clicked = ["" if value in NULL else value for value in clicked]
        rank = clicked[0] if clicked else None
        url = clicked[1] if len(clicked) > 1 else None
        if rank and not rank.isdigit():
            raise UnreadableRecordError("the rank (field 4) is no whole number")
        if rank:
            rank = _number(rank)
        at = self._hours[time[:13]] + self._seconds[time[13:]]
        return Query(user, text, time, at, rank, self._urls[url] if url and self._cut else url)

    def encode(self, releases: Iterable[Release]) -> list[str]:
        """Write a line for each row of each release."""
        if self._native_write is not None:
            releases = list(releases)
            written: list[str] | None = self._native_write(releases, self._own_time)
            if written is not None:
                return written
        lines = []
        own, grid, category = self._own_time, self._grid, ""
        # Fields by their number: to unpack a named tuple takes longer.
        for release in each_row(list(releases)) if self._category else releases:
            user, trigger, further = release[0], release[4], release[6]
            if self._category:
                category = f"\t{POOL_NAMES[release[3]]}"
            for query in (release[2], *further) if further else (release[2],):
                timed = query if own else trigger
                time = timed[2] if grid is None else grid(timed[3])  # a time of this form has one spelling
                lines.append(f"{user}\t{query[1].strip()}\t{time}\t{query[4] or ''}\t{query[5] or ''}{category}")
        return lines


def _number(rank: str) -> str:
    """Return the digits of a rank in one spelling."""
    return str(int(rank)) if rank.isdecimal() else rank
