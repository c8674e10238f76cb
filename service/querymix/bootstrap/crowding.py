"""What a stream is screened by where it is its own crowd (`--crowd stream`), put together out of settings."""

import json
from typing import Final

from querymix.bootstrap.screening import crowd_rules
from querymix.core.crowd_window import CrowdRules, CrowdWindow, share
from querymix.core.errors import ConfigError
from querymix.settings import MethodSettings
from querymix.settings.asking import asks_crowd
from querymix.settings.rare import STREAM
from querymix.stages.crowding import Crowding
from querymix.stages.screening import Screening

OPTIONS: Final = frozenset(
    {
        "crowd", "crowd_items", "crowd_users", "crowd_window", "generalize", "group_policy", "group_users", "rare",
        "urls",
    }
)  # fmt: skip
"""What the rules over a crowd are made of."""


def make_crowding(settings: MethodSettings, partitions: int = 1) -> Crowding | None:
    """Return what the stream is screened by; None where it is not its own crowd, or nothing is asked of that.

    `partitions` are those that share what a worker's memory has for windows.
    Raises ConfigError where the window is none, or what screens cannot be made.
    """
    if settings.crowd != STREAM or not asks_crowd(settings):
        return None
    if not settings.crowd_window > 0:
        raise ConfigError("crowd window must be more than 0 seconds: nobody would be known to have asked anything")
    others = (
        settings.crowd_items,
        settings.rare,
        settings.urls,
        settings.group_policy,
        json.dumps(settings.generalize) if settings.generalize else "",
    )
    rules = CrowdRules(settings.crowd_window, settings.crowd_users, settings.group_users, others)

    def screen(window: CrowdWindow) -> Screening:
        return Screening(crowd_rules(settings, window, window.note))

    screen(CrowdWindow(rules))  # what is wrong is told here, and not once a worker gets a partition
    return Crowding(rules, screen, share(partitions))
