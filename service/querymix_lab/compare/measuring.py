"""One setting measured: privacy, information, kept, cost and utility. Shares are between 0 and 1.

Rules:
- Privacy and information are of the method over the whole log. Utility is of the method over the first four fifths, so
  that what tests was seen by neither side.
- A figure that a log does not allow is None; a method that a log does not allow has "failed", with the reason.
"""

import warnings
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from querymix.core.errors import ConfigError
from sklearn.exceptions import ConvergenceWarning

from querymix_lab.attacks import logs
from querymix_lab.attacks.profiles import Feature, halves
from querymix_lab.attacks.scoring import TooShortError
from querymix_lab.batch.base import Log
from querymix_lab.batch.measures import clusterings, frequency, linkage, views
from querymix_lab.batch.measures.information import average, ilr, pel, srp
from querymix_lab.batch.semantic import interests_of, user_distances
from querymix_lab.compare import seeds
from querymix_lab.compare.grid import Choice
from querymix_lab.compare.making import WORDNET, keep, make, numbered, sample
from querymix_lab.utility import lines, suite

NUMBERS: Final = (5, 10, 20, 40, 80, 160)
"""Numbers of clusters that are tried on the original; the thesis found 80 on its log."""
VIEWS: Final = {"queries": views.queries, "words": views.query_words, "categories": views.categories}


def measure(log: Log, folder: Path | None, choice: Choice, wordnet: Path = WORDNET) -> dict[str, Any]:
    """Return all figures of one setting, means over its seeds; `folder` holds what was prepared, if anything was."""
    whole, early = (None, None) if folder is None else (folder / "whole.npz", folder / "early.npz")
    if choice.scope == "prepare whole" and whole:
        return keep(log, whole)
    if choice.scope == "prepare early" and early:
        return keep(until(log, lines.cut_of(as_lines(log))), early)
    runs: list[dict[str, Any]] = []
    for seed in range(choice.seed, choice.seed + choice.seeds):
        runs.append(_once(log, replace(choice, seed=seed), whole, early, wordnet))
        if "failed" in runs[-1]:
            return runs[-1] | {"seed": choice.seed}
    return seeds.merged(runs)


def _once(log: Log, choice: Choice, whole: Path | None, early: Path | None, wordnet: Path) -> dict[str, Any]:
    """Return the figures of one seed."""
    log = sample(log, choice.users, choice.seed)
    row: dict[str, Any] = choice.as_dict() | {"lines": len(log.rows), "population": len(log.users)}
    try:
        made = make(log, choice, None if choice.users else whole, wordnet)
    except ConfigError as error:
        return row | {"failed": str(error)}
    by_line = 1e6 * made.seconds / max(1, len(log.rows))
    row["cost"] = {"seconds": made.seconds, "microseconds a line": by_line, "MiB": made.mib}
    if choice.scope == "cost":
        return row
    row |= {"information": loss(log, made.outcome.released), "own figures": dict(made.outcome.figures)}
    row["notes"] = list(made.outcome.notes)
    if choice.scope == "information":
        return row
    row |= {"privacy": privacy(log, made.outcome.released), "kept": kept(log, made.outcome.released)}
    return row | utility(log, choice, early, wordnet)


def privacy(original: Log, released: Log) -> dict[str, float | None]:
    """Return what the released log gives away."""
    owners = {row.place: row.user for row in original.rows}
    lines_ = len(released.rows)
    own = sum(owners.get(row.place) == row.user for row in released.rows)
    alike = Counter(frozenset(counts.items()) for counts in views.by_user(released, views.queries).values())
    alone = sum(count for count in alike.values() if count == 1)
    figures: dict[str, float | None] = {
        "pel queries": average(pel, original, released).mean / 100,
        "pel categories": average(pel, original, released, views.categories).mean / 100,
        "rl queries": linkage.record_linkage(original, released) / 100,
        "rl categories": linkage.record_linkage(original, released, views.categories) / 100,
        "own returned": own / lines_ if lines_ else 0.0,
        "users alone": alone / len(released.users) if released.users else 0.0,
    }
    vocabulary = logs.Vocabulary()
    arrays = numbered(released.rows, vocabulary)
    features: tuple[Feature, ...] = ("categories", "words")
    for feature in features:
        try:
            linked = halves(arrays, list(vocabulary.texts), feature)
        except TooShortError:
            figures[f"halves by {feature}"] = None
        else:
            figures |= {f"halves by {feature}": linked.success, "halves baseline": linked.baseline}
    return figures


def loss(original: Log, released: Log) -> dict[str, Any]:
    """Return how much information is lost."""
    before, after = (
        user_distances([interests_of(log.users.get(user, ())) for user in original.users])
        for log in (original, released)
    )
    clusters = clusterings.best_number(before, [number for number in NUMBERS if number < len(original.users)] or [1])
    remain = {str(level): average(srp, original, released, views.categories_at(level)) for level in range(1, 6)}
    figures: dict[str, Any] = {
        "ilr": average(ilr, original, released).mean / 100,
        "il": clusterings.information_loss(before, after, clusters) / 100,
        "clusters": clusters,
        "srp": {level: found.mean / 100 if found.users else None for level, found in remain.items()},
    }
    for name in ("words", "categories"):
        agreed = clusterings.agreement(*_partitions(original, released, VIEWS[name], clusters))
        figures |= {f"jaccard {name}": agreed.jaccard, f"rand {name}": agreed.rand}
    for name, view in VIEWS.items():
        found = frequency.frequencies(original, released, view)
        figures |= {f"top {name} kept": found.preserved / 100, f"top {name} still": found.still_on_top}
    return figures


def _partitions(
    original: Log, released: Log, view: views.View, clusters: int
) -> tuple[clusterings.Labels, clusterings.Labels]:
    with warnings.catch_warnings():
        # Users who leave with the same queries are one point: fewer clusters than asked for are what is to be seen.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return clusterings.k_means(original, released, view, clusters)


def kept(original: Log, released: Log) -> dict[str, float | None]:
    """Return what share of the original is still there."""
    asked = {row.query.text for row in original.rows}
    left = {row.query.text for row in released.rows}
    clicks = sum(bool(row.query.url) for row in original.rows)
    return {
        "lines": len(released.rows) / len(original.rows),
        "distinct": len(asked & left) / len(asked),
        "users": len(released.users) / len(original.users),
        "clicks": sum(bool(row.query.url) for row in released.rows) / clicks if clicks else None,
    }


def utility(log: Log, choice: Choice, prepared: Path | None = None, wordnet: Path = WORDNET) -> dict[str, Any]:
    """Return the figures of consumers' tasks: the method runs over the first four fifths, the last fifth tests."""
    cut = lines.cut_of(as_lines(log))
    early = until(log, cut)
    try:
        released = make(early, choice, prepared, wordnet).outcome.released
    except ConfigError:
        return {"utility": [], "left out": ["the first four fifths of the log are too few for the method"]}
    later = [line for line in as_lines(log) if line.at > cut]
    figures, left_out = suite.measure(lines.Parts(as_lines(early), as_lines(released), later), choice.seed)
    return {"utility": [figure._asdict() for figure in figures], "left out": left_out}


def until(log: Log, cut: float) -> Log:
    """Return the rows up to a time."""
    return Log([row for row in log.rows if row.query.at <= cut])


def as_lines(log: Log) -> list[lines.Line]:
    """Return a log's rows as the lines of the consumers' tasks, in time order."""
    return sorted((lines.line_of(row.query, row.category) for row in log.rows), key=lambda line: line.at)
