"""Personalised ranking of categories: does a user's profile, read from the log, tell its next categories?

A user's profile is how often each category stands under its name. For each classified query of the test part all
categories are ranked by the user's profile, with the whole log's shares added as the weight of one query. Scores: the
reciprocal rank of the query's category, and whether it is the first.

Baseline: the categories by their share of the original, the same for every user.
"""

from collections import Counter, defaultdict
from functools import cache
from typing import Final

from querymix.core.records import UNCLASSIFIED

from querymix_lab.utility.lines import Lines, Parts, askings
from querymix_lab.utility.scoring import Scores, reciprocal

TASK: Final = "personalised ranking"


def ranking(parts: Parts, seed: int) -> list[Scores]:
    """Return MRR and success at 1 over the classified queries of the test part."""
    original, released, nobody = _Model(parts.original), _Model(parts.released), _Model(parts.original)
    nobody.profiles.clear()
    all_ = Scores(TASK, "MRR", "ranking topics for a user by its profile")
    first = Scores(TASK, "success at 1", "telling a user's next topic")
    for line in askings(parts.test):
        if line.category == UNCLASSIFIED:
            continue
        ranks = [reciprocal(model.ranked(line.user), line.category) for model in (original, released, nobody)]
        all_.add(line.user, *ranks)
        first.add(line.user, *(float(rank == 1) for rank in ranks))
    return [all_, first]


class _Model:
    def __init__(self, lines: Lines) -> None:
        self.profiles: defaultdict[str, Counter[int]] = defaultdict(Counter)
        counts: Counter[int] = Counter()
        for line in lines:
            if line.category != UNCLASSIFIED:
                self.profiles[line.user][line.category] += 1
                counts[line.category] += 1
        total = max(1, counts.total())
        self.shares = {category: count / total for category, count in counts.items()}
        self.ranked = cache(self._ranked)

    def _ranked(self, user: str) -> list[int]:
        profile = self.profiles.get(user, Counter())
        return sorted(self.shares, key=lambda category: (-profile[category] - self.shares[category], category))
