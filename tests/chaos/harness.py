"""Workers under a supervisor, a steady stream of records, and all that can go wrong, in an order that a seed sets.

Rules:
- The supervisor starts a worker again whenever one ends, as an orchestrator would.
- The next event comes at a random number of records after the service has been seen to work again, so that every kill
  meets it under load; how long that took is kept.
- What was sent is what the raw topic holds in the end: the producer is idempotent and loses none.
"""

import asyncio
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from operator import lt
from random import Random
from typing import Final, NamedTuple

import aiokafka
from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError
from querymix.kafka.classifier import group_of

from deploy.local.kafka import LocalKafka
from deploy.local.mongo import LocalMongo
from tests.integration.kit import Deployment, Outcome, Row, Worker, rows, until

PARTITIONS: Final = 4
USERS: Final = 60
LOGS_A_SECOND: Final = 150
BAD: Final = [b"no log", b"", b"a\tb\tc", b"visitor-1\tq\0q\t2006-03-01 00:00:00\t\t", b"x" * 300_000, b"\xff\xfe"]
EXITS: Final = {0, 1, -signal.SIGKILL, -signal.SIGTERM}
"""How a worker may end: told to, something failed, killed, or told to before it was up."""
RECOVERY: Final = 300.0
"""Seconds within which the service must work again after an event."""


class Recovery(NamedTuple):
    """How long it took after an event until records went all the way again."""

    event: str
    seconds: float


class Supervisor:
    """Keeps a number of workers running."""

    def __init__(self, deployment: Deployment) -> None:
        self._deployment = deployment
        self._wanted = 0
        self.running: list[Worker] = []
        self.exits: Counter[int] = Counter()

    def scale(self, number: int) -> None:
        """Have so many workers from now on; those too many are told to stop."""
        self._wanted = number
        for worker in self.running[number:]:
            worker.process.send_signal(signal.SIGTERM)

    async def run(self) -> None:
        """Start workers again that have ended, for ever."""
        while True:
            for worker in list(self.running):
                code = worker.process.poll()
                if code is not None:
                    self.running.remove(worker)
                    self.exits[code] += 1
            while len(self.running) < self._wanted:
                self.running.append(self._deployment.worker())
            await asyncio.sleep(0.1)


