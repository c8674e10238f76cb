"""All recognizers over one query.

Example: of "call jennifer brown 212-555-0147" `find` tells a name at 5 to 19 and a phone at 20 to 32.

Rules:
- `Detector.suspicious` says first, from the text's characters and words, whether anything can be found (gate.py).
- The text is normalized once (seen.py). Names are looked for first, then what each recognizer finds that can find
  anything in a query with these digits, marks and words. Finds are made whole and merged; a kind that is switched off
  is dropped last, so that its text is not cut under another kind's name.
- What was found is a border: where digits or an at-sign are left, the rest is looked at again with a mark for each
  character found, so that of two identifiers side by side neither hides the other.
- Nothing here keeps, logs or raises text. Time is linear in the text's length.

Source: 45 CFR 164.514(b)(2)(i), the HIPAA Safe Harbor identifiers.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from querymix.core.identifiers.gate import TOLD, Gate
from querymix.core.identifiers.names import Names
from querymix.core.identifiers.names.parts import CASED
from querymix.core.identifiers.recognizers import ALL
from querymix.core.identifiers.recognizers.base import LONG, Look
from querymix.core.identifiers.recognizers.seed_phrase import FEWEST
from querymix.core.identifiers.seen import see
from querymix.core.identifiers.spans import KINDS, Findings, Identifier, masked, merged, united
from querymix.core.identifiers.tokens import QueryText
from querymix.core.knowledge import Knowledge


class Detector:
    """Finds the identifiers of a query, those of `kinds` only. Raises ValueError for an unknown kind."""

    def __init__(self, knowledge: Knowledge, kinds: Iterable[str] = KINDS) -> None:
        self.kinds = frozenset(kinds)
        unknown = self.kinds.difference(KINDS)
        if unknown:
            raise ValueError(f"unknown kinds of identifier: {', '.join(sorted(unknown))}; known: {', '.join(KINDS)}")
        self._knowledge = knowledge
        self._names = Names(knowledge)
        self.suspicious: Final = Gate(knowledge, self._names.vocabulary).suspicious
        """Whether `find` can find anything in a text, given its words and what is known of each: no is certain."""
        self._partial = len(self.kinds) < len(KINDS)

    def find(self, text: str) -> list[Identifier]:
        """Return the identifiers of `text`, sorted and disjoint."""
        plain = text.isascii() and text.replace(" ", "").isalpha()
        if plain and self._nothing(text):
            return []
        finds: Findings = []
        seen = None if plain else see(text)
        query = QueryText(text if seen is None else seen.text, self._knowledge, plain=plain)
        self._names.find(query, finds)
        if plain:
            if not TOLD.isdisjoint(query.words) or len(query.words) >= FEWEST:
                for words, look in PLAIN:
                    if not words or query.says(words):
                        look(query, finds)
        else:
            _look(query, finds)
            if finds and (query.digits >= BESIDE or "@" in query.marks):
                self._look_beside(query, finds)
        if finds:
            finds = united(finds, query.text)
            if seen is not None and seen.moved:
                finds = merged(Identifier(kind, *seen.span(start, end)) for kind, start, end in finds)
            if self._partial:
                finds = [find for find in finds if find.kind in self.kinds]
        return finds

    def _nothing(self, text: str) -> bool:
        """Return whether it is certain that letters and spaces hold nothing: most of such texts, at once."""
        words = text.lower().split()
        return (
            len(words) < FEWEST
            and TOLD.isdisjoint(words)
            and not self._names.possible(words)
            and (text.islower() or CASED.search(text) is None)
        )

    def _look_beside(self, query: QueryText, finds: Findings) -> None:
        """Look again at what is left, as long as more is found there, `ROUNDS` times at most."""
        more = finds
        text = query.cased
        for _ in range(ROUNDS):
            text = masked(text, more)
            if not more or (sum(map(text.count, "0123456789")) < BESIDE and "@" not in text):
                return
            more = []
            _look(QueryText(text, self._knowledge), more)
            finds += more


def _look(query: QueryText, finds: Findings) -> None:
    """Ask the recognizers that can find anything in a query that is not plain."""
    said = WORDS & query.vocabulary
    stretched, looks = candidates(min(query.digits, MAX_DIGITS), query.marks, said, len(query.text) >= LONG)
    longest = query.longest if stretched else 0
    for stretch, look in looks:
        if longest >= stretch:
            look(query, finds)


class Candidates(NamedTuple):
    """The recognizers that can find anything in one kind of query."""

    stretched: bool
    """Whether one of them asks for a stretch."""
    looks: tuple[tuple[int, Look], ...]
    """Each with the stretch that it needs."""


@lru_cache(maxsize=1 << 13)
def candidates(digits: int, marks: frozenset[str], said: frozenset[str], long: bool) -> Candidates:
    """Return the recognizers for a query; `said` are those of its words that are in `WORDS`."""
    looks: dict[Look, int] = {}
    for one in ALL:
        if (
            digits >= one.digits
            and not (one.marks and marks.isdisjoint(one.marks))
            and not (one.words and said.isdisjoint(one.words))
            and (long or not one.long)
        ):
            looks[one.find] = min(one.stretch, looks.get(one.find, one.stretch))
    return Candidates(any(looks.values()), tuple((stretch, look) for look, stretch in looks.items()))


WORDS: Final = frozenset[str]().union(*(one.words for one in ALL))
"""Words that one recognizer or another asks for."""
BESIDE: Final = 6
"""Digits from which on a rest is looked at again; what fewer make is found in the first look."""
ROUNDS: Final = 3
MAX_DIGITS: Final = max(one.digits for one in ALL)
PLAIN: Final = tuple((one.words, one.find) for one in ALL if one.plain)
