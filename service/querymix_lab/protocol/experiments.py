"""The experiments of chapter 4 with made-up queries: each user sends one text of its own, again and again.

Rules:
- An experiment is a function of a `Plan` that returns rows; it calls `tick` after each step.
- The same seed gives the same rows; each experiment has a generator of its own.
- Networks of 1,000 users are simulated many at a time, as one network without links between them.

Source: Erola 2013 (thesis), section 4.7.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from querymix_lab.memory import peak_mib
from querymix_lab.protocol.choice import Pruning, draw
from querymix_lab.protocol.exposure import EXPOSED, positions, response_ms, submit
from querymix_lab.protocol.network import MAX_NEIGHBOURS, Ints, Network, power_law
from querymix_lab.protocol.walk import Walks
from querymix_lab.published import PROTOCOL as PUBLISHED

Row = dict[str, Any]
Tick = Callable[[], None]
Flags = npt.NDArray[np.bool_]

USERS: Final = 1000
"""Of a network in the thesis' tests."""
QUERIES: Final = 100
"""Sent by each user in the tests of table 4.4; the thesis does not say how many in the others."""
SELFISH: Final = 0.1
RETURNING: Final = (10, 20, 100)
"""Queries a user where they may go back to whom they came from."""
SIZES: Final = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
QUERIES_BY_SIZE: Final = 10
HOPS_USERS: Final = 10_000
EXPONENTS: Final = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5)


@dataclass(frozen=True)
class Plan:
    """What is simulated."""

    tests: int = 30
    seed: int = 1
    zeta: float = 0.03
    exponent: float = 0.79
    """Of the power law. The thesis has none; with this one a query makes its 3.59 hops."""
    pruning: Pruning = field(default_factory=Pruning)
    queries: int = QUERIES
    """Made-up queries that each user sends."""
    largest: int = SIZES[-1]
    """Users of the largest network."""
    profiles: Sequence[Sequence[int]] = field(default=(), repr=False)
    """The real queries of each user of a log, in their order, as numbers of texts; empty: none are simulated."""

    def rng(self, experiment: int) -> np.random.Generator:
        """Return the generator of one experiment."""
        return np.random.default_rng([self.seed, experiment])

    @property
    def sizes(self) -> list[int]:
        """Users of the networks whose sizes are compared."""
        return [size for size in SIZES if size < self.largest] + [self.largest]


def pruned(plan: Plan, tick: Tick) -> list[Row]:
    """Table 4.1: position of users with 10 neighbours, by how much of the choice vector is deleted; all honest.

    Its first row is tried in other readings too: queries may go back to whom they came from, few or many of them.
    """
    rows = []
    settings = [(name, False, plan.queries) for name in PUBLISHED["pruning"]]
    for name, returns, queries in [*settings, *(("0-0", True, some) for some in RETURNING)]:
        least, most = map(int, name.split("-"))
        rng = plan.rng(41)  # the same networks for each
        network = power_law(USERS, plan.exponent, rng, 10 * plan.tests)
        sources = np.flatnonzero(network.degrees == MAX_NEIGHBOURS).astype(np.int32)
        choice = draw(network, Pruning(least / 100, most / 100, plan.pruning.most_copies), rng)
        submitted = submit(Walks(network, choice, 0.0, rng, returns=returns), queries, sources)
        row = {"least": least, "most": most, "may go back": returns, "queries": queries}
        rows.append(row | _spread(positions(network, submitted, rng)[sources]))
        tick()
    return rows


def by_neighbours(plan: Plan, tick: Tick) -> list[Row]:
    """Table 4.5 and figure 4.1: position by number of neighbours; all honest."""
    rng = plan.rng(45)
    network = power_law(USERS, plan.exponent, rng, plan.tests)
    walks = Walks(network, draw(network, plan.pruning, rng), plan.zeta, rng)
    found = positions(network, submit(walks, plan.queries), rng)
    tick()
    return [
        {"neighbours": degree, "ideal": degree / 2} | _spread(found[network.degrees == degree])
        for degree in range(1, MAX_NEIGHBOURS + 1)
    ]


def penalties(plan: Plan, tick: Tick) -> list[Row]:
    """Table 4.4: users exposed by zeta, a tenth of them selfish."""
    rows = []
    for zeta in map(float, PUBLISHED["zeta"]):
        rng = plan.rng(44)
        network = power_law(USERS, plan.exponent, rng, plan.tests)
        walks = with_selfish(network, plan, zeta, SELFISH, rng)
        exposed = submit(walks, plan.queries).own >= EXPOSED * plan.queries
        rows.append({"zeta": zeta} | shares(exposed, walks.flags))
        tick()
    return rows


