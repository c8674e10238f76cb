"""What `querymix classify` does (classify.py has its options)."""

import sys
from collections.abc import Iterator, Mapping
from io import BufferedReader
from pathlib import Path
from typing import Any, cast

import orjson

from querymix.bootstrap.parts import make_classifier, open_bundle
from querymix.codecs.base import BYTE_ORDER_MARK
from querymix.core.classify import Classify
from querymix.core.errors import ConfigError, TransientError
from querymix.core.knowledge import CATEGORIES
from querymix.core.records import UNCLASSIFIED
from querymix.local.file_identity import Use, check_apart
from querymix.local.unpacking import BLOCK, DamagedInputError, UnsupportedInputError, plain
from querymix.settings import KnowledgeSettings, load
from querymix.terminal import visible_json


def classify(settings: Path | None, given: Mapping[str, Any]) -> None:
    """Classify the queries on standard input by the options that were `given`, and those of the file `settings`."""
    chosen = load(KnowledgeSettings, given, settings)
    check_apart([Use("the input", 0)], [Use("standard output", 1)])
    decide = make_classifier(chosen, open_bundle(chosen))
    out = sys.stdout.buffer
    for line in _lines():
        out.write(_answer(decide, line.decode("utf-8", "replace").lstrip(BYTE_ORDER_MARK)))
        out.flush()


def _lines() -> Iterator[bytes]:
    """Yield the lines of standard input as they arrive, without their ends.

    Raises ConfigError where it is closed or of a form that is not read, TransientError where it ends before its end.
    """
    if sys.stdin is None or not sys.stdin.readable():
        raise ConfigError("standard input is closed: send the queries through a pipe, one a line")
    source = cast(BufferedReader, sys.stdin.buffer)
    rest = b""
    try:
        for block in plain(iter(lambda: source.read1(BLOCK), b""), None):
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                yield line.rstrip(b"\r")
    except UnsupportedInputError as error:
        raise ConfigError(f"cannot read standard input: {error}") from None
    except DamagedInputError as error:
        raise TransientError(f"standard input: {error}. What was read of it was classified: send it again.") from None
    if rest:
        yield rest.rstrip(b"\r")


def _answer(decide: Classify, query: str) -> bytes:
    found = decide(query)
    answer = {
        "query": query,
        "released": found.text,
        "category": None if found.category == UNCLASSIFIED else CATEGORIES[found.category],
        "path": found.path or None,
        "unit": found.unit or None,
        "removed": found.removed,
    }
    return visible_json(orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE))
