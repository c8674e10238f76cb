"""Made-up addresses, postcodes and coordinates, in the form of those that they stand for.

Rules:
- House numbers and units are drawn by their digits; a surname stands for each word of a street's name, a city by how
  many live there for a city, its own state for a state. What ends a street's name, "apt" and the like stay.
- Five digits become a ZIP code that was never given out; a code of letters begins as none does.
- A coordinate becomes any place on earth, as exact.
- A street in another language than English is made up in its own form (streets.py).
- What is not understood has no substitute (None).

Sources: USPS publication 28, and the prefixes of ZIP codes that the USPS has not given out; Royal Mail, Canada Post,
Eircode (letters that no code begins with), PostNL (none begins with 0); the Open Location Code specification.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import Final

from querymix.core.draw import Draw
from querymix.core.identifiers.recognizers import postcode
from querymix.core.identifiers.recognizers.address import DIRECTIONS, ENDS, SURE_ENDS, UNITS
from querymix.core.identifiers.recognizers.place_code import GEOHASH
from querymix.core.identifiers.seen import PLUS_CODE
from querymix.core.identifiers.spans import word_set
from querymix.core.identifiers.tables import rows
from querymix.core.surrogates import streets
from querymix.core.surrogates.forms import cased_like, digits, number, one_of, placed, signs, until

ZIP_PREFIXES: Final = sorted(
    word_set(
        "213 269 343 345 348 353 419 428 429 517 518 519 529 533 536 552 568 578 579 589 621 632 642 643 663 682 694 "
        "695 696 697 698 699 702 709 715 732 742 771 817 818 819 839 848 849 854 858 861 862 866 867 868 869 876 886 "
        "887 888 892 896 899 909 929 987"
    )
)
BOXES: Final = word_set(
    "po p o box bx pobox post office psc cmr rr apo fpo dpo us state county old highway hwy route rte cr fm farm road "
    "rd usa"
)
_SAME: Final = tuple(
    word_set(such)
    for such in (
        "n s e w no so",
        "ne nw se sw",
        "north south east west",
        "northeast northwest southeast southwest",
    )
)
"""Points of the compass, of which one stands for another."""
_TOKEN: Final = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?")
_ORDINAL: Final = re.compile(r"([0-9]+)(st|nd|rd|th)")
_ZIP: Final = 5
_STATE: Final = "state"


class _Token:
    """A word or number of an address, and what stands for it; None: nothing does yet."""

    def __init__(self, match: re.Match[str]) -> None:
        self.text = match[0]
        self.low = match[0].lower()
        self.span = match.span()
        self.made: str | None = None


class Places:
    """Draws places; `family` draws the words of streets' names."""

    def __init__(self, draw: Draw, family: Callable[[], str]) -> None:
        self._draw, self._family = draw, family
        # Forms of codes, with the letters that none begins with; a Dutch one does not begin with 0.
        self._letter_codes = (
            (postcode.BRITISH, "qvx"),
            (postcode.CANADIAN, "dfioquwz"),
            (postcode.IRISH, "bgijlmoqsuz"),
            (postcode.DUTCH, "0"),
        )
        table = rows("made-up-cities.tsv")
        self._cities = [(name, state) for name, state, size in table if size != _STATE]
        self._ends = list(accumulate(int(size) for _, _, size in table if size != _STATE))
        self.states = {code: name for name, code, size in table if size == _STATE}
        self.codes = {name: code for code, name in self.states.items()}

    def __repr__(self) -> str:
        return "Places()"

    def address(self, text: str) -> str | None:
        """Return an address; None where it holds no number."""
        tokens = [_Token(match) for match in _TOKEN.finditer(text)]
        sure = [at for at, token in enumerate(tokens) if token.low in SURE_ENDS and at > 0]
        ends = sure or [at for at, token in enumerate(tokens) if token.low in ENDS and at > 0]
        street = ends[0] if ends else -1
        english = street > 1 and tokens[0].low[0].isdigit() and tokens[1].low not in streets.TWICE
        if (
            not english
            and tokens
            and tokens[0].low not in BOXES
            and streets.abroad([streets.folded(one.low) for one in tokens])
        ):
            return streets.street(self._draw, self._family, text) if any(map(str.isdigit, text)) else None
        for at, token in enumerate(tokens):
            if token.low in BOXES and street < 0:
                token.made = token.text
            elif at <= street:
                self._street(token, first=at == 0, end=at == street)
            else:
                self._unit(token, tokens[at - 1].low if at else "")
        return self._written(text, tokens)

    def zip(self, text: str) -> str | None:
        """Return a postcode that does not exist, beside another city."""
        low = text.lower()
        for form, begins in self._letter_codes:
            if form.fullmatch(low):
                return placed(signs(self._draw, text, _NO_LETTERS), one_of(self._draw, begins))
        return self._written(text, [_Token(match) for match in _TOKEN.finditer(text)])

    def _street(self, token: _Token, *, first: bool, end: bool) -> None:
        """Set what stands for a part of an address up to the word that ends the street's name."""
        draw, low = self._draw, token.low
        same = next((words for words in _SAME if low in words), None)
        if end:
            token.made = token.text
        elif first or low.isdigit():
            token.made = number(draw, token.text) if low.isdigit() else signs(draw, token.text)
        elif ordinal := _ORDINAL.fullmatch(low):
            token.made = _ordinal(int(number(draw, ordinal[1])))
        elif low in DIRECTIONS and same:
            token.made = cased_like(sorted(same)[draw.below(len(same))], token.text)
        else:
            token.made = cased_like(until(self._family, lambda made: made != low) or self._family(), token.text)

    def _unit(self, token: _Token, before: str) -> None:
        """Set what stands for a unit's word or code behind the street; a city, state or ZIP code is left."""
        if token.low in UNITS:
            token.made = token.text
        elif before in UNITS and (len(token.low) == 1 or any(map(str.isdigit, token.low))):
            token.made = signs(self._draw, token.text)
        elif token.low in DIRECTIONS and not before.isdigit():
            token.made = token.text
        elif len(token.low) == 1 or (not token.low.isalpha() and not token.low.isdigit()):
            token.made = signs(self._draw, token.text)

    def _written(self, text: str, tokens: list[_Token]) -> str | None:
        """Return the text with all that was made, another city and state, and no code that exists."""
        if not any(token.low.isdigit() or (token.made and not token.made.isalpha()) for token in tokens):
            return None
        city, state = self._city(text.lower())
        parts: list[str] = []
        at = 0
        for token, part in zip(tokens, self._parts_of(tokens), strict=True):
            made = {"city": city, "state": self.states[state], "code": state, "rest": ""}.get(part)
            if part == "made":
                made = token.made or self._figures(token.text)
            elif made:
                made = cased_like(made, token.text)
            if made:
                parts += (text[at : token.span[0]], made)
            at = token.span[1]
        return "".join([*parts, text[at:]])

    def _city(self, text: str) -> tuple[str, str]:
        """Return a city that a text does not name, with its state."""
        while True:
            found = self._cities[bisect_right(self._ends, self._draw.below(self._ends[-1]))]
            if found[0] not in text:
                return found

    def _figures(self, text: str) -> str:
        """Return other figures: five of them as a ZIP code that was never given out."""
        made = digits(self._draw, text)
        return placed(made, ZIP_PREFIXES[self._draw.below(len(ZIP_PREFIXES))]) if len(made) == _ZIP else made

    def _parts_of(self, tokens: list[_Token]) -> list[str]:
        """Return of each token: made, the city (where its name begins), a state's name or code, or the rest of one."""
        parts: list[str] = []
        for at, token in enumerate(tokens):
            nexts = [one.low if one.made is None else "" for one in tokens[at + 1 : at + 3]] + ["", ""]
            before = parts[-1] if parts else ""
            if token.made is not None or token.low.isdigit():
                parts.append("made")
            elif before == "state" and f"{tokens[at - 1].low} {token.low}" in self.codes:
                parts.append("rest")
            elif token.low in self.states and not (nexts[0] in self.states or before == ""):
                parts.append("code")
            elif token.low in self.codes or f"{token.low} {nexts[0]}" in self.codes:
                named = (
                    nexts[0] in self.states
                    or nexts[0] in self.codes
                    or nexts[1] in self.states
                    or nexts[1] in self.codes
                )
                parts.append("city" if named and before != "city" else "state" if not named else "rest")
            else:
                parts.append("rest" if before in ("city", "rest") else "city")
        return parts

    def location(self, text: str) -> str | None:
        """Return coordinates, or a place's code, of any other place."""
        draw, low = self._draw, text.lower()
        if PLUS_CODE.fullmatch(low):
            made = "".join([one_of(draw, _PLUS) if char in _PLUS else char for char in low])
            full = low.index("+") == 8
            return _cased(placed(made, one_of(draw, "23456789c") + one_of(draw, _PLUS[:18])) if full else made, text)
        if GEOHASH.fullmatch(low):
            return _cased("".join([one_of(draw, _GEOHASH) for _ in low]), text)
        if not _SAID.issuperset(re.findall(r"[^\W\d_]+", low)) or not any(map(str.isdigit, low)):
            return None
        return _RUN.sub(self._angle, text)

    def _angle(self, match: re.Match[str]) -> str:
        """Return another number of degrees, minutes or seconds, or other decimals of them."""
        run, draw = match[0], self._draw
        if match.start() and match.string[match.start() - 1] in ".," and len(run) > 1:
            return digits(draw, run)
        if len(run) == 3:
            return str(100 + draw.below(80))
        return (
            str(draw.below(10)) if len(run) == 1 else str(10 + draw.below(50)) if len(run) == 2 else digits(draw, run)
        )


def _ordinal(figure: int) -> str:
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{figure}{'th' if figure // 10 % 10 == 1 else ends.get(figure % 10, 'th')}"


def _cased(made: str, like: str) -> str:
    return made.upper() if like.isupper() else made


_PLUS: Final = "23456789cfghjmpqrvwx"
_GEOHASH: Final = "0123456789bcdefghjkmnpqrstuvwxyz"
_NO_LETTERS: Final = "abdefghjlnpqrstuwxyz"
"""Letters that the second half of a British code may have."""
_RUN: Final = re.compile(r"[0-9]+")
_SAID: Final = word_set(
    "n s e w o north south east west lat lon lng long latitude longitude latitud longitud deg degree degrees d m min "
    "minute minutes sec second seconds and"
)
