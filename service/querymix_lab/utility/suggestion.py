"""Next-query suggestion: what users asked after this query, in the same session.

For each query of a session of the test part that another one follows, the ten queries that most often followed it are
offered, filled up with the most popular ones. Score: the reciprocal rank of the query that did follow (MRR at 10).

Baseline: the ten most popular queries of the original, whatever was asked. A log whose users carry other users' queries
has no sessions, so it is expected to fall to that.
"""

from typing import Final

from querymix_lab.utility.completion import OFFERED, Following, popular
from querymix_lab.utility.lines import Lines, Parts, askings, pairs
from querymix_lab.utility.scoring import Measured, Scores, reciprocal

TASK: Final = "next-query suggestion"


def suggestion(parts: Parts, seed: int) -> list[Measured]:
    """Return MRR at 10 over all pairs of the test part, and over those whose first query had a successor before."""
    original, released = _learned(parts.original), _learned(parts.released)
    everything, known = Scores(), Scores()
    for first, second in pairs(askings(parts.test)):
        offers = [model.offer(first.text, but=first.text) for model in (original, released)]
        scores = [reciprocal(offered, second.text) for offered in (*offers, original.popular)]
        everything.add(first.user, *scores)
        if first.text in original.best:
            known.add(first.user, *scores)
    return [
        Measured(everything, TASK, "MRR at 10", "suggesting the next query"),
        Measured(known, TASK, "MRR at 10, known first query", "suggesting what follows a known query"),
    ]


def _learned(lines: Lines) -> Following:
    texts = ((first.text, second.text) for first, second in pairs(lines))
    return Following(texts, popular(line.text for line in lines)[: OFFERED + 1])
