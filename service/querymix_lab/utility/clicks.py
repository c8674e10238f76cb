"""Click prediction: which host is clicked for a query.

For each clicked line of the test part the ten hosts most often clicked for its query are offered, filled up with the
most clicked ones. Score: the reciprocal rank of the clicked host (MRR at 10), and whether it is the first.

Baseline: the ten most clicked hosts of the original, whatever was asked.
"""

from typing import Final

from querymix_lab.utility.completion import OFFERED, Following, popular
from querymix_lab.utility.lines import Lines, Parts
from querymix_lab.utility.scoring import Measured, Scores, TooShortError, reciprocal

TASK: Final = "click prediction"


def clicks(parts: Parts, seed: int) -> list[Measured]:
    """Return MRR at 10 and success at 1 over all clicks, and MRR over those for a query that was clicked before.

    Raises TooShortError where nothing was clicked.
    """
    if not any(line.host for line in parts.test) or not any(line.host for line in parts.original):
        raise TooShortError(f"{TASK}: the log has no clicked URLs")
    original, released = _learned(parts.original), _learned(parts.released)
    everything, first, known = Scores(), Scores(), Scores()
    for line in parts.test:
        if not line.host:
            continue
        ranked = (original.offer(line.text), released.offer(line.text), original.popular)
        ranks = [reciprocal(offered, line.host) for offered in ranked]
        everything.add(line.user, *ranks)
        first.add(line.user, *(float(rank == 1) for rank in ranks))
        if line.text in original.best:
            known.add(line.user, *ranks)
    return [
        Measured(everything, TASK, "MRR at 10", "telling which host is clicked for a query"),
        Measured(first, TASK, "success at 1", "sending a query straight to a host"),
        Measured(known, TASK, "MRR at 10, known queries", "telling which host is clicked for a known query"),
    ]


def _learned(lines: Lines) -> Following:
    clicked = [line for line in lines if line.host]
    return Following(((line.text, line.host) for line in clicked), popular(line.host for line in clicked)[:OFFERED])
