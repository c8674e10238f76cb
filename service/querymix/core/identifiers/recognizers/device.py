"""Addresses of network devices (MAC, EUI-64).

Rules:
- Six or eight pairs of hexadecimal digits with one separator, or Cisco's three groups of four.
- All zeros, all ones and multicast stand for no device.

Source: IEEE 802.
"""

import re
from typing import Final

from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tokens import QueryText

MAC: Final = re.compile(
    r"(?<!\w)(?<!(?<!\w)[0-9a-f]{2}[:-])[0-9a-f]{2}(?:([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}(?:(?:\1[0-9a-f]{2}){2})?)"
    r"(?!\w|[:-][0-9a-f]{2}(?!\w))"
    r"|(?<!\w)(?<!\w\.)[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?!\.?\w)"
)
NONE: Final = re.compile(r"(?:00[:-]){5,7}00|(?:ff[:-]){5,7}ff|01[:-]00[:-]5e.*|33[:-]33.*|[\d.]+")
"""All zeros, all ones, multicast; three groups of digits only are a number or a date."""


def find(query: QueryText, finds: Findings) -> None:
    """Add MAC addresses."""
    text = query.spaced
    if text.count(":") >= 5 or text.count("-") >= 5 or (query.digits >= 4 and text.count(".") >= 2):
        finds.extend(Identifier("device", *one.span()) for one in MAC.finditer(text) if not NONE.fullmatch(one[0]))


RECOGNIZER: Final[Recognizer] = Recognizer(find, marks=":-.")
