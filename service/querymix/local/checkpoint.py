"""The checkpoint: state, position and the batch's own output in one transaction, before any of it shows.

Rules:
- A batch is decided once. Its releases stand in the checkpoint before the first of them reaches the output, so a
  restart writes the same pairs again and never draws others.
- A resume cuts the output back to where the batch began and writes it from the checkpoint; profiles know the last
  batch that they took in and take none twice.
- Before a batch replaces the one before, that one's output is on the disk, not only in the system's cache.
- The folder holds raw queries: it is made for its owner only.
- One run at a time: two would draw from the same state, which puts one query under two users.
"""

import json
import sqlite3
from pathlib import Path
from typing import Any, Final, NamedTuple

from querymix.core.errors import ConfigError, TransientError, reason

FILE: Final = "checkpoint.sqlite"
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS batch (one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT, out BLOB, refused BLOB)"
)
_NO_OPTIONS = frozenset({"inputs", "knowledge", "pseudonym_key"})
"""What a run is told to differ in and cannot give by its value."""
_PLAIN = (str, int, float)


class Saved(NamedTuple):
    """The last batch that was decided."""

    state: dict[str, Any]
    """As it is after the batch."""
    out: bytes
    """What the batch adds to the output."""
    refused: bytes
    """What the batch adds to the file of refused records."""

    def __repr__(self) -> str:
        return "Saved(...)"


class Checkpoint:
    """A folder that a killed run resumes from.

    `run` names what the run reads and how; raises ConfigError where the folder belongs to another one.
    """

    def __init__(self, folder: Path, run: dict[str, Any]) -> None:
        self._folder = folder
        self._run = run
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = folder / FILE
            path.touch(mode=0o600)
            self._db = sqlite3.connect(path, timeout=0, isolation_level=None)
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute(_SCHEMA)
        except OSError as error:
            raise ConfigError(f"cannot use the checkpoint folder {folder}: {reason(error)}") from None
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise ConfigError(f"the checkpoint in {folder} is in use by another run: let that one end") from None
            raise ConfigError(f"cannot use the checkpoint in {folder}: {reason(error)}") from None

    def load(self) -> Saved | None:
        """Return the last batch that was decided, None at the first start."""
        try:
            row = self._db.execute("SELECT state, out, refused FROM batch").fetchone()
            if row is None:
                return None
            state = json.loads(row[0])
            run = state["run"]
        except (sqlite3.Error, ValueError, TypeError, KeyError):
            raise ConfigError(f"cannot use the checkpoint in {self._folder}: it is damaged or none of ours") from None
        self._check(run)
        return Saved(state, row[1], row[2])

    def _check(self, run: dict[str, Any]) -> None:
        """Raise ConfigError where the run that the checkpoint belongs to, `run`, is another than this one."""
        differs = sorted(key for key, value in self._run.items() if run.get(key) != value)
        if not differs:
            return
        there = [
            f"{key} = {run[key]}" for key in differs if key not in _NO_OPTIONS and isinstance(run.get(key), _PLAIN)
        ]
        has = f" (it has {', '.join(there)})" if there else ""
        raise ConfigError(
            f"the checkpoint in {self._folder} belongs to a run with other {', '.join(differs)}: "
            f"give the same options and inputs{has} to resume it, "
            "or another folder to start anew."
        )

    def save(self, state: dict[str, Any], out: bytes, refused: bytes) -> None:
        """Decide a batch. Raises TransientError where the folder cannot take it; nothing was decided then."""
        text = json.dumps(state | {"run": self._run}, separators=(",", ":"))
        try:
            self._db.execute("INSERT OR REPLACE INTO batch VALUES (1, ?, ?, ?)", (text, out, refused))
        except sqlite3.Error as error:
            raise TransientError(
                f"cannot write the checkpoint in {self._folder}: {reason(error)}. "
                "Free the disk and give the same command again."
            ) from None

    def close(self) -> None:
        """Close the folder."""
        self._db.close()
