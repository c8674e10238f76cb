"""Made-up names of people, in the form of those that they stand for.

>>> from querymix.core.draw import seeded_draw
>>> People(seeded_draw(1)).like("Dr. John O'Brien Jr", {}) == "Dr. John O'Brien Jr"
False

Rules:
- A given name stands for a given name, a surname for a surname, a letter for an initial. Titles, particles ("de la"),
  "and" and the like stay: many people share them. So do the marks between, and capitals.
- Names are drawn by how many people bear them. Who bears none of the list is spelled anew, by which letters follow each
  other in it: else whoever knows the list would know that a name outside of it is real.
- The same word has the same substitute all through a query (`said`), and no substitute is a word of what it stands for.
- A name with a letter that is not Latin has no substitute (None): it is cut.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from itertools import accumulate
from typing import Final

from querymix.core.draw import Draw
from querymix.core.identifiers.names.roles import ANDS, HEIRS, PARTICLES, SUFFIXES, VANS
from querymix.core.identifiers.spans import word_set
from querymix.core.identifiers.spellings import spelled
from querymix.core.identifiers.tables import rows
from querymix.core.surrogates.forms import cased_like, digits

ANEW: Final = "*"
"""Stands in the table for all names that it does not hold."""
TITLES: Final = word_set(
    "mr mrs ms miss mister dr doctor prof professor rev reverend sir dame lord lady judge justice attorney lawyer "
    "officer sgt capt captain lt col gen sen senator rep gov mayor pastor father fr sister brother coach nurse "
    "detective hon"
) | spelled(
    "herr frau fräulein hr fr doktor professorin pfarrer mme mlle mlles madame mademoiselle monsieur docteur docteure "
    "maître señor señora señorita sra srta drs dra doctora profesor profesora sig signor signora signorina sigra dott "
    "dottor dottoressa dottssa avv ing professore professoressa senhor senhora doutor doutora professora "
    "dhr mevr mevrouw meneer mw juffrouw dokter dominee familie famille familia famiglia família geb geborene née né "
    "nata nacida geboren"
)
"""Words before a name that go along with it and are no part of it."""
_ENDINGS: Final = word_set("ra na ri ssa med ing")
"""What stands behind the dot of a title: "sig.ra", "dott.ssa"."""
STAY: Final = ANDS | HEIRS | SUFFIXES | TITLES
_PARTS: Final = PARTICLES | VANS
_NAMES_TOO: Final = word_set("ben bin le do so ten")
"""Particles that are names as well."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_HUMP: Final = re.compile(r"(?<=[a-z]{2})(?=[A-Z][a-z]{2})")
_IRISH: Final = word_set(
    "brien connor neil neill reilly leary donnell keefe grady malley hara shea sullivan toole meara rourke dowd hearn "
    "brian connell dell donoghue dwyer gorman hare kelly loughlin mahony riley rear quinn shaughnessy bannon callaghan"
)
_ITALIAN: Final = word_set("angelo amico ambrosio agostino andrea antonio amato alessandro elia onofrio orazio urso")
_STEMS: Final = {"o": sorted(_IRISH), "d": sorted(_ITALIAN)}
"""What stands behind "o'" and "d'"."""
_ONE_WORD: Final = 9
"""Letters of a word that may be a given name and a surname written as one."""
_SHORTEST, _LONGEST = 3, 12
_TRIES: Final = 64


class Names:
    """Names of one kind, drawn by how many people bear them."""

    def __init__(self, kind: str) -> None:
        self._names: list[str] = []
        weights: list[int] = []
        for name, weight in sorted((name, int(weight)) for key, weight, names in rows("made-up-names.tsv")
                                   if key == kind for name in names.split()):  # fmt: skip
            self._names.append(name)
            weights.append(weight)
        self._ends = list(accumulate(weights))
        self._letters = _followers([name for name in self._names if name != ANEW])
        self.known = frozenset(self._names)

    def __repr__(self) -> str:
        return f"Names({len(self._names)})"

    def draw(self, draw: Draw) -> str:
        """Return a name."""
        name = self._names[bisect_right(self._ends, draw.below(self._ends[-1]))]
        return self.anew(draw) if name == ANEW else name

    def anew(self, draw: Draw) -> str:
        """Return a name that is spelled anew: each letter is one that follows the three before it in some name."""
        while True:
            name = "^^^"
            while name[-1] != "$" and len(name) <= _LONGEST + 3:
                letters, ends = self._letters[name[-3:]]
                name += letters[bisect_right(ends, draw.below(ends[-1]))]
            name = name[3:-1]
            if _SHORTEST <= len(name) <= _LONGEST and name not in self.known:
                return name


