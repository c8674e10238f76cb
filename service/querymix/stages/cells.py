"""What was drawn and not written yet: with `--time-precision`, releases wait until their cell of time is over.

A cell is a stretch of the grid that released times are cut to. Its lines leave together in shuffled order, so that
neither a line's time nor its place tells when in the cell it was set off.

Rules:
- A release belongs to the cell of the arrival that set it off. One of a cell that is over goes with the cell at hand.
- The arrivals' own times tell which cell is at hand: more than half of the last `WINDOW` have come to it. So a few
  wrong times neither end a cell nor keep one open: what was set off at one leaves once the cell at hand is over. Where
  most of the window stands more than a cell before the cell at hand, that is put back to where they are.
- Where there is a clock (Kafka), a cell is also over once its first release has waited for a cell and a tenth.
- At most `MAX` releases wait. Beyond that the oldest cells leave at once: a huge cell is shuffled in parts.
- The rows of one unit stay together: what is shuffled is releases, whole queries and sessions.
- Under the time policy `query` what leaves together is sorted by its released times, since a line's place would tell
  when it was set off; those of the same time are shuffled.
- What was shuffled is written and forgotten, so that chance here needs no repeating after a restart. Which cells left
  does: `left` tells it, and `repeat` does it again.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from querymix.codecs.frames import check_format
from querymix.core.account import Account
from querymix.core.draw import Draw
from querymix.core.pieces import pieces
from querymix.core.records import Query, Release, freeze, rows_of, thaw, tuples

WINDOW: Final = 31
MAX: Final = 1 << 16
"""Releases that wait, at most, once a batch is taken in."""
_MAX_BEHIND: Final = 24
"""Arrivals of the window that put the cell at hand back."""
_MIN_GRACE: Final = 2.0
"""Seconds that a cell may be late: the service reads its clock once a second."""


class Ordering(NamedTuple):
    """How lines are put in order before they are written."""

    precision: float | None = None
    """Seconds of a cell; None: nothing waits."""
    policy: Literal["trigger", "query"] = "trigger"
    """Whose time is released."""


class _Cell:
    """The releases of one cell."""

    __slots__ = ("came", "opened", "releases", "since")

    def __init__(self, opened: int, came: int, since: float | None) -> None:
        self.opened = opened
        """The cell that was at hand when this one got its first release."""
        self.came = came
        """How many arrivals had been looked at then."""
        self.since = since
        """What the clock said then."""
        self.releases: list[Release] = []


class Cells:
    """Releases that wait for their cell to end.

    `draw` must not be one whose numbers are recorded. Life: `take` after each batch, `end` where no more comes.
    """

    def __init__(self, ordering: Ordering, draw: Draw, *, most: int = MAX) -> None:
        self._ordering = ordering
        self._draw = draw
        self._most = most
        self._at: int | None = None
        """The cell at hand."""
        self._window: deque[int] = deque(maxlen=WINDOW)
        """Cells of the last arrivals."""
        self._seen = 0
        """Arrivals that were looked at."""
        self._cells: dict[int, _Cell] = {}
        self._over: list[Release] = []
        """Those that waited by another grid: they leave next."""
        self.waiting = 0
        """Rows that wait."""
        self.left: list[int] = []
        """The cells that left in the last `take`."""

    def __repr__(self) -> str:
        return f"Cells({self.waiting} waiting)"

    @property
    def ordering(self) -> Ordering:
        """How lines are put in order."""
        return self._ordering

    @property
    def account(self) -> Account:
        """What is to be added to the pools' account: what waits has not been released."""
        return Account(released=-self.waiting, held=self.waiting)

    def take(self, times: Sequence[float], releases: list[Release], now: float | None = None) -> list[Release]:
        """Return what is to be written, in the order in which it is.

        `times` are those of arrivals that `releases` came with, in seconds, the last `WINDOW` of them at least; `now`
        is what the clock says, None where there is none.
        """
        self.left = []
        if self._ordering.precision is None and not self._over:
            return self._in_order(releases) if self._ordering.policy == "query" else releases
        ready = self._start(releases, now)
        if self._ordering.precision is not None:
            self._move(times, self._ordering.precision)
        self.left = self._ended(now)
        return self._in_order(ready) + [row for cell in self.left for row in self._leave(cell)]

    def repeat(self, times: Sequence[float], releases: list[Release], now: float | None, left: Iterable[int]) -> None:
        """Take in what an earlier `take` did, of which the cells `left` have left."""
        self._start(releases, now)
        if self._ordering.precision is not None:
            self._move(times, self._ordering.precision)
        for cell in left:
            self._leave(cell)

    def end(self) -> list[Release]:
        """Return all that waits, in the order in which it is to be written."""
        ready, self._over = self._over, []
        self.waiting -= rows_of(ready)
        return self._in_order(ready) + [row for cell in sorted(self._cells) for row in self._leave(cell)]

    def due(self, now: float) -> bool:
        """Say whether something is to be written though nothing has arrived."""
        return bool(self._over) or any(self._is_late(cell, now) for cell in self._cells.values())

    def leaves_by(self, now: float) -> float | None:
        """Return the clock's reading by which something that waits is written at the latest, None where nothing is."""
        precision = self._ordering.precision
        if self._over or not self._cells or precision is None:
            return now if self.waiting else None
        sinces = [cell.since for cell in self._cells.values() if cell.since is not None]
        return None if not sinces else min(sinces) + precision + max(_MIN_GRACE, precision / 10)

    def follow(self, ordering: Ordering) -> None:
        """Let another order hold from now on; what waits by another grid leaves next."""
        if ordering.precision != self._ordering.precision:
            self._over += [release for cell in sorted(self._cells) for release in self._cells[cell].releases]
            self._cells.clear()
            self._window.clear()
            self._at = None
        self._ordering = ordering

    def _start(self, releases: list[Release], now: float | None) -> list[Release]:
        """Let releases wait, and return those that do not."""
        ready, self._over = self._over, []
        self.waiting -= rows_of(ready)
        precision = self._ordering.precision
        if precision is None:
            return ready + releases
        least = self._at
        for release in releases:
            number = int(release.trigger.at // precision)
            if least is not None and number < least:
                number = least
            cell = self._cells.get(number)
            if cell is None:
                cell = self._cells[number] = _Cell(number if least is None else least, self._seen, now)
            cell.releases.append(release)
        self.waiting += rows_of(releases)
        return ready

    def _move(self, times: Sequence[float], precision: float) -> None:
        """Let arrivals tell which cell is at hand."""
        window = self._window
        last = [int(time // precision) for time in times[-WINDOW:]]
        window.extend(last)
        self._seen += len(last)
        if not window:
            return
        most_have_come_to = sorted(window)[(len(window) - 1) // 2]
        if self._at is None or most_have_come_to > self._at:
            self._at = most_have_come_to
        elif sum(cell < self._at - 1 for cell in window) >= _MAX_BEHIND:
            self._at = most_have_come_to
            for cell in self._cells.values():
                cell.opened = min(cell.opened, self._at)

    def _ended(self, now: float | None) -> list[int]:
        """Return the cells that are to leave, in their order."""
        ended = []
        at, more = self._at, self.waiting - self._most
        for number, cell in sorted(self._cells.items()):
            # What was set off at a wrong time: others moved on since, and have not come as far.
            wrong = at is not None and number > at > cell.opened and self._seen - cell.came >= 2 * WINDOW
            behind = wrong or (at is not None and number < at)
            if more > 0 or behind or (now is not None and self._is_late(cell, now)):
                ended.append(number)
                more -= rows_of(cell.releases)
        return ended

    def _is_late(self, cell: _Cell, now: float) -> bool:
        precision = self._ordering.precision
        if precision is None or cell.since is None:
            return False
        # Also where the clock was put back, which would else keep it for as long again.
        return abs(now - cell.since) >= precision + max(_MIN_GRACE, precision / 10)

    def _leave(self, number: int) -> list[Release]:
        releases = self._cells.pop(number).releases
        self.waiting -= rows_of(releases)
        return self._in_order(releases)

    def _in_order(self, releases: Iterable[Release]) -> list[Release]:
        """Return releases in the order in which they are written."""
        mixed = list(releases)
        below = self._draw.below
        for place in range(len(mixed) - 1, 0, -1):
            other = below(place + 1)
            mixed[place], mixed[other] = mixed[other], mixed[place]
        if self._ordering.policy == "query":
            mixed.sort(key=lambda release: on_grid(release.query.at, self._ordering.precision))
        return mixed

    def claim(self, written: str, ours: str) -> None:
        """Raise ConfigError where queries wait that `ours` cannot write; `written` names their format."""
        queries = [release.query for release in self._waiting()]
        check_format(written, queries, ours, "the state")

    def _waiting(self) -> Iterator[Release]:
        yield from self._over
        for cell in self._cells.values():
            yield from cell.releases

    def head(self) -> dict[str, Any]:
        """Return the state but for the rows, as plain data."""
        return {
            "precision": self._ordering.precision,
            "at": self._at,
            "window": list(self._window),
            "seen": self._seen,
            "cells": [[number, cell.opened, cell.came, cell.since] for number, cell in self._cells.items()],
        }

    def rows(self) -> Iterator[list[Any]]:
        """Yield a row of plain data for each release: its cell (None: it leaves next), and the release."""
        for release in self._over:
            yield [None, _freeze(release)]
        for number, cell in self._cells.items():
            for release in cell.releases:
                yield [number, _freeze(release)]

    def restoring(self, head: Mapping[str, Any], rows: Iterable[Sequence[Any]]) -> Iterator[None]:
        """Take over, in pieces, what `head` and `rows` gave, under their own grid; `follow` yours afterwards."""
        self._ordering = self._ordering._replace(precision=head["precision"])
        self._at = head["at"]
        self._window.extend(head["window"])
        self._seen = head["seen"]
        for number, *fields in head["cells"]:
            self._cells[number] = _Cell(*fields)
        for piece in pieces(rows):
            for number, frozen in piece:
                release = _thaw(frozen)
                (self._over if number is None else self._cells[number].releases).append(release)
                self.waiting += rows_of([release])
            yield


def on_grid(at: float, precision: float | None) -> float:
    """Return the beginning of the cell that a moment is in, or the moment where there is no grid."""
    return at if precision is None else at // precision * precision


def _freeze(release: Release) -> list[Any]:
    user, origin, query, pool, trigger, anonymity_set, further, moment, categories = release
    rows = [freeze(row) for row in (query, *further)]
    own = [categories] if categories else []
    return [user, origin, rows, pool, trigger.time, trigger.at, anonymity_set, moment, *own]


def _thaw(row: Sequence[Any]) -> Release:
    user, origin, rows, pool, time, at, anonymity_set, *newer = row  # 0.5.0 wrote no moment
    query, *further = (thaw(list(fields)) for fields in rows)
    moment, *own = newer or [at]
    # Of the arrival that set it off only the time is needed.
    trigger = Query("", "", time, at)
    return Release(
        user, tuples(origin), query, pool, trigger, anonymity_set, tuple(further), moment, tuples(own[0] if own else ())
    )
