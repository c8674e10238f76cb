"""One method over one log: what leaves of it, and what that cost.

The stream is replayed as `querymix run` does it, over numbers (querymix_lab.sweep.measuring); what it still holds at
the end of the log counts as not released. What MDAV needs whatever k is, the distances of the users, is computed once
and kept in the study's folder: numbers without the users' names.
"""

import io
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any, Final, NamedTuple

import numpy as np
from querymix.core.draw import seeded_draw
from querymix.own_files import write_own

from querymix_lab.attacks import logs
from querymix_lab.batch.base import Account, Log, Options, Outcome, Row, check_users
from querymix_lab.batch.mdav import Prepared, microaggregate
from querymix_lab.batch.methods import METHODS
from querymix_lab.batch.query_space import QuerySpace
from querymix_lab.compare.grid import NONE, STREAMS, Choice
from querymix_lab.memory import peak_mib
from querymix_lab.sweep.grid import Setting
from querymix_lab.sweep.measuring import release

WORDNET: Final = Options().wordnet
"""Where WordNet is unless a folder is named."""


class Made(NamedTuple):
    """What a method made, at what cost."""

    outcome: Outcome
    seconds: float
    """Processor time."""
    mib: float
    """The process' peak memory, the log included."""


def make(log: Log, choice: Choice, prepared: Path | None = None, wordnet: Path = WORDNET) -> Made:
    """Run a method over a log with its first seed. Raises ConfigError where the log does not allow it.

    `prepared` is a file of `keep` for this log, which may be missing; `wordnet` a folder, which may be missing too.
    """
    if choice.method == "mdav" and choice.k is not None:
        check_users(log, choice.k)
        ready, spent = prepare(log, prepared)
        start = process_time()
        outcome = microaggregate(ready, Options(k=choice.k), seeded_draw(choice.seed))
    else:
        start, spent = process_time(), 0.0
        outcome = _outcome(log, choice, wordnet)
    return Made(outcome, spent + process_time() - start, peak_mib())


def keep(log: Log, file: Path) -> dict[str, Any]:
    """Compute the distances of a log's users into a file, whole or not at all, and return what that cost."""
    start = process_time()
    distances = QuerySpace(log).user_distances()
    seconds = process_time() - start
    packed = io.BytesIO()
    np.savez(packed, distances=distances, seconds=seconds)
    write_own(file, packed.getvalue())
    return {"seconds": seconds}


def prepare(log: Log, file: Path | None) -> tuple[Prepared, float]:
    """Return a log with its users' distances and the seconds that they took, from the file where there is one."""
    if file is None or not file.exists():
        start = process_time()
        made = Prepared(log)
        return made, process_time() - start
    with np.load(file) as arrays:
        return Prepared(log, distances=arrays["distances"]), float(arrays["seconds"])


def sample(log: Log, users: int | None, seed: int) -> Log:
    """Return the rows of some users, chosen by the seed."""
    if users is None or users >= len(log.users):
        return log
    chosen = {list(log.users)[place] for place in np.random.default_rng(seed).choice(len(log.users), users, False)}
    return Log([row for row in log.rows if row.user in chosen])


def numbered(rows: Sequence[Row], vocabulary: logs.Vocabulary) -> logs.Log:
    """Return rows as arrays of numbers, in their order."""
    return logs.numbered(((row.user, row.query.text, row.category, row.query.at) for row in rows), vocabulary)


def _outcome(log: Log, choice: Choice, wordnet: Path) -> Outcome:
    if choice.method == NONE:
        return Outcome(Log(log.rows), Account(kept=len(log.rows)))
    if choice.method in STREAMS:
        return _stream(log, choice)
    k = {} if choice.k is None else {"k": choice.k, "users": choice.k}
    options = Options.model_validate(k | {"levels": choice.levels, "wordnet": wordnet})
    return METHODS[choice.method].load()(log, options, seeded_draw(choice.seed))


def _stream(log: Log, choice: Choice) -> Outcome:
    k = choice.k or 2
    setting = Setting(k, seed=choice.seed)
    if STREAMS[choice.method] == "paper":
        setting = Setting(k, mode="paper", draw="entry", seed=choice.seed)
    rows = sorted(log.rows, key=lambda row: row.query.at)
    vocabulary = logs.Vocabulary()
    found = release(numbered(rows, vocabulary), setting)
    names = list(vocabulary.users)
    columns = (found.log.users.tolist(), found.log.times.tolist(), found.askings.tolist())
    left = [
        rows[asking]._replace(query=rows[asking].query._replace(user=names[user], time=at, at=at))
        for user, at, asking in zip(*columns, strict=True)
    ]
    own = int((found.owners == found.log.users).sum())
    account = Account(kept=own, replaced=len(left) - own, suppressed_by_method=len(rows) - len(left))
    return Outcome(Log(left), account)
