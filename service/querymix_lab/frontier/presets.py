"""The presets of `querymix run`, as ways of the frontier."""

from collections.abc import Iterator
from typing import Final

from querymix.bootstrap.parts import make_rules
from querymix.core.rules import Rules
from querymix.settings import MethodSettings, load
from querymix.settings.policy import asks_crowd
from querymix.settings.presets import PRESETS, told

from querymix_lab.frontier.crowds import PlainSettings
from querymix_lab.frontier.ways import Way

_SCREENS: Final = (
    "crowd_users", "crowd_items", "rare", "most_words", "most_characters", "urls", "group_users", "group_policy",
)  # fmt: skip
"""Options by which queries are screened. The ladders of `--generalize` name a log's own fields, and are none here."""


def presets(seed: int) -> Iterator[Way]:
    """Yield the way of each preset."""
    for name in PRESETS:
        yield way_of(f"preset {name}", load(PlainSettings, {"preset": name}), told(name), seed)


def way_of(told_: str, settings: MethodSettings, made: str, seed: int) -> Way:
    """Return the way that settings name; a crowd is counted over the log, whatever file or stream they name."""
    usual, rules = Rules()._asdict(), make_rules(settings)._asdict()
    screens = {name: getattr(settings, name) for name in _SCREENS} if asks_crowd(settings) else {}
    return Way(
        told_, "stream", made,
        k=settings.k, rules={name: value for name, value in rules.items() if name != "k" and value != usual[name]},
        period=settings.pseudonym_period, precision=settings.time_precision, screens=screens, preset=True, seed=seed,
    )  # fmt: skip
