"""Counting pairs by DuckDB, exactly and in bounded memory: what does not fit goes to the window's folder.

Rules:
- Only numbers under keys reach it (querymix.crowd.pairs).
- A part is in the order of its items, so that a count reads each range of items by itself: as many ranges as hold
  `_RANGE` pairs each.
- A user is established on a day where more than `established` days lie between it and the user's first day: then so
  much time has passed for certain, whatever the hour. With 0 every user counts.
- Groups are counted by remainder, level by level (querymix.core.generalize).
- DuckDB works in a thread, so that a signal that ends the command is heard at once.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import Any, Final

import duckdb

from querymix.core.errors import ConfigError, TransientError, reason
from querymix.crowd.layout import KIND_BITS, KINDS
from querymix.crowd.pairs import SEEN, Group
from querymix.crowd.window import FIRST, GROUPS, PART, Window, day_of, number_of

_MEMORY: Final = 2 << 30
"""Bytes that DuckDB takes for its tables; the process takes up to a half more."""
_RANGE: Final = 30_000_000
_STAGED: Final = 8_000_000
"""Pairs of the file that is read at once."""
_PAIR: Final = {"day": "INTEGER", "item": "UBIGINT", "usr": "UBIGINT"}
_CHAIN: Final = {"base": "UBIGINT", "level": "INTEGER", "item": "UBIGINT"}
_FETCHED: Final = 1 << 16
_GROUP: Final = len(KINDS)
"""The last bits of a group's number (querymix.crowd.layout)."""

Tick = Callable[[str, float], None]
"""Told what is being done, and which share of it is."""


