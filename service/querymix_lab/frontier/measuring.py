"""One way measured on one log.

Rules:
- What is kept and told is of the way over the whole log. Completion and the order of clicked hosts are of the way over
  the first four fifths, tested on the rest, as `querymix study utility` does.
- Texts are compared in normal form (querymix.core.crowd), without identifiers, on both sides.
- An owner is named by whoever knows who asked when and in which category. An id goes to the user who has most of its
  lines' times (as they leave) and categories, and who has them most often. Of the stream it is the best of that and the
  attacks `arrivals` and `kernel`. The attacker of `querymix attack` has more, such as texts.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from querymix.core.crowd import terms_of
from querymix.core.errors import ConfigError
from querymix.core.hosts import host_of
from querymix.core.records import Query
from querymix.core.score import width

from querymix_lab.attacks import arrivals, kernel
from querymix_lab.attacks.attacked import named
from querymix_lab.attacks.logs import Ints
from querymix_lab.attacks.scoring import TooShortError
from querymix_lab.batch.base import Log, Row
from querymix_lab.compare.measuring import as_lines, until
from querymix_lab.frontier import measures
from querymix_lab.frontier.crowds import Counts, counted, domains, normal
from querymix_lab.frontier.releasing import NOBODY, Left, release
from querymix_lab.frontier.ways import Way
from querymix_lab.utility import completion, lines, suite

PARTICLES: Final = 200
"""Of the attack `arrivals`: fewer than `querymix attack` has, since there are many ways."""
NDCG: Final = "nDCG at 10 of a known query's hosts"
Numbers = dict[Any, int]


class Prepared(NamedTuple):
    """A log, and what consumers learn from and are tested on."""

    log: Log
    crowd: Counts
    """Of the log."""
    early: Log
    early_crowd: Counts
    learned: list[lines.Line]
    later: list[lines.Line]
    records: int
    """Of the log, also those of which nothing is left without identifiers."""
    distinct: int
    """Different queries of these."""

    @classmethod
    def of(cls, log: Log, asked: Sequence[Query]) -> "Prepared":
        """Part a log in time; `asked` are its queries as they came."""
        every = as_lines(log)
        cut = lines.cut_of(every)
        return cls(
            log, counted(asked), until(log, cut), counted([query for query in asked if query.at <= cut]),
            [line for line in every if line.at <= cut], [line for line in every if line.at > cut],
            len(asked), len(_different(query.text for query in asked)),
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"Prepared({self.log!r})"


def measure(prepared: Prepared, way: Way) -> dict[str, Any]:
    """Return the figures of one way; None: the log allows none. "failed" says why the way cannot be measured."""
    row: dict[str, Any] = way.as_dict()
    try:
        left = release(prepared.log, prepared.crowd, way)
    except ConfigError as error:
        return row | {"failed": str(error)}
    return (
        row | {"bound": way.bound} | figures(prepared, left) | _owner(prepared.log, left, way) | useful(prepared, way)
    )


def figures(prepared: Prepared, left: Left) -> dict[str, float | None]:
    """Return what is kept and told, but for what consumers reach and who names owners."""
    log = prepared.log
    users: Numbers = {user: number for number, user in enumerate(log.users)}
    texts: Numbers = {}
    asked, shown = (_numbers((normal(row.query.text) for row in rows), texts) for rows in (log.rows, left.rows))
    askers = np.array([users[row.user] for row in log.rows], dtype=np.int64)
    owners = _owners(log, left.rows, users)
    one = measures.alone(asked, askers, shown)
    for steps in (_clicked, _fields):
        values: Numbers = {"": NOBODY, None: NOBODY, (): NOBODY}
        had = [_numbers(column, values) for column in zip(*map(steps, log.rows), strict=True)]
        told = _numbers((steps(row)[0] for row in left.rows), values)
        one |= measures.alone(np.concatenate(had), np.tile(askers, len(had)), told)
    found = measures.traced(left.ids, shown, askers, asked)
    different = _different(row.query.text for row, owner in zip(left.rows, owners.tolist(), strict=True) if owner >= 0)
    return {
        "rows": len(left.rows),
        "volume": len(left.rows) / max(1, prepared.records),
        "distinct": len(different) / max(1, prepared.distinct),
        "isolation": float(one.mean()) if len(one) else None,
        "linkage": measures.linkage(left.ids, owners, shown, found, len(users)),
        "joined": measures.joined(left.ids, owners, shown),
    }


def _numbers(values: Iterable[Any], known: Numbers) -> Ints:
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)


def _different(texts: Iterable[str]) -> set[str]:
    """Return the different queries that are not empty, as `querymix policy --compare` tells them apart."""
    return {" ".join(terms_of(text)) for text in texts} - {""}


def _clicked(row: Row) -> tuple[object, ...]:
    """Return the clicked URL, and its registrable domain, as which it may leave."""
    url = row.query.url
    return url, domains()(host_of(url)) if url else ""


def _fields(row: Row) -> tuple[object, ...]:
    """Return the values of the safe fields, together."""
    values: Any = row.query.extra[0] if row.query.extra else ()
    return (values if any(values) else (),)


def _owners(log: Log, rows: Sequence[Row], users: Numbers) -> Ints:
    """Return who asked what each line shows; -1: nobody, or nobody knows."""
    asker = {row.place: users[row.user] for row in log.rows}
    return np.array([asker.get(row.place, NOBODY) for row in rows], dtype=np.int64)


def _owner(log: Log, left: Left, way: Way) -> dict[str, Any]:
    """Return the best attack on owners, and its share of lines that it names rightly."""
    found = {"time and category": _watched(log, left, way)}
    if left.simulated is not None and len(left.simulated.released):
        rules = way.stream
        guesses = kernel.kernel(left.simulated.seen, width(rules.k))
        try:
            found["kernel"] = named(left.simulated, "kernel", kernel.KNOWS, guesses)["success"]
            rows = arrivals.arrivals(left.simulated, rules, way.seed, particles=PARTICLES)
            found["arrivals"] = rows[0]["success"]
        except TooShortError:
            pass  # nobody is named by it
    best = max(found, key=lambda name: found[name] or 0.0)
    return {"owner named": found[best], "attack": best if found[best] else None}


def _watched(log: Log, left: Left, way: Way) -> float | None:
    """Return the share of lines whose owner is found by the times and categories of their id's lines."""
    users: Numbers = {user: number for number, user in enumerate(log.users)}
    owners = _owners(log, left.rows, users)
    if not (owners >= 0).any():
        return None
    cells: Numbers = {}
    askers = np.array([users[row.user] for row in log.rows], dtype=np.int64)
    shown, asked = (_numbers((_cell(row, way) for row in rows), cells) for rows in (left.rows, log.rows))
    found = measures.traced(left.ids, shown, askers, asked)
    return float(found.of(left.ids, owners).mean())


def _cell(row: Row, way: Way) -> tuple[float, int]:
    grid = way.precision or 1.0
    return row.query.at // grid, row.category


def useful(prepared: Prepared, way: Way) -> dict[str, float | None]:
    """Return what consumers reach with a release, as a share of what they reach with the log."""
    out: dict[str, float | None] = {"completion": None, "ndcg": None}
    try:
        rows = release(prepared.early, prepared.early_crowd, way).rows
    except ConfigError:
        return out
    parts = lines.Parts(prepared.learned, as_lines(Log(rows)), prepared.later)
    found, _ = suite.measure(parts, way.seed, tasks=("completion", "clicks"))
    for figure in found:
        if (figure.task, figure.measure) == (completion.TASK, "MRR at 10"):
            out["completion"] = figure.relative
        elif figure.measure == NDCG:
            out["ndcg"] = figure.relative
    return out
