"""The worker's classifier asks the engine for a slice at a time, whatever stands between them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from querymix.bootstrap.parts import make_classifier
from querymix.codecs.aol import AolCodec
from querymix.core.classify import CachingClassifier, Classify
from querymix.core.records import Classification, Query
from querymix.kafka.classifier import Classifier, ClassifierSetup
from querymix.kafka.current_knowledge import CurrentKnowledge
from querymix.kafka.memory_log import MemoryLog
from querymix.kafka.ports import PlainRecord, TopicPartition
from querymix.kafka.slices import slices
from querymix.kafka.topics import Placement
from querymix.knowledge.bundle import Bundle
from querymix.settings import KnowledgeSettings
from querymix.stages.classifying import Classifying

from tests.querymix.kafka.whole import TOPICS
from tests.querymix.native.comparing import native_engine

SOURCE = TopicPartition(TOPICS.raw, 0)
RECORDS = [
    PlainRecord(TOPICS.raw, 0, number, None, f"7\tsoccer {number}\t2006-03-01 07:17:12".encode())
    for number in range(1000)
]


class Counting:
    """An engine that notes how many queries each call has, and how many texts it leaves to Python."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self.queries: list[int] = []
        self.left = 0

    def each(self, queries: list[Query], *given: Any) -> tuple[list[Classification], dict[Any, Classification]]:
        def finish(text: str, host: str, answer: Classification | None) -> Classification:
            self.left += answer is None
            found: Classification = given[-1](text, host, answer)
            return found

        self.queries.append(len(queries))
        answers: tuple[list[Classification], dict[Any, Classification]]
        answers = self._engine.each(queries, *given[:-1], finish)
        return answers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


class Source:
    """MongoDB with one version of the knowledge."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle

    async def version(self) -> str:
        return self._bundle.version

    async def bundle(self, folder: Path) -> Bundle:
        return self._bundle


async def queries_a_call(classify: Classify, engine: Counting) -> Sequence[int]:
    """Return how many queries each call of the engine had while the worker's role took all records in."""
    partitions = dict.fromkeys(TOPICS, 1)
    log = MemoryLog(partitions)
    setup = ClassifierSetup(
        "g", TOPICS, partitions, AolCodec(), lambda: Classifying(classify), Placement(1, {}), len(RECORDS)
    )
    role = Classifier(setup, SOURCE)
    async with log.writer(role.name, SOURCE, role.group) as writer:
        await role.restore(log)
        async with writer.transaction() as transaction:
            await role.work(transaction, RECORDS)
    return engine.queries


@pytest.mark.parametrize("from_mongodb", [False, True], ids=["a bundle", "knowledge from MongoDB"])
async def test_the_engine_is_asked_once_a_slice_for_all_its_texts(
    small_bundle: Path, tmp_path: Path, from_mongodb: bool
) -> None:
    bundle = Bundle(small_bundle)
    engine = Counting(native_engine(bundle))
    classify = make_classifier(KnowledgeSettings(), bundle)
    assert isinstance(classify, CachingClassifier)
    classify._engine = engine
    if from_mongodb:
        source: Any = Source(bundle)
        current = CurrentKnowledge(source, tmp_path, lambda bundle: classify)
        await current.refresh()
        classify = current
    asked = await queries_a_call(classify, engine)
    assert len(asked) > 1
    assert asked == [len(some) for some in slices(RECORDS)]
    assert engine.left == 0
