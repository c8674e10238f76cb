"""`python -m tests.bench.redactors NAME OUT LOG`: cuts identifiers from a log, line by line, in one of several ways.

Rules:
- What is cut is replaced by `MARK`, the user by a keyed hash; lines stay lines, in their order.
- Each is set up as its own documentation shows. The work around it, reading and writing, is the same code for all.
- Benthos has the same expressions in the same order, and writes the same bytes as `expressions`.
"""

import hmac
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Final

from querymix.bootstrap.parts import collect_garbage_seldom

MARK: Final = "\N{FULL BLOCK}"
KEY: Final = "a key for the benchmark"
BATCH: Final = 16_384
EXPRESSIONS: Final = {
    "email": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "ip": r"\b\d{1,3}(?:\.\d{1,3}){3}\b",
    "card": r"\b\d(?:[ -]?\d){11,18}\b",
    "phone": r"(?:\(\d{3}\)|\b\d{3})[ .-]?\d{3}[ .-]?\d{4}\b",
}
"""In RE2's syntax, which is Go's; by the kind that each is for. A long number may also be an account's."""
Redact = Callable[[list[str]], Iterable[str]]
"""Returns the queries of a batch with `MARK` where something was cut."""


def expressions() -> Redact:
    """Redact by four regular expressions."""
    subs = [re.compile(expression, re.ASCII).sub for expression in EXPRESSIONS.values()]

    def redact(texts: list[str]) -> list[str]:
        for sub in subs:
            texts = [sub(MARK, text) for text in texts]
        return texts

    return redact


def querymix() -> Redact:
    """Redact by the library's classifier, which tells the topic of each query as well."""
    from querymix.bootstrap.parts import make_classifier, open_bundle  # noqa: PLC0415 - not part of others' start
    from querymix.core.classify import CachingClassifier  # noqa: PLC0415
    from querymix.core.records import Query  # noqa: PLC0415
    from querymix.settings import KnowledgeSettings  # noqa: PLC0415

    settings = KnowledgeSettings()
    classifier = make_classifier(settings, open_bundle(settings))
    assert isinstance(classifier, CachingClassifier)

    def redact(texts: list[str]) -> list[str]:
        answers = classifier.each([Query("", text, "", 0.0) for text in texts])
        return [marked(text, one.cuts) if one.cuts else text for text, one in zip(texts, answers, strict=True)]

    return redact


def marked(text: str, cuts: Sequence[Any]) -> str:
    """Return `text` with a mark in place of each of `cuts`, which have `start` and `end`, sorted and disjoint."""
    for one in reversed(cuts):
        text = f"{text[: one.start]}{MARK}{text[one.end :]}"
    return text


def presidio() -> Redact:
    """Redact by Presidio's analyzer, in batches, and its anonymizer."""
    from querymix_lab.evaluation.presidio import Presidio  # noqa: PLC0415 - slow to load

    anonymizer = import_module("presidio_anonymizer")
    analyze = import_module("presidio_analyzer").BatchAnalyzerEngine(Presidio().analyzer).analyze_iterator
    anonymize = anonymizer.AnonymizerEngine().anonymize
    operators = {"DEFAULT": anonymizer.OperatorConfig("replace", {"new_value": MARK})}

    def redact(texts: list[str]) -> list[str]:
        found = analyze(texts, language="en", batch_size=256)
        return [anonymize(text, one, operators).text for text, one in zip(texts, found, strict=True)]

    return redact


def benthos(log: Path, out: Path) -> str:
    """Return the pipeline for Benthos. It takes more CPU time where it passes lines on in batches (tried)."""
    cut = "".join(f".re_replace_all({json.dumps(one)}, {json.dumps(MARK)})" for one in EXPRESSIONS.values())
    mapping = f"""
        let row = content().string().split("\\t")
        let user = $row.index(0).hash("hmac_sha256", {json.dumps(KEY)}).encode("hex")
        root = [$user, $row.index(1){cut}].merge($row.slice(2)).join("\\t")"""
    pipeline = {
        "http": {"enabled": False},
        "logger": {"level": "ERROR"},
        "input": {"file": {"paths": [str(log)], "scanner": {"lines": {}}}},
        "pipeline": {"threads": 1, "processors": [{"mapping": mapping}]},  # with more, lines change places
        "output": {"file": {"path": str(out), "codec": "lines"}},
    }
    return json.dumps(pipeline)  # which is YAML


def redact_file(redact: Redact, log: Path, out: Path) -> None:
    """Redact a log in the AOL form."""
    key = KEY.encode()
    with log.open(encoding="utf-8", newline="\n") as lines, out.open("w", encoding="utf-8", newline="\n") as to:
        while rows := [line.split("\t") for line in islice(lines, BATCH)]:
            texts = redact([row[1] for row in rows])
            to.writelines(
                "\t".join((hmac.digest(key, row[0].encode(), "sha256").hex(), text, *row[2:]))
                for row, text in zip(rows, texts, strict=True)
            )


if __name__ == "__main__":
    collect_garbage_seldom()
    _, name, out, log = sys.argv
    redact_file({"expressions": expressions, "querymix": querymix, "presidio": presidio}[name](), Path(log), Path(out))
