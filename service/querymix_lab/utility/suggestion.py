"""Next-query suggestion: what users asked after this query, in the same session.

For each query of a session of the test part that another one follows, the ten queries that most often followed it are
offered, filled up with the most popular ones. Score: the reciprocal rank of the query that did follow (MRR at 10).

Baseline: the ten most popular queries of the original, whatever was asked. A log whose users carry other users' queries
has no sessions, so it is expected to fall to that.
"""

from collections import Counter, defaultdict
from typing import Final

from querymix_lab.utility.completion import popular
from querymix_lab.utility.lines import Lines, Parts, askings, pairs
from querymix_lab.utility.scoring import Measured, Scores, reciprocal

OFFERED: Final = 10
TASK: Final = "next-query suggestion"


def suggestion(parts: Parts, seed: int) -> list[Measured]:
    """Return MRR at 10 over all pairs of the test part, and over those whose first query had a successor before."""
    original, released = _Model(parts.original), _Model(parts.released)
    everything, known = Scores(), Scores()
    for first, second in pairs(askings(parts.test)):
        ranked = (original.offer(first.text), released.offer(first.text), original.popular)
        scores = [reciprocal(offered, second.text) for offered in ranked]
        everything.add(first.user, *scores)
        if first.text in original.followers:
            known.add(first.user, *scores)
    return [
        Measured(everything, TASK, "MRR at 10", "suggesting the next query"),
        Measured(known, TASK, "MRR at 10, known first query", "suggesting what follows a known query"),
    ]


class _Model:
    def __init__(self, lines: Lines) -> None:
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for first, second in pairs(lines):
            counts[first.text][second.text] += 1
        self.followers = {
            text: [name for name, _ in sorted(found.items(), key=lambda item: (-item[1], item[0]))][:OFFERED]
            for text, found in counts.items()
        }
        self.popular = popular(line.text for line in lines)[: OFFERED + 1]

    def offer(self, text: str) -> list[str]:
        offered = self.followers.get(text, [])
        return [*offered, *(name for name in self.popular if name not in offered and name != text)][:OFFERED]
