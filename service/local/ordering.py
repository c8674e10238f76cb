"""Queries in time order: a small log in memory, a large one in a temporary database.

Rules:
- AOL's files are sorted by user, so files are put in time order. The order is stable, so that a second reading gives
  the same one.
- SQLite keeps the temporary database in an unnamed file: nothing is left of it after a kill.
"""

import marshal
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from operator import itemgetter
from typing import Any, Final

from service.core.errors import Broken
from service.core.records import Query
from service.local.reading import Batch

BATCH: Final = 16_384
"""Queries in a batch of a log that was put in order."""
MOST_IN_MEMORY: Final = 200_000
"""Queries that are sorted in memory."""


def in_time_order(
    batches: Iterable[Batch], clock: Callable[[], None] = lambda: None, *, most_in_memory: int = MOST_IN_MEMORY
) -> Iterator[Batch]:
    """Yield the queries of all batches by time; refusals come before them, as they are met.

    `clock` is called now and then, for a progress bar; more than `most_in_memory` queries go to the disk. Raises
    Broken where the temporary database fails.
    """
    source = iter(batches)
    queries: list[Query] = []
    for batch in source:
        clock()
        queries += batch.queries
        if batch.refusals:
            yield Batch([], batch.refusals)
        if len(queries) > most_in_memory:
            yield from _on_disk(queries, source, clock)
            return
    queries.sort(key=itemgetter(3))
    for start in range(0, max(1, len(queries)), BATCH):
        yield Batch(queries[start : start + BATCH], [])


def _on_disk(queries: list[Query], source: Iterator[Batch], clock: Callable[[], None]) -> Iterator[Batch]:
    try:
        db = sqlite3.connect("", isolation_level=None)
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("CREATE TABLE log (at REAL, query BLOB)")
        db.execute("BEGIN")
        _put(db, queries)
        queries.clear()
        for batch in source:
            clock()
            if batch.refusals:
                yield Batch([], batch.refusals)
            _put(db, batch.queries)
        rows = db.execute("SELECT query FROM log ORDER BY at, rowid")
        while batch_rows := list(islice(rows, BATCH)):
            yield Batch([Query._make(marshal.loads(row)) for (row,) in batch_rows], [])  # noqa: S302 - our own bytes
        db.close()
    except sqlite3.Error as error:
        raise Broken(
            f"cannot put the log in time order: {error}. Free the temporary folder, name another one in "
            "SQLITE_TMPDIR, or give --order input for a log that is in order already."
        ) from None


def _put(db: sqlite3.Connection, queries: Iterable[Query]) -> None:
    db.executemany("INSERT INTO log VALUES (?, ?)", [(query[3], _freeze(query)) for query in queries])


def _freeze(query: Query) -> bytes:
    plain: tuple[Any, ...] = tuple(query)
    return marshal.dumps(plain)
