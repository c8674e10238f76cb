"""A worker whose log has another form than it was told says so in its own log: the dead letters show it elsewhere."""

import asyncio

import pytest
from querymix.codecs.aol import AolCodec
from querymix.core.records import UNCLASSIFIED, Classification
from querymix.kafka.classifier import JUDGED, Classifier, ClassifierSetup
from querymix.kafka.memory_log import MemoryLog
from querymix.kafka.ports import TopicPartition
from querymix.kafka.processor import PartitionProcessor
from querymix.kafka.topics import Placement
from querymix.stages.classifying import Classifying

from tests.querymix.kafka.whole import TOPICS, Honest


def classify(text: str, url: str | None = None, /) -> Classification:
    return Classification(UNCLASSIFIED, "", "", text)


@pytest.mark.parametrize(("wrong", "told"), [(JUDGED, True), (JUDGED // 2 + 1, True), (JUDGED // 2, False), (0, False)])
async def test_that_most_records_are_refused_stands_in_the_log_and_no_record_does(
    caplog: pytest.LogCaptureFixture, wrong: int, told: bool
) -> None:
    partitions = dict.fromkeys(TOPICS, 1)
    log = MemoryLog(partitions)
    for number in range(JUDGED):
        log.put(TOPICS.raw, 0, None, b"{zqx}" if number < wrong else b"7\tzqx\t2006-03-01 07:17:12")
    source = TopicPartition(TOPICS.raw, 0)
    setup = ClassifierSetup("g", TOPICS, partitions, AolCodec(), lambda: Classifying(classify), Placement(1, {}), 4000)
    processor = PartitionProcessor(source, log, Classifier(setup, source), Honest(log, source))
    task = asyncio.create_task(processor.run())
    while processor._at < JUDGED:  # noqa: ASYNC110 - nothing else says that it is done
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    said = [record.getMessage() for record in caplog.records if "most records are refused" in record.getMessage()]
    assert bool(said) == told
    assert "zqx" not in caplog.text
