"""Records that cannot be read, strangers' records on internal topics, and aborted ones: the stream goes on."""

import asyncio
import json
from collections import Counter
from typing import Any, NamedTuple

import aiokafka
import pytest
from querymix.codecs.base import as_windows_1252
from querymix.codecs.frames import encode_classified, encode_evidence
from querymix.core.records import Query
from querymix.kafka.topics import MAX_KEPT, Topics

from deploy.local.testing import Broker, Database
from tests.integration.kit import MARKS, Deployment, Outcome, Row, aol, check, rows

GOOD = rows(1_200, 40, 21)
STRANGE = [
    # Not UTF-8, and the longest lines that are taken, in the bytes that take the most room inside.
    Row(f"visitor-{40 + number % 12}", f"movies {end}", "2006-03-01 10:00:00", 10_000 + number, "")
    for number, end in enumerate(["caf\udce9", "\udcff" * 60_000] * 24)
]
LINES = "the record holds more than one line: send each record as a record of its own"
BAD: dict[bytes | None, str] = {
    b"visitor-1": "the line has 1 fields, not 3 to 5 parted by tabs",
    b"visitor-1\tzqab": "the line has 2 fields, not 3 to 5 parted by tabs",
    b"visitor-1\tzqab\tyesterday\t\t": "the time is no date and time of the form YYYY-MM-DD HH:MM:SS",
    b"\tzqab\t2006-03-01 00:00:00\t\t": "the user (field 1) is empty",
    b"visitor-1\tzq\0ab\t2006-03-01 00:00:00\t\t": "the line holds a NUL byte",
    b"visitor-1\tzqab\t2006-03-01 00:00:00\t\t\nvisitor-1\tzqab": LINES,
    b"visitor-1\tzqab\nzqac\t2006-03-01 00:00:00\t\t": LINES,
    b"visitor-1\tzqab\rzqac\t2006-03-01 00:00:00\t\t": LINES,
    b"": "the line has 1 fields, not 3 to 5 parted by tabs",
    b"x" * 1_000_000: "the line is longer than 65536 characters",
    b"y" * 70_000: "the line is longer than 65536 characters",
    None: "the record is empty",
}
GARBAGE = [b"garbage", b"[1,\n[]]", b'[1, [{"zqab": 1}]]', b"[" * 100_000, b'[99, [["visitor-1"]]]', None]
ABORTED = [
    Query(f"visitor-{number}", "zqabab", "2006-03-01 00:00:00", 0.0, 90_000 + number, "") for number in range(50)
]


class Run(NamedTuple):
    """What one run came to."""

    topics: Topics
    outcome: Outcome
    written: list[bytes]
    """Values of the classified topic, those of aborted transactions too."""
    shown: str
    shown_with_content: str
    replays: list[str]
    before_replay: list[Any]
    after_replay: list[Any]
    exit_code: int


async def abort(deployment: Deployment) -> None:
    """Write good frames and good evidence in a transaction, see to it that they are on the disk, and abort it."""
    producer = aiokafka.AIOKafkaProducer(
        bootstrap_servers=deployment.settings.broker, transactional_id=f"{deployment.settings.group}-stranger"
    )
    async with producer:
        await producer.begin_transaction()
        for partition in range(4):
            await producer.send_and_wait(
                deployment.topics.classified, encode_classified(1, ABORTED), partition=partition
            )
            await producer.send_and_wait(
                deployment.topics.evidence, encode_evidence({("visitor-1", 1): 1_000_000}), partition=partition
            )
        await producer.abort_transaction()


async def intrude(deployment: Deployment) -> None:
    """Write what is no frame to the internal topics, also a record with neither key nor value."""
    async with aiokafka.AIOKafkaProducer(bootstrap_servers=deployment.settings.broker) as producer:
        for topic in (deployment.topics.classified, deployment.topics.evidence):
            for partition, value in enumerate(GARBAGE):
                await producer.send_and_wait(topic, value, key=b"key", partition=partition % 4)


async def uncommitted(deployment: Deployment, topic: str) -> list[bytes]:
    """Return all values of a topic, those of aborted transactions too."""
    consumer = aiokafka.AIOKafkaConsumer(
        topic, bootstrap_servers=deployment.settings.broker, enable_auto_commit=False, auto_offset_reset="earliest"
    )
    found = []
    async with consumer:
        sources = consumer.assignment()
        ends = await consumer.end_offsets(sources)
        while any([await consumer.position(source) < ends[source] for source in sources]):
            for some in (await consumer.getmany(timeout_ms=500)).values():
                found += [record.value for record in some]
    return found


