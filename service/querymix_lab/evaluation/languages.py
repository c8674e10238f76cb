"""The made-up sets of six languages: where they lie, and which half of one is for development.

Rules:
- A language model made them up (docs/evaluation.md says how); none is a real person's, number or query.
- Labelled queries lie in a file for each half. Templates and harmless queries lie in one: a line's own hash says which
  half it belongs to, so that a line that is added or taken away moves no other.
- Of the held-out half figures are told, and never what it misses.
"""

from hashlib import sha256
from pathlib import Path
from typing import Final

from querymix_lab.knowledge.sources import files

LANGUAGES: Final = ("de", "fr", "es", "it", "pt", "nl")
MADE_UP: Final = "made-up"
"""The half for development."""
HELD_OUT: Final = "held-out"
HALVES: Final = (MADE_UP, HELD_OUT)
DATA: Final = Path(__file__).parent / "data"


def topics(language: str, half: str) -> Path:
    """Return the file of labelled queries: query <tab> categories of the first pass <tab> categories of the second."""
    return DATA / language / f"topics-{half}.tsv"


def templates(language: str, half: str) -> list[tuple[str, str]]:
    """Return kinds, and queries around one identifier, whose place is its name in braces.

    A kind ends in " alone" where no word of the query says what the identifier is.
    """
    rows = files.rows(DATA / language / "templates.tsv", "kind template alone", least=2)
    return [
        (" ".join((kind, *alone)), template)
        for _, (kind, template, *alone) in rows
        if half_of(f"{kind}\t{template}") == half
    ]


def harmless(language: str, half: str) -> list[str]:
    """Return queries that look as if they held an identifier."""
    return [query for _, (query,) in files.rows(DATA / language / "harmless.txt", "query") if half_of(query) == half]


def half_of(line: str) -> str:
    """Return the half that a line belongs to."""
    return HALVES[sha256(line.encode()).digest()[0] % len(HALVES)]
