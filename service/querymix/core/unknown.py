"""Words that the knowledge base does not know, reduced to words that it does.

>>> from collections import defaultdict
>>> counts = [("home", 10**9), ("depot", 10**8), ("kitchen", 10**8)]
>>> reduce = Reduce(defaultdict(lambda: UNKNOWN), lambda least: counts)
>>> reduce("homedepot"), reduce("kithcen"), reduce("zyzzx")
(('home', 'depot'), ('kitchen',), ('zyzzx',))

Rules, the first that applies:
1. A wrong spelling that the base has a recommendation for is replaced by it.
2. A host is its parent where the base knows that; else its labels are taken, without "www" and the endings.
3. A word is split where punctuation stands inside it; an "'s" that no letter follows is dropped. What French and
   Italian elide before a word ("l'assurance", "dell'auto") is dropped, unless the base knows the whole without "'".
4. What is left is the likeliest of three: a correct word that is not known (probability 10 ** -letters), frequent words
   without the spaces between them (the product of theirs, or a known pair's own), or a frequent word with one edit in
   it, not in its first letter. The constants below weigh and bound the three. The outcome is replaced again where the
   base has a recommendation for it. It is English: a word of another language that the base knows, and a word with
   other letters than a to z, stay.

service/native/src/classify/unknown.rs does the same for words of ASCII: what changes here changes there too.

Sources: Pàmies-Estrems et al. 2016, section 3.3.1; Norvig, "Natural Language Corpus Data" (2009: segmentation, unknown
words by their length, a noisy channel of edits); Garbe, "SymSpell" (forms with one letter left out).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, combinations, islice
from math import log10
from typing import Final

from querymix.core.bounded_cache import BoundedCache
from querymix.core.classify import parents
from querymix.core.expressions import expression
from querymix.core.knowledge import UNKNOWN, Knowledge
from querymix.core.text import is_host

MIN_SEGMENTED: Final = 6
MIN_CORRECTED: Final = 5
MIN_OF_MANY: Final = 12
LONGEST: Final = 48
"""Characters of the longest word that is looked at: the work grows with the square of its length."""
# Decimal logarithms of how much more often each occurs than a correct word that is not known.
SEGMENTATION: Final = 1.4
EDIT: Final = 0.3
OTHER_EDIT: Final = -0.9
_LONGEST_PIECE: Final = 16
_TOTAL: Final = 1_024_908_267_229.0
"""Words in the text that the base's references were counted in."""
_PARTS: Final = expression(r"[\x00-/:-`{-\x7f]+")
_OWNERS: Final = expression(r"'s(?![^\W\d_])")
ELIDED: Final = expression(
    r"(?<![^\W_])(?:[cdjlmnstv]|qu|jusqu|lorsqu|puisqu|quelqu|presqu|un|gl|(?:de|da|a|ne|su)gl|(?:de|da|a|ne|su|co)ll|"
    r"quest|quell|bell|sant|mezz|senz|tutt|anch|dov|com|quand)'(?=[^\W\d_])"
)
"""What stands before an apostrophe in French and Italian, for an article, a preposition and the like."""
_URL_PARTS: Final = frozenset(
    ("www", "com", "net", "org", "http", "https", "html", "htm", "edu", "gov", "co", "uk", "info", "biz", "us")
)
_VOWELS: Final = frozenset("aeiouy")
MIN_COUNT: Final = 50_000
"""References of the rarest word that counts as frequent."""
# A short word is a piece only where it is very frequent: "st" and "re" would split anything. One letter never is.
_MIN: Final = {2: 2.5e8, 3: 2.5e7}
_MIN_TARGET: Final = 1e6
"""References of the rarest word that is a correction."""
_MIN_TARGET_PROBABILITY: Final = log10(_MIN_TARGET / _TOTAL)
_IMPOSSIBLE: Final = -99.0


