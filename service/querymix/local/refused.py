"""The file of refused records: a JSON object a line."""

from collections.abc import Iterable

import orjson

from querymix.codecs.base import ENCODING, ERRORS
from querymix.core.records import Refusal


def as_lines(refusals: Iterable[Refusal]) -> bytes:
    """Return a line for each of the refused records."""
    lines = bytearray()
    for one in refusals:
        lines += _line(one)  # no list of them: what orjson gives keeps the 4 kB that it was written in
    return bytes(lines)


def _line(refusal: Refusal) -> bytes:
    source = refusal.source.encode(ENCODING, ERRORS).decode(ENCODING, "backslashreplace")
    log = refusal._asdict() | {"source": source, "raw": refusal.raw.decode(ENCODING, "backslashreplace")}
    return orjson.dumps(log, option=orjson.OPT_APPEND_NEWLINE)
