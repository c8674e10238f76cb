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
from querymix.core.identifiers.names.parts import parted, whole
from querymix.core.identifiers.names.roles import Vocabulary, signs
from querymix.core.identifiers.names.shapes import AFTER, ALONE, BEFORE, COUPLE, CUED, JOINED, PLACED, PRIVATE, WEDDING
from querymix.core.identifiers.names.topics import Topics
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tokens import QueryText
from querymix.core.knowledge import Knowledge

_BEGUN: Final = any_of(["GIVEN", "family,"])
"""A name that begins so goes as one, also where a part of it is famous: "smith, mary jane"."""
_LONE: Final = any_of(["GIVEN", "unknown"])
"""One name alone: it goes where it is joined to a whole one."""
_FAMILY: Final = any_of(["family"])
_AND: Final = any_of(["and"])
_OPEN: Final = any_of(["any"], ends=False)
"""A word after which nothing breaks off."""
_COMMA: Final = any_of(["any, any"])
_BEFORE: Final = any_of(BEFORE, ends=False, then=r"\Z")
_AFTER: Final = any_of(AFTER)
_SUFFIX: Final = any_of(["suffix"])


class Names:
    """Finds persons' names, asking a knowledge base for tags, references and lists."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._vocabulary = Vocabulary(knowledge)
        self._topics = Topics(knowledge)
        self._private, self._cues = knowledge.words("name-private"), knowledge.words("name-cues")
        self._asking, self._weddings = knowledge.words("name-asking"), knowledge.words("name-weddings")

    def find(self, query: QueryText, finds: Findings) -> None:
        """Add the names of persons to `finds`."""
        parts = parted(query)
        if parts is None:
            words, roles = query.words, "".join(map(self._vocabulary.__getitem__, query.words))
        else:
            words, roles = parts.words, signs(self._vocabulary, parts)
        start = first_of_all(roles) if len(roles) <= LONGEST else first_place(roles)
        if start < 0:
            return
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
            start = first_place(roles, end or start + 1)

    def _proofs(self, words: Sequence[str]) -> frozenset[str]:
        """Return what the query's words prove of a name: the values of `Shape.counts` that hold anywhere in it."""
        proofs = {ALONE, COUPLE}
        if not self._cues.isdisjoint(words) or " ".join(words[:2]) in self._asking:
            proofs |= {CUED, PRIVATE, PLACED}
        elif not self._private.isdisjoint(words):
            proofs |= {PRIVATE, PLACED}
        if not self._weddings.isdisjoint(words):
            proofs.add(WEDDING)
        return frozenset(proofs)

    def _end(self, words: Sequence[str], roles: str, start: int, proofs: frozenset[str]) -> int:
        """Return the place after the longest name that begins at `start` and is no topic, or 0."""
        topic = False
        for size, skipped, counts in candidates(roles[start : start + LONGEST]):
            begin, end = start + skipped, start + size
            if topic and not _FAMILY.match(roles, end - 1):
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
                    sure=_BEGUN.match(roles, begin) is not None,
                    broken=_OPEN.match(roles, end - 1) is None,
                    titled=skipped > 0,
                )
            if not kept:
                return self._rest(words, roles, end)
            topic = True
        return 0

    def _rest(self, words: Sequence[str], roles: str, end: int) -> int:
        """Return the place after all that goes along after a name that ends before `end`."""
        while match := (_AFTER if _OPEN.match(roles, end - 1) else _SUFFIX).match(roles, end):
            if self._topics.ends_before(words, end, match.end()):
                break
            end = match.end()
        return end

    def _begin(self, words: Sequence[str], roles: str, start: int, done: int) -> int:
        """Return the place of the first word that goes along before a name that begins at `start`."""
        while match := _BEFORE.search(roles, max(done, start - 3), start):
            if start - match.start() > 1 and self._topics.holds(" ".join(words[match.start() : start + 1])):
                break
            start = match.start()
        return start

    def _joined(self, words: Sequence[str], roles: str, end: int, proofs: frozenset[str]) -> int:
        """Return the place after a further person who is joined to the one that ends before `end`, or 0."""
        if _AND.match(roles, end):
            at = end + 1
        elif _COMMA.match(roles, end - 1):
            at = end
        else:
            return 0
        if at >= len(words):
            return 0
        if further := self._end(words, roles, at, proofs | {JOINED} if at > end else proofs):
            return further
        alone = at > end and (at + 1 == len(words) or words[at + 1] in self._private)
        return at + 1 if alone and _LONE.match(roles, at) else 0
