"""What an operator reads when MongoDB fails or refuses a request: why, and what to do next.

Rules:
- A server's own text may hold a document, and so a user: it is looked at, and never shown. Names and numbers are.
- A user or a password that is refused is a RefusedError, all else a TransientError: it may pass, and nothing is lost.
- Codes are those of MongoDB's error_codes.yml; servers that speak its protocol use them too.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pymongo.errors import (
    ConnectionFailure,
    ExecutionTimeout,
    NetworkTimeout,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
    WTimeoutError,
)

from querymix.core.errors import QuerymixError, RefusedError, TransientError


class _Code(NamedTuple):
    """An error of the server's."""

    name: str
    advice: str


_MOVED: Final = "the primary has moved: it passes by itself; name all members of the replica set in the URI"
_SLOW: Final = "the server is too slow: look at its load and its disk"
_REPLICAS: Final = "the write is not safe on enough replicas: see that they run and keep up"
_DISK: Final = "the database's disk is full: make room there"
_USER_REFUSED: Final = "look at the user and the password in --mongodb-uri-file; was the password changed?"
_CODES: Final[Mapping[int, _Code]] = {
    1: _Code("InternalError", "the server failed inside: see whether its disk is full, and what its log says"),
    8: _Code("UnknownError", "the server failed inside: see whether its disk is full, and what its log says"),
    13: _Code("Unauthorized", "grant this user readWrite on the database (--database)"),
    18: _Code("AuthenticationFailed", _USER_REFUSED),
    24: _Code("LockTimeout", _SLOW),
    50: _Code("MaxTimeMSExpired", _SLOW),
    59: _Code("CommandNotFound", "the server lacks a command: is it a MongoDB, 6.0 or later?"),
    64: _Code("WriteConcernFailed", _REPLICAS),
    79: _Code("UnknownReplWriteConcern", _REPLICAS),
    91: _Code("ShutdownInProgress", "the server is being stopped: start it again"),
    100: _Code("UnsatisfiableWriteConcern", _REPLICAS),
    112: _Code("WriteConflict", "another write was there first: it passes by itself"),
    121: _Code("DocumentValidationFailure", "a validator refuses profiles: take it off the collection"),
    146: _Code("ExceededMemoryLimit", "the server lacks memory"),
    189: _Code("PrimarySteppedDown", _MOVED),
    262: _Code("ExceededTimeLimit", _SLOW),
    8000: _Code("AtlasError", "the hosted database refuses it: look at its quota and its access list"),
    10107: _Code("NotWritablePrimary", _MOVED),
    10334: _Code("BSONObjectTooLarge", "a document would be larger than 16 MB"),
    11600: _Code("InterruptedAtShutdown", "the server is being stopped: start it again"),
    11602: _Code("InterruptedDueToReplStateChange", _MOVED),
    13435: _Code("NotPrimaryNoSecondaryOk", _MOVED),
    13436: _Code("NotPrimaryOrSecondary", _MOVED),
    14031: _Code("OutOfDiskSpace", _DISK),
    16500: _Code("RequestRateTooLarge", "the hosted database's quota of requests is used up: raise it"),
}
_REFUSED: Final = frozenset((13, 18))
_VAGUE: Final = frozenset((1, 8))
_PHRASES: Final[tuple[tuple[str, _Code], ...]] = (
    ("no space left", _CODES[14031]),
    ("disk full", _CODES[14031]),
    ("disk is full", _CODES[14031]),
    ("enospc", _CODES[14031]),
    ("quota", _Code("quota", "the database's quota is used up: raise it, or make room there")),
)
"""What servers that have no code for it say in their texts, in lower case."""
_NAME: Final = re.compile(r"[A-Za-z]\w{2,60}")

_REASONS: Final[tuple[tuple[type[PyMongoError], str], ...]] = (
    (ServerSelectionTimeoutError, "no server answers: see that it runs, and that --mongodb names it"),
    (NetworkTimeout, "it does not answer in time: see that it runs, and look at its load"),
    (ExecutionTimeout, "it does not answer in time: look at its load and its disk"),
    (WTimeoutError, _REPLICAS),
    (ConnectionFailure, "the connection broke: see that it runs"),
)


def failed(error: PyMongoError) -> QuerymixError:
    """Return what to say of a failure."""
    why = next((reason for kind, reason in _REASONS if isinstance(error, kind)), None)
    if why is None and isinstance(error, OperationFailure):
        return refused("the request", {"errmsg": str(error), **(error.details or {}), "code": error.code})
    return TransientError(f"MongoDB failed: {why or 'it took no request'}")


def refused(what: str, error: Mapping[str, Any]) -> QuerymixError:
    """Return what to say where the server refuses `what` with an `error` of its own: `code`, `codeName`, `errmsg`."""
    code, text = error.get("code"), str(error.get("errmsg", "")).lower()
    given = str(error.get("codeName", ""))
    known = _CODES.get(code) if isinstance(code, int) else None
    if known is None or code in _VAGUE:
        known = next((named for phrase, named in _PHRASES if phrase in text), known)
    name = known.name if known else given if _NAME.fullmatch(given) else "an error without a name"
    number = f", code {code}" if isinstance(code, int) else ""
    advice = known.advice if known else "the server's log says why"
    kind = RefusedError if code in _REFUSED else TransientError
    return kind(f"MongoDB refused {what} ({name}{number}): {advice}")