class Reduce:
    """Reduces unknown words to known ones.

    `knowledge` answers for terms; `counts(least)` gives the words that stand in the web at least so often, with how
    often, and is asked when a word first needs it. `likeliest` does rule 4 faster for what it takes, and returns None
    for what it does not.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        counts: Callable[[int], Iterable[tuple[str, int]]],
        likeliest: Callable[[str], Sequence[str] | None] | None = None,
    ) -> None:
        self._knowledge = knowledge
        self._counts = counts
        self._quickly = likeliest
        self._remembered = BoundedCache[tuple[str, ...]]()

    @cached_property
    def _probabilities(self) -> dict[str, float]:
        """The decimal logarithm of the probability of each frequent word."""
        return {
            word: log10(count / _TOTAL)
            for word, count in self._counts(MIN_COUNT)
            if count >= _MIN.get(len(word), MIN_COUNT) and word.isalpha() and word.isascii()
        }

    @cached_property
    def _shortened(self) -> dict[str, str]:
        """From `_shortened` of each possible correction to that word, or to several, separated by spaces."""
        found: dict[str, str] = {}
        for word, probability in self._probabilities.items():
            size = len(word)
            # A word with an edit has at most one letter more.
            is_target = probability >= _MIN_TARGET_PROBABILITY and size >= MIN_CORRECTED - 1
            if is_target and probability + EDIT > -size - 1:
                targets = dict.fromkeys(_shortened(word), word)
                for short in found.keys() & targets:
                    targets[short] = f"{found[short]} {word}"
                found.update(targets)
        return found

    def __call__(self, word: str) -> tuple[str, ...]:
        """Return the known words that an unknown one stands for, or itself."""
        pieces = self._remembered.get(word)
        if pieces is None:
            if len(word) > LONGEST:
                return ()
            pieces = self._reduce(word)
            self._remembered.keep(word, pieces)
        return pieces

    def _reduce(self, word: str) -> tuple[str, ...]:
        knowledge = self._knowledge
        term = knowledge[word]
        if term is not UNKNOWN:
            return tuple(term.recommendation.split(" ")) if term.recommendation else (word,)
        if "." in word and is_host(word):
            for parent in parents(word):
                if knowledge[parent] is not UNKNOWN:
                    return (parent,)
        if word.isalnum() and not word.startswith("www"):
            return () if word in _URL_PARTS else self._likeliest(word)
        out: list[str] = []
        if "'" in word:
            word = self._without_apostrophes(_OWNERS.sub("", word))
        for part in _PARTS.split(word):
            if part and part not in _URL_PARTS:
                out += self._part(part)
        return tuple(out)

    def _without_apostrophes(self, word: str) -> str:
        whole = word.replace("'", "")
        rest = ELIDED.sub("", word).replace("'", "")
        return whole if rest == whole or self._knowledge[whole] is not UNKNOWN else rest

    def _part(self, part: str) -> Iterable[str]:
        if part.startswith("www") and len(part) > 6:
            part = part[3:]
        term = self._knowledge[part]
        if term is not UNKNOWN:
            return (term.recommendation or part).split(" ")
        return self._likeliest(part)

    def _likeliest(self, word: str) -> tuple[str, ...]:
        """Return the likeliest of the three (rule 4)."""
        size = len(word)
        if size < MIN_CORRECTED or not (word.isalpha() and word.isascii()):
            return (word,)
        if self._quickly is not None:
            found = self._quickly(word)
            if found is not None:
                return tuple(found)
        if word in self._probabilities:
            return (word,)
        least = -float(size)
        pieces: tuple[str, ...] = ()
        if size >= MIN_SEGMENTED:
            probability, pieces = self._segmentation(word, least - SEGMENTATION)
            if pieces:
                least = probability + SEGMENTATION
        correction = self._correction(word, least)
        if correction:
            pieces = (correction,)
        elif not pieces:
            return (word,)
        return tuple(" ".join(self._knowledge[piece].recommendation or piece for piece in pieces).split(" "))

    def _segmentation(self, word: str, least: float) -> tuple[float, tuple[str, ...]]:
        """Return the likeliest segmentation of a word and its probability, no pieces where that is at most `least`."""
        size, probabilities = len(word), self._probabilities
        pieces: tuple[str, ...] = ()
        firsts = [at for at in range(2, size - 1) if word[:at] in probabilities]
        for at in firsts:
            second = probabilities.get(word[at:])
            if second is not None:
                one, two = word[:at], word[at:]
                probability = probabilities[one] + second
                pair = self._knowledge[f"{one} {two}"].references
                if pair:
                    probability = max(probability, log10(pair / _TOTAL))
                if probability > least:
                    least, pieces = probability, (one, two)
        return (least, pieces) if pieces or size < MIN_OF_MANY else self._segmentation_of_many(word, firsts, least)

    def _segmentation_of_many(self, word: str, firsts: list[int], least: float) -> tuple[float, tuple[str, ...]]:
        """Do as `_segmentation` does, for three pieces and more; the first one ends at one of `firsts`."""
        size, get = len(word), self._probabilities.get
        best = [_IMPOSSIBLE] * (size + 1)
        begins = [0] * (size + 1)
        for at in firsts:
            best[at] = self._probabilities[word[:at]]
        for start in range(firsts[0], size - 1) if firsts else ():
            before = best[start]
            if before > least:
                for end in range(start + 2, min(start + _LONGEST_PIECE, size) + 1):
                    probability = get(word[start:end])
                    if probability is not None and before + probability > best[end]:
                        best[end], begins[end] = before + probability, start
        if best[size] <= least:
            return least, ()
        pieces, end = [], size
        while end:
            pieces.append(word[begins[end] : end])
            end = begins[end]
        return best[size], tuple(reversed(pieces))

    def _correction(self, word: str, least: float) -> str:
        """Return the likeliest correction of `word` by one edit, empty where its probability is at most `least`."""
        shared = self._shortened.keys() & _shortened(word)
        if not shared:
            return ""
        near = [other for short in shared for other in self._shortened[short].split(" ")]
        probability, correction = max([(self._probabilities[other] + _edit(word, other), other) for other in near])
        return correction if probability > least else ""


def _shortened(word: str) -> Iterator[str]:
    """Return a word, and what is left of it with one letter out, any but the first one."""
    size = len(word) - 1
    # Of the combinations, the last one is that without the first letter.
    return chain((word,), map("".join, islice(combinations(word, size), size)))


def _edit(word: str, right: str) -> float:
    """Return the decimal logarithm of how often one edit makes `word` of `right`; both share one of `_shortened`."""
    if len(word) < len(right):
        return EDIT
    at = 0
    for letter, expected in zip(word, right + " ", strict=False):
        if letter != expected:
            break
        at += 1
    if len(word) > len(right):
        return EDIT if word[at] == word[at - 1] else OTHER_EDIT
    if word[at + 1 :] == right[at + 1 :]:
        return EDIT if word[at] in _VOWELS and right[at] in _VOWELS else OTHER_EDIT
    swapped = word[at] == right[at + 1] and word[at + 1] == right[at] and word[at + 2 :] == right[at + 2 :]
    return EDIT if swapped else _IMPOSSIBLE
