"""What follows a query: the next query of a session, and the host that is clicked.

- Next-query suggestion: for each query of a session of the test part that another one follows, the ten queries that
  most often followed it are offered, filled up with the most popular ones. Score: the reciprocal rank of the query that
  did follow (MRR at 10). Baseline: the ten most popular queries of the original, whatever was asked. A log whose users
  carry other users' queries one by one has no sessions, so it is expected to fall to that. Lines of a session that left
  together (`--unit session`) have one time, and stand in their order.
- Click prediction: the same for each clicked line and the hosts that were most often clicked for its query; also
  whether the clicked one is the first. And for each query, nDCG at 10 of these ten against how often each host was
  clicked for it in the test part (Järvelin and Kekäläinen 2002).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log2
from typing import Final

from querymix_lab.attacks.scoring import TooShortError
from querymix_lab.utility.completion import OFFERED, popular
from querymix_lab.utility.lines import Line, Lines, Parts, askings, pairs
from querymix_lab.utility.scoring import Scores, reciprocal

SUGGESTION: Final = "next-query suggestion"
CLICKS: Final = "click prediction"


class Following:
    """What most often follows each text, filled up with what is popular anyway."""

    def __init__(self, pairs: Iterable[tuple[str, str]], popular_: Sequence[str]) -> None:
        following: defaultdict[str, list[str]] = defaultdict(list)
        for text, next_ in pairs:
            following[text].append(next_)
        self.best = {text: popular(found)[:OFFERED] for text, found in following.items()}
        self.popular = popular_

    def offer(self, text: str, but: str = "") -> list[str]:
        """Return the best ten after `text`; of the popular ones not `but`."""
        offered = self.best.get(text, [])
        return [*offered, *(name for name in self.popular if name not in offered and name != but)][:OFFERED]


def suggestion(parts: Parts, seed: int) -> list[Scores]:
    """Return MRR at 10 over all pairs of the test part, and over those whose first query had a successor before."""

    def learned(lines: Lines) -> Following:
        texts = ((first.text, second.text) for first, second in pairs(lines))
        return Following(texts, popular(line.text for line in lines)[: OFFERED + 1])

    original, released = learned(parts.original), learned(parts.released)
    everything = Scores(SUGGESTION, "MRR at 10", "suggesting the next query")
    known = Scores(SUGGESTION, "MRR at 10, known first query", "suggesting what follows a known query")
    for first, second in pairs(askings(parts.test)):
        offers = [model.offer(first.text, but=first.text) for model in (original, released)]
        scores = [reciprocal(offered, second.text) for offered in (*offers, original.popular)]
        everything.add(first.user, *scores)
        if first.text in original.best:
            known.add(first.user, *scores)
    return [everything, known]


def clicks(parts: Parts, seed: int) -> list[Scores]:
    """Return MRR at 10 and success at 1 over all clicks, MRR over those for a query clicked before, and its nDCG.

    Raises TooShortError where nothing was clicked.
    """
    sides = [[line for line in side if line.host] for side in parts]
    if not sides[0] or not sides[2]:
        raise TooShortError(f"{CLICKS}: the log has no clicked URLs")
    original, released = (
        Following(((line.text, line.host) for line in side), popular(line.host for line in side)[:OFFERED])
        for side in sides[:2]
    )
    everything = Scores(CLICKS, "MRR at 10", "telling which host is clicked for a query")
    first = Scores(CLICKS, "success at 1", "sending a query straight to a host")
    known = Scores(CLICKS, "MRR at 10, known queries", "telling which host is clicked for a known query")
    for line in sides[2]:
        ranked = (original.offer(line.text), released.offer(line.text), original.popular)
        ranks = [reciprocal(offered, line.host) for offered in ranked]
        everything.add(line.user, *ranks)
        first.add(line.user, *(float(rank == 1) for rank in ranks))
        if line.text in original.best:
            known.add(line.user, *ranks)
    return [everything, first, known, _ordered(original, released, sides[2])]


def _ordered(original: Following, released: Following, test: Sequence[Line]) -> Scores:
    """Return nDCG at 10 of the hosts of each query that was clicked for before."""
    scores = Scores(CLICKS, "nDCG at 10 of a known query's hosts", "putting the hosts of a known query in order")
    clicked: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for line in test:
        if line.text in original.best:
            clicked[line.text][line.host] += 1
    for text, gains in clicked.items():
        scores.add(
            text, *(ndcg(offered, gains) for offered in (original.offer(text), released.offer(text), original.popular))
        )
    return scores


def ndcg(offered: Sequence[str], gains: Counter[str]) -> float:
    """Return the normalised discounted cumulative gain of what is offered, of ten places at most; gains are above 0."""
    ideal = sorted(gains.values(), reverse=True)[:OFFERED]
    return _discounted([gains[name] for name in offered[:OFFERED]]) / _discounted(ideal)


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / log2(place + 2) for place, gain in enumerate(gains))
