"""Blocks of lines, cut so that none has many: as an object, an empty line takes hundreds of times its byte."""

import re
from collections.abc import Iterator
from typing import Final

from querymix.codecs.base import Codec

MOST_LINES: Final = 1 << 15
"""Lines that are handed on at once; a block of usual lines has fewer."""
_LINE_END: Final = re.compile(rb"\r\n?|\n")


def pieces(codec: Codec, records: bytes, most: int = MOST_LINES) -> Iterator[bytes]:
    """Yield whole records in pieces of `most` lines at most, where one record alone has not more."""
    waiting = [records]
    while waiting:
        piece = waiting.pop()
        end = 0
        if piece.count(b"\n") + piece.count(b"\r") > most:
            middle = _LINE_END.search(piece, len(piece) // 2)
            found = middle if middle and middle.end() < len(piece) else _LINE_END.search(piece)
            end = codec.whole(piece[: found.end()]) if found else 0
        if 0 < end < len(piece):
            waiting += [piece[end:], piece[:end]]
        else:
            yield piece