@pytest.fixture(scope="module")
def run(kafka: Broker, mongo: Database, small_bundle, tmp_path_factory) -> Run:  # type: ignore[no-untyped-def]
    async def go(deployment: Deployment) -> Run:
        await deployment.make_topics()
        first, second = GOOD[:600], GOOD[600:]
        bad = list(BAD)
        await deployment.produce([*(row.aol() for row in first), *bad[:5]])
        await intrude(deployment)
        await abort(deployment)
        worker = await deployment.worker().ready()
        await abort(deployment)
        await intrude(deployment)
        await deployment.produce([*bad[5:], *(row.aol() for row in STRANGE), *(row.aol() for row in second)])
        outcome = await deployment.at_rest(len(GOOD) + len(STRANGE) + len(BAD))
        exit_code = await worker.stopped()
        written = await uncommitted(deployment, deployment.topics.classified)
        shown = deployment.command("deadletter", "show").stdout
        shown_with_content = deployment.command("deadletter", "show", "--content").stdout
        before = await deployment.records(deployment.topics.raw)
        ways = [["--dry-run"], ["--limit", "2", "--since", "1h"], [], []]
        replays = [deployment.command("deadletter", "replay", *way).stdout for way in ways]
        after = await deployment.records(deployment.topics.raw)
        topics = deployment.topics
        return Run(topics, outcome, written, shown, shown_with_content, replays, before, after, exit_code)

    folder = tmp_path_factory.mktemp("bad")
    options = {"category_header": "off", "log_level": "debug", "longest_query": "65536"}
    with Deployment(kafka.bootstrap, mongo.uri, folder, small_bundle, **options, click_wait="0") as deployment:
        return asyncio.run(go(deployment))


def test_all_good_logs_are_accounted_for_and_no_header_is_there_where_it_is_off(run: Run) -> None:
    check(run.outcome, [*GOOD, *STRANGE], len(GOOD) + len(STRANGE) + len(BAD), category_header=False)
    assert run.exit_code == 0


def test_bytes_that_are_not_utf8_come_out_as_utf8_and_very_long_lines_whole(run: Run) -> None:
    sent = {row.rank: as_windows_1252(row.query) for row in STRANGE}
    texts = {aol(record.value).rank: record.value.decode().split("\t")[1] for record in run.outcome.released}
    strange = texts.keys() & sent.keys()
    assert any(len(texts[rank]) > 50_000 for rank in strange)
    assert {rank: texts[rank] for rank in strange} == {rank: sent[rank] for rank in strange}


def test_each_bad_record_is_in_the_dead_letter_once_as_it_came_with_why_and_where_from(run: Run) -> None:
    letters = [letter for letter in run.outcome.letters if letter.topic == run.topics.raw]
    places = {(record.partition, record.offset): record for record in run.before_replay}
    assert Counter(letter.reason for letter in letters) == Counter(BAD.values())
    for letter in letters:
        record = places[letter.partition, letter.offset]
        assert (letter.key, letter.value) == (record.key, record.value and record.value[:MAX_KEPT])
        assert BAD[record.value] == letter.reason


@pytest.mark.parametrize("topic", ["classified", "evidence"])
def test_strangers_records_on_an_internal_topic_are_in_the_dead_letter(run: Run, topic: str) -> None:
    letters = [letter for letter in run.outcome.letters if letter.topic == getattr(run.topics, topic)]
    assert Counter(letter.value or b"" for letter in letters) == Counter(2 * [value or b"" for value in GARBAGE])
    assert len({(letter.partition, letter.offset) for letter in letters}) == len(letters)


def test_nothing_of_an_aborted_transaction_is_acted_on(run: Run) -> None:
    """`check` has shown already that profiles and releases hold nothing else than what was sent."""
    frame = encode_classified(1, ABORTED)
    assert run.written.count(frame) == 8, "the frames were on the topic, before and while the worker ran"
    ranks = [aol(record.value).rank for record in run.outcome.released]
    ranks += [int(str(query.rank)) for query in run.outcome.held]
    assert max(ranks) < 90_000
    assert max(count for counts in run.outcome.profiles.values() for count in counts.values()) < 1_000_000


def test_dead_letters_are_shown_without_their_content_unless_it_is_asked_for(run: Run) -> None:
    lines = [json.loads(line) for line in run.shown.splitlines()]
    assert len(lines) == len(run.outcome.letters)
    assert {tuple(line) for line in lines} == {
        ("letter", "letter_partition", "time", "reason", "topic", "partition", "offset", "put_back")
    }
    assert not MARKS.search(run.shown.encode())
    assert MARKS.search(run.shown_with_content.encode())


def test_a_replay_puts_each_raw_record_that_was_kept_whole_back_once_and_leaves_the_rest(run: Run) -> None:
    whole = [value for value in BAD if not value or len(value) < MAX_KEPT]
    left = len(run.outcome.letters) - len(whole)
    rest = len(whole) - 2
    would, some, others, none = run.replays
    assert would == f"{len(whole)} records would be put back, {left} left\n"
    assert some == f"2 records put back, {left} left, {rest} not chosen\n"
    assert others.startswith(f"{rest} records put back")
    assert none == "0 records put back\n"
    back = run.after_replay[:]
    for record in run.before_replay:
        back = [other for other in back if (other.partition, other.offset) != (record.partition, record.offset)]
    assert Counter(record.value for record in back) == Counter(whole)
