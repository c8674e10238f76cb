"""The errors of querymix, split by what happens next.

Rules:
- No error's text, and no repr, holds a query or a user id: a record is named by its source and place only.
- Bad data never raises out of a batch: it becomes a `Refusal` (see records) and the stream goes on.
"""


class QuerymixError(Exception):
    """Any error that querymix raises on purpose. Its text says what to do next."""


class ConfigError(QuerymixError):
    """A setting, an option or a file that the operator named is wrong: correct it and start again (exit 2)."""


class TransientError(QuerymixError):
    """Something outside failed (a disk, a server): the work stops where it can resume (exit 1)."""