def _followers(names: list[str]) -> dict[str, tuple[str, list[int]]]:
    """Return which letters follow each three of them, with how often up to each; "$" ends a name."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name in names:
        spelled = f"^^^{name}$"
        for at in range(3, len(spelled)):
            counts[spelled[at - 3 : at]][spelled[at]] += 1
    return {three: ("".join(found), list(accumulate(found.values()))) for three, found in counts.items()}


class People:
    """Draws the substitutes of names."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._given, self._family = Names("given"), Names("family")

    def __repr__(self) -> str:
        return "People()"

    def family(self) -> str:
        """Return a surname."""
        return self._family.draw(self._draw)

    def like(self, text: str, said: dict[str, str]) -> str | None:
        """Return made-up names in the form of `text`; `said` are the substitutes of this query so far."""
        found = list(_WORD.finditer(text))
        if not found or not all(match[0].replace("'", "").isascii() for match in found):
            return None
        gone = frozenset(part for match in found for part in match[0].lower().split("'"))
        roles = self._roles([match[0] for match in found], [match.end() for match in found], text)
        parts: list[str] = []
        at = 0
        for match, role in zip(found, roles, strict=True):
            parts += (digits(self._draw, text[at : match.start()]), self._word(match[0], role, gone, said))
            at = match.end()
        return "".join([*parts, digits(self._draw, text[at:])])

    def _roles(self, words: list[str], ends: list[int], text: str) -> list[str]:
        """Return of each word whether it stays, or is a given name, a surname, or both written as one."""
        roles: list[str] = []
        people: list[list[int]] = [[]]
        for number, word in enumerate(words):
            low = word.lower()
            last = number == len(words) - 1
            if low in ANDS or "&" in text[ends[number - 1] if number else 0 : ends[number] - len(word)]:
                people.append([])
            # "van der roe, jane" and "mr van der roe" begin with one, "ben roe" does not.
            led = "," in text or (number > 0 and roles[-1] == "stays")
            before_another = not last and words[number + 1].lower() in _PARTS
            begins = not people[-1] and (low in _NAMES_TOO or not (led or before_another))
            ends_title = led and low in _ENDINGS and text[ends[number] - len(word) - 1] == "."
            stays = low in STAY or ends_title or (low in _PARTS and not last and not begins)
            roles.append("stays" if stays and not (last and low in TITLES) else "family")
            if roles[-1] == "family":
                people[-1].append(number)
        for person in people:
            titled = bool(person) and person[0] > 0 and words[person[0] - 1].lower() in TITLES
            first_last = bool(person) and text[ends[person[0]] : ends[person[0]] + 1] == ","
            for number in person[1:] if first_last or (titled and len(person) == 1) else person[:-1] or person:
                roles[number] = self._given_or_joined(words, number, alone=len(words) == 1)
        return roles

    def _given_or_joined(self, words: list[str], number: int, *, alone: bool) -> str:
        word = words[number]
        if _HUMP.search(word) or (alone and len(word) >= _ONE_WORD and word.lower() not in self._given.known):
            return "joined"
        return "given"

    def _word(self, word: str, role: str, gone: frozenset[str], said: dict[str, str]) -> str:
        if role == "stays":
            return word
        low = word.lower()
        owner = low.endswith("'s") and len(low) > 2
        if owner:
            low = low[:-2]
        key = f"{'initial' if len(low) == 1 else role} {low}"
        if key not in said:
            said[key] = self._substitute(low, role, gone)
        made = said[key]
        if role == "joined" and (hump := _HUMP.search(word)):
            given, family = pairwise_of(made)
            return cased_like(given, word[: hump.start()]) + cased_like(family, word[hump.start() :])
        return cased_like(made.replace(" ", ""), word[: len(low)]) + word[len(low) :]

    def _substitute(self, word: str, role: str, gone: frozenset[str]) -> str:
        """Return a name that is none of the words that are gone; of a joined one the two parts with a blank."""
        made = ""
        for _ in range(_TRIES):
            made = self._drawn(word, role)
            parts = {made, *made.replace("'", " ").split()} - {"o", "d"}
            if gone.isdisjoint(parts) and not (role == "joined" and _shares(made, word)):
                return made
        return self._family.anew(self._draw) if len(word) > 1 else made

    def _drawn(self, word: str, role: str) -> str:
        draw = self._draw
        if len(word) == 1:
            return self._given.draw(draw)[0]
        if role == "joined":
            return f"{self._given.draw(draw)} {self._family.draw(draw)}"
        if role == "given":
            return self._given.draw(draw)
        begin, mark, _ = word.partition("'")
        stems = _STEMS.get(begin) if mark else None
        return f"{begin}'{stems[draw.below(len(stems))]}" if stems else self._family.draw(draw)


def _shares(made: str, word: str) -> bool:
    """Return whether the word that a joined name stands for holds the given name or the surname of it."""
    return any(part in word for part in pairwise_of(made))


def pairwise_of(made: str) -> tuple[str, str]:
    """Return both parts of a joined name."""
    given, _, family = made.partition(" ")
    return given, family
