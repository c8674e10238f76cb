"""What must not end, mislead or hold up a worker: quiet nights, an absent broker, a hanging database, retention."""

import asyncio
import os
import re
import signal
import time
from pathlib import Path
from random import Random
from uuid import uuid4

import aiokafka
import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewPartitions, NewTopic, RecordsToDelete
from aiokafka.structs import TopicPartition
from querymix.codecs.frames import encode_classified
from querymix.core.records import Query
from querymix.kafka.admin import connected
from querymix.kafka.log import KafkaLog
from querymix.kafka.topics import Topics
from querymix.settings import ConnectionSettings

from deploy.local.kafka import LocalKafka
from deploy.local.mongo import LocalMongo
from deploy.local.testing import Broker, Database, require
from tests.integration.kit import Deployment, Row, Worker, check, rows, until
from tests.querymix.kafka.whole import TOPICS, Sent, Service, Wild, made_up
from tests.querymix.kafka.whole import check as check_whole

STALL = 15
"""Seconds of a stall timeout: long enough for a busy machine to restore a partition in."""


def metric(worker: Worker, name: str) -> float | None:
    """Return the sum of a metric over its labels, None where it is not there."""
    found = re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", worker.page("/metrics").body, re.MULTILINE)
    return sum(map(float, found)) if found else None


async def no_lag(*workers: Worker) -> None:
    async def idle() -> bool:
        return all(metric(worker, "querymix_lag_records") == 0 for worker in workers)

    await until("no partition has lag", idle)


def of_one_category(number: int, first: int) -> list[Row]:
    """Return records that all go to one partition of the classified topic."""
    return [
        row._replace(query=f"european soccer {row.query.split()[-1]}", url="") for row in rows(number, 30, first, first)
    ]


async def test_idle_workers_live_through_restarts_rebalances_and_traffic_in_one_category(
    deployment: Deployment,
) -> None:
    """Behind the last frame of a quiet partition stand markers of transactions, which are no lag."""
    await deployment.make_topics()
    deployment.worker(stall_timeout=f"{STALL}s")
    await deployment.workers[0].ready()
    sent = rows(600, 30, 1)
    await deployment.produce(row.aol() for row in sent)
    await deployment.at_rest(len(sent))
    assert await deployment.workers[0].stopped() == 0
    running = [await deployment.worker(stall_timeout=f"{STALL}s").ready()]
    await no_lag(*running)
    running.append(await deployment.worker(stall_timeout=f"{STALL}s").ready())
    begin = time.monotonic()
    while time.monotonic() - begin < STALL + 5:
        more = of_one_category(20, len(sent))
        sent += more
        await deployment.produce(row.aol() for row in more)
        await asyncio.sleep(1)  # a trickle, so that the other partitions stay idle for longer than a stall
        assert [worker.process.poll() for worker in running] == [None, None]
    await no_lag(*running)
    assert await running.pop().stopped() == 0
    await asyncio.sleep(STALL + 5)  # longer than a stall: what must not come cannot be waited for
    assert running[0].process.poll() is None
    await no_lag(*running)
    check(await deployment.at_rest(len(sent)), sent, len(sent))


async def test_behind_a_transaction_that_hangs_the_worker_waits_and_shows_the_lag(deployment: Deployment) -> None:
    """An exit would not decide it."""
    await deployment.make_topics()
    sent = rows(300, 30, 5)
    await deployment.produce(row.aol() for row in sent)
    worker = await deployment.worker(stall_timeout=f"{STALL}s").ready()
    await deployment.at_rest(len(sent))
    producer = aiokafka.AIOKafkaProducer(
        bootstrap_servers=deployment.settings.broker, transactional_id=f"{deployment.settings.group}-hangs"
    )
    async with producer:
        await producer.begin_transaction()
        frame = encode_classified(1, [Query("visitor-1", "zqab", "", 0.0, 0, "")])
        await producer.send_and_wait(deployment.topics.classified, frame, partition=2)
        more = rows(300, 30, 6, len(sent))
        await deployment.produce(row.aol() for row in more)
        await asyncio.sleep(STALL + 5)  # longer than a stall: what must not come cannot be waited for
        assert worker.process.poll() is None

        async def lags() -> bool:
            return bool(metric(worker, "querymix_lag_records"))

        await until("the lag is shown", lags)
        await producer.abort_transaction()
    check(await deployment.at_rest(len(sent) + len(more)), sent + more, len(sent) + len(more))
    await no_lag(worker)


