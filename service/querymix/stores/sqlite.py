"""Profiles in an SQLite file: the embedded default.

Rules:
- One transaction a call of `apply`: counts and the source's offset move together.
- `at_end`: counts wait in a temporary table until `finish` adds them all in one transaction. A run that fails before
  has added nothing, so that it can be given again.
- Write-ahead log and full synchronization: what was applied survives the loss of power.
- A file may be forged: it runs no program of its own (a view, a trigger), and a tree whose branches lead to each other
  is read no longer than a sound one of its size.
- User ids are bytes inside, since a log's ids need not be valid UTF-8.
"""

import errno
import os
import sqlite3
from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from querymix.core.errors import ConfigError, TransientError, reason
from querymix.core.knowledge import CATEGORIES
from querymix.own_files import check_own, check_own_if_there
from querymix.ports import Counts, Frames

_SCHEMA = """
CREATE TABLE IF NOT EXISTS {0}.profile (
    user BLOB NOT NULL, category INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (user, category)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS {0}.applied (source TEXT PRIMARY KEY, offset INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS {0}.former (source TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
"""
_MOVE = """
INSERT INTO {0}.applied VALUES (?1, ?2) ON CONFLICT (source) DO UPDATE SET offset = ?2 WHERE offset < ?2
"""
_FORMER = "SELECT name FROM main.former WHERE source = ?"
_REACHED = "SELECT offset FROM main.applied WHERE source = ?"
_ADD = "INSERT INTO {0}.profile VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count"
_IS_OURS = "SELECT user, category, count, source, offset FROM main.profile, main.applied LIMIT 0"
_PASSING = frozenset((sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_IOERR))
_WAIT = "Another program writes to them: wait until it has ended,"
_REPLACE = "The file is damaged: put a copy of it in its place,"
_ADVICE = {
    sqlite3.SQLITE_FULL: "Make room on the disk",
    sqlite3.SQLITE_BUSY: _WAIT,
    sqlite3.SQLITE_LOCKED: _WAIT,
    sqlite3.SQLITE_READONLY: "Give this user the right to write to the file and its folder,",
    sqlite3.SQLITE_CANTOPEN: "Give this user the right to write to the file and its folder,",
    sqlite3.SQLITE_CORRUPT: _REPLACE,
    sqlite3.SQLITE_NOTADB: _REPLACE,
}
"""What to do, by the error."""
_AT_ONCE = 1_000
"""Rows that are read at once."""
_LEAST_ROW = 4
"""Bytes of a row."""
BESIDE = ("-wal", "-shm", "-journal")
"""Ends the names of the files that SQLite keeps beside its own."""
PATIENCE = 5.0
"""Seconds to wait for another process's transaction."""


