"""Made-up logs for attacks that watch over time: numbers only, no texts."""

import numpy as np
from querymix_lab.attacks.logs import Log

DAY = 86_400.0


def log_of(users: list[int], times: list[float], categories: list[int] | None = None) -> Log:
    """Return a log in which each query has a text of its own."""
    n = len(users)
    return Log(
        np.array(users, dtype=np.int64),
        np.arange(n),
        np.array(categories or [0] * n, dtype=np.int64),
        np.array(times, dtype=np.float64),
    )


def habits(users: int, each: int, seed: int = 1, *, days: int = 20, same: bool = False) -> Log:
    """Return a log in which each user has hours and categories that it likes, or all the `same`."""
    rng = np.random.default_rng(seed)
    rows = []
    for user in range(users):
        hour, likes = rng.uniform(0, 23), rng.dirichlet(np.full(6, 0.3))
        for _ in range(each):
            at = rng.uniform(0, 24) if same else hour + rng.uniform(0, 1)
            category = int(rng.integers(6)) if same else int(rng.choice(6, p=likes))
            rows.append((float(int(rng.integers(days)) * DAY + int(at * 3600)), user, category))
    rows.sort()
    return log_of([user for _, user, _ in rows], [at for at, _, _ in rows], [category for *_, category in rows])
