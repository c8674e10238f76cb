"""Wrong spellings and the right ones.

Rules:
- A known word is one that a dictionary, a name list, a place list or an own list holds.
- Found errors: a word of the web counts that is not known, with at least `SHORTEST` letters, one edit away from a
  known word that is at least `TIMES` times as frequent. The most frequent such word is the right one. A word with a
  digit, and one that only differs in a final "s", "d", "r" or "y" or an added first letter (an inflection or a new
  word, not a slip) is left as it is.
- Made errors: for the most frequent known words, every dropped, doubled or swapped letter inside the word, where the
  outcome is no word of the web counts at all and no other frequent word has it too.
- Glued pairs: "britneyspears" for "britney spears", where the pair is frequent and the glued form is not known.

An edit is one letter left out, added, changed or swapped with its neighbour (Damerau).
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from pathlib import Path
from string import ascii_lowercase
from typing import Final

from service.knowledge.facts import RecommendationFact
from service.knowledge.sources.files import open_text, package_file

SHORTEST: Final = 6
TIMES: Final = 40
_MOST_MADE: Final = 30_000
_LEAST_GLUED: Final = 150_000


def dictionary(path: Path | None = None) -> list[str]:
    """Return the words of symspellpy's English frequency dictionary (Google's n-grams cut to a spelling dictionary)."""
    with open_text(path or package_file("symspellpy", "frequency_dictionary_en_82_765.txt")) as file:
        return [line.split()[0].lstrip("\ufeff") for line in file if line.strip()]


def found(counts: Mapping[str, int], known: Collection[str]) -> Iterator[RecommendationFact]:
    """Yield the wrong spellings that the web counts hold."""
    for word, count in counts.items():
        if len(word) < SHORTEST or word in known or not word.isalpha():
            continue
        best = max(
            (other for other in edits(word) if other in known and counts.get(other, 0) >= TIMES * count),
            key=lambda other: (counts[other], other),
            default="",
        )
        if len(best) >= SHORTEST - 1 and not _is_variant(word, best):
            yield RecommendationFact(word, best)


def made(
    counts: Mapping[str, int], known: Collection[str], words: int = 10_000, most: int = _MOST_MADE
) -> Iterator[RecommendationFact]:
    """Yield at most `most` likely slips in the `words` most frequent known words."""
    owners: dict[str, str] = {}
    shared: set[str] = set()
    frequent = (word for word in counts if len(word) >= SHORTEST and word in known and word.isalpha())
    for word in islice(frequent, words):
        for slip in _slips(word):
            if slip in counts or slip in known:
                continue
            if owners.setdefault(slip, word) != word:
                shared.add(slip)
    unshared = ((slip, word) for slip, word in owners.items() if slip not in shared)
    yield from (RecommendationFact(slip, word) for slip, word in islice(unshared, most))


def glued(pairs: Mapping[tuple[str, str], int], known: Collection[str]) -> Iterator[RecommendationFact]:
    """Yield the glued forms of frequent pairs."""
    best: dict[str, tuple[int, str]] = {}
    for (one, two), count in pairs.items():
        if count >= _LEAST_GLUED and len(one) > 2 and len(two) > 2 and one + two not in known:
            best[one + two] = max(best.get(one + two, (0, "")), (count, f"{one} {two}"))
    yield from (RecommendationFact(form, pair) for form, (_, pair) in best.items())


def edits(word: str) -> Iterator[str]:
    """Yield every word that is one edit away from `word`, some more than once."""
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        if tail:
            yield head + tail[1:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        for letter in ascii_lowercase:
            yield head + letter + tail
            if tail:
                yield head + letter + tail[1:]


def _slips(word: str) -> Iterator[str]:
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at] + word[at:]
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _is_variant(word: str, other: str) -> bool:
    longer, shorter = (word, other) if len(word) > len(other) else (other, word)
    if len(longer) == len(shorter):
        return longer[:-1] == shorter[:-1] or longer[1:] == shorter[1:]
    return longer[:-1] == shorter or longer[1:] == shorter
