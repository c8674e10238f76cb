"""The experiments of chapter 4 with real queries: each simulated user takes over one user of a log.

X are the queries that a user asked, Y those that it submitted, its own or others'; PEL is of X and Y. All queries of
the log are sent in random order, some of them at the same time.

Source: Erola 2013 (thesis), sections 4.7.1 and 4.7.2.
"""

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from querymix_lab.batch.measures.information import pel
from querymix_lab.protocol.experiments import (
    SELFISH,
    USERS,
    Plan,
    Row,
    Tick,
    own_by_neighbours,
    percent,
    shares,
    with_selfish,
)
from querymix_lab.protocol.exposure import EXPOSED
from querymix_lab.protocol.network import MAX_NEIGHBOURS, Ints, power_law
from querymix_lab.protocol.walk import Walks
from querymix_lab.published import PROTOCOL as PUBLISHED

SHARES: Final = range(0, 100, 10)
"""Per cent of selfish users that are tried."""
HEAVY: Final = 100
"""Queries from which on a user counts as a heavy one."""


class Taken(NamedTuple):
    """One network after all queries were submitted; all arrays by user."""

    walks: Walks
    pel: npt.NDArray[np.float64]
    """0 to 100; NaN where all queries of a user are the same, so that there is nothing to expose."""
    own: Ints
    """Own queries that the user submitted itself."""
    asked: npt.NDArray[np.int64]


def exposed(plan: Plan, tick: Tick) -> list[Row]:
    """Table 4.2: users exposed by number of neighbours, of 1,000 users, all honest; and without the punishments."""
    rows: list[Row] = [{"neighbours": degree} for degree in range(1, MAX_NEIGHBOURS + 1)]
    for ending, zeta in (("", plan.zeta), (" zeta 0", 0.0)):
        degrees, levels, heavy = _everybody(plan, zeta, tick)
        for row in rows:
            some = degrees == row["neighbours"]
            for least in PUBLISHED["exposed_at"]:
                row[f"{least} %{ending}"] = USERS * float((levels[some] >= least).sum()) / len(degrees)
            row[f"60 %, heavy{ending}"] = USERS * float((levels[some & heavy] >= 60).sum()) / len(degrees)
    return rows


def similarity(plan: Plan, tick: Tick) -> list[Row]:
    """Table 4.3: per cent of users by PEL up to 10, 20, ... 100; without those who have nothing to expose."""
    _, levels, _ = _everybody(plan, plan.zeta, tick)
    known = levels[~np.isnan(levels)]
    bins = np.clip(np.ceil(known / 10).astype(int), 1, 10)
    return [{"up to": 10 * number, "users %": percent(bins == number)} for number in range(1, 11)]


def _everybody(
    plan: Plan, zeta: float, tick: Tick
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Return neighbours, PEL, and who asked HEAVY queries at least, of each user of each test; all honest."""
    parts = []
    for test in range(plan.tests):
        taken = simulate(replace(plan, zeta=zeta), 0.0, np.random.default_rng([plan.seed, 42, test]))
        parts.append((taken.walks.network.degrees, taken.pel, taken.asked >= HEAVY))
        tick()
    degrees, levels, heavy = (np.concatenate(part) for part in zip(*parts, strict=True))
    return degrees, levels, heavy


def selfish_shares(plan: Plan, tick: Tick) -> list[Row]:
    """Figure 4.2: users exposed, by the share of selfish ones."""
    rows = []
    for selfish in SHARES:
        exposures, flags = [], []
        for test in range(_fewer(plan)):
            taken = simulate(plan, selfish / 100, np.random.default_rng([plan.seed, 420 + selfish, test]))
            known = ~np.isnan(taken.pel)
            exposures.append(taken.pel[known] >= 100 * EXPOSED)
            flags.append(taken.walks.flags[known])
        rows.append({"selfish %": selfish} | shares(np.concatenate(exposures), np.concatenate(flags)))
        tick()
    return rows


def selfish_submissions(plan: Plan, tick: Tick) -> list[Row]:
    """Figure 4.3, real queries: how many of its own queries a selfish user submits, by number of neighbours."""
    found: dict[int, list[Row]] = {}
    for test in range(_fewer(plan)):
        taken = simulate(plan, SELFISH, np.random.default_rng([plan.seed, 430, test]))
        for row in own_by_neighbours(taken.walks, taken.own, taken.asked):
            found.setdefault(row["neighbours"], []).append(row)
        tick()
    return [
        {"neighbours": degree} | {name: sum(row[name] for row in rows) / len(rows) for name in ("own", "asked")}
        for degree, rows in sorted(found.items())
    ]


def steps(plan: Plan) -> int:
    """Return how often these experiments call `tick`."""
    return 3 * plan.tests + len(SHARES) + _fewer(plan)


def _fewer(plan: Plan) -> int:
    return max(1, plan.tests // 5)


def simulate(plan: Plan, selfish: float, rng: np.random.Generator) -> Taken:
    """Give the log's users places in a network, and let them send all that they asked."""
    chosen = rng.permutation(len(plan.profiles))[:USERS]
    asked = [plan.profiles[number] for number in chosen.tolist()]
    network = power_law(len(asked), plan.exponent, rng)
    walks = with_selfish(network, plan, plan.zeta, selfish, rng)
    lengths = np.array([len(each) for each in asked])
    order = rng.permutation(int(lengths.sum()))
    sources = np.repeat(np.arange(len(asked), dtype=np.int32), lengths)[order]
    texts = np.concatenate([np.array(each, dtype=np.int64) for each in asked])[order]
    submitters = np.concatenate(
        [walks.send(sources[at : at + len(asked)]) for at in range(0, len(sources), len(asked))]
    )
    shown = [Counter[Hashable]() for _ in asked]
    for submitter, text in zip(submitters.tolist(), texts.tolist(), strict=True):
        shown[submitter][text] += 1
    own = np.bincount(sources[submitters == sources], minlength=len(asked)).astype(np.int32)
    levels = [pel(Counter[Hashable](mine), theirs) for mine, theirs in zip(asked, shown, strict=True)]
    return Taken(walks, np.array(levels, dtype=np.float64), own, lengths)
