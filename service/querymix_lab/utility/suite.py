"""All tasks of consumers, one after another."""

from collections.abc import Callable, Sequence
from typing import Final

from querymix_lab.utility.clicks import clicks
from querymix_lab.utility.completion import completion
from querymix_lab.utility.lines import Parts
from querymix_lab.utility.ranking import ranking
from querymix_lab.utility.scoring import Figure, Measured, TooShortError
from querymix_lab.utility.spelling import spelling
from querymix_lab.utility.suggestion import suggestion
from querymix_lab.utility.trends import trends

TASKS: Final[dict[str, Callable[[Parts, int], list[Measured]]]] = {
    "completion": completion,
    "suggestion": suggestion,
    "spelling": spelling,
    "clicks": clicks,
    "trends": trends,
    "ranking": ranking,
}


def measure(parts: Parts, seed: int, names: Sequence[str] = tuple(TASKS)) -> tuple[list[Figure], list[str]]:
    """Return the figures of the tasks, and why some could not be measured."""
    figures: list[Figure] = []
    left_out: list[str] = []
    for name in names:
        try:
            measured = TASKS[name](parts, seed)
        except TooShortError as error:
            left_out.append(str(error))
            continue
        for one in measured:
            try:
                figures.append(one.figure(seed))
            except TooShortError as error:
                left_out.append(str(error))
    return figures, left_out
