"""Making the topics that are missing, and telling how the others differ."""

from typing import NamedTuple

from querymix.kafka.admin import connected
from querymix.kafka.plan import differences, wanted
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
    async with connected(settings) as admin:
        there = await admin.topics(plans)
        missing = {name: plan for name, plan in plans.items() if name not in there}
        if missing:
            await admin.create_topics(missing)
        configs = await admin.topic_configs(there) if there else {}
    return {
        field: Made(
            name in missing,
            differences(plans[name], there[name], configs.get(name, {})) if name in there else [],
            configs.get(name, {}),
        )
        for field, name in names(settings)._asdict().items()
    }
