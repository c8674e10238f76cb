"""A query's text with something made up in place of what identifies somebody.

Rules:
- All is drawn anew for every query, from the draw that is handed in, and never out of the identifier: of that only the
  form is used, and that another one is drawn. A mention that comes twice in one query has the same surrogate there.
- Each kind of identifier is in `SWAPPED` or in `CUT`. A kind is cut where one made up would either be somebody's or be
  known as made up at once: there is no form to follow, and no range that is given to nobody.
- An identifier whose form is not understood is cut too. So is one in letters that are not Latin.
- The text was normalized before it was looked at (seen.py): encoded marks are written as they were, accents are not.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from querymix.core.crowd import terms_of
from querymix.core.draw import Draw
from querymix.core.identifiers.recognizers import national
from querymix.core.identifiers.seen import Seen, see
from querymix.core.identifiers.spans import KINDS, Identifier, cut
from querymix.core.surrogates import nobody, words
from querymix.core.surrogates.people import People
from querymix.core.surrogates.places import Places

_NUMBERS: Final[dict[str, Callable[[Draw, str], str | None]]] = {
    "us_ssn": nobody.ssn, "gb_nino": nobody.nino, "in_pan": nobody.pan,
    "my_nric": nobody.dated_ymd, "mx_rfc": nobody.rfc, "ae_id": nobody.emirates, "ch_ahv": nobody.swiss,
    "ar_cuil": nobody.cuil,
    "fr_nir": nobody.nir, "card": nobody.card, "vehicle": nobody.vin, "device": nobody.device, "ip": nobody.ip,
    "phone": nobody.phone, "account": nobody.account, "code": nobody.code, "email": words.email, "url": words.url,
    "username": words.username, "photo": words.photo, "date": words.date, "age": words.age,
}  # fmt: skip
CUT: Final = {
    "secret": "a password, key or code has no form to follow",
    "medical": "any number may be somebody's",
    "plan": "any number may be somebody's",
    "licence": "any number may be somebody's",
    "plate": "nearly every one is somebody's",
    **{
        one.kind: "it has no check digit"
        for one in national.SCHEMES
        if one.chance > nobody.GUESSED and one.kind not in _NUMBERS
    },
}
"""The kinds that are cut, and why. Accounts that are neither IBANs nor wallets are cut as well."""
SWAPPED: Final = frozenset(KINDS) - frozenset(CUT)
REMEMBERED: Final = 3600.0
"""Seconds for which the queries that something was swapped in are known at least, so that their rows have the same."""
_TRIES: Final = 64


class Swapped(NamedTuple):
    """A text with surrogates, and the kinds of those that are in it."""

    text: str
    kinds: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Swapped({', '.join(self.kinds)})"


class Surrogates:
    """Draws surrogates out of `draw`; the operating system's protects people."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._people = People(draw)
        self._places = Places(draw, self._people.family)
        self.remembered = REMEMBERED
        """Seconds for which a query's own surrogates may be wanted again."""

    def __repr__(self) -> str:
        return "Surrogates()"

    def __call__(self, text: str, finds: Sequence[Identifier]) -> Swapped:
        """Return `text` with a surrogate for each of `finds` (sorted and disjoint) that has one; the others are cut."""
        made = self._all(text, finds)
        parts: list[str] = []
        left, at = False, 0
        for (_, start, end), surrogate in zip(finds, made, strict=True):
            parts += (text[at:start], surrogate or " ")
            left = left or surrogate is None
            at = end
        whole = "".join([*parts, text[at:]])
        return Swapped(" ".join(whole.split()) if left else whole, _kinds(finds, made))

    def into(self, released: str, text: str, finds: Sequence[Identifier]) -> Swapped:
        """Return `released`, which a rule about rare texts made of what was left of `text`, with the surrogates.

        They are in normal form as it is, and stand behind as many terms as before. Where terms were dropped they may
        stand further on.
        """
        terms = released.split()
        made = self._all(text, finds)
        added = 0
        for (_, start, _), surrogate in zip(finds, made, strict=True):
            if surrogate is not None:
                before = [one for one in finds if one.start < start]
                place = min(len(cut(text[:start], before).split()) + added, len(terms))
                new = terms_of(surrogate)
                terms[place:place] = new
                added += len(new)
        return Swapped(" ".join(terms), _kinds(finds, made))

    def _all(self, text: str, finds: Sequence[Identifier]) -> list[str | None]:
        """Return the surrogate of each find, None where it is cut; the same mention has the same one."""
        names: dict[str, str] = {}
        said: dict[tuple[str, str], str | None] = {}
        made = []
        for kind, start, end in finds:
            mention = text[start:end]
            key = kind, mention.casefold()
            if key not in said:
                said[key] = self._one(kind, mention, names)
            made.append(said[key])
        return made

    def _one(self, kind: str, mention: str, names: dict[str, str]) -> str | None:
        """Return a surrogate of one identifier."""
        seen = see(mention)
        if kind in CUT or any(char.isalnum() and not char.isascii() for char in seen.text):
            return None
        for _ in range(_TRIES):
            made = self._made(kind, seen.text, names)
            if made is None:
                return None
            if made.lower() != seen.text.lower():
                return _as_written(made, seen, mention)
        return None

    def _made(self, kind: str, text: str, names: dict[str, str]) -> str | None:
        if kind == "name":
            return self._people.like(text, names)
        if kind == "address":
            return self._places.address(text)
        if kind == "zip":
            return self._places.zip(text)
        if kind == "location":
            return self._places.location(text)
        return nobody.numbered(self._draw, kind, text, _NUMBERS.get(kind, nobody.person))


def _kinds(finds: Sequence[Identifier], made: Sequence[str | None]) -> tuple[str, ...]:
    return tuple(sorted({find.kind for find, surrogate in zip(finds, made, strict=True) if surrogate is not None}))


def _as_written(made: str, seen: Seen, mention: str) -> str:
    """Return a surrogate with its marks written as the mention has them: "%40" for "@", a typographic apostrophe."""
    if not seen.moved:
        return made
    written = {}
    for char, start, end in zip(seen.text, seen.starts, seen.ends, strict=True):
        if not char.isalnum() and end > start:
            written[char] = mention[start:end]
    return "".join([written.get(char, char) for char in made])
