"""Wrong spellings and the right ones.

Rules:
- A known word is one that a dictionary, a name list (the census whole), a place list or an own list holds.
- Seen errors: words of the web counts that are not known, of at least `SHORTEST` letters, one likely edit away from a
  known word that is at least `TIMES` times as frequent. A likely edit leaves the first letter alone, and swaps two
  neighbours, drops a letter, doubles one, takes one vowel for another, or, in words of at least `LONG` letters, adds or
  changes any letter; a difference in the last letter alone is an inflection.
- Made errors: for the most frequent known words, every dropped, doubled or swapped letter inside the word, where the
  outcome is no word of the web counts at all and no other frequent word has it too.
- Terms without their spaces ("britneyspears"), where that is no known word and the web has it or the term is sure.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

from querymix_lab.knowledge.edits import OneEdit, doubled, left_out, swapped
from querymix_lab.knowledge.facts import RecommendationFact
from querymix_lab.knowledge.sources.files import open_text

SHORTEST: Final = 6
TIMES: Final = 40
LONG: Final = 9
_VOWELS: Final = frozenset("aeiouy")
_MAX_MADE: Final = 30_000


def dictionary(path: Path) -> list[str]:
    """Return the words of symspellpy's English frequency dictionary (Google's n-grams cut to a spelling dictionary)."""
    with open_text(path) as file:
        return [line.split()[0].lstrip("\ufeff") for line in file if line.strip()]


def seen(counts: Mapping[str, int], known: Collection[str]) -> Iterator[RecommendationFact]:
    """Yield the wrong spellings that the web counts hold, the most frequent first."""
    least = TIMES * min(counts.values(), default=0)
    targets = OneEdit(
        word
        for word, count in counts.items()
        if count >= least and len(word) >= SHORTEST - 1 and word in known and word.isalpha()
    )
    for word, count in counts.items():
        if len(word) < SHORTEST or word in known or not word.isalpha():
            continue
        near = (other for other in targets.near(word) if counts[other] >= TIMES * count)
        right = max(((counts[other], other) for other in near if is_likely_edit(word, other)), default=None)
        if right:
            yield RecommendationFact(word, right[1])


def made(
    counts: Mapping[str, int], known: Collection[str], words: int = 10_000, most: int = _MAX_MADE
) -> Iterator[RecommendationFact]:
    """Yield at most `most` likely edits of the `words` most frequent known words."""
    owners: dict[str, str] = {}
    shared: set[str] = set()
    frequent = (word for word in counts if len(word) >= SHORTEST and word in known and word.isalpha())
    for word in islice(frequent, words):
        for wrong in likely_edits(word):
            if wrong in counts or wrong in known:
                continue
            if owners.setdefault(wrong, word) != word:
                shared.add(wrong)
    unshared = ((wrong, word) for wrong, word in owners.items() if wrong not in shared)
    yield from (RecommendationFact(wrong, word) for wrong, word in islice(unshared, most))


def unspaced(
    terms: Iterable[str], counts: Mapping[str, int], known: Collection[str], sure: Collection[str]
) -> Iterator[RecommendationFact]:
    """Yield the forms without spaces of those of `terms` that are `sure` or seen so; the first of two alike wins."""
    done: set[str] = set()
    for term in terms:
        form = term.replace(" ", "")
        if form == term or len(form) < SHORTEST or form in known or form in done or not form.isalnum():
            continue
        if term in sure or form in counts:
            done.add(form)
            yield RecommendationFact(form, term)


def is_likely_edit(word: str, right: str) -> bool:
    """Tell whether `word` is one likely edit away from `right`."""
    at = 0
    while at < min(len(word), len(right)) and word[at] == right[at]:
        at += 1
    if at == 0 or at >= max(len(word), len(right)) - 1:
        return False
    if len(word) < len(right):
        return word[at:] == right[at + 1 :]
    if len(word) > len(right):
        return word[at + 1 :] == right[at:] and (word[at] == word[at - 1] or len(right) >= LONG)
    if word[at + 1 :] == right[at + 1 :]:
        return {word[at], right[at]} <= _VOWELS or len(right) >= LONG
    return word[at : at + 2] == right[at + 1] + right[at] and word[at + 2 :] == right[at + 2 :]


def likely_edits(word: str) -> Iterator[str]:
    """Yield `word` with each inner letter left out, doubled, and swapped with the next one."""
    for at in range(1, len(word) - 1):
        yield left_out(word, at)
        yield doubled(word, at)
        yield swapped(word, at)
