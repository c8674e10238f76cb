"""Streets whose name stands behind its first word: "via Roma 12", "calle Mayor 5", "12 rue Pasteur".

Rules:
- Up to `LONGEST` words behind the first one stands the house number. A number before a month ("rua 25 de março"), of a
  road ("SS 16 km 812") or before the house number's own word ("rua 14 lote 8") belongs to the name.
- In French the house number stands first as well; then the name ends at a comma, a unit, a postcode or a city, or after
  three words.
- In Colombia a street is a number, and the house number two ("carrera 7 # 12-34").
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.street.judging import (
    MUCH,
    NEVER,
    NOTHING,
    SOME,
    USUAL,
    judged,
    of_the,
    plain,
    usual,
)
from querymix.core.identifiers.recognizers.street.parts import (
    COUNTED,
    COUNTED_BY,
    JOIN,
    LISTS,
    MONTHS,
    NO_NUMBER,
    NUMBER_WORDS,
    a_year,
    city,
    comma_after,
    house,
    is_city,
    postcode,
    tail,
    unit,
)
from querymix.core.identifiers.spans import word_set
from querymix.core.identifiers.tokens import QueryText

SURE_BEGINS: Final[frozenset[str]] = LISTS["begin"]
BEGINS: Final[frozenset[str]] = SURE_BEGINS | LISTS["maybe-begin"]
GRID: Final[frozenset[str]] = LISTS["grid"]
MARKED: Final[frozenset[str]] = LISTS["marked"]
NUMBER_FIRST: Final[frozenset[str]] = LISTS["number-first"]
NO_NAME: Final[frozenset[str]] = LISTS["no-name"] | COUNTED_BY | frozenset(word for word in COUNTED if len(word) > 2)
"""In a name they tell that it is none; units of two letters are words of names too."""
_NO_FIRST: Final[frozenset[str]] = LISTS["no-first"]
_AROUND: Final[frozenset[str]] = LISTS["around"]
_COURSES: Final[frozenset[str]] = LISTS["no-course"]
_NO_STREETS: Final[frozenset[str]] = LISTS["no-street"]
_ROADS: Final[frozenset[str]] = LISTS["road"]
_WHOLE: Final = word_set("lotissement hameau clos av avenue boulevard bd faubourg fbg sentier venelle ruelle promenade")
"""Those that with number and name are an address where they are all of a query."""
_MORE_NUMBER: Final = word_set("bis ter quater a b c d")
_GLUED: Final = expression("c/[a-z]{3,30}")
"""As in "c/mayor 8"."""
_GRID_NAME: Final = expression(r"\d{1,3}[a-z]{0,2}")
_GRID_WAY: Final = word_set("sur norte este oeste oriente poniente ote pte nte")
_GRID_MORE: Final = _GRID_WAY | word_set("a b c d e f g s bis")
_GRID_SIGN: Final = word_set("# no n nro num n° numero")
_GRID_HOUSE: Final = expression(r"#?\d{1,3}[a-z]{0,2}-\d{1,3}")
LONGEST: Final = 8
"""Words between the one that begins a street's name and the house number."""


def begun(query: QueryText, at: int) -> int:
    """Return the place after the address whose street's name begins at `at`, or 0."""
    words, size = query.words, len(query.words)
    grid = _grid(words, at) if words[at] in GRID else 0
    if grid:
        return tail(query, grid)
    need = _need(query, at)
    named = words[at].startswith("c/")
    place = at + 1
    while need < NEVER and place < min(at + LONGEST + 1, size):
        word = words[place]
        follows = words[place + 1] if place + 1 < size else ""
        counted = word in NUMBER_WORDS and bool(follows) and (house(follows) or follows in NO_NUMBER)
        if named and (word in NO_NUMBER or counted):
            return tail(query, place + 1 + counted)
        if word in NO_NAME and word not in NUMBER_WORDS:
            need = MUCH
        after = place + 1
        if house(word):
            after = _number_in_name(words, at, place, named=named)
            if not after:
                return judged(query, at, at, place, need) if named else 0
        named = named or (word not in JOIN and (len(word) > 1 or word.isdigit()))
        if need == MUCH and word in USUAL and words[at] in MARKED:
            need = SOME
        place = after
    return 0


def _need(query: QueryText, at: int) -> int:
    """Return what the street's word at `at` needs beside it."""
    words = query.words
    word = words[at]
    if (word not in BEGINS and not _GLUED.fullmatch(word)) or _is_other(words, at):
        return NEVER
    if word in MARKED:
        return {"/": NOTHING, ".": MUCH}.get(_mark(query, at), NEVER)
    return NOTHING if word in SURE_BEGINS else SOME


