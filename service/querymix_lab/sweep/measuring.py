"""One setting measured: what is released, how late, how safe, at what cost.

The log is numbers here (users, texts, categories, times), so the truth is exact: the release names its owner and
its asking.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from statistics import fmean
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from querymix.core.draw import seeded_draw
from querymix.core.knowledge import CATEGORIES
from querymix.core.profiles import categories_of
from querymix.core.records import OTHER, UNCLASSIFIED, Query, each_row
from querymix.core.rules import Rules
from querymix.stages.classifying import Classified
from querymix.stages.pooling import Pooling

from querymix_lab.attacks import paper, sybils
from querymix_lab.attacks.attacked import first_rows
from querymix_lab.attacks.logs import Ints, Log
from querymix_lab.attacks.scoring import TooShortError, score
from querymix_lab.attacks.simulated import joined
from querymix_lab.attacks.suite import GUESSES
from querymix_lab.attacks.truth import truth_of
from querymix_lab.memory import peak_mib
from querymix_lab.sweep.grid import Setting

SECONDS_A_HOUR = 3600.0


class Outcome(NamedTuple):
    """What the method released of a log."""

    log: Log
    """Released lines: user, text, the line's own category, time of the trigger."""
    askings: Ints
    """The released line's place in the classified log: which asking left."""
    owners: Ints
    asked: "np.ndarray"
    """When the released query was asked, in seconds since 1970."""
    origins: list[tuple[int, int]]
    """For each query for whose user something left, however many rows it has: that user, and the query's category."""
    pooling: Pooling
    seconds: float
    """Processor time of the pool stage."""


def sample(log: Log, users: int | None, seed: int) -> Log:
    """Return the lines of some users, chosen by the seed."""
    everyone = np.unique(log.users)
    if users is None or users >= len(everyone):
        return log
    chosen = np.random.default_rng(seed).choice(everyone, users, replace=False)
    return log.take(np.flatnonzero(np.isin(log.users, chosen)))


def release(log: Log, setting: Setting) -> Outcome:
    """Run the pool stage over a classified log in time order."""
    pooling = Pooling(setting.rules, seeded_draw(setting.seed), in_order=True)
    columns = [column.tolist() for column in (log.users, log.texts, log.categories, log.times)]
    queries = [
        Classified(category, Query(str(user), str(text), at, at, rank=place))
        for place, (user, text, category, at) in enumerate(zip(*columns, strict=True))
    ]
    start = process_time()
    released = [*pooling(queries), *pooling.finish()]
    seconds = process_time() - start
    rows = each_row(released)
    numbers = np.array([(int(r.user), r.query.rank, r.pool, int(r.query.user)) for r in rows], dtype=np.int64).reshape(
        -1, 4
    )
    times = np.array([(r.trigger.at, r.query.at) for r in rows], dtype=np.float64).reshape(-1, 2)
    lines = Log(numbers[:, 0], log.texts[numbers[:, 1]], numbers[:, 2], times[:, 0])
    origins = [(int(release.user), category) for release in released for category in categories_of(release.origin)]
    return Outcome(lines, numbers[:, 1], numbers[:, 3], times[:, 1], origins, pooling, seconds)


def measure(log: Log, setting: Setting) -> dict[str, Any]:
    """Return all figures of one setting; rates are between 0 and 1."""
    log = sample(log, setting.users, setting.seed)
    outcome = release(log, setting)
    lines = len(outcome.log)
    hours = (outcome.log.times - outcome.asked) / SECONDS_A_HOUR
    account = outcome.pooling.account
    pools = dict(outcome.pooling.pools)
    return {
        **setting.as_dict(),
        "lines": len(log),
        "population": len(np.unique(log.users)),
        "released": lines / len(log),
        "held": account.held / len(log),
        "suppressed": account.suppressed_by_hold / len(log),
        "repeats suppressed": account.suppressed_as_repeats / len(log),
        "hours p50": float(np.median(hours)) if lines else None,
        "hours p95": float(np.percentile(hours, 95)) if lines else None,
        "own returned": float((outcome.owners == outcome.log.users).mean()) if lines else 0.0,
        "final k": max((pool.k for pool in pools.values()), default=setting.k),
        "mean k": fmean([pool.k for pool in pools.values()] or [setting.k]),
        "microseconds a log": 1e6 * outcome.seconds / len(log),
        "peak MiB": peak_mib(),
        "profiles equal": profiles_equal(log, outcome),
        "categories": categories(log, outcome),
        "attacks": attacks(log, outcome, setting) if lines else {},
    }


def profiles_equal(log: Log, outcome: Outcome) -> bool:
    """Say whether released plus held entries give every user exactly the counts of the classified log."""
    want = Counter(_asked(log, outcome.pooling.pools.rules))
    have = Counter(outcome.origins)
    for _, pool in outcome.pooling.pools:
        have.update((int(user), category) for user, origin, _ in pool.users for category in categories_of(origin))
    gone = want.total() - have.total()
    return (want == have) if gone == 0 else have <= want


def _asked(log: Log, rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield the user and the category of each query; rows of one query (one a click) are one."""
    seen: set[tuple[int, int, float]] = set()
    for user, text, category, at in zip(
        log.users.tolist(), log.texts.tolist(), log.categories.tolist(), log.times.tolist(), strict=True
    ):
        if (user, text, at) not in seen or not rules.click_wait:
            seen.add((user, text, at))
            yield user, category


def categories(log: Log, outcome: Outcome) -> dict[str, dict[str, int]]:
    """Return arrived and released lines by category."""
    names = {UNCLASSIFIED: "Unclassified", OTHER: "Other"}
    arrived, left = Counter(log.categories.tolist()), Counter(outcome.log.categories.tolist())
    return {
        names.get(place) or CATEGORIES[place]: {"arrived": arrived[place], "released": left[place]}
        for place in sorted({*arrived, *left})
    }


def attacks(log: Log, outcome: Outcome, setting: Setting) -> dict[str, dict[str, Any]]:
    """Return the figures of every quick attack on what was released."""
    first = first_rows(outcome.log)
    released = outcome.log.take(first)
    # What scores has a text of its own for every asking, so that each line has one owner and no guess is half right.
    askings = replace(released, texts=outcome.askings[first])
    truth = truth_of(replace(log, texts=np.arange(len(log))), askings)
    found: dict[str, dict[str, Any]] = {}
    for name in (*(f"{method}{order}" for method in paper.METHODS for order in ("", "+t")), "kernel", "repeats"):
        knows, attack = GUESSES[name]
        start = process_time()
        guesses = attack(released, setting.k, setting.delta, setting.seed)
        spent = {} if name == "repeats" else {"seconds": process_time() - start}
        with suppress(TooShortError):
            found[name] = score(name, knows, guesses, askings, truth)._asdict() | spent
    if setting.mode == "distinct":
        for count in sybils.QUERIES[:2]:
            with suppress(TooShortError):
                found[f"sybils {count}"] = sybils.attack(joined(log), setting.rules, setting.seed, count)._asdict()
    return found
