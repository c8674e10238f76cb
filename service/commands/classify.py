"""`querymix classify`: one query a line in, one JSON object a line out."""

import sys
from pathlib import Path
from typing import Any

import click
import orjson

from service.bootstrap import make_classifier, open_bundle
from service.commands.common import reporting
from service.core.classify import Classify
from service.core.knowledge import CATEGORIES
from service.core.records import UNCLASSIFIED
from service.settings import KnowledgeSettings, load, options


@click.command()
@options(KnowledgeSettings)
@reporting
def classify(settings: Path | None, **given: Any) -> None:
    """Classify the queries on standard input, one a line, into one JSON object a line.

    \b
    echo "european soccer barcelona players" | querymix classify

    `removed` names the kinds of identifiers that were cut, never what they were. A query that is nothing but
    identifiers has an empty `released`.
    """
    chosen = load(KnowledgeSettings, given, settings)
    judge = make_classifier(chosen, open_bundle(chosen))
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        out.write(_answer(judge, line.rstrip(b"\r\n").decode("utf-8", "replace")))
        out.flush()


def _answer(judge: Classify, query: str) -> bytes:
    topic = judge(query)
    answer = {
        "query": query,
        "released": topic.text,
        "category": None if topic.category == UNCLASSIFIED else CATEGORIES[topic.category],
        "path": topic.path or None,
        "unit": topic.unit or None,
        "removed": topic.removed,
    }
    return orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE)
