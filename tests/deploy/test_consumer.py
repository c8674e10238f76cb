"""The example consumer against a real broker: committed records, their headers, and where it goes on."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import aclosing
from uuid import uuid4

from aiokafka import AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.structs import OffsetAndMetadata

from deploy.examples.consumer import Log, batches, category
from deploy.local.testing import Broker
from tests.deploy.files import ROOT

TOPIC = GROUP = f"example-{uuid4().hex}"
SECONDS = 300


async def release(bootstrap: str, *logs: Log, commit: bool = True) -> dict[TopicPartition, int]:
    """Let logs out as the service does, in one transaction, and return the last offset in each partition."""
    last = {}
    async with AIOKafkaProducer(bootstrap_servers=bootstrap, transactional_id=TOPIC) as producer:
        await producer.begin_transaction()
        for log in logs:
            headers = [("category", log.category.encode())] if log.category else []
            sent = await producer.send_and_wait(TOPIC, log.line, key=log.user, headers=headers)
            last[sent.topic_partition] = sent.offset
        await (producer.commit_transaction() if commit else producer.abort_transaction())
    return last


async def committed(bootstrap: str, last: dict[TopicPartition, int]) -> None:
    """Wait until the example's group is past these offsets."""
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        kept: dict[TopicPartition, OffsetAndMetadata] = {}
        while not all(at in kept and kept[at].offset > offset for at, offset in last.items()):
            kept = await admin.list_consumer_group_offsets(GROUP)
            await asyncio.sleep(0.1)
    finally:
        await admin.close()


async def test_the_example_counts_committed_logs_by_category_and_goes_on_where_it_was(kafka: Broker) -> None:
    """An aborted log is never seen; what was counted is not counted again by the next run."""
    async with asyncio.timeout(SECONDS):
        admin = AIOKafkaAdminClient(bootstrap_servers=kafka.bootstrap)
        await admin.start()
        await admin.create_topics([NewTopic(TOPIC, 2, 1)])
        await admin.close()
        logs = [
            Log(b"1", b"1\tsoccer\t2006-03-01 00:00:00", "Sports"),
            Log(b"2", b"2\tviolin\t2006-03-01 00:00:01", "Arts"),
            Log(b"3", b"3\ttennis\t2006-03-01 00:00:02", "Sports"),
        ]
        last = await release(kafka.bootstrap, *logs)
        await release(kafka.bootstrap, Log(b"4", b"4\taborted\t2006-03-01 00:00:03", "Home"), commit=False)
        clean = {name: value for name, value in os.environ.items() if not name.startswith("QUERYMIX_")}
        example = await asyncio.create_subprocess_exec(
            *[
                sys.executable,
                "-m",
                "deploy.examples.consumer",
                "--broker",
                kafka.bootstrap,
                "--topic",
                TOPIC,
                "--group",
                GROUP,
            ],
            cwd=ROOT,
            env=clean,
            stdout=subprocess.PIPE,
        )
        try:
            assert example.stdout is not None
            printed = b""
            while not printed.startswith(b"3 records:"):
                printed = await example.stdout.readline()
                assert printed, "the example has ended"
            assert printed == b"3 records: {'Sports': 2, 'Arts': 1}\n"
            await committed(kafka.bootstrap, last)
            example.send_signal(signal.SIGTERM)
            assert await example.wait() == 0
        finally:
            if example.returncode is None:
                example.kill()
                await example.wait()
        fresh = Log(b"5", b"5\tlast\t2006-03-01 00:00:04", None)
        await release(kafka.bootstrap, fresh)
        async with aclosing(batches(kafka.bootstrap, TOPIC, GROUP)) as coming:
            assert await anext(coming) == [fresh]


def test_a_record_without_the_header_has_no_category() -> None:
    """The operator can switch it off."""
    assert category(()) is None
    assert category((("category", b"Kids and Teens"),)) == "Kids and Teens"
