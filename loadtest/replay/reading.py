"""From lines to whole-line records: reads no more of a line than its user and its time.

Rules:
- What is a log is told by the codecs of the service, so what is sent is what the service reads.
- The form is told by an input's first line: JSON lines begin with {, anything else is of the AOL form.
- A log that is to be sent with another user or time is kept as a template: its line with gaps (see templates.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import orjson
from querymix.codecs.aol import AolCodec
from querymix.codecs.base import (
    BYTE_ORDER_MARK,
    ENCODING,
    ERRORS,
    LONGEST_LINE,
    Codec,
    Decoded,
    Hours,
    Seconds,
    UnreadableRecordError,
    refusal,
)
from querymix.codecs.fields import FIELDS
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.core.records import Query, Refusal, Release
from querymix.local.reading import Input

from loadtest.replay.logs import Log
from loadtest.replay.templates import aol_template, json_template

_new: Final = tuple.__new__
_BLANK: Final = BYTE_ORDER_MARK + " \t"


class WholeLines:
    """A codec of one input whose queries have, for their text, their whole line or the template of it.

    `fields` names JSON fields, as `JsonLinesCodec` takes them.
    """

    def __init__(self, fields: Mapping[str, str], *, templates: bool = False) -> None:
        self._aol = AolCodec(urls="full")
        self._json = JsonLinesCodec(fields=fields, urls="full")
        self._names = FIELDS | dict(fields)
        self._templates = templates
        self._codec: Codec | None = None
        self._hours = Hours()
        self._seconds = Seconds()
        self.numbers = False
        """Whether a user id was a JSON number."""
        self.first_refusal: Refusal | None = None

    @property
    def format(self) -> str:
        """The form that the first line had."""
        return "json" if self._codec is self._json else "aol"

    def header(self, line: str) -> bool:
        """Say whether this line names the columns."""
        return self._aol.header(line)

    def heading(self, line: str) -> str:
        """Return the line, which no query is written under."""
        return line

    def whole(self, block: bytes) -> int:
        """Each line is a record."""
        return len(block)

    def decode(self, lines: Sequence[str], source: str, first: int) -> Decoded:
        """Read lines; the first that is not empty tells the form."""
        if self._codec is None:
            begins = next((line for line in lines if line.strip(_BLANK)), None)
            if begins is not None:
                self._codec = self._json if begins.lstrip(_BLANK).startswith("{") else self._aol
        codec = self._codec or self._aol
        quick = codec is self._aol and not self._templates
        found = self._quick(lines, source, first) if quick else self._careful(codec, lines, source, first)
        if found.refusals and self.first_refusal is None:
            self.first_refusal = found.refusals[0]
        return found

    def encode(self, releases: Iterable[Release]) -> list[str]:
        """Nothing is released here."""
        raise NotImplementedError

    def _quick(self, lines: Sequence[str], source: str, first: int) -> Decoded:
        queries: list[Query] = []
        refusals: list[Refusal] = []
        keep, hours, seconds = queries.append, self._hours, self._seconds
        for number, line in enumerate(lines, first):
            try:
                user, _, time, rank, _ = line.split("\t")
                if (
                    not user
                    or user[0] == BYTE_ORDER_MARK
                    or (rank and not rank.isdigit())
                    or len(line) > LONGEST_LINE
                    or "\0" in line
                ):
                    raise ValueError
                keep(_new(Query, (user, line, time, hours[time[:13]] + seconds[time[13:]], None, None, ())))
            except ValueError:
                more, refused = self._careful(self._aol, [line], source, number)
                queries += more
                refusals += refused
        return Decoded(queries, refusals)

    def _careful(self, codec: Codec, lines: Sequence[str], source: str, first: int) -> Decoded:
        queries: list[Query] = []
        refusals: list[Refusal] = []
        for number, line in enumerate(lines, first):
            found, refused = codec.decode([line], source, number)
            refusals += refused
            for query in found:  # one, or none for a header
                text = line.lstrip(BYTE_ORDER_MARK)
                if not self.numbers and codec is self._json and query.user.isdecimal():
                    self.numbers = _is_number(text, self._names["user"])
                if self._templates:
                    try:
                        text = aol_template(text) if codec is self._aol else json_template(text, self._names)
                    except UnreadableRecordError as error:
                        refusals.append(refusal(source, number, str(error), line))
                        continue
                queries.append(Query(query.user, text, query.time, query.at))
        return Decoded(queries, refusals)


def _is_number(line: str, name: str) -> bool:
    """Return whether a field of a JSON line is a whole number; a line that only a codec can read has none."""
    try:
        return type(orjson.loads(line).get(name)) is int
    except orjson.JSONDecodeError:
        return False


def unread(source: Input, first: Refusal | None) -> str:
    """Return what to say of an input of which nothing, or not all, could be read; empty where it was read to its end.

    `first` is the first refusal of its rows.
    """
    if source.damage:
        return f"{source.name}: {source.damage.reason}. " + (
            "What could be read of it was taken." if source.queries else "Nothing could be read."
        )
    if source.queries or first is None:
        return ""
    return (
        f"{source.name}: none of its {source.refused:,} rows could be read. Line {first.line}: {first.reason}. Give "
        "files of the AOL form (user, query, time, rank and URL, parted by tabs) or of JSON lines (--fields names "
        "their fields)."
    )


def whole(queries: Iterable[Query]) -> list[Log]:
    """Return what `WholeLines` read as records."""
    return [(query[3], query[0].encode(ENCODING, ERRORS), query[1].encode(ENCODING, ERRORS)) for query in queries]
