"""Head counts: of the times at which the commonest queries were asked, how many are still there?

For the ten, and for the hundred, most frequent queries of the original, and for the hundred that most users asked (of a
log of few users the most frequent ones are often a single user's): their lines in the released log, no more than
in the original, over their lines in the original. What is held, suppressed or cut is missing here; a query that leaves
later than it was asked is not. Baseline: 0, a log that has none of them.
"""

from collections import Counter
from typing import Final

from querymix_lab.utility.completion import popular
from querymix_lab.utility.lines import Parts
from querymix_lab.utility.scoring import Scores

TASK: Final = "head counts"
TOPS: Final = (10, 100)


def head_counts(parts: Parts, seed: int) -> list[Scores]:
    """Return the shares of the lines of the commonest queries that are still there."""
    asked, left = (Counter(line.text for line in side) for side in (parts.original, parts.released))
    often = popular(line.text for line in parts.original)
    widely = popular(text for _, text in {(line.user, line.text) for line in parts.original})
    heads = {f"lines of the top {top} queries": often[:top] for top in TOPS}
    heads[f"lines of the {TOPS[-1]} queries of most users"] = widely[: TOPS[-1]]
    found = []
    for name, texts in heads.items():
        scores = Scores(TASK, name, "counting how often the commonest queries were asked")
        for text in texts:
            scores.add_sums(text, (float(asked[text]), float(min(asked[text], left[text])), 0.0, asked[text]))
        found.append(scores)
    return found
