"""Words that WordNet knows as nouns or adjectives and that queries use as something else: "in", "is", "make", "buy";
and how words lean to being nouns or adjectives by the place where they stand (service.core.grammar).

Rules:
- The words stand in `LIST`, compiled offline from spaCy's tagger (service/study/lexicon.py).
- In the bundle such a word has STOP and neither NOUN nor ADJECTIVE: without leanings it is no unit of its own, only
  part of longer ones. Outside the grammar of the paper's classifier that holds for all of them.
- The leanings stand in `LEANINGS`, compiled likewise (service/study/leanings.py). Only a term that has tags has them.

Source: spaCy's en_core_web_sm 3.8.0 (MIT) as reference tagger; papers/streaming-profiles-2016.txt, section 3.3.1.
"""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from service.core.grammar import leaning
from service.core.knowledge import ADJECTIVE, NOUN, STOP
from service.knowledge.facts import Fact, TagFact
from service.knowledge.sources.files import SourceError, rows

LIST: Final = "other-words.txt"
LEANINGS: Final = "leanings.tsv"


def without_units(facts: Iterable[Fact], others: Collection[str]) -> Iterator[Fact]:
    """Pass `facts` on, NOUN and ADJECTIVE taken from the words in `others`, which have STOP instead."""
    for fact in facts:
        if isinstance(fact, TagFact) and fact.term in others:
            yield TagFact(fact.term, fact.tags & ~(NOUN | ADJECTIVE) | STOP)
        else:
            yield fact


def leaning_facts(path: Path, known: Collection[str]) -> Iterator[TagFact]:
    """Yield the leanings of the words that are `known`; raises SourceError where a line holds none."""
    for number, (own, before, after, words) in rows(path, "own before after words"):
        try:
            bits = leaning(int(own), int(before), int(after))
        except ValueError:
            raise SourceError(f"{path}:{number}: no three leanings; compile the list again") from None
        yield from (TagFact(word, bits) for word in words.split() if word in known)
