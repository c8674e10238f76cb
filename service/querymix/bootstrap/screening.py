"""The rules that queries have to pass, put together out of settings.

Rules:
- Length is judged as soon as a query is classified, and so is what a table answers. Where the stream itself is the
  crowd (`--crowd stream`), the rules over it (`crowd_rules`) stand where queries leave.
- What has a count of its own, as each partition has, makes a `Screening` of its own over the rules, which it may share.
- An option that needs a crowd is refused where there is none, since what it should hold back would leave.
"""

from importlib import import_module
from pathlib import Path
from typing import Any, Final

from querymix.bootstrap.generalizing import fields_rules
from querymix.core.crowd import Crowd
from querymix.core.errors import ConfigError
from querymix.core.rare_texts import Count, RareTexts, TooLong
from querymix.settings import MethodSettings
from querymix.stages.screening import Rule

STREAM: Final = "stream"
"""What `--crowd` is where the stream itself is the crowd."""


def screening_rules(settings: MethodSettings) -> list[Rule]:
    """Return the rules that queries are screened by once they are classified.

    Raises ConfigError where an option needs a crowd and there is none, or the table cannot be read or asked.
    """
    bounds = settings.most_words, settings.most_characters
    rules: list[Rule] = [TooLong(*bounds)] if any(bounds) else []
    check_crowd(settings)
    if settings.crowd is None or settings.crowd == STREAM:
        return rules
    return rules + crowd_rules(settings, open_table(settings))


def crowd_rules(settings: MethodSettings, crowd: Crowd, count: Count | None = None) -> list[Rule]:
    """Return the rules over a crowd; `count` counts a user for items, where the crowd is counted as queries come."""
    rules: list[Rule] = [*fields_rules(settings, crowd, count)]
    if settings.rare == "release":
        return rules
    return [RareTexts(crowd, settings.crowd_users, settings.crowd_items, settings.rare, count), *rules]


def check_crowd(settings: MethodSettings) -> None:
    """Raise ConfigError where an option needs a crowd and there is none."""
    if settings.crowd is not None:
        return
    needs = ["--generalize"] * bool(settings.generalize) + ["--urls crowd"] * (settings.urls == "crowd")
    if needs:
        raise ConfigError(
            f"{needs[0]} asks how many users share what leaves, and there is nobody to ask: give --crowd FILE (make "
            "one with 'querymix crowd build LOG -o FILE'), or --crowd stream"
        )


def open_table(settings: MethodSettings) -> Any:
    """Open the crowd table that the settings name; it is a `Crowd` with a `version`.

    Raises ConfigError where it cannot be read, or holds no item of so few users.
    """
    table = import_module("querymix.crowd.table").CrowdTable(Path(str(settings.crowd)))
    table.check_users(settings.crowd_users, settings.group_users if settings.generalize else None)
    return table
