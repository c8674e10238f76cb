"""Making the topics that are missing, and telling how the others differ."""

from typing import NamedTuple

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import TopicAlreadyExistsError, for_code

from querymix.core.errors import TransientError
from querymix.kafka.connection import client_options, reaching
from querymix.kafka.failures import explained
from querymix.kafka.lookup import look_up, read_configs
from querymix.kafka.plan import Plan, differences, wanted
from querymix.kafka.topics import names
from querymix.settings import TopicSettings


class Made(NamedTuple):
    """What became of a topic."""

    made: bool
    """Whether it was made now."""
    differences: list[str]
    """How one that was there differs from how it would be made."""
    configs: dict[str, str]
    """The settings of one that was there."""


async def create(settings: TopicSettings) -> dict[str, Made]:
    """Make the topics that are missing and return what became of each, by their names in `Topics`.

    Raises ConfigError or TransientError, with the reason, where the broker cannot be reached or refuses.
    """
    plans = wanted(settings)
    there = await look_up(settings, plans)
    missing = {name: plan for name, plan in plans.items() if name not in there}
    if missing:
        await _make(settings, missing)
    configs = await read_configs(settings, list(there)) if there else {}
    return {
        field: Made(
            name in missing,
            differences(plans[name], there[name], configs.get(name, {})) if name in there else [],
            configs.get(name, {}),
        )
        for field, name in names(settings)._asdict().items()
    }


async def _make(settings: TopicSettings, plans: dict[str, Plan]) -> None:
    admin = AIOKafkaAdminClient(**client_options(settings))
    with reaching(settings):
        try:
            await admin.start()
            answer = await admin.create_topics(
                [
                    NewTopic(name, plan.partitions, plan.copies, topic_configs=dict(plan.configs))
                    for name, plan in plans.items()
                ]
            )
        finally:
            await admin.close()
    for name, code, *why in answer.topic_errors:
        error = for_code(code)
        if error is TopicAlreadyExistsError:
            raise TransientError(f"the topic {name} is being deleted, or was made by somebody else: run this again")
        if code:
            told = explained(error(name), f"cannot make the topic {name}")
            raise type(told)(f"{told}: {why[0]}" if why and why[0] else str(told))
