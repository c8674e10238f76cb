"""JSON lines: one object a record, with the operator's own field names, by the rules of querymix.codecs.fields."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import orjson

from querymix.codecs.base import BYTE_ORDER_MARK, Decoded, UnreadableRecordError, check_line, refusal
from querymix.codecs.fields import REPLACED, SURROGATE, NamedFields
from querymix.core.records import Query, Refusal, Release

_ESCAPED: Final = re.compile(r"\\u[dD][89a-fA-F]")


class JsonLinesCodec(NamedFields):
    """Reads and writes JSON lines."""

    form = "json"

    def header(self, line: str) -> bool:
        """JSON lines have no header."""
        return False

    def decode(self, lines: Sequence[str], source: str, first: int) -> Decoded:
        """Read lines, without their line ends."""
        queries: list[Query] = []
        refusals: list[Refusal] = []
        for number, line in enumerate(lines, first):
            try:
                queries.append(self.read(_object_of(line)))
            except UnreadableRecordError as error:
                refusals.append(refusal(source, number, str(error), line))
        return Decoded(queries, refusals)

    def encode(self, releases: Iterable[Release]) -> list[str]:
        """Write a line for each row of each release, with the fields of the line that it came in."""
        write = self.write
        return [
            orjson.dumps(write(release[0], query, release[4])).decode()
            for release in releases
            for query in (release[2], *release[6])
        ]


def _object_of(line: str) -> dict[str, Any]:
    """Return the object that a line is."""
    check_line(line)
    try:
        log = orjson.loads(line)
    except ValueError:
        log = _repaired(line)
    if not isinstance(log, dict):
        raise UnreadableRecordError("the line is no JSON object")
    return log


def _repaired(line: str) -> Any:
    """Return a line that is JSON but for a byte order mark or broken characters, which become U+FFFD.

    Raises UnreadableRecordError where it is no JSON for another reason.
    """
    text = SURROGATE.sub(REPLACED, line.lstrip(BYTE_ORDER_MARK))
    try:
        if _ESCAPED.search(text):
            # The library refuses half a pair written as an escape; the standard one reads it.
            text = SURROGATE.sub(REPLACED, json.dumps(json.loads(text), ensure_ascii=False))
        return orjson.loads(text)
    except RecursionError:
        raise UnreadableRecordError("the line is JSON that is nested too deeply") from None
    except orjson.JSONDecodeError as error:
        raise UnreadableRecordError(f"the line is no JSON: {_reason(error)}") from None
    except ValueError:
        raise UnreadableRecordError("the line is no JSON") from None


def _reason(error: orjson.JSONDecodeError) -> str:
    """Return what the library says, which holds nothing of the line, and where."""
    return f"{error.msg} at character {error.pos + 1}"
