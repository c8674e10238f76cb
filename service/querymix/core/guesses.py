"""What a word weighs that the knowledge base does not know and that nothing reduces to known ones (unknown.py).

Rules, the first that applies:
1. A compound, as German and Dutch write it, has two thirds of the weights of its first part and four thirds of those of
   its last, its head: both together weigh as much as two words. Both are ordinary words (no names) with weights, of at
   least `SHORTEST_PART` letters; one of `LINKS` may stand between. The longest head goes first. The first part may be a
   compound of two words itself. Category and path are the head's.
2. Any other word has the weights of its pieces (word_pieces.py).

Only words with Latin letters and no others are guessed, in their folded form, and no function words: numbers are not,
nor are words of more than `LONGEST` characters. A guess is remembered like a term.

service/native/src/classify/guesses.rs does the same for words of ASCII: what changes here changes there too.
"""

from collections.abc import Callable
from typing import Final

from querymix.core.bounded_cache import BoundedCache
from querymix.core.knowledge import COMMON, STOP, Knowledge, Term
from querymix.core.packed_weights import LARGEST, from_bytes, pack, unpack
from querymix.core.text import folded
from querymix.core.word_pieces import piece_weights

SHORTEST_PART: Final = 4
LONGEST: Final = 48
"""Characters of the longest word that is guessed: the work grows with the square of its length."""
LINKS: Final = ("", "s", "es", "n", "en", "er")


class Guesses(BoundedCache[Term]):
    """From each word to what is known of it, with guessed weights where it has none.

    `table` holds the weights of word pieces, empty where there are none. `guess` does it faster: it returns the weights
    of a word that has none, a byte a category (empty where nothing tells them), and where the head of a compound
    begins; or None for what it does not take.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        table: bytes | memoryview,
        guess: Callable[[str], tuple[bytes, int | None] | None] | None = None,
    ) -> None:
        super().__init__()
        self._knowledge = knowledge
        self._table = table
        self._quickly = guess

    def __missing__(self, word: str) -> Term:
        found = self._knowledge[word]
        if not (found.weights or found.tags & STOP):
            plain = folded(word)
            if len(plain) <= LONGEST and plain.isascii() and plain.islower():
                found = self._guessed(plain, found)
        self.keep(word, found)
        return found

    def _guessed(self, word: str, as_known: Term) -> Term:
        """Return what is known of a word in its folded form, with what it weighs."""
        guess = self._quickly(word) if self._quickly is not None else None
        if guess is None:
            return self._compound(word, as_known) or as_known._replace(weights=piece_weights(word, self._table))
        content, head_begins = guess
        weights = from_bytes(content) if content else 0
        if head_begins is None:
            return as_known._replace(weights=weights)
        head = self._knowledge[word[head_begins:]]
        return as_known._replace(weights=weights, category=head.category, path=head.path)

    def _compound(self, word: str, as_known: Term, *, of_three: bool = True) -> Term | None:
        """Return what a compound weighs, None for a word that is none; its other fields are those of `as_known`."""
        if len(word) < 2 * SHORTEST_PART or not word.isalpha():
            return None
        for at in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1):
            head = self._knowledge[word[at:]]
            if head.weights and head.tags & COMMON:
                first = self._first(word[:at], of_three=of_three)
                if first:
                    parts = zip(unpack(first), unpack(head.weights), strict=True)
                    sums = [round((one + 2 * two) * 2 / 3) for one, two in parts]
                    weights = pack([max(-LARGEST, min(LARGEST, weight)) for weight in sums])
                    return as_known._replace(weights=weights, category=head.category, path=head.path)
        return None

    def _first(self, part: str, *, of_three: bool) -> int:
        """Return the weights of a compound's first part, which may end with a link; 0 where it is not known."""
        for link in LINKS:
            first = part[: len(part) - len(link)]
            if part.endswith(link) and len(first) >= SHORTEST_PART:
                known = self._knowledge[first]
                if known.weights and known.tags & COMMON:
                    return known.weights
                inner = self._compound(first, known, of_three=False) if of_three else None
                if inner is not None:
                    return inner.weights
        return 0
