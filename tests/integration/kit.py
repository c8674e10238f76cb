"""What tests of the service share: a deployment of it on real servers, its outcome, and what must hold of that.

Rules:
- Each deployment has topics, groups and a database of its own.
- Every record is told by its rank, a number of its own. Queries and users carry marks that no log file has by chance.
- Waiting is asking again, never sleeping for a while and hoping.
"""

import asyncio
import http.client
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import repeat
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import uuid4

import aiokafka
from aiokafka.errors import KafkaError
from querymix.bootstrap.parts import make_rules
from querymix.codecs.frames import decode_classified
from querymix.core.draw import system_draw
from querymix.core.knowledge import CATEGORIES
from querymix.core.periods import Ids
from querymix.core.profiles import categories_of
from querymix.core.records import UNCLASSIFIED, Query
from querymix.kafka.admin import connected
from querymix.kafka.anonymizer import read_state
from querymix.kafka.classifier import group_of, read_account
from querymix.kafka.deadletter import DeadLetter
from querymix.kafka.log import KafkaLog
from querymix.kafka.operations import create_topics
from querymix.kafka.ports import Limit, TopicPartition
from querymix.kafka.preflight import check_topics, partitions_of
from querymix.kafka.replay import read_dead_letters
from querymix.kafka.topics import names
from querymix.settings import TopicSettings, WorkerSettings
from querymix.stages.partition import Partition
from querymix.stores.mongo import MongoProfiles, connect

from deploy.local.process import LAUNCHER, free_ports, tail
from loadtest.synthesize import synthesize

PATIENCE: Final = 300.0
"""Seconds after which what a test waits for is taken never to come: many, since a machine may be busy with others."""
MARKS: Final = re.compile(rb"visitor-\d+|\bzq[a-j]+\b")
"""What a user or a query of a made-up log looks like."""


class Row(NamedTuple):
    """A made-up log."""

    user: str
    query: str
    time: str
    rank: int
    url: str

    def aol(self) -> bytes:
        """Return it as a line of the AOL format."""
        return "\t".join(map(str, self)).encode("utf-8", "surrogateescape")

    def json(self) -> bytes:
        """Return it as a JSON line, with a field that must not come out."""
        return json.dumps(
            {"query": self.query, "user": self.user, "time": self.time, "rank": self.rank, "ip": 7}
        ).encode()


def rows(number: int, users: int, seed: int, first: int = 0) -> list[Row]:
    """Return made-up logs, ranked from `first` on. The rank stands in each query as one word that is no name."""
    made = []
    for rank, line in enumerate(list(synthesize(number, users, seed))[1:], first):
        user, query, moment, _, url = (*line.split("\t"), "", "")[:5]
        mark = "-".join("zq" + chr(ord("a") + int(digit)) for digit in str(rank))
        made.append(Row(f"visitor-{user}", f"{query} {mark}", moment, rank, url))
    return made


def rare_of(states: Iterable[Partition]) -> int:
    """Return how many rows were drawn and suppressed, where the stream is its own crowd."""
    return sum(sum(state.releasing.crowd.suppressed()) for state in states)


def evidence_of(states: Sequence[Partition]) -> int:
    """Return how many of the releases are evidence: one for each query that left, none without a category."""
    pools = [pool for state in states for category, pool in state.pools if category != UNCLASSIFIED]
    return sum(pool.released - pool.further_released for pool in pools) - rare_of(states)


def waiting_evidence(states: Iterable[Partition]) -> Counter[tuple[str, int]]:
    """Return what the users that are pooled will count for: by user and category."""
    entries = [entry for state in states for _, pool in state.pools for entry in pool.users]
    pairs = [(user, category) for user, origin, _ in entries for category in categories_of(origin)]
    return Counter(pair for pair in pairs if pair[1] != UNCLASSIFIED)


async def until(what: str, condition: Callable[[], Awaitable[Any]], seconds: float = PATIENCE) -> Any:
    """Ask until the answer is true and return it."""
    deadline = time.monotonic() + seconds
    while not (answer := await condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds:.0f} s")
        await asyncio.sleep(0.2)
    return answer


