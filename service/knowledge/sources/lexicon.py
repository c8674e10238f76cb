"""Words that WordNet knows as nouns or adjectives and that queries use as something else: "in", "is", "make", "buy".

Rules:
- The words stand in `LIST`, compiled offline from spaCy's tagger (service/study/lexicon.py).
- In the bundle such a word has STOP and neither NOUN nor ADJECTIVE: it is no unit of its own, only part of longer ones.

Source: spaCy's en_core_web_sm 3.8.0 (MIT), `issues show 4`, point 3.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from service.core.knowledge import ADJECTIVE, NOUN, STOP
from service.knowledge.facts import Fact, TagFact

LIST: Final = "other-words.txt"


def without_units(facts: Iterable[Fact], others: Collection[str]) -> Iterator[Fact]:
    """Pass `facts` on, NOUN and ADJECTIVE taken from the words in `others`, which have STOP instead."""
    for fact in facts:
        if isinstance(fact, TagFact) and fact.term in others:
            yield TagFact(fact.term, fact.tags & ~(NOUN | ADJECTIVE) | STOP)
        else:
            yield fact