def _number_in_name(words: list[str], at: int, place: int, *, named: bool) -> int:
    """Return the place after a number that belongs to a street's name, as in "rua 25 de março 1020", or 0."""
    size = len(words)
    after = place + 1
    follows = words[after] if after < size else ""
    if not named:
        month = after + (follows in JOIN)
        if month < size and words[month] in MONTHS:
            return month + 1
        if follows and ((house(follows) and a_year(words[place])) or follows in NUMBER_WORDS):
            return after
    if (place == at + 2 and words[place - 1] in _ROADS and words[at] != "via") or (
        follows in NUMBER_WORDS and after + 1 < size and house(words[after + 1])
    ):
        return after
    return 0


def _is_other(words: list[str], at: int) -> bool:
    """Return whether a street's word at `at` and what follows mean something else: "via crucis", "corso di laurea"."""
    follows = words[at + 1] if at + 1 < len(words) else ""
    if follows in _NO_FIRST:
        return True
    if words[at] in ("corso", "cours", "curso") and not _COURSES.isdisjoint(words[at + 1 : at + 4]):
        return True
    return any("-".join(words[at : at + length]) in _NO_STREETS for length in (2, 3, 4))


def _mark(query: QueryText, at: int) -> str:
    """Return the character behind a token, a mark where it is cut short: "c/ mayor", "r. das flores"."""
    end = query.span(at, at)[1]
    return query.text[end : end + 1]


def _grid(words: list[str], at: int) -> int:
    """Return the place after an address of two numbers ("carrera 7 # 12-34"), or 0."""
    size = len(words)
    place = at + 1
    if place >= size or not _GRID_NAME.fullmatch(words[place]):
        return 0
    place += 1
    while place < min(at + 5, size) and words[place] in _GRID_MORE:
        place += 1
    signed = place < size and words[place] in _GRID_SIGN
    place += signed
    signed = signed or words[place - 1] in _GRID_WAY
    if place >= size:
        return 0
    if _GRID_HOUSE.fullmatch(words[place]):
        return place + 1
    apart = place + 2 < size and words[place + 1] == "-" and words[place + 2].isdigit()
    signed = signed or words[place][0] == "#"
    return place + 1 + 2 * apart if signed and house(words[place]) else 0


def number_first(query: QueryText, at: int) -> int:
    """Return the place after the address that begins with the house number at `at`, in the French order, or 0."""
    words, size = query.words, len(query.words)
    place = at + 1
    if place < size and words[place] in _MORE_NUMBER:
        place += 1
    if place + 1 >= size or words[place] not in NUMBER_FIRST:
        return 0
    kind, first = words[place], place + 1
    before = words[at - 1] if at else ""
    if _is_other(words, place) or (kind in MARKED and _mark(query, place) != ".") or before in COUNTED_BY:
        return 0
    stop = _name_ends(query, first)
    if not stop:
        return 0
    after = tail(query, stop)
    name = words[first:stop]
    told = after > stop or place > at + 1 or comma_after(query, place - 1) or before in NUMBER_WORDS
    sure = kind in SURE_BEGINS or of_the(name)
    sure = sure or any(usual(query.knowledge, word) or is_city(query.knowledge, word) for word in name)
    sure = sure or (kind in _WHOLE and at == 0 and after == size and plain(query.knowledge, name))
    return after if told or (sure and not a_year(words[at])) else 0


def _name_ends(query: QueryText, first: int) -> int:
    """Return the place after a street's name that begins at `first` and no number ends, or 0."""
    words, size = query.words, len(query.words)
    content, last, place = 0, 0, first
    while place < size and content < 3:
        word = words[place]
        if word in NO_NAME or (content and word in _AROUND):
            return last
        if "0" <= word[0] <= "9":
            if place + 1 < size and words[place + 1] in MONTHS:
                place += 2
                last = place = place + (place < size and a_year(words[place]))
                break
            if len(word) > 1 or words[place - 1] != "des":  # "rue des 3 freres"
                break
        coded = place + 1 < size and postcode(words, place + 1) > place + 1
        if content and (comma_after(query, place - 1) or unit(words, place) > place):
            break
        if content and city(query, place) > place and not coded:
            break
        place += 1
        if word not in JOIN:
            content += 1
            last = place
    return last
