"""The state of runs: pools, position and the batch's own output in one transaction, before any of it shows.

Rules:
- A batch is decided once. Its releases stand in the state before the first of them reaches the output, so a restart
  writes the same pairs again and never draws others.
- A resume cuts the output back to where the batch began and writes it from the state; profiles know the last batch
  that they took in and take none twice.
- Before a batch replaces the one before, that one's output is on the disk, not only in the system's cache.
- A run that was killed goes on with the same inputs and options. Once it has ended, the next inputs go on from its
  state; what was taken is known by its content (querymix.local.taken). A state that has taken no record binds nobody.
- A state has a digest: SQLite does not notice a changed byte inside of a text, and half a pool would be released.
- A period's key that is dropped is gone from the files: what SQLite frees is overwritten, and its log cut off.
- The folder holds raw queries: it is made for its owner only, and one that somebody else made is refused.
- One run at a time: two would draw from the same state, which puts one query under two users.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from querymix.codecs.recognize import AOL, Form
from querymix.core.errors import ConfigError, TransientError, reason
from querymix.local.taken import Taken
from querymix.own_files import check_own, open_own
from querymix.settings import RENAMED
from querymix.stores.sqlite import open_own_database

FILE: Final = "checkpoint.sqlite"
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS batch (one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT, out BLOB, refused BLOB)",
    "CREATE TABLE IF NOT EXISTS ended (one INTEGER PRIMARY KEY CHECK (one = 1), batch INTEGER)",
    "CREATE TABLE IF NOT EXISTS taken (digest TEXT PRIMARY KEY, size INTEGER, name TEXT, middle REAL)",
)
PIPE: Final = "a pipe"
"""The only input of a run over a pipe."""
_NO_OPTIONS = frozenset({"inputs", "pseudonym_key", "form"})
"""What a run is told to differ in and cannot give by its value."""
_FOR_GOOD: Final = frozenset(
    {"format", "json_fields", "fields", "safe_fields", "generalize", "pseudonym_key", "pseudonym_key_file"}
)
"""What no later run may change: queries that wait could not be written, or users would get a second pseudonym."""
_MAY_DIFFER: Final = frozenset({"knowledge", "times", "crowd_table"})
"""What is told of a run and binds nobody: another version brings other knowledge, and the rest of a pipe may begin with
times of another form; a crowd table is made anew each day. What was decided stays."""
_LENGTHS: Final = frozenset({"most_words", "most_characters"})
_SCREENS: Final = frozenset({"crowd", "crowd_users", "crowd_items", "rare", "group_users", "group_policy", "urls"})
"""By what, with lengths, a run screens queries before they wait; what waits from a run before is not screened again."""
_SINCE_0_5_0: Final = frozenset({"pseudonym_period"})
"""What a state always names but for those of 0.5.0 and before, whose ids lasted for good: what leaves from here on goes
by what is chosen now."""
OTHER_COLUMNS: Final = (
    "this version writes the columns in another order than the one that began this run: let that one end it, or begin "
    "it again with another --state and --output"
)
_PLAIN = (str, int, float)
_DIGEST: Final = ',"digest":"'
"""Comes before the digest at the end of a state."""
_NO_STATE: Final = (ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError)
"""What is raised where a state has not the form that it should."""
_PASSING = frozenset((sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR))


class Saved(NamedTuple):
    """The last batch that was decided."""

    state: dict[str, Any]
    """As it is after the batch."""
    out: bytes
    """What the batch adds to the output."""
    refused: bytes
    """What the batch adds to the file of refused records."""
    ended: bool = False
    """Whether the run that it belongs to came to its end, with all that it wrote in its place."""
    mine: bool = True
    """Whether that is this run, and not the one before."""

    def __repr__(self) -> str:
        return "Saved(...)"


class Checkpoint:
    """A folder that a killed run resumes from, and that the next run goes on from.

    `run` names what the run reads and how, `again` lets it read once more what the state has taken. Raises ConfigError
    where the folder belongs to another run.
    """

    def __init__(self, folder: Path, run: dict[str, Any], *, again: bool = False) -> None:
        self._folder = folder
        self.again = again
        self._run = run
        self.other_crowd = self.unscreened = False
        """Whether the run that is resumed began with another crowd table."""
        self._ids: object = None
        """Of the last batch."""
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            check_own(folder, folder.stat())
            path = folder / FILE
            os.close(open_own(path, private=True))
            self._db = open_own_database(path, patience=0)
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA secure_delete = ON")
            for statement in _SCHEMA:
                self._db.execute(statement)
            # Who was killed between a period's end and this has left its key in the log.
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except OSError as error:
            raise ConfigError(f"cannot use the state folder {folder}: {reason(error)}") from None
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise ConfigError(f"the state in {folder} is in use by another run: let that one end") from None
            if error.sqlite_errorcode & 0xFF in _PASSING:
                raise self._broken(error) from None
            raise ConfigError(f"cannot use the state in {folder}: {reason(error)}") from None

    @property
    def taken(self) -> list[Taken]:
        """All inputs that were taken to their end."""
        try:
            return [Taken(*row) for row in self._db.execute("SELECT digest, size, name, middle FROM taken")]
        except sqlite3.Error:
            raise self.damaged() from None

    def load(self) -> Saved | None:
        """Return the last batch that was decided, None at the first start."""
        try:
            row = self._db.execute("SELECT state, out, refused FROM batch").fetchone()
            if row is None:
                return None
            ended = self._db.execute("SELECT batch FROM ended").fetchone()
            text, mark, digest = row[0].rpartition(_DIGEST)  # older versions wrote none
            if mark and digest != f'{_digest(text, *row[1:])}"}}':
                raise ValueError("another digest")
            state = json.loads(row[0])
            run = state["run"]
            if mark:
                del state["digest"]
            self._ids = state.get("ids")
            saved = Saved(state, row[1], row[2], ended is not None and ended[0] == state["batch"])
        except (sqlite3.Error, *_NO_STATE):
            raise self.damaged() from None
        with restoring(self):
            for_good = _FOR_GOOD if _has_taken(state) else frozenset[str]()
            mine = self._is_mine(run, for_good, ended=saved.ended)
            self.unscreened = not mine and self._screens_otherwise(run)
            self.other_crowd = mine and not saved.ended and run.get("crowd_table") != self._run.get("crowd_table")
            return saved._replace(mine=mine)

    def _screens_otherwise(self, run: dict[str, Any]) -> bool:
        """Say whether this run screens what is read before it waits, by other rules than that one did."""
        screens = self._run.get("crowd") == "a table" or not _LENGTHS.isdisjoint(self._run)
        return screens and any(run.get(name) != self._run.get(name) for name in _SCREENS | _LENGTHS)

    def _is_mine(self, run: dict[str, Any], for_good: frozenset[str], *, ended: bool) -> bool:
        """Say whether the state is this run's. Raises ConfigError where it is another's and cannot be gone on from."""
        keys = (self._run.keys() | run.keys()) - {*_MAY_DIFFER, *(_SINCE_0_5_0 - run.keys())}
        differs = sorted(key for key in keys if run.get(key) != self._run.get(key))
        piped = self._run.get("inputs") == [[PIPE]]
        if not differs:
            return not (ended and (piped or self.again))
        same = "inputs" not in differs and not piped
        if ended and (self.again or not same):
            differs = [key for key in differs if key in for_good]
            if not differs:
                return False
        there = [
            f"{key} = {run[key]}" for key in differs if key not in _NO_OPTIONS and isinstance(run.get(key), _PLAIN)
        ]
        has = f" (it has {', '.join(there)})" if there else ""
        others = ", ".join(RENAMED.get(key, key) for key in differs)
        whose = f"the state in {self._folder} belongs to a run with other {others}"
        if not ended:
            what = f"{whose}: that run has not ended. Give the same options and inputs{has} to resume it, "
        elif same and not self.again:
            what = f"these inputs were taken already, by a run with other {others}: give the next ones{has}, "
        else:
            what = f"{whose}: these stay the same for all of its runs{has}. Give them, "
        raise ConfigError(f"{what}or another folder to start anew.")

    def damaged(self) -> ConfigError:
        """Return what to say of a state that cannot be gone on from."""
        return ConfigError(
            f"cannot use the state in {self._folder}: it is damaged or none of ours. Put a copy of the folder in its "
            "place, or name another one to start anew."
        )

    def save(self, state: dict[str, Any], out: bytes, refused: bytes) -> None:
        """Decide a batch. Raises TransientError where the folder cannot take it; nothing was decided then."""
        text = json.dumps(state | {"run": self._run}, separators=(",", ":"))[:-1]
        text = f'{text}{_DIGEST}{_digest(text, out, refused)}"}}'
        try:
            self._db.execute("INSERT OR REPLACE INTO batch VALUES (1, ?, ?, ?)", (text, out, refused))
            if self._ids and self._ids != state.get("ids"):
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._ids = state.get("ids")
        except sqlite3.Error as error:
            raise self._broken(error) from None

    def end(self, batch: int, taken: Sequence[Taken]) -> None:
        """Say that a run has ended with this batch, and what it took. Raises as `save` does."""
        try:
            self._db.execute("BEGIN")
            self._db.execute("INSERT OR REPLACE INTO ended VALUES (1, ?)", (batch,))
            self._db.executemany("INSERT OR REPLACE INTO taken VALUES (?, ?, ?, ?)", taken)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._broken(error) from None

    def _broken(self, error: sqlite3.Error) -> TransientError:
        return TransientError(
            f"cannot write the state in {self._folder}: {reason(error)}. Free the disk and give the same command again."
        )

    def close(self) -> None:
        """Close the folder."""
        self._db.close()


def _digest(text: str, out: bytes, refused: bytes) -> str:
    """Return the digest of a state and of what its batch adds to the outputs."""
    digest = blake2b(text.encode(), digest_size=16)
    for part in (out, refused):
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


@contextmanager
def restoring(checkpoint: Checkpoint | None) -> Iterator[None]:
    """Let the body go on from a state; raise ConfigError where that has not the form that it should."""
    try:
        yield
    except _NO_STATE:
        if checkpoint is None:
            raise
        raise checkpoint.damaged() from None


def form_in(folder: Path) -> Form | None:
    """Return the form of what the last run with a state read; None where that cannot be told.

    Raises ConfigError where the state is somebody else's.
    """
    path = folder / FILE
    if not path.exists():
        return None
    try:
        check_own(folder, folder.stat())
        check_own(path, path.lstat())
        with closing(open_own_database(path, patience=0)) as db:
            state = json.loads(db.execute("SELECT state FROM batch").fetchone()[0])
            run = state["run"]
            form = AOL._replace(format=run["format"])
            form = form._replace(names={**form.defaults, **run["json_fields"]}, times=run.get("times", form.times))
            form = form._replace(**run.get("form", {}))
            return form._replace(columns=tuple(form.columns)) if _has_taken(state) else None
    except (OSError, sqlite3.Error, ValueError, TypeError, KeyError, RecursionError):
        return None


def _has_taken(state: dict[str, Any]) -> bool:
    """Say whether any record came in; a state that does not tell has some."""
    arrived = state.get("classifying", {}).get("arrived", 1)
    return bool(arrived or state["refusals"] or any(state.get("before", ())))
