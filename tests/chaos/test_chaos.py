"""Whatever is killed, stopped, started or fed to the service: each record ends up in one place, once.

`CHAOS_SEED` replays a run's order of events and its unit, of which `CHAOS_UNIT` names one (`crowd`: queries of a stream
that is its own crowd). `CHAOS=long` (`make chaos`) makes it a long one.
"""

import asyncio
import os
import secrets
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from querymix.codecs.frames import decode_classified
from querymix.core.crowd import TERM, CountedCrowd, item, items_of

from deploy.local.kafka import LocalKafka
from deploy.local.mongo import LocalMongo
from deploy.local.testing import require
from tests.chaos.harness import BAD, Chaos
from tests.integration.kit import MARKS, Deployment, Outcome, check, users_under

SCOPES = ("category", "all")
USERS = 5
CROWD = {"crowd": "stream", "crowd_users": str(USERS), "crowd_items": "terms", "rare": "drop-terms"}
"""A row's own mark is rare, and is dropped."""
LONG = os.environ.get("CHAOS") == "long"


def plan(random: Random) -> list[str]:
    """Return the events in their order."""
    alone = ["kill", "stop", "database"]
    together = ["kill", "kill", "kill", "broker", "bad"]
    last = ["kill"]
    if LONG:
        alone += ["kill", "kill", "bad", "broker", "crash-database"]
        together += ["kill"] * 11 + ["stop", "stop", "broker", "broker", "database", "crash-database", "bad"]
        last += ["kill", "kill", "broker", "bad"]
    for events in (alone, together, last):
        random.shuffle(events)
    return [*alone, "scale 4" if LONG else "scale 3", *together, "scale 1", *last]


@pytest.mark.servers
@pytest.mark.slow  # every event is waited for: a minute and a half
def test_every_log_ends_up_in_one_place_whatever_happens(tmp_path: Path, small_bundle: Path) -> None:
    require()
    seed = int(os.environ.get("CHAOS_SEED") or secrets.randbits(32))
    events = plan(Random(seed))
    unit = os.environ.get("CHAOS_UNIT") or Random(seed).choice(("query", "session", "crowd"))
    chosen = {"unit": unit, "session_gap": "5s", "session_most": "3", "session_scope": Random(seed).choice(SCOPES)}
    if unit == "crowd":
        chosen = CROWD
    with (
        LocalKafka(tmp_path / "kafka") as kafka,
        LocalMongo(tmp_path / "mongo") as mongo,
        Deployment(
            kafka.bootstrap,
            mongo.uri,
            tmp_path,
            small_bundle,
            stall_timeout="60s",
            pseudonym_period="1m",
            **chosen,
        ) as deployment,
    ):
        try:
            asyncio.run(run(deployment, kafka, mongo, seed, events))
        except BaseException as error:
            error.add_note(f"CHAOS_SEED={seed} sets the same events ({unit}): {', '.join(events)}")
            raise


async def run(deployment: Deployment, kafka: LocalKafka, mongo: LocalMongo, seed: int, events: list[str]) -> None:
    await deployment.make_topics()
    chaos = Chaos(deployment, kafka, mongo, seed)
    outcome = await chaos.run(events)
    assert len(chaos.keys) > 1, "it takes longer than a period"
    users = users_under(chaos.keys.values(), chaos.sent)  # each id is of a period's one key: a user has one in it
    check(outcome, chaos.sent, chaos.records, users=users)
    places = Counter((letter.topic, letter.partition, letter.offset) for letter in outcome.letters)
    times = events.count("bad")
    by_topic = Counter(topic for topic, _, _ in places)
    topics = deployment.topics
    assert by_topic == {topics.raw: len(BAD) * times, topics.classified: times, topics.evidence: times}
    assert [place for place, number in places.items() if number > 1] == []
    assert chaos.exits[-9] == events.count("kill")
    assert outcome.released
    if deployment.settings.crowd:
        await check_crowd(deployment, outcome)


async def check_crowd(deployment: Deployment, outcome: Outcome) -> None:
    """Assert that enough users had each term that left, by a plain count of its partition."""
    counts, places = [CountedCrowd() for _ in outcome.states], {}
    for record in await deployment.records(deployment.topics.classified):
        with suppress(ValueError):  # a stranger's
            for query in decode_classified(record.value)[1]:
                counts[record.partition].add(query.user, items_of(query.text))
                places[str(query.rank)] = record.partition
    for record in outcome.released:
        _, text, _, rank, _ = record.value.decode().split("\t")
        assert all(counts[places[rank]].enough(item(TERM, term), USERS) for term in text.split())
        assert MARKS.search(text.encode()) is None