class Chaos:
    """One run."""

    def __init__(self, deployment: Deployment, kafka: LocalKafka, mongo: LocalMongo, seed: int) -> None:
        self._deployment = deployment
        self._kafka = kafka
        self._mongo = mongo
        self._random = Random(seed)
        self._supervisor = Supervisor(deployment)
        self._bad = 0
        self._over = asyncio.Event()
        self.sent: list[Row] = []
        self.recoveries: list[Recovery] = []
        self.keys: dict[int, bytes] = {}
        """Those of periods, by number."""
        self.exits = self._supervisor.exits

    async def run(self, events: Sequence[str]) -> Outcome:
        """Let all events happen under load, then come to rest."""
        self._supervisor.scale(1)
        supervising = asyncio.create_task(self._supervisor.run())
        producing = asyncio.create_task(self._produce())
        watching = asyncio.create_task(self._deployment.watch_keys(self.keys))
        try:
            await self._works("start")
            for event in events:
                await self._logs(self._random.randrange(20, 200))
                await self._happen(event)
                await self._works(event)
            await self._second_period()
            self._over.set()
            await producing
            begin = time.monotonic()
            outcome = await self._deployment.at_rest(self.records, restarted=True)
            self._note("rest", begin)
            return outcome
        finally:
            for task in (supervising, producing, watching):
                task.cancel()
            await asyncio.gather(supervising, producing, watching, return_exceptions=True)

    @property
    def records(self) -> int:
        """Records written to the raw topic."""
        return len(self.sent) + self._bad

    async def _happen(self, event: str) -> None:
        name, _, number = event.partition(" ")
        happen: dict[str, Callable[[], object]] = {
            "kill": lambda: self._signal(signal.SIGKILL),
            "stop": lambda: self._signal(signal.SIGTERM),
            "scale": lambda: self._supervisor.scale(int(number)),
            "broker": self._restart_broker,
            "database": self._mongo.restart,
            "crash-database": self._crash_database,
        }
        if name == "bad":
            await self._send_bad()
        else:
            await asyncio.to_thread(happen[name])

    def _signal(self, number: int) -> None:
        while True:
            there = [worker.process for worker in self._supervisor.running if worker.process.poll() is None]
            if not there:
                time.sleep(0.05)
                continue
            process = self._random.choice(there)
            process.send_signal(number)
            if number != signal.SIGKILL or process.wait() == -signal.SIGKILL:
                return  # else it had ended by itself, and nobody was killed

    def _restart_broker(self) -> None:
        self._kafka.kill()
        self._kafka.start()

    def _crash_database(self) -> None:
        self._mongo.kill()
        self._mongo.start()

    async def _send_bad(self) -> None:
        """Bad records on the raw topic and strangers' on the internal ones."""
        topics = self._deployment.topics
        async with self._producer() as producer:
            for value in BAD:
                await producer.send_and_wait(topics.raw, value, key=b"bad")
                self._bad += 1
            for topic in (topics.classified, topics.evidence):
                await producer.send_and_wait(topic, b"no frame")

    async def _produce(self) -> None:
        async with self._producer() as producer:
            futures = []
            while not self._over.is_set():
                for row in rows(LOGS_A_SECOND // 5, USERS, self._random.randrange(1 << 30), len(self.sent)):
                    self.sent.append(row)
                    futures.append(await producer.send(self._deployment.topics.raw, row.aol()))
                await asyncio.sleep(0.2)
            await asyncio.gather(*futures)

    def _producer(self) -> aiokafka.AIOKafkaProducer:
        return aiokafka.AIOKafkaProducer(
            bootstrap_servers=self._deployment.settings.broker, enable_idempotence=True, request_timeout_ms=120_000
        )

    async def _reached(self, group: str, topic: str) -> list[int]:
        """Return the group's offset in each partition; less than nothing where nobody knows."""
        admin = AIOKafkaAdminClient(bootstrap_servers=self._deployment.settings.broker)
        try:
            await admin.start()
            kept = await admin.list_consumer_group_offsets(group)
        except (KafkaError, OSError, AssertionError):
            return [-1] * PARTITIONS
        finally:
            await admin.close()
        return [kept[source].offset if source in kept else -1 for source in self._sources(topic)]

    def _sources(self, topic: str) -> list[TopicPartition]:
        return [TopicPartition(topic, number) for number in range(PARTITIONS)]

    async def _ends(self, topic: str) -> list[int]:
        """Return the offset of the next record of each partition."""
        sources, found = self._sources(topic), dict[TopicPartition, int]()

        async def told() -> bool:
            consumer = aiokafka.AIOKafkaConsumer(bootstrap_servers=self._deployment.settings.broker)
            try:
                await consumer.start()
                found.update(await consumer.end_offsets(sources))
            except (KafkaError, OSError, AssertionError):
                return False  # a broker that has just come back
            finally:
                await consumer.stop()
            return True

        await until(f"the broker says where {topic} ends", told)
        return [found[source] for source in sources]

    async def _logs(self, number: int) -> None:
        """Wait until so many more records were sent."""
        goal = len(self.sent) + number

        async def were_sent() -> bool:
            return len(self.sent) >= goal

        await until("the log goes on", were_sent)

    async def _second_period(self) -> None:
        """Wait until the ids are those of a second period, which a quick machine comes to later than to the end."""

        async def began() -> bool:
            return len(self.keys) > 1

        await until("a second period has begun", began)

    async def _works(self, event: str) -> None:
        """Wait until each raw partition is past what it holds now, and after that each pool partition has moved."""
        begin = time.monotonic()
        settings, topics = self._deployment.settings, self._deployment.topics
        goal = await self._ends(topics.raw)
        was: list[int] = []

        async def moves() -> bool:
            assert set(self.exits) <= EXITS, f"workers ended with {dict(self.exits)}"
            if not was:
                if any(map(lt, await self._reached(group_of(settings.group), topics.raw), goal)):
                    return False
                was.extend(await self._reached(settings.group, topics.classified))
            return all(map(lt, was, await self._reached(settings.group, topics.classified)))

        await until(f"the service works again after {event}", moves, RECOVERY)
        self._note(event, begin)

    def _note(self, event: str, begin: float) -> None:
        self.recoveries.append(Recovery(event, round(time.monotonic() - begin, 1)))
        print(*self.recoveries[-1], file=sys.stderr)  # noqa: T201 - pytest shows it where the test fails
