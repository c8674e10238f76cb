"""Names of persons in lower-case text without grammar.

Example: of "call jennifer brown and mary" goes "jennifer brown and mary"; "bill clinton" and "brown" stay.

Rules:
- Every word has roles (roles.py): how surely it is a given name and a surname, an initial, a title. A query's roles are
  matched with the table of shapes (shapes.py). Words that marks join are parted (parts.py).
- The famous stay, and names of works, institutions and places (topics.py). A given name or a surname alone is nothing.
- A name goes whole, with what belongs to it on both sides and further people joined to it.

Source: US census 1990, for which names are frequent.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from querymix.core.identifiers.names.matching import LONGEST, any_of, candidates, first_of_all, first_place
from querymix.core.identifiers.names.parts import first_look, parted, whole
from querymix.core.identifiers.names.roles import Vocabulary, signs
from querymix.core.identifiers.names.shapes import (
    AFTER,
    ALONE,
    AND,
    BEFORE,
    COMMA,
    COUPLE,
    CUED,
    HEIR,
    JOINED,
    JOINING,
    NOTHING,
    PLACED,
    POSSIBLE,
    PRIVATE,
    ROLES,
    SUFFIX,
    SURE,
    TRADED,
    WEDDING,
    WORDS,
)
from querymix.core.identifiers.names.topics import Topics
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tokens import QueryText
from querymix.core.knowledge import Knowledge

_BEFORE: Final = any_of(BEFORE, ends=False, then=r"\Z")
_AFTER: Final = any_of(AFTER)
_TELLING: Final = frozenset(",\"'(")
"""Marks by which a name is told: the surname is before it, or a nickname inside."""
_ANYWHERE: Final = frozenset({ALONE, COUPLE})
_OF_ONE: Final = _ANYWHERE | {PRIVATE, PLACED}
"""What counts beside words of private persons, and then beside words that ask for one."""
_ASKED: Final = _OF_ONE | {CUED}


class Names:
    """Finds persons' names, asking a knowledge base for tags, references and lists."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.vocabulary = Vocabulary(knowledge)
        self._topics = Topics(knowledge)
        self._trades = knowledge.words("name-trades")
        self._private = knowledge.words("name-private") | self._trades
        self._cues = knowledge.words("name-cues")
        self._asking, self._weddings = knowledge.words("name-asking"), knowledge.words("name-weddings")

    def possible(self, words: Sequence[str]) -> bool:
        """Return whether a name can be found in a query with these words and no marks between them."""
        return _first("".join(map(self.vocabulary.__getitem__, words))) >= 0

    def find(self, query: QueryText, finds: Findings) -> None:
        """Add the names of persons to `finds`."""
        if query.plain or self.spoken_of(query):
            self.search(query, finds)

    def spoken_of(self, query: QueryText) -> bool:
        """Return whether a name can be found in a query, by its words alone: most queries with marks hold none.

        Without commas and quotes a mark between words only parts them: a name that it leaves is one without it.
        """
        words = first_look(query)
        if words is None:
            return True
        return self.vocabulary.speak(words) and (not _TELLING.isdisjoint(query.marks) or self.possible(words))

    def search(self, query: QueryText, finds: Findings) -> None:
        """Add the names of persons to `finds`, without a look at the words before."""
        parts = parted(query)
        if parts is None:
            words, roles = query.words, "".join(map(self.vocabulary.__getitem__, query.words))
        else:
            words, roles = parts.words, signs(self.vocabulary, parts)
        start = _first(roles)
        if start < 0:
            return
        if start < 2 and " ".join(words[:2]) in self._asking:
            start = first_place(roles, 2)
        for first, last in self._people(words, roles, start):
            if parts is None:
                finds.append(Identifier("name", *query.span(first, last)))
            else:
                span = whole(query.text, parts.spans[first][0], parts.spans[last][1])
                finds.append(Identifier("name", *span))

    def _people(self, words: Sequence[str], roles: str, start: int) -> Iterator[tuple[int, int]]:
        """Yield the first and the last word of each name, or of several that are joined; none begins before `start`."""
        proofs = self._proofs(words)
        done = 0
        while start >= 0:
            end = self._end(words, roles, start, proofs)
            if end:
                while further := self._joined(words, roles, end, proofs):
                    end = further
                yield self._begin(words, roles, start, done), end - 1
                done = end
            start = first_place(roles, end or start + 1) if end < len(roles) else -1

    def _proofs(self, words: Sequence[str]) -> frozenset[str]:
        """Return what the query's words prove of a name: the values of `Shape.counts` that hold anywhere in it."""
        if not self._cues.isdisjoint(words) or " ".join(words[:2]) in self._asking:
            proofs = _ASKED
        else:
            proofs = _ANYWHERE if self._private.isdisjoint(words) else _OF_ONE
        if proofs is not _ANYWHERE and not self._trades.isdisjoint(words):
            proofs = proofs | {TRADED}
        return proofs if self._weddings.isdisjoint(words) else proofs | {WEDDING}

    def _end(self, words: Sequence[str], roles: str, start: int, proofs: frozenset[str]) -> int:
        """Return the place after the longest name that begins at `start` and is no topic, or 0."""
        topic = False
        for size, skipped, counts in candidates(roles[start : start + LONGEST]):
            begin, end = start + skipped, start + size
            first, last = WORDS[roles[begin]], WORDS[roles[end - 1]]
            if topic and last.family < POSSIBLE:
                continue  # "mary imogene hall hospital" is no "mary imogene"
            if counts not in proofs and not (counts == PLACED and self._topics.before_city(words, end)):
                continue
            if counts == COUPLE:
                kept = self._topics.keep_couple(words, begin, end)
            else:
                kept = self._topics.keep(
                    words,
                    begin,
                    end,
                    sure=first.given >= SURE or (first.family >= POSSIBLE and first.after == COMMA),
                    rare=last.family < POSSIBLE,
                    double=first.given >= SURE and first.after == NOTHING and _double(roles, begin + 1),
                    broken=last.after != NOTHING,
                    titled=skipped > 0,
                )
            if not kept:
                return self._rest(words, roles, end)
            topic = True
        return 0

    def _rest(self, words: Sequence[str], roles: str, end: int) -> int:
        """Return the place after all that goes along after a name that ends before `end`."""
        while end < len(roles):
            if WORDS[roles[end - 1]].after == NOTHING:
                match = _AFTER.match(roles, end)
                after = match.end() if match else end
            else:
                after = end + (WORDS[roles[end]].other in (SUFFIX, HEIR))
            if after == end or self._topics.ends_before(words, end, after):
                break
            end = after
        return end

    def _begin(self, words: Sequence[str], roles: str, start: int, done: int) -> int:
        """Return the place of the first word that goes along before a name that begins at `start`."""
        while start > done and (match := _BEFORE.search(roles, max(done, start - 3), start)):
            if start - match.start() > 1 and self._topics.holds(" ".join(words[match.start() : start + 1])):
                break
            start = match.start()
        return start

    def _joined(self, words: Sequence[str], roles: str, end: int, proofs: frozenset[str]) -> int:
        """Return the place after a further person who is joined to the one that ends before `end`, or 0."""
        if end == len(words):
            return 0
        at = end + (WORDS[roles[end]].other in (AND, JOINING))
        if at == len(words) or (at == end and WORDS[roles[end - 1]].after != COMMA):
            return 0
        if further := self._end(words, roles, at, proofs | {JOINED} if at > end else proofs):
            return further
        alone = at > end and (at + 1 == len(words) or words[at + 1] in self._private)
        word = WORDS[roles[at]]
        return at + 1 if alone and (word.given >= SURE or ROLES["unknown"](word)) else 0


def _first(roles: str) -> int:
    """Return the first place where a name can begin, or -1."""
    return first_of_all(roles) if len(roles) <= LONGEST else first_place(roles)


def _double(roles: str, second: int) -> bool:
    """Return whether a sure given name and then a sure surname stand from a place on, with nothing between them."""
    if second + 1 >= len(roles):
        return False
    word = WORDS[roles[second]]
    return word.given >= SURE and word.after == NOTHING and WORDS[roles[second + 1]].family >= SURE