async def test_while_kafka_is_away_a_worker_waits_and_while_it_hangs_a_worker_ends_in_time(
    mongo: Database, small_bundle: Path, tmp_path: Path
) -> None:
    require("kafka")
    # Kafka forgets a writer that was idle for 7 days, or here for some seconds.
    forgets = {
        "transactional.id.expiration.ms": "8000",
        "transaction.remove.expired.transaction.cleanup.interval.ms": "1000",
    }
    with (
        LocalKafka(tmp_path / "kafka", settings=forgets) as kafka,
        Deployment(
            kafka.bootstrap, mongo.uri, tmp_path, small_bundle, session_timeout="6s", stall_timeout=f"{STALL}s"
        ) as deployment,
    ):
        await deployment.make_topics()
        kafka.kill()
        worker = deployment.worker()
        await _says(worker, "nothing listens there")
        assert worker.page("/health/live").status == 200
        kafka.start()
        await worker.ready()
        sent = rows(600, 30, 7)
        await deployment.produce(row.aol() for row in sent)
        await deployment.at_rest(len(sent))
        size = worker.log.stat().st_size
        await deployment.produce(row.aol() for row in rows(400, 30, 8, len(sent)))
        sent += rows(400, 30, 8, len(sent))
        kafka.kill()
        await _says(worker, "Kafka has not answered for")
        await asyncio.sleep(STALL + 5)  # longer than a session and a stall: how long is what is tested
        assert worker.page("/health/live").status == 200
        kafka.start()
        check(await deployment.at_rest(len(sent)), sent, len(sent))
        await worker.ready()
        assert worker.log.stat().st_size - size < 100_000, "what the clients repeat is folded"
        await asyncio.sleep(16)  # twice as long as a writer is remembered: how long is what is tested
        more = rows(400, 30, 9, len(sent))
        await deployment.produce(row.aol() for row in more)
        sent += more
        check(await deployment.at_rest(len(sent)), sent, len(sent))
        assert "transactional.id.expiration.ms" in worker.log.read_text()
        assert metric(worker, "querymix_partitions_begun_anew_total")
        assert worker.process.poll() is None
        await _hangs(deployment, kafka, sent)


async def _says(worker: Worker, why: str) -> None:
    async def not_ready() -> bool:
        page = await asyncio.to_thread(worker.page, "/health/ready")
        return page.status == 503 and why in page.body

    await until(f"the worker is not ready: {why}", not_ready)


async def _hangs(deployment: Deployment, kafka: LocalKafka, sent: list[Row]) -> None:
    """Told to stop amid transactions that Kafka does not answer, a worker ends before anybody would kill it."""
    more = rows(1_000, 30, 10, len(sent))
    await deployment.produce(row.aol() for row in more)
    os.kill(kafka.pids[0], signal.SIGSTOP)
    try:
        worker = deployment.workers[-1]
        assert await worker.stopped() == 1
    finally:
        os.kill(kafka.pids[0], signal.SIGCONT)
    assert "is cut off. Nothing is lost or doubled" in worker.log.read_text().splitlines()[-1]
    again = await deployment.worker().ready()
    sent += more
    check(await deployment.at_rest(len(sent)), sent, len(sent))
    await no_lag(again)
    assert await again.stopped() == 0


async def test_a_database_that_accepts_and_never_answers_stops_nothing_and_counts_as_retries(
    beside_own_mongo: Deployment, own_mongo: LocalMongo
) -> None:
    deployment = beside_own_mongo
    await deployment.make_topics()
    sent = rows(1_000, 30, 10)
    worker = await deployment.worker(stall_timeout=f"{STALL}s", mongodb=f"{own_mongo.uri}&timeoutMS=3000").ready()
    begin = rows(200, 30, 11, len(sent))
    await deployment.produce(row.aol() for row in begin)
    await deployment.at_rest(len(begin))
    os.kill(own_mongo.pid, signal.SIGSTOP)
    try:
        await deployment.produce(row.aol() for row in sent)

        async def all_are_in_the_pools() -> bool:
            account = await deployment.account()
            into_pools = account["arrived"] - account["suppressed"] - account["empty"] - account["dropped"]
            done = account["records"] == len(begin) + len(sent)
            return done and into_pools == sum(one.arrived for one in await deployment.states())

        await until("all records are in the pools", all_are_in_the_pools)
        stopped = time.monotonic()

        async def tried_for_longer_than_a_stall() -> bool:
            return (metric(worker, "querymix_store_retries_total") or 0) >= 4 and time.monotonic() - stopped > STALL + 5

        await until("the profiler goes on trying", tried_for_longer_than_a_stall)
        assert worker.process.poll() is None
        await worker.ready()
    finally:
        os.kill(own_mongo.pid, signal.SIGCONT)
    total = len(begin) + len(sent)
    check(await deployment.at_rest(total), begin + sent, total)
    assert await worker.stopped() == 0


