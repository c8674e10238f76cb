"""The Faust app of one worker, made by a factory: life cycle, agents, partition assignment and services.

Rules:
- Nothing is made at import; clients are made inside the running loop.
- Faust's consumer reads committed records only, and never commits an offset: positions move in the processors' own
  transactions. What Faust acknowledges means nothing (it acknowledges what an agent lost as well).
- Private attributes of Faust are touched here alone. It has no setting for either rule: it reads committed records only
  under its own exactly-once, which commits under the wrong transactional id.
- Faust's own web server is off: it has pages that nobody asked for. Ours are in service/querymix/kafka/pages.py.
"""

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import aiokafka
import faust
from faust.transport.drivers import aiokafka as driver
from faust.types.auth import CredentialsT
from mode import ServiceT

from querymix.kafka.connection import NOTICED_WITHIN, Credentials, heartbeat
from querymix.kafka.slices import FETCHED_BYTES
from querymix.settings import WorkerSettings

_NEVER: Final = 10 * 365 * 86400.0
_BUFFERED_FRAMES: Final = 64


class _Thread(driver.AIOKafkaConsumerThread):
    """Faust's consumer thread, reading committed records only: else agents would act on aborted frames."""

    def _create_worker_consumer(self, transport: "driver.Transport") -> aiokafka.AIOKafkaConsumer:
        consumer = super()._create_worker_consumer(transport)
        consumer._isolation_level = "read_committed"
        return consumer


class _Consumer(driver.Consumer):
    """Faust's consumer, which keeps its books but commits nothing: it would commit what an agent lost as well."""

    def _new_consumer_thread(self) -> _Thread:
        return _Thread(self, loop=self.loop, beacon=self.beacon)

    async def _commit_offsets(self, offsets: Any, start_new_transaction: bool = True) -> bool:
        self._committed_offset.update(offsets)
        return True


class _Transport(driver.Transport):
    Consumer = _Consumer


class App(faust.App):
    """A Faust app with this worker's services beside its agents."""

    pages: Iterable[ServiceT] = ()
    """What tells how the worker is: it starts before all else and stops after it."""
    services: Iterable[ServiceT] = ()

    def _new_transport(self) -> _Transport:
        return _Transport(self.conf.broker_consumer, self)

    def on_init_dependencies(self) -> Iterable[ServiceT]:
        """Add this worker's services to Faust's own."""
        return [*self.pages, *super().on_init_dependencies(), *self.services]


def make_app(settings: WorkerSettings, own: Credentials) -> App:
    """Return an app without agents, which connects with its `own` credentials; called inside the running loop."""
    folder = Path(tempfile.gettempdir()) / "querymix-faust"
    credentials: CredentialsT | None = None
    context = own.now("context")
    if settings.security_protocol.startswith("SASL"):
        credentials = faust.SASLCredentials(
            username=own.now("username"),
            password=own.now("password"),
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
        broker_heartbeat_interval=heartbeat(settings),
        broker_commit_livelock_soft_timeout=_NEVER,
        stream_processing_timeout=_NEVER,
        consumer_auto_offset_reset="earliest",
        consumer_max_fetch_size=FETCHED_BYTES,
        consumer_metadata_max_age_ms=int(NOTICED_WITHIN * 1000),
        consumer_group_instance_id=settings.instance,
        stream_buffer_maxsize=_BUFFERED_FRAMES,
        broker_max_poll_records=4 * _BUFFERED_FRAMES,
        stream_wait_empty=False,
        # With standby tables Faust would assign partitions itself, and give up on a static member with a new address.
        table_standby_replicas=0,
        topic_allow_declare=False,
        topic_disable_leader=True,
        web_enabled=False,
        datadir=folder,
        logging_config=None,
        store="memory://",
    )


def connect(signal: Any, receiver: Callable[..., Any]) -> None:
    """Have a signal call a receiver. Faust's types know no receiver with a sender of its own."""
    signal.connect(receiver, weak=False)
