"""All tasks of consumers, one after another."""

from collections.abc import Callable
from typing import Final

from querymix_lab.attacks.scoring import TooShortError
from querymix_lab.utility.completion import completion
from querymix_lab.utility.following import clicks, suggestion
from querymix_lab.utility.lines import Parts
from querymix_lab.utility.ranking import ranking
from querymix_lab.utility.scoring import Figure, Scores
from querymix_lab.utility.spelling import spelling
from querymix_lab.utility.trends import trends

TASKS: Final[dict[str, Callable[[Parts, int], list[Scores]]]] = {
    "completion": completion,
    "suggestion": suggestion,
    "spelling": spelling,
    "clicks": clicks,
    "trends": trends,
    "ranking": ranking,
}


def measure(parts: Parts, seed: int, begin: Callable[[str], object] = str) -> tuple[list[Figure], list[str]]:
    """Return the figures of all tasks, and why some could not be measured; `begin` is told each name before it runs."""
    figures: list[Figure] = []
    left_out: list[str] = []
    for name, task in TASKS.items():
        begin(name)
        try:
            measured = task(parts, seed)
        except TooShortError as error:
            left_out.append(str(error))
            continue
        for one in measured:
            try:
                figures.append(one.figure(seed))
            except TooShortError as error:
                left_out.append(str(error))
    return figures, left_out
