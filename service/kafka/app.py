"""The Faust app of one worker, made by a factory: agents on frames, the edges as services, health and metrics.

Rules:
- Nothing is made at import; clients are made inside the running loop.
- Faust's consumer reads committed records only, and never commits an offset: positions move in the lanes' own
  transactions. What Faust acknowledges means nothing (it acknowledges what an agent lost as well).
- Whatever breaks for good ends the worker with a non-zero exit; a restart resumes.
"""

import asyncio
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import aiokafka
import faust
from aiokafka.structs import TopicPartition
from faust.transport.drivers import aiokafka as driver
from faust.types import TP
from faust.types.auth import CredentialsT
from mode import ServiceT

from service.core.errors import Broken
from service.kafka.anonymizer import Anonymizer
from service.kafka.connection import client_options, ssl_context
from service.kafka.deadletter import Letter
from service.kafka.topics import MOST_BYTES, Topics
from service.kafka.watchdog import Progress
from service.settings import WorkerSettings, read_secret

_NEVER: Final = 10 * 365 * 86400.0
BUFFERED_FRAMES: Final = 64


class _Thread(driver.AIOKafkaConsumerThread):
    """Faust's consumer thread, reading committed records only (pitfall 16)."""

    def _create_worker_consumer(self, transport: "driver.Transport") -> aiokafka.AIOKafkaConsumer:
        consumer = super()._create_worker_consumer(transport)
        consumer._isolation_level = "read_committed"
        return consumer


class _Consumer(driver.Consumer):
    """Faust's consumer, which keeps its books but commits nothing (pitfalls 2, 4 and 19)."""

    def _new_consumer_thread(self) -> _Thread:
        return _Thread(self, loop=self.loop, beacon=self.beacon)

    async def _commit_offsets(self, offsets: Any, start_new_transaction: bool = True) -> bool:
        self._committed_offset.update(offsets)
        return True


class _Transport(driver.Transport):
    Consumer = _Consumer


class App(faust.App):
    """A Faust app with this worker's services beside its agents."""

    services: Iterable[ServiceT] = ()

    def _new_transport(self) -> _Transport:
        return _Transport(self.conf.broker_consumer, self)

    def on_init_dependencies(self) -> Iterable[ServiceT]:
        """Add this worker's services to Faust's own."""
        return [*super().on_init_dependencies(), *self.services]


def make_app(settings: WorkerSettings) -> App:
    """Return an app without agents; must be called inside the running loop."""
    folder = Path(tempfile.gettempdir()) / "querymix-faust"
    credentials: CredentialsT | None = None
    context = ssl_context(settings)
    if settings.security_protocol.startswith("SASL"):
        credentials = faust.SASLCredentials(
            username=settings.sasl_username,
            password=read_secret(settings.sasl_password_file, "--sasl-password-file"),
            mechanism=settings.sasl_mechanism,
            ssl_context=context,
        )
    elif context is not None:
        credentials = faust.SSLCredentials(context=context)
    brokers = ";".join(f"kafka://{broker.strip()}" for broker in settings.broker.split(","))
    return App(
        settings.group,
        broker=brokers,
        broker_credentials=credentials,
        broker_session_timeout=settings.session_timeout,
        broker_rebalance_timeout=settings.session_timeout,
        broker_heartbeat_interval=settings.session_timeout / 4,
        broker_commit_livelock_soft_timeout=_NEVER,
        stream_processing_timeout=_NEVER,
        consumer_auto_offset_reset="earliest",
        consumer_max_fetch_size=MOST_BYTES,
        consumer_group_instance_id=settings.instance,
        stream_buffer_maxsize=BUFFERED_FRAMES,
        stream_wait_empty=False,
        # With standby tables Faust would assign partitions itself, and give up on a static member with a new address.
        table_standby_replicas=0,
        topic_allow_declare=False,
        topic_disable_leader=True,
        web_bind=settings.http_host,
        web_host=settings.http_host,
        web_port=settings.http_port,
        datadir=folder,
        logging_config=None,
        store="memory://",
    )


def _connect(signal: Any, receiver: Callable[..., Any]) -> None:
    # Faust's types know no receiver with a sender of its own.
    signal.connect(receiver, weak=False)


def add_anonymizer(app: App, topics: Topics, anonymizer: Anonymizer) -> None:
    """Feed the anonymizer's lanes from an agent over the classified frames."""
    classified = app.topic(topics.classified, key_serializer="raw", value_serializer="raw")

    @app.agent(classified, name="anonymize")
    async def anonymize(stream: faust.StreamT[bytes]) -> None:
        async for event in stream.events():
            await anonymizer.put(event.message.partition, event.message.offset, event.value or b"")

    async def assigned(sender: Any, sources: Iterable[TP], **kwargs: Any) -> None:
        await anonymizer.end()
        anonymizer.begin(source.partition for source in sources if source.topic == topics.classified)

    async def revoked(sender: Any, sources: Iterable[TP], **kwargs: Any) -> None:
        await anonymizer.end()

    _connect(app.on_partitions_assigned, assigned)
    _connect(app.on_partitions_revoked, revoked)

    async def seek(source: TopicPartition, offset: int) -> None:
        await app.consumer.seek(TP(source.topic, source.partition), offset)

    anonymizer.seek = seek
    anonymizer.progress = lambda source, position: progress(app, source, position)


async def progress(app: App, source: TopicPartition, position: int) -> Progress | None:
    """Return how far a partition of Faust's consumer is, given the last record done with (-1: none yet)."""
    tp = TP(source.topic, source.partition)
    consumer = app.consumer
    if app.rebalancing or tp not in consumer.assignment():
        return None
    end, at = consumer.highwater(tp), await consumer.position(tp)
    if not end or at is None:
        return None
    read = consumer._read_offset.get(tp)  # type: ignore[attr-defined]  # the last record that Faust handed on
    return Progress(at if read is None or read <= position else position + 1, end)


class Refusals:
    """Puts letters on the dead-letter topic, outside of any transaction; at least once."""

    def __init__(self, settings: WorkerSettings, topic: str) -> None:
        self._settings = settings
        self._topic = topic
        self._producer: aiokafka.AIOKafkaProducer | None = None

    async def __call__(self, letter: Letter) -> None:
        """Put one letter there."""
        if self._producer is None:
            self._producer = aiokafka.AIOKafkaProducer(**client_options(self._settings), max_request_size=MOST_BYTES)
            await self._producer.start()
        await self._producer.send_and_wait(self._topic, letter.kept, key=letter.key, headers=letter.headers())

    async def close(self) -> None:
        """Let go."""
        if self._producer is not None:
            await self._producer.stop()


class Failure:
    """The first thing that broke for good."""

    def __init__(self) -> None:
        self.error: BaseException | None = None
        self.happened = asyncio.Event()

    def __call__(self, error: BaseException) -> None:
        """Note what broke."""
        if self.error is None:
            self.error = error
        self.happened.set()

    def raised(self) -> Broken:
        """Return what broke as an error for the operator."""
        if isinstance(self.error, Broken):
            return self.error
        return Broken(f"the worker broke: {type(self.error).__name__}")
