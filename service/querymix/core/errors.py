"""The errors of querymix, split by what happens next.

Rules:
- No error's text, and no repr, holds a query or a user id: a record is named by its source and place only.
- Bad data never raises out of a batch: it becomes a `Refusal` (see records) and the stream goes on. Only a program that
  has the record at hand, and counts no refusals, gets a RecordError.
"""

import traceback
from pathlib import Path


class QuerymixError(Exception):
    """Any error that querymix raises on purpose. Its text says what to do next."""


class ConfigError(QuerymixError):
    """A setting, an option or a file that the operator named is wrong: correct it and start again (exit 2)."""


class MissingFieldError(ConfigError):
    """A log's first lines lack a field that is needed; `fields` is what --fields may be given instead."""

    def __init__(self, what: str, fields: str) -> None:
        super().__init__(what, fields)
        self.what = what
        self.fields = fields

    def __str__(self) -> str:
        return f"{self.what} Give --fields {self.fields}."


class TransientError(QuerymixError):
    """Something outside failed (a disk, a server): the work stops where it can resume (exit 1)."""


def reason(error: Exception) -> str:
    """Return why the system or a package refused, in its own words: no number of an error, no name of a class."""
    return str(getattr(error, "strerror", None) or error).rstrip(". ") or "it gave no reason"


def origin(error: BaseException) -> str:
    """Return where in the code an error was raised, such as " (client.py, line 532)": all that a report can name.

    Empty where it was not raised. It holds nothing of what the code worked on.
    """
    frames = traceback.extract_tb(error.__traceback__)
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""


class RefusedError(ConfigError):
    """A server refuses this user: at a start that is a wrong setting; what runs waits until the refusal is lifted."""


class RecordError(QuerymixError):
    """A record that a program pushed cannot be read: correct it, or leave it out (the library only)."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(number, reason)
        self.number = number
        """The record's place among all that were pushed, counted from 1."""
        self.reason = reason
        """Names the rule that the record breaks, never its content."""

    def __str__(self) -> str:
        return f"record {self.number}: {self.reason}. Correct it, or give on_refused to count such records and go on."
