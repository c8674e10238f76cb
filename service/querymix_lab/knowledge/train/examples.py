"""The texts that teacher and student read.

Rules:
- A phrase's first category counts `1`, each further one `SECOND`.
- A term of the own lists has one category, more where several lists hold it.
- Words have 2 to 20 letters a-z; no stop word is a text, nor does a pair hold one.
- Made-up texts (query_texts.py) and example queries with one word more teach what a term says beside others.
- A text of another language is read in its folded form, without what French and Italian elide before a word; a word
  whose folded form is an English one stays as it is written ("hôtel"), since the base finds what was typed first.
- The order is that of the sources, the most frequent first, so equal sources give equal texts.
"""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from querymix.core.knowledge import CATEGORIES, CATEGORY_NUMBERS
from querymix.core.text import folded, words
from querymix.core.unknown import ELIDED

from querymix_lab.knowledge.sources import web
from querymix_lab.knowledge.sources.files import LISTS, SourceError, rows
from querymix_lab.knowledge.sources.languages import ENGLISH, TAUGHT
from querymix_lab.knowledge.sources.wordnet import WordNet
from querymix_lab.knowledge.sources.words import own_lists, plain_list, topics

SECOND: Final = 0.75
COMMON_WORDS: Final = 25_000
WORDS: Final = 90_000
PAIRS: Final = 60_000
LONGEST: Final = 3
"""Words in the longest term that the student learns."""
NOT_TAUGHT: Final = frozenset({"Kids and Teens", "News"})
"""Categories whose listed terms are no examples: an audience and a kind of site, whose terms have a topic as well."""
PHRASES: Final = LISTS / "phrases"
"""Folder of example queries: a file a language, by its code."""
_WORD: Final = re.compile(r"[a-z]{2,20}")
_INSIDE: Final = re.compile(r"[^a-z0-9\u0080-\U0010ffff]+")
STOP: Final = frozenset(plain_list(LISTS / "no-topics.txt"))
"""Shorter than lists/stop.txt: what a model reads as a topic ("free", "new", "best") stays."""


class Phrase(NamedTuple):
    """An example query and how well each category fits."""

    text: str
    labels: tuple[float, ...]


class TextSet(NamedTuple):
    """Texts that are treated alike."""

    name: str
    texts: list[str]
    read: int
    """How many of the first the larger encoder reads."""
    weight: float
    """What one of its texts counts for the student."""


def phrases(path: Path) -> list[Phrase]:
    """Return the example queries of a file: categories parted by commas, tab, queries parted by commas.

    Raises SourceError at an unknown category or an empty query.
    """
    labels_of: dict[str, list[float]] = {}
    for number, (names, queries) in rows(path, "categories queries"):
        labels = [0.0] * len(CATEGORIES)
        for rank, name in enumerate(names.split(",")):
            if name not in CATEGORY_NUMBERS:
                raise SourceError(f"{path}:{number}: an unknown category; known: {', '.join(CATEGORIES)}")
            labels[CATEGORY_NUMBERS[name]] = SECOND if rank else 1.0
        for query in queries.split(","):
            if not query.strip():
                raise SourceError(f"{path}:{number}: an empty query; remove one comma")
            text = query.strip().lower()
            before = labels_of.setdefault(text, labels)
            labels_of[text] = [max(pair) for pair in zip(before, labels, strict=True)]
    return [Phrase(text, tuple(labels)) for text, labels in labels_of.items()]


def listed(folder: Path = LISTS) -> list[Phrase]:
    """Return the terms of the own lists and their categories, in the order of the lists.

    Raises SourceError at an unknown category or an empty term.
    """
    labels_of: dict[str, list[float]] = {}
    for path in own_lists(folder):
        for category, term in topics(path):
            first = category.partition("/")[0]
            if first not in NOT_TAUGHT:
                labels_of.setdefault(term, [0.0] * len(CATEGORIES))[CATEGORY_NUMBERS[first]] = 1.0
    return [Phrase(term, tuple(labels)) for term, labels in labels_of.items()]


def unlabelled(unigrams: Path, bigrams: Path, wordnet: WordNet) -> list[TextSet]:
    """Return the texts without categories."""
    single = [word for word in web.unigrams(unigrams) if _WORD.fullmatch(word) and word not in STOP][:WORDS]
    counts = web.bigrams(bigrams)
    plain = [
        pair for pair in counts if all(_WORD.fullmatch(word) and len(word) > 1 and word not in STOP for word in pair)
    ]
    plain.sort(key=lambda pair: -counts[pair])
    lemmas = sorted(
        {
            lemma
            for senses in wordnet.senses.values()
            for lemma in senses
            if 1 < len(lemma.split(" ")) <= LONGEST and lemma.isascii()
        }
    )
    return [
        TextSet("common words", single[:COMMON_WORDS], 12_000, 0.5),
        TextSet("words", single[COMMON_WORDS:], 0, 0.3),
        TextSet("pairs", [" ".join(pair) for pair in plain[:PAIRS]], 8_000, 0.3),
        TextSet("lemmas", lemmas, 0, 0.2),
    ]


class Reading:
    """How a text becomes terms, as the classifier looks them up; `unigrams` are the words of the web."""

    def __init__(self, unigrams: Path) -> None:
        self._english = frozenset(islice(web.unigrams(unigrams), TAUGHT))

    def tokens(self, text: str, language: str = ENGLISH) -> list[str]:
        """Return the terms of one word in a text of a language."""
        out: list[str] = []
        for word in tokens(text):
            plain = folded(word)
            out.append(word if plain != word and language != ENGLISH and plain in self._english else plain)
        return out


def tokens(text: str) -> Iterator[str]:
    """Yield the words of a text as they are typed, those with punctuation inside in their parts."""
    for word in words(text):
        if word.isalnum():
            yield word
        else:
            whole = ELIDED.sub("", word).replace("'s", "").replace("'", "")
            yield from (part for part in _INSIDE.split(whole) if part)