@asynccontextmanager
async def aclosing_store(store: MongoProfiles) -> AsyncIterator[MongoProfiles]:
    """Close a store at the end."""
    try:
        yield store
    finally:
        await store.close()


async def everything(store: MongoProfiles) -> dict[str, dict[int, int]]:
    """Return all profiles."""
    return {user: dict(counts) async for user, counts in store.export()}


class Page(NamedTuple):
    """What the worker's web server said."""

    status: int
    body: str


class Worker:
    """A worker in a process of its own, which dies with this one."""

    def __init__(self, arguments: Sequence[str], environment: dict[str, str], log: Path) -> None:
        self.log = log
        self.told = False
        """Whether it was told to stop."""
        self._arguments = arguments
        self._environment = environment
        self._start()

    def _start(self) -> None:
        self.port = free_ports(1)[0]
        launch = [sys.executable, "-I", "-S", str(LAUNCHER), str(os.getpid())]
        command = [sys.executable, "-m", "querymix", "worker", "--http-port", str(self.port), *self._arguments]
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                [*launch, *command], stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=self._environment
            )

    def _came_late(self) -> bool:
        """Say whether it ended since another program has taken its port before it listened."""
        return self.process.poll() == 2 and f"another program listens on port {self.port}" in tail(self.log, 1)

    def page(self, path: str, token: str = "") -> Page:
        """Ask for a page; status 0 where nobody listens."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
                return Page(answer.status, answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Page(error.code, error.read().decode())
        except (OSError, http.client.HTTPException):
            return Page(0, "")

    async def shows(self, *lines: str) -> None:
        """Wait until the metrics have all of these lines: what is counted shows a moment after it is committed."""

        async def shown() -> bool:
            page = (await asyncio.to_thread(self.page, "/metrics")).body
            return set(lines) <= set(page.splitlines())

        await until(f"the metrics show {lines}", shown)

    async def ready(self, seconds: float = PATIENCE) -> "Worker":
        """Wait until the worker says that it is ready."""

        async def says_so() -> bool:
            if self._came_late():
                self._start()
            assert self.process.poll() is None, f"the worker ended early:\n{tail(self.log, 40)}"
            return (await asyncio.to_thread(self.page, "/health/ready")).status == 200

        await until("the worker is ready", says_so, seconds)
        return self

    async def ended(self, seconds: float = PATIENCE) -> int:
        """Wait until the process is over and return its exit code."""

        async def over() -> bool:
            return self.process.poll() is not None

        await until("the worker ends", over, seconds)
        return self.process.wait()

    async def stopped(self, seconds: float = PATIENCE) -> int:
        """Tell the worker to stop and return its exit code."""
        self.told = True
        self.process.send_signal(signal.SIGTERM)
        return await self.ended(seconds)

    def kill(self) -> None:
        """SIGKILL, as a crash would."""
        self.process.kill()
        self.process.wait()


class Outcome(NamedTuple):
    """Where all logs of a deployment are once it has come to rest."""

    account: Counter[str]
    """What the classifiers' account says: records, refused, arrived, dropped, suppressed, screened."""
    states: list[Partition]
    released: list[Any]
    letters: list[DeadLetter]
    ends: list[int]
    """Offset of the last classified frame of each partition, -1 where there is none."""
    profiles: dict[str, dict[int, int]]
    asked: Counter[tuple[str, int]] | None = None
    """Where sessions leave together: how often each user asked in each category."""

    @property
    def held(self) -> list[Query]:
        """Rows that are held."""
        return [query for state in self.states for query in state.pools.queries()]

    @property
    def held_users(self) -> Counter[str]:
        """Users in the pools."""
        return Counter(entry[0] for state in self.states for _, pool in state.pools for entry in pool.users)

    @property
    def withdrawn(self) -> int:
        """Records that were held too long."""
        return sum(pool.suppressed for state in self.states for _, pool in state.pools)


