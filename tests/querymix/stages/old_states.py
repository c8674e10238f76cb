"""States of made-up logs that version 0.1.0 wrote (commit ea4b533)."""

import json
from pathlib import Path
from typing import Any, Final

from querymix.core.pools import Pools

OLD: Final = json.loads((Path(__file__).parent / "data" / "states_of_0_1_0.json").read_text())
"""By the hold policy or mode: rules, state log (key, value) and what came of it, a local stage's state likewise."""


def shown(pools: Pools) -> dict[str, Any]:
    """Return pools as the old state's file shows them."""
    return {
        str(category): {
            "k": pool.k,
            "users": sorted(map(list, pool.users)),
            "queries": sorted([owner, query.rank, arrived] for owner, query, arrived in pool.queries),
            "released": pool.released,
            "own_returned": pool.own_returned,
            "suppressed": pool.suppressed,
            "merged": pool.merged,
            "anonymity": list(pool.anonymity),
        }
        for category, pool in pools
    }
