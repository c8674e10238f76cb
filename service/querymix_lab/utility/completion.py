"""Query auto-completion: the most popular completion.

For each prefix of 1 to 10 characters of a query of the test part, the ten most frequent learned queries that begin so
are offered. Scores: the reciprocal rank of the query among them (MRR at 10), whether it is the first (success at 1). Of
a query that nobody asked before, the word being typed is completed from the learned words, after the same prefixes.
Baseline: the queries (words) of the original that begin so, in random order: it knows what is asked, not how often.

Source: Bar-Yossef and Kraus 2011 (most popular completion, MRR).
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from querymix_lab.utility.lines import Lines, Parts, askings
from querymix_lab.utility.scoring import Scores, Sums, reciprocal

LONGEST: Final = 10
OFFERED: Final = 10
TASK: Final = "query completion"
Offers = dict[str, list[str]]
"""The best completions by prefix."""


def completion(parts: Parts, seed: int) -> list[Scores]:
    """Return MRR at 10 and success at 1 over all queries, and MRR over seen and unseen ones."""
    original, released = parts.original, parts.released
    queries = [offers(popular(line.text for line in side)) for side in (original, released)]
    words = [offers(popular(_words(side))) for side in (original, released)]
    known = {line.text for line in original}
    queries.append(offers(_shuffled(known, seed)))
    words.append(offers(_shuffled(_words(original), seed)))
    everything = Scores(TASK, "MRR at 10", "completing queries in a search box")
    first = Scores(TASK, "success at 1", "offering a single completion")
    seen = Scores(TASK, "MRR at 10, seen queries", "completing queries that were asked before")
    unseen = Scores(TASK, "MRR at 10, words of unseen queries", "completing the words of new queries")

    @cache
    def whole(text: str) -> tuple[Sums, Sums]:
        ranks = [_triple(queries, text[:size], text) for size in range(1, min(LONGEST, len(text) - 1) + 1)]
        return _sums(ranks), _sums([(float(a == 1), float(b == 1), float(c == 1)) for a, b, c in ranks])

    @cache
    def by_words(text: str) -> Sums:
        return _sums([_triple(words, typed, word) for typed, word in fragments(text)])

    for line in askings(parts.test):
        ranks, tops = whole(line.text)
        everything.add_sums(line.user, ranks)
        first.add_sums(line.user, tops)
        if line.text in known:
            seen.add_sums(line.user, ranks)
        else:
            unseen.add_sums(line.user, by_words(line.text))
    return [everything, first, seen, unseen]


def popular(texts: Iterable[str]) -> list[str]:
    """Return distinct texts, the most frequent first; equally frequent ones by the alphabet."""
    return [text for text, _ in sorted(Counter(texts).items(), key=lambda item: (-item[1], item[0]))]


def offers(ranked: Iterable[str]) -> Offers:
    """Return for each prefix the first texts that begin so and are longer."""
    best: Offers = {}
    for text in ranked:
        for size in range(1, min(LONGEST, len(text) - 1) + 1):
            offered = best.setdefault(text[:size], [])
            if len(offered) < OFFERED:
                offered.append(text)
    return best


def fragments(text: str) -> Iterator[tuple[str, str]]:
    """Yield for each prefix of a text the part of a word that it ends with, and that whole word."""
    start = 0
    for word in text.split(" "):
        for size in range(1, len(word)):
            if start + size > LONGEST:
                return
            yield word[:size], word
        start += len(word) + 1


def _sums(cases: Sequence[tuple[float, float, float]]) -> Sums:
    first, second, third = (sum(column) for column in zip(*cases, strict=True)) if cases else (0.0, 0.0, 0.0)
    return first, second, third, len(cases)


def _triple(models: list[Offers], typed: str, wanted: str) -> tuple[float, float, float]:
    first, second, third = (reciprocal(model.get(typed, ()), wanted) for model in models)
    return first, second, third


def _words(lines: Lines) -> Iterator[str]:
    return (word for line in lines for word in line.text.split(" "))


def _shuffled(texts: Iterable[str], seed: int) -> list[str]:
    distinct = sorted(set(texts))
    random.Random(seed).shuffle(distinct)
    return distinct
