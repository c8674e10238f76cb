"""One way over one log: what leaves, under which ids, and whose it was.

Rules:
- Lines keep the place of the row whose text they carry, so that their owner is known exactly.
- The stream is the method itself (querymix_lab.attacks.simulated). The rows of one query, one a click, leave together.
- Where nothing is mixed, a session is up to `SESSION_MOST` queries of one user, each less than `SESSION_GAP` after the
  one before; what is suppressed is taken out before.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from querymix.core.crowd import Crowd
from querymix.core.draw import seeded_draw
from querymix.core.periods import Period
from querymix.stages.cells import Ordering

from querymix_lab.attacks import logs
from querymix_lab.attacks.logs import Floats, Ints
from querymix_lab.attacks.simulated import Simulated, simulate
from querymix_lab.batch.base import Log, Options, Row
from querymix_lab.batch.methods import METHODS
from querymix_lab.compare.making import numbered
from querymix_lab.frontier.crowds import screened
from querymix_lab.frontier.ways import SESSION_GAP, SESSION_MOST, Way

NOBODY = -1


class Left(NamedTuple):
    """The m lines that leave of a log."""

    rows: Sequence[Row]
    """As they are written; their `place` is that of the row in the log whose text it is, -1: of none."""
    ids: Ints
    """A number for the id of each line; equal numbers are equal ids."""
    simulated: Simulated | None = None
    """The stream's lines, to be attacked."""

    def __repr__(self) -> str:
        return f"Left({len(self.rows)} rows)"


def release(log: Log, crowd: Crowd, way: Way) -> Left:
    """Return what leaves; `crowd` is that of the log. Raises ConfigError where a log does not allow the way."""
    rows = screened(log.rows, crowd, way) if way.screens else list(log.rows)
    if way.pooled:
        return _stream(log, Log(rows), way)
    if way.batch:
        given = {"k": way.k, "users": way.users}
        options = Options.model_validate({name: value for name, value in given.items() if value is not None})
        rows = list(METHODS[way.batch].load()(Log(rows), options, seeded_draw(way.seed)).released.rows)
    return _plain(log, rows, way)


def _plain(log: Log, rows: Sequence[Row], way: Way) -> Left:
    """Return rows that leave under their own users' ids."""
    numbers = {user: number for number, user in enumerate(log.users)}
    under = np.array([numbers.get(row.user, NOBODY) for row in rows], dtype=np.int64)
    times = np.array([row.query.at for row in rows], dtype=np.float64)
    if way.precision:
        cells = (times // way.precision * way.precision).tolist()
        cut = [row._replace(query=row.query._replace(at=at)) for row, at in zip(rows, cells, strict=True)]
    else:
        cut = list(rows)
    return Left(cut, _ids(under, times, way.period, [row.query.text for row in rows]))


def _ids(under: Ints, times: Floats, period: Period, texts: Sequence[str]) -> Ints:
    """Number the ids of lines under these users, whose queries were asked at these moments."""
    if period is None:
        return under
    if period == "record":
        return np.arange(len(under), dtype=np.int64)
    if period == "session":
        return _sessions(under, times, texts)
    _, ids = np.unique(np.stack([under, (times // period).astype(np.int64)]), axis=1, return_inverse=True)
    return ids.reshape(-1).astype(np.int64)


def _sessions(users: Ints, times: Floats, texts: Sequence[str]) -> Ints:
    """Number the sessions of lines; the rows of one query are one query."""
    ids = np.zeros(len(users), dtype=np.int64)
    number, size, last = -1, 0, (NOBODY, "", 0.0)
    for place in np.lexsort((times, users)).tolist():
        line = int(users[place]), texts[place], float(times[place])
        if line != last or number < 0:
            near = line[0] == last[0] and line[2] - last[2] < SESSION_GAP
            size = size + 1 if number >= 0 and near and size < SESSION_MOST else 1
            number += size == 1
        ids[place], last = number, line
    return ids


def _stream(log: Log, screened_: Log, way: Way) -> Left:
    rows = sorted(screened_.rows, key=lambda row: row.query.at)
    vocabulary = logs.Vocabulary()
    for user in log.users:
        vocabulary.users.setdefault(user, len(vocabulary.users))
    asked = numbered(rows, vocabulary)
    found = simulate(asked, way.stream, seed=way.seed, ordering=Ordering(way.precision), period=way.period)
    same = _rows_of(asked)
    columns = (found.asked.users, found.asked.texts, found.asked.times)
    keys = list(zip(*(column[found.askings].tolist() for column in columns), strict=True))
    sizes = np.array([len(same[key]) for key in keys], dtype=np.int64)
    times = np.repeat(found.released.times, sizes).tolist()
    places = (place for key in keys for place in same[key])
    left = [
        rows[place]._replace(query=rows[place].query._replace(at=at)) for place, at in zip(places, times, strict=True)
    ]
    return Left(left, np.repeat(found.ids, sizes), found)


def _rows_of(log: logs.Log) -> dict[tuple[int, int, float], list[int]]:
    """Return the places of the rows of each query."""
    same: dict[tuple[int, int, float], list[int]] = {}
    keys: Iterable[tuple[int, int, float]] = zip(
        log.users.tolist(), log.texts.tolist(), log.times.tolist(), strict=True
    )
    for place, key in enumerate(keys):
        same.setdefault(key, []).append(place)
    return same
