"""Numbers of persons as others document them: python-stdnum's examples, and the texts of Presidio's recognizer tests.

Rules:
- An example is a number in a module's documentation that the module takes for valid, as it stands there, without
  separators, and as the module's `format` writes it. It is asked bare, and with the local word before it.
- The kind of a row is the module or the recognizer that the example is from.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Final

from querymix.core.errors import ConfigError

from querymix_lab.evaluation.identifiers import Row
from querymix_lab.evaluation.languages import DATA
from querymix_lab.knowledge.sources import files

BARE: Final = "bare"
WITH_WORD: Final = "with its word"
_QUOTED: Final = re.compile(r"\(\s*'([^']{4,40})'")


def examples(module: str) -> list[str]:
    """Return the documented valid numbers of one of python-stdnum's modules, in each of their spellings.

    Raises ConfigError where python-stdnum is not installed or has no such module.
    """
    try:
        known = import_module(f"stdnum.{module}")
    except ImportError:
        raise ConfigError(f"stdnum.{module} is not there: pip install 'querymix[lab]' (python-stdnum)") from None
    spelled: dict[str, None] = {}
    for text in _QUOTED.findall(known.__doc__ or ""):
        if known.is_valid(text):
            formed = known.format(text) if hasattr(known, "format") else text
            spelled |= dict.fromkeys((text.strip(), known.compact(text), formed))
    return list(spelled)


def schemes() -> dict[str, list[Row]]:
    """Return the examples of all modules about persons, bare and with the word of their country before them."""
    rows: dict[str, list[Row]] = {BARE: [], WITH_WORD: []}
    for _, (module, word) in files.rows(DATA / "schemes.tsv", "module word"):
        for number in examples(module):
            rows[BARE].append(Row(number, module, 0, len(number)))
            before = f"{word} "
            rows[WITH_WORD].append(Row(f"{before}{number}", module, len(before), len(before) + len(number)))
    return rows


def recognizer_tests() -> Iterator[Row]:
    """Yield what Presidio's tests expect to be found, one row an entity."""
    for _, (recognizer, text, entity) in files.rows(DATA / "presidio.tsv", "recognizer text entity"):
        start = text.index(entity)
        yield Row(text, recognizer, start, start + len(entity))
