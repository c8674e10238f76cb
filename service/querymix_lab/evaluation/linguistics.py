"""How often the stream's compiled analyzer and spaCy agree on a query's units, and how much faster the first one is.

Rules:
- Both read the same words; one without a letter ("2006") is left out, since neither makes a topic of it. A word is
  *content* to spaCy as a noun, a proper noun, an adjective or a host; to the compiled analyzer where it makes a
  unit by itself, or would outside a longer one ("of" in "isle of man" would not).
- They agree on a query where they agree on each of its words. A longer unit agrees with spaCy where all its words lie
  in one of its noun phrases, or all are content in a row.
- Time is CPU time of one pass over all queries: words and units here, tagger, parser and lemmatizer there.

Source: Pàmies-Estrems et al. 2016, section 3.3.1; spaCy's en_core_web_sm as the reference tagger.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from time import process_time
from typing import TYPE_CHECKING, Final

from querymix.core import grammar
from querymix.core.knowledge import Knowledge
from querymix.core.paper import units
from querymix.core.text import words

from querymix_lab.knowledge.train.reference_tagger import CONTENT
from querymix_lab.shares import share

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

BATCH: Final = 512


def content(found: Sequence[str], knowledge: Knowledge) -> tuple[list[bool], list[range]]:
    """Return which of a query's words are content to the compiled analyzer, and the places of its longer units."""
    longer = []
    at = 0
    for unit in units(list(found), knowledge):
        parts = unit.name.split(" ")
        size = len(parts)
        if size > 1:
            while found[at : at + size] != parts:
                at += 1
            longer.append(range(at, at + size))
            at += size
    return grammar.content([knowledge[word] for word in found]), longer


def compare(queries: Iterable[str], knowledge: Knowledge, pipeline: "Language") -> dict[str, float]:
    """Run both over `queries` and return how far they agree; neither their texts nor their words are kept."""
    from spacy.tokens import Doc  # noqa: PLC0415 - an optional extra

    texts = [query for query in queries if query.strip()]
    for text in texts:  # the bundle decodes each of its terms once a process
        units(words(text), knowledge)
    begin = process_time()
    for text in texts:
        units(words(text), knowledge)
    compiled_seconds = process_time() - begin
    split = [found for text in texts if (found := words(text))]
    docs = [Doc(pipeline.vocab, words=found) for found in split]
    begin = process_time()
    parsed = list(pipeline.pipe(docs, batch_size=BATCH))
    spacy_seconds = process_time() - begin
    counts = Counter(queries=len(split))
    for found, doc in zip(split, parsed, strict=True):
        kept, longer = content(found, knowledge)
        theirs = [token.pos_ in CONTENT or token.like_url for token in doc]
        decided = [at for at, word in enumerate(found) if any(map(str.isalpha, word))]
        differ = Counter((kept[at], theirs[at]) for at in decided)
        counts["same"] += (same := differ[True, True] + differ[False, False])
        counts["words"] += len(decided)
        counts["same queries"] += same == len(decided)
        counts["compiled"] += differ[True, False]
        counts["spacy"] += differ[False, True]
        counts["longer"] += len(longer)
        counts["inside"] += sum(_in_phrase(doc, unit, theirs) for unit in longer)
    return figures(counts, compiled_seconds, spacy_seconds)


def figures(counts: Mapping[str, int], compiled_seconds: float, spacy_seconds: float) -> dict[str, float]:
    """Return the figures under the names that users see, out of the counts of `compare` and seconds of CPU time."""
    queries, spent = counts["queries"], compiled_seconds or 1e-9
    return {
        "queries": queries,
        "agree_per_query": round(share(counts["same queries"], queries), 4),
        "words": counts["words"],
        "agree_per_word": round(share(counts["same"], counts["words"]), 4),
        "words_only_compiled": counts["compiled"],
        "words_only_spacy": counts["spacy"],
        "longer_units": counts["longer"],
        "longer_units_in_noun_phrase": round(share(counts["inside"], counts["longer"]), 4),
        "compiled_queries_per_second": round(queries / spent),
        "spacy_queries_per_second": round(queries / (spacy_seconds or 1e-9)),
        "times_faster": round(spacy_seconds / spent, 1),
    }


def _in_phrase(doc: "Doc", unit: range, theirs: Sequence[bool]) -> bool:
    if all(theirs[at] for at in unit):
        return True
    return any(chunk.start <= unit.start and unit.stop <= chunk.end for chunk in doc.noun_chunks)
