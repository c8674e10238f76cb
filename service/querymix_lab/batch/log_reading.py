"""From queries to the log that a batch method sees: identifiers cut, users under pseudonyms, every query classified."""

from collections.abc import Iterable

from querymix.core.classify import Classify
from querymix.core.pseudonyms import Pseudonyms
from querymix.core.records import Query
from querymix.stages.classifying import Classifying

from querymix_lab.batch.base import Log, Row
from querymix_lab.batch.phrases import Phrases


def read(
    queries: Iterable[Query], classify: Classify, pseudonyms: Pseudonyms | None = None, phrases: Phrases | None = None
) -> Log:
    """Return the log; `Log.refused` is the reader's to add. The cutting is the stream's own stage.

    `phrases` looks the noun phrases up; without it every query has the one topic that the classifier gives it.
    """
    stage = Classifying(classify, unclassified="pool", pseudonyms=pseudonyms)
    rows = []
    for place, query in enumerate(queries):
        for category, cut in stage((query,)):
            topic = classify(query.text, query.url)  # remembered from the stage
            path = tuple(topic.path.split("/")) if topic.path else ()
            topics = phrases(cut.text) if phrases and path else ()
            rows.append(Row(cut, category, path, place, topics=topics))
    removed = dict(sorted(stage.removed.items()))
    return Log(rows, stage.suppressed, identifiers_removed=removed, empty=stage.empty)
