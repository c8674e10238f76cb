"""Made-up addresses in German, French, Spanish, Italian, Portuguese and Dutch.

Rules:
- Words for streets, units, floors, post boxes and the like stay, also at the end of a word; a surname stands for every
  other one, a city's too: "Hauptstraße 12 Berlin" becomes "Kowalskistraße 58 Moreno".
- House numbers, units and postcodes have other digits and letters.
"""

import re
from collections.abc import Callable
from typing import Final

from querymix.core.draw import Draw
from querymix.core.identifiers.recognizers.street.parts import LISTS
from querymix.core.identifiers.seen import see
from querymix.core.surrogates.forms import cased_like, number, signs, until

_SAID: Final = ("begin", "maybe-begin", "grid", "end", "box", "box-begin", "unit-pair", "lead", "lead-two")
_BESIDE: Final = (
    "join", "number-word", "no-number", "unit", "side", "article", "district", "box-two", "postcode-word", "city-join",
    "more",
)  # fmt: skip
TWICE: Final = frozenset({"bis", "ter", "quater"})
"""Behind a French house number that is given to several houses."""
SAID: Final = frozenset[str]().union(*(LISTS[name] for name in _SAID))
"""Words that an address in another language has, beside those that end so."""
_STAYS: Final = SAID.union(TWICE, *(LISTS[name] for name in _BESIDE))
_ENDINGS: Final = tuple(sorted(LISTS["end"] | LISTS["maybe-end"], key=len, reverse=True))
_TOKEN: Final = re.compile(r"[^\W_]+")
_FLOOR: Final = re.compile(r"[0-9]{1,2}(?:os?|er|eme|ere|e)")
"""As in "3o" and "2eme"."""
_MARKS: Final = frozenset("./\xb0")
"""Behind one letter that is short for a word: "c/", "n.", "n\xb0"."""
_FIGURES: Final = re.compile(r"[0-9]*")


def folded(word: str) -> str:
    """Return a word as the lists have it."""
    return see(word).text.lower()


def abroad(words: list[str]) -> bool:
    """Return whether the words of an address, folded, are of another language than English by what they hold."""
    return any(word in SAID or word.endswith(_ENDINGS) for word in words)


def street(draw: Draw, family: Callable[[], str], text: str) -> str:
    """Return another address in the form of `text`."""

    def other(match: re.Match[str]) -> str:
        token = match[0]
        word = folded(token)
        if word in _STAYS and (len(word) > 1 or text[match.end() : match.end() + 1] in _MARKS):
            return token
        if len(token) == 1 or not token.isalpha():
            rest = _FIGURES.sub("", token, count=1)
            figures = number(draw, token.removesuffix(rest))
            return figures + (rest if _FLOOR.fullmatch(word) else signs(draw, rest))
        ending = next((end for end in _ENDINGS if word.endswith(end) and word != end), "")
        made = until(family, lambda made: word not in (made, made + ending)) or family()
        return cased_like(made + ending, token)

    return _TOKEN.sub(other, text)
