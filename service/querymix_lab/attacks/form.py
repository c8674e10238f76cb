"""The form attack: who writes lines in another form is known by what its released lines look like.

Some of the users write JSON lines with another program: another order of fields, other spaces, times and numbers
written otherwise, null where others have nothing. The attacker knows which users these are. For a line that looks like
theirs, the likeliest of them by the kernel is its owner; a line that looks like the others' is left out. The lines are
made up but for who, when and in which category, and go through the product's codec.

The baseline is the kernel over all users, which does not look at the form: what a codec that writes one form for all
leaves of the attack.
"""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import numpy as np
import numpy.typing as npt
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.core.records import Query, Release
from querymix.core.rules import Rules
from querymix.core.score import width

from querymix_lab.attacks.attacked import named
from querymix_lab.attacks.kernel import kernel, posteriors
from querymix_lab.attacks.logs import Ints
from querymix_lab.attacks.scoring import Guesses, Row
from querymix_lab.attacks.simulated import Simulated

KNOWS: Final = "which users write lines with another program, the classifier and about how large k is"
_VALUES: Final = re.compile(r'(?<=:)(\s*)("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)')


def form(simulated: Simulated, rules: Rules, seed: int, shares: Sequence[float] = (0.01, 0.03, 0.1)) -> list[Row]:
    """Return the attack's figures over the lines owned by such users, where they are these shares of all.

    Raises TooShortError where none of their lines was released.
    """
    everyone, n = np.unique(simulated.asked.users), width(rules.k)
    baseline = np.full(len(simulated.released), -1, dtype=np.int64)
    plain = kernel(simulated.seen, n)
    baseline[plain.lines] = _users(simulated)[plain.users]
    rows = []
    for share in shares:
        others = np.random.default_rng(seed).choice(everyone, max(1, round(share * len(everyone))), replace=False)
        found = guess(simulated, looks_strange(simulated, others), others, n)
        theirs = np.isin(simulated.owners[found.lines], others)
        found = Guesses(found.lines[theirs], found.users[theirs], found.confidence[theirs])
        rows.append(named(simulated, f"form ({share:.0%} of users)", KNOWS, found, baseline))
    return rows


def looks_strange(simulated: Simulated, others: Ints) -> npt.NDArray[np.bool_]:
    """Say for each released line whether it is written as only the lines of the users `others` are.

    All lines go through the codec. The attacker knows both programs, and so what the codec makes of their lines.
    """
    codec, log = JsonLinesCodec(), simulated.asked
    columns = (log.users.tolist(), log.texts.tolist(), log.times.tolist(), np.isin(log.users, others).tolist())
    queries = codec.decode([_line(*row) for row in zip(*columns, strict=True)], "", 1).queries
    released = simulated.released
    shown = zip(simulated.ids.tolist(), simulated.askings.tolist(), released.times.tolist(), strict=True)
    written = codec.encode(_release(user, queries[asking], at) for user, asking, at in shown)
    known = codec.decode([_line(1, 1, 0.0, strange) for strange in (False, True)], "", 1).queries
    plain, strange = (_look(line) for line in codec.encode(_release(2, query, 0.0) for query in known))
    looks = np.array([_look(line) == strange for line in written], dtype=bool)
    return looks & (plain != strange)


def _release(user: int, query: Query, at: float) -> Release:
    return Release(str(user), 0, query, 0, query._replace(at=at), 1)


def _line(user: int, text: int, at: float, strange: bool) -> str:
    moment = datetime.fromtimestamp(int(at), UTC)
    if strange:
        log = {"time": moment.isoformat(), "rank": None, "query": f"q{text}", "user": f"{user}"}
        return json.dumps(log, separators=(", ", " : "))
    return json.dumps({"user": f"{user}", "query": f"q{text}", "time": f"{moment:%Y-%m-%d %H:%M:%S}"})


def _look(line: str) -> str:
    """Return how a line is written, without what it says."""
    return _VALUES.sub(lambda value: re.sub(r"\d+", "0", re.sub("[a-z]", "", value[0])), line)


def guess(simulated: Simulated, strange: npt.NDArray[np.bool_], others: Ints, n: float) -> Guesses:
    """Return the likeliest id for each line by the kernel of width `n`: of `others` alone for the lines that look so.

    Where none of those is near, it is the one of them that most lines stand under.
    """
    candidate = np.isin(_users(simulated), others)
    share = np.where(candidate, np.bincount(simulated.ids, minlength=len(candidate)), 0)
    first, second = np.argsort(-share, kind="stable")[[0, min(1, len(share) - 1)]].tolist()
    rows: list[tuple[int, int, float]] = []
    for line, ids, near in posteriors(simulated.seen, n):
        weights = np.where(candidate[ids], near, 0.0) if strange[line] else near
        best, whole = int(weights.argmax()), float(weights.sum())
        if whole:
            rows.append((line, int(ids[best]), float(weights[best]) / whole))
        else:
            rows.append((line, second if first == simulated.ids[line] else first, 0.0))
    return Guesses.of(rows)


def _users(simulated: Simulated) -> Ints:
    """Return the user behind each id."""
    users = np.full(int(simulated.ids.max(initial=0)) + 1, -1, dtype=np.int64)
    users[simulated.ids] = simulated.released.users
    return users