def selfish_submissions(plan: Plan, tick: Tick) -> list[Row]:
    """Figure 4.3, made-up queries: how many of its own queries a selfish user submits, by number of neighbours."""
    rng = plan.rng(43)
    network = power_law(USERS, plan.exponent, rng, plan.tests)
    walks = with_selfish(network, plan, plan.zeta, SELFISH, rng)
    own = submit(walks, plan.queries).own
    tick()
    return own_by_neighbours(walks, own, np.full(network.users, plan.queries))


def hops(plan: Plan, tick: Tick) -> list[Row]:
    """Section 4.7.3: hops and response time in networks of 10,000 users, by exponent of the power law; all honest."""
    rows = []
    for exponent in exponents(plan):
        rng = plan.rng(47)
        network = power_law(min(HOPS_USERS, USERS * plan.tests), exponent, rng)
        walks = Walks(network, draw(network, plan.pruning, rng), plan.zeta, rng)
        submit(walks, plan.queries)
        rows.append({"exponent": exponent, "neighbours": float(network.degrees.mean())} | _time(walks, plan.queries))
        tick()
    return rows


def exponents(plan: Plan) -> list[float]:
    """Return the exponents that `hops` compares."""
    return sorted({*EXPONENTS, plan.exponent})


def growing(plan: Plan, tick: Tick) -> list[Row]:
    """Section 4.7: networks from 1,000 users on, with the time and memory of simulating them; all honest."""
    rows = []
    for size in plan.sizes:
        rng, start = plan.rng(48), perf_counter()
        network = power_law(size, plan.exponent, rng)
        walks = Walks(network, draw(network, plan.pruning, rng), plan.zeta, rng)
        submitted = submit(walks, QUERIES_BY_SIZE)
        most = positions(network, submitted, rng)[network.degrees == MAX_NEIGHBOURS]
        row = {"users": size, "links": len(network.neighbours) // 2} | _time(walks, QUERIES_BY_SIZE)
        row |= {name: value for name, value in _spread(most).items() if name != "users"}
        seconds = perf_counter() - start
        rows.append(row | {"seconds": seconds, "peak MiB": peak_mib()})
        tick()
    return rows


def with_selfish(network: Network, plan: Plan, zeta: float, share: float, rng: np.random.Generator) -> Walks:
    """Return the protocol on a network of which a share of the users is selfish, drawn at random; 0: all are honest."""
    selfish = np.zeros(network.users, np.bool_)
    selfish[rng.permutation(network.users)[: round(share * network.users)]] = True
    return Walks(network, draw(network, plan.pruning, rng).without(selfish), zeta, rng, selfish if share else None)


def shares(exposed: Flags, selfish: Flags) -> Row:
    """Return the per cent of honest and of selfish users that are exposed; None where there are none."""
    return {"honest": percent(exposed[~selfish]), "selfish": percent(exposed[selfish])}


def percent(flags: Flags) -> float | None:
    """Return the per cent of flags that are set, None where there are none."""
    return 100 * float(flags.mean()) if len(flags) else None


def own_by_neighbours(walks: Walks, own: Ints, asked: npt.NDArray[np.int64]) -> list[Row]:
    """Return how many of their own queries selfish users submit, by number of neighbours."""
    rows: list[Row] = []
    for degree in range(1, MAX_NEIGHBOURS + 1):
        some = (walks.network.degrees == degree) & walks.flags
        if some.any():
            rows.append({"neighbours": degree, "own": float(own[some].mean()), "asked": float(asked[some].mean())})
    return rows


def _spread(found: npt.NDArray[np.float64]) -> Row:
    if not len(found):
        return {"users": 0, "position": None, "variance": None, "deviation": None}
    deviation = float(found.std())
    return {"users": len(found), "position": float(found.mean()), "variance": deviation**2, "deviation": deviation}


def _time(walks: Walks, queries: int) -> Row:
    mean = walks.hops / (queries * walks.network.users)
    refused = 1 - walks.hops / walks.asked if walks.asked else 0.0
    response = response_ms(mean, PUBLISHED["latency_ms"], PUBLISHED["search_ms"])
    return {"hops": mean, "response ms": response, "refused %": 100 * refused}