async def test_records_that_retention_removed_unread_are_counted_and_the_stream_goes_on(deployment: Deployment) -> None:
    await deployment.make_topics()
    sent = rows(400, 30, 12)
    worker = await deployment.worker().ready()
    await deployment.produce(row.aol() for row in sent)
    await deployment.at_rest(len(sent))
    assert await worker.stopped() == 0
    await deployment.produce(row.aol() for row in rows(400, 30, 13, len(sent)))
    admin = AIOKafkaAdminClient(bootstrap_servers=deployment.settings.broker)
    await admin.start()
    # Each of the four partitions holds 200 records, of which 100 were read.
    first = {TopicPartition(deployment.topics.raw, number): RecordsToDelete(before_offset=150) for number in range(4)}
    await admin.delete_records(first)
    await admin.close()
    worker = await deployment.worker().ready()
    await no_lag(worker)
    assert metric(worker, "querymix_lost_to_retention_total") == 4 * 50

    async def all_committed() -> bool:
        account = await deployment.account()
        return (account["records"], account["arrived"]) == (800, 600)

    await until("the account has them", all_committed)
    assert worker.log.read_text().count("retention removed 50 records before they were read") == 4


async def test_partitions_that_are_added_to_the_raw_topic_are_read_too(deployment: Deployment) -> None:
    """Their accounts stand beside those of the partitions that were there."""
    await deployment.make_topics()
    worker = await deployment.worker().ready()
    sent = rows(400, 30, 14)
    await deployment.produce(row.aol() for row in sent[:200])
    await deployment.at_rest(200)
    admin = AIOKafkaAdminClient(bootstrap_servers=deployment.settings.broker)
    await admin.start()
    await admin.create_partitions({deployment.topics.raw: NewPartitions(6)})

    async def six() -> bool:
        (found,) = await admin.describe_topics([deployment.topics.raw])
        return len(found["partitions"]) == 6

    await until("the broker knows them", six)
    await admin.close()
    await deployment.produce(row.aol() for row in sent[200:])
    check(await deployment.at_rest(len(sent)), sent, len(sent))
    await no_lag(worker)
    assert await worker.stopped() == 0


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_feeders_that_leave_out_repeat_and_reorder_change_nothing_on_a_real_log(kafka: Broker, seed: int) -> None:
    """The test over the log in memory, once more."""
    name = f"w{uuid4().hex}"
    topics = Topics(*(f"{name}.{topic}" for topic in TOPICS))
    random = Random(seed)
    async with connected(ConnectionSettings(broker=kafka.bootstrap)) as session, KafkaLog(session, name) as log:
        service = Service(lambda log, source: Wild(log, source, random), log=log, topics=topics)
        service.pause = 0.01
        admin = AIOKafkaAdminClient(bootstrap_servers=kafka.bootstrap)
        await admin.start()
        await admin.create_topics([NewTopic(topic, count, 1) for topic, count in service.partitions.items()])
        await admin.close()
        sent: dict[int, Sent] = {}
        for turn in range(3):
            made = made_up(random, 40, len(sent))
            sent |= made.sent
            async with aiokafka.AIOKafkaProducer(bootstrap_servers=kafka.bootstrap) as producer:
                for number, value in made.records:
                    if value is not None:
                        await producer.send_and_wait(topics.raw, value, partition=number)
            # Cut off in the middle, but for the last time.
            await service.run([service.processor(source) for source in service.sources], 50 if turn < 2 else 20_000)
        check_whole(await service.outcome(), sent)