class Deployment:
    """The service with topics, groups and a database of its own. A context manager that kills its workers."""

    def __init__(self, broker: str, mongodb: str, folder: Path, bundle: Path, **options: str) -> None:
        name = uuid4().hex[:12]
        self.folder = folder
        self._given = {
            "broker": broker, "mongodb": mongodb, "prefix": f"t{name}", "group": f"g{name}", "database": f"d{name}",
            "knowledge": str(bundle), "k": "5", "reserve": "1", "session_timeout": "6s",
            "pseudonym_period": "none",
        } | options  # fmt: skip
        self._port = free_ports(1)[0]
        self.settings = WorkerSettings(**self._given)
        self.topics = names(self.settings)
        self.workers: list[Worker] = []

    def __enter__(self) -> "Deployment":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.kill()

    @property
    def environment(self) -> dict[str, str]:
        """The environment of this deployment's commands."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("QUERYMIX_")}
        given = {"http_port": str(self._port)} | self._given  # the default one may be taken on this machine
        return clean | {f"QUERYMIX_{name.upper()}": value for name, value in given.items()}

    async def make_topics(self, **options: int) -> None:
        """Make the topics."""
        same = {name: self._given[name] for name in ("broker", "prefix")}
        await create_topics(TopicSettings(**same, **options))

    def worker(self, *arguments: str, **options: str) -> Worker:
        """Start a worker; `options` win over the deployment's."""
        more = {f"QUERYMIX_{name.upper()}": value for name, value in options.items()}
        log = self.folder / f"worker-{len(self.workers)}.log"
        self.workers.append(Worker(arguments, self.environment | more, log))
        return self.workers[-1]

    def command(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run a command of querymix with this deployment's settings."""
        command = [sys.executable, "-m", "querymix", *arguments]
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=False, timeout=PATIENCE
        )

    async def produce(self, lines: Iterable[bytes | None]) -> None:
        """Write records to the raw topic, spread over its partitions."""
        async with aiokafka.AIOKafkaProducer(
            bootstrap_servers=self.settings.broker, max_request_size=4 << 20
        ) as producer:
            partitions = sorted(await producer.partitions_for(self.topics.raw))
            futures = [
                await producer.send(self.topics.raw, line, key=b"key", partition=partitions[number % len(partitions)])
                for number, line in enumerate(lines)
            ]
            await asyncio.gather(*futures)

    async def records(self, topic: str) -> list[Any]:
        """Return all committed records of a topic, partition by partition."""
        consumer = aiokafka.AIOKafkaConsumer(
            topic,
            bootstrap_servers=self.settings.broker,
            isolation_level="read_committed",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
        )
        found: list[Any] = []
        async with asyncio.timeout(PATIENCE), consumer:
            sources = consumer.assignment()
            ends = await consumer.end_offsets(sources)
            while any([await consumer.position(source) < ends[source] for source in sources]):
                for some in (await consumer.getmany(timeout_ms=500)).values():
                    found += some
        return sorted(found, key=lambda record: (record.partition, record.offset))

    async def watch_keys(self, keys: dict[int, bytes]) -> None:
        """Note the keys of periods, by number, as they come to stand in their topic, until cancelled."""
        consumer = aiokafka.AIOKafkaConsumer(
            self.topics.periods,
            bootstrap_servers=self.settings.broker,
            isolation_level="read_committed",
            auto_offset_reset="earliest",
        )
        async with consumer:
            while True:
                try:
                    found = await consumer.getmany(timeout_ms=1000)
                except (KafkaError, OSError, AssertionError):
                    await asyncio.sleep(0.2)  # the broker is away, or has just come back
                    continue
                for record in (record for some in found.values() for record in some):
                    keys.setdefault(int(record.key), record.value)

    async def account(self) -> Counter[str]:
        """Return the classifiers' account over all raw partitions."""
        async with self.log() as log:
            return await self._account(log, await self._partitions())

    async def _partitions(self) -> Mapping[str, int]:
        async with connected(self.settings) as admin:
            return partitions_of(await check_topics(admin, self.topics, {}))

    async def _account(self, log: KafkaLog, counts: Mapping[str, int]) -> Counter[str]:
        total: Counter[str] = Counter()
        for number in range(counts[self.topics.raw]):
            kept = await read_account(log, self.topics, counts, number)
            if kept is not None:
                total.update(records=kept["position"] + 1, refused=kept["refused"])
                total.update(
                    {name: kept["stage"][name] for name in ("arrived", "unclassified", "dropped", "suppressed")}
                )
                total.update(screened=sum(kept["stage"].get("screened", {}).values()))
        return total

    @asynccontextmanager
    async def log(self) -> AsyncIterator[KafkaLog]:
        """Open the log."""
        async with connected(self.settings) as admin, KafkaLog(admin, self.settings.group) as log:
            yield log

    async def states(self) -> list[Partition]:
        """Return the anonymizer's state of each partition, read back from the state topic."""
        async with self.log() as log:
            return await self._states(log)

    async def _states(self, log: KafkaLog) -> list[Partition]:
        found = []
        for number in range(4):
            state = Partition(make_rules(self.settings), system_draw())
            await read_state(log, self.topics, number, state)
            found.append(state)
        return found

    async def _asked(self) -> Counter[tuple[str, int]]:
        """Return how often each user asked in each category, by the frames that were classified."""
        found = Counter[tuple[str, int]]()
        for record in await self.records(self.topics.classified):
            with suppress(ValueError):  # a stranger's
                category, queries, owns = decode_classified(record.value)
                found.update((query.user, own) for query, own in zip(queries, owns or repeat(category), strict=False))
        return Counter({pair: count for pair, count in found.items() if pair[1] != UNCLASSIFIED})

    async def _letters(self, log: KafkaLog) -> list[DeadLetter]:
        async with connected(self.settings) as admin:
            (found,) = (await admin.topics([self.topics.deadletter])).values()
        shown = read_dead_letters(log, found, self.topics.raw, self.settings.group)
        return [one.letter async for one in shown]

    def _store(self) -> MongoProfiles:
        return MongoProfiles(connect(self.settings.mongodb.get_secret_value()), self.settings.database)

    async def profiles(self) -> dict[str, dict[int, int]]:
        """Return all profiles."""
        async with aclosing_store(self._store()) as store:
            return await everything(store)

    async def _left(self, log: KafkaLog, counts: Mapping[str, int]) -> bool:
        """Say whether a role has records before it, or has not committed them: its dead letters come with that."""
        group, topics = self.settings.group, self.topics
        for topic, of in ((topics.raw, group_of(group)), (topics.classified, group), (topics.evidence, group)):
            sources = [TopicPartition(topic, number) for number in range(counts[topic])]
            for source, end in (await log.ends(sources)).items():
                at = await log.committed(of, source) or 0
                if at < end.stable and (await log.read(source, at, end.stable, Limit(1, 1))).records:
                    return True
        return False

    async def at_rest(self, records: int, seconds: float = PATIENCE, *, restarted: bool = False) -> Outcome:
        """Wait until `records` raw records have gone all the way, and return where they are.

        A worker that ends is an error, unless workers are `restarted`. The clients are kept from one look to the next,
        and what takes the most to read is read only once all that comes before it is there.
        """
        async with self.log() as log, aclosing_store(self._store()) as store:
            return await self._at_rest(log, store, records, seconds, restarted=restarted)

    async def _at_rest(
        self, log: KafkaLog, store: MongoProfiles, records: int, seconds: float, *, restarted: bool
    ) -> Outcome:
        seen: list[Any] = []
        counts = await self._partitions()

        async def rests() -> bool:
            alive = all(worker.told or worker.process.poll() is None for worker in self.workers)
            assert restarted or alive, "a worker has ended"
            account = await self._account(log, counts)
            seen[:] = [dict(account)]
            if account["records"] < records:
                return False
            states = await self._states(log)
            gone = ("suppressed", "empty", "dropped", "screened")
            into_pools = account["arrived"] - sum(account[name] for name in gone)
            released = evidence_of(states)
            seen[1:] = [into_pools, sum(state.arrived for state in states), released]
            if seen[2] < into_pools or any(state.pools.gathering_complete_due(math.inf) for state in states):
                return False
            if self.settings.unit == "session":
                released = (await self._asked()).total() - waiting_evidence(states).total()
            seen.append(sum(sum(some.values()) for some in (await everything(store)).values()))
            return bool(seen[-1] >= released) and not await self._left(log, counts)

        try:
            await until("the deployment comes to rest", rests, seconds)
        except AssertionError as error:
            logs = "\n".join(f"{worker.log.name}:\n{tail(worker.log, 8)}" for worker in self.workers)
            raise AssertionError(f"{error}: of {records} records, {seen}\n{logs}") from None
        letters = await self._letters(log)
        released = await self.records(self.topics.anonymized)
        states = await self._states(log)
        ends = [-1] * len(states)
        for record in await self.records(self.topics.classified):
            ends[record.partition] = record.offset
        asked = await self._asked() if self.settings.unit == "session" else None
        return Outcome(
            await self._account(log, counts), states, released, letters, ends, await everything(store), asked
        )


