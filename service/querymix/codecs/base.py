"""What every codec does, and the rules that hold for each.

Rules:
- A record that cannot be read becomes a `Refusal` that names the rule it breaks; the rest of the batch goes on.
- A query longer than `longest_query` is refused, and so is a short field of more than `LONGEST_FIELD` characters.
- What leaves is valid UTF-8. Bytes that are not (lone surrogates inside) are read as Windows-1252, or become U+FFFD in
  JSON. A user id that holds some is refused: read so, it could become another user's.
- The emitted line has the format of the log and one spelling: lines that say the same are the same bytes, whoever wrote
  them (querymix.codecs.spelling). What `encode` wrote is read and written again as it is.
- URLs are cut to scheme and host (querymix.core.hosts), or to nothing where the host is not certain, unless
  `urls="full"` says otherwise.
- Time is the trigger's (`trigger`, default: the output stays in order and the owner's time stays hidden) or the
  query's own (`query`, the paper's).
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time
from typing import Final, Literal, NamedTuple, Protocol

from querymix.core.bounded_cache import BoundedCache
from querymix.core.hosts import cut_url
from querymix.core.records import MAX_REFUSED, Query, Refusal, Release

TimePolicy = Literal["trigger", "query"]
UrlPolicy = Literal["host", "full", "crowd"]
"""What is kept of a URL where it is read: its host, or all of it (which the rule about crowds cuts later)."""
CategoryColumn = Literal["off", "on"]
"""Whether each released record names its category, in a field of its own."""

LONGEST_LINE: Final = 65_536
"""Characters of a line; a longer one is refused."""
TOO_LONG: Final = f"the line is longer than {LONGEST_LINE} characters"
LONGEST_QUERY: Final = 2000
"""Characters of a query, unless `--longest-query` says otherwise: people's longest in 363,000 of real logs had 341. To
classify one and to look for identifiers in it takes microseconds a character."""
LONGEST_FIELD: Final = 256
"""Characters of a user, a time or a rank: they are remembered, hashed and kept in the profiles."""

NO_TIME: Final = "the time is no date and time of the form YYYY-MM-DD HH:MM:SS"

BROKEN_USER: Final = "the user holds bytes that are not UTF-8: convert the log to UTF-8"
ENCODING: Final = "utf-8"
ERRORS: Final = "surrogateescape"
_BROKEN: Final = re.compile(r"[\udc80-\udcff]")
_WINDOWS_1252: Final = {byte: bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(0x80, 0x100)}
BYTE_ORDER_MARK: Final = "\ufeff"
"""Stands at the beginning of files, and so before lines of files that were joined; it is no part of a record."""


class Decoded(NamedTuple):
    """What became of a batch of lines."""

    queries: list[Query]
    refusals: list[Refusal]


class Codec(Protocol):
    """A form of log lines."""

    @property
    def format(self) -> str:
        """The form and its fields by name: a codec writes queries that were read by one of the same format."""
        ...

    def header(self, line: str) -> bool:
        """Say whether this line names the columns and holds no record."""
        ...

    def heading(self, line: str) -> str:
        """Return the header that names the columns of what is released, for a line that `header` says yes to."""
        ...

    def whole(self, block: bytes) -> int:
        """Return how many bytes of whole lines are whole records; the others go on in the next block."""
        ...

    def decode(self, lines: Sequence[str], source: str, first: int) -> Decoded:
        """Read lines, without their line ends; `first` is the first one's number in `source`."""
        ...

    def encode(self, releases: Iterable[Release]) -> list[str]:
        """Write a line for each row of each release, without line ends; the rows of one query follow each other."""
        ...


class UnreadableRecordError(ValueError):
    """A record breaks a rule; its text is the reason and never holds the record's content."""


def refusal(source: str, line: int, reason: str, raw: str) -> Refusal:
    """Return a refusal that keeps the record's first bytes for the dead letter."""
    return Refusal(source, line, reason, raw[:MAX_REFUSED].encode(ENCODING, ERRORS)[:MAX_REFUSED])


def check_line(line: str) -> None:
    """Raise UnreadableRecordError where a record is no single line, or one that is too long or holds a NUL.

    A record of a stream may hold a line end; released so, it would be two lines to whoever reads a file of them.
    """
    if len(line) > LONGEST_LINE:
        raise UnreadableRecordError(TOO_LONG)
    if "\n" in line or "\r" in line:
        raise UnreadableRecordError("the record holds more than one line: send each record as a record of its own")
    if "\0" in line:
        raise UnreadableRecordError("the line holds a NUL byte")


def check_sizes(user: object, text: object, time: object, rank: object, longest: int) -> None:
    """Raise UnreadableRecordError where a query has more than `longest` characters, or a short field too many.

    To be called with fields as they came, before anything else is done to them.
    """
    if isinstance(text, str) and len(text) > longest:
        raise UnreadableRecordError(f"the query is longer than {longest} characters (--longest-query)")
    if isinstance(user, str) and len(user) > LONGEST_FIELD:
        raise UnreadableRecordError(f"the user is longer than {LONGEST_FIELD} characters")
    if isinstance(time, str) and len(time) > LONGEST_FIELD:
        raise UnreadableRecordError(f"the time is longer than {LONGEST_FIELD} characters")
    if isinstance(rank, str) and len(rank) > LONGEST_FIELD:
        raise UnreadableRecordError(f"the rank is longer than {LONGEST_FIELD} characters")


def is_utf8(text: str) -> bool:
    """Say whether a text can be written as UTF-8: whether all of its bytes were."""
    if text.isascii():
        return True
    try:
        text.encode(ENCODING)
    except UnicodeEncodeError:
        return False
    return True


def as_windows_1252(text: str) -> str:
    """Return a text whose bytes that are not UTF-8 are read as Windows-1252, and the five that it lacks as Latin-1."""
    return _BROKEN.sub(lambda found: _WINDOWS_1252[ord(found[0]) & 0xFF], text)


class CutUrls(BoundedCache[str]):
    """From a URL to `cut_url` of it."""

    def __missing__(self, url: str) -> str:
        cut = cut_url(url)
        self.keep(url, cut)
        return cut


class Hours(BoundedCache[float]):
    """From "YYYY-MM-DD HH" to the seconds from 1970 to then (UTC). Raises UnreadableRecordError for what is no hour."""

    def __missing__(self, hour: str) -> float:
        try:
            if len(hour) != len("YYYY-MM-DD HH") or hour[4] + hour[7] + hour[10] != "-- " or hour[11:] > "23":
                raise ValueError
            begin = datetime.fromisoformat(hour).replace(tzinfo=UTC).timestamp()
        except ValueError:
            raise UnreadableRecordError(NO_TIME) from None
        self.keep(hour, begin)
        return begin


class Seconds(dict[str, int]):
    """From ":MM:SS", with its colons, to seconds since the hour began, which has 3600 of them.

    Raises UnreadableRecordError for what is no time.
    """

    def __missing__(self, clock: str) -> int:
        try:
            if len(clock) != len(":MM:SS") or clock[0] + clock[3] != "::":
                raise ValueError
            past = time.fromisoformat(f"00{clock}")
        except ValueError:
            raise UnreadableRecordError(NO_TIME) from None
        seconds = self[clock] = past.minute * 60 + past.second
        return seconds
