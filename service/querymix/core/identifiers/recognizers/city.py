"""Cities and states beside an address or a ZIP code: they go along, but are nothing alone."""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.knowledge import CITY, COMMON, STATE, Knowledge

TERRITORIES: Final = frozenset({"dc", "pr", "as", "gu", "vi", "mh", "fm", "pw", "mp"})
ZIP: Final = expression(r"(?<![\w$.,#/-])\d{5}(?:[- ]\d{4})?(?![\w%/]|[.,-]\d)")


def city_after(knowledge: Knowledge, words: list[str], at: int) -> int:
    """Return the place after a city, state or ZIP code that begins at `at`, or `at`."""
    size = len(words)
    for length in (3, 2, 1, 0):
        stop = at + length
        if stop > size:
            continue
        state = state_words(knowledge, words, stop)
        after = stop + state
        coded = after < size and len(words[after]) in (5, 10) and ZIP.fullmatch(words[after]) is not None
        if state or coded:
            return after + coded
        if (
            length
            and knowledge[" ".join(words[at:stop])].tags & CITY
            and length > (knowledge[words[at]].tags & COMMON and length == 1)
        ):
            return stop
    return at


def state_words(knowledge: Knowledge, words: list[str], at: int) -> int:
    """Return how many words (0 to 2) at `at` name a state."""
    if at >= len(words):
        return 0
    if at + 1 < len(words) and knowledge[f"{words[at]} {words[at + 1]}"].tags & STATE:
        return 2
    return int(words[at] in TERRITORIES or knowledge[words[at]].tags & STATE != 0)