class SqliteProfiles:
    """A ProfileStore in one file. Raises ConfigError where the file cannot be opened or is no such store."""

    def __init__(self, path: Path, *, at_end: bool = False, patience: float = PATIENCE) -> None:
        self._path = path
        self._at_end = at_end
        self._where = "temp" if at_end else "main"
        try:
            path.touch(mode=0o600)  # profiles tell of people: only the owner reads a new file
            check_own(os.path.realpath(path), path.stat())
            self._db = open_own_database(path, patience)
            self._refuse_foreign()
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.executescript(_SCHEMA.format("main"))
            self._db.execute(_IS_OURS)
            if at_end:
                self._db.executescript(_SCHEMA.format("temp"))
        except (OSError, sqlite3.Error) as error:
            if _passes(error):
                raise self._broken("open", error) from None
            raise ConfigError(f"cannot open the profiles in {path}: {reason(error)}. Name another file.") from None

    def _refuse_foreign(self) -> None:
        """Raise ConfigError where the file is the database of something else."""
        tables = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and not tables & {"profile", "applied"}:
            raise ConfigError(f"{self._path} is a database that holds no profiles: name another file")

    def _broken(self, what: str, error: Exception) -> TransientError:
        return TransientError(
            f"cannot {what} the profiles in {self._path}: {reason(error)}{_named(error)}. "
            f"{_advice(error)} and give the same command again."
        )

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        db = self._db
        try:
            db.execute(begin)
            try:
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise self._broken("write", error) from None

    def _rows(self, query: str, *values: bytes | str) -> Iterator[Any]:
        try:
            rows = self._db.execute(query, values)
            # Not from `rows` itself: whoever stops early would close it, after the database is closed.
            left = self._most_rows()
            while some := rows.fetchmany(_AT_ONCE):
                left -= len(some)
                if left < 0:
                    raise _damage()
                yield from some
        except sqlite3.Error as error:
            raise self._broken("read", error) from None

    def _counts(self, query: str, *values: bytes) -> Iterator[Any]:
        for row in self._rows(query, *values):
            if not _is_sound(*row):
                raise self._broken("read", _damage())
            yield row

    def _most_rows(self) -> int:
        """Return how many rows the file can hold."""
        (pages,), (size,) = (self._db.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
        return int(pages * size // _LEAST_ROW)

    async def apply(self, source: str, frames: Frames) -> None:
        """Add counts by (user, category), once for each offset of a source; all frames or none."""
        # A temporary table needs no lock on the file, which other runs may be adding to.
        with self._transaction("BEGIN" if self._at_end else "BEGIN IMMEDIATE") as db:
            source = _first(db.execute(_FORMER, (source,)), source)
            for offset, evidence in frames.items():
                moved = db.execute(_MOVE.format(self._where), (source, offset)).rowcount
                if moved:
                    db.executemany(
                        _ADD.format(self._where),
                        sorted((_bytes(user), category, count) for (user, category), count in evidence.items()),
                    )

    async def reached(self, source: str) -> int | None:
        """Return the offset of the last evidence of a source that was applied."""
        name = _first(self._rows(_FORMER, source), source)
        offset: int | None = _first(self._rows(_REACHED, name), None)
        return offset

    async def has_applied(self, source: str, offset: int, users: Collection[str]) -> bool:
        """Say whether evidence up to an offset was applied; that is known of all users together."""
        reached = await self.reached(source)
        return reached is not None and reached >= offset

    async def carry_over(self, source: str, former: str) -> None:
        """Take a source for the one that was called `former`: it goes by that name."""
        with self._transaction("BEGIN IMMEDIATE") as db:
            reached = _first(db.execute(_REACHED, (source,)), None)
            if reached is not None:
                db.execute(_MOVE.format("main"), (former, reached))
            db.execute("INSERT OR REPLACE INTO main.former VALUES (?, ?)", (source, former))

    async def finish(self) -> None:
        """Add what waited for the end. Raises TransientError where the store fails; nothing was added then."""
        if self._at_end:
            with self._transaction("BEGIN IMMEDIATE") as db:
                db.execute(
                    "INSERT INTO main.profile SELECT * FROM temp.profile WHERE true "
                    "ON CONFLICT DO UPDATE SET count = count + excluded.count"
                )
                db.execute("DELETE FROM temp.profile")

    async def get(self, user: str) -> Counts | None:
        """Return a user's counts, or None."""
        rows = self._counts("SELECT category, count FROM main.profile WHERE user = ? ORDER BY 1", _bytes(user))
        return dict(rows) or None

    async def export(self) -> AsyncIterator[tuple[str, Counts]]:
        """Yield every user with its counts, in the order of the users' bytes."""
        rows = self._counts("SELECT category, count, user FROM main.profile ORDER BY user, category")
        for user, mine in groupby(rows, itemgetter(2)):
            yield _text(user), {category: count for category, count, _ in mine}

    async def close(self) -> None:
        """Close the file."""
        self._db.close()


def _damage() -> sqlite3.Error:
    error = sqlite3.DatabaseError("the file is damaged")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def open_own_database(path: Path, patience: float) -> sqlite3.Connection:
    """Open a database, which waits `patience` seconds for another process's transaction.

    Raises ConfigError where a file beside it is not ours, or where it has views or triggers, or tables that are
    programs: none of ours has. Raises OSError and sqlite3.Error.
    """
    for suffix in BESIDE:
        check_own_if_there(f"{os.path.realpath(path)}{suffix}")
    db = sqlite3.connect(path, timeout=patience, isolation_level=None)
    db.execute("PRAGMA trusted_schema = OFF")
    found = db.execute(
        "SELECT 1 FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%' LIMIT 1"
    )
    if found.fetchone():
        raise ConfigError(f"{path} is none of ours: it holds views, triggers or virtual tables. Name another file.")
    return db


def _passes(error: Exception) -> bool:
    """Say whether the same command can work later: a full disk or a lock is no wrong option."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO)
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode & 0xFF in _PASSING


def _is_sound(category: object, count: object, user: object = b"") -> bool:
    """Say whether what was read is what we write: in a damaged file a number or a user may be nothing."""
    known = isinstance(category, int) and 0 <= category < len(CATEGORIES)
    return known and isinstance(count, int) and count > 0 and isinstance(user, bytes)


def _first(rows: Iterable[Any], otherwise: Any) -> Any:
    """Return the first column of the first row, or something else where there is none."""
    return next(iter(rows), (otherwise,))[0]


def _named(error: Exception) -> str:
    """Return SQLite's name of its error, in parentheses, nothing where it has none."""
    name = getattr(error, "sqlite_errorname", None)
    return f" ({name})" if name else ""


def _advice(error: Exception) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    return _ADVICE.get(code & 0xFF if isinstance(code, int) else 0, "Look at the disk")


def _bytes(user: str) -> bytes:
    return user.encode("utf-8", "surrogateescape")


def _text(user: bytes) -> str:
    return user.decode("utf-8", "surrogateescape")
