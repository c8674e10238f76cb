"""The rules that queries have to pass, put together out of settings.

Rules:
- Length is judged as soon as a query is classified, and so is what a table answers. Where the stream itself is the
  crowd (`--crowd stream`), the rules over it (`crowd_rules`) stand where queries leave.
- What has a count of its own, as each partition has, makes a `Screening` of its own over the rules, which it may share.
- An option that needs a crowd is refused where there is none (querymix.bootstrap.generalizing).
"""

from pathlib import Path
from typing import Any

from querymix.bootstrap.generalizing import fields_rules
from querymix.core.crowd import Crowd
from querymix.core.rare_texts import Count, RareTexts, TooLong
from querymix.crowd.table import CrowdTable
from querymix.local.checkpoint import Checkpoint
from querymix.local.verdict import Finding, of_crowd, of_waiting
from querymix.settings import MethodSettings
from querymix.settings.rare import STREAM
from querymix.stages.screening import Rule


def open_crowd(settings: MethodSettings) -> CrowdTable | None:
    """Open the crowd table that the settings name; None where there is none, or the stream itself is the crowd.

    Raises ConfigError where the table cannot be read, holds nothing of so few users, or counts other ladders.
    """
    if settings.crowd is None or settings.crowd == STREAM:
        return None
    table = CrowdTable(Path(settings.crowd))
    if settings.generalize:
        table.check_ladders(settings.generalize)
    table.check_users(settings.crowd_users, settings.group_users if settings.generalize else None)
    return table


def screening_rules(settings: MethodSettings, table: Crowd | None) -> list[Rule]:
    """Return the rules that queries are screened by once they are classified; `table` is what `open_crowd` gave."""
    bounds = settings.most_words, settings.most_characters
    rules: list[Rule] = [TooLong(*bounds)] if any(bounds) else []
    return rules if table is None else [*rules, *crowd_rules(settings, table)]


def crowd_rules(settings: MethodSettings, crowd: Crowd, count: Count | None = None) -> list[Rule]:
    """Return the rules over a crowd; `count` counts a user for items, where the crowd is counted as queries come."""
    rules: list[Rule] = [*fields_rules(settings, crowd, count)]
    if settings.rare == "release":
        return rules
    return [RareTexts(crowd, settings.crowd_users, settings.crowd_items, settings.rare, count), *rules]


def crowd_identity(table: CrowdTable | None) -> dict[str, Any]:
    """Return what a run's state says of its crowd table: that there is one, wherever it lies, and which it is."""
    return {} if table is None else {"crowd": "a table", "crowd_table": table.version}


def crowd_findings(
    table: CrowdTable | None, latest: float | None, checkpoint: Checkpoint | None = None
) -> list[Finding]:
    """Return what is to be said of the rules of a run; `latest` is the time of its latest record, None: it has none.

    `checkpoint` tells whether it goes on from a state of other rules, or of another table.
    """
    found = of_waiting(unscreened=checkpoint is not None and checkpoint.unscreened)
    if table is None:
        return found
    changed = checkpoint is not None and checkpoint.other_crowd
    return [*of_crowd(table.path, "" if latest is None else table.age_remark(latest), changed=changed), *found]
