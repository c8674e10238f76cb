"""Compiles the list of words that are no units, with spaCy's tagger over the vocabulary in short texts in query style.

Rules:
- A candidate is a stop word, a verb's form, an adverb or a number word among the `CANDIDATES` most frequent words of
  the web. It enters where fewer than `MIN_CONTENT` of its texts take it for a noun, a proper noun or an adjective.
- A term of the own topic lists never enters ("fishing" is a topic, whatever a tagger says), nor a given name ("rose"),
  unless it is a stop word ("will").
- The same packages and model give the same list: docs/knowledge-bundle.md has the command.
"""

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from querymix.core.identifiers.spans import word_set

from querymix_lab.knowledge.sources import web
from querymix_lab.knowledge.sources.default import installed
from querymix_lab.knowledge.sources.files import LISTS
from querymix_lab.knowledge.sources.wordnet import WordNet
from querymix_lab.knowledge.sources.words import own_lists, plain_list, topics, word_lists
from querymix_lab.knowledge.train.reference_tagger import CONTENT, MODEL, reference, tagged

if TYPE_CHECKING:
    from spacy.language import Language

CANDIDATES: Final = 60_000
MIN_CONTENT: Final = 0.35
NEIGHBOURS: Final = 12
_NUMBERS: Final = word_set(
    "one two three four five six seven eight nine ten eleven twelve hundred thousand million billion"
)
_HEAD: Final = """\
# Words that queries use as verbs, adverbs or function words, though WordNet has them as nouns or adjectives too.
# Compiled by `python -m querymix_lab.knowledge.train.function_words`; see there.
"""


def contexts(
    word: str, before: list[str], after: list[str], nouns: list[str], draw: random.Random
) -> Iterator[tuple[list[str], int]]:
    """Yield short texts in query style that hold `word`, and its place in each."""

    def one(words: list[str]) -> str:
        return draw.choice(words or nouns)

    yield [word], 0
    for _ in range(3):
        yield [one(before), word], 1
        yield [word, one(after)], 0
        yield [one(before), word, one(after)], 1
    yield ["how", "to", word, one(after)], 2
    for _ in range(2):
        yield [one(before), draw.choice(nouns), word], 2
        yield [word, one(after), draw.choice(nouns)], 0


def neighbours(
    pairs: Mapping[tuple[str, str], int], stop: Collection[str]
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the words that most often stand before and after each word, without stop words."""
    before: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    after: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for (first, second), count in pairs.items():
        if second not in stop:
            after[first].append((count, second))
        if first not in stop:
            before[second].append((count, first))

    def most(found: Mapping[str, list[tuple[int, str]]]) -> dict[str, list[str]]:
        return {word: [other for _, other in sorted(some, reverse=True)[:NEIGHBOURS]] for word, some in found.items()}

    return most(before), most(after)


def compiled(pipeline: "Language", folder: Path) -> list[str]:
    """Return the list's words in alphabetical order, tagged by `pipeline`; takes minutes."""
    inputs = installed()
    wordnet = WordNet(inputs.wordnet)
    stop = frozenset(plain_list(folder / "stop.txt"))
    own = {term for path in own_lists(folder) for _, term in topics(path)}
    lists = word_lists()
    own |= (lists["given-sure"] | lists["given-possible"]) - stop
    frequent = [word for word in web.unigrams(inputs.unigrams) if word.isalpha()][:CANDIDATES]
    before, after = neighbours(web.bigrams(inputs.bigrams), stop)
    nouns = [w for w in frequent[: CANDIDATES // 10] if len(w) > 3 and w in wordnet.senses["noun"] and w not in stop]
    draw = random.Random(1)
    texts: list[list[str]] = []
    places: list[tuple[str, int]] = []
    for word in frequent:
        if word not in own and (word in stop or word in _NUMBERS or word in wordnet.other_words):
            for text, place in contexts(word, before.get(word, []), after.get(word, []), nouns, draw):
                texts.append(text)
                places.append((word, place))
    total: Counter[str] = Counter()
    content: Counter[str] = Counter()
    for doc, (word, place) in zip(tagged(pipeline, texts), places, strict=True):
        total[word] += 1
        content[word] += doc[place].pos_ in CONTENT
    return sorted(word for word in total if content[word] < MIN_CONTENT * total[word])


def _main() -> None:
    pipeline = reference(MODEL, "parser", "lemmatizer")
    sys.stdout.write(_HEAD + "\n".join(compiled(pipeline, LISTS)) + "\n")


if __name__ == "__main__":
    _main()
