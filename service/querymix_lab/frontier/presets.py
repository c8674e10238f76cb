"""The presets of `querymix run`, as ways of the frontier."""

from collections.abc import Iterator
from typing import get_args

from querymix.bootstrap.parts import make_rules
from querymix.core.rules import Rules
from querymix.settings import MethodSettings, load

from querymix_lab.frontier.ways import Way

DEFAULT = "none"


def names() -> list[str]:
    """Return the names of all presets; that of the defaults comes first."""
    return list(get_args(MethodSettings.model_fields["preset"].annotation))


def presets(seed: int) -> Iterator[Way]:
    """Yield the way of each preset."""
    for name in names():
        told = "default" if name == DEFAULT else name
        yield way_of(f"preset {told}", load(MethodSettings, {"preset": name}), seed)


def way_of(told: str, settings: MethodSettings, seed: int) -> Way:
    """Return the way that settings name; a crowd is counted over the log, whatever file or stream they name."""
    usual, rules = Rules()._asdict(), make_rules(settings)._asdict()
    return Way(
        told, "stream", "The options of this preset, as 'querymix run' has them.",
        k=settings.k, rules={name: value for name, value in rules.items() if name != "k" and value != usual[name]},
        period=settings.pseudonym_period, precision=settings.time_precision,
        crowd=settings.crowd_users if settings.crowd and settings.rare != "release" else None,
        items=settings.crowd_items, most_words=settings.most_words, most_characters=settings.most_characters,
        preset=True, seed=seed,
    )  # fmt: skip
