"""The labelled queries that `querymix study identifiers` measures with, by the name of the column that they fill.

Rules:
- The made-up, held-out and harmless sets have a column for each language, English alone by default.
- python-stdnum's examples have two columns: bare, and with a word beside them.
"""

from pathlib import Path
from typing import Final

from querymix.core.errors import ConfigError

from querymix_lab.evaluation.documented import recognizer_tests, schemes
from querymix_lab.evaluation.identifiers import Row, read
from querymix_lab.evaluation.languages import HALVES, HELD_OUT, LANGUAGES, MADE_UP

NUMBERS: Final = "numbers"
"""Random numbers of products, prices and days, which are nobody's."""
STDNUM: Final = "python-stdnum"
PRESIDIO: Final = "presidio"
SETS: Final = (*HALVES, NUMBERS, STDNUM, PRESIDIO)
ENGLISH: Final = "en"
FOUND: Final = "querymix"
"""The column of a set that has one."""

Columns = dict[str, list[Row]]


def columns(labels: str, language: str | None, seed: int, count: int) -> Columns:
    """Return the rows of a set of `SETS` or of a labelled file; made-up ones are `count` together.

    Raises ConfigError where a file is not as it has to be, a package is missing, or a language is named for a set that
    has none.
    """
    if labels in (*HALVES, NUMBERS):
        try:
            return _made_up(labels, language, seed, count)
        except ImportError:
            raise ConfigError("queries are made up with Faker and python-stdnum: pip install 'querymix[lab]'") from None
    if language is not None:
        raise ConfigError(f"--language is for --labels {MADE_UP}, {HELD_OUT} and {NUMBERS}: leave one of them out")
    if labels == STDNUM:
        return schemes()
    return {FOUND: list(recognizer_tests() if labels == PRESIDIO else read(Path(labels)))}


def _made_up(labels: str, language: str | None, seed: int, count: int) -> Columns:
    from querymix_lab.evaluation.made_up_abroad import abroad, numbers  # noqa: PLC0415 - needs Faker

    names: tuple[str, ...]
    if labels == NUMBERS:
        names = (ENGLISH, *LANGUAGES) if language == "all" else (language or ENGLISH,)
        return {name: numbers(name, seed, count // len(names)) for name in names}
    if language is None:
        return {FOUND: _english(labels, seed, count)}
    names = LANGUAGES if language == "all" else (language,)
    return {name: list(abroad(name, labels, seed, count // len(names))) for name in names}


def _english(half: str, seed: int, count: int) -> list[Row]:
    from querymix_lab.evaluation.made_up import census_names, labelled  # noqa: PLC0415 - needs Faker
    from querymix_lab.evaluation.made_up_codes import held_out  # noqa: PLC0415 - with its siblings
    from querymix_lab.evaluation.made_up_people import people  # noqa: PLC0415 - needs Faker

    if half == MADE_UP:
        return list(labelled(seed, count, *census_names()))
    return [*held_out(seed, count - count // 2), *people(seed, count // 2)]