class Counting:
    """The pairs of a window; use it as a context. Raises TransientError where a disk or the memory is full."""

    def __init__(self, window: Window, memory: int = _MEMORY, of_range: int = _RANGE) -> None:
        self._window = window
        self._of_range = of_range
        self._staged = window.adding / "staged.csv"
        self._file: Any = None
        self._in_file = 0
        self._files: list[str] = []
        self._chains = window.adding / "groups.csv"
        self._chains.touch()
        self._thread = ThreadPoolExecutor(1)
        with failing():
            self._db = duckdb.connect(
                config={
                    "memory_limit": f"{memory >> 20}MiB",
                    "temp_directory": str(window.adding / "temp"),
                    "threads": min(4, os.cpu_count() or 1),
                    "preserve_insertion_order": False,
                    "autoinstall_known_extensions": False,
                    "autoload_known_extensions": False,
                }
            )

    def __enter__(self) -> "Counting":
        return self

    def __exit__(self, *_: object) -> None:
        if self._file:
            with suppress(OSError):  # what it still held is not wanted any more
                self._file.close()
        self._thread.shutdown()
        self._db.close()

    def add(self, pairs: Iterable[tuple[int, int, int]], groups: Iterable[Group] = ()) -> None:
        """Add pairs: a day, an item, a user."""
        lines = [f"{day},{item},{user}\n" for day, item, user in pairs]
        chains = "".join([f"{base},{level},{item}\n" for base, level, item in groups])
        with failing():
            if self._file is None:
                self._file = self._staged.open("w", encoding="ascii")
            self._file.write("".join(lines))
            if chains:
                with self._chains.open("a", encoding="ascii") as file:
                    file.write(chains)
        self._in_file += len(lines)
        if self._in_file >= _STAGED:
            self._read()

    def _read(self) -> None:
        """Take the pairs of the file that is written, each once."""
        if self._file is None:
            return
        name = str(self._window.adding / f"staged{len(self._files)}{PART}")
        with failing():
            self._file.close()
            self._file, self._in_file = None, 0
            self._do(
                f"COPY (SELECT DISTINCT * FROM {_csv(self._staged, _PAIR)} ORDER BY day) TO {_text(name)} "
                "(FORMAT parquet)"
            )
        self._staged.unlink()
        self._files.append(name)

    def keep(self, tick: Tick = lambda *_: None) -> None:
        """Put all that was added into the window's parts."""
        self._read()
        if not self._files:
            return
        staged = _parquet(*self._files)
        with failing():
            days = [number for (number,) in self._rows(f"SELECT DISTINCT day FROM {staged} ORDER BY day")]
            names = []
            for place, number in enumerate(days):
                tick("writing parts", place / len(days))
                part = self._window.part(day_of(number))
                there = f" UNION ALL SELECT * FROM {_parquet(part)}" if part.exists() else ""
                self._write(part.name, f"SELECT * FROM {staged} WHERE day = {number}{there}", "item")
                names.append(part.name)
            groups = self._window.folder / GROUPS
            there = f" UNION ALL SELECT * FROM {_parquet(groups)}" if groups.exists() else ""
            self._write(GROUPS, f"SELECT * FROM {_csv(self._chains, _CHAIN)}{there}", "base")
            self._window.take([GROUPS, *names])  # the groups first: a part that came first would have none
        for name in self._files:
            Path(name).unlink()
        self._files = []

    def _write(self, name: str, rows: str, order: str) -> None:
        path = _text(self._window.adding / name)
        self._do(f"COPY (SELECT DISTINCT * FROM ({rows}) ORDER BY {order}) TO {path} (FORMAT parquet)")

    def drop(self, before: date) -> None:
        """Remove the parts of the days before one. What stays of them is the first day of whoever has a part left."""
        days = self._window.days()
        left = self._parts([day for day in days if day >= before])
        with failing():
            self._write(
                FIRST,
                f"SELECT usr, min(day)::INTEGER AS day FROM ({self._seen()}) WHERE usr IN "
                f"(SELECT usr FROM {left} WHERE item = {SEEN}) GROUP BY usr HAVING min(day) < {number_of(before)}",
                "usr",
            )
            groups = _parquet(self._window.folder / GROUPS)
            self._write(GROUPS, f"SELECT * FROM {groups} WHERE base IN (SELECT item FROM {left})", "base")
            self._window.take([FIRST, GROUPS])
        self._window.forget(before)

    def _parts(self, days: Iterable[date]) -> str:
        """Return what reads the parts of some days."""
        return _parquet(*map(self._window.part, days))

    def _seen(self) -> str:
        """Return what reads on which days each user was there, as far as it is known."""
        first = self._window.folder / FIRST
        there = f" UNION ALL SELECT usr, day FROM {_parquet(first)}" if first.exists() else ""
        return f"SELECT usr, day FROM {self._parts(self._window.days())} WHERE item = {SEEN}{there}"

    def counts(
        self, days: list[date], users: int, group_users: int, established: int, tick: Tick = lambda *_: None
    ) -> Iterator[tuple[int, int]]:
        """Yield each item, in order, that enough established users had on some days, and how many they are."""
        with failing():
            self._do("CREATE OR REPLACE TEMP TABLE counted (item UBIGINT, users BIGINT)")
            pairs = f"SELECT item, usr, day FROM {self._parts(days)}"
            if established:
                self._do(
                    "CREATE OR REPLACE TEMP TABLE first AS SELECT usr, min(day)::INTEGER AS day "
                    f"FROM ({self._seen()}) GROUP BY usr"
                )
                pairs = (
                    f"SELECT part.item, part.usr FROM {self._parts(days)} AS part JOIN first ON part.usr = first.usr "
                    f"AND part.day - first.day > {established}"
                )
            self._count_groups(pairs, group_users)
            ((number,),) = self._rows(f"SELECT count(*) FROM {self._parts(days)}")
            bits = max(0, number // self._of_range).bit_length()
            for place in range(1 << bits):
                tick("counting", place / (1 << bits))
                yield from self._range(pairs, users, place << 64 - bits, (place + 1 << 64 - bits) - 1)

    def _range(self, pairs: str, users: int, first: int, last: int) -> Iterator[tuple[int, int]]:
        within = f"item BETWEEN {first}::UBIGINT AND {last}::UBIGINT"
        self._do(
            f"SELECT item, count(*) AS users FROM (SELECT DISTINCT item, usr FROM ({pairs}) WHERE {within} "
            f"AND item <> {SEEN} AND item & {KIND_BITS} <> {_GROUP}) GROUP BY item HAVING count(*) >= {users} "
            f"UNION ALL SELECT item, users FROM counted WHERE {within} ORDER BY item"
        )
        while some := self._db.fetchmany(_FETCHED):
            yield from some

    def _count_groups(self, pairs: str, users: int) -> None:
        """Count the groups: those of a level that have enough users stay, the records of the others move up."""
        self._do(
            "CREATE OR REPLACE TEMP TABLE moving AS SELECT DISTINCT item AS base, usr "
            f"FROM ({pairs}) WHERE item & {KIND_BITS} = {_GROUP}"
        )
        chains = _parquet(self._window.folder / GROUPS)
        ((most,),) = self._rows(f"SELECT max(level) FROM {chains}")
        for level in range(most + 1 if most is not None else 0):
            here = f"(SELECT base, item FROM {chains} WHERE level = {level})"
            self._do(
                "CREATE OR REPLACE TEMP TABLE staying AS SELECT item, count(*) AS users FROM (SELECT DISTINCT "
                f"chain.item, usr FROM moving JOIN {here} AS chain USING (base)) GROUP BY item "
                f"HAVING count(*) >= {users}"
            )
            self._do("INSERT INTO counted SELECT item, users FROM staying")
            self._do(
                f"DELETE FROM moving WHERE base IN (SELECT base FROM {here} WHERE item IN (SELECT item FROM staying))"
            )

    def _do(self, statement: str) -> None:
        doing = self._thread.submit(self._db.execute, statement)
        try:
            doing.result()
        except KeyboardInterrupt:
            self._db.interrupt()
            raise

    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        self._do(statement)
        return list(self._db.fetchall())


def _text(path: Path | str) -> str:
    """Return a text as SQL writes it."""
    return "'" + str(path).replace("'", "''") + "'"


def _parquet(*paths: Path | str) -> str:
    """Return what reads files of parts."""
    return f"read_parquet([{', '.join(map(_text, paths))}])"


def _csv(path: Path, columns: dict[str, str]) -> str:
    """Return what reads a file of numbers."""
    return f"read_csv({_text(path)}, header = false, auto_detect = false, delim = ',', columns = {columns})"


@contextmanager
def failing() -> Iterator[None]:
    """Turn DuckDB's errors, which hold names of files and numbers alone, into what to do."""
    try:
        yield
    except duckdb.InvalidInputException as error:
        what = str(error).partition("\n")[0]
        raise ConfigError(f"a part is damaged: {what}. Remove that file, and add the log of its day again.") from None
    except (duckdb.OutOfMemoryException, duckdb.IOException, OSError) as error:
        what = reason(error).partition("\n")[0]
        raise TransientError(
            f"counting failed: {what}. Make room on the disk of the parts (or of the output), and give the same "
            "command again."
        ) from None