def users_under(keys: Iterable[bytes], sent: Iterable[Row]) -> dict[str, str]:
    """Return who the ids under keys of periods stand for, of the users of rows. No id stands for two."""
    users = {row.user for row in sent}
    found = [(Ids(key)[user], user) for key in keys for user in users]
    assert len(dict(found)) == len(found)
    return dict(found)


class Log(NamedTuple):
    """What a released line says."""

    user: str
    rank: int


def aol(line: bytes) -> Log:
    """Read a released line of the AOL form; all five columns must be there."""
    user, _, _, rank, _ = line.decode("utf-8", "surrogateescape").split("\t")
    return Log(user, int(rank))


def check(
    outcome: Outcome,
    sent: Iterable[Row],
    records: int,
    *,
    read: Callable[[bytes], Log] = aol,
    category_header: bool = True,
    users: Mapping[str, str] | None = None,
) -> None:
    """Assert what must hold of any deployment at rest: all records accounted for, each query once, profiles exact.

    `sent` are the good rows, `records` all that was written to the raw topic, `users` who the released ids stand for
    where these are no users.
    """
    by_rank = {row.rank: row for row in sent}
    account = outcome.account
    held, shown = outcome.held, [read(record.value) for record in outcome.released]
    released = shown if users is None else [log._replace(user=users[log.user]) for log in shown]
    assert account["records"] == records
    assert account["records"] == account["refused"] + account["arrived"]
    assert account["arrived"] == len(by_rank)
    assert account["arrived"] == (
        len(released)
        + len(held)
        + outcome.withdrawn
        + rare_of(outcome.states)
        + account["dropped"]
        + account["suppressed"]
        + account["empty"]
        + account["screened"]
    )
    assert [state.position for state in outcome.states] == outcome.ends
    once = Counter([log.rank for log in released] + [int(str(query.rank)) for query in held])
    assert [rank for rank, times in once.items() if times > 1] == [], "a query twice"
    assert once.keys() <= by_rank.keys()
    assert [log.rank for log in released if log.user == by_rank[log.rank].user] == [], "a query under its own user"
    if outcome.asked is not None:
        pairs = {(user, c): n for user, counts in outcome.profiles.items() for c, n in counts.items()}
        assert Counter(pairs) + waiting_evidence(outcome.states) == outcome.asked, "each query once, under its own"
        return
    came = Counter(log.user for log in released) + outcome.held_users
    assert not came - Counter(row.user for row in by_rank.values()), "a user more often than it came"
    assert outcome.held_users.total() == len(held)
    for record, log in zip(outcome.released, shown, strict=True):
        assert record.key == log.user.encode("utf-8", "surrogateescape")
        assert len(record.headers) == category_header
    if category_header:
        expected = Counter(
            (log.user, dict(record.headers)["category"].decode())
            for record, log in zip(outcome.released, released, strict=True)
        )
        stored = {
            (user, CATEGORIES[category]): count
            for user, counts in outcome.profiles.items()
            for category, count in counts.items()
        }
        assert stored == {key: count for key, count in expected.items() if key[1] != "Unclassified"}
    else:
        totals = {user: sum(counts.values()) for user, counts in outcome.profiles.items()}
        assert sum(totals.values()) == evidence_of(outcome.states)
        assert Counter(totals) <= Counter(log.user for log in released)
