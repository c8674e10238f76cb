"""Countries' numbers of persons: `SCHEMES` has all tables, `ENGINE` finds what is of them (engine.py)."""

from typing import Final

from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.recognizers.national import africa_oceania, americas, asia, europe
from querymix.core.identifiers.recognizers.national.engine import Engine
from querymix.core.identifiers.recognizers.national.scheme import Scheme

TABLES: Final = (
    europe.SCHEMES,
    americas.SCHEMES,
    asia.SCHEMES,
    africa_oceania.SCHEMES,
)  # fmt: skip
SCHEMES: Final[tuple[Scheme, ...]] = tuple(one for table in TABLES for one in table)
ENGINE: Final = Engine(SCHEMES)
RECOGNIZER: Final[Recognizer] = Recognizer(ENGINE.find, digits=4)
PATIENTS: Final[Recognizer] = Recognizer(ENGINE.find, digits=2, words=frozenset({"nhi"}))
"""New Zealand's newer numbers of patients have two digits."""
