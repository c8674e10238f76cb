"""All tasks of consumers, one after another."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from querymix.core.errors import ConfigError

from querymix_lab.attacks.scoring import TooShortError
from querymix_lab.utility.completion import completion
from querymix_lab.utility.following import clicks, suggestion
from querymix_lab.utility.head_counts import head_counts
from querymix_lab.utility.language import language
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
    "heads": head_counts,
    "language": language,
}


def tasks_of(names: Sequence[str]) -> list[str]:
    """Return the tasks of some names, all where there is none. Raises ConfigError for an unknown one."""
    if unknown := sorted(set(names) - set(TASKS)):
        raise ConfigError(f"--tasks: {unknown[0]!r} is no task; those are {', '.join(TASKS)}")
    return [name for name in TASKS if name in names or not names]


def measure(
    parts: Parts, seed: int, begin: Callable[[str], object] = str, tasks: Iterable[str] = TASKS
) -> tuple[list[Figure], list[str]]:
    """Return the figures of `tasks`, and why some could not be measured; `begin` is told each name before it runs."""
    figures: list[Figure] = []
    left_out: list[str] = []
    for name in tasks:
        begin(name)
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
