"""The AOL 2006 format: user, query, time, rank and URL, parted by tabs.

Rules:
- Rank and URL may be empty or absent; they leave as they came.
- The header may stand on any line, as in joined files, and is no log.
- A query "-" is an empty one; it is a log all the same.

Source: Pass et al. 2006, "A Picture of Search", and the files that came with it.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from service.codecs.base import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    Clocks,
    CutUrls,
    Days,
    Decoded,
    TimePolicy,
    Unreadable,
    UrlPolicy,
    check_line,
    refusal,
)
from service.codecs.grid import Grid
from service.core.records import Query, Refusal, Release

_HEADER: Final = re.compile(r"AnonID\tQuery\tQueryTime(\tItemRank(\tClickURL)?)?")
HEADER: Final = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL"
_new: Final = tuple.__new__


class AolCodec:
    """Reads and writes lines of the AOL format."""

    format: Final = "aol"

    def __init__(
        self, *, time: TimePolicy = "trigger", urls: UrlPolicy = "host", precision: float | None = None
    ) -> None:
        self._own_time = time == "query"
        self._grid = None if precision is None else Grid(precision)
        self._cut = urls == "host"
        self._urls = CutUrls()
        self._days = Days()
        self._clocks = Clocks()

    def header(self, line: str) -> bool:
        """Say whether this line names the columns."""
        return _HEADER.fullmatch(line.lstrip(BYTE_ORDER_MARK)) is not None

    def decode(self, lines: Sequence[str], source: str, first: int) -> Decoded:
        """Read lines, without their line ends; headers are left out."""
        queries: list[Query] = []
        refusals: list[Refusal] = []
        keep, days, clocks = queries.append, self._days, self._clocks
        urls = self._urls if self._cut else None
        for number, line in enumerate(lines, first):
            try:
                user, text, time, rank, url = line.split("\t")
                if url and urls is not None:
                    url = urls[url]
                if (
                    not user
                    or user[0] == BYTE_ORDER_MARK
                    or (rank and not rank.isdigit())
                    or len(line) > LONGEST_LINE
                    or "\0" in line
                    or "\n" in line
                    or "\r" in line
                ):
                    raise ValueError
                keep(_new(Query, (user, text, time, days[time[:10]] + clocks[time[10:]], rank, url, ())))
            except ValueError:
                try:
                    query = self._careful(line)
                except Unreadable as error:
                    refusals.append(refusal(source, number, str(error), line))
                else:
                    if query is not None:
                        keep(query)
        return Decoded(queries, refusals)

    def _careful(self, line: str) -> Query | None:
        check_line(line)
        line = line.lstrip(BYTE_ORDER_MARK)
        if self.header(line):
            return None
        user, *rest = line.split("\t")
        if not 2 <= len(rest) <= 4:
            raise Unreadable(f"the line has {1 + len(rest)} fields, not 3 to 5 parted by tabs")
        if not user:
            raise Unreadable("the user (field 1) is empty")
        text, time, *clicked = rest
        rank = clicked[0] if clicked else None
        url = clicked[1] if len(clicked) > 1 else None
        if rank and not rank.isdigit():
            raise Unreadable("the rank (field 4) is no whole number")
        at = self._days[time[:10]] + self._clocks[time[10:]]
        return Query(user, text, time, at, rank, self._urls[url] if url and self._cut else url)

    def encode(self, releases: Iterable[Release]) -> list[str]:
        """Write one line a release, in the form that its query came in; `records.each_row` makes one of each row."""
        lines = []
        own, grid = self._own_time, self._grid
        for user, _, (_, text, asked, at, rank, url, _), _, trigger, _, _ in releases:
            time = asked if own else trigger[2]
            if grid is not None:
                time = grid.cut(time, at if own else trigger[3])
            if url is not None:
                lines.append(f"{user}\t{text}\t{time}\t{rank}\t{url}")
            elif rank is not None:
                lines.append(f"{user}\t{text}\t{time}\t{rank}")
            else:
                lines.append(f"{user}\t{text}\t{time}")
        return lines
