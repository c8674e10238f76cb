"""Streets of six languages: addresses go whole, look-alikes stay. All data is made up.

The tables stand in streets/: "+ text [address] text" goes but for what is outside of the brackets, "- text" holds none.
"""

import re
from pathlib import Path

import pytest
from querymix.core.identifiers.recognizers.street.begun import BEGINS, GRID
from querymix.core.identifiers.recognizers.street.parts import LISTS
from querymix.core.identifiers.spellings import spellings

from tests.querymix.core.identifiers.kit import lines, released

TABLES = sorted((Path(__file__).parent / "streets").glob("*.txt"))
ROWS = [line for table in TABLES for line in table.read_text("utf-8").splitlines()]


def squeezed(text: str) -> str:
    return re.sub(r"[\W_]", "", text)


@pytest.mark.parametrize("line", [line[2:] for line in ROWS if line[0] == "+"])
def test_an_address_goes_whole(line: str) -> None:
    before, _, rest = line.partition("[")
    address, _, after = rest.partition("]")
    left, kinds = released(before + address + after)
    assert kinds
    assert squeezed(left) == squeezed(before + after)


@pytest.mark.parametrize("text", [line[2:] for line in ROWS if line[0] == "-"])
def test_a_look_alike_holds_no_address(text: str) -> None:
    assert "address" not in released(text)[1]


ENGLISH = """
    route 66 road trip
    via rail 2024
    rue mcclanahan 1985
    rupaul 12
    square enix 2023
    square 1 tv show
    place 3 winner
    avenue q 2005 tickets
    boulevard of broken dreams 2004
    villa 4 bedrooms spain
    plaza hotel 5 star
    largo winch 2
    bp 120/80
    chapter 12 lot of the flies
    all 50 states
    res 7 rule
    cr 250 2003
    ac 12 volt
    spring 12 forecast
    offspring 12
    ipad 12
    monitor 24
    blockade 12
    engineering 101
    amsterdam 12
    spielberg 2
    firewall 12
    kindergarten 5
    boxing ring 2
    seinfeld 3
    12 bd house
    2 place setting
    ave maria 2
    villa park 11
    c 3 citroen
    r. kelly 12
    in the park 5
    at am 5
    van 12 passenger
    tor 2 browser
    berlin 36
    lot 49 pynchon
    top 10 rue
    via 12 ports
    canada goose 2
    res evil 4
    residence inn 2
    norway 12
    c/c++ 11 tutorial
    c/o 12
    quad 5
    windows 11 24h2
    iphone 15 pro max 256
"""


@pytest.mark.parametrize("text", lines(ENGLISH))
def test_an_english_query_with_such_words_holds_no_address(text: str) -> None:
    assert "address" not in released(text)[1]


def test_a_word_is_met_without_accents_and_with_an_e_for_the_points() -> None:
    assert spellings("mühlenstraße") == {"muhlenstrasse", "muehlenstrasse"}
    assert spellings("praça") == {"praca"}
    assert spellings("via") == {"via"}


def test_every_word_of_the_table_is_one_that_a_query_can_hold() -> None:
    assert [word for words in LISTS.values() for word in words if word != word.lower() or " " in word] == []


def test_the_lists_that_say_of_which_words_hold_no_others() -> None:
    for part in ("number-first", "ambiguous", "marked"):
        assert LISTS[part] <= BEGINS, part
    assert GRID - BEGINS
    assert LISTS["unit-pair"] <= LISTS["unit"]
