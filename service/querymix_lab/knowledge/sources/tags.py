"""Tags that are compiled offline with spaCy's tagger: words that WordNet knows as nouns or adjectives and that queries
use as something else ("in", "make", "buy"), which have STOP instead (`FUNCTION_WORDS`, train/function_words.py); and
tag log-odds of words (`TAG_LOG_ODDS`, train/tag_log_odds.py; querymix.core.grammar), for terms that have tags.

Source: Pàmies-Estrems et al. 2016, section 3.3.1 (units are nouns and adjectives).
"""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from querymix.core.grammar import tag_log_odds
from querymix.core.knowledge import ADJECTIVE, NOUN, STOP

from querymix_lab.knowledge.facts import Fact, TagFact
from querymix_lab.knowledge.sources.files import SourceError, rows

FUNCTION_WORDS: Final = "function-words.txt"
TAG_LOG_ODDS: Final = "tag-log-odds.tsv"
COLUMNS: Final = "own to_next to_previous words"


def without_units(facts: Iterable[Fact], function_words: Collection[str]) -> Iterator[Fact]:
    """Pass `facts` on, NOUN and ADJECTIVE taken from the `function_words`, which have STOP instead."""
    for fact in facts:
        if isinstance(fact, TagFact) and fact.term in function_words:
            yield TagFact(fact.term, fact.tags & ~(NOUN | ADJECTIVE) | STOP)
        else:
            yield fact


def log_odds_facts(path: Path, known: Collection[str]) -> Iterator[TagFact]:
    """Yield the tag log-odds of the words that are `known`; raises SourceError where a line holds none."""
    for number, (own, to_next, to_previous, words) in rows(path, COLUMNS):
        try:
            bits = tag_log_odds(int(own), int(to_next), int(to_previous))
        except ValueError:
            raise SourceError(f"{path}:{number}: no tag log-odds; compile the list again") from None
        yield from (TagFact(word, bits) for word in words.split() if word in known)
