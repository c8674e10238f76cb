"""The whole service on real servers: three workers, one for each role, with all that can be shown switched on."""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import pytest
from querymix.core.knowledge import CATEGORIES
from querymix.core.records import POOL_NAMES
from querymix.kafka.topics import Topics

from deploy.local.testing import Broker, Database
from tests.integration.kit import MARKS, Deployment, Outcome, Page, check, evidence_of, rows, until

pytestmark = pytest.mark.short
TOKEN = "not-a-real-token-but-a-long-one-0123"  # noqa: S105 - made up
ROLES = ("classifier", "anonymizer", "profiler")
SENT = rows(3_000, 60, 11)


class Run(NamedTuple):
    """What one run came to."""

    outcome: Outcome
    topics: Topics
    pages: dict[str, Page]
    exits: list[int]
    logs: bytes


COUNTS: list[tuple[str, str, Callable[[Outcome], int]]] = [
    ("classifier", 'querymix_logs_in_total{stage="classifier"}', lambda _: len(SENT)),
    ("classifier", "querymix_unclassified_total", lambda outcome: outcome.account["unclassified"]),
    ("anonymizer", 'querymix_logs_out_total{stage="anonymizer"}', lambda outcome: len(outcome.released)),
    ("profiler", "querymix_evidence_total", lambda outcome: evidence_of(outcome.states)),
]
"""Of which worker, in which metric, is how many."""


def shown(page: Page, metric: str) -> float | None:
    """Return a metric, None where it is not there."""
    found = re.search(rf"^{re.escape(metric)} (\S+)$", page.body, re.MULTILINE)
    return None if found is None else float(found[1])


async def counted(deployment: Deployment, outcome: Outcome) -> bool:
    """Say whether the metrics count all: a batch is counted a moment after it is committed."""
    pages = dict(zip(ROLES, [worker.page("/metrics") for worker in deployment.workers], strict=True))
    return all(shown(pages[worker], metric) == number(outcome) for worker, metric, number in COUNTS)


@pytest.fixture(scope="module")
def run(kafka: Broker, mongo: Database, small_bundle, tmp_path_factory) -> Run:  # type: ignore[no-untyped-def]
    folder = tmp_path_factory.mktemp("whole")
    (folder / "token").write_text(TOKEN + "\n")

    async def go(deployment: Deployment) -> Run:
        await deployment.make_topics()
        more = ("--profiles-token-file", str(folder / "token"), "--http-host", "127.0.0.1")
        classifier, anonymizer, profiler = (
            deployment.worker("--roles", role, *(more if role == "profiler" else ())) for role in ROLES
        )
        await asyncio.gather(*(worker.ready() for worker in deployment.workers))
        await deployment.produce(row.aol() for row in SENT)
        outcome = await deployment.at_rest(len(SENT))
        user = next(iter(outcome.profiles))
        with suppress(AssertionError):  # the test of each metric says which one does not
            await until("the metrics count what went through", partial(counted, deployment, outcome))
        pages = {
            "live": anonymizer.page("/health/live"),
            "ready": (await anonymizer.ready()).page("/health/ready"),
            "classifier": classifier.page("/metrics"),
            "anonymizer": anonymizer.page("/metrics"),
            "profiler": profiler.page("/metrics"),
            "closed": anonymizer.page(f"/profiles/{user}", TOKEN),
            "no token": profiler.page(f"/profiles/{user}"),
            "wrong token": profiler.page(f"/profiles/{user}", TOKEN + "x"),
            "profile": profiler.page(f"/profiles/{user}", TOKEN),
            "unknown": profiler.page("/profiles/nobody", TOKEN),
        }
        exits = [await worker.stopped() for worker in deployment.workers]
        logs = b"".join(worker.log.read_bytes() for worker in deployment.workers)
        return Run(outcome, deployment.topics, pages, exits, logs)

    options = {"log_level": "debug", "hot": "Arts=2,Society=3"}
    with Deployment(kafka.bootstrap, mongo.uri, folder, small_bundle, **options) as deployment:
        return asyncio.run(go(deployment))


def test_every_log_is_accounted_for_once_and_profiles_are_what_the_releases_say(run: Run) -> None:
    check(run.outcome, SENT, len(SENT))
    assert len(run.outcome.released) > len(SENT) // 3
    assert run.outcome.letters == []


def test_released_lines_have_the_form_of_the_raw_ones_and_a_text_that_was_sent(run: Run) -> None:
    by_rank = {row.rank: row for row in SENT}
    for record in run.outcome.released:
        _, text, time, rank, url = record.value.decode().split("\t")
        row = by_rank[int(rank)]
        assert text == row.query or len(text) < len(row.query), "nothing is added to a query"
        assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", time)
        assert row.url.startswith(url)


def test_the_header_names_the_category_of_the_pool(run: Run) -> None:
    categories = {dict(record.headers)["category"].decode() for record in run.outcome.released}
    assert categories <= {*CATEGORIES, "Unclassified"}
    assert len(categories) > 5


def test_a_user_is_always_on_the_same_partition(run: Run) -> None:
    places = {(record.key, record.partition) for record in run.outcome.released}
    assert len(places) == len({key for key, _ in places})


def test_a_hot_category_has_a_pool_in_each_of_its_shards_and_the_others_have_one(run: Run) -> None:
    pools: dict[str, int] = {}
    for state in run.outcome.states:
        for category, _ in state.pools:
            name = POOL_NAMES[category]
            pools[name] = pools.get(name, 0) + 1
    assert (pools.pop("Arts"), pools.pop("Society")) == (2, 3)
    assert set(pools.values()) == {1}


def test_the_worker_says_that_it_lives_and_is_ready(run: Run) -> None:
    assert run.pages["live"].status == run.pages["ready"].status == 200


@pytest.mark.parametrize(("worker", "metric", "number"), COUNTS)
def test_metrics_count_what_went_through(run: Run, worker: str, metric: str, number: Callable[[Outcome], int]) -> None:
    assert shown(run.pages[worker], metric) == number(run.outcome)


def test_metrics_name_no_user_and_no_query(run: Run) -> None:
    assert not any(MARKS.search(run.pages[worker].body.encode()) for worker in ("classifier", "anonymizer", "profiler"))


def test_profiles_are_shown_only_where_a_token_is_set_and_only_with_it(run: Run) -> None:
    statuses = {name: run.pages[name].status for name in ("closed", "no token", "wrong token", "unknown", "profile")}
    assert statuses == {"closed": 404, "no token": 401, "wrong token": 401, "unknown": 404, "profile": 200}
    assert '"count"' in run.pages["profile"].body


def test_a_worker_that_is_told_to_stop_exits_with_0(run: Run) -> None:
    assert run.exits == [0, 0, 0]


def test_no_user_and_no_query_is_in_any_line_that_a_worker_logged_at_debug_level(run: Run) -> None:
    assert b"DEBUG" in run.logs
    assert not [line for line in run.logs.splitlines() if MARKS.search(line)]
    assert TOKEN.encode() not in run.logs
