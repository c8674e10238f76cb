"""What an upgrade will do, asked of the servers before the workers start."""

from contextlib import AsyncExitStack

from querymix.bootstrap.crowding import make_crowding
from querymix.bootstrap.mongo import connect_mongo
from querymix.bootstrap.parts import make_rules
from querymix.bootstrap.roles import checked, codec_of, shared_period
from querymix.kafka.admin import connected
from querymix.kafka.log import KafkaLog
from querymix.kafka.preflight import check_period, check_topics
from querymix.kafka.topics import READ, names
from querymix.kafka.upgrade import Finding, Start, running
from querymix.settings import WorkerSettings
from querymix.settings.rare import STREAM
from querymix.stores.mongo import MongoProfiles


async def check_upgrade(settings: WorkerSettings) -> list[Finding]:
    """Return what will happen when workers with these settings start; nothing is changed.

    While old ones still run it says that alone: what they move on meanwhile would look like a topic that was cut short.
    Raises ConfigError where an option or a topic is wrong, TransientError where Kafka or MongoDB is unavailable.
    """
    settings = checked(settings)
    topics, store = names(settings), MongoProfiles(connect_mongo(settings), settings.database)
    log_format = codec_of(settings).format
    fields = ["raw", "classified", "evidence", "state", "positions"]
    period = shared_period(settings)
    fields += ["periods"] if period is not None else []
    rights = {field: {READ} for field in fields}
    async with AsyncExitStack() as owned:
        owned.push_async_callback(store.close)
        admin = await owned.enter_async_context(connected(settings))
        found = await check_topics(admin, topics, rights)
        if period is not None:
            await check_period(admin, topics, period)
        if still := await running(admin, settings.group):
            return still
        log = await owned.enter_async_context(KafkaLog(admin, settings.group))
        rules, crowding = make_rules(settings).check(), make_crowding(settings)
        crowd = crowding and crowding.rules
        start = Start(log, store, topics, found, settings.group, rules, log_format, crowd, settings.crowd == STREAM)
        return await start.findings()
