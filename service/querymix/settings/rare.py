"""The options about what too few users share: rare texts, rare values of fields, and what was found in them."""

from typing import Final, Literal

from pydantic import Field

from querymix.settings.base import Settings
from querymix.settings.values import Ladders, MaybeCount, MaybeName, Seconds
from querymix.settings.weaker import weaker

STREAM: Final = "stream"
"""What `--crowd` is where the stream itself is the crowd, and no file is read."""


class RareSettings(Settings):
    """What a query has to share with others before it may leave."""

    crowd: MaybeName = Field(
        None,
        description="Who answers how many users share what a query says: a file that 'querymix crowd build' made; "
        "stream: whoever came within the last --crowd-window; none, the default: nobody.",
        json_schema_extra=weaker({"none": "texts that one person only asked leave"}),
    )
    crowd_users: int = Field(
        20,
        ge=2,
        description="Distinct users who must have had what --crowd-items says of a query, and with --urls crowd a URL; "
        "what fewer had is rare.",
    )
    crowd_items: Literal["terms", "pairs", "queries"] = Field(
        "pairs",
        description="What must be shared: each term; each term and each two adjacent ones; or whole queries too.",
    )
    crowd_window: Seconds = Field(
        7 * 86400.0, description="With --crowd stream: for how long a user counts who had an item, such as 7d."
    )
    rare: Literal["suppress", "drop-terms", "release"] = Field(
        "suppress",
        description="What becomes of a query with something rare: it is suppressed; its rare terms are dropped; "
        "or it leaves as it is.",
        json_schema_extra=weaker(
            {
                "drop-terms": "what is left is no query that anybody asked, and may still tell",
                "release": "what few or one only asked leaves",
            }
        ),
    )
    most_words: MaybeCount = Field(
        None, description="Suppress a query of more words, counted without identifiers; none, the default: no bound."
    )
    most_characters: MaybeCount = Field(
        None,
        description="Suppress a query of more characters, counted without identifiers; none, the default: no bound.",
    )
    generalize: Ladders = Field(
        {},
        description="Fields that leave only in groups of enough users, each with a ladder from what is dropped first "
        "to what is dropped last, such as 'place=geo.city>geo.region>geo.country,language=lang'. Needs --crowd.",
    )
    group_users: int = Field(
        1000, ge=2, description="Distinct users who must share all values of --generalize that leave with a query."
    )
    group_policy: Literal["empty", "suppress"] = Field(
        "empty",
        description="Where no step of --generalize has enough users: the fields are left empty, or the query is "
        "suppressed.",
    )
    surrogates: Literal["off", "on"] = Field(
        "off",
        description="Swap a name, place or number that is found for a made-up one of its kind instead of cutting it, "
        "so that what was missed hides among what was made up.",
    )
