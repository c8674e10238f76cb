"""Random signs in the form of others: digits for digits, letters for letters, with their capitals and marks."""

import re
from collections.abc import Callable
from typing import Final

from querymix.core.draw import Draw

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_VOWELS: Final = "aeiou"
_CONSONANTS: Final = "bcdfghjklmnprstvwz"
_DIGIT: Final = re.compile("[0-9]")
_SIGN: Final = re.compile("[0-9A-Za-z]")
_LETTERS: Final = re.compile("[A-Za-z]+")
_TRIES: Final = 16
"""So few that a text of all words of two letters costs little; of five words one comes up so often in a row never."""


def one_of(draw: Draw, signs: str) -> str:
    """Return one of the characters."""
    return signs[draw.below(len(signs))]


def digits(draw: Draw, text: str) -> str:
    """Return `text` with other digits."""
    return _DIGIT.sub(lambda _: str(draw.below(10)), text)


def number(draw: Draw, text: str) -> str:
    """Return digits, as many, that do not begin with 0 unless those did."""
    return (
        text
        if not text
        else (digits(draw, text[0]) if text[0] == "0" else str(1 + draw.below(9))) + digits(draw, text[1:])
    )


def signs(draw: Draw, text: str, letters: str = LETTERS) -> str:
    """Return `text` with other digits, and other letters out of those given."""

    def other(match: re.Match[str]) -> str:
        sign = match[0]
        if sign.isdigit():
            return str(draw.below(10))
        drawn = one_of(draw, letters)
        return drawn.upper() if sign.isupper() else drawn

    return _SIGN.sub(other, text)


def words_of(text: str) -> frozenset[str]:
    """Return the runs of letters of a text, in small letters; a single letter is no word."""
    return frozenset(word.lower() for word in _LETTERS.findall(text) if len(word) > 1)


def spoken(draw: Draw, text: str, gone: frozenset[str]) -> str:
    """Return `text` with other digits, and for each run of letters one as long that can be spoken and is not `gone`."""

    def other(match: re.Match[str]) -> str:
        made = until(lambda: _spoken(draw, len(match[0])), lambda made: made not in gone, _TRIES)
        return cased_like(made or _spoken(draw, len(match[0])), match[0])

    return digits(draw, _LETTERS.sub(other, text))


def _spoken(draw: Draw, size: int) -> str:
    vowel = draw.below(2)
    return "".join([one_of(draw, (_CONSONANTS, _VOWELS)[(at + vowel) % 2]) for at in range(size)])


def placed(text: str, begin: str) -> str:
    """Return `text` with its first letters and digits replaced by those of `begin`, its marks and capitals in place."""
    rest = iter(begin)
    parts = []
    for char in text:
        sign = next(rest, "") if char.isalnum() else ""
        parts.append((sign.upper() if char.isupper() or text.isupper() else sign) or char)
    return "".join(parts)


def cased_like(made: str, like: str) -> str:
    """Return lower-case `made` in the case of `like`: in capitals, with words beginning with one, or small."""
    if len(like) > 1 and like.isupper():
        return made.upper()
    return re.sub(r"[a-z]+", lambda match: match[0].capitalize(), made) if like[:1].isupper() else made


def until(make: Callable[[], str], ok: Callable[[str], bool], tries: int = 1000) -> str | None:
    """Return what `make` draws as soon as it is `ok`; None where it never is."""
    return next((made for made in (make() for _ in range(tries)) if ok(made)), None)
