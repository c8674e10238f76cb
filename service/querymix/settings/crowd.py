"""The options of the commands that count which items enough users share."""

from pathlib import Path

from pydantic import Field

from querymix.settings.method import FormSettings
from querymix.settings.values import Ladders, MaybeDay, Share, WholeDays


class PartsSettings(FormSettings):
    """From logs to day parts."""

    parts: Path | None = Field(
        None,
        description="Folder of day parts, which holds pairs of item and user under a key of its own; none: the pairs "
        "of this count alone, under a key that is never written.",
    )
    generalize: Ladders = Field(
        {},
        description="Fields whose values are counted in joint groups, as the run's --generalize has them, such as "
        "'place=geo.city>geo.region>geo.country,language=lang'.",
    )
    max_refused: Share = Field(
        0.05, description="Share of refused lines up to which the logs count as read; with more the exit code is 3."
    )


class CrowdSettings(PartsSettings):
    """From logs or parts to a crowd table."""

    crowd_users: int = Field(
        20, ge=2, description="Distinct users who must have had an item; a run may ask for as many or more."
    )
    group_users: int = Field(
        1000,
        ge=2,
        description="Distinct users who must share a group of --generalize; a run may ask for as many or more.",
    )
    established: WholeDays = Field(
        7 * 86400.0,
        description="Count a user only where so many whole days have passed since it was first seen, such as 7d, so "
        "that new accounts make nothing common; 0 (WEAKER): all count.",
    )
    first_day: MaybeDay = Field(
        None, description="First day to count (UTC), such as 2026-11-01; none: the first that there is."
    )
    last_day: MaybeDay = Field(None, description="Last day to count; none: the last that there is.")
