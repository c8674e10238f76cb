"""`make bench`: what each stage and the whole local run cost a log, on one core.

The log is made up anew (or --log FILE names one), the stages are measured over the same batches, and each figure is
the best of several passes, since a shared machine only ever adds time. "cold" classifies every query for the first
time, "warm" has remembered answers, as a log's repeats give it.
"""

import asyncio
import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from querymix.bootstrap.parts import collect_garbage_seldom, make_classifier
from querymix.codecs.aol import AolCodec
from querymix.codecs.base import ENCODING, ERRORS
from querymix.core.draw import system_draw
from querymix.core.profiles import evidence
from querymix.core.records import Query, Release
from querymix.core.rules import Rules
from querymix.knowledge.bundle import DEFAULT, Bundle
from querymix.settings import KnowledgeSettings, MethodSettings
from querymix.stages.classifying import Classifying
from querymix.stages.period_ids import PeriodIds
from querymix.stages.pooling import Pooling
from querymix.stores.sqlite import SqliteProfiles
from rich.console import Console
from rich.table import Table

from loadtest.synthesize import synthesize

BATCH = 16_384


def best(passes: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least CPU time of several passes, and what the last one gave."""
    least, given = float("inf"), None
    for _ in range(passes):
        start = time.process_time()
        given = work()
        least = min(least, time.process_time() - start)
    return least, given


def stages(lines: list[str], bundle: Bundle, passes: int, k: int) -> dict[str, float]:
    """Return seconds a stage for all lines."""
    codec = AolCodec()
    batches = [lines[start : start + BATCH] for start in range(0, len(lines), BATCH)]
    found: dict[str, float] = {}

    def parse() -> list[list[Query]]:
        return [codec.decode(batch, "bench", 1).queries for batch in batches]

    collect_garbage_seldom()  # else what happens to be imported shows in the figures of what follows
    found["parse"], queries = best(passes, parse)

    def classify(stage: Classifying) -> list[list[Any]]:
        return [stage(batch) for batch in queries]

    def cold() -> Any:
        return classify(Classifying(make_classifier(KnowledgeSettings(), bundle)))

    cold()  # the bundle's own terms are decoded once a process
    found["classify, cold"], _ = best(passes, cold)
    warm = Classifying(make_classifier(KnowledgeSettings(), bundle))
    classify(warm)
    found["classify, warm"], classified = best(passes, lambda: classify(warm))

    def pool(rules: Rules) -> list[list[Release]]:
        stage = Pooling(rules, system_draw())
        return [stage(batch) for batch in classified]

    found["pool"], releases = best(passes, lambda: pool(Rules(k=k)))
    found["pool, without a reserve"], _ = best(passes, lambda: pool(Rules(k=k, reserve=0)))
    found["pool, sessions"], _ = best(passes, lambda: pool(Rules(k=k, unit="session")))

    def put_ids() -> None:
        stage = PeriodIds(MethodSettings().pseudonym_period)
        for batch in filter(None, releases):
            stage(batch, batch[-1].moment, waiting=False)

    found["ids"], _ = best(passes, put_ids)

    def profile() -> None:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(_profile(Path(folder) / "profiles.db", releases))

    found["profile"], _ = best(passes, profile)

    def encode() -> int:
        return sum(len("\n".join(codec.encode(batch)).encode(ENCODING, ERRORS)) for batch in releases)

    found["encode"], _ = best(passes, encode)
    return found


async def _profile(path: Path, releases: list[list[Any]]) -> None:
    store = SqliteProfiles(path)
    for number, batch in enumerate(releases):
        await store.apply("bench", {number: evidence(batch)})
    await store.close()


def whole(log: Path, order: str, k: int, passes: int) -> dict[str, Any]:
    """Return the summary of the best whole run, in a process of its own, as a user would start it."""
    runs = []
    for _ in range(passes):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "querymix", "run", str(log), "-o", f"{folder}/out.tsv", "--json"]
            command += ["--profiles", f"{folder}/profiles.db", "--order", order, "--k", str(k)]
            done = subprocess.run(command, capture_output=True, check=True)
            runs.append(json.loads(done.stdout))
    return max(runs, key=lambda run: int(run["logs_per_second"]))


@click.command()
@click.option("--lines", default=200_000, show_default=True)
@click.option("--users", default=5_000, show_default=True)
@click.option("--log", type=click.Path(exists=True, path_type=Path), help="A log of your own instead of a made-up one.")
@click.option("--passes", default=5, show_default=True)
@click.option("--k", default=20, show_default=True)
@click.option("--json", "as_json", is_flag=True)
def main(lines: int, users: int, log: Path | None, passes: int, k: int, as_json: bool) -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        made_up = log is None
        if log is None:
            log = Path(folder) / "made-up.tsv"
            log.write_text("\n".join(synthesize(lines, users, 1, order="time")) + "\n")
        opened = gzip.open if log.suffix == ".gz" else open
        with opened(log, "rt", encoding=ENCODING, errors=ERRORS, newline="\n") as file:
            rows = file.read().split("\n")[1:-1]
        found = stages(rows, Bundle(DEFAULT), passes, k)
        # Of a log of one's own nothing may be released in its own order, which may be by user.
        orders = ("input", "time") if made_up else ("time",)
        runs = {order: whole(log, order, k, max(1, passes // 2)) for order in orders}
    table = Table("stage", "µs/log", "logs/s", title=f"{len(rows):,} records, one process, best of {passes}")
    figures = {stage: 1e6 * seconds / len(rows) for stage, seconds in found.items()}
    for stage, cost in figures.items():
        table.add_row(stage, f"{cost:.2f}", f"{1e6 / cost:,.0f}")
    for order, run in runs.items():
        table.add_row(f"whole run, order {order}", f"{1e6 / run['logs_per_second']:.2f}", f"{run['logs_per_second']:,}")
    if as_json:
        click.echo(
            json.dumps({"stages": figures, "runs": {order: run["logs_per_second"] for order, run in runs.items()}})
        )
    else:
        Console().print(table)


main()
