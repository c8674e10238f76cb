"""Addresses of network devices (MAC, EUI-64).

Rules:
- Six or eight pairs of hexadecimal digits with one separator, or Cisco's three groups of four.
- Pairs with spaces are one where they are the whole query, with letters and figures, or a word such as "mac" says so.
- All zeros, all ones and multicast stand for no device.

Source: IEEE 802.
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

MAC: Final = expression(
    r"(?<!\w)(?<!(?<!\w)[0-9a-f]{2}[:-])[0-9a-f]{2}(?:([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}(?:(?:\1[0-9a-f]{2}){2})?)"
    r"(?!\w|[:-][0-9a-f]{2}(?!\w))"
    r"|(?<!\w)(?<!\w\.)[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?!\.?\w)"
)
SPACED: Final = expression(r"(?<!\S)[0-9a-f]{2}(?: [0-9a-f]{2}){5}(?!\S)(?! [0-9a-f]{2}(?!\S))")
SPACES: Final = 5
MIXED: Final = expression(r".*[0-9][a-f]|.*[a-f][0-9]")
WORDS: Final = word_set("mac bssid ethernet wifi wlan adapter nic oui")
NONE: Final = expression(r"(?:00[: -]){5,7}00|(?:ff[: -]){5,7}ff|01[: -]00[: -]5e.*|33[: -]33.*|[\d.]+")
"""All zeros, all ones, multicast; three groups of digits only are a number or a date."""


def find(query: QueryText, finds: Findings) -> None:
    """Add MAC addresses."""
    text = query.spaced
    if text.count(":") >= 5 or text.count("-") >= 5 or (query.digits >= 4 and text.count(".") >= 2):
        finds.extend(Identifier("device", *one.span()) for one in MAC.finditer(text) if not NONE.fullmatch(one[0]))


def spaced(query: QueryText, finds: Findings) -> None:
    """Add MAC addresses whose pairs are parted by spaces."""
    text = query.spaced
    if len(query.words) > SPACES and (match := SPACED.search(text)) and not NONE.fullmatch(match[0]):
        alone = match[0] == text.strip() and MIXED.match(match[0])
        if alone or query.says(WORDS):
            finds.append(Identifier("device", *match.span()))


RECOGNIZER: Final[Recognizer] = Recognizer(find, marks=":-")
DOTTED: Final[Recognizer] = Recognizer(find, digits=4, marks=".")
IN_PAIRS: Final[Recognizer] = Recognizer(spaced, digits=1)
