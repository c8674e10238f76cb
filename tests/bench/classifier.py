"""`python -m tests.bench.classifier`: the classifier against a straightforward one of the paper's kind, in one run.

Rules:
- The reference tags and lemmatises each query with spaCy (no parser, no entities) and asks a MongoDB-protocol server
  once for each noun and adjective; it knows no longer units and removes no identifiers, so it has less to do than ours.
- Ours removes all identifiers. "first" opens the bundle anew, so that terms are decoded on the way; "cold" has the
  terms decoded, as a process has after some minutes, and no answer remembered: each query is new; "warm" remembers all
  answers.
- The garbage collector is set as `querymix worker` sets it, for both sides.
- Distinct queries, the same for both sides, so that no side gains from repeats within a pass; each of our figures is
  the best of several passes. CPU time on one core: the server's own is told apart, waiting for it counts for nothing.
"""

import gzip
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import click
from pymongo import MongoClient
from querymix.bootstrap.parts import collect_garbage_seldom, make_classifier
from querymix.commands.common import print_json
from querymix.core.classify import Classify
from querymix.core.text import words
from querymix.knowledge.bundle import DEFAULT, Bundle
from querymix.settings import KnowledgeSettings
from querymix_lab.knowledge.train.reference_tagger import CONTENT, reference
from rich.console import Console
from rich.table import Table

from deploy.local.mongo import LocalMongo
from loadtest.synthesize import synthesize

CLASSIFIERS: Final[tuple[Literal["paper", "terms"], ...]] = ("paper", "terms")
GOAL_TIMES: Final = 100
GOAL_RATE: Final = 50_000


class Reference:
    """A classifier as the paper's: `pipeline` gives lemmas and parts of speech, `terms` is asked for each unit."""

    def __init__(self, pipeline: Any, terms: Any) -> None:
        self._pipeline = pipeline
        self._terms = terms

    def __call__(self, text: str) -> str | None:
        """Return the category of the unit with the fewest references that has one."""
        found = []
        for token in self._pipeline(text):
            if token.pos_ in CONTENT:
                term = self._terms.find_one({"_id": token.lemma_.lower()})
                if term is not None and term["category"] >= 0:
                    found.append((term["references"], term["category"]))
        return str(min(found)[1]) if found else None


def queries_of(path: Path | None, count: int, seed: int) -> list[str]:
    """Return distinct queries, drawn from a file with one a line or made up."""
    if path is None:
        rows = (line.split("\t")[1] for line in synthesize(count * 8, 1_000, seed, order="time"))
        texts = list(dict.fromkeys(rows))[1:]
    else:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8", errors="replace") as file:
            texts = list(dict.fromkeys(line.rstrip("\n") for line in file if line.strip()))
    return random.Random(seed).sample(texts, min(count, len(texts)))


def cpu_of(pid: int) -> float:
    """Return the CPU seconds that another process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def timed(judge: Callable[[str], Any], queries: Sequence[str]) -> float:
    """Return the CPU time of one pass."""
    begin = time.process_time()
    for query in queries:
        judge(query)
    return time.process_time() - begin


def load(terms: Any, bundle: Bundle, queries: Iterable[str], pipeline: Any) -> int:
    """Put the words of `queries`, as they stand and as lemmas, into the server; return how many are known."""
    wanted = {word for query in queries for word in words(query)}
    wanted |= {token.lemma_.lower() for query in queries for token in pipeline(query)}
    known = [(word, bundle[word]) for word in sorted(wanted) if bundle[word].tags or bundle[word].category >= 0]
    terms.insert_many({"_id": word, "references": term.references, "category": term.category} for word, term in known)
    return len(known)


def ours(queries: Sequence[str], knowledge: Path, passes: int) -> dict[str, float]:
    """Return seconds a pass, by classifier and state."""
    found = {}
    for name in CLASSIFIERS:
        settings = KnowledgeSettings(classifier=name)

        def made(bundle: Bundle, settings: KnowledgeSettings = settings) -> Classify:
            return make_classifier(settings, bundle)

        found[f"{name}, first"] = min(timed(made(Bundle(knowledge)), queries) for _ in range(passes))
        bundle = Bundle(knowledge)
        timed(made(bundle), queries)
        found[f"{name}, cold"] = min(timed(made(bundle), queries) for _ in range(passes))
        warm = made(bundle)
        timed(warm, queries)
        found[f"{name}, warm"] = min(timed(warm, queries) for _ in range(passes))
    return found


@click.command()
@click.option("--queries", "path", type=click.Path(exists=True, path_type=Path), help="One query a line, plain or .gz.")
@click.option("--count", default=2_000, show_default=True, help="Distinct queries.")
@click.option("--seed", default=1, show_default=True)
@click.option("--passes", default=3, show_default=True)
@click.option("--knowledge", type=click.Path(exists=True, path_type=Path), default=DEFAULT)
@click.option("--json", "as_json", is_flag=True)
def main(path: Path | None, count: int, seed: int, passes: int, knowledge: Path, as_json: bool) -> None:
    """Measure both sides over the same queries."""
    texts = queries_of(path, count, seed)
    pipeline = reference()
    pipeline.disable_pipe("parser")
    collect_garbage_seldom()
    with tempfile.TemporaryDirectory() as folder, LocalMongo(folder, durable=False) as server:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        client: MongoClient[dict[str, Any]] = MongoClient(server.uri)
        terms = client["bench"]["terms"]
        known = load(terms, Bundle(knowledge), texts, pipeline)
        judge = Reference(pipeline, terms)
        timed(judge, texts[:100])
        before = cpu_of(server.pid)
        reference_seconds = timed(judge, texts)
        server_seconds = cpu_of(server.pid) - before
        client.close()
    seconds = {"reference": reference_seconds, "reference with its server": reference_seconds + server_seconds}
    seconds |= ours(texts, knowledge, passes)
    rates = {name: len(texts) / spent for name, spent in seconds.items()}
    times = {name: rate / rates["reference"] for name, rate in rates.items()}
    if as_json:
        print_json({"queries": len(texts), "terms": known, "queries_per_second": rates, "times": times})
        return
    table = Table(
        "", "µs/query", "queries/s", "times the reference", title=f"{len(texts):,} distinct queries, one core"
    )
    for name, rate in rates.items():
        table.add_row(name, f"{1e6 / rate:.2f}", f"{rate:,.0f}", f"{times[name]:.1f}")
    console = Console(highlight=False)
    console.print(table)
    for name in CLASSIFIERS:
        gain = rates[f"{name}, warm"] / rates[f"{name}, cold"]
        good = rates[f"{name}, cold"] >= GOAL_RATE and times[f"{name}, cold"] >= GOAL_TIMES
        console.print(
            f"{name}: the remembered answers make a repeated query {gain:.1f} times faster; without them the goal of "
            f"{GOAL_TIMES} times and {GOAL_RATE:,} queries/s is {'met' if good else 'missed'}"
        )


if __name__ == "__main__":
    main()
