"""What rules keep as the population grows: of made-up users fitted to a log, beside parts of the log itself.

Rules:
- What is fitted: the share of different queries that each rule keeps, and how many there are, over parts of the log
  with a tenth, a third and all of its users. First the tail of queries, then of terms, then of followers.
- Up to `STREAMED` users the stream runs, with the log's users drawn anew, their times moved by whole days. Beyond, it
  is not run: what it keeps there is not known, and the page says so.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from querymix.core.rare_texts import Items, RareTexts
from querymix.core.records import Query
from querymix.core.rules import Rules
from scipy.optimize import minimize

from querymix_lab.attacks import logs
from querymix_lab.attacks.logs import Floats, Ints, Vocabulary
from querymix_lab.attacks.simulated import simulate
from querymix_lab.batch.base import Log
from querymix_lab.compare.making import numbered
from querymix_lab.frontier.crowds import counted, normal
from querymix_lab.frontier.population import Shape, Tails, drawn, fewest, looked_at, made_up
from querymix_lab.sweep.grid import DAY

SIZES: Final = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
STREAMED: Final = 10_000
SHOWN: Final[dict[str, tuple[Items, int]]] = {
    "threshold, 5 users": ("queries", 5), "threshold, 30 users": ("queries", 30),
    "rare terms, 5 users": ("pairs", 5), "rare terms, 20 users": ("pairs", 20), "rare terms, 50 users": ("pairs", 50),
}  # fmt: skip
"""Rules by their names (querymix_lab.frontier.ways): what has to be shared, by how many."""
RULES: Final[dict[str, tuple[Items, int]]] = SHOWN | {
    "2 users": ("queries", 2), "10 users": ("queries", 10),
    "terms, 2 users": ("terms", 2), "terms, 5 users": ("terms", 5), "terms, 20 users": ("terms", 20),
    "pairs, 2 users": ("pairs", 2),
}  # fmt: skip
"""What is fitted to."""
STREAM: Final = "stream, k=20"
DRAWS: Final = 3
"""Of the users of a part."""
_STEPS: Final = 40
"""Tries of each fit."""
Values = tuple[float, ...]


class Kept(NamedTuple):
    """The shares that a rule keeps."""

    distinct: float
    volume: float


Curve = dict[str, Kept]
"""What each rule keeps of one population, by its name."""


def shape_of(log: Log) -> Shape:
    """Return what made-up users take from a log."""
    pairs: dict[tuple[str, str], int] = {}
    for row in log.rows:
        key = row.user, normal(row.query.text)
        pairs[key] = pairs.get(key, 0) + 1
    askers: dict[str, int] = {}
    queries: dict[str, int] = {}
    for user, text in pairs:
        askers[text] = askers.get(text, 0) + 1
        queries[user] = queries.get(user, 0) + 1
    sides = (True, False)  # asked by several, or not
    rows = [
        float(np.mean([count for (_, text), count in pairs.items() if (askers[text] > 1) == side] or [1]))
        for side in sides
    ]
    lengths = [
        np.array([len(text.split()) for text, count in askers.items() if (count > 1) == side] or [1]) for side in sides
    ]
    head = sum(count > 1 for count in askers.values())
    return Shape(np.array(list(queries.values())), (rows[0], rows[1]), (lengths[0], lengths[1]), head)


def real(log: Log, users: int, seed: int) -> tuple[int, Curve]:
    """Return how many different queries some users of a log have, and what the rules keep of them."""
    names = list(log.users)
    chosen = {names[place] for place in np.random.default_rng(seed).permutation(len(names))[:users]}
    rows = [row for row in log.rows if row.user in chosen]
    crowd = counted(row.query._replace(url=None) for row in rows)
    texts = Counter(normal(row.query.text) for row in rows)
    weights = np.array(list(texts.values()), dtype=np.float64)
    curve = {}
    for name, (items, least) in RULES.items():
        rule = RareTexts(crowd, least, items)
        kept = [rule(Query("", text, 0.0, 0.0)) != "rare" for text in texts]
        curve[name] = _shares(np.array(kept, dtype=bool), weights, np.ones(len(weights)))
    return len(texts), curve


def imagined(shape: Shape, tails: Tails, users: int, seed: int) -> tuple[int, Curve]:
    """Return the same of so many made-up users, of the rules that the page shows."""
    kinds = made_up(shape, tails, users, seed)
    places, weights = looked_at(kinds, seed)
    counts = {"queries": kinds.askers[places], "pairs": fewest(kinds, places, shape, tails, pairs=True)}
    rows = weights * kinds.rows[places]
    return len(kinds.queries), {
        name: _shares(counts[items] >= least, rows, weights) for name, (items, least) in SHOWN.items()
    }


def streamed(log: Log, tails: Tails, users: int, seed: int) -> Kept:
    """Return what the stream keeps of so many made-up users; its volume is of queries, however many rows they have."""
    texts: dict[tuple[str, str], int] = {}
    slots = [(row.user, texts.setdefault((row.user, normal(row.query.text)), len(texts))) for row in log.rows]
    whole = numbered([row._replace(query=row.query._replace(text=str(slot))) for row, (_, slot) in
                      zip(log.rows, slots, strict=True)], Vocabulary())  # fmt: skip
    order = np.argsort(whole.users, kind="stable")
    starts = np.searchsorted(whole.users[order], np.arange(whole.population + 1))
    rng = np.random.default_rng(seed)
    chosen = rng.integers(0, whole.population, users)
    sizes = starts[chosen + 1] - starts[chosen]
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    rows = whole.take(order[np.repeat(starts[chosen], sizes) + within])
    names = np.repeat(np.arange(users), sizes)
    begin = float(whole.times.min())
    days = max(1, int((float(whole.times.max()) - begin) // DAY) + 1)
    times = begin + (rows.times - begin + np.repeat(rng.integers(0, days, users), sizes) * DAY) % (days * DAY)
    _, asked = np.unique(names * (len(texts) + 1) + rows.texts, return_inverse=True)
    numbers = drawn(rng.random(int(asked.max()) + 1), tails)[asked.reshape(-1)]
    found = simulate(logs.Log(names, numbers, rows.categories, times), Rules(), seed=seed)
    distinct = len(np.unique(found.released.texts)) / len(np.unique(numbers))
    return Kept(distinct, found.share)


def run(log: Log, seed: int, sizes: Sequence[int] = SIZES) -> dict[str, Any]:
    """Return the whole trend as plain data: what was fitted to and how near it comes, then each size."""
    wanted, shape = measured(log, seed), shape_of(log)
    tails = fitted(shape, wanted, seed)
    fit = []
    for part in wanted:
        different, curve = imagined(shape, tails, part.users, seed + 1)
        both = {name: [part.curve[name]._asdict(), kept._asdict()] for name, kept in curve.items()}
        fit.append({"users": part.users, "different": [part.different, float(different)], "rules": both})
    grown = []
    for users in sizes:
        different, curve = imagined(shape, tails, users, seed + 2)
        if users <= STREAMED:
            curve[STREAM] = streamed(log, tails, users, seed + 3)
        rules = {name: kept._asdict() for name, kept in curve.items()}
        grown.append({"users": users, "different": different, "rules": rules})
    return {"fit": fit, "sizes": grown, "tails": tails._asdict()}


def _shares(kept: npt.NDArray[np.bool_], rows: Floats, weights: Floats) -> Kept:
    return Kept(float(weights[kept].sum() / weights.sum()), float(rows[kept].sum() / rows.sum()))


def parts(log: Log) -> list[int]:
    """Return the sizes of the parts of a log that are looked at."""
    whole = len(log.users)
    return sorted({max(2, round(whole * share)) for share in (0.1, 0.3)} | {whole})


class Part(NamedTuple):
    """What is fitted to: a part of the log."""

    users: int
    different: float
    """Different queries, in the mean of the draws."""
    curve: Curve


def measured(log: Log, seed: int) -> list[Part]:
    """Return what the rules keep of parts of a log, each the mean of some draws of its users."""
    found = []
    for users in parts(log):
        draws = [real(log, users, seed + number) for number in range(1 if users == len(log.users) else DRAWS)]
        curve = {name: Kept(*np.mean([one[name] for _, one in draws], axis=0).tolist()) for name in RULES}
        found.append(Part(users, float(np.mean([count for count, _ in draws])), curve))
    return found


def fitted(shape: Shape, wanted: Sequence[Part], seed: int) -> Tails:
    """Return the tails with which made-up users are likest a log."""
    begin = Tails(0.1, (0.4, 20_000.0), (0.5, 1e5), (0.5, 300.0), (0.5, 3.0))

    def queries(five: Values) -> float:
        off = []
        for part in wanted:
            kinds = made_up(shape, _with_queries(begin, five), part.users, seed)
            off.append(10 * np.log(len(kinds.queries) / part.different))
            off += _off(part, "queries", kinds.askers)
        return float(np.square(off).sum())

    tails = _with_queries(begin, _least(queries, (begin.share / (1 - begin.share), *begin.head, *begin.query)))
    made = [(part, made_up(shape, tails, part.users, seed)) for part in wanted]

    def rarest(kind: str, tried: Tails) -> float:
        off = []
        for part, kinds in made:
            off += _off(part, kind, fewest(kinds, np.arange(len(kinds.queries)), shape, tried, pairs=kind == "pairs"))
        return float(np.square(off).sum())

    first, second = _least(lambda two: rarest("terms", tails._replace(term=(two[0], two[1]))), tails.term)
    tails = tails._replace(term=(first, second))
    first, second = _least(lambda two: rarest("pairs", tails._replace(follower=(two[0], two[1]))), tails.follower)
    return tails._replace(follower=(first, second))


def _with_queries(tails: Tails, five: Values) -> Tails:
    odds, power, size, shape, scale = five
    return tails._replace(share=odds / (1 + odds), head=(power, size), query=(shape, scale))


def _off(part: Part, kind: str, counts: Ints) -> list[float]:
    """Return how far the numbers of different queries that are kept are off: of few by root, of many by logarithm."""
    off = []
    for name, (items, least) in RULES.items():
        if items == kind:
            made, real_ = float((counts >= least).sum()) ** 0.5, (part.curve[name].distinct * part.different) ** 0.5
            off.append((made - real_) / (1 + 0.1 * real_))
    return off


def _least(off: Callable[[Values], float], start: Values) -> Values:
    """Return the values above 0 at which something is least, as far as some steps lead."""
    found = minimize(
        lambda logs_: off(tuple(np.exp(logs_).tolist())), np.log(start), method="Nelder-Mead",
        options={"maxfev": _STEPS * len(start), "xatol": 0.01, "fatol": 0.001, "initial_simplex": _simplex(start)},
    )  # fmt: skip
    return tuple(np.exp(found.x).tolist())


def _simplex(start: Sequence[float]) -> Floats:
    middle = np.log(np.asarray(start, dtype=np.float64))
    return np.vstack([middle, middle + 0.5 * np.eye(len(middle))])
