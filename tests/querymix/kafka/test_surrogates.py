"""Surrogates in the classifier's role: what is committed has them, and a batch that is done again has others."""

import asyncio
import re

from querymix.codecs.aol import AolCodec
from querymix.codecs.frames import decode_classified
from querymix.core.draw import system_draw
from querymix.core.identifiers import Identifier
from querymix.core.records import Classification
from querymix.core.surrogates import Surrogates
from querymix.kafka.classifier import Classifier, ClassifierSetup
from querymix.kafka.memory_log import MemoryLog
from querymix.kafka.ports import TopicPartition
from querymix.kafka.processor import PartitionProcessor
from querymix.kafka.topics import Placement
from querymix.stages.classifying import Classifying
from querymix.stages.swapping import Swapping
from querymix.telemetry import REGISTRY

from tests.querymix.kafka.whole import TOPICS, Honest

SURROGATES = Surrogates(system_draw())


def classify(text: str, url: str | None = None, /) -> Classification:
    return Classification(15, "Sports", "", text[9:], ("name",), (Identifier("name", 0, 8),))


def counted(kind: str) -> float:
    return REGISTRY.get_sample_value("querymix_surrogates_total", {"kind": kind}) or 0.0


async def committed(users: int = 10) -> set[str]:
    """Return the texts of a batch's queries, as they are committed."""
    partitions = dict.fromkeys(TOPICS, 1)
    log = MemoryLog(partitions)
    for user in range(users):
        log.put(TOPICS.raw, 0, None, f"{user}\tjane roe soccer\t2006-03-01 07:17:{user:02d}".encode())
    source = TopicPartition(TOPICS.raw, 0)
    setup = ClassifierSetup(
        "g", TOPICS, partitions, AolCodec(), lambda: Classifying(classify, swapping=Swapping(SURROGATES)),
        Placement(1, {}), 4000,
    )  # fmt: skip
    processor = PartitionProcessor(source, log, Classifier(setup, source), Honest(log, source))
    task = asyncio.create_task(processor.run())
    while processor._at < users:  # noqa: ASYNC110 - nothing else says that it is done
        await asyncio.sleep(0)
    for _ in range(9):  # it is counted after it is committed
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    frames = [record.value for record in log.records(TOPICS.classified) if record.value]
    return {query.text for frame in frames for query in decode_classified(frame)[1]}


async def test_what_is_committed_has_surrogates_and_the_metric_counts_them() -> None:
    before = counted("name")
    texts = await committed()
    assert len(texts) > 6
    assert all(re.fullmatch("[a-z]+ [a-z]+ soccer", text) for text in texts)
    assert counted("name") == before + 10


async def test_a_batch_that_is_done_again_draws_anew() -> None:
    assert await committed() != await committed()
